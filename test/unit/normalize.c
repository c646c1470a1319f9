// Normalization on every graph of up to five nodes and on random functions: the checker accepts,
// the result has the normal form by a naive definition of it, and behaves as before.
#include "check/checkers.h"
#include "check/properties.h"
#include "pass/pass.h"
#include "test/gen/compare.h"
#include "test/gen/effort.h"
#include "test/gen/graphs.h"
#include "test/gen/normal_form.h"
#include "test/gen/random_func.h"
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
    if (after) func_print(&text, after, &(PrintOptions){0});
    out_char(&text, '\0');
    fputs(text.text, stderr);
    fail_msg("%s\n%s", what, text.text);
}

static const Func *normalized(Arena *arena, const Func *before) {
    CopiesHint hint = {0};
    const Func *after = normalize(arena, before, &hint);
    Complaints complaints = {.arena = arena};
    if (!verify_func(&complaints, after)) fail_with(before, after, complaints.list.at[0].message);
    Verdict verdict = check_copies(arena, NULL, before, after, &hint);
    if (verdict.accepted) verdict = check_properties(arena, after, PROPERTY_NORMAL);
    if (!verdict.accepted)
        fail_with(before, after,
                  arena_printf(arena, "node %u: %s", verdict.site.i, verdict.reason));
    return after;
}

// ---- Behaviour

static void same_behaviour(Arena *arena, const Func *before, const Func *after, uint64_t seed,
                           uint64_t fuel) {
    const char *difference = behaviour_difference(arena, before, after, seed, fuel);
    if (difference) fail_with(before, after, difference);
}

// ---- Small graphs

typedef struct {
    uint32_t nodes;
    uint64_t graphs;
    Arena *arena;
    Program *program;
    uint64_t every;     // look at one graph in so many
    uint64_t run_every; // compare behaviour on one in so many
} Small;

static void visit_small(void *context, const uint8_t (*succs)[2], const uint8_t *counts) {
    Small *small = context;
    if (++small->graphs % small->every) return;
    const Func *before =
        func_of_graph(small->arena, small->program, small->nodes, succs, counts, small->graphs);
    const Func *after = normalized(small->arena, before);
    if (after->nodes.count <= NORMAL_FORM_LIMIT) {
        const char *defect = normal_form_defect(after);
        if (defect) fail_with(before, after, defect);
    }
    if (small->graphs % small->run_every == 0)
        same_behaviour(small->arena, before, after, small->graphs, 100);
    arena_reset(small->arena);
}

static void all_graphs(uint32_t nodes, bool with_returns, uint64_t every, uint64_t run_every) {
    Arena *lasting = arena_new("program");
    Small small = {
        .nodes = nodes, .every = every, .run_every = run_every, .arena = arena_new("graph")};
    small.program = program_new(lasting);
    each_small_graph(nodes, with_returns, visit_small, &small);
    arena_free(small.arena);
    arena_free(lasting);
}

static void test_small_graphs(void **state) {
    (void)state;
    for (uint32_t nodes = 1; nodes <= 4; nodes++)
        for (int with_returns = 0; with_returns < 2; with_returns++)
            all_graphs(nodes, with_returns, 1, 1);
}

static void test_graphs_of_five(void **state) {
    (void)state;
    all_graphs(5, false, effort(256, 4, 1), effort(256, 64, 1));
    all_graphs(5, true, effort(4096, 1024, 1), effort(4096, 4096, 1));
}

// ---- Random functions

static void test_random(void **state) {
    (void)state;
    Arena *arena = arena_new("function");
    uint32_t dispatched = 0;
    uint64_t count = effort(500, 10000, 10000);
    for (uint64_t seed = 1; seed <= count; seed++) {
        Program *program = program_new(arena);
        const Func *before = random_func(arena, program, random_options(500, seed), seed);
        const Func *after = normalized(arena, before);
        dispatched += after->regs.count > before->regs.count;
        for (uint64_t run = 0; run < 3; run++)
            same_behaviour(arena, before, after, seed * 3 + run, 5000);
        arena_reset(arena);
    }
    assert_true(dispatched > count / 100); // both ways out of irreducibility are exercised
    arena_free(arena);
}

// A normal form stays as it is.
static void test_idempotent(void **state) {
    (void)state;
    Arena *arena = arena_new("function");
    for (uint64_t seed = 1; seed <= effort(100, 500, 5000); seed++) {
        Program *program = program_new(arena);
        const Func *once =
            normalized(arena, random_func(arena, program, random_options(300, seed), seed));
        const Func *twice = normalized(arena, once);
        Out first = {0}, second = {0};
        func_print(&first, once, &(PrintOptions){0});
        func_print(&second, twice, &(PrintOptions){0});
        assert_int_equal(first.length, second.length);
        assert_memory_equal(first.text, second.text, first.length);
        out_free(&first);
        out_free(&second);
        arena_reset(arena);
    }
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_graphs),
        cmocka_unit_test(test_graphs_of_five),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_idempotent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
