// Random damage to outputs of dead_code: see test/gen/mutants.h.
#include "check/checkers.h"
#include "check/passes.h"
#include "pass/pass.h"
#include "pass/values/values_hint.h"
#include "test/gen/effort.h"
#include "test/gen/mutants.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static Verdict check(Arena *arena, const Func *before, const Func *after, const void *hint) {
    return pass_check(PASS_dead_code, arena, NULL, before, after,
                      explain_DeadCodeHint(arena, before, after, hint));
}

static bool make(Mutant *mutant) {
    DeadCodeHint *hint = ARENA_NEW(mutant->arena, DeadCodeHint);
    Func *after = dead_code(mutant->arena, mutant->before, hint);
    mutant->after = after ? after : func_clone(mutant->before, mutant->arena);
    mutant->hint = hint;
    return true;
}

// Takes a phi out.
static bool drop_phi(Mutant *mutant) {
    const Func *from = mutant->after;
    if (from->phis.count == 0) return false;
    uint32_t gone = mutant_draw(mutant, from->phis.count);
    Func *to = func_like(from, mutant->arena);
    Preds preds = preds_of(mutant->arena, from);
    for (uint32_t n = 0; n < from->nodes.count; n++) func_copy_instr(to, from, &from->nodes.at[n]);
    for (uint32_t n = 0; n < from->nodes.count; n++)
        for (uint32_t p = 0; p < func_phi_count(from, (Node){n}); p++) {
            const Phi *phi = &func_phis(from, (Node){n})[p];
            if (phi - from->phis.at != gone)
                func_add_phi(to, (Node){n}, phi->dest, phi_args(from, phi),
                             preds_count(&preds, (Node){n}));
        }
    func_end_phis(to);
    mutant->after = to;
    return true;
}
// Erases a definition and puts another register in the place of its uses.
static bool replace_definition(Mutant *mutant) {
    Func *after = mutant->after;
    Instr *instr = mutant_draw_instr(mutant);
    if (instr->kind != I_OP && instr->kind != I_LOAD) return false;
    Reg gone = instr->dest, other = gone;
    if (!mutant_change_reg(mutant, &other)) return false;
    *instr = (Instr){.kind = I_NOP, .dest = NO_REG, .succ_count = 1, .succ = {instr->succ[0]}};
    for (uint32_t n = 0; n < after->nodes.count; n++)
        for (uint32_t k = 0; k < after->nodes.at[n].arg_count && k < INLINE_ARGS; k++)
            if (after->nodes.at[n].arg_count <= INLINE_ARGS &&
                after->nodes.at[n].arg[k].i == gone.i)
                after->nodes.at[n].arg[k] = other;
    for (uint32_t i = 0; i < after->phi_args.count; i++)
        if (after->phi_args.at[i].i == gone.i) after->phi_args.at[i] = other;
    return true;
}
// What is removed need not have a definition in RTL.
static bool leave_ssa(Mutant *mutant) {
    Instr *instr = mutant_draw_instr(mutant);
    if (mutant->after->phis.count || instr->kind != I_OP) return false;
    *instr = (Instr){.kind = I_NOP, .dest = NO_REG, .succ_count = 1, .succ = {instr->succ[0]}};
    mutant->after->form = FORM_RTL;
    return true;
}

static void test_mutants(void **state) {
    (void)state;
    static const MutantKind kinds[] = {
        {"drop a phi", drop_phi},
        {"replace a definition", replace_definition},
        {"leave SSA", leave_ssa},
    };
    mutants_try(&(MutantPass){.make = make,
                              .check = check,
                              .kinds = kinds,
                              .kind_count = sizeof kinds / sizeof kinds[0]},
                effort(500, 3000, 200000));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mutants)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
