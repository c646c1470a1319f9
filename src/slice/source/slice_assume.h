// --assume: which branches of a function are decided by a condition that is taken to hold whenever
// it is entered.
#pragma once

#include "slice/source/slice_source.h"

// For each node of the function's RTL the only successor that is taken, or NO_ID; NULL after a
// message.
const uint32_t *slice_assume(SliceSource *source, Diag *diag, uint32_t function,
                             const char *condition);
