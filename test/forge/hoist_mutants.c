// Random damage to hoistings: see test/gen/mutants.h. And the pass itself on random functions with
// their variables in registers or in memory: accepted, the same behaviour, and things do move.
#include "check/checkers.h"
#include "check/passes.h"
#include "pass/pass.h"
#include "pass/values/values_hint.h"
#include "test/gen/compare.h"
#include "test/gen/effort.h"
#include "test/gen/in_memory.h"
#include "test/gen/mutants.h"
#include "test/gen/random_func.h"
#include "test/gen/twins.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static Verdict check(Arena *arena, const Func *before, const Func *after, const void *hint) {
    return pass_check(PASS_hoist, arena, NULL, before, after,
                      explain_HoistHint(arena, before, after, hint));
}

// A random function in SSA.
static const Func *original(Arena *arena, uint64_t seed) {
    RandomOptions options = random_options(seed % 3 ? 80 : 300, seed);
    options.variables = 2 + (uint32_t)(seed % 5);
    const Func *func = random_func(arena, program_new(arena), options, seed);
    if (seed % 2) func = func_in_memory(arena, func, seed);
    Numbering numbering = {0};
    const Func *ssa = ssa_of(arena, func), *numbered = gvn(arena, ssa, &numbering);
    return numbered ? numbered : ssa;
}

static bool make(Mutant *mutant) {
    for (int tries = 0; tries < 20; tries++) {
        HoistHint *hint = ARENA_NEW(mutant->arena, HoistHint);
        mutant->before = original(mutant->arena, mutant_draw(mutant, 1u << 30));
        mutant->after = hoist(mutant->arena, mutant->before, hint);
        mutant->hint = hint;
        if (mutant->after) return true;
    }
    return false;
}

static Instr *draw_added(Mutant *mutant) {
    const HoistHint *hint = mutant->hint;
    uint32_t n = mutant_draw(mutant, mutant->after->nodes.count);
    return n < hint->old.count && hint->old.at[n].i == NO_ID ? &mutant->after->nodes.at[n] : NULL;
}
static bool change_hint(Mutant *mutant) {
    HoistHint *hint = mutant->hint;
    hint->old.at[mutant_draw(mutant, hint->old.count)].i =
        mutant_draw(mutant, mutant->before->nodes.count);
    return true;
}
static bool claim_added(Mutant *mutant) {
    HoistHint *hint = mutant->hint;
    hint->old.at[mutant_draw(mutant, hint->old.count)] = NO_NODE;
    return true;
}
static bool move_load(Mutant *mutant) {
    Instr *instr = draw_added(mutant);
    if (!instr || instr->kind != I_LOAD) return false;
    instr->imm += mutant_draw(mutant, 2) ? 4 : -4;
    return true;
}
static bool replace_added(Mutant *mutant) {
    Instr *instr = draw_added(mutant), *other = mutant_draw_instr(mutant);
    if (!instr || other->succ_count != 1 || other->kind == I_NOP) return false;
    Node succ = instr->succ[0];
    *instr = *other;
    instr->succ[0] = succ;
    if (mutant_draw(mutant, 2))
        *other = (Instr){.kind = I_NOP, .dest = NO_REG, .succ_count = 1, .succ = {other->succ[0]}};
    return true;
}

static void test_mutants(void **state) {
    (void)state;
    static const MutantKind kinds[] = {
        {"change the hint", change_hint},
        {"claim that something was added", claim_added},
        {"load from elsewhere", move_load},
        {"replace what was added", replace_added},
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
    uint64_t count = effort(200, 1500, 50000), changed = 0, loads = 0;
    for (uint64_t seed = 1; seed <= count; seed++) {
        const Func *before = original(arena, seed);
        HoistHint hint = {0};
        const Func *after = hoist(arena, before, &hint);
        if (after) {
            Complaints complaints = {.arena = arena};
            if (!verify_func(&complaints, after)) fail_msg("%s", complaints.list.at[0].message);
            Verdict verdict = pass_check(PASS_hoist, arena, NULL, before, after,
                                         explain_HoistHint(arena, before, after, &hint));
            if (!verdict.accepted)
                fail_msg("seed %llu: %s", (unsigned long long)seed, verdict.reason);
            for (uint64_t run = 0; run < 4; run++)
                assert_null(behaviour_difference(arena, before, after, seed + run, 2000));
            changed++;
            loads += after->regs.count - before->regs.count;
        }
        arena_reset(arena);
    }
    assert_true(changed > count / 10 && loads > count / 10);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mutants),
                                       cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
