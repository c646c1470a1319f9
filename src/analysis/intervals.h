// Preorder intervals of a forest over the nodes of a graph: membership in a subtree in constant
// time. Dominator trees and loop forests both have the property that makes this easy: a parent
// comes before its children in reverse postorder.
#pragma once

#include "analysis/graph.h"

typedef struct {
    uint32_t *list; // the reachable nodes in preorder, siblings in reverse postorder of the graph
    uint32_t *pre;  // node -> position in `list`; NO_ID if unreachable
    uint32_t *post; // node -> position after its subtree; 0 if unreachable
} Intervals;

// parent[n] is NO_ID for roots.
Intervals intervals_new(Arena *arena, const Graph *graph, const uint32_t *parent);

// Whether b is a or below a; false if a or b is unreachable.
static inline bool intervals_contain(const Intervals *intervals, uint32_t a, uint32_t b) {
    return intervals->pre[a] <= intervals->pre[b] && intervals->pre[b] < intervals->post[a];
}
