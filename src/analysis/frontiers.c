// A node z is in the frontier of exactly those nodes that lie on the dominator tree's paths from a
// predecessor of z up to, and without, idom(z) (for the entry: up to and with the root). Sreedhar
// and Gao search such edges below each node of the set, which touches the whole subtree: quadratic
// when every one of many variables is set near the top. Here the edges are laid out so that they
// are found without a walk.
//
// For each z take its predecessors in preorder of the tree; from each, the path stops where it
// meets that of the one before. The paths become disjoint vertical pieces, each known by its
// bottom, the depth of its top and its target z, and z is in the frontier of x if and only if x
// lies on one of z's pieces, and then on one only. x lies on a piece if the bottom is in x's
// subtree and the top is not deeper than x. So, with the pieces in preorder of their bottoms, the
// frontier of x is a range of pieces filtered by depth of top: a tree of minima yields them one by
// one. A piece that was followed is hidden for the rest of the query, so no piece is followed
// twice.
#include "analysis/frontiers.h"

Frontiers frontiers_new(Arena *arena, const Graph *graph, const DomTree *dom) {
    const uint32_t *tree_order = dom->intervals.list;
    uint32_t reached = graph->reached;
    uint32_t *depths = ARENA_ARRAY(arena, uint32_t, reached);
    for (uint32_t i = 0; i < reached; i++) depths[i] = dom->depth[tree_order[i]];
    MinTree least_depth = mintree_new(arena, depths, reached);
    uint32_t *piece_at = ARENA_ARRAY(arena, uint32_t, (size_t)reached + 1);
    uint32_t *last = graph_table(arena, graph->count); // preorder number of the predecessor before
    NodeList targets = {0}, tops = {0};
    for (uint32_t i = 0; i < reached; i++) {
        uint32_t node = tree_order[i];
        piece_at[i] = targets.count;
        for (uint32_t e = graph->succ_at[node]; e < graph->succ_at[node + 1]; e++) {
            uint32_t succ = graph->succ[e];
            if (last[succ] == i) continue;
            // The nearest common dominator of nodes a before b has the depth one less than the
            // least of those after a up to b.
            uint32_t top = dom->depth[succ];
            if (last[succ] != NO_ID) top = mintree_least(&least_depth, last[succ] + 1, i + 1);
            last[succ] = i;
            if (top > depths[i]) continue;
            vec_push(arena, &targets, succ);
            vec_push(arena, &tops, top);
        }
    }
    piece_at[reached] = targets.count;
    return (Frontiers){
        .graph = graph,
        .dom = dom,
        .piece_at = piece_at,
        .target = targets.at,
        .top = tops.at,
        .tops = mintree_new(arena, tops.at, tops.count),
        .hidden = ARENA_ARRAY(arena, uint32_t, targets.count),
        .found = sparse_new(arena, graph->count),
    };
}

static void follow(Frontiers *frontiers, uint32_t node) {
    const DomTree *dom = frontiers->dom;
    uint32_t piece = frontiers->piece_at[dom->intervals.pre[node]];
    uint32_t end = frontiers->piece_at[dom->intervals.post[node]];
    uint32_t limit = dom->depth[node] + 1;
    while ((piece = mintree_next_below(&frontiers->tops, piece, end, limit)) != end) {
        sparse_put(&frontiers->found, frontiers->target[piece]);
        frontiers->hidden[frontiers->hidden_count++] = piece;
        mintree_set(&frontiers->tops, piece++, UINT32_MAX);
    }
}

void frontiers_of(Frontiers *frontiers, const uint32_t *set, uint32_t count, Arena *arena,
                  NodeList *out) {
    for (uint32_t i = 0; i < count; i++)
        if (graph_reaches(frontiers->graph, set[i])) follow(frontiers, set[i]);
    for (uint32_t i = 0; i < frontiers->found.count; i++)
        follow(frontiers, frontiers->found.members[i]);
    vec_clear(out);
    for (uint32_t i = 0; i < frontiers->found.count; i++)
        vec_push(arena, out, frontiers->found.members[i]);
    sparse_clear(&frontiers->found);
    while (frontiers->hidden_count > 0) {
        uint32_t piece = frontiers->hidden[--frontiers->hidden_count];
        mintree_set(&frontiers->tops, piece, frontiers->top[piece]);
    }
}
