// A function graph as plain arrays, for analyses: successors and predecessors in compressed rows
// and one depth-first search. Works on any digraph, so that tests can feed it graphs without
// instructions. Nodes are numbers here; what they stand for (nodes of a function, blocks) is the
// caller's business.
#pragma once

#include "form/program.h"

typedef VEC(uint32_t) NodeList;

// The row of n is x[x_at[n] .. x_at[n + 1] - 1]; an edge that occurs twice stands in it twice.
// Tables indexed by node hold NO_ID for the unreachable ones.
typedef struct {
    uint32_t count; // nodes are 0 .. count - 1
    uint32_t entry; // 0, except in a reverse graph
    const uint32_t *succ_at;
    const uint32_t *succ;
    const uint32_t *pred_at;
    const uint32_t *pred;
    uint32_t reached;   // how many nodes are reachable
    uint32_t *order;    // these in reverse postorder; order[0] is the entry
    uint32_t *number;   // node -> position in `order`
    uint32_t *preorder; // the reachable nodes in the order in which the search entered them
    uint32_t *pre;      // node -> position in `preorder`
    uint32_t *parent;   // node -> the node from which it was entered; NO_ID for the entry
} Graph;

// The search visits successors last to first, so that in reverse postorder the first comes first.
Graph graph_of(Arena *arena, const Func *func);

// From explicit rows, which are not copied and must live as long as the graph; succ_at has
// count + 1 entries, and the entry is node 0.
Graph graph_from(Arena *arena, uint32_t count, const uint32_t *succ_at, const uint32_t *succ);

// The reverse graph, for postdominators. Its entry is a virtual exit with the number `count`, which
// leads to one node of each terminal component (a strongly connected component that no edge
// leaves). These are each node without successors, and in each endless region the node where the
// search enters it, that is, the first of its nodes in reverse postorder. So the exit reaches every
// node, and an endless loop that nothing leaves is left, as it were, at its header. Nodes that are
// unreachable in the original take part; they change nothing for the others.
Graph graph_reverse(Arena *arena, const Graph *graph);

static inline bool graph_reaches(const Graph *graph, uint32_t node) {
    return graph->number[node] != NO_ID;
}

// A table of `count` entries that are all NO_ID.
uint32_t *graph_table(Arena *arena, uint32_t count);
