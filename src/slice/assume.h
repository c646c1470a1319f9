// Branches that are decided before a slice is looked for.
//
// A condition that is to be assumed stands at the beginning of the function as `if (!(C))
// __builtin_unreachable();`. What follows from it, and from other branches on the way, the passes
// find out that do so when a program is optimized: constants, equal values, loads of what is known,
// comparisons that others imply. Each is checked as always, and what its checker does not accept
// does not count. Where the condition says that a variable equals a constant, the variable is set
// to it first; that much is taken from the assumption without a check. A branch that is straight
// afterwards has one way only (SliceOptions.way).
#pragma once

#include "form/program.h"

typedef struct {
    const uint32_t *way; // node -> the only successor that is taken, or NO_ID
    uint32_t decided;    // how many branches that have several ways
    uint32_t rejected;   // passes whose result was not accepted
} SliceDecisions;

// `func` is RTL as lowered, with the condition in front.
SliceDecisions slice_decide(Arena *arena, const Func *func);
