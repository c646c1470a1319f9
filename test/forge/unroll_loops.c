// Forged rounds: copies that differ or lead elsewhere, rounds that are missing. And the pass on
// random functions: accepted, the same behaviour, and short loops do get unrolled.
#include "check/checkers.h"
#include "check/passes.h"
#include "pass/pass.h"
#include "test/gen/compare.h"
#include "test/gen/counters.h"
#include "test/gen/effort.h"
#include "test/gen/forge.h"
#include "test/gen/mutants.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static const char text[] = "function i32 @f(i32 %n, i32 %m) {\n"
                           "  slot $s size 8 align 8\n"
                           "  0: %i = const.i32 0\n"
                           "  1: store.i32 [$s], %i\n"
                           "  2: if lt.i32 %m, %i then 3 else 4\n"
                           "  3: %n = mul.i32 %n, %m\n"
                           "  4: %i = add.i32 %i, 1\n"
                           "  5: if lt.i32 %i, 3 then 1 else 6\n"
                           "  6: return %n\n"
                           "}\n";

static Verdict check(Arena *arena, const Func *before, const Func *after, const void *hint) {
    return pass_check(PASS_unroll_loops, arena, NULL, before, after, hint);
}

// Nodes 7 to 11 are the second round, 12 to 16 the third.
static Forgery start(void) {
    Arena *arena = arena_new("forgery");
    const Func *before = forge_parse(arena, FORM_RTL, text);
    CopiesHint *hint = ARENA_NEW(arena, CopiesHint);
    Func *after = unroll_loops(arena, before, hint);
    assert_non_null(after);
    assert_int_equal(after->nodes.count, before->nodes.count + 10);
    return (Forgery){
        .arena = arena, .before = before, .after = after, .hint = hint, .check = check};
}

static void test_codes(void **state) {
    (void)state;
    static const CodeForgery forgeries[] = {
        {"does not lead on from that of old node 1",
         {{"5: if lt.i32 %i, 3 then 7 else 6", "5: if lt.i32 %i, 3 then 8 else 6"}}},
        {"it leaves out the branch of old node 5",
         {{"5: if lt.i32 %i, 3 then 7 else 6", "5: nop -> 7"}}},
        {"the instruction differs from that of old node 5",
         {{"5: if lt.i32 %i, 3 then 7 else 6", "5: if lt.i32 %i, 2 then 7 else 6"}}},
        {"does not lead on from that of old node 1",
         {{"5: if lt.i32 %i, 3 then 7 else 6", "5: if lt.i32 %i, 3 then 6 else 7"}}},
        {"differs from that of old node 1",
         {{"7: store.i32 [$s], %i", "7: store.i32 [$s + 4], %i"}}},
        {"does not lead on from that of old node 1", {{"7: store.i32 [$s], %i", "7: nop"}}},
        {"differs from that of old node 3", {{"9: %n = mul.i32 %n, %m", "9: %n = mul.i32 %n, %i"}}},
        {"differs from that of old node 5", {{"10: %i = add.i32 %i, 1", "10: %m = add.i32 %i, 1"}}},
    };
    forge_codes(start, forgeries, sizeof forgeries / sizeof forgeries[0]);
}

static void drop_node(Forgery *f) {
    ((CopiesHint *)f->hint)->old.count--;
}
static void other_node(Forgery *f) {
    ((CopiesHint *)f->hint)->old.at[7] = (Node){4};
}
// The third round has begun before the second.
static void decided(Forgery *f) {
    vec_push(f->arena, &((CopiesHint *)f->hint)->facts, (CopiesFact){{7}, {5}, 1});
}
static void claim_ssa(Forgery *f) {
    f->after->form = FORM_SSA;
}

static void test_hints(void **state) {
    (void)state;
    static const HintForgery forgeries[] = {
        {"a node less", drop_node, "does not cover"},
        {"another node", other_node, "does not lead on from that of old node 1"},
        {"an outcome", decided, "fact 0 of node 7 does not follow"},
        {"SSA", claim_ssa, "not rtl"},
    };
    forge_hints(start, forgeries, sizeof forgeries / sizeof forgeries[0]);
}

// ---- Random functions

static bool make(Mutant *mutant) {
    for (int tries = 0; tries < 40; tries++) {
        CopiesHint *hint = ARENA_NEW(mutant->arena, CopiesHint);
        mutant->before =
            counter_func(mutant->arena, program_new(mutant->arena), mutant_draw(mutant, 1u << 30));
        mutant->after = unroll_loops(mutant->arena, mutant->before, hint);
        mutant->hint = hint;
        if (mutant->after) return true;
    }
    return false;
}
static bool change_hint(Mutant *mutant) {
    CopiesHint *hint = mutant->hint;
    hint->old.at[mutant_draw(mutant, hint->old.count)].i =
        mutant_draw(mutant, mutant->before->nodes.count);
    return true;
}

static void test_mutants(void **state) {
    (void)state;
    static const MutantKind kinds[] = {{"change the hint", change_hint}};
    mutants_try(&(MutantPass){.make = make, .check = check, .kinds = kinds, .kind_count = 1},
                effort(500, 3000, 200000));
}

static void test_random(void **state) {
    (void)state;
    Arena *arena = arena_new("function");
    uint64_t count = effort(200, 2000, 50000), unrolled = 0;
    for (uint64_t seed = 1; seed <= count; seed++) {
        const Func *before = counter_func(arena, program_new(arena), seed);
        CopiesHint hint = {0};
        const Func *after = unroll_loops(arena, before, &hint);
        if (after) {
            Complaints complaints = {.arena = arena};
            if (!verify_func(&complaints, after)) fail_msg("%s", complaints.list.at[0].message);
            Verdict verdict = check(arena, before, after, &hint);
            if (!verdict.accepted)
                fail_msg("seed %llu: %s", (unsigned long long)seed, verdict.reason);
            for (uint64_t run = 0; run < 4; run++)
                assert_null(behaviour_difference(arena, before, after, seed + run, 2000));
            unrolled++;
        }
        arena_reset(arena);
    }
    print_message("%u of %u functions unrolled\n", (unsigned)unrolled, (unsigned)count);
    assert_true(unrolled > count / 20);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_codes), cmocka_unit_test(test_hints),
                                       cmocka_unit_test(test_mutants),
                                       cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
