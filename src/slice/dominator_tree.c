#include "slice/dominator_tree.h"

// By number in the order in which the search entered nodes, but for `list`.
typedef struct {
    const Graph *graph;
    uint32_t *semi, *label, *ancestor, *path;
    uint32_t *idom;
    uint32_t *bucket, *next; // nodes with this semidominator
} Search;

// The node with the least semidominator on the path from `at` up to, and without, its root.
static uint32_t evaluate(Search *search, uint32_t at) {
    uint32_t *ancestor = search->ancestor;
    if (ancestor[at] == NO_ID) return search->label[at];
    uint32_t length = 0, node = at;
    for (; ancestor[ancestor[node]] != NO_ID; node = ancestor[node]) search->path[length++] = node;
    while (length > 0) {
        node = search->path[--length];
        uint32_t above = ancestor[node];
        if (search->semi[search->label[above]] < search->semi[search->label[node]])
            search->label[node] = search->label[above];
        ancestor[node] = ancestor[above];
    }
    return search->label[at];
}

static uint32_t semidominator(Search *search, uint32_t at) {
    const Graph *graph = search->graph;
    uint32_t node = graph->preorder[at], semi = at;
    for (uint32_t k = graph->pred_at[node]; k < graph->pred_at[node + 1]; k++) {
        uint32_t pred = graph->pre[graph->pred[k]];
        if (pred == NO_ID) continue;
        uint32_t other = search->semi[evaluate(search, pred)];
        if (other < semi) semi = other;
    }
    return semi;
}

static void find_dominators(Search *search) {
    const Graph *graph = search->graph;
    uint32_t count = graph->reached;
    for (uint32_t at = 0; at < count; at++) search->semi[at] = search->label[at] = at;
    for (uint32_t at = count; at-- > 1;) {
        uint32_t parent = graph->pre[graph->parent[graph->preorder[at]]];
        uint32_t semi = search->semi[at] = semidominator(search, at);
        search->next[at] = search->bucket[semi];
        search->bucket[semi] = at;
        search->ancestor[at] = parent;
        for (uint32_t v = search->bucket[parent]; v != NO_ID; v = search->next[v]) {
            uint32_t u = evaluate(search, v);
            search->idom[v] = search->semi[u] < search->semi[v] ? u : parent;
        }
        search->bucket[parent] = NO_ID;
    }
    for (uint32_t at = 1; at < count; at++)
        if (search->idom[at] != search->semi[at]) search->idom[at] = search->idom[search->idom[at]];
}

DominatorTree dominator_tree_of(Arena *arena, const Graph *graph) {
    uint32_t count = graph->reached;
    Arena *scratch = arena_new("dominators of a slice");
    Search search = {.graph = graph,
                     .semi = ARENA_ARRAY(scratch, uint32_t, count),
                     .label = ARENA_ARRAY(scratch, uint32_t, count),
                     .path = ARENA_ARRAY(scratch, uint32_t, count),
                     .ancestor = graph_table(scratch, count),
                     .idom = graph_table(scratch, count),
                     .bucket = graph_table(scratch, count),
                     .next = graph_table(scratch, count)};
    find_dominators(&search);
    DominatorTree tree = {.idom = graph_table(arena, graph->count),
                          .depth = ARENA_ARRAY(arena, uint32_t, graph->count)};
    for (uint32_t at = 1; at < count; at++) {
        uint32_t node = graph->preorder[at], above = graph->preorder[search.idom[at]];
        tree.idom[node] = above;
        tree.depth[node] = tree.depth[above] + 1; // a dominator is entered first
    }
    tree.intervals = intervals_new(arena, graph, tree.idom);
    arena_free(scratch);
    return tree;
}

// ---- Frontiers

static bool is_join(const Graph *graph, uint32_t node) {
    // the entry, if an edge leads to it, is in frontiers like a join
    return graph->pred_at[node + 1] - graph->pred_at[node] > (node != graph->entry);
}

Frontiers frontiers_of(Arena *arena, const Graph *graph, const DominatorTree *tree) {
    Frontiers frontiers = {.tree = tree, .taken = NO_ID};
    uint32_t *first = frontiers.first = ARENA_ARRAY(arena, uint32_t, (size_t)graph->reached + 1);
    VEC(FrontierEdge) edges = {0};
    VEC(uint32_t) above = {0};
    for (uint32_t place = 0; place < graph->reached; place++) {
        uint32_t node = tree->intervals.list[place];
        first[place] = edges.count;
        for (uint32_t e = graph->succ_at[node]; e < graph->succ_at[node + 1]; e++) {
            uint32_t to = graph->succ[e], idom = tree->idom[to];
            if (!is_join(graph, to)) continue;
            vec_push(arena, &edges, (FrontierEdge){.from = node, .to = to});
            // nothing is above the entry, whose frontier may hold the entry
            vec_push(arena, &above, idom == NO_ID ? 0 : tree->depth[idom] + 1);
        }
    }
    first[graph->reached] = edges.count;
    frontiers.edges = edges.at;
    frontiers.above = mintree_new(arena, above.at, above.count);
    frontiers.taken_before = graph_table(arena, edges.count);
    return frontiers;
}

bool frontier_take(Frontiers *frontiers, uint32_t node, FrontierEdge *edge) {
    const DominatorTree *tree = frontiers->tree;
    uint32_t from = tree->intervals.pre[node];
    if (from == NO_ID) return false;
    uint32_t first = frontiers->first[from], end = frontiers->first[tree->intervals.post[node]];
    uint32_t limit = tree->depth[node] + 1;
    uint32_t found = mintree_next_below(&frontiers->above, first, end, limit);
    if (found >= end) return false;
    *edge = frontiers->edges[found];
    mintree_set(&frontiers->above, found, NO_ID);
    frontiers->taken_before[found] = frontiers->taken;
    frontiers->taken = found;
    return true;
}

void frontiers_restore(Frontiers *frontiers) {
    const DominatorTree *tree = frontiers->tree;
    while (frontiers->taken != NO_ID) {
        uint32_t edge = frontiers->taken, idom = tree->idom[frontiers->edges[edge].to];
        mintree_set(&frontiers->above, edge, idom == NO_ID ? 0 : tree->depth[idom] + 1);
        frontiers->taken = frontiers->taken_before[edge];
    }
}
