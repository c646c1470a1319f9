// Slices as programs of Imp: what is left of a function, as the equations of functional SSA tell
// it.
#pragma once

#include "slice/source/slice_source.h"

// Writes the sliced functions of `after`, which has no other functions then. What was asked for
// inside of the first one is handed to `asked`, as Imp would leave out what nobody gets to see.
// False after messages.
bool slice_imp(const SliceSource *after, const FunctionSlice *slices, uint32_t count,
               const SliceHint *hint, Diag *diag, Out *out);
