// Dominator and postdominator trees against the definition: a dominates b if no path from the entry
// reaches b without a.
#include "analysis_graphs.h"

#include "analysis/dominators.h"

// Everything about a tree, given the relation as a matrix.
static void check_tree(Arena *arena, const Graph *graph, const DomTree *tree,
                       const bool *dominates) {
    uint32_t count = graph->count;
    uint32_t *dominators = ARENA_ARRAY(arena, uint32_t, count); // how many each node has
    for (uint32_t a = 0; a < count; a++) {
        for (uint32_t b = 0; b < count; b++) {
            bool expected = dominates[(size_t)a * count + b];
            EXPECT(graph, dom_dominates(tree, a, b) == expected);
            EXPECT(graph, dom_strictly(tree, a, b) == (expected && a != b));
            dominators[b] += expected;
        }
    }
    uint32_t children = 0;
    for (uint32_t b = 0; b < count; b++) {
        uint32_t idom = tree->idom[b];
        EXPECT(graph, (idom == NO_ID) == (b == graph->entry || dominators[b] == 0));
        EXPECT(graph, tree->depth[b] == dominators[b] - 1); // NO_ID if there are none
        // Dominators form a chain, so the immediate one is that with just one fewer.
        if (idom != NO_ID) {
            EXPECT(graph, dominates[(size_t)idom * count + b]);
            EXPECT(graph, dominators[idom] == dominators[b] - 1);
        }
        for (uint32_t i = tree->child_at[b]; i < tree->child_at[b + 1]; i++, children++) {
            uint32_t child = tree->child[i];
            EXPECT(graph, tree->idom[child] == b);
            if (i > tree->child_at[b])
                EXPECT(graph, graph->number[tree->child[i - 1]] < graph->number[child]);
        }
    }
    EXPECT(graph, children + 1 == graph->reached);
}

static void check_common(const Graph *graph, const DomTree *tree, uint32_t a, uint32_t b) {
    if (!graph_reaches(graph, a) || !graph_reaches(graph, b)) return;
    uint32_t common = dom_common(tree, a, b);
    EXPECT(graph, dom_dominates(tree, common, a) && dom_dominates(tree, common, b));
    for (uint32_t i = tree->child_at[common]; i < tree->child_at[common + 1]; i++)
        EXPECT(graph,
               !dom_dominates(tree, tree->child[i], a) || !dom_dominates(tree, tree->child[i], b));
}

// The relation of a small graph, by masks.
static void small_relation(const Graph *graph, bool *matrix) {
    uint32_t count = graph->count, succs[8] = {0}, all = (1u << count) - 1;
    for (uint32_t n = 0; n < count; n++) succs[n] = mask_of_succs(graph, n);
    uint32_t reach = mask_reach(succs, graph->entry, all);
    for (uint32_t a = 0; a < count; a++) {
        uint32_t without = mask_reach(succs, graph->entry, all & ~(1u << a));
        for (uint32_t b = 0; b < count; b++)
            matrix[a * count + b] = (reach & ~without) >> b & reach >> a & 1;
    }
}

static void check_small(Arena *arena, const Graph *graph, uint64_t seed) {
    (void)seed;
    bool matrix[64];
    DomTree tree = dom_tree(arena, graph);
    small_relation(graph, matrix);
    check_tree(arena, graph, &tree, matrix);
    for (uint32_t a = 0; a < graph->count; a++)
        for (uint32_t b = 0; b < graph->count; b++) check_common(graph, &tree, a, b);
    Graph reverse = graph_reverse(arena, graph);
    DomTree post = dom_tree(arena, &reverse);
    small_relation(&reverse, matrix);
    check_tree(arena, &reverse, &post, matrix);
}

static void check_large(Arena *arena, const Graph *graph, uint64_t seed) {
    DomTree tree = dom_tree(arena, graph);
    check_tree(arena, graph, &tree, naive_dominance(arena, graph));
    for (uint32_t i = 0; i < 200; i++) {
        uint32_t a = random_below(&seed, graph->count), b = random_below(&seed, graph->count);
        check_common(graph, &tree, a, b);
    }
    Graph reverse = graph_reverse(arena, graph);
    DomTree post = dom_tree(arena, &reverse);
    check_tree(arena, &reverse, &post, naive_dominance(arena, &reverse));
}

static void small_graphs(void **state) {
    (void)state;
    each_graph_of_four(check_small);
    each_graph_of_five(check_small);
}

static void shapes(void **state) {
    (void)state;
    each_shape(check_large, 2000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_graphs),
        cmocka_unit_test(shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
