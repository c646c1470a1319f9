// Forged constants: wrong functions and wrong hints that check_sccp must reject, each for the right
// reason. Every forgery starts from an honest output. Unless it says so it is well-formed, so that
// nothing but the checker stands in its way.
#include "check/checkers.h"
#include "check/passes.h"
#include "pass/pass.h"
#include "pass/values/values_hint.h"
#include "test/gen/forge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// A loop that keeps %x at 1, a branch that is decided (9), one that is not (5), a division by zero.
static const char loop[] = "function i32 @f(i32 %n.0, i32 %m.0) {\n"
                           "  slot $s size 8 align 8\n"
                           "  reg i32 %u.0\n"
                           "  0: %x.1 = const.i32 1\n"
                           "  1: %i.1 = const.i32 0\n"
                           "  2: %c.1 = call @getchar()\n"
                           "  3: nop\n"
                           "  4: %x.2 = phi(3: %x.1, 13: %x.4)\n"
                           "  4: %i.2 = phi(3: %i.1, 13: %i.3)\n"
                           "  4: %v.2 = phi(3: %u.0, 13: %v.2)\n"
                           "  4: if lt.i32 %i.2, %n.0 then 5 else 14\n"
                           "  5: %i.3 = add.i32 %i.2, %x.2\n"
                           "  6: %s.1 = sub.i32 %x.2, %n.0\n"
                           "  7: %d.1 = divs.i32 %x.2, %i.1\n"
                           "  8: store.i32 [$s], %s.1\n"
                           "  9: if eq.i32 %x.2, 1 then 10 else 12\n"
                           "  10: %x.3 = mul.i32 %x.2, %x.2\n"
                           "  11: nop -> 13\n"
                           "  12: nop\n"
                           "  13: %x.4 = phi(11: %x.3, 12: %m.0)\n"
                           "  13: nop -> 4\n"
                           "  14: nop\n"
                           "  15: %w.1 = sext.i64 %x.2\n"
                           "  16: %r.1 = add.i32 %x.2, %c.1\n"
                           "  17: %t.1 = cvt.f80.i32 %x.2\n"
                           "  18: switch %x.1 { -1: 19, 1: 20, default: 21 }\n"
                           "  19: return %n.0\n"
                           "  20: return %r.1\n"
                           "  21: return %m.0\n"
                           "}\n"
                           "extern function i32 @getchar()\n";

static Verdict check(Arena *arena, const Func *before, const Func *after, const void *hint) {
    return pass_check(PASS_sccp, arena, NULL, before, after,
                      explain_SccpHint(arena, before, after, hint));
}

static Forgery start(void) {
    Forgery forgery = {.arena = arena_new("forgery"), .check = check, .by_values = true};
    SccpHint *hint = ARENA_NEW(forgery.arena, SccpHint);
    forgery.before = forge_parse(forgery.arena, FORM_SSA, loop);
    forgery.after = sccp(forgery.arena, forgery.before, hint);
    forgery.hint = hint;
    assert_non_null(forgery.after);
    return forgery;
}

static SccpHint *hint_of(Forgery *forgery) {
    return forgery->hint;
}
static SccpFact *fact_of(Forgery *forgery, const char *reg) {
    return &hint_of(forgery)->facts.at[forge_reg(forgery->before, reg).i];
}

// ---- Wrong functions

static const char follows[] = "does not follow from the facts";
static const char successors[] = "its successors differ";

static const CodeForgery wrong_code[] = {
    {follows, {{"%x.3 = const.i32 1", "%x.3 = const.i32 2"}}},
    {follows, {{"%x.1 = const.i32 1", "%x.1 = const.i32 3"}}},
    {follows, {{"%w.1 = const.i64 1", "%w.1 = const.i64 4294967297"}}},
    {follows, {{"0x3fff:0x8000000000000000", "0x4000:0x8000000000000000"}}},
    {follows, {{"0x3fff:0x8000000000000000", "0x3fff:0x8000000000000001"}}},
    {follows, {{"add.i32 %i.2, 1", "add.i32 %i.2, 2"}}},
    {follows, {{"add.i32 %i.2, 1", "sub.i32 %i.2, 1"}}},
    {follows, {{"add.i32 %i.2, 1", "add.i32 %n.0, 1"}}},
    {follows, {{"sub.i32 %x.2, %n.0", "sub.i32 %n.0, 1"}}},
    {follows, {{"%i.3 = add.i32 %i.2, 1", "%i.3 = const.i32 1"}}},
    {follows, {{"divs.i32 %x.2, 0", "divs.i32 %x.2, 1"}}},
    {follows, {{"%d.1 = divs.i32 %x.2, 0", "%d.1 = const.i32 0"}}},
    {follows, {{"divs.i32 %x.2, 0", "divu.i32 %x.2, 0"}}},
    {follows, {{"%r.1 = add.i32 %c.1, 1", "%r.1 = const.i32 1"}}},
    {follows, {{"%r.1 = add.i32 %c.1, 1", "%r.1 = add.i32 %m.0, 1"}}},
    {follows, {{"%c.1 = call @getchar()", "%c.1 = const.i32 1"}}},
    {follows, {{"store.i32 [$s], %s.1", "nop"}}},
    {follows, {{"store.i32 [$s], %s.1", "store.i32 [$s], %n.0"}}},
    {follows, {{"store.i32 [$s], %s.1", "store.i32 [$s + 4], %s.1"}}},
    {follows, {{"if lt.i32 %i.2, %n.0", "if le.i32 %i.2, %n.0"}}},
    {follows, {{"if lt.i32 %i.2, %n.0", "if lt.i32 %i.2, 1"}}},
    {follows, {{"20: return %r.1", "20: return %n.0"}}},
    {successors, {{"if lt.i32 %i.2, %n.0 then 5 else 14", "if lt.i32 %i.2, %n.0 then 14 else 5"}}},
    {successors, {{"if lt.i32 %i.2, %n.0 then 5 else 14", "nop"}}},
    {successors, {{"9: nop", "9: nop -> 12"}}},
    {successors, {{"18: nop -> 20", "18: nop -> 21"}}},
    {successors, {{"18: nop -> 20", "18: nop"}}},
    {successors, {{"20: return %r.1", "20: nop"}}},
    {"phi 0 differs", {{"phi(3: %x.1, 13: %x.4)", "phi(3: %m.0, 13: %x.4)"}}},
    {"phi 0 differs", {{"phi(11: %x.3, 12: %m.0)", "phi(11: %x.3, 12: %n.0)"}}},
    {"phi 1 differs", {{"phi(3: %i.1, 13: %i.3)", "phi(3: %i.1, 13: %i.2)"}}},
    {"phi 2 differs", {{"phi(3: %u.0, 13: %v.2)", "phi(3: %u.0, 13: %u.0)"}}},
    {"the number of phis differs", {{"  4: %v.2 = phi(3: %u.0, 13: %v.2)\n", ""}}},
    {"the number of phis differs",
     {{"  13: %x.4 = phi(", "  13: %k.1 = phi(11: %n.0, 12: %m.0)\n  13: %x.4 = phi("}}},
    {"the number of nodes has changed",
     {{"  21: return %m.0\n", "  21: return %m.0\n  22: return %m.0\n"}}},
};

static void test_wrong_code(void **state) {
    (void)state;
    forge_codes(start, wrong_code, sizeof wrong_code / sizeof wrong_code[0]);
}

static void test_wrong_frame(void **state) {
    (void)state;
    forge_frames(start);
}

// ---- Wrong hints

static const char not_known[] = "its result is not known to be that constant";
static const char senseless[] = "makes no sense";

static const struct {
    const char *reg;
    SccpFact fact;
    const char *reason;
} wrong_facts[] = {
    {"%x.1", {.kind = SCCP_CONST, .bits = 2}, not_known},
    {"%x.1", {.kind = SCCP_FREE}, "its result is defined"},
    {"%x.1", {.kind = SCCP_VARIES}, "argument 0 of a phi is not that constant"},
    {"%x.2", {.kind = SCCP_CONST, .bits = 2}, "argument 0 of a phi is not that constant"},
    {"%x.2", {.kind = SCCP_FREE}, "argument 0 of a phi is not that constant"},
    {"%x.2", {.kind = SCCP_VARIES}, "its successor 12 may be executed"},
    {"%x.3", {.kind = SCCP_CONST, .bits = 7}, not_known},
    {"%x.4", {.kind = SCCP_CONST, .bits = 7}, "argument 1 of a phi is not that constant"},
    {"%x.4", {.kind = SCCP_VARIES}, "argument 1 of a phi is not that constant"},
    {"%i.2", {.kind = SCCP_CONST, .bits = 0}, "argument 1 of a phi is not that constant"},
    {"%i.2", {.kind = SCCP_FREE}, "argument 0 of a phi is not that constant"},
    {"%i.3", {.kind = SCCP_CONST, .bits = 1}, not_known},
    {"%s.1", {.kind = SCCP_CONST, .bits = 1}, not_known},
    {"%s.1", {.kind = SCCP_FREE}, "its result is defined"},
    {"%d.1", {.kind = SCCP_CONST, .bits = 0}, not_known},
    {"%c.1", {.kind = SCCP_CONST, .bits = 0}, not_known},
    {"%c.1", {.kind = SCCP_FREE}, "its result is defined"},
    {"%w.1", {.kind = SCCP_CONST, .bits = 2}, not_known},
    {"%t.1", {.kind = SCCP_CONST, .bits = 1ull << 63, .high = 0x4000}, not_known},
    {"%n.0", {.kind = SCCP_CONST, .bits = 0}, "parameter 0 is not known"},
    {"%m.0", {.kind = SCCP_FREE}, "parameter 1 is not known"},
    {"%u.0", {.kind = SCCP_CONST, .bits = 5}, "is never set to a constant"},
    {"%u.0", {.kind = SCCP_VARIES}, "argument 0 of a phi is not that constant"},
    {"%x.1", {.kind = SCCP_FREE + 1, .bits = 1}, senseless},
    {"%x.1", {.kind = 255}, senseless},
    {"%v.2", {.kind = SCCP_CONST, .bits = 1ull << 32}, senseless},
    {"%v.2", {.kind = SCCP_CONST, .high = 1}, senseless},
    {"%w.1", {.kind = SCCP_CONST, .bits = 1, .high = 1}, senseless},
};

static void test_wrong_facts(void **state) {
    (void)state;
    for (uint32_t i = 0; i < sizeof wrong_facts / sizeof wrong_facts[0]; i++) {
        Forgery forgery = start();
        *fact_of(&forgery, wrong_facts[i].reg) = wrong_facts[i].fact;
        forge_expect_rejected(&forgery, wrong_facts[i].reg, wrong_facts[i].reason);
    }
}

// What is never defined may be taken for any value of its type, and what follows from it as well.
static void test_undefined_as_constant(void **state) {
    (void)state;
    Forgery forgery = start();
    *fact_of(&forgery, "%v.2") = (SccpFact){.kind = SCCP_CONST, .bits = UINT32_MAX};
    forge_expect_accepted(&forgery, "an undefined register as a constant");
    arena_free(forgery.arena);
}

// A node that is executed is said not to be.
static void test_not_reached(void **state) {
    (void)state;
    static const struct {
        uint32_t node;
        const char *reason;
    } cases[] = {
        {0, "the entry is not reached"},          {1, "its successor 1 may be executed"},
        {4, "its successor 4 may be executed"},   {5, "its successor 5 may be executed"},
        {10, "its successor 10 may be executed"}, {13, "its successor 13 may be executed"},
        {14, "its successor 14 may be executed"}, {20, "its successor 20 may be executed"}};
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Forgery forgery = start();
        bits_remove(&hint_of(&forgery)->reached, cases[i].node);
        forge_expect_rejected(&forgery, cases[i].reason, cases[i].reason);
    }
}

// More nodes may be said to be executed than are: what is known then has to hold there, too.
static void test_reached(void **state) {
    (void)state;
    Forgery forgery = start();
    bits_add(&hint_of(&forgery)->reached, 12);
    forge_expect_rejected(&forgery, "12", "argument 1 of a phi is not that constant");
    forgery = start();
    bits_add(&hint_of(&forgery)->reached, 21);
    forge_expect_accepted(&forgery, "21");
    arena_free(forgery.arena);
}

static void fact_less(Forgery *forgery) {
    hint_of(forgery)->facts.count--;
}
static void fact_more(Forgery *forgery) {
    vec_push(forgery->arena, &hint_of(forgery)->facts, (SccpFact){.kind = SCCP_VARIES});
}
static void node_less(Forgery *forgery) {
    hint_of(forgery)->reached.size--;
}
static void node_more(Forgery *forgery) {
    hint_of(forgery)->reached.size++;
}
static void no_hint(Forgery *forgery) {
    *hint_of(forgery) = (SccpHint){0};
}

static void test_size(void **state) {
    (void)state;
    static const char reason[] = "the hint does not cover everything";
    static const HintForgery forgeries[] = {
        {"a fact less", fact_less, reason}, {"a fact more", fact_more, reason},
        {"a node less", node_less, reason}, {"a node more", node_more, reason},
        {"no hint", no_hint, reason},
    };
    forge_hints(start, forgeries, sizeof forgeries / sizeof forgeries[0]);
}

// A join with fewer ways in than its phis had arguments for: the graph is found to differ before
// any argument is read.
static void test_fewer_arguments(void **state) {
    (void)state;
    Forgery forgery = {.arena = arena_new("forgery"), .check = check, .by_values = true};
    SccpHint hint = {0};
    forgery.before = forge_parse(forgery.arena, FORM_SSA, forge_three_ways);
    assert_non_null(sccp(forgery.arena, forgery.before, &hint));
    forgery.hint = &hint;
    forgery.after = forge_edit(forgery.arena, forgery.before, forge_two_ways);
    assert_true(forge_is_well_formed(&forgery));
    forge_expect_rejected(&forgery, "fewer arguments", successors);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_code),  cmocka_unit_test(test_wrong_frame),
        cmocka_unit_test(test_wrong_facts), cmocka_unit_test(test_undefined_as_constant),
        cmocka_unit_test(test_not_reached), cmocka_unit_test(test_reached),
        cmocka_unit_test(test_size),        cmocka_unit_test(test_fewer_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
