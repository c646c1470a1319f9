// Decides branches by an assumption, before a slice is looked for.
//
// A condition that is to be assumed stands at the beginning of the function as `if (!(C))
// __builtin_unreachable();`. The function makes the excursion into the Sea of Nodes that every
// compilation makes; son_optimize finds out what follows from the condition and from other branches
// on the way: constants, equal values, loads of what is known, comparisons that others imply. The
// values kernel checks the excursion; if it rejects, no branch is decided. Where the condition says
// that a variable equals a constant, the variable is set to the constant first; that much is taken
// from the assumption without a check. A branch that the excursion leaves out has one way only
// (SliceOptions.way).
#pragma once

#include "form/program.h"

typedef struct {
    const uint32_t *way; // node -> the only successor that is taken, or NO_ID
    uint32_t decided;    // how many branches that have several ways
    uint32_t rejected;   // 1 if a checker did not accept a step; then nothing is decided
} SliceDecisions;

// `func` is RTL as lowered, with the condition in front.
SliceDecisions slice_decide(Arena *arena, const Func *func);
