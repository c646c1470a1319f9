// Decides branches by an assumption, before a slice is looked for.
//
// An assumed condition stands at the beginning of the function as `if (!(C))
// __builtin_unreachable();`. The consequences of the condition, and of other branches on the way,
// are found by the usual optimizing passes: constants, equal values, loads of known contents,
// comparisons that others imply. Each pass is checked as always, and a rejected step does not
// count. Where the condition says that a variable equals a constant, the variable is set to the
// constant first; only this step is taken from the assumption without a check. A branch that has
// become straight has one way only (SliceOptions.way).
#pragma once

#include "form/program.h"

typedef struct {
    const uint32_t *way; // node -> the only successor that is taken, or NO_ID
    uint32_t decided;    // how many branches that have several ways
    uint32_t rejected;   // passes whose result was not accepted
} SliceDecisions;

// `func` is RTL as lowered, with the condition in front.
SliceDecisions slice_decide(Arena *arena, const Func *func);
