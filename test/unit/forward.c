// Forwarding on every graph of up to five nodes and on random functions, with their variables in
// memory: the checker accepts, the function behaves as before, and loads do disappear.
#include "check/checkers.h"
#include "pass/pass.h"
#include "pass/values/values_hint.h"
#include "test/gen/compare.h"
#include "test/gen/effort.h"
#include "test/gen/graphs.h"
#include "test/gen/in_memory.h"
#include "test/gen/random_func.h"
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

static uint32_t count_loads(const Func *func) {
    uint32_t count = 0;
    for (uint32_t n = 0; n < func->nodes.count; n++) count += func->nodes.at[n].kind == I_LOAD;
    return count;
}

// In SSA, with equal addresses in equal registers.
static const Func *prepared(Arena *arena, const Func *func) {
    CopiesHint norm_hint = {0};
    SsaHint ssa_hint = {0};
    Numbering numbering = {0};
    const Func *ssa = ssa_build(arena, normalize(arena, func, &norm_hint), &ssa_hint);
    const Func *numbered = gvn(arena, ssa, &numbering);
    return numbered ? numbered : ssa;
}

// How many loads have gone.
static uint32_t forward_one(Arena *arena, const Func *func, uint64_t seed, uint64_t runs,
                            uint64_t fuel) {
    const Func *before = prepared(arena, func);
    ForwardHint hint = {0};
    const Func *after = forward(arena, before, &hint);
    if (!after) return 0;
    Complaints complaints = {.arena = arena};
    if (!verify_func(&complaints, after)) fail_with(before, after, complaints.list.at[0].message);
    Verdict verdict =
        check_values(arena, before, after, explain_ForwardHint(arena, before, after, &hint));
    if (!verdict.accepted)
        fail_with(before, after,
                  arena_printf(arena, "node %u: %s", verdict.site.i, verdict.reason));
    for (uint64_t run = 0; run < runs; run++) {
        const char *difference = behaviour_difference(arena, func, after, seed * runs + run, fuel);
        if (difference) fail_with(func, after, difference);
    }
    return count_loads(before) - count_loads(after);
}

// ---- Small graphs

typedef struct {
    uint32_t nodes;
    uint64_t graphs, gone;
    Arena *arena;
    Program *program;
    uint64_t every, run_every; // look at one graph in so many, and run one in so many
} Small;

static void visit_small(void *context, const uint8_t (*succs)[2], const uint8_t *counts) {
    Small *small = context;
    if (++small->graphs % small->every) return;
    const Func *func =
        func_of_graph(small->arena, small->program, small->nodes, succs, counts, small->graphs);
    func = func_in_memory(small->arena, func, small->graphs);
    small->gone +=
        forward_one(small->arena, func, small->graphs, small->graphs % small->run_every == 0, 400);
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
            all_graphs(nodes, with_returns, nodes < 4 ? 1 : effort(64, 4, 1), effort(64, 32, 1));
}

static void test_graphs_of_five(void **state) {
    (void)state;
    all_graphs(5, false, effort(4096, 128, 1), effort(4096, 4096, 8));
    if (getenv("GATE_LONG")) all_graphs(5, true, 1, 8);
}

// ---- Random functions

static void test_random(void **state) {
    (void)state;
    Arena *arena = arena_new("function");
    uint64_t count = effort(100, 600, 20000), gone = 0;
    for (uint64_t seed = 1; seed <= count; seed++) {
        Program *program = program_new(arena);
        RandomOptions options = random_options(seed % 4 ? 60 : 500, seed);
        if (seed % 2) options.variables = 1 + (uint32_t)(seed % 7);
        const Func *func = random_func(arena, program, options, seed);
        gone += forward_one(arena, func, seed, 2, 2000);
        gone += forward_one(arena, func_in_memory(arena, func, seed), seed, 2, 8000);
        arena_reset(arena);
    }
    assert_true(gone > count * 10);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_graphs),
        cmocka_unit_test(test_graphs_of_five),
        cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
