// Forged tidying: wrong functions and wrong hints that check_copies must reject, each for the right
// reason. Every forgery starts from an honest output. The wrong functions are well-formed, so that
// nothing but the checker stands in its way.
#include "check/checkers.h"
#include "check/passes.h"
#include "pass/pass.h"
#include "test/gen/forge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// A loop (4) with a diamond (10) and idle nops; 14 to 16 cannot be reached, so that 18 has one way
// in left, and its phis become copies; a second loop (23) that does nothing.
static const char loop[] = "function i32 @f(i32 %n.0, i32 %m.0) {\n"
                           "  slot $s size 8 align 8\n"
                           "  0: %i.1 = const.i32 0\n"
                           "  1: nop\n"
                           "  2: %x.1 = const.i32 1\n"
                           "  3: nop\n"
                           "  4: %i.2 = phi(3: %i.1, 12: %i.3)\n"
                           "  4: %x.2 = phi(3: %x.1, 12: %x.5)\n"
                           "  4: if lt.i32 %i.2, %n.0 then 5 else 13\n"
                           "  5: if lt.i32 %x.2, %m.0 then 6 else 8\n"
                           "  6: %x.3 = add.i32 %x.2, 2\n"
                           "  7: nop -> 10\n"
                           "  8: %x.4 = mul.i32 %x.2, 3\n"
                           "  9: nop\n"
                           "  10: %x.5 = phi(7: %x.3, 9: %x.4)\n"
                           "  10: %i.3 = add.i32 %i.2, 1\n"
                           "  11: nop\n"
                           "  12: nop -> 4\n"
                           "  13: nop -> 17\n"
                           "  14: %z.1 = const.i32 9\n"
                           "  15: store.i32 [$s], %z.1\n"
                           "  16: nop -> 18\n"
                           "  17: nop\n"
                           "  18: %y.1 = phi(16: %z.1, 17: %x.2)\n"
                           "  18: %w.1 = phi(16: %z.1, 17: %m.0)\n"
                           "  18: %r.1 = sub.i32 %y.1, %w.1\n"
                           "  19: store.i32 [$s], %r.1\n"
                           "  20: switch %r.1 { 1: 21, 2: 22, default: 24 }\n"
                           "  21: return %y.1\n"
                           "  22: nop\n"
                           "  23: nop -> 25\n"
                           "  24: return %w.1\n"
                           "  25: nop -> 23\n"
                           "}\n";

// The break out of the inner loop (6) leaves both, as 16 does not return: it needs a second landing
// pad. In the output 6 is that pad, 10 and 17 are pads of other exits.
static const char exits[] = "function i32 @f(i32 %n.0, i32 %m.0) {\n"
                            "  slot $s size 8 align 8\n"
                            "  0: %i.1 = const.i32 0\n"
                            "  1: nop\n"
                            "  2: nop\n"
                            "  3: %i.2 = phi(2: %i.1, 15: %i.3)\n"
                            "  3: if lt.i32 %i.2, %n.0 then 4 else 18\n"
                            "  4: nop\n"
                            "  5: %j.2 = phi(4: %i.1, 9: %j.3)\n"
                            "  5: if lt.i32 %j.2, %m.0 then 6 else 10\n"
                            "  6: if eq.i32 %j.2, %i.2 then 7 else 8\n"
                            "  7: nop -> 16\n"
                            "  8: %j.3 = add.i32 %j.2, 1\n"
                            "  9: nop -> 5\n"
                            "  10: nop\n"
                            "  11: if lt.i32 %j.2, 5 then 12 else 13\n"
                            "  12: nop -> 16\n"
                            "  13: %i.3 = add.i32 %i.2, 1\n"
                            "  14: nop\n"
                            "  15: nop -> 3\n"
                            "  16: %x.1 = phi(7: %j.2, 12: %i.2)\n"
                            "  16: store.i32 [$s], %x.1\n"
                            "  17: return %x.1\n"
                            "  18: return %m.0\n"
                            "}\n";

static Verdict check(Arena *arena, const Func *before, const Func *after, const void *hint) {
    return pass_check(PASS_tidy, arena, NULL, before, after, hint);
}

static Forgery start_from(const char *text) {
    Forgery forgery = {.arena = arena_new("forgery"), .check = check};
    CopiesHint *hint = ARENA_NEW(forgery.arena, CopiesHint);
    forgery.before = forge_parse(forgery.arena, FORM_SSA, text);
    forgery.after = tidy(forgery.arena, forgery.before, hint);
    forgery.hint = hint;
    assert_non_null(forgery.after);
    return forgery;
}
static Forgery start_loop(void) {
    return start_from(loop);
}
static Forgery start_exits(void) {
    return start_from(exits);
}

// ---- Wrong functions

static const CodeForgery wrong_loops[] = {
    {"differs from that of old node 0", {{"%i.1 = const.i32 0", "%i.1 = const.i32 1"}}},
    {"differs from that of old node 6", {{"add.i32 %x.2, 2", "add.i32 %x.2, 4"}}},
    {"differs from that of old node 6", {{"add.i32 %x.2, 2", "add.i32 %i.2, 2"}}},
    {"differs from that of old node 8", {{"mul.i32 %x.2, 3", "add.i32 %x.2, 3"}}},
    {"differs from that of old node 4", {{"if lt.i32 %i.2, %n.0", "if le.i32 %i.2, %n.0"}}},
    {"does not lead on from that of old node 19", {{"store.i32 [$s], %r.1", "nop"}}},
    {"differs from that of old node 19", {{"store.i32 [$s], %r.1", "store.i32 [$s + 4], %r.1"}}},
    {"differs from that of old node 20", {{"{ 1: 18, 2: 19", "{ 1: 18, 3: 19"}}},
    {"differs from that of old node 21", {{"return %y.1", "return %r.1"}}},
    {"differs from that of old node 17", {{"11: nop", "11: %k.1 = const.i32 1"}}},
    {"does not lead on from that of old node 5", {{"then 4 else 11", "then 11 else 4"}}},
    {"does not lead on from that of old node 6", {{"then 5 else 7", "then 7 else 5"}}},
    {"does not lead on from that of old node 24",
     {{"{ 1: 18, 2: 19", "{ 1: 17, 2: 19"}, {"17 }", "18 }"}}},
    {"does not lead on from that of old node 24",
     {{"{ 1: 18, 2: 19, default: 17", "{ 1: 18, 2: 17, default: 19"}}},
    {"register 4 does not hold", {{"phi(2: %i.1, 10: %i.3)", "phi(2: %x.1, 10: %i.3)"}}},
    {"register 4 does not hold", {{"phi(2: %i.1, 10: %i.3)", "phi(2: %i.1, 10: %i.2)"}}},
    {"register 6 does not hold", {{"phi(2: %x.1, 10: %x.5)", "phi(2: %x.1, 10: %x.2)"}}},
    {"register 7 does not hold", {{"phi(6: %x.3, 8: %x.4)", "phi(6: %x.2, 8: %x.4)"}}},
    {"register 7 does not hold", {{"phi(6: %x.3, 8: %x.4)", "phi(6: %x.3, 8: %m.0)"}}},
    {"differs from that of old node 18", {{"%y.1 = move.i32 %x.2", "%y.1 = move.i32 %i.2"}}},
    {"differs from that of old node 18", {{"%w.1 = move.i32 %m.0", "%w.1 = move.i32 %n.0"}}},
    {"differs from that of old node 17", {{"%w.1 = move.i32 %m.0", "%w.1 = const.i32 9"}}},
    {"the hint does not cover every node", {{"20: nop\n", "20: nop\n  22: nop\n"}}},
    {"does not cover every node",
     {{"  17: return %w.1\n", "  17: return %w.1\n  22: return %n.0\n"}}},
};

static const CodeForgery wrong_exits[] = {
    {"differs from that of old node 7", {{"  6: nop", "  6: %k.1 = const.i32 1"}}},
    {"differs from that of old node 7", {{"  6: nop", "  6: store.i32 [$s], %j.2"}}},
    {"differs from that of old node 11", {{"10: nop", "10: check %m.0"}}},
    {"does not lead on from that of old node 7", {{"then 6 else 8", "then 8 else 6"}}},
    {"register 7 does not hold", {{"phi(7: %j.2, 12: %i.2)", "phi(7: %i.2, 12: %i.2)"}}},
    {"register 5 does not hold", {{"phi(3: %i.1, 9: %j.3)", "phi(3: %n.0, 9: %j.3)"}}},
    {"does not lead on from that of old node 4", {{"then 3 else 17", "then 17 else 3"}}},
};

static void test_wrong_code(void **state) {
    (void)state;
    forge_codes(start_loop, wrong_loops, sizeof wrong_loops / sizeof wrong_loops[0]);
    forge_codes(start_exits, wrong_exits, sizeof wrong_exits / sizeof wrong_exits[0]);
}

// What looks different and does the same: phis and copies in another order, a phi that nobody
// reads.
static const CodeForgery right_loops[] = {
    {NULL,
     {{"%i.2 = phi(2: %i.1, 10: %i.3)", "%x.2 = phi(2: %x.1, 10: %x.5)"},
      {"%x.2 = phi(2: %x.1, 10: %x.5)\n  3: if", "%i.2 = phi(2: %i.1, 10: %i.3)\n  3: if"}}},
    {NULL, {{"9: %i.3", "9: %k.1 = phi(6: %n.0, 8: %m.0)\n  9: %i.3"}}},
    {NULL,
     {{"%y.1 = move.i32 %x.2", "%w.1 = move.i32 %m.0"},
      {"%w.1 = move.i32 %m.0\n  14", "%y.1 = move.i32 %x.2\n  14"}}},
};

static void test_right_code(void **state) {
    (void)state;
    for (uint32_t i = 0; i < sizeof right_loops / sizeof right_loops[0]; i++) {
        Forgery forgery = start_loop();
        forgery.after = forge_edit(forgery.arena, forgery.after, right_loops[i].edits);
        assert_true(forge_is_well_formed(&forgery));
        forge_expect_accepted(&forgery, right_loops[i].edits[0].to);
        arena_free(forgery.arena);
    }
}

static void test_wrong_frame(void **state) {
    (void)state;
    forge_frames(start_loop);
}

// ---- Wrong hints

// What a node stands for.
typedef struct {
    uint32_t node, old;
    const char *reason;
} Wrong;

static const char no_such[] = "the hint names an old node that does not exist";

static const Wrong wrong_loop_hints[] = {
    // out of range
    {5, 26, no_such},
    {5, NO_ID, no_such},
    {11, 26, no_such},
    {12, NO_ID, no_such},
    // another node
    {0, 2, "the entry does not stand for the old entry"},
    {0, 3, "the entry does not stand for the old entry"},
    {0, 17, "the entry does not stand for the old entry"},
    {0, 18, "the entry does not stand for the old entry"},
    {3, 3, "register 4 does not hold"},
    {5, 8, "does not lead on from that of old node 6"},
    {6, 8, "does not lead on from that of old node 7"},
    {6, 9, "does not lead on from that of old node 7"},
    {14, 19, "does not lead on from that of old node 17"},
    {18, 24, "does not lead on from that of old node 21"},
    {2, 12, "does not lead on from that of old node 3"},
    {10, 3, "does not lead on from that of old node 11"},
    {11, 16, "does not lead on from that of old node 13"},
    {11, 18, "does not lead on from that of old node 18"},
    {12, 16, "does not lead on from that of old node 17"},
    {12, 18, "differs from that of old node 18"},
    {13, 16, "does not lead on from that of old node 17"},
    {13, 18, "differs from that of old node 18"},
    {14, 17, "differs from that of old node 17"},
    {1, 0, "differs from that of old node 0"},
    {1, 4, "does not lead on from that of old node 1"},
    // waiting
    {21, 23, "added nodes form a cycle"},
    {20, 25, "added nodes form a cycle"},
};

static const Wrong wrong_exit_hints[] = {
    {6, 16, "does not lead on from that of old node 16"},
    {6, 8, "does not lead on from that of old node 7"},
    {6, 12, "does not lead on from that of old node 7"},
    {7, 12, "does not lead on from that of old node 7"},
    {7, 16, "register 7 does not hold"},
    {10, 13, "does not lead on from that of old node 10"},
    {10, 14, "does not lead on from that of old node 10"},
    {17, 17, "does not lead on from that of old node 18"},
};

static CopiesHint *hint_of(Forgery *forgery) {
    return forgery->hint;
}

static void reject_hints(ForgeStart *start, const Wrong *wrong, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        Forgery forgery = start();
        const char *what =
            arena_printf(forgery.arena, "node %u stands for %u", wrong[i].node, wrong[i].old);
        hint_of(&forgery)->old.at[wrong[i].node].i = wrong[i].old;
        forge_expect_rejected(&forgery, what, wrong[i].reason);
    }
}

static void test_wrong_hints(void **state) {
    (void)state;
    reject_hints(start_loop, wrong_loop_hints,
                 sizeof wrong_loop_hints / sizeof wrong_loop_hints[0]);
    reject_hints(start_exits, wrong_exit_hints,
                 sizeof wrong_exit_hints / sizeof wrong_exit_hints[0]);
}

// The second pad may as well be the old nop and the first one added, or both.
static void test_other_right_hints(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        Forgery forgery = start_exits();
        hint_of(&forgery)->old.at[6].i = 7;
        hint_of(&forgery)->old.at[7].i = 7;
        forge_expect_accepted(&forgery, "pads");
        arena_free(forgery.arena);
    }
}

static void short_nodes(Forgery *forgery) {
    hint_of(forgery)->old.count--;
}
static void short_copies(Forgery *forgery) {
    vec_push(forgery->arena, &hint_of(forgery)->copy, 0);
}
static void empty(Forgery *forgery) {
    *hint_of(forgery) = (CopiesHint){0};
}
static void dispatches(Forgery *forgery) {
    vec_push(forgery->arena, &hint_of(forgery)->dispatches, (CopiesDispatch){.reg = {NO_ID}});
}
static void site(Forgery *forgery) {
    vec_push(forgery->arena, &hint_of(forgery)->sites, (Node){19});
}
static void copy(Forgery *forgery) {
    for (uint32_t n = 0; n < forgery->after->nodes.count; n++)
        vec_push(forgery->arena, &hint_of(forgery)->copy, n == 7);
}

static void test_wrong_vectors(void **state) {
    (void)state;
    static const char cover[] = "the hint does not cover every node";
    static const HintForgery forgeries[] = {
        {"nodes", short_nodes, cover},
        {"copies", short_copies, cover},
        {"nothing", empty, cover},
        {"a dispatch", dispatches, "dispatch 0 has no register"},
        {"a site that is no call", site, "a site is no call"},
        {"a copy that is none", copy, "names a copy that does not exist"},
    };
    forge_hints(start_loop, forgeries, sizeof forgeries / sizeof forgeries[0]);
}

// ---- By hand

static void push_hint(Forgery *forgery, uint32_t old) {
    vec_push(forgery->arena, &hint_of(forgery)->old, (Node){old});
}

// Phis that exchange two registers, done one after the other. Only where nothing can be reached is
// this well-formed.
static void test_swap(void **state) {
    (void)state;
    static const char text[] = "function i32 @f(i32 %n.0, i32 %m.0) {\n"
                               "  0: return %n.0\n"
                               "  1: nop -> 3\n"
                               "  2: nop\n"
                               "  3: %y.1 = phi(1: %m.0, 2: %x.1)\n"
                               "  3: %x.1 = phi(1: %n.0, 2: %y.1)\n"
                               "  3: return %x.1\n"
                               "}\n";
    static const Edit edits[MAX_EDITS] = {{"1: nop -> 3", "1: %y.1 = move.i32 %x.1"},
                                          {"2: nop", "2: %x.1 = move.i32 %y.1"},
                                          {"  3: %y.1 = phi(1: %m.0, 2: %x.1)\n", ""},
                                          {"  3: %x.1 = phi(1: %n.0, 2: %y.1)\n", ""}};
    CopiesHint hint = {0};
    Forgery forgery = {.arena = arena_new("forgery"), .check = check, .hint = &hint};
    forgery.before = forge_parse(forgery.arena, FORM_SSA, text);
    forgery.after = forge_edit(forgery.arena, forgery.before, edits);
    assert_true(forge_is_well_formed(&forgery));
    static const uint32_t old[] = {0, 2, 2, 3};
    for (uint32_t n = 0; n < 4; n++) push_hint(&forgery, old[n]);
    forge_expect_rejected(&forgery, "a swap", "differs from that of old node 3");
}

// Very many unreachable nops, each leading to itself, or in rings, cost no more than any nodes.
static void test_rings(void **state) {
    (void)state;
    enum { RINGS = 300000 };
    static const char text[] = "function i32 @f(i32 %n.0, i32 %m.0) {\n  0: return %n.0\n}\n";
    for (uint32_t length = 1; length <= 3; length++) {
        CopiesHint hint = {0};
        Forgery forgery = {.arena = arena_new("forgery"), .check = check, .hint = &hint};
        const Func *parsed = forge_parse(forgery.arena, FORM_SSA, text);
        Func *before = func_clone(parsed, forgery.arena);
        for (uint32_t i = 0; i < RINGS; i++)
            for (uint32_t k = 1; k <= length; k++)
                func_nop(before, (Node){i * length + 1 + k % length});
        forgery.before = before;
        forgery.after = func_clone(parsed, forgery.arena);
        push_hint(&forgery, 0);
        forge_expect_accepted(&forgery, "rings");
        arena_free(forgery.arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_code),
        cmocka_unit_test(test_right_code),
        cmocka_unit_test(test_wrong_frame),
        cmocka_unit_test(test_wrong_hints),
        cmocka_unit_test(test_other_right_hints),
        cmocka_unit_test(test_wrong_vectors),
        cmocka_unit_test(test_swap),
        cmocka_unit_test(test_rings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
