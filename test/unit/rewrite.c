// rewrite on functions made of what its rules look for, on random functions and on small graphs:
// the checker accepts, the behaviour stays, nothing is left to rewrite, and every row of the table
// is used.
#include "check/checkers.h"
#include "fact/rules.h"
#include "pass/pass.h"
#include "test/gen/algebra.h"
#include "test/gen/compare.h"
#include "test/gen/effort.h"
#include "test/gen/graphs.h"
#include "test/gen/random_func.h"
#include "test/gen/twins.h"
#include "text/text.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void fail_with(const Func *before, const Func *after, const char *what) {
    Out text = {0};
    func_print(&text, before, &(PrintOptions){0});
    func_print(&text, after, &(PrintOptions){0});
    out_char(&text, '\0');
    fail_msg("%s\n%s", what, text.text);
}

// The rewritten function, or NULL if there is nothing to rewrite.
static const Func *rewritten(Arena *arena, const Func *before, RewriteHint *hint) {
    const Func *after = rewrite(arena, before, hint);
    if (!after) return NULL;
    Complaints complaints = {.arena = arena};
    if (!verify_func(&complaints, after)) fail_with(before, after, complaints.list.at[0].message);
    Verdict verdict = check_rewrite(arena, before, after, hint);
    if (!verdict.accepted)
        fail_with(before, after,
                  arena_printf(arena, "node %u: %s", verdict.site.i, verdict.reason));
    return after;
}

static void try_func(Arena *arena, const Func *ssa, uint64_t seed, uint64_t runs, uint64_t fuel,
                     uint64_t *uses) {
    RewriteHint hint = {0};
    const Func *after = rewritten(arena, ssa, &hint);
    for (uint64_t run = 0; run < runs && after; run++) {
        const char *difference = behaviour_difference(arena, ssa, after, seed * runs + run, fuel);
        if (difference) fail_with(ssa, after, difference);
    }
    for (uint32_t i = 0; i < hint.steps.count; i++) uses[hint.steps.at[i].rule]++;
}

// ---- Functions made of left-hand sides

static void test_algebra(void **state) {
    (void)state;
    Arena *arena = arena_new("function");
    uint64_t uses[RULE_KIND_COUNT] = {0}, total = 0;
    for (uint64_t seed = 1; seed <= effort(50, 1000, 30000); seed++) {
        const Func *func = algebra_func(arena, program_new(arena), 40, seed);
        const Func *ssa = ssa_of(arena, func);
        try_func(arena, ssa, seed, 4, 5000, uses);
        RewriteHint hint = {0}, again = {0};
        const Func *after = rewrite(arena, ssa, &hint);
        if (after && rewrite(arena, after, &again))
            fail_with(after, rewrite(arena, after, &again),
                      arena_printf(arena, "not done: %s", rule_name(again.steps.at[0].rule)));
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

// ---- Other functions

static void test_random(void **state) {
    (void)state;
    Arena *arena = arena_new("function");
    uint64_t uses[RULE_KIND_COUNT] = {0};
    for (uint64_t seed = 1; seed <= effort(100, 1000, 20000); seed++) {
        Program *program = program_new(arena);
        const Func *func = random_func(arena, program, random_options(400, seed), seed);
        const Func *ssa = ssa_of(arena, func);
        SccpHint hint = {0};
        const Func *decided = seed % 3 ? NULL : sccp(arena, ssa, &hint);
        if (decided) ssa = decided;
        if (seed % 4 == 0) ssa = shuffle_nodes(arena, ssa, seed);
        try_func(arena, ssa, seed, 2, 5000, uses);
        arena_reset(arena);
    }
    arena_free(arena);
}

typedef struct {
    Arena *arena;
    Program *program;
    uint32_t nodes;
    uint64_t graphs, every;
    uint64_t uses[RULE_KIND_COUNT];
} Small;

static void visit_small(void *context, const uint8_t (*succs)[2], const uint8_t *counts) {
    Small *small = context;
    if (++small->graphs % small->every) return;
    const Func *func =
        func_of_graph(small->arena, small->program, small->nodes, succs, counts, small->graphs);
    try_func(small->arena, ssa_of(small->arena, func), small->graphs, 1, 100, small->uses);
    arena_reset(small->arena);
}

static void test_small_graphs(void **state) {
    (void)state;
    Arena *lasting = arena_new("program");
    Small small = {.arena = arena_new("graph"), .program = program_new(lasting)};
    for (small.nodes = 1; small.nodes <= 5; small.nodes++) {
        small.every = small.nodes < 4    ? 1
                      : small.nodes == 4 ? effort(97, 31, 1)
                                         : effort(50021, 2003, 1);
        each_small_graph(small.nodes, small.nodes < 5, visit_small, &small);
    }
    arena_free(small.arena);
    arena_free(lasting);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_algebra),
                                       cmocka_unit_test(test_random),
                                       cmocka_unit_test(test_small_graphs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
