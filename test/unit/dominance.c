// Dominance on every graph of up to five nodes and on random functions, renumbered at random, too:
// what it says is what the definition says.
#include "graph/dominance.h"
#include "test/gen/effort.h"
#include "test/gen/graphs.h"
#include "test/gen/random_func.h"
#include "test/gen/twins.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

// The nodes that can be reached from the entry without going through one node; with NO_NODE, all
// that can be reached.
static bool *reached_without(Arena *arena, const Func *func, Node avoided) {
    bool *reached = ARENA_ARRAY(arena, bool, func->nodes.count);
    uint32_t *stack = ARENA_ARRAY(arena, uint32_t, func->nodes.count), depth = 0;
    if (avoided.i == 0) return reached;
    reached[0] = true;
    stack[depth++] = 0;
    while (depth > 0) {
        const Instr *instr = &func->nodes.at[stack[--depth]];
        for (uint32_t k = 0; k < instr->succ_count; k++) {
            uint32_t succ = instr_succs(func, instr)[k].i;
            if (reached[succ] || succ == avoided.i) continue;
            reached[succ] = true;
            stack[depth++] = succ;
        }
    }
    return reached;
}

static void is_right(Arena *arena, const Func *func) {
    uint32_t count = func->nodes.count, reachable = 0;
    Preds preds = preds_of(arena, func);
    Dominance dom = dominance_of(arena, func, &preds);
    const bool *reached = reached_without(arena, func, NO_NODE);
    for (uint32_t n = 0; n < count; n++) {
        reachable += reached[n];
        assert_int_equal(dominance_reaches(&dom, (Node){n}), reached[n]);
        if (!reached[n]) continue;
        assert_int_equal(dom.order[dom.number[n]], n);
        const bool *others = reached_without(arena, func, (Node){n});
        Node idom = dom.idom[n];
        assert_true((idom.i == NO_ID) == (n == 0));
        assert_true(n == 0 || dom.number[idom.i] < dom.number[n]);
        for (uint32_t m = 0; m < count; m++) {
            if (!reached[m]) continue;
            assert_int_equal(dominates(&dom, (Node){n}, (Node){m}), !others[m]);
            bool above = n != 0 && m != n && dominates(&dom, (Node){m}, (Node){n});
            if (above) assert_true(dominates(&dom, (Node){m}, idom));
        }
    }
    assert_int_equal(dom.count, reachable);
}

typedef struct {
    uint32_t nodes;
    uint64_t graphs, every;
    Arena *arena;
    Program *program;
} Small;

static void visit_small(void *context, const uint8_t (*succs)[2], const uint8_t *counts) {
    Small *small = context;
    if (++small->graphs % small->every) return;
    is_right(small->arena, func_of_graph(small->arena, small->program, small->nodes, succs, counts,
                                         small->graphs));
    arena_reset(small->arena);
}

static void test_small_graphs(void **state) {
    (void)state;
    Arena *lasting = arena_new("program");
    for (uint32_t nodes = 1; nodes <= 5; nodes++) {
        Small small = {.nodes = nodes,
                       .every = nodes < 5 ? 1 : effort(1009, 31, 1),
                       .arena = arena_new("graph"),
                       .program = program_new(lasting)};
        each_small_graph(nodes, nodes < 5, visit_small, &small);
        arena_free(small.arena);
    }
    arena_free(lasting);
}

static void test_random(void **state) {
    (void)state;
    Arena *arena = arena_new("function");
    for (uint64_t seed = 1; seed <= effort(50, 500, 5000); seed++) {
        Program *program = program_new(arena);
        const Func *func = random_func(arena, program, random_options(200, seed), seed);
        const Func *ssa = ssa_of(arena, func);
        is_right(arena, func);
        is_right(arena, ssa);
        is_right(arena, shuffle_nodes(arena, ssa, seed));
        arena_reset(arena);
    }
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_graphs),
        cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
