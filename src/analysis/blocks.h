// The basic blocks of a graph: maximal runs n1 .. nk in which each node but the last has one
// outgoing edge, to the next node, and each node but the first has one incoming edge (from
// reachable nodes), from the previous node. The entry always starts a block.
#pragma once

#include "analysis/graph.h"

typedef struct {
    uint32_t count;
    uint32_t *start; // block b is order[start[b] .. start[b + 1] - 1] of the graph it was made from
    uint32_t *of;    // node -> its block; NO_ID if unreachable
    const uint32_t *order;
    Graph graph; // the blocks as nodes, for analyses; block numbers are its reverse postorder
} Blocks;

// Linear. The graph must live as long as the result.
Blocks blocks_of(Arena *arena, const Graph *graph);

static inline uint32_t block_first(const Blocks *blocks, uint32_t block) {
    return blocks->order[blocks->start[block]];
}
static inline uint32_t block_last(const Blocks *blocks, uint32_t block) {
    return blocks->order[blocks->start[block + 1] - 1];
}
