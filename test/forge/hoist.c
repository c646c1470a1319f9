// Forged hoistings: operators changed on the way, partial ones moved, loads added that may go
// wrong, phis and edges that were led astray. All of them are well-formed SSA.
#include "check/checkers.h"
#include "check/passes.h"
#include "pass/pass.h"
#include "pass/values/values_hint.h"
#include "test/gen/forge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static const char text[] = "global @g size 16 align 8\n"
                           "global @w size 16 align 8 weak\n"
                           "global @r size 16 align 8 replaceable\n"
                           "extern global @e size 16 align 8\n"
                           "function i32 @f(i32 %n.0, i32 %m.0) {\n"
                           "  slot $s size 8 align 8\n"
                           "  0: %i.1 = const.i32 0\n"
                           "  1: %p.1 = addr @g\n"
                           "  2: %k.1 = add.i32 %n.0, 1\n"
                           "  3: nop\n"
                           "  4: %i.2 = phi(3: %i.1, 13: %i.3)\n"
                           "  4: %x.1 = mul.i32 %n.0, %m.0\n"
                           "  5: %y.1 = add.i32 %x.1, 3\n"
                           "  6: %a.1 = load.i32 [%p.1 + 4]\n"
                           "  7: %b.1 = load.i32 [@g + 12]\n"
                           "  8: store.i32 [$s], %y.1\n"
                           "  9: %d.1 = divs.i32 %n.0, %m.0\n"
                           "  10: %z.1 = add.i32 %a.1, %b.1\n"
                           "  11: %i.3 = add.i32 %i.2, %z.1\n"
                           "  12: if lt.i32 %i.3, %n.0 then 13 else 14\n"
                           "  13: nop -> 4\n"
                           "  14: nop\n"
                           "  15: call @call(%d.1)\n"
                           "  16: %q.1 = load.i32 [%p.1 + 8]\n"
                           "  17: %r.1 = add.i32 %q.1, %i.2\n"
                           "  18: return %r.1\n"
                           "}\n"
                           "extern function void @call(i32)\n";

static Verdict check(Arena *arena, const Func *before, const Func *after, const void *hint) {
    return pass_check(PASS_hoist, arena, NULL, before, after,
                      explain_HoistHint(arena, before, after, hint));
}

static Forgery start(void) {
    Arena *arena = arena_new("forgery");
    const Func *before = forge_parse(arena, FORM_SSA, text);
    HoistHint *hint = ARENA_NEW(arena, HoistHint);
    Func *after = hoist(arena, before, hint);
    assert_non_null(after);
    assert_int_equal(after->nodes.count, before->nodes.count + 5);
    return (Forgery){.arena = arena,
                     .before = before,
                     .after = after,
                     .hint = hint,
                     .check = check,
                     .by_values = true};
}

static void test_codes(void **state) {
    (void)state;
    static const CodeForgery forgeries[] = {
        {"something else", {{"4: %x.1 = mul.i32 %n.0, %m.0", "4: %x.1 = mul.i32 %n.0, %n.0"}}},
        {"something else", {{"4: %x.1 = mul.i32 %n.0, %m.0", "4: %x.1 = add.i32 %n.0, %m.0"}}},
        {"something else", {{"5: %y.1 = add.i32 %x.1, 3", "5: %y.1 = add.i32 %x.1, 4"}}},
        {"no operator of the old", {{"7: %1.1 = load.i32 [@g + 12]", "7: %u.1 = const.i32 3"}}},
        {"no operator of the old",
         {{"7: %1.1 = load.i32 [@g + 12]", "7: %d.1 = divs.i32 %n.0, %m.0"},
          {"14: %d.1 = divs.i32 %n.0, %m.0", "14: nop"}}},
        {"no operator of the old", {{"7: %1.1 = load.i32 [@g + 12]", "7: store.i32 [$s], %n.0"}}},
        {"may go wrong", {{"7: %1.1 = load.i32 [@g + 12]", "7: call @call(%n.0)"}}},
        {"instruction differs",
         {{"14: %d.1 = divs.i32 %n.0, %m.0", "14: %d.1 = divs.i32 %m.0, %n.0"}}},
        {"instruction differs", {{"13: store.i32 [$s], %y.1", "13: nop"}}},
        {"instruction differs", {{"13: store.i32 [$s], %y.1", "13: store.i32 [$s], %x.1"}}},
        {"instruction differs", {{"if lt.i32 %i.3, %n.0 then", "if le.i32 %i.3, %n.0 then"}}},
        {"leads elsewhere",
         {{"if lt.i32 %i.3, %n.0 then 18 else 19", "if lt.i32 %i.3, %n.0 then 19 else 18"}}},
        {"its phis have changed", {{"phi(8: %i.1, 18: %i.3)", "phi(8: %i.1, 18: %i.2)"}}},
        {"its phis have changed", {{"phi(8: %i.1, 18: %i.3)", "phi(8: %n.0, 18: %i.3)"}}},
        {"may go wrong", {{"6: %0.1 = load.i32 [%p.1 + 4]", "6: %0.1 = load.i32 [%p.1 + 8]"}}},
        {"may go wrong", {{"6: %0.1 = load.i32 [%p.1 + 4]", "6: %0.1 = load.i16 [%p.1 + 4]"}}},
        {"may go wrong", {{"7: %1.1 = load.i32 [@g + 12]", "7: %1.1 = load.i32 [@g + 13]"}}},
        {"may go wrong", {{"7: %1.1 = load.i32 [@g + 12]", "7: %1.1 = load.i32 [@g - 4]"}}},
        {"may go wrong", {{"7: %1.1 = load.i32 [@g + 12]", "7: %1.1 = load.i32 [@w]"}}},
        {"may go wrong", {{"7: %1.1 = load.i32 [@g + 12]", "7: %1.1 = load.i32 [@r]"}}},
        {"may go wrong", {{"7: %1.1 = load.i32 [@g + 12]", "7: %1.1 = load.i32 [@e]"}}},
        {"may go wrong", {{"7: %1.1 = load.i32 [@g + 12]", "7: %1.1 = load.i32 [$s + 5]"}}},
        {"may go wrong", {{"7: %1.1 = load.i32 [@g + 12]", "7: %1.1 = load.i32 [@call]"}}},
        {"sets an old register",
         {{"7: %1.1 = load.i32 [@g + 12]", "7: %b.1 = load.i32 [@g + 12]"},
          {"12: %b.1 = load.i32 [@g + 12]", "12: nop"}}},
    };
    forge_codes(start, forgeries, sizeof forgeries / sizeof forgeries[0]);
}

static void test_frames(void **state) {
    (void)state;
    forge_frames(start);
}

static HoistHint *hint_of(Forgery *f) {
    return f->hint;
}
static void drop_node(Forgery *f) {
    hint_of(f)->old.count--;
}
static void other_node(Forgery *f) {
    hint_of(f)->old.at[14] = (Node){10};
}
static void no_node(Forgery *f) {
    hint_of(f)->old.at[14] = (Node){99};
}
static void claim_added(Forgery *f) {
    hint_of(f)->old.at[14] = NO_NODE;
}
static void claim_latch_added(Forgery *f) {
    hint_of(f)->old.at[18] = NO_NODE;
}
static void claim_performed(Forgery *f) {
    hint_of(f)->old.at[8] = (Node){3};
}
static void other_entry(Forgery *f) {
    hint_of(f)->old.at[0] = NO_NODE;
}

static void test_hints(void **state) {
    (void)state;
    static const HintForgery forgeries[] = {
        {"a node less", drop_node, "does not cover"},
        {"another node", other_node, "leads elsewhere"},
        {"a node that does not exist", no_node, "performs no node"},
        {"a division is added", claim_added, "leads elsewhere"},
        {"the latch is added", claim_latch_added, "does not lead onwards"},
        {"what is added is performed", claim_performed, "leads elsewhere"},
        {"the entry is added", other_entry, "the entry is another"},
    };
    forge_hints(start, forgeries, sizeof forgeries / sizeof forgeries[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_codes), cmocka_unit_test(test_frames),
                                       cmocka_unit_test(test_hints)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
