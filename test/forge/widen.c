// Forged wide counters: twins that are no extensions, counters that may wrap, comparisons that
// differ. All of them are well-formed SSA.
#include "check/checkers.h"
#include "check/passes.h"
#include "pass/pass.h"
#include "pass/values/values_hint.h"
#include "test/gen/forge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

// Counts up from 1, with a neighbour before it.
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
                           "  8: if ge.i32 %i.2, 19 then 13 else 9\n"
                           "  9: %h.1 = add.i64 %e.1, 7\n"
                           "  10: %i.3 = add.i32 %i.2, 1\n"
                           "  11: if lt.i32 %i.3, %n.0 then 12 else 14\n"
                           "  12: nop -> 3\n"
                           "  13: nop -> 16\n"
                           "  14: nop -> 16\n"
                           "  15: nop\n"
                           "  16: return %m.0\n"
                           "}\n";

static Verdict check(Arena *arena, const Func *before, const Func *after, const void *hint) {
    return pass_check(PASS_widen, arena, NULL, before, after,
                      explain_WidenHint(arena, before, after, hint));
}

static Forgery start(void) {
    Arena *arena = arena_new("forgery");
    const Func *before = forge_parse(arena, FORM_SSA, text);
    WidenHint *hint = ARENA_NEW(arena, WidenHint);
    Func *after = widen(arena, before, hint);
    assert_non_null(after);
    assert_int_equal(hint->narrow.count, 5);
    assert_int_equal(hint->reasons.count, 4);
    return (Forgery){.arena = arena,
                     .before = before,
                     .after = after,
                     .hint = hint,
                     .check = check,
                     .by_values = true};
}

// The wide phi is %0.1, its start %1.1, its sum %2.1, the neighbour %3.1, and %n %4.1.
static void test_codes(void **state) {
    (void)state;
    static const CodeForgery forgeries[] = {
        {"does not extend the narrow", {{"%1.1 = const.i64 1", "%1.1 = const.i64 2"}}},
        {"does not extend the narrow", {{"%1.1 = const.i64 1", "%1.1 = sext.i64 %n.0"}}},
        {"does not extend the narrow", {{"%1.1 = const.i64 1", "%1.1 = zext.i64 %i.1"}}},
        {"does not extend the narrow", {{"%4.1 = sext.i64 %n.0", "%4.1 = sext.i64 %m.0"}}},
        {"does not extend the narrow", {{"%4.1 = sext.i64 %n.0", "%4.1 = zext.i64 %n.0"}}},
        {"not the sum", {{"%2.1 = add.i64 %0.1, 1", "%2.1 = add.i64 %0.1, 2"}}},
        {"not the sum", {{"%2.1 = add.i64 %0.1, 1", "%2.1 = add.i64 %e.1, 1"}}},
        {"not the sum", {{"%2.1 = add.i64 %0.1, 1", "%2.1 = add.i64 %3.1, 1"}}},
        {"not the sum", {{"%3.1 = add.i64 %0.1, -1", "%3.1 = add.i64 %0.1, 1"}}},
        {"argument 1 does not extend",
         {{"%0.1 = phi(5: %1.1, 17: %2.1)", "%0.1 = phi(5: %1.1, 17: %0.1)"}}},
        {"argument 0 does not extend",
         {{"%0.1 = phi(5: %1.1, 17: %2.1)", "%0.1 = phi(5: %4.1, 17: %2.1)"}}},
        {"its phis have changed",
         {{"%i.2 = phi(5: %i.1, 17: %i.3)", "%i.2 = phi(5: %n.0, 17: %i.3)"}}},
        {"differs from that of old node", {{"%c.1 = move.i64 %3.1", "%c.1 = move.i64 %0.1"}}},
        {"differs from that of old node", {{"%e.1 = move.i64 %0.1", "%e.1 = move.i64 %4.1"}}},
        {"differs from that of old node", {{"%e.1 = move.i64 %0.1", "%e.1 = not.i64 %0.1"}}},
        {"differs from that of old node", {{"if ge.i64 %0.1, 19", "if ge.i64 %0.1, 20"}}},
        {"differs from that of old node", {{"if ge.i64 %0.1, 19", "if gt.i64 %0.1, 19"}}},
        {"differs from that of old node", {{"if ge.i64 %0.1, 19", "if uge.i64 %0.1, 19"}}},
        {"differs from that of old node", {{"if lt.i64 %2.1, %4.1", "if lt.i64 %4.1, %2.1"}}},
        {"differs from that of old node", {{"if lt.i64 %2.1, %4.1", "if lt.i64 %0.1, %4.1"}}},
        {"differs from that of old node", {{"%h.1 = add.i64 %e.1, 7", "%h.1 = add.i64 %e.1, 8"}}},
    };
    forge_codes(start, forgeries, sizeof forgeries / sizeof forgeries[0]);
}

static void test_frames(void **state) {
    (void)state;
    forge_frames(start);
}

static WidenHint *hint_of(Forgery *f) {
    return f->hint;
}
static void drop_node(Forgery *f) {
    hint_of(f)->old.count--;
}
static void drop_narrow(Forgery *f) {
    hint_of(f)->narrow.count--;
}
static void other_narrow(Forgery *f) {
    hint_of(f)->narrow.at[0] = forge_reg(f->before, "%n.0");
}
static void wide_narrow(Forgery *f) {
    hint_of(f)->narrow.at[0] = forge_reg(f->before, "%e.1");
}
static void no_reasons(Forgery *f) {
    hint_of(f)->reasons.count = 0;
}
static void fewer_reasons(Forgery *f) {
    hint_of(f)->reasons.count = 3;
}
static void other_argument(Forgery *f) {
    hint_of(f)->reasons.at[1].argument = 0;
}
static void no_edge(Forgery *f) {
    hint_of(f)->reasons.at[1].edge.branch = NO_NODE;
}
static void edge_beyond(Forgery *f) {
    hint_of(f)->reasons.at[1].edge.branch = (Node){99};
}
static void other_way(Forgery *f) {
    hint_of(f)->reasons.at[1].edge.way ^= 1;
}
static void way_beyond(Forgery *f) {
    hint_of(f)->reasons.at[1].edge.way = 7;
}
static void other_edge(Forgery *f) {
    hint_of(f)->reasons.at[1].edge = (BranchEdge){.branch = {8}, .way = 1};
}
static void edge_at_entry(Forgery *f) {
    hint_of(f)->reasons.at[1].edge = (BranchEdge){.branch = {1}, .way = 0};
}

static void test_hints(void **state) {
    (void)state;
    static const HintForgery forgeries[] = {
        {"a node less", drop_node, "does not cover"},
        {"a register less", drop_narrow, "does not cover"},
        {"another narrow register", other_narrow, "the narrow register is no phi"},
        {"a narrow register that is wide", wide_narrow, "extends nothing"},
        {"no reasons", no_reasons, "there are no reasons"},
        {"fewer reasons", fewer_reasons, "reasons"},
        {"a reason for another argument", other_argument, "reason"},
        {"a reason without edge", no_edge, "no reason why"},
        {"an edge of no branch", edge_beyond, "is none"},
        {"the other way", other_way, "need not have passed"},
        {"a way that does not exist", way_beyond, "is none"},
        {"an edge that says something else", other_edge, "does not say"},
        {"an edge about the limit only", edge_at_entry, "does not say"},
    };
    forge_hints(start, forgeries, sizeof forgeries / sizeof forgeries[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_codes), cmocka_unit_test(test_frames),
                                       cmocka_unit_test(test_hints)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
