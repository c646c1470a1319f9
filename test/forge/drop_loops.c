// Forged regions: loops dropped that may run for ever, that have an effect or whose results are
// read, and a spin that is missing afterwards. Each case is a loop with one instruction of its body
// and the instructions behind it; the right ones are dropped by the pass itself, too.
#include "check/checkers.h"
#include "check/passes.h"
#include "pass/pass.h"
#include "test/gen/forge.h"
#include "text/text.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Nodes 2 to 8 are the loop: 1 leads there, and 9 is behind it. The first text is node 3; the
// second text starts at node 10.
enum { FRONT = 1, BODY = 3, BEHIND = 9 };
static const char around[] = "function i32 @f(i32 %%n.0, i32 %%m.0, i64 %%p.0) {\n"
                             "  slot $s size 8 align 8\n"
                             "  0: %%i.1 = const.i32 0\n"
                             "  1: nop\n"
                             "  2: %%i.2 = phi(1: %%i.1, 8: %%i.3)\n"
                             "  2: nop\n"
                             "  3: %s\n"
                             "  4: nop\n"
                             "  5: nop\n"
                             "  6: %%i.3 = add.i32 %%i.2, 1\n"
                             "  7: if lt.i32 %%i.3, %%n.0 then 8 else 9\n"
                             "  8: nop -> 2\n"
                             "  9: nop\n"
                             "%s"
                             "}\n"
                             "extern function i32 @g(i32)\n"
                             "asm 0 \"nop\"\n";

#define RETURNS "  10: return %m.0\n"

static Func *parse(Arena *arena, const char *body, const char *behind) {
    Diag diag;
    diag_init(&diag, arena, stderr);
    const char *text = arena_printf(arena, around, body, behind);
    Program *program = program_parse(arena, &diag, FORM_SSA, "forgery", text, strlen(text));
    diag_free(&diag);
    assert_non_null(program);
    Sym f = program_find(program, str_of(&program->strings, "f"));
    return func_clone(program_at(program, f)->func, arena);
}

static void lead(Func *func, uint32_t from, uint32_t to) {
    func->nodes.at[from] = (Instr){.kind = I_NOP, .dest = NO_REG, .succ_count = 1, .succ = {{to}}};
}

static Func *verified(Arena *arena, Func *func, const char *body) {
    Complaints complaints = {.arena = arena};
    if (!verify_func(&complaints, func)) fail_msg("%s: %s", body, complaints.list.at[0].message);
    return func;
}

// The function without the phis of its loop, which leads to another node.
static Func *without_loop(Arena *arena, const Func *before, uint32_t to, CopiesHint *hint) {
    Func *after = func_clone(before, arena);
    Preds preds = preds_of(arena, before);
    vec_clear(&after->phis);
    vec_clear(&after->phi_at);
    vec_clear(&after->phi_args);
    for (uint32_t n = BEHIND; n < before->nodes.count; n++)
        for (uint32_t i = 0; i < func_phi_count(before, (Node){n}); i++) {
            const Phi *phi = &func_phis(before, (Node){n})[i];
            func_add_phi(after, (Node){n}, phi->dest, phi_args(before, phi),
                         preds_count(&preds, (Node){n}));
        }
    func_end_phis(after);
    for (uint32_t n = 0; n < before->nodes.count; n++) {
        bool dropped = n > FRONT && n < BEHIND;
        vec_push(arena, &hint->old, (Node){dropped ? to : n});
        if (dropped || n == FRONT) lead(after, n, to);
    }
    return after;
}

typedef struct {
    const char *body;
    const char *reason; // NULL: it is right
    const char *behind; // NULL: it returns
    uint32_t to;        // 0: behind the loop
} Case;

static void try_case(const Case *it) {
    Arena *arena = arena_new("forgery");
    CopiesHint hint = {0}, made = {0};
    Func *before = parse(arena, it->body, it->behind ? it->behind : RETURNS);
    verified(arena, before, it->body);
    Func *after = without_loop(arena, before, it->to ? it->to : BEHIND, &hint);
    Verdict verdict = pass_check(PASS_drop_loops, arena, NULL, before, after, &hint);
    if (verdict.accepted != !it->reason || (it->reason && !strstr(verdict.reason, it->reason)))
        fail_msg("%s: %s, expected: %s", it->body, verdict.accepted ? "accepted" : verdict.reason,
                 it->reason ? it->reason : "accepted");
    Func *passed = drop_loops(arena, before, &made);
    if (!it->to && !passed != !!it->reason)
        fail_msg("%s: the pass %s the loop", it->body, passed ? "drops" : "keeps");
    if (passed) {
        verified(arena, passed, it->body);
        verdict = pass_check(PASS_drop_loops, arena, NULL, before, passed, &made);
        if (!verdict.accepted) fail_msg("%s: the pass: %s", it->body, verdict.reason);
    }
    arena_free(arena);
}

#define LEAVES_OUT "it leaves out"

#define WAY "if eq.i32 %i.2, %m.0 then 11 else 4"

static const Case cases[] = {
    // The loop does nothing, or only what may be left out.
    {.body = "nop"},
    {.body = "%x.1 = mul.i32 %i.2, %i.2"},
    {.body = "%x.1 = divs.i32 %m.0, %i.2"},
    {.body = "%x.1 = load.i32 [%p.0]"},
    // All that has an effect.
    {.body = "spin", .reason = LEAVES_OUT},
    {.body = "store.i32 [$s], %i.2", .reason = LEAVES_OUT},
    {.body = "%x.1 = call @g(%i.2)", .reason = LEAVES_OUT},
    {.body = "check %m.0", .reason = LEAVES_OUT},
    {.body = "%x.1 = volatile_load.i32 [%p.0]", .reason = LEAVES_OUT},
    {.body = "volatile_store.i32 [%p.0], %i.2", .reason = LEAVES_OUT},
    {.body = "%x.1 = atomic_load.i32 [%p.0] relaxed", .reason = LEAVES_OUT},
    {.body = "atomic_store.i32 [%p.0], %i.2 release", .reason = LEAVES_OUT},
    {.body = "fence seq_cst", .reason = LEAVES_OUT},
    {.body = "signal_fence seq_cst", .reason = LEAVES_OUT},
    {.body = "asm_alone 0", .reason = LEAVES_OUT},
    {.body = "memset %p.0, %i.2, 4", .reason = LEAVES_OUT},
    // The result is the number of rounds, by the next value and by the phi.
    {.body = "nop", .behind = "  10: return %i.3\n", .reason = LEAVES_OUT},
    {.body = "nop", .behind = "  10: return %i.2\n", .reason = LEAVES_OUT},
    {.body = "nop",
     .behind = "  10: if lt.i32 %i.3, %m.0 then 11 else 12\n"
               "  11: return %m.0\n"
               "  12: return %n.0\n",
     .reason = LEAVES_OUT},
    {.body = "%x.1 = load.i32 [%p.0]", .behind = "  10: return %x.1\n", .reason = LEAVES_OUT},
    // Two ways out: to one node; to two; by a phi; with an effect on the way.
    {.body = WAY, .behind = "  10: nop -> 12\n  11: nop\n  12: return %m.0\n", .to = 12},
    {.body = WAY,
     .behind = "  10: nop -> 12\n  11: nop\n  12: return %m.0\n",
     .to = 10,
     .reason = LEAVES_OUT},
    {.body = WAY, .behind = "  10: return %m.0\n  11: return %n.0\n", .reason = LEAVES_OUT},
    {.body = WAY,
     .behind = "  10: nop -> 12\n"
               "  11: nop\n"
               "  12: %x.1 = phi(10: %m.0, 11: %n.0)\n"
               "  12: return %x.1\n",
     .to = 10,
     .reason = LEAVES_OUT},
    {.body = WAY,
     .behind = "  10: nop -> 13\n"
               "  11: store.i32 [$s], %m.0\n"
               "  12: nop\n"
               "  13: return %m.0\n",
     .to = 13,
     .reason = LEAVES_OUT},
    // An effect on one of two ways through the loop.
    {.body = WAY,
     .behind = "  10: return %m.0\n  11: spin\n  12: nop -> 5\n",
     .reason = LEAVES_OUT},
    {.body = WAY,
     .behind = "  10: return %m.0\n  11: volatile_store.i32 [%p.0], %m.0\n  12: nop -> 5\n",
     .reason = LEAVES_OUT},
    {.body = WAY, .behind = "  10: return %m.0\n  11: nop\n  12: nop -> 5\n"},
    // A loop in the loop, which must end as well, or may run for ever.
    {.body = WAY,
     .behind = "  10: return %m.0\n"
               "  11: nop\n"
               "  12: if eq.i32 %m.0, %n.0 then 13 else 14\n"
               "  13: nop -> 12\n"
               "  14: nop -> 5\n"},
    {.body = WAY,
     .behind = "  10: return %m.0\n"
               "  11: nop\n"
               "  12: if eq.i32 %m.0, %n.0 then 13 else 15\n"
               "  13: spin\n"
               "  14: nop -> 12\n"
               "  15: nop -> 5\n",
     .reason = LEAVES_OUT},
};

static void test_regions(void **state) {
    (void)state;
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) try_case(&cases[i]);
}

// A spin is neither dropped nor made a nop, in or behind a loop.
static void test_spin_stays(void **state) {
    (void)state;
    Arena *arena = arena_new("forgery");
    for (uint32_t k = 0; k < 2; k++) {
        const char *body = k ? "spin" : "nop";
        Func *before = parse(arena, body, "  10: nop\n  11: spin\n  12: nop -> 11\n");
        Func *after = func_clone(before, arena);
        uint32_t spin = k ? BODY : 11;
        lead(after, spin, spin + 1);
        verified(arena, after, body);
        Verdict verdict = pass_check(PASS_drop_loops, arena, NULL, before, after, &(CopiesHint){0});
        assert_false(verdict.accepted);
        assert_non_null(strstr(verdict.reason, LEAVES_OUT));
        // A pass that leads past the node says so of its hint.
        func_set_succ(after, (Node){spin - 1}, 0, (Node){spin + 1});
        verdict = pass_check(PASS_drop_loops, arena, NULL, before, after, &(CopiesHint){0});
        assert_false(verdict.accepted);
    }
    arena_free(arena);
}

// A run that comes to a loop without a way out is wrong, unless there is a spin in the loop: then
// anything may come instead.
static void test_no_way_out(void **state) {
    (void)state;
    for (uint32_t k = 0; k < 2; k++) {
        Arena *arena = arena_new("forgery");
        const char *behind = arena_printf(arena,
                                          "  10: if eq.i32 %%n.0, 7 then 11 else 14\n"
                                          "  11: nop\n"
                                          "  12: %s\n"
                                          "  13: nop -> 12\n"
                                          "  14: return %%m.0\n",
                                          k ? "spin" : "nop");
        Func *before = parse(arena, "nop", behind), *after = func_clone(before, arena);
        lead(after, 10, 14);
        Verdict verdict = pass_check(PASS_drop_loops, arena, NULL, before, after, &(CopiesHint){0});
        assert_int_equal(verdict.accepted, k == 0);
        arena_free(arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_regions),
        cmocka_unit_test(test_spin_stays),
        cmocka_unit_test(test_no_way_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
