// The call graph of a program: the callers and the callees of each function.
#pragma once

#include "base/bits.h"
#include "form/program.h"

typedef struct {
    VEC(Sym)
    order; // the functions that are defined; callees before callers, where calls form no cycle
    uint32_t *calls; // symbol -> how many instructions call it by name
    Bits taken;      // symbols whose address is taken, in code or in data
    Bits exposed;    // these, and symbols that others can name
    uint64_t nodes;  // of all functions
} CallGraph;

// A small function also comes before the functions that take its address, themselves or in data
// that they mention, unless it may call them: a call through the address may turn out to be one of
// the function. Linear in the size of the program.
CallGraph call_graph_of(Arena *arena, const Program *program);
