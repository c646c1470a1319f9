// The relevant variables of a slice, in front of each block: found backward, one variable at a time, so that the
// cost is that of the result.
#pragma once

#include "cert/hints_slice.h"

// Fills in the relevant variables, inputs and parameters of all functions of a hint whose other parts are known.
void slice_find_relevant(Arena *arena, const Program *before, SliceHint *hint);
