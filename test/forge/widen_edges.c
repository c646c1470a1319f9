// Forged wide counters of other functions than the one that the pass has seen: sums that are none,
// comparisons that keep nothing off the edge, registers that are set too late. Text of both
// functions is changed, so that each alone is right.
#include "check/checkers.h"
#include "check/passes.h"
#include "pass/pass.h"
#include "pass/values/values_hint.h"
#include "test/gen/forge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static const char text[] = "function i32 @f(i32 %n.0, i32 %m.0) {\n"
                           "  slot $s size 80 align 8\n"
                           "  0: %i.1 = const.i32 1\n"
                           "  1: if gt.i32 %n.0, 1 then 2 else 15\n"
                           "  2: nop\n"
                           "  3: %i.2 = phi(2: %i.1, 12: %i.3)\n"
                           "  3: %b.1 = add.i32 %i.2, -1\n"
                           "  4: %c.1 = sext.i64 %b.1\n"
                           "  5: %d.1 = load.i32 [$s + %c.1*4]\n"
                           "  6: %e.1 = sext.i64 %i.2\n"
                           "  7: store.i32 [$s + %e.1*4], %d.1\n"
                           "  8: if eq.i32 %i.2, 19 then 13 else 9\n"
                           "  9: if ne.i32 %i.2, 18 then 10 else 14\n"
                           "  10: %i.3 = add.i32 %i.2, 1\n"
                           "  11: if lt.i32 %i.3, %n.0 then 12 else 16\n"
                           "  12: nop -> 3\n"
                           "  13: nop -> 17\n"
                           "  14: nop -> 17\n"
                           "  15: nop -> 17\n"
                           "  16: nop\n"
                           "  17: return %m.0\n"
                           "}\n";

static Verdict check(Arena *arena, const Func *before, const Func *after, const void *hint) {
    return pass_check(PASS_widen, arena, NULL, before, after,
                      explain_WidenHint(arena, before, after, hint));
}

static Forgery start_with(const char *function) {
    Arena *arena = arena_new("forgery");
    const Func *before = forge_parse(arena, FORM_SSA, function);
    WidenHint *hint = ARENA_NEW(arena, WidenHint);
    Func *after = widen(arena, before, hint);
    assert_non_null(after);
    return (Forgery){.arena = arena,
                     .before = before,
                     .after = after,
                     .hint = hint,
                     .check = check,
                     .by_values = true};
}

static Forgery start(void) {
    Forgery forgery = start_with(text);
    assert_int_equal(((WidenHint *)forgery.hint)->narrow.count, 5);
    assert_int_equal(((WidenHint *)forgery.hint)->reasons.count, 4);
    return forgery;
}

// ---- Both functions changed. The wide phi is %0.1, its start %1.1, its sum %2.1, the neighbour
// %3.1, and %n %4.1.

typedef struct {
    const char *reason; // NULL: it is right
    Edit before[2], after[3];
} PairForgery;

static const char no_sum[] = "it is not the sum that the narrow register is";
static const char off_edge[] = "does not say that the counter is off the edge";

static const PairForgery pairs[] = {
    {NULL, {{"%i.2, 19", "%i.2, 17"}}, {{"%0.1, 19", "%0.1, 17"}}},
    {no_sum,
     {{"add.i32 %i.2, -1", "add.i32 %i.2, -2"}},
     {{"add.i32 %i.2, -1", "add.i32 %i.2, -2"}, {"add.i64 %0.1, -1", "add.i64 %0.1, -2"}}},
    {no_sum,
     {{"add.i32 %i.2, -1", "mul.i32 %i.2, -1"}},
     {{"add.i32 %i.2, -1", "mul.i32 %i.2, -1"}}},
    {no_sum,
     {{"add.i32 %i.2, -1", "add.i32 %i.2, %n.0"}},
     {{"add.i32 %i.2, -1", "add.i32 %i.2, %n.0"}}},
    {no_sum,
     {{"%b.1 = add.i32 %i.2, -1", "%b.1 = load.i32 [$s]"}},
     {{"%b.1 = add.i32 %i.2, -1", "%b.1 = load.i32 [$s]"}}},
    {"what is counted is no phi",
     {{"add.i32 %i.2, -1", "add.i32 %n.0, -1"}},
     {{"add.i32 %i.2, -1", "add.i32 %n.0, -1"}, {"add.i64 %0.1, -1", "add.i64 %4.1, -1"}}},
    // The test of the latch lets the largest number pass, or says nothing about the counter.
    {off_edge,
     {{"lt.i32 %i.3, %n.0", "le.i32 %i.3, %n.0"}},
     {{"lt.i64 %2.1, %4.1", "le.i64 %2.1, %4.1"}}},
    {off_edge,
     {{"lt.i32 %i.3, %n.0", "le.i32 %i.3, 2147483647"}},
     {{"lt.i64 %2.1, %4.1", "le.i64 %2.1, 2147483647"}}},
    {NULL,
     {{"lt.i32 %i.3, %n.0", "le.i32 %i.3, 2147483646"}},
     {{"lt.i64 %2.1, %4.1", "le.i64 %2.1, 2147483646"}}},
    {NULL,
     {{"lt.i32 %i.3, %n.0", "gt.i32 %n.0, %i.3"}},
     {{"lt.i64 %2.1, %4.1", "gt.i64 %4.1, %2.1"}}},
    {off_edge,
     {{"lt.i32 %i.3, %n.0", "lt.i32 %n.0, %i.3"}},
     {{"lt.i64 %2.1, %4.1", "lt.i64 %4.1, %2.1"}}},
    {off_edge,
     {{"lt.i32 %i.3, %n.0", "lt.i32 %m.0, %n.0"}},
     {{"lt.i64 %2.1, %4.1", "lt.i32 %m.0, %n.0"}}},
    {off_edge,
     {{"lt.i32 %i.3, %n.0", "ult.i32 %i.3, %n.0"}},
     {{"lt.i64 %2.1, %4.1", "ult.i32 %i.3, %n.0"}}},
    {off_edge,
     {{"lt.i32 %i.3, %n.0", "lt.i32 %i.3, %i.3"}},
     {{"lt.i64 %2.1, %4.1", "lt.i64 %2.1, %2.1"}}},
    // A start at the edge.
    {"no reason why the counter is off the edge",
     {{"%i.1 = const.i32 1", "%i.1 = const.i32 2147483647"}},
     {{"%i.1 = const.i32 1", "%i.1 = const.i32 2147483647"},
      {"%1.1 = const.i64 1", "%1.1 = const.i64 2147483647"}}},
    // A start that is no constant.
    {"no reason why the counter is off the edge",
     {{"%i.1 = const.i32 1", "%i.1 = mul.i32 %m.0, 3"}},
     {{"%i.1 = const.i32 1", "%i.1 = mul.i32 %m.0, 3"},
      {"%1.1 = const.i64 1", "%1.1 = sext.i64 %i.1"}}},
    {"what is counted is no phi",
     {{"%i.1 = const.i32 1", "%i.1 = add.i32 %m.0, 1"}},
     {{"%i.1 = const.i32 1", "%i.1 = add.i32 %m.0, 1"},
      {"%1.1 = const.i64 1", "%1.1 = sext.i64 %i.1"}}},
};

static void test_pairs(void **state) {
    (void)state;
    for (uint32_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        Forgery forgery = start();
        const PairForgery *pair = &pairs[i];
        Edit before[MAX_EDITS] = {pair->before[0], pair->before[1]};
        Edit after[MAX_EDITS] = {pair->after[0], pair->after[1], pair->after[2]};
        forge_expect_accepted(&forgery, "before anything was forged");
        forgery.before = forge_edit(forgery.arena, forgery.before, before);
        forgery.after = forge_edit(forgery.arena, forgery.after, after);
        forgery.after->program = forgery.before->program;
        assert_true(forge_is_well_formed(&forgery));
        if (pair->reason) {
            forge_expect_rejected(&forgery, after[0].to, pair->reason);
        } else {
            forge_expect_accepted(&forgery, after[0].to);
            arena_free(forgery.arena);
        }
    }
}

// ---- One function changed

static void test_codes(void **state) {
    (void)state;
    static const CodeForgery forgeries[] = {
        {no_sum, {{"add.i64 %0.1, -1", "add.i64 %0.1, %1.1"}}},
        {"differs from that of old node", {{"if eq.i64 %0.1, 19", "if ne.i64 %0.1, 19"}}},
        {"differs from that of old node", {{"if ne.i64 %0.1, 18", "if eq.i64 %0.1, 18"}}},
        {"differs from that of old node", {{"if eq.i64 %0.1, 19", "if eq.i64 %0.1, %4.1"}}},
        {"differs from that of old node", {{"if eq.i64 %0.1, 19", "if eq.i64 %4.1, 19"}}},
        {"differs from that of old node", {{"%c.1 = move.i64 %3.1", "%c.1 = load.i64 [$s]"}}},
        {"differs from that of old node", {{"%c.1 = move.i64 %3.1", "%c.1 = const.i64 3"}}},
    };
    forge_codes(start, forgeries, sizeof forgeries / sizeof forgeries[0]);
}

// ---- The order of what is added, and hints

static WidenHint *hint_of(Forgery *f) {
    return f->hint;
}
static void exchange_origins(Forgery *f, uint32_t node) {
    Node *old = &hint_of(f)->old.at[node], first = old[0];
    old[0] = old[1];
    old[1] = first;
}
static void sum_too_early(Forgery *f) {
    Edit edits[MAX_EDITS] = {{"14: %i.3 = add.i32 %i.2, 1", "14: %2.1 = add.i64 %0.1, 1"},
                             {"15: %2.1 = add.i64 %0.1, 1", "15: %i.3 = add.i32 %i.2, 1"}};
    f->after = forge_edit(f->arena, f->after, edits);
    exchange_origins(f, 14);
    assert_true(forge_is_well_formed(f));
}
static void sum_of_parameter(Forgery *f) {
    hint_of(f)->narrow.at[3] = forge_reg(f->before, "%n.0");
}
static void sum_of_load(Forgery *f) {
    hint_of(f)->narrow.at[3] = forge_reg(f->before, "%d.1");
}
static void other_phi(Forgery *f) {
    for (uint32_t i = 0; i < 4; i++) hint_of(f)->reasons.at[i].phi = forge_reg(f->before, "%n.0");
}
static void one_other_phi(Forgery *f) {
    hint_of(f)->reasons.at[1].phi.i++;
}
static void only_smallest(Forgery *f) {
    for (uint32_t i = 0; i < 4; i++) hint_of(f)->reasons.at[i].smallest = true;
}
static void one_smallest(Forgery *f) {
    hint_of(f)->reasons.at[1].smallest = true;
}
static void narrow_result(Forgery *f) {
    f->after->regs.at[f->before->regs.count].type = TYPE_I32;
}
static void undefined_version(Forgery *f) {
    f->after->regs.at[f->before->regs.count].version = 1;
}

static void test_hints(void **state) {
    (void)state;
    static const HintForgery forgeries[] = {
        {"a sum before the narrow one", sum_too_early, "the narrow register is not set yet"},
        {"a sum of a parameter", sum_of_parameter, no_sum},
        {"a sum of a load", sum_of_load, no_sum},
        {"reasons of another phi", other_phi, "there are no reasons for a counter"},
        {"a reason of another phi", one_other_phi, "reasons for a counter"},
        {"reasons for the other edge", only_smallest, off_edge},
        {"a reason for the other edge", one_smallest, "reasons for a counter"},
        {"a new register that is not wide", narrow_result, "extends nothing"},
        {"a new register that is undefined at the entry", undefined_version, "extends nothing"},
    };
    forge_hints(start, forgeries, sizeof forgeries / sizeof forgeries[0]);
}

// ---- The entry is reached from outside, too

// The test at 8 leads back to the entry, which has no other predecessor and dominates everything.
static const char starts_again[] = "function i32 @f(i32 %n.0, i32 %m.0) {\n"
                                   "  slot $s size 80 align 8\n"
                                   "  0: %i.1 = const.i32 1\n"
                                   "  1: nop\n"
                                   "  2: %i.2 = phi(1: %i.1, 7: %i.3)\n"
                                   "  2: %e.1 = sext.i64 %i.2\n"
                                   "  3: store.i32 [$s + %e.1*4], %m.0\n"
                                   "  4: %i.3 = add.i32 %i.2, 1\n"
                                   "  5: if lt.i32 %i.3, %n.0 then 7 else 8\n"
                                   "  7: nop -> 2\n"
                                   "  8: if lt.i32 %i.3, %m.0 then 0 else 9\n"
                                   "  9: return %m.0\n"
                                   "}\n";

static void test_entry(void **state) {
    (void)state;
    Forgery forgery = start_with(starts_again);
    forge_expect_rejected(&forgery, "a way back to the entry", "the entry has a predecessor");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pairs), cmocka_unit_test(test_codes),
                                       cmocka_unit_test(test_hints), cmocka_unit_test(test_entry)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
