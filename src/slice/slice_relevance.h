// The relevant variables of a slice, in front of each block: found backward, one variable at a
// time, so that the cost is that of the result.
#pragma once

#include "hint/hints_slice.h"

// Whether control may go from a node to another, if `way` is the only successor that is taken, or
// NO_ID.
static inline bool slice_goes_to(const Func *func, uint32_t way, Node from, Node to) {
    return way == NO_ID || instr_succs(func, func_at(func, from))[way].i == to.i;
}

// Fills in the relevant variables, inputs and parameters of all functions of a hint whose other
// parts are known.
void slice_find_relevant(Arena *arena, const Program *before, SliceHint *hint,
                         const SliceCalls *calls);
