// Forged tidying: wrong functions and wrong hints that check_tidy must reject, each for the right reason. Every
// forgery starts from an honest output. The wrong functions are well-formed, so that nothing but the checker
// stands in its way.
#include "check/checkers.h"
#include "pass/pass.h"
#include "pipeline/passes.h"
#include "test/gen/forge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// A loop (4) with a diamond (10) and idle nops; 14 to 16 cannot be reached, so that 18 has one way in left, and
// its phis become copies; a second loop (23) that does nothing.
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

// The break out of the inner loop (6) leaves both, as 16 does not return: it needs a second landing pad. In the
// output 6 is that pad, 10 and 17 are pads of other exits.
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
    TidyHint *hint = ARENA_NEW(forgery.arena, TidyHint);
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
    {"differs from that of old node 19", {{"store.i32 [$s], %r.1", "nop"}}},
    {"differs from that of old node 19", {{"store.i32 [$s], %r.1", "store.i32 [$s + 4], %r.1"}}},
    {"differs from that of old node 20", {{"{ 1: 18, 2: 19", "{ 1: 18, 3: 19"}}},
    {"differs from that of old node 21", {{"return %y.1", "return %r.1"}}},
    {"differs from that of old node 17", {{"11: nop", "11: %k.1 = const.i32 1"}}},
    {"does not lead to old node 5", {{"then 4 else 11", "then 11 else 4"}}},
    {"does not lead to old node 6", {{"then 5 else 7", "then 7 else 5"}}},
    {"does not lead to old node 24", {{"{ 1: 18, 2: 19", "{ 1: 17, 2: 19"}, {"17 }", "18 }"}}},
    {"does not lead to old node 24",
     {{"{ 1: 18, 2: 19, default: 17", "{ 1: 18, 2: 17, default: 19"}}},
    {"phi 0 differs from that of old node 4",
     {{"phi(2: %i.1, 10: %i.3)", "phi(2: %x.1, 10: %i.3)"}}},
    {"phi 0 differs from that of old node 4",
     {{"phi(2: %i.1, 10: %i.3)", "phi(2: %i.1, 10: %i.2)"}}},
    {"phi 1 differs from that of old node 4",
     {{"phi(2: %x.1, 10: %x.5)", "phi(2: %x.1, 10: %x.2)"}}},
    {"phi 0 differs from that of old node 10",
     {{"phi(6: %x.3, 8: %x.4)", "phi(6: %x.2, 8: %x.4)"}}},
    {"phi 0 differs from that of old node 10",
     {{"phi(6: %x.3, 8: %x.4)", "phi(6: %x.3, 8: %m.0)"}}},
    {"phi 0 differs from that of old node 4",
     {{"%i.2 = phi(2: %i.1, 10: %i.3)", "%x.2 = phi(2: %x.1, 10: %x.5)"},
      {"%x.2 = phi(2: %x.1, 10: %x.5)\n  3: if", "%i.2 = phi(2: %i.1, 10: %i.3)\n  3: if"}}},
    {"it has not the phis of old node 10",
     {{"9: %i.3", "9: %k.1 = phi(6: %n.0, 8: %m.0)\n  9: %i.3"}}},
    {"it does not do what phi 0 of old node 18 does",
     {{"%y.1 = move.i32 %x.2", "%y.1 = move.i32 %i.2"}}},
    {"it does not do what phi 1 of old node 18 does",
     {{"%w.1 = move.i32 %m.0", "%w.1 = move.i32 %n.0"}}},
    {"it does not do what phi 1 of old node 18 does",
     {{"%w.1 = move.i32 %m.0", "%w.1 = const.i32 9"}}},
    {"it does not do what phi 0 of old node 18 does",
     {{"%y.1 = move.i32 %x.2", "%w.1 = move.i32 %m.0"},
      {"%w.1 = move.i32 %m.0\n  14", "%y.1 = move.i32 %x.2\n  14"}}},
    {"the hint does not cover every node", {{"20: nop\n", "20: nop\n  22: nop\n"}}},
    {"does not cover every node",
     {{"  17: return %w.1\n", "  17: return %w.1\n  22: return %n.0\n"}}},
};

static const CodeForgery wrong_exits[] = {
    {"an added node is not a nop", {{"  6: nop", "  6: %k.1 = const.i32 1"}}},
    {"an added node is not a nop", {{"  6: nop", "  6: store.i32 [$s], %j.2"}}},
    {"an added node is not a nop", {{"10: nop", "10: check %m.0"}}},
    {"does not lead to old node 7", {{"then 6 else 8", "then 8 else 6"}}},
    {"phi 0 differs from that of old node 16",
     {{"phi(7: %j.2, 12: %i.2)", "phi(7: %i.2, 12: %i.2)"}}},
    {"phi 0 differs from that of old node 5", {{"phi(3: %i.1, 9: %j.3)", "phi(3: %n.0, 9: %j.3)"}}},
    {"does not lead to old node 4", {{"then 3 else 17", "then 17 else 3"}}},
};

static void test_wrong_code(void **state) {
    (void)state;
    forge_codes(start_loop, wrong_loops, sizeof wrong_loops / sizeof wrong_loops[0]);
    forge_codes(start_exits, wrong_exits, sizeof wrong_exits / sizeof wrong_exits[0]);
}

static void test_wrong_frame(void **state) {
    (void)state;
    forge_frames(start_loop);
}

// ---- Wrong hints

// One node's hint; NO_ID in a number field stands for NO_NODE.
typedef struct {
    uint32_t node;
    NormKind kind;
    uint32_t target, from, phi;
    const char *reason;
} Wrong;

#define NONE NO_ID

static const char no_such[] = "the hint names something that does not exist";
static const char no_phis[] = "it waits for phis that do not exist";
static const char no_phi[] = "it copies a phi that does not exist";

static const Wrong wrong_loop_hints[] = {
    // out of range
    {5, (NormKind)4, 6, NONE, 0, no_such},
    {5, (NormKind)-1, 6, NONE, 0, no_such},
    {5, NORM_DISPATCH, 0, NONE, 0, no_such},
    {5, NORM_STEP, 26, NONE, 0, no_such},
    {5, NORM_STEP, NO_ID, NONE, 0, no_such},
    {11, NORM_STUTTER, 26, NONE, 0, no_such},
    {11, NORM_STUTTER, 18, 26, 0, no_such},
    {12, NORM_COPY, 18, 26, 0, no_such},
    {12, NORM_COPY, NO_ID, 17, 0, no_such},
    {12, NORM_COPY, 18, 17, 2, no_phi},
    {12, NORM_COPY, 18, 17, NO_ID, no_phi},
    {12, NORM_COPY, 18, NONE, 0, no_phi},
    {12, NORM_COPY, 19, 17, 0, no_phis},
    {12, NORM_COPY, 19, NONE, 0, no_phi},
    {5, NORM_STEP, 6, 5, 0, no_phis},
    {5, NORM_STUTTER, 6, 5, 0, no_phis},
    {3, NORM_STUTTER, 4, NONE, 0, "an added node has phis"},
    // another node
    {0, NORM_STEP, 2, NONE, 0, "the entry does not stand for the old entry"},
    {0, NORM_STUTTER, 4, 3, 0, "the entry does not stand for the old entry"},
    {0, NORM_COPY, 18, 17, 0, "the entry does not stand for the old entry"},
    {5, NORM_STEP, 8, NONE, 0, "does not lead to old node 6"},
    {14, NORM_STEP, 19, NONE, 0, "does not lead to old node 18"},
    {18, NORM_STEP, 24, NONE, 0, "does not lead to old node 21"},
    {2, NORM_STUTTER, 4, 12, 0, "enters old node 4 from elsewhere"},
    {11, NORM_STEP, 16, NONE, 0, "does not lead to old node 13"},
    {11, NORM_STUTTER, 18, 16, 0, "enters old node 18 from elsewhere"},
    {14, NORM_STUTTER, 18, NONE, 0, "an added node is not a nop"},
    {1, NORM_STUTTER, 2, NONE, 0, "an added node is not a nop"},
    // copies
    {12, NORM_COPY, 18, 17, 1, "its edge skips a copy"},
    {12, NORM_COPY, 18, 16, 0, "enters old node 18 from elsewhere"},
    {13, NORM_COPY, 18, 16, 1, "the next phi of old node 18 is not copied"},
    {13, NORM_COPY, 18, 17, 0, "the next phi of old node 18 is not copied"},
    {13, NORM_STEP, 18, NONE, 0, "the next phi of old node 18 is not copied"},
    {12, NORM_STEP, 18, NONE, 0, "it has not the phis of old node 18"},
    {12, NORM_STUTTER, 18, 17, 0, "an added node is not a nop"},
    {14, NORM_COPY, 18, 17, 1, "does not lead to old node 18"},
    // waiting
    {21, NORM_STUTTER, 23, NONE, 0, "waiting nodes may form a cycle"},
};

static const Wrong wrong_exit_hints[] = {
    {6, NORM_STUTTER, 16, 7, 0, "does not lead to old node 16"},
    {6, NORM_STUTTER, 8, NONE, 0, "does not lead to old node 7"},
    {10, NORM_STUTTER, 13, NONE, 0, "does not lead to old node 10"},
    {10, NORM_STEP, 14, NONE, 0, "does not lead to old node 10"},
    {7, NORM_STUTTER, 16, 12, 0, "does not lead to old node 7"},
    {7, NORM_STUTTER, 7, NONE, 0, "does not lead to old node 7"},
};

static TidyHint *hint_of(Forgery *forgery) {
    return forgery->hint;
}

static void set_hint(Forgery *forgery, const Wrong *wrong) {
    NormNode *node = &hint_of(forgery)->norm.nodes.at[wrong->node];
    node->kind = wrong->kind;
    node->target = wrong->target;
    hint_of(forgery)->from.at[wrong->node] = (Node){wrong->from};
    hint_of(forgery)->phi.at[wrong->node] = wrong->phi;
}

static void reject_hints(ForgeStart *start, const Wrong *wrong, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        Forgery forgery = start();
        const char *what = arena_printf(
            forgery.arena, "node %u: kind %d, target %u, from %u, phi %u", wrong[i].node,
            (int)wrong[i].kind, wrong[i].target, wrong[i].from, wrong[i].phi);
        set_hint(&forgery, &wrong[i]);
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

// The second pad may as well be the old nop and the first one added, which then waits for the phi. It must know
// where from.
static void test_waiting_for_phis(void **state) {
    (void)state;
    static const uint32_t from[] = {7, 12, 5, 16, 24};
    static const char *const reasons[] = {NULL, "enters old node 16 from elsewhere",
                                          "enters old node 16 from elsewhere",
                                          "enters old node 16 from elsewhere", no_such};
    for (uint32_t i = 0; i < sizeof from / sizeof from[0]; i++) {
        Forgery forgery = start_exits();
        set_hint(&forgery, &(Wrong){.node = 6, .kind = NORM_STEP, .target = 7, .from = NONE});
        set_hint(&forgery,
                 &(Wrong){.node = 7, .kind = NORM_STUTTER, .target = 16, .from = from[i]});
        if (reasons[i]) {
            forge_expect_rejected(&forgery, reasons[i], reasons[i]);
            continue;
        }
        forge_expect_accepted(&forgery, "a nop that waits for a phi");
        arena_free(forgery.arena);
    }
}

static void loop_of_another(Forgery *forgery) {
    hint_of(forgery)->norm.nodes.at[14].loop = (Node){3};
}
static void loop_without_header(Forgery *forgery) {
    hint_of(forgery)->norm.nodes.at[5].loop = (Node){4};
}
static void loop_behind(Forgery *forgery) {
    hint_of(forgery)->norm.nodes.at[5].loop = (Node){20};
}
static void loop_out_of_range(Forgery *forgery) {
    hint_of(forgery)->norm.nodes.at[5].loop = (Node){22};
}
static void loop_far_out_of_range(Forgery *forgery) {
    hint_of(forgery)->norm.nodes.at[5].loop = (Node){NO_ID - 1};
}
static void loop_missing(Forgery *forgery) {
    hint_of(forgery)->norm.nodes.at[5].loop = NO_NODE;
}
static void outer_of_another(Forgery *forgery) {
    hint_of(forgery)->norm.outer_loop.at[20] = (Node){3};
}
static void outer_of_itself(Forgery *forgery) {
    hint_of(forgery)->norm.outer_loop.at[3] = (Node){3};
}
static void outer_out_of_range(Forgery *forgery) {
    hint_of(forgery)->norm.outer_loop.at[3] = (Node){22};
}
static void outer_of_no_header(Forgery *forgery) {
    hint_of(forgery)->norm.outer_loop.at[5] = (Node){3};
}
static void short_nodes(Forgery *forgery) {
    hint_of(forgery)->norm.nodes.count--;
}
static void short_outer(Forgery *forgery) {
    hint_of(forgery)->norm.outer_loop.count--;
}
static void short_from(Forgery *forgery) {
    hint_of(forgery)->from.count--;
}
static void short_phi(Forgery *forgery) {
    hint_of(forgery)->phi.count--;
}
static void empty(Forgery *forgery) {
    *hint_of(forgery) = (TidyHint){0};
}
static void dispatches(Forgery *forgery) {
    vec_push(forgery->arena, &hint_of(forgery)->norm.dispatches, (NormDispatch){.reg = {0}});
}

static void test_wrong_shape(void **state) {
    (void)state;
    static const char cover[] = "the hint does not cover every node";
    static const HintForgery forgeries[] = {
        {"a loop that a node is not in", loop_of_another, "enters a loop beside its header"},
        {"a loop whose header is none", loop_without_header, "its loop has no header"},
        {"a loop that comes later", loop_behind, "its loop has no header"},
        {"a loop out of range", loop_out_of_range, "its loop has no header"},
        {"a loop far out of range", loop_far_out_of_range, "its loop has no header"},
        {"a loop forgotten", loop_missing, "leaves a loop without a landing pad"},
        {"an outer loop that is not around", outer_of_another, "leaves or skips a loop"},
        {"a loop around itself", outer_of_itself, "its outer loop has no header"},
        {"an outer loop out of range", outer_out_of_range, "its outer loop has no header"},
        {"an outer loop of no header", outer_of_no_header, "its outer loop has no header"},
        {"nodes", short_nodes, cover},
        {"outer loops", short_outer, cover},
        {"from", short_from, cover},
        {"phi", short_phi, cover},
        {"nothing", empty, cover},
        {"a dispatch", dispatches, cover},
    };
    forge_hints(start_loop, forgeries, sizeof forgeries / sizeof forgeries[0]);
}

// ---- By hand

static void push_hint(Forgery *forgery, Wrong at) {
    TidyHint *hint = hint_of(forgery);
    vec_push(forgery->arena, &hint->norm.nodes, (NormNode){.loop = NO_NODE});
    vec_push(forgery->arena, &hint->norm.outer_loop, NO_NODE);
    vec_push(forgery->arena, &hint->from, NO_NODE);
    vec_push(forgery->arena, &hint->phi, 0);
    at.node = hint->phi.count - 1;
    set_hint(forgery, &at);
}

// Phis that exchange two registers, done one after the other. Only where nothing can be reached is this
// well-formed.
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
    TidyHint hint = {0};
    Forgery forgery = {.arena = arena_new("forgery"), .check = check, .hint = &hint};
    forgery.before = forge_parse(forgery.arena, FORM_SSA, text);
    forgery.after = forge_edit(forgery.arena, forgery.before, edits);
    assert_true(forge_is_well_formed(&forgery));
    push_hint(&forgery, (Wrong){.kind = NORM_STEP, .target = 0, .from = NONE});
    push_hint(&forgery, (Wrong){.kind = NORM_COPY, .target = 3, .from = 2, .phi = 0});
    push_hint(&forgery, (Wrong){.kind = NORM_COPY, .target = 3, .from = 2, .phi = 1});
    push_hint(&forgery, (Wrong){.kind = NORM_STEP, .target = 3, .from = NONE});
    forge_expect_rejected(&forgery, "a swap", "the copies depend on each other");
}

// Very many unreachable nops, each leading to itself, or in rings, cost no more than any nodes.
static void test_rings(void **state) {
    (void)state;
    enum { RINGS = 300000 };
    static const char text[] = "function i32 @f(i32 %n.0, i32 %m.0) {\n  0: return %n.0\n}\n";
    for (uint32_t length = 1; length <= 3; length++) {
        TidyHint hint = {0};
        Forgery forgery = {.arena = arena_new("forgery"), .check = check, .hint = &hint};
        const Func *parsed = forge_parse(forgery.arena, FORM_SSA, text);
        Func *before = func_clone(parsed, forgery.arena);
        for (uint32_t i = 0; i < RINGS; i++)
            for (uint32_t k = 1; k <= length; k++)
                func_nop(before, (Node){i * length + 1 + k % length});
        forgery.before = before;
        forgery.after = func_clone(parsed, forgery.arena);
        push_hint(&forgery, (Wrong){.kind = NORM_STEP, .target = 0, .from = NONE});
        forge_expect_accepted(&forgery, "rings");
        arena_free(forgery.arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_code),  cmocka_unit_test(test_wrong_frame),
        cmocka_unit_test(test_wrong_hints), cmocka_unit_test(test_waiting_for_phis),
        cmocka_unit_test(test_wrong_shape), cmocka_unit_test(test_swap),
        cmocka_unit_test(test_rings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
