// All analyses on functions of a million nodes, of the shapes that break what is quadratic or
// recursive. What is known of each shape is asserted; that the test ends is the rest of the point.
#include "analysis_graphs.h"

#include "analysis/liveness.h"
#include "analysis/loops.h"

enum { NODES = 1000000, REGS = 16 };

static uint32_t deepest_loop(const LoopForest *forest) {
    uint32_t deepest = 0;
    for (uint32_t l = 0; l < forest->count; l++)
        if (forest->loops[l].depth > deepest) deepest = forest->loops[l].depth;
    return deepest;
}

static void check_loops(const Graph *graph, const LoopForest *forest) {
    for (uint32_t l = 0; l < forest->count; l++) {
        const Loop *loop = &forest->loops[l];
        assert_true(loop->latch_count > 0);
        if (loop->parent != NO_ID) assert_true(loop_contains(forest, loop->parent, loop->header));
        for (uint32_t i = 0; i < loop->latch_count; i++) {
            uint32_t latch = forest->latch[loop->latch_at + i];
            assert_true(graph->number[loop->header] <= graph->number[latch]);
        }
    }
}

static void check_liveness(Arena *arena, const Graph *graph, const Blocks *blocks) {
    Func func = func_from(arena, graph, REGS);
    for (uint32_t n = 0; n < NODES; n++) {
        func_set_args(&func, (Node){n}, (Reg[]){{n * 7 % REGS}}, 1);
        if (n % 3) func.nodes.at[n].dest.i = n * 5 % REGS;
    }
    Liveness liveness = liveness_of(arena, &func, graph, blocks);
    for (uint32_t n = 0; n < NODES; n++) {
        if (!graph_reaches(graph, n)) continue;
        assert_true(live_in(&liveness, (Node){n}, (Reg){n * 7 % REGS}));
        for (uint32_t e = graph->succ_at[n]; e < graph->succ_at[n + 1]; e++)
            assert_true(live_out(&liveness, (Node){n}, (Reg){graph->succ[e] * 7 % REGS}));
    }
}

static void check_shape(Shape shape) {
    Arena *arena = arena_new("test");
    Graph graph = shape_graph(arena, shape, NODES, 3);
    LoopForest forest = loops_of(arena, &graph);
    check_loops(&graph, &forest);
    Blocks blocks = blocks_of(arena, &graph);
    if (shape == SHAPE_LINE) assert_int_equal(blocks.count, 1);
    if (shape == SHAPE_NEST) {
        assert_int_equal(forest.count, 1000);
        assert_int_equal(deepest_loop(&forest), 1000);
        assert_int_equal(loop_size(&forest, 0), NODES - 1);
    }
    if (shape == SHAPE_LINE || shape == SHAPE_SWITCH || shape == SHAPE_ELSE_IF)
        assert_int_equal(forest.count, 0);
    check_liveness(arena, &graph, &blocks);
    arena_free(arena);
}

static void line(void **state) {
    (void)state;
    check_shape(SHAPE_LINE);
}
static void nested_loops(void **state) {
    (void)state;
    check_shape(SHAPE_NEST);
}
static void switches(void **state) {
    (void)state;
    check_shape(SHAPE_SWITCH);
}
static void else_ifs(void **state) {
    (void)state;
    check_shape(SHAPE_ELSE_IF);
}
static void gotos(void **state) {
    (void)state;
    check_shape(SHAPE_GOTOS);
}
static void ladder(void **state) {
    (void)state;
    check_shape(SHAPE_LADDER);
}

// Half a million loops inside each other, all of whose nodes the entry can jump to.
static void irreducible_nest(void **state) {
    (void)state;
    enum { DEPTH = NODES / 2 - 1, LAST = 2 * DEPTH };
    Arena *arena = arena_new("test");
    Rows rows = rows_new(arena);
    for (uint32_t n = LAST; n > 0; n--) rows_edge(&rows, n);
    rows_end(&rows);
    for (uint32_t n = 1; n <= LAST; n++, rows_end(&rows)) {
        if (n < LAST) rows_edge(&rows, n + 1);
        if (n > DEPTH) rows_edge(&rows, LAST + 1 - n);
    }
    Graph graph = rows_graph(&rows);
    LoopForest forest = loops_of(arena, &graph);
    NodeList out = {0};
    assert_int_equal(forest.count, DEPTH);
    for (uint32_t l = 0; l < DEPTH; l++) {
        assert_int_equal(forest.loops[l].header, l + 1);
        assert_int_equal(forest.loops[l].depth, l + 1);
        assert_int_equal(loop_size(&forest, l), LAST - 2 * l);
        assert_true(forest.loops[l].irreducible);
    }
    loop_entries(&forest, 0, arena, &out);
    assert_int_equal(out.count, LAST - 1);
    loop_entries(&forest, DEPTH - 1, arena, &out);
    assert_int_equal(out.count, 1);
    check_loops(&graph, &forest);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(line),
        cmocka_unit_test(nested_loops),
        cmocka_unit_test(switches),
        cmocka_unit_test(else_ifs),
        cmocka_unit_test(gotos),
        cmocka_unit_test(ladder),
        cmocka_unit_test(irreducible_nest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
