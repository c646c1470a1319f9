// The function graph as plain arrays, for analyses: successors and predecessors in compressed rows and a
// depth-first order. Works on any digraph, so that tests can feed it graphs without instructions.
#pragma once

#include "ir/ir.h"

typedef struct {
    uint32_t count;      // nodes are 0 .. count - 1; 0 is the entry
    uint32_t *succ_at;   // successors of n: succ[succ_at[n] .. succ_at[n + 1] - 1]
    uint32_t *succ;
    uint32_t *pred_at;   // predecessors likewise
    uint32_t *pred;
    uint32_t *order;     // reachable nodes in reverse postorder; order[0] is the entry
    uint32_t reached;    // how many
    uint32_t *number;    // position in `order`; NO_ID for unreachable nodes
} Graph;

// Successors are visited last to first, so that in reverse postorder the first successor comes first.
Graph graph_of(Arena *arena, const Func *func);
// From explicit rows; succ_at has count + 1 entries.
Graph graph_from(Arena *arena, uint32_t count, const uint32_t *succ_at, const uint32_t *succ);
// The reverse graph, with a fresh entry (numbered `count`) that leads to every node without successors,
// and to one node of each region from which none is reachable: for postdominators.
