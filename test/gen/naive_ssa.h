// SSA by the simplest rules that can be, for tests: something to hold the real construction
// against, and a source of SSA functions of every kind that does not need it.
#pragma once

#include "form/program.h"

typedef struct {
    // Percent of the moves between registers that are folded into the renaming: the register set is
    // then another name for the one read. So versions of a variable live at the same time, and
    // phi-blocks swap and rotate values.
    uint32_t folded;
    uint64_t seed; // which moves are folded
} NaiveOptions;

// The SSA form of a function in normal form: a phi for every register that is live at a join.
Func *naive_ssa(Arena *arena, const Func *func, NaiveOptions options);
