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

// ---- Damage to the hint of the kernel

static Verdict check_explained(Arena *arena, const Func *before, const Func *after,
                               const void *hint) {
    return pass_check(PASS_widen, arena, NULL, before, after, hint);
}

static bool make_explained(Mutant *mutant) {
    if (!make(mutant)) return false;
    mutant->hint = explain_WidenHint(mutant->arena, mutant->before, mutant->after, mutant->hint);
    return true;
}

static uint32_t draw_value(Mutant *mutant) {
    const ValuesHint *hint = mutant->hint;
    return mutant_draw(mutant, 20) ? mutant_draw(mutant, hint->values.count) : NO_ID;
}
static bool change_counted_way(Mutant *mutant) {
    ValuesHint *hint = mutant->hint;
    if (!hint->counted_ways.count) return false;
    hint->counted_ways.at[mutant_draw(mutant, hint->counted_ways.count)] = draw_value(mutant);
    return true;
}
static bool change_counted_step(Mutant *mutant) {
    ValuesHint *hint = mutant->hint;
    if (!hint->counted.count) return false;
    CountedStep *it = &hint->counted.at[mutant_draw(mutant, hint->counted.count)];
    if (mutant_draw(mutant, 2))
        it->first = mutant_draw(mutant, hint->counted_ways.count + 1);
    else
        it->step = mutant_draw(mutant, hint->steps.count + 1);
    return true;
}
static bool change_value_step(Mutant *mutant) {
    ValuesHint *hint = mutant->hint;
    if (!hint->steps.count) return false;
    ValueStep *it = &hint->steps.at[mutant_draw(mutant, hint->steps.count)];
    switch (mutant_draw(mutant, 3)) {
    case 0: it->from = draw_value(mutant); break;
    case 1: it->to = draw_value(mutant); break;
    default: it->rule = (uint16_t)(STEP_FOLD + mutant_draw(mutant, STEP_REASON_COUNT - STEP_FOLD));
    }
    return true;
}
static bool change_value_argument(Mutant *mutant) {
    ValuesHint *hint = mutant->hint;
    hint->args.at[mutant_draw(mutant, hint->args.count)] = draw_value(mutant);
    return true;
}
static bool change_operator(Mutant *mutant) {
    ValuesHint *hint = mutant->hint;
    HintValue *it = &hint->values.at[mutant_draw(mutant, hint->values.count)];
    if (it->kind != VALUE_OP || it->count == 0)
        it->imm += mutant_draw(mutant, 3) - 1;
    else
        it->op = hint->values.at[mutant_draw(mutant, hint->values.count)].op;
    return true;
}
static bool change_range(Mutant *mutant) {
    ValuesHint *hint = mutant->hint;
    if (!hint->phi_ranges.count) return false;
    PhiRange *it = &hint->phi_ranges.at[mutant_draw(mutant, hint->phi_ranges.count)];
    switch (mutant_draw(mutant, 4)) {
    case 0: it->range.most = INT32_MAX - mutant_draw(mutant, 2); break;
    case 1: it->range.least = INT32_MIN + (int32_t)mutant_draw(mutant, 2); break;
    case 2: it->range.defined = UINT32_MAX; break;
    default: it->first = mutant_draw(mutant, hint->range_ways.count + 1);
    }
    return true;
}
static bool change_claim(Mutant *mutant) {
    ValuesHint *hint = mutant->hint;
    uint32_t r = mutant_draw(mutant, hint->value_of.count);
    uint32_t *table = mutant_draw(mutant, 2) ? hint->value_of.at : hint->formed.at;
    table[r] = draw_value(mutant);
    if (mutant_draw(mutant, 2)) hint->value_of_new.at[r] = table[r];
    return true;
}
// A step from an operator of a phi to a phi, with the operators of its arguments.
static bool add_counted(Mutant *mutant) {
    ValuesHint *hint = mutant->hint;
    uint32_t from = mutant_draw(mutant, hint->values.count);
    uint32_t to = mutant_draw(mutant, hint->values.count);
    for (uint32_t tries = 0; hint->values.at[to].kind != VALUE_PHI && tries < 30; tries++)
        to = mutant_draw(mutant, hint->values.count);
    CountedStep counted = {hint->steps.count, hint->counted_ways.count};
    for (uint32_t k = 0; k < hint->values.at[to].count; k++) {
        HintValue then = hint->values.at[from];
        uint32_t first = hint->args.count;
        for (uint32_t i = 0; i < then.count; i++) {
            uint32_t arg = hint->args.at[then.first + i];
            const HintValue *it = arg == NO_ID ? NULL : &hint->values.at[arg];
            bool is_phi = it && it->kind == VALUE_PHI && k < it->count;
            if (is_phi) arg = hint->args.at[it->first + k];
            vec_push(mutant->arena, &hint->args, arg);
        }
        then.first = first;
        vec_push(mutant->arena, &hint->counted_ways, hint->values.count);
        vec_push(mutant->arena, &hint->values, then);
    }
    vec_push(mutant->arena, &hint->counted, counted);
    vec_push(mutant->arena, &hint->steps, (ValueStep){from, to, STEP_COUNTED});
    return change_claim(mutant);
}

static void test_hint_mutants(void **state) {
    (void)state;
    static const MutantKind kinds[] = {
        {"hint: a counted way", change_counted_way},
        {"hint: a counted step", change_counted_step},
        {"hint: a step", change_value_step},
        {"hint: an argument", change_value_argument},
        {"hint: an operator", change_operator},
        {"hint: a range", change_range},
        {"hint: a claim", change_claim},
        {"count along", add_counted},
    };
    mutants_try(&(MutantPass){.make = make_explained,
                              .check = check_explained,
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
                                       cmocka_unit_test(test_hint_mutants),
                                       cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
