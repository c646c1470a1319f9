// Random damage to outputs and hints of gsa_destruct: see test/gen/mutants.h. Half of the inputs
// have gammas in another shape: arguments in any order, those with equal registers put together.
// These must go through, too.
#include "check/checkers.h"
#include "pass/pass.h"
#include "pipeline/step_check.h"
#include "test/gen/compare.h"
#include "test/gen/effort.h"
#include "test/gen/mutants.h"
#include "test/gen/random_func.h"
#include "text/text.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static Verdict check(Arena *arena, const Func *before, const Func *after, const void *hint) {
    return step_check(PASS_gsa_destruct, arena, NULL, before, after, hint);
}

// ---- Gammas in another shape

// Puts arguments with equal registers together, in most cases. How many are left.
static uint32_t merge_equal(Arena *arena, Random *random, Gsa *gsa, MergeArg *args,
                            uint32_t count) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t same = 0;
        while (same < kept && args[same].reg.i != args[i].reg.i) same++;
        if (same < kept && random_chance(random, 3, 4))
            args[same].gate = gate_or(arena, gsa, args[same].gate, args[i].gate);
        else
            args[kept++] = args[i];
    }
    return kept;
}

static void shuffle(Random *random, MergeArg *args, uint32_t count) {
    for (uint32_t i = count; i > 1; i--) {
        uint32_t other = random_below(random, i);
        MergeArg last = args[i - 1];
        args[i - 1] = args[other];
        args[other] = last;
    }
}

static void reshape(Arena *arena, Random *random, Func *func) {
    Gsa *gsa = func->gsa;
    uint32_t next = 0;
    for (uint32_t m = 0; m < gsa->merges.count; m++) {
        Merge *merge = &gsa->merges.at[m];
        MergeArg *args = gsa->merge_args.at + merge->args_at;
        uint32_t count = merge->arg_count;
        if (merge->kind == MERGE_GAMMA) {
            shuffle(random, args, count);
            count = merge_equal(arena, random, gsa, args, count);
            shuffle(random, args, count);
        }
        memmove(gsa->merge_args.at + next, args, count * sizeof *args);
        merge->args_at = next;
        merge->arg_count = count;
        next += count;
    }
    gsa->merge_args.count = next;
}

static Func *gated(Arena *arena, const Func *ssa) {
    GsaBuildHint build = {0};
    CloseLoopsHint closing = {0};
    const Func *closed = close_loops(arena, ssa, &closing);
    return gsa_build(arena, closed ? closed : ssa, &build);
}

// ---- Mutants

static bool make(Mutant *mutant) {
    GsaDestructHint *hint = ARENA_NEW(mutant->arena, GsaDestructHint);
    Func *before = gated(mutant->arena, mutant->before);
    if (!before) return false;
    if (mutant_draw(mutant, 2)) reshape(mutant->arena, &mutant->random, before);
    mutant->before = before;
    mutant->after = gsa_destruct(mutant->arena, before, hint);
    mutant->hint = hint;
    assert_non_null(mutant->after);
    return true;
}

static bool change_choice(Mutant *mutant) {
    GsaDestructHint *hint = mutant->hint;
    if (!hint->choices.count) return false;
    hint->choices.at[mutant_draw(mutant, hint->choices.count)] = mutant_draw(mutant, 4);
    return true;
}
// Another argument in the phi and in the hint.
static bool forge_choice(Mutant *mutant) {
    GsaDestructHint *hint = mutant->hint;
    const Func *before = mutant->before;
    Func *after = mutant->after;
    if (!before->gsa->merges.count) return false;
    uint32_t drawn = mutant_draw(mutant, before->gsa->merges.count), choice = 0;
    const Merge *merge = &before->gsa->merges.at[drawn];
    const Phi *phi = &after->phis.at[drawn];
    for (uint32_t m = 0; m < drawn; m++)
        if (before->gsa->merges.at[m].kind == MERGE_GAMMA)
            choice += after->phis.at[m + 1].args_at - after->phis.at[m].args_at;
    uint32_t end = drawn + 1 < after->phis.count ? phi[1].args_at : after->phi_args.count;
    uint32_t k = mutant_draw(mutant, end - phi->args_at), i = mutant_draw(mutant, merge->arg_count);
    Reg *arg = &after->phi_args.at[phi->args_at + k], old = *arg;
    *arg = merge_args(before, merge)[i].reg;
    if (merge->kind == MERGE_GAMMA) hint->choices.at[choice + k] = i;
    return arg->i != old.i;
}
static bool change_fact(Mutant *mutant) {
    GatePaths *paths = &((GsaDestructHint *)mutant->hint)->paths;
    uint32_t any = mutant->after->nodes.count + paths->facts.count;
    if (!paths->facts.count) return false;
    GateFact *fact = &paths->facts.at[mutant_draw(mutant, paths->facts.count)];
    *(mutant_draw(mutant, 2) ? &fact->upper : &fact->lower) = mutant_draw(mutant, any);
    return true;
}
static bool change_join(Mutant *mutant) {
    GatePaths *paths = &((GsaDestructHint *)mutant->hint)->paths;
    uint32_t any = mutant->after->nodes.count + paths->facts.count;
    if (!paths->joins.count) return false;
    paths->joins.at[mutant_draw(mutant, paths->joins.count)] = mutant_draw(mutant, any);
    return true;
}
static bool forge_choice_and_join(Mutant *mutant) {
    return forge_choice(mutant) && change_join(mutant);
}

static void test_mutants(void **state) {
    (void)state;
    static const MutantKind kinds[] = {
        {"change a choice", change_choice},
        {"change a choice and a phi", forge_choice},
        {"change a fact", change_fact},
        {"change the fact of a join", change_join},
        {"change a choice, a phi and a fact", forge_choice_and_join},
    };
    mutants_try(&(MutantPass){.make = make,
                              .check = check,
                              .kinds = kinds,
                              .kind_count = sizeof kinds / sizeof kinds[0]},
                effort(2000, 12000, 600000));
}

// ---- Completeness

// Every reshaped gamma finds its arguments, and behaves as before.
static void test_reshaped(void **state) {
    (void)state;
    Arena *arena = arena_new("reshaped");
    uint64_t gammas = 0, fewer = 0, count = effort(100, 1000, 40000);
    for (uint64_t seed = 1; seed <= count; seed++, arena_reset(arena)) {
        Random random = random_from(seed);
        CopiesHint normal = {0};
        SsaHint ssa = {0};
        GsaDestructHint hint = {0};
        const Func *func = random_func(arena, program_new(arena), random_options(300, seed), seed);
        Func *before = gated(arena, ssa_build(arena, normalize(arena, func, &normal), &ssa));
        if (!before) continue;
        uint32_t arguments = before->gsa->merge_args.count;
        reshape(arena, &random, before);
        Complaints complaints = {.arena = arena};
        assert_true(verify_func(&complaints, before));
        const Func *after = gsa_destruct(arena, before, &hint);
        if (!after) fail_msg("seed %llu: no way back", (unsigned long long)seed);
        Verdict verdict = step_check(PASS_gsa_destruct, arena, NULL, before, after, &hint);
        if (!verdict.accepted)
            fail_msg("seed %llu: rejected: %s", (unsigned long long)seed, verdict.reason);
        const char *difference = behaviour_difference(arena, func, after, seed, 2000);
        if (difference) fail_msg("seed %llu: %s", (unsigned long long)seed, difference);
        gammas += hint.choices.count;
        fewer += arguments - before->gsa->merge_args.count;
    }
    print_message("%llu arguments of gammas found again, %llu of them merged with others\n",
                  (unsigned long long)gammas, (unsigned long long)fewer);
    assert_true(gammas > count && fewer > count / 20);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mutants),
                                       cmocka_unit_test(test_reshaped)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
