// Gated functions for tests.
#pragma once

#include "hint/hints_gsa.h"

typedef struct {
    const Func *closed; // SSA, loop-closed
    Func *gated;
    GsaBuildHint hint;
} GatedFunc;

// A function in RTL, brought into gated SSA. `gated` is NULL if that cannot be done.
GatedFunc gated_func(Arena *arena, const Func *func);

// A random function, or a graph of a few nodes, in gated SSA.
GatedFunc gated_random(Arena *arena, Program *program, uint32_t max_nodes, uint64_t seed);
