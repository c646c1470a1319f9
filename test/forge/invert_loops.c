// Forged inversions: copies that differ or lead elsewhere. And the pass on random functions:
// accepted, the same behaviour, and loops do get their tests at the end.
#include "check/checkers.h"
#include "check/passes.h"
#include "pass/pass.h"
#include "test/gen/compare.h"
#include "test/gen/effort.h"
#include "test/gen/forge.h"
#include "test/gen/mutants.h"
#include "test/gen/random_func.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static const char text[] = "function i32 @f(i32 %n, i32 %m) {\n"
                           "  slot $s size 8 align 8\n"
                           "  0: %i = const.i32 0\n"
                           "  1: %t = mul.i32 %i, %m\n"
                           "  2: if lt.i32 %t, %n then 3 else 8\n"
                           "  3: %j = const.i32 0\n"
                           "  4: if lt.i32 %j, %i then 5 else 7\n"
                           "  5: store.i32 [$s], %j\n"
                           "  6: %j = add.i32 %j, 1 -> 4\n"
                           "  7: %i = add.i32 %i, 1 -> 1\n"
                           "  8: return %i\n"
                           "}\n";

static Verdict check(Arena *arena, const Func *before, const Func *after, const void *hint) {
    return pass_check(PASS_invert_loops, arena, NULL, before, after, hint);
}

static Forgery start(void) {
    Arena *arena = arena_new("forgery");
    const Func *before = forge_parse(arena, FORM_RTL, text);
    CopiesHint *hint = ARENA_NEW(arena, CopiesHint);
    Func *after = invert_loops(arena, before, hint);
    assert_non_null(after);
    assert_int_equal(after->nodes.count, before->nodes.count + 3);
    return (Forgery){
        .arena = arena, .before = before, .after = after, .hint = hint, .check = check};
}

static void test_codes(void **state) {
    (void)state;
    static const CodeForgery forgeries[] = {
        {"differs from that of old node 1", {{"9: %t = mul.i32 %i, %m", "9: %t = mul.i32 %i, %n"}}},
        {"differs from that of old node 2", {{"9: %t = mul.i32 %i, %m", "9: %j = mul.i32 %i, %m"}}},
        {"does not lead on from that of old node 1", {{"9: %t = mul.i32 %i, %m", "9: nop"}}},
        {"differs from that of old node 2", {{"10: if lt.i32 %t, %n", "10: if le.i32 %t, %n"}}},
        {"differs from that of old node 7", {{"7: %i = add.i32 %i, 1", "7: %i = add.i32 %i, 2"}}},
        {"differs from that of old node 8", {{"8: return %i", "8: return %j"}}},
        {"does not lead on from that of old node 3",
         {{"10: if lt.i32 %t, %n then 3 else 8", "10: if lt.i32 %t, %n then 8 else 3"}}},
        {"does not lead on from that of old node 1",
         {{"0: %i = const.i32 0 -> 9", "0: %i = const.i32 0 -> 10"}}},
        {"does not lead on from that of old node 4",
         {{"6: %j = add.i32 %j, 1 -> 4", "6: %j = add.i32 %j, 1 -> 5"}}},
        {"does not lead on from that of old node 7",
         {{"4: if lt.i32 %j, %i then 5 else 7", "4: if lt.i32 %j, %i then 5 else 8"}}},
    };
    forge_codes(start, forgeries, sizeof forgeries / sizeof forgeries[0]);
}

static void drop_node(Forgery *f) {
    ((CopiesHint *)f->hint)->old.count--;
}
static void other_node(Forgery *f) {
    ((CopiesHint *)f->hint)->old.at[9] = (Node){7};
}
static void no_node(Forgery *f) {
    ((CopiesHint *)f->hint)->old.at[9] = (Node){9};
}
static void other_entry(Forgery *f) {
    ((CopiesHint *)f->hint)->old.at[0] = (Node){3};
}
static void more_slots(Forgery *f) {
    func_add_slot(f->after, (SlotInfo){.size = 8, .align = 8});
}
static void claim_ssa(Forgery *f) {
    f->after->form = FORM_SSA;
}

static void test_hints(void **state) {
    (void)state;
    static const HintForgery forgeries[] = {
        {"a node less", drop_node, "does not cover"},
        {"another node", other_node, "does not lead on from that of old node 1"},
        {"a node that does not exist", no_node, "the hint names an old node that does not exist"},
        {"another entry", other_entry,
         "the entry does not stand for the old entry: the instruction differs from that of old "
         "node 0: it leaves out old node 0"},
        {"more slots", more_slots, "slots"},
        {"SSA", claim_ssa, "not rtl"},
    };
    forge_hints(start, forgeries, sizeof forgeries / sizeof forgeries[0]);
}

// ---- Random functions

static const Func *random_rtl(Arena *arena, uint64_t seed) {
    return random_func(arena, program_new(arena), random_options(seed % 3 ? 60 : 200, seed), seed);
}

static bool make(Mutant *mutant) {
    for (int tries = 0; tries < 20; tries++) {
        CopiesHint *hint = ARENA_NEW(mutant->arena, CopiesHint);
        mutant->before = random_rtl(mutant->arena, mutant_draw(mutant, 1u << 30));
        mutant->after = invert_loops(mutant->arena, mutant->before, hint);
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
    uint64_t count = effort(100, 1000, 50000), inverted = 0;
    for (uint64_t seed = 1; seed <= count; seed++) {
        const Func *before = random_rtl(arena, seed);
        CopiesHint hint = {0};
        const Func *after = invert_loops(arena, before, &hint);
        if (after) {
            Complaints complaints = {.arena = arena};
            if (!verify_func(&complaints, after)) fail_msg("%s", complaints.list.at[0].message);
            Verdict verdict = pass_check(PASS_invert_loops, arena, NULL, before, after, &hint);
            if (!verdict.accepted)
                fail_msg("seed %llu: %s", (unsigned long long)seed, verdict.reason);
            for (uint64_t run = 0; run < 4; run++)
                assert_null(behaviour_difference(arena, before, after, seed + run, 2000));
            inverted++;
        }
        arena_reset(arena);
    }
    assert_true(inverted > count / 10);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_codes), cmocka_unit_test(test_hints),
                                       cmocka_unit_test(test_mutants),
                                       cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
