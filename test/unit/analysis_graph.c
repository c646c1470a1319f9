// The depth-first order, the reverse graph and the basic blocks, against their definitions.
#include "analysis_graphs.h"

#include "analysis/blocks.h"

// ---- Order

typedef struct {
    const Graph *graph;
    NodeList preorder;
    NodeList postorder;
    bool *seen;
    uint32_t *parent;
} Dfs;

static void dfs(Arena *arena, Dfs *d, uint32_t node, uint32_t parent) {
    if (d->seen[node]) return;
    d->seen[node] = true;
    d->parent[node] = parent;
    vec_push(arena, &d->preorder, node);
    for (uint32_t e = d->graph->succ_at[node + 1]; e-- > d->graph->succ_at[node];)
        dfs(arena, d, d->graph->succ[e], node);
    vec_push(arena, &d->postorder, node);
}

static void check_order(Arena *arena, const Graph *graph, uint64_t seed) {
    (void)seed;
    Dfs d = {.graph = graph,
             .seen = ARENA_ARRAY(arena, bool, graph->count),
             .parent = graph_table(arena, graph->count)};
    dfs(arena, &d, graph->entry, NO_ID);
    EXPECT(graph, graph->reached == d.postorder.count);
    for (uint32_t i = 0; i < graph->reached; i++) {
        EXPECT(graph, graph->order[i] == d.postorder.at[graph->reached - 1 - i]);
        EXPECT(graph, graph->preorder[i] == d.preorder.at[i]);
        EXPECT(graph, graph->number[graph->order[i]] == i);
        EXPECT(graph, graph->pre[graph->preorder[i]] == i);
    }
    for (uint32_t n = 0; n < graph->count; n++) {
        EXPECT(graph, graph->parent[n] == d.parent[n]);
        EXPECT(graph, graph_reaches(graph, n) == d.seen[n]);
        EXPECT(graph, d.seen[n] || (graph->number[n] == NO_ID && graph->pre[n] == NO_ID));
    }
}

static uint32_t count_edges(const uint32_t *at, const uint32_t *to, uint32_t a, uint32_t b) {
    uint32_t edges = 0;
    for (uint32_t e = at[a]; e < at[a + 1]; e++) edges += to[e] == b;
    return edges;
}

static void check_preds(Arena *arena, const Graph *graph, uint64_t seed) {
    (void)arena, (void)seed;
    EXPECT(graph, graph->pred_at[graph->count] == graph->succ_at[graph->count]);
    for (uint32_t a = 0; a < graph->count; a++)
        for (uint32_t b = 0; b < graph->count; b++)
            EXPECT(graph, count_edges(graph->succ_at, graph->succ, a, b) ==
                              count_edges(graph->pred_at, graph->pred, b, a));
}

// ---- The reverse graph

static void check_reverse(Arena *arena, const Graph *graph, uint64_t seed) {
    (void)seed;
    Graph reverse = graph_reverse(arena, graph);
    uint32_t count = graph->count;
    EXPECT(graph, reverse.count == count + 1 && reverse.entry == count);
    EXPECT(graph, reverse.reached == count + 1);
    check_order(arena, &reverse, 0);
    check_preds(arena, &reverse, 0);
    uint32_t succs[8] = {0}, reach[8] = {0}, everything = (1u << count) - 1;
    for (uint32_t n = 0; n < count; n++) succs[n] = mask_of_succs(graph, n);
    for (uint32_t n = 0; n < count; n++) reach[n] = mask_reach(succs, n, everything);
    for (uint32_t n = 0; n < count; n++) {
        for (uint32_t m = 0; m < count; m++)
            EXPECT(graph, count_edges(graph->succ_at, graph->succ, n, m) ==
                              count_edges(reverse.succ_at, reverse.succ, m, n));
        // n is in a terminal component if all it reaches reach it.
        bool terminal = true;
        for (uint32_t m = 0; m < count; m++)
            if (reach[n] >> m & 1 && !(reach[m] >> n & 1)) terminal = false;
        uint32_t exits = 0, exit = 0;
        for (uint32_t m = 0; m < count; m++)
            if (reach[n] >> m & 1 && count_edges(reverse.succ_at, reverse.succ, count, m))
                exits++, exit = m;
        if (!terminal) {
            EXPECT(graph, exits > 0);
            EXPECT(graph, count_edges(reverse.succ_at, reverse.succ, count, n) == 0);
        } else {
            EXPECT(graph, exits == 1);
            EXPECT(graph, count_edges(reverse.succ_at, reverse.succ, count, exit) == 1);
            EXPECT(graph, graph->number[exit] <= graph->number[n]);
        }
    }
}

// ---- Blocks

static uint32_t incoming(const Graph *graph, uint32_t node) {
    uint32_t edges = 0;
    for (uint32_t e = graph->pred_at[node]; e < graph->pred_at[node + 1]; e++)
        edges += graph_reaches(graph, graph->pred[e]);
    return edges;
}

// Whether two nodes must stand next to each other in one block.
static bool joined(const Graph *graph, uint32_t a, uint32_t b) {
    return graph->succ_at[a + 1] - graph->succ_at[a] == 1 && graph->succ[graph->succ_at[a]] == b &&
           b != graph->entry && incoming(graph, b) == 1;
}

static void check_blocks(Arena *arena, const Graph *graph, uint64_t seed) {
    (void)seed;
    Blocks blocks = blocks_of(arena, graph);
    uint32_t listed = 0;
    EXPECT(graph, blocks.graph.count == blocks.count && block_first(&blocks, 0) == graph->entry);
    for (uint32_t b = 0; b < blocks.count; b++) {
        EXPECT(graph, blocks.start[b] < blocks.start[b + 1]);
        EXPECT(graph, blocks.graph.order[b] == b);
        for (uint32_t i = blocks.start[b]; i < blocks.start[b + 1]; i++, listed++) {
            EXPECT(graph, blocks.of[graph->order[i]] == b);
            if (i + 1 < blocks.start[b + 1])
                EXPECT(graph, joined(graph, graph->order[i], graph->order[i + 1]));
        }
        uint32_t last = block_last(&blocks, b), degree = graph->succ_at[last + 1];
        degree -= graph->succ_at[last];
        EXPECT(graph, blocks.graph.succ_at[b + 1] - blocks.graph.succ_at[b] == degree);
        for (uint32_t k = 0; k < degree; k++) {
            uint32_t succ = graph->succ[graph->succ_at[last] + k];
            EXPECT(graph, !joined(graph, last, succ));
            EXPECT(graph, block_first(&blocks, blocks.of[succ]) == succ);
            EXPECT(graph, blocks.graph.succ[blocks.graph.succ_at[b] + k] == blocks.of[succ]);
        }
    }
    EXPECT(graph, listed == graph->reached);
    for (uint32_t n = 0; n < graph->count; n++)
        EXPECT(graph, (blocks.of[n] == NO_ID) == !graph_reaches(graph, n));
}

static void check_all(Arena *arena, const Graph *graph, uint64_t seed) {
    check_order(arena, graph, seed);
    check_preds(arena, graph, seed);
    check_reverse(arena, graph, seed);
    check_blocks(arena, graph, seed);
}

static void check_large(Arena *arena, const Graph *graph, uint64_t seed) {
    check_order(arena, graph, seed);
    check_blocks(arena, graph, seed);
    Graph reverse = graph_reverse(arena, graph);
    EXPECT(graph, reverse.reached == graph->count + 1);
    check_order(arena, &reverse, seed);
}

static void small_graphs(void **state) {
    (void)state;
    each_graph_of_four(check_all);
    each_graph_of_five(check_all);
}

static void shapes(void **state) {
    (void)state;
    each_shape(check_large, 2000);
}

// graph_of reads instructions, the pooled successors of a switch included.
static void from_function(void **state) {
    (void)state;
    Arena *arena = arena_new("test");
    Func func = {.arena = arena};
    Node node = func_add(&func, (Instr){.kind = I_SWITCH, .dest = NO_REG});
    func_set_succs(&func, node, (Node[]){{1}, {3}, {1}, {2}}, 4);
    func_nop(&func, (Node){3});
    node = func_add(&func, (Instr){.kind = I_COND, .dest = NO_REG});
    func_set_succs(&func, node, (Node[]){{0}, {3}}, 2);
    func_add(&func, (Instr){.kind = I_RETURN, .dest = NO_REG});
    Graph graph = graph_of(arena, &func);
    static const uint32_t succ[] = {1, 3, 1, 2, 3, 0, 3}, order[] = {0, 1, 2, 3};
    assert_int_equal(graph.count, 4);
    assert_int_equal(graph.succ_at[4], 7);
    assert_memory_equal(graph.succ, succ, sizeof succ);
    assert_int_equal(graph.reached, 4);
    assert_memory_equal(graph.order, order, sizeof order);
    check_preds(arena, &graph, 0);
    arena_free(arena);
}

static void empty_graph(void **state) {
    (void)state;
    Arena *arena = arena_new("test");
    Func func = {.arena = arena};
    Graph graph = graph_of(arena, &func);
    assert_int_equal(graph.reached, 0);
    assert_int_equal(blocks_of(arena, &graph).count, 0);
    assert_int_equal(graph_reverse(arena, &graph).reached, 1);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_graphs),
        cmocka_unit_test(shapes),
        cmocka_unit_test(from_function),
        cmocka_unit_test(empty_graph),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
