// The algorithm of Lengauer and Tarjan (1979) in its simple form: semidominators by path
// compression over a forest that grows in reverse preorder, O(m log n) on every graph. (Semi-NCA is
// a little shorter, but its last step can be quadratic; iterative data flow is quadratic on
// ladders.) Inside, nodes go by their preorder number, so that comparing and indexing need no
// translation.
#include "analysis/dominators.h"

typedef struct {
    uint32_t *semi;     // semidominator so far
    uint32_t *label;    // node with the least semi on the compressed path to the root of its tree
    uint32_t *ancestor; // parent in the forest, compressed; NO_ID for its roots
    uint32_t *path;     // scratch of `compress`
} Forest;

// Makes the ancestor of `node`, which is not a root, the root of its tree.
static void compress(Forest *forest, uint32_t node) {
    uint32_t length = 0;
    for (; forest->ancestor[forest->ancestor[node]] != NO_ID; node = forest->ancestor[node])
        forest->path[length++] = node;
    while (length > 0) {
        node = forest->path[--length];
        uint32_t above = forest->ancestor[node];
        if (forest->semi[forest->label[above]] < forest->semi[forest->label[node]])
            forest->label[node] = forest->label[above];
        forest->ancestor[node] = forest->ancestor[above];
    }
}

// The node with the least semidominator on the path from `node` up to, and without, its root.
static uint32_t evaluate(Forest *forest, uint32_t node) {
    if (forest->ancestor[node] != NO_ID) compress(forest, node);
    return forest->label[node];
}

// The immediate dominators in preorder numbers.
static uint32_t *immediate_dominators(Arena *arena, const Graph *graph) {
    uint32_t count = graph->reached;
    Forest forest = {
        .semi = ARENA_ARRAY(arena, uint32_t, count),
        .label = ARENA_ARRAY(arena, uint32_t, count),
        .ancestor = graph_table(arena, count),
        .path = ARENA_ARRAY(arena, uint32_t, count),
    };
    uint32_t *idom = graph_table(arena, count);
    uint32_t *bucket = graph_table(arena, count); // a list of nodes whose semidominator is this
    uint32_t *next = graph_table(arena, count);
    for (uint32_t w = 0; w < count; w++) forest.semi[w] = forest.label[w] = w;
    for (uint32_t w = count; w-- > 1;) {
        uint32_t node = graph->preorder[w], parent = graph->pre[graph->parent[node]];
        for (uint32_t e = graph->pred_at[node]; e < graph->pred_at[node + 1]; e++) {
            uint32_t pred = graph->pre[graph->pred[e]];
            if (pred == NO_ID) continue;
            uint32_t semi = forest.semi[evaluate(&forest, pred)];
            if (semi < forest.semi[w]) forest.semi[w] = semi;
        }
        next[w] = bucket[forest.semi[w]];
        bucket[forest.semi[w]] = w;
        forest.ancestor[w] = parent;
        for (uint32_t v = bucket[parent]; v != NO_ID; v = next[v]) {
            uint32_t u = evaluate(&forest, v);
            idom[v] = forest.semi[u] < forest.semi[v] ? u : parent;
        }
        bucket[parent] = NO_ID;
    }
    for (uint32_t w = 1; w < count; w++)
        if (idom[w] != forest.semi[w]) idom[w] = idom[idom[w]];
    return idom;
}

static void fill_children(Arena *arena, const Graph *graph, DomTree *tree) {
    uint32_t count = graph->count;
    // As in the rows of a graph, at[n + 1] runs from the start of n's row to its end.
    uint32_t *at = ARENA_ARRAY(arena, uint32_t, (size_t)count + 2);
    for (uint32_t i = 1; i < graph->reached; i++) at[tree->idom[graph->order[i]] + 2]++;
    for (uint32_t n = 0; n < count; n++) at[n + 2] += at[n + 1];
    tree->child = ARENA_ARRAY(arena, uint32_t, at[count + 1]);
    for (uint32_t i = 1; i < graph->reached; i++) {
        uint32_t node = graph->order[i];
        tree->child[at[tree->idom[node] + 1]++] = node;
    }
    tree->child_at = at;
}

DomTree dom_tree(Arena *arena, const Graph *graph) {
    DomTree tree = {
        .idom = graph_table(arena, graph->count),
        .depth = graph_table(arena, graph->count),
    };
    const uint32_t *idom = immediate_dominators(arena, graph);
    for (uint32_t i = 0; i < graph->reached; i++) {
        uint32_t node = graph->order[i];
        if (i > 0) tree.idom[node] = graph->preorder[idom[graph->pre[node]]];
        tree.depth[node] = i > 0 ? tree.depth[tree.idom[node]] + 1 : 0;
    }
    fill_children(arena, graph, &tree);
    tree.intervals = intervals_new(arena, graph, tree.idom);
    return tree;
}

uint32_t dom_common(const DomTree *tree, uint32_t a, uint32_t b) {
    while (!dom_dominates(tree, a, b)) a = tree->idom[a];
    return a;
}
