// The excursion into the Sea of Nodes on functions made of what the rules look for, on small
// graphs, and on random functions with their variables in memory: the checker accepts, the
// behaviour stays, every row of rules.def is used, and loads disappear.
#include "check/checkers.h"
#include "fact/rules.h"
#include "pass/pass.h"
#include "test/gen/algebra.h"
#include "test/gen/compare.h"
#include "test/gen/effort.h"
#include "test/gen/graphs.h"
#include "test/gen/in_memory.h"
#include "test/gen/random_func.h"
#include "test/gen/twins.h"
#include "text/text.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static void fail_with(const Func *before, const Func *after, const char *what) {
    Out text = {0};
    func_print(&text, before, &(PrintOptions){0});
    func_print(&text, after, &(PrintOptions){0});
    out_char(&text, '\0');
    fail_msg("%s\n%s", what, text.text);
}

static const Func *optimized(Arena *arena, const Func *before, ValuesHint *hint) {
    const Func *after = son_schedule(arena, son_optimize(arena, son_build(arena, before)), hint);
    Complaints complaints = {.arena = arena};
    if (!verify_func(&complaints, after)) fail_with(before, after, complaints.list.at[0].message);
    Verdict verdict = check_values(arena, before, after, hint);
    if (!verdict.accepted)
        fail_with(before, after,
                  arena_printf(arena, "node %u: %s", verdict.site.i, verdict.reason));
    return after;
}

static uint32_t count_loads(const Func *func) {
    uint32_t count = 0;
    for (uint32_t n = 0; n < func->nodes.count; n++) count += func->nodes.at[n].kind == I_LOAD;
    return count;
}

// How many loads have gone. `uses` counts the rows of rules.def.
static uint32_t try_func(Arena *arena, const Func *func, uint64_t seed, uint64_t runs,
                         uint64_t fuel, uint64_t *uses) {
    ValuesHint hint = {0};
    const Func *ssa = ssa_of(arena, func), *after = optimized(arena, ssa, &hint);
    for (uint64_t run = 0; run < runs; run++) {
        const char *difference = behaviour_difference(arena, ssa, after, seed * runs + run, fuel);
        if (difference) fail_with(ssa, after, difference);
    }
    for (uint32_t i = 0; i < hint.steps.count; i++)
        if (hint.steps.at[i].rule < RULE_COUNT) uses[hint.steps.at[i].rule]++;
    for (uint32_t i = 0; i < hint.local.count; i++)
        if (hint.local.at[i].step.rule < RULE_COUNT) uses[hint.local.at[i].step.rule]++;
    uint32_t then = count_loads(ssa), now = count_loads(after);
    return now < then ? then - now : 0;
}

// ---- Functions made of left-hand sides

static void test_algebra(void **state) {
    (void)state;
    Arena *arena = arena_new("function");
    uint64_t uses[RULE_COUNT] = {0}, total = 0;
    for (uint64_t seed = 1; seed <= effort(50, 1000, 30000); seed++) {
        try_func(arena, algebra_func(arena, program_new(arena), 40, seed), seed, 4, 5000, uses);
        arena_reset(arena);
    }
    uint32_t unused = 0;
    for (Rule rule = 0; rule < RULE_COUNT; rule++) {
        total += uses[rule];
        if (uses[rule]) continue;
        unused++;
        if (effort(0, 1, 1)) print_message("never used: %s\n", rule_name(rule));
    }
    print_message("%llu instances of rules\n", (unsigned long long)total);
    if (effort(0, 1, 1)) assert_int_equal(unused, 0);
    arena_free(arena);
}

// ---- Small graphs

typedef struct {
    uint32_t nodes;
    uint64_t graphs, gone;
    Arena *arena;
    Program *program;
    uint64_t every, run_every; // look at one graph in so many, and run one in so many
    uint64_t uses[RULE_COUNT];
} Small;

static void visit_small(void *context, const uint8_t (*succs)[2], const uint8_t *counts) {
    Small *small = context;
    if (++small->graphs % small->every) return;
    const Func *func =
        func_of_graph(small->arena, small->program, small->nodes, succs, counts, small->graphs);
    func = func_in_memory(small->arena, func, small->graphs);
    small->gone += try_func(small->arena, func, small->graphs,
                            small->graphs % small->run_every == 0, 400, small->uses);
    arena_reset(small->arena);
}

static void all_graphs(uint32_t nodes, bool with_returns, uint64_t every, uint64_t run_every) {
    Arena *lasting = arena_new("program");
    Small small = {
        .nodes = nodes, .every = every, .run_every = run_every, .arena = arena_new("graph")};
    small.program = program_new(lasting);
    each_small_graph(nodes, with_returns, visit_small, &small);
    assert_true(nodes < 2 || small.gone > small.graphs / every / 2);
    arena_free(small.arena);
    arena_free(lasting);
}

static void test_small_graphs(void **state) {
    (void)state;
    for (uint32_t nodes = 1; nodes <= 4; nodes++)
        for (int with_returns = 0; with_returns < 2; with_returns++)
            all_graphs(nodes, with_returns, nodes < 4 ? 1 : effort(64, 8, 1), effort(64, 32, 1));
}

static void test_graphs_of_five(void **state) {
    (void)state;
    all_graphs(5, false, effort(4096, 256, 1), effort(4096, 4096, 8));
    all_graphs(5, true, effort(65536, 4096, 1), effort(65536, 65536, 8));
}

// ---- Random functions

static void test_random(void **state) {
    (void)state;
    Arena *arena = arena_new("function");
    uint64_t count = effort(100, 600, 20000), gone = 0, uses[RULE_COUNT] = {0};
    for (uint64_t i = 0; i <= count; i++) {
        // 2236: a load of a place with an effective type, of which the plain place is known.
        uint64_t seed = i ? i : 2236;
        RandomOptions options = random_options(seed % 4 ? 60 : 500, seed);
        if (seed % 2) options.variables = 1 + (uint32_t)(seed % 7);
        const Func *func = random_func(arena, program_new(arena), options, seed);
        gone += try_func(arena, func, seed, 2, 2000, uses);
        gone += try_func(arena, func_in_memory(arena, func, seed), seed, 2, 8000, uses);
        arena_reset(arena);
    }
    assert_true(gone > count * 10);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_algebra), cmocka_unit_test(test_small_graphs),
        cmocka_unit_test(test_graphs_of_five), cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
