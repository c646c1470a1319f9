// Forged closings of loops: wrong functions and wrong hints that check_close_loops must reject,
// each for the right reason. Every forgery starts from an honest output. The wrong functions are
// well-formed, so that nothing but the checker stands in their way.
#include "check/checkers.h"
#include "pass/pass.h"
#include "pipeline/step_check.h"
#include "test/gen/forge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// A loop with three exits: two lead to the join 17, one to 12. In the output:
//   6: nop, 7: %i.4, 8: %q.4, 9: nop -> 25    14: nop, 15: %t.2, 16: %q.7, 17: switch %t.2
//   21: nop, 22: %i.5, 23: %q.5, 24: nop      25: phis %i.6 and %q.6
static const char loop[] = "function i32 @f(i32 %n.0, i32 %m.0) {\n"
                           "  slot $s size 8 align 8\n"
                           "  0: %i.1 = const.i32 0\n"
                           "  1: %q.1 = const.i32 7\n"
                           "  2: nop\n"
                           "  3: %i.2 = phi(2: %i.1, 10: %i.3)\n"
                           "  3: %q.2 = phi(2: %q.1, 10: %q.3)\n"
                           "  3: if lt.i32 %i.2, %n.0 then 4 else 16\n"
                           "  4: %t.1 = mul.i32 %i.2, %m.0\n"
                           "  5: if eq.i32 %t.1, 42 then 6 else 7\n"
                           "  6: nop -> 17\n"
                           "  7: %q.3 = add.i32 %q.2, %t.1\n"
                           "  8: if lt.i32 %q.3, 100 then 9 else 11\n"
                           "  9: %i.3 = add.i32 %i.2, 1\n"
                           "  10: nop -> 3\n"
                           "  11: nop\n"
                           "  12: switch %t.1 { 1: 14, 2: 15, default: 13 }\n"
                           "  13: return %m.0\n"
                           "  14: return %q.3\n"
                           "  15: return %t.1\n"
                           "  16: nop\n"
                           "  17: %r.1 = add.i32 %i.2, %q.2\n"
                           "  18: store.i32 [$s], %r.1\n"
                           "  19: return %r.1\n"
                           "}\n"
                           "extern function void @abort()\n";

static Verdict check(Arena *arena, const Func *before, const Func *after, const void *hint) {
    return step_check(PASS_close_loops, arena, NULL, before, after, hint);
}

static Forgery start(void) {
    Forgery forgery = {.arena = arena_new("forgery"), .check = check};
    CloseLoopsHint *hint = ARENA_NEW(forgery.arena, CloseLoopsHint);
    forgery.before = forge_parse(forgery.arena, FORM_SSA, loop);
    forgery.after = close_loops(forgery.arena, forgery.before, hint);
    forgery.hint = hint;
    assert_non_null(forgery.after);
    return forgery;
}

// ---- Wrong functions

static const char no_copy[] = "an added node is no copy of its original";

static const CodeForgery wrong_code[] = {
    // old instructions
    {"differs from that of old node 0", {{"%i.1 = const.i32 0", "%i.1 = const.i32 1"}}},
    {"differs from that of old node 4", {{"mul.i32 %i.2, %m.0", "add.i32 %i.2, %m.0"}}},
    {"differs from that of old node 8", {{"if lt.i32 %q.3, 100", "if lt.i32 %q.3, 101"}}},
    {"differs from that of old node 18", {{"store.i32 [$s], %r.1", "nop"}}},
    {"differs from that of old node 18", {{"store.i32 [$s], %r.1", "store.i32 [$s + 4], %r.1"}}},
    {"differs from that of old node 12", {{"{ 1: 19, 2: 20,", "{ 1: 19, 3: 20,"}}},
    {"differs from that of old node 12",
     {{"{ 1: 19, 2: 20, default: 18 }", "{ 1: 19, default: 18 }"}}},
    {"differs from that of old node 11", {{"  14: nop", "  14: call @abort()"}}},
    {"argument 0 is another value", {{"mul.i32 %i.2, %m.0", "mul.i32 %q.2, %m.0"}}},
    {"argument 1 is another value", {{"mul.i32 %i.2, %m.0", "mul.i32 %i.2, %n.0"}}},
    {"argument 0 is another value", {{"add.i32 %i.6, %q.6", "add.i32 %q.6, %q.6"}}},
    {"argument 1 is another value", {{"add.i32 %i.6, %q.6", "add.i32 %i.6, %i.6"}}},
    {"argument 0 is another value", {{"return %q.7", "return %t.2"}}},
    {"argument 0 is another value", {{"switch %t.2", "switch %q.7"}}},
    {"argument 0 is another value", {{"return %m.0", "return %n.0"}}},
    // edges
    {"successor 0 is another one", {{"then 4 else 21", "then 21 else 4"}}},
    {"successor 0 is another one", {{"then 6 else 10", "then 10 else 6"}}},
    {"successor 1 is another one",
     {{"{ 1: 19, 2: 20, default: 18 }", "{ 1: 20, 2: 19, default: 18 }"}}},
    {"successor 0 is another one",
     {{"{ 1: 19, 2: 20, default: 18 }", "{ 1: 19, 2: 18, default: 20 }"}}},
    // copies
    {no_copy, {{"%i.4 = move.i32 %i.2", "%i.4 = move.i32 %q.2"}}},
    {no_copy, {{"%q.4 = move.i32 %q.2", "%q.4 = move.i32 %n.0"}}},
    {no_copy, {{"%q.5 = move.i32 %q.2", "%q.5 = move.i32 %q.1"}}},
    {no_copy, {{"%t.2 = move.i32 %t.1", "%t.2 = const.i32 42"}}},
    {no_copy, {{"%t.2 = move.i32 %t.1", "%t.2 = neg.i32 %t.1"}}},
    {no_copy, {{"%q.7 = move.i32 %q.3", "%q.7 = load.i32 [$s]"}}},
    {no_copy, {{"%q.7 = move.i32 %q.3", "%q.7 = add.i32 %q.3, 1"}}},
    {no_copy, {{"  6: nop", "  6: store.i32 [$s], %m.0"}}},
    {no_copy, {{"  6: nop", "  6: check %m.0"}}},
    // phis
    {"argument 0 of a phi is another value",
     {{"phi(2: %i.1, 13: %i.3)", "phi(2: %q.1, 13: %i.3)"}}},
    {"argument 1 of a phi is another value",
     {{"phi(2: %q.1, 13: %q.3)", "phi(2: %q.1, 13: %q.2)"}}},
    {"argument 0 of an added phi is another value",
     {{"phi(9: %i.4, 24: %i.5)", "phi(9: %q.4, 24: %i.5)"}}},
    {"argument 1 of an added phi is another value",
     {{"phi(9: %q.4, 24: %q.5)", "phi(9: %q.4, 24: %q.1)"}}},
    {"argument 1 of an added phi is another value",
     {{"phi(9: %q.4, 24: %q.5)", "phi(9: %q.4, 24: %m.0)"}}},
    {"a phi is missing",
     {{"  3: %i.2 = phi(2: %i.1, 13: %i.3)\n  3: %q.2 = phi(2: %q.1, 13: %q.3)\n",
       "  3: %q.2 = phi(2: %q.1, 13: %q.3)\n  3: %i.2 = phi(2: %i.1, 13: %i.3)\n"}}},
    // around
    {"the hint does not cover everything",
     {{"27: return %r.1", "27: return %r.1\n  28: return %r.1"}}},
    {"the hint does not cover everything",
     {{"27: return %r.1", "27: return %r.1\n  28: nop -> 28"}}},
    {"the hint does not cover everything",
     {{"%r.1 = add.i32 %i.6, %q.6\n", "%r.1 = add.i32 %i.6, %z.0\n"},
      {"align 8\n", "align 8\n  reg i32 %z.0\n"}}},
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

static CloseLoopsHint *hint_of(Forgery *forgery) {
    return forgery->hint;
}

static const char no_such[] = "the hint names an old node that does not exist";

static const struct {
    uint32_t node, old;
    const char *reason;
} wrong_nodes[] = {
    {5, 20, no_such},
    {5, NO_ID - 1, no_such},
    {27, 20, no_such},
    {0, 1, "the entry is another one"},
    {0, NO_ID, "the entry is another one"},
    {1, NO_ID, "successor 0 is another one"},
    {1, 0, "successor 0 is another one"},
    {4, 7, "successor 0 is another one"},
    {5, NO_ID, "successor 0 is another one"},
    {6, 6, "successor 0 is another one"},
    {6, 11, "successor 0 is another one"},
    {7, 4, "successor 0 is another one"},
    {9, NO_ID, "successor 0 is another one"},
    {9, 16, "successor 0 is another one"},
    {17, NO_ID, "successor 0 is another one"},
    {18, NO_ID, "successor 0 is another one"},
    {19, 15, "successor 1 is another one"},
    {3, NO_ID, "successor 0 is another one"},
    {25, NO_ID, "successor 0 is another one"},
    {2, 16, "successor 0 is another one"},
    {24, 6, "successor 1 is another one"},
};

static void test_wrong_nodes(void **state) {
    (void)state;
    for (uint32_t i = 0; i < sizeof wrong_nodes / sizeof wrong_nodes[0]; i++) {
        Forgery forgery = start();
        hint_of(&forgery)->old.at[wrong_nodes[i].node] = (Node){wrong_nodes[i].old};
        const char *what =
            arena_printf(forgery.arena, "node %u as %u", wrong_nodes[i].node, wrong_nodes[i].old);
        forge_expect_rejected(&forgery, what, wrong_nodes[i].reason);
    }
}

static const struct {
    const char *reg, *original;
    const char *reason;
} wrong_originals[] = {
    {"%i.4", "%q.2", no_copy},
    {"%i.4", "%i.1", no_copy},
    {"%q.4", "%i.2", no_copy},
    {"%t.2", "%q.3", no_copy},
    {"%i.6", "%q.2", "argument 0 of an added phi is another value"},
    {"%i.6", "%n.0", "argument 0 of an added phi is another value"},
    {"%q.7", "%r.1", no_copy},
    {"%q.7", NULL, "has no original"},
};

static void test_wrong_originals(void **state) {
    (void)state;
    for (uint32_t i = 0; i < sizeof wrong_originals / sizeof wrong_originals[0]; i++) {
        Forgery forgery = start();
        uint32_t added =
            forge_reg(forgery.after, wrong_originals[i].reg).i - forgery.before->regs.count;
        const char *original = wrong_originals[i].original;
        hint_of(&forgery)->original.at[added] =
            original ? forge_reg(forgery.before, original) : (Reg){forgery.before->regs.count};
        forge_expect_rejected(&forgery, wrong_originals[i].reg, wrong_originals[i].reason);
    }
}

static void old_less(Forgery *forgery) {
    hint_of(forgery)->old.count--;
}
static void old_more(Forgery *forgery) {
    vec_push(forgery->arena, &hint_of(forgery)->old, NO_NODE);
}
static void original_less(Forgery *forgery) {
    hint_of(forgery)->original.count--;
}
static void original_more(Forgery *forgery) {
    vec_push(forgery->arena, &hint_of(forgery)->original, (Reg){0});
}
static void original_far_out(Forgery *forgery) {
    hint_of(forgery)->original.at[0] = NO_REG;
}
static void empty(Forgery *forgery) {
    *hint_of(forgery) = (CloseLoopsHint){0};
}

static void test_size(void **state) {
    (void)state;
    static const char cover[] = "the hint does not cover everything";
    static const HintForgery forgeries[] = {
        {"a node less", old_less, cover},
        {"a node more", old_more, cover},
        {"a register less", original_less, cover},
        {"a register more", original_more, cover},
        {"no register", original_far_out, "added register 0 has no original"},
        {"nothing", empty, cover},
    };
    forge_hints(start, forgeries, sizeof forgeries / sizeof forgeries[0]);
}

// ---- By hand

// An output as changes of the input, with the old node of each new one and the original of each
// added register.
static void reject_by_hand(const char *text, const Edit *edits, const uint32_t *old,
                           const char *original, bool well_formed, const char *reason) {
    CloseLoopsHint hint = {0};
    Forgery forgery = {.arena = arena_new("forgery"), .check = check, .hint = &hint};
    forgery.before = forge_parse(forgery.arena, FORM_SSA, text);
    forgery.after = forge_edit(forgery.arena, forgery.before, edits);
    assert_int_equal(forge_is_well_formed(&forgery), well_formed);
    for (uint32_t n = 0; n < forgery.after->nodes.count; n++)
        vec_push(forgery.arena, &hint.old, (Node){old[n]});
    for (uint32_t r = forgery.before->regs.count; r < forgery.after->regs.count; r++)
        vec_push(forgery.arena, &hint.original, forge_reg(forgery.before, original));
    forge_expect_rejected(&forgery, edits[0].to, reason);
}

#define NONE NO_ID

static const char diamond[] = "function i32 @f(i32 %n.0, i32 %m.0) {\n"
                              "  0: %x.1 = add.i32 %n.0, 1\n"
                              "  1: if lt.i32 %n.0, %m.0 then 2 else 3\n"
                              "  2: nop -> 4\n"
                              "  3: nop\n"
                              "  4: %y.1 = phi(2: %x.1, 3: %n.0)\n"
                              "  4: %z.1 = sub.i32 %x.1, %y.1\n"
                              "  5: return %z.1\n"
                              "}\n";

// Added nodes that end, branch or go round, before anything is known of them.
static void test_added_nodes(void **state) {
    (void)state;
    reject_by_hand(diamond,
                   (Edit[MAX_EDITS]){{"then 2 else 3", "then 2 else 6"},
                                     {"  3: nop", "  6: return %n.0\n  3: nop"}},
                   (uint32_t[]){0, 1, 2, NONE, 3, 4, 5}, NULL, true, "successor 1 is another one");
    reject_by_hand(
        diamond,
        (Edit[MAX_EDITS]){{"then 2 else 3", "then 2 else 6"},
                          {"  3: nop",
                           "  6: switch %n.0 { 1: 3, 2: 7, 3: 8, default: 9 }\n"
                           "  7: return %n.0\n  8: return %n.0\n  9: return %n.0\n  3: nop"}},
        (uint32_t[]){0, 1, 2, NONE, NONE, NONE, NONE, 3, 4, 5}, NULL, true,
        "successor 1 is another one");
    reject_by_hand(diamond,
                   (Edit[MAX_EDITS]){{"then 2 else 3", "then 2 else 6"},
                                     {"  3: nop", "  6: nop\n  7: nop\n  8: nop -> 7\n  3: nop"}},
                   (uint32_t[]){0, 1, 2, NONE, NONE, NONE, 3, 4, 5}, NULL, true,
                   "successor 1 is another one");
    // two ways into one added nop
    reject_by_hand(
        diamond,
        (Edit[MAX_EDITS]){{"  2: nop -> 4", "  2: nop -> 6"},
                          {"  3: nop\n", "  3: nop\n  6: nop\n"},
                          {"  4: %y.1 = phi(2: %x.1, 3: %n.0)\n", "  4: %y.1 = move.i32 %x.1\n"},
                          {"4: %z.1", "7: %z.1"}},
        (uint32_t[]){0, 1, 2, 3, NONE, NONE, 4, 5}, NULL, true, "successor 0 is another one");
}

// The phis of an old join: none may be lost, and its ways in are the old ones in the old order.
static void test_joins(void **state) {
    (void)state;
    reject_by_hand(diamond, (Edit[MAX_EDITS]){{"then 2 else 3", "then 3 else 2"}},
                   (uint32_t[]){0, 1, 3, 2, 4, 5}, NULL, true, "predecessor 0 is another one");
    reject_by_hand(
        diamond, (Edit[MAX_EDITS]){{"  3: nop", "  3: nop\n  6: nop"}, {"3: %n.0)", "6: %n.0)"}},
        (uint32_t[]){0, 1, 2, 3, NONE, 4, 5}, NULL, true, "predecessor 1 is another one");
    reject_by_hand(diamond,
                   (Edit[MAX_EDITS]){{"  4: %y.1 = phi(2: %x.1, 3: %n.0)\n", ""},
                                     {"%x.1, %y.1", "%x.1, %n.0"}},
                   (uint32_t[]){0, 1, 2, 3, 4, 5}, NULL, true, "phis are missing");
    reject_by_hand(diamond,
                   (Edit[MAX_EDITS]){{"  4: %z.1", "  4: %x.2 = phi(2: %x.1, 3: %x.1)\n  4: %z.1"},
                                     {"%z.1 = sub.i32 %x.1, %y.1", "%z.1 = sub.i32 %x.2, %y.1"}},
                   (uint32_t[]){0, 1, 2, 3, 4, 5}, "%y.1", true,
                   "argument 0 of an added phi is another value");
}

// An added register that nothing sets, in the place of one that is.
static void test_undefined(void **state) {
    (void)state;
    reject_by_hand(diamond,
                   (Edit[MAX_EDITS]){{"%z.1 = sub.i32 %x.1, %y.1", "%z.1 = sub.i32 %x.0, %y.1"},
                                     {"  0: %x.1", "  reg i32 %x.0\n  0: %x.1"}},
                   (uint32_t[]){0, 1, 2, 3, 4, 5}, "%x.1", true, "added register 0 is never set");
}

// An added phi at the join that sets its original would have the value of the round before. (So
// would every register of that original that comes in from outside, which is why the verifier finds
// it, too.)
static void test_stale_phi(void **state) {
    (void)state;
    static const char text[] = "function i32 @f(i32 %n.0, i32 %m.0) {\n"
                               "  0: nop\n"
                               "  1: %i.1 = phi(0: %n.0, 4: %i.2)\n"
                               "  1: if lt.i32 %i.1, %m.0 then 2 else 5\n"
                               "  2: %i.2 = add.i32 %i.1, 1\n"
                               "  3: store.i32 [@g], %i.1\n"
                               "  4: nop -> 1\n"
                               "  5: return %i.1\n"
                               "}\n"
                               "global @g size 8 align 8\n";
    reject_by_hand(text,
                   (Edit[MAX_EDITS]){{"  1: if", "  1: %i.3 = phi(0: %i.3, 4: %i.1)\n  1: if"},
                                     {"[@g], %i.1", "[@g], %i.3"}},
                   (uint32_t[]){0, 1, 2, 3, 4, 5}, "%i.1", false,
                   "the original of an added phi is not set before");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_code),  cmocka_unit_test(test_wrong_frame),
        cmocka_unit_test(test_wrong_nodes), cmocka_unit_test(test_wrong_originals),
        cmocka_unit_test(test_size),        cmocka_unit_test(test_added_nodes),
        cmocka_unit_test(test_joins),       cmocka_unit_test(test_stale_phi),
        cmocka_unit_test(test_undefined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
