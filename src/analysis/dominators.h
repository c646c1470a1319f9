// Dominator trees. The postdominator tree of a graph is the dominator tree of its graph_reverse.
#pragma once

#include "analysis/intervals.h"

typedef struct {
    uint32_t *idom;      // immediate dominator; NO_ID for the root and for unreachable nodes
    uint32_t *depth;     // 0 for the root; NO_ID if unreachable
    uint32_t *child_at;  // children of n, in reverse postorder of the graph:
    uint32_t *child;     //   child[child_at[n] .. child_at[n + 1] - 1]
    Intervals intervals; // of the tree
} DomTree;

DomTree dom_tree(Arena *arena, const Graph *graph);

// Whether every path from the entry to b goes through a; reflexive. Constant time. An unreachable
// node dominates nothing and is dominated by nothing, not even itself.
static inline bool dom_dominates(const DomTree *tree, uint32_t a, uint32_t b) {
    return intervals_contain(&tree->intervals, a, b);
}
static inline bool dom_strictly(const DomTree *tree, uint32_t a, uint32_t b) {
    return a != b && dom_dominates(tree, a, b);
}

// The deepest node that dominates both a and b, which must be reachable. Takes as many steps as a
// lies below it.
uint32_t dom_common(const DomTree *tree, uint32_t a, uint32_t b);
