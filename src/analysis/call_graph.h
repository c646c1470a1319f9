// Who calls whom in a program, and what must stay in it.
#pragma once

#include "base/bits.h"
#include "ir/ir.h"

typedef struct {
    VEC(Sym)
    order; // the functions that are defined; callees before callers, where calls form no cycle
    uint32_t *calls; // symbol -> how many instructions call it by name
    Bits exposed;    // symbols whose address is taken, in code or in data, or that others can name
} CallGraph;

// Linear in the size of the program.
CallGraph call_graph_of(Arena *arena, const Program *program);

// The symbols that code has to be made for: those that others can name, that are marked as used or run
// at start or end, and what these mention. `program` is as it is now: a static function all of whose calls were
// inlined is not among them.
Bits live_symbols(Arena *arena, const Program *program);
