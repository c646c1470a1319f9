// Slices as programs of Imp: what is left of a function, as the equations of functional SSA tell
// it.
#pragma once

#include "slice/source/slice_source.h"

// Writes the sliced functions of `after`, which has no other functions then. The requested values
// inside of the first function go to `asked`, as Imp would leave out values that nobody sees. False
// after messages.
bool slice_imp(const SliceSource *after, const FunctionSlice *slices, uint32_t count,
               const SliceHint *hint, Diag *diag, Out *out);
