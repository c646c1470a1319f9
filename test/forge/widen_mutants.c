// Random damage to wide counters: see test/gen/mutants.h. And the pass itself on loops made for it:
// accepted, and the same behaviour.
#include "check/checkers.h"
#include "check/passes.h"
#include "pass/pass.h"
#include "pass/values/values_hint.h"
#include "test/gen/compare.h"
#include "test/gen/counters.h"
#include "test/gen/effort.h"
#include "test/gen/mutants.h"
#include "test/gen/twins.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static Verdict check(Arena *arena, const Func *before, const Func *after, const void *hint) {
    return pass_check(PASS_widen, arena, NULL, before, after,
                      explain_WidenHint(arena, before, after, hint));
}

static const Func *original(Arena *arena, uint64_t seed) {
    CopiesHint hint = {0};
    const Func *func = counter_func(arena, program_new(arena), seed);
    const Func *inverted = invert_loops(arena, func, &hint);
    return ssa_of(arena, inverted ? inverted : func);
}

static bool make(Mutant *mutant) {
    for (int tries = 0; tries < 20; tries++) {
        WidenHint *hint = ARENA_NEW(mutant->arena, WidenHint);
        mutant->before = original(mutant->arena, mutant_draw(mutant, 1u << 30));
        mutant->after = widen(mutant->arena, mutant->before, hint);
        mutant->hint = hint;
        if (mutant->after) return true;
    }
    return false;
}

static bool change_old(Mutant *mutant) {
    WidenHint *hint = mutant->hint;
    hint->old.at[mutant_draw(mutant, hint->old.count)].i =
        mutant_draw(mutant, mutant->before->nodes.count);
    return true;
}
static bool change_narrow(Mutant *mutant) {
    WidenHint *hint = mutant->hint;
    hint->narrow.at[mutant_draw(mutant, hint->narrow.count)].i =
        mutant_draw(mutant, mutant->before->regs.count);
    return true;
}
static bool change_reason(Mutant *mutant) {
    WidenHint *hint = mutant->hint;
    WidenReason *reason = &hint->reasons.at[mutant_draw(mutant, hint->reasons.count)];
    reason->edge.branch.i = mutant_draw(mutant, mutant->before->nodes.count);
    reason->edge.way = mutant_draw(mutant, 2);
    return true;
}
// The pass is given a loop with another test than the function has.
static bool mistake_test(Mutant *mutant) {
    Func *lie = func_clone(mutant->before, mutant->arena);
    uint32_t node = mutant_draw(mutant, lie->nodes.count);
    Instr *test = &lie->nodes.at[node];
    if (test->kind != I_COND || test->op == OP_LT_I32) return false;
    test->op = OP_LT_I32;
    WidenHint *hint = ARENA_NEW(mutant->arena, WidenHint);
    Func *after = widen(mutant->arena, lie, hint);
    if (!after) return false;
    for (uint32_t n = 0; n < hint->old.count; n++) {
        Instr *now = &after->nodes.at[n];
        if (hint->old.at[n].i != node) continue;
        uint16_t then = mutant->before->nodes.at[node].op;
        bool wide = now->op == OP_LT_I64 && op_compares_integers((Op)then) &&
                    op_info((Op)then)->at == TYPE_I32 && !op_compares_unsigned((Op)then);
        now->op = wide ? (uint16_t)op_for((Op)then, TYPE_I64) : then;
    }
    mutant->after = after;
    mutant->hint = hint;
    return true;
}

static void test_mutants(void **state) {
    (void)state;
    static const MutantKind kinds[] = {
        {"change a node of the hint", change_old},
        {"change a narrow register", change_narrow},
        {"change a reason", change_reason},
        {"mistake a test", mistake_test},
    };
    mutants_try(&(MutantPass){.make = make,
                              .check = check,
                              .kinds = kinds,
                              .kind_count = sizeof kinds / sizeof kinds[0]},
                effort(500, 3000, 200000));
}

static void test_random(void **state) {
    (void)state;
    Arena *arena = arena_new("function");
    uint64_t count = effort(200, 2000, 50000), changed = 0;
    for (uint64_t seed = 1; seed <= count; seed++) {
        const Func *before = original(arena, seed);
        WidenHint hint = {0};
        const Func *after = widen(arena, before, &hint);
        if (after) {
            Complaints complaints = {.arena = arena};
            if (!verify_func(&complaints, after)) fail_msg("%s", complaints.list.at[0].message);
            Verdict verdict = check(arena, before, after, &hint);
            if (!verdict.accepted)
                fail_msg("seed %llu: %s", (unsigned long long)seed, verdict.reason);
            for (uint64_t run = 0; run < 4; run++)
                assert_null(behaviour_difference(arena, before, after, seed + run, 4000));
            changed++;
        }
        arena_reset(arena);
    }
    assert_true(changed > count / 4);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mutants),
                                       cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
