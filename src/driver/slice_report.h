// What gate slice writes.
#pragma once

#include "driver/slice_criterion.h"

typedef enum { SLICE_SOURCE, SLICE_LINES, SLICE_JSON } SliceFormat;

// Slices one function, compiles the slice again and has it checked. False after a message.
bool slice_one(SliceSource *source, Diag *diag, const SliceQuestion *question, SliceFormat format,
               Out *out);
// Slices every function of the file; the table goes to `out`, the functions to the folder, if there is one.
bool slice_each(SliceSource *source, Diag *diag, const SliceQuestion *question, const char *folder,
                Out *out);
