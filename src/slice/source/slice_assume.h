// --assume: which branches of a function are decided by a condition that is taken to hold whenever
// it is entered; or that pointers lead to different memory.
#pragma once

#include "slice/source/slice_source.h"

// For each node of the function's RTL the only successor that is taken, or NO_ID; NULL after a
// message.
const uint32_t *slice_assume(SliceSource *source, Diag *diag, uint32_t function,
                             const char *condition);

// Whether an assumption says that pointers are apart: "p and q are apart", "p, q and r are apart".
bool slice_is_about_pointers(const char *condition);
// Assumes this of each two of them. False after a message.
bool slice_assume_apart(FunctionSlice *slice, Diag *diag, const char *condition);
