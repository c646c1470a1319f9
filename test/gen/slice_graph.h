// Slices of function graphs, for tests: what must hold, seen by brute force, and the graph of a
// slice, to be run.
#pragma once

#include "slice/slice.h"

// A variable that is needed in front of a node.
typedef struct {
    Node node;
    uint32_t variable;
} SliceWanted;

// NULL if the kept nodes and their nexts satisfy what slice.h promises, as far as control comes;
// otherwise what is wrong. `wanted` is what was asked for besides kept nodes. Quadratic.
const char *slice_complaint(Arena *arena, const SliceVariables *variables, const Bits *kept,
                            const uint32_t *next, const SliceWanted *wanted, uint32_t wanted_count);
// The function that has the kept nodes only. Where no kept node follows, it returns.
Func *slice_graph(Arena *arena, const Func *func, const Bits *kept, const uint32_t *next);
// The function, with an event in front of a node, in which a register of type i32 is told.
Func *func_telling(Arena *arena, const Func *func, Node node, Reg reg);
