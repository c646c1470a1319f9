// The dominator tree of a graph, and its dominance frontiers on demand.
//
// Slices ask for frontiers in both directions: forward frontiers tell where the definitions of a
// variable meet; backward, on the reverse graph, frontiers tell which branches decide whether a
// node is reached. As a table, frontiers can be quadratic. So each edge is found when it is needed,
// and only then. An edge p -> j of the graph belongs to the frontiers of the nodes from p upward to
// the child of j's dominator. So the frontier of x consists of the edges from below x to nodes
// whose dominator is above x. Ordered by the place of p in the tree these edges are a range, in
// which a tree of minima finds them one by one.
#pragma once

#include "analysis/graph.h"
#include "analysis/intervals.h"
#include "analysis/mintree.h"

typedef struct {
    uint32_t *idom;      // NO_ID for the entry and for unreachable nodes
    uint32_t *depth;     // 0 for the entry
    Intervals intervals; // a dominates b: intervals_contain
} DominatorTree;

// In time O(edges * log(nodes)), by the algorithm of Lengauer and Tarjan.
DominatorTree dominator_tree_of(Arena *arena, const Graph *graph);

typedef struct {
    uint32_t from, to; // of the graph
} FrontierEdge;

typedef struct {
    const DominatorTree *tree;
    FrontierEdge *edges;    // to nodes that several edges lead to, ordered by the place of `from`
    uint32_t *first;        // place in the tree -> the first of its edges; one more at the end
    MinTree above;          // edge -> depth of the dominator of `to`, NO_ID if it was taken
    uint32_t taken;         // the last taken edge, as the head of a list; NO_ID if there is none
    uint32_t *taken_before; // edge -> the one taken before
} Frontiers;

Frontiers frontiers_of(Arena *arena, const Graph *graph, const DominatorTree *tree);
// Takes one edge of the frontier of a node; false if none is left.
bool frontier_take(Frontiers *frontiers, uint32_t node, FrontierEdge *edge);
// Puts all back that were taken.
void frontiers_restore(Frontiers *frontiers);
