// Random damage to inlinings: see test/gen/mutants.h. And the pass itself: what it makes is
// accepted and behaves as before.
#include "check/checkers.h"
#include "check/passes.h"
#include "pass/pass.h"
#include "test/gen/callers.h"
#include "test/gen/compare.h"
#include "test/gen/effort.h"
#include "test/gen/mutants.h"
#include "text/text.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static Verdict check(Arena *arena, const Func *before, const Func *after, const void *hint) {
    Bodies bodies = callee_bodies(arena, before->program);
    return pass_check(PASS_inline_calls, arena, &bodies, before, after, hint);
}

static bool make(Mutant *mutant) {
    CopiesHint *hint = ARENA_NEW(mutant->arena, CopiesHint);
    mutant->before =
        caller_func(mutant->arena, program_new(mutant->arena), mutant_draw(mutant, 1u << 30));
    Bodies bodies = callee_bodies(mutant->arena, mutant->before->program);
    mutant->after = inline_calls(mutant->arena, &bodies, mutant->before, hint);
    mutant->hint = hint;
    return mutant->after != NULL;
}

static bool exchange_sites(Mutant *mutant) {
    CopiesHint *hint = mutant->hint;
    if (hint->sites.count < 2) return false;
    Node *sites = &hint->sites.at[mutant_draw(mutant, hint->sites.count - 1)], first = sites[0];
    sites[0] = sites[1];
    sites[1] = first;
    return true;
}
static bool move_site(Mutant *mutant) {
    CopiesHint *hint = mutant->hint;
    if (!hint->sites.count) return false;
    hint->sites.at[mutant_draw(mutant, hint->sites.count)].i =
        mutant_draw(mutant, mutant->before->nodes.count);
    return true;
}
static bool drop_site(Mutant *mutant) {
    CopiesHint *hint = mutant->hint;
    if (!hint->sites.count) return false;
    hint->sites.count--;
    return true;
}
// The pass is given another callee than the function calls.
static bool mistake_callee(Mutant *mutant) {
    if (!((CopiesHint *)mutant->hint)->sites.count) return false;
    Func *lie = func_clone(mutant->before, mutant->arena);
    CopiesHint *hint = mutant->hint;
    Instr *calls[2];
    for (int i = 0; i < 2; i++)
        calls[i] = &lie->nodes.at[hint->sites.at[mutant_draw(mutant, hint->sites.count)].i];
    if (calls[0]->kind != I_CALL || calls[1]->kind != I_CALL || calls[0]->ref == calls[1]->ref)
        return false;
    calls[0]->ref = calls[1]->ref;
    *hint = (CopiesHint){0};
    Bodies bodies = callee_bodies(mutant->arena, lie->program);
    mutant->after = inline_calls(mutant->arena, &bodies, lie, hint);
    return true;
}
static bool share_slot(Mutant *mutant) {
    Instr *instr = mutant_draw_instr(mutant);
    if (instr->kind != I_OP || instr->op != OP_ADDR_SLOT) return false;
    uint32_t old = instr->ref;
    instr->ref = mutant_draw(mutant, mutant->after->slots.count);
    return instr->ref != old;
}

static void test_mutants(void **state) {
    (void)state;
    static const MutantKind kinds[] = {
        {"exchange sites", exchange_sites}, {"move a site", move_site},
        {"drop a site", drop_site},         {"mistake a callee", mistake_callee},
        {"share a slot", share_slot},
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
    uint64_t count = effort(100, 1000, 50000), inlined = 0;
    for (uint64_t seed = 1; seed <= count; seed++) {
        const Func *before = caller_func(arena, program_new(arena), seed);
        CopiesHint hint = {0};
        Bodies bodies = callee_bodies(arena, before->program);
        const Func *after = inline_calls(arena, &bodies, before, &hint);
        assert_non_null(after);
        Complaints complaints = {.arena = arena};
        if (!verify_func(&complaints, after)) fail_msg("%s", complaints.list.at[0].message);
        Verdict verdict = pass_check(PASS_inline_calls, arena, &bodies, before, after, &hint);
        if (!verdict.accepted) fail_msg("seed %llu: %s", (unsigned long long)seed, verdict.reason);
        for (uint64_t run = 0; run < 4; run++) {
            const char *difference = behaviour_difference(arena, before, after, seed + run, 2000);
            if (difference) fail_msg("seed %llu: %s", (unsigned long long)seed, difference);
        }
        inlined += hint.sites.count;
        arena_reset(arena);
    }
    assert_true(inlined > 2 * count);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mutants),
                                       cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
