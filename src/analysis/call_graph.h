// The call graph of a program: the callers and the callees of each function.
#pragma once

#include "base/bits.h"
#include "form/program.h"

typedef struct {
    VEC(Sym)
    order; // the functions that are defined; callees before callers, where calls form no cycle
    uint32_t *calls; // symbol -> how many instructions call it by name
    Bits exposed;    // symbols whose address is taken, in code or in data, or that others can name
} CallGraph;

// Linear in the size of the program.
CallGraph call_graph_of(Arena *arena, const Program *program);
