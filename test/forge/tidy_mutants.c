// Random damage to outputs and hints of tidy: see test/gen/mutants.h.
#include "check/checkers.h"
#include "check/passes.h"
#include "pass/pass.h"
#include "test/gen/effort.h"
#include "test/gen/mutants.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static Verdict check(Arena *arena, const Func *before, const Func *after, const void *hint) {
    return pass_check(PASS_tidy, arena, NULL, before, after, hint);
}

// After sccp, which leaves unreachable code behind, if it finds something.
static bool make(Mutant *mutant) {
    SccpHint sccp_hint = {0};
    const Func *folded = sccp(mutant->arena, mutant->before, &sccp_hint);
    if (folded) mutant->before = folded;
    CopiesHint *hint = ARENA_NEW(mutant->arena, CopiesHint);
    mutant->after = tidy(mutant->arena, mutant->before, hint);
    mutant->hint = hint;
    return mutant->after;
}

static uint32_t draw_node(Mutant *mutant) {
    return mutant_draw(mutant, mutant->after->nodes.count);
}
static uint32_t draw_old(Mutant *mutant) {
    return mutant_draw(mutant, mutant->before->nodes.count);
}

static bool change_target(Mutant *mutant) {
    CopiesHint *hint = mutant->hint;
    hint->old.at[draw_node(mutant)].i = draw_old(mutant);
    return true;
}
// A node stands for what the one behind it or before it stands for.
static bool shift_target(Mutant *mutant) {
    CopiesHint *hint = mutant->hint;
    uint32_t node = draw_node(mutant);
    if (!node) return false;
    bool next = mutant_draw(mutant, 2);
    hint->old.at[next ? node - 1 : node] = hint->old.at[next ? node : node - 1];
    return true;
}
// A nop leads past the node behind it.
static bool skip_node(Mutant *mutant) {
    Instr *instr = mutant_draw_instr(mutant);
    if (instr->kind != I_NOP) return false;
    const Instr *next = &mutant->after->nodes.at[instr->succ[0].i];
    if (next->succ_count != 1) return false;
    instr->succ[0] = next->succ[0];
    return true;
}
// A node stands for another old one, and does what that does.
static bool forge_step(Mutant *mutant) {
    CopiesHint *hint = mutant->hint;
    uint32_t node = draw_node(mutant), old = draw_old(mutant);
    Instr *instr = &mutant->after->nodes.at[node];
    const Instr *other = &mutant->before->nodes.at[old];
    if (instr->succ_count != 1 || other->succ_count != 1 || other->arg_count > INLINE_ARGS)
        return false;
    Node succ = instr->succ[0];
    *instr = *other;
    instr->succ[0] = succ;
    hint->old.at[node].i = old;
    return true;
}
// A copy takes the argument of another way into the join.
static bool forge_copy(Mutant *mutant) {
    CopiesHint *hint = mutant->hint;
    uint32_t node = draw_node(mutant);
    Instr *instr = &mutant->after->nodes.at[node];
    Node before = hint->old.at[node], join = mutant->before->nodes.at[before.i].succ[0];
    if (instr->kind != I_OP || !op_is_move(instr->op) ||
        mutant->before->nodes.at[before.i].kind != I_NOP || !func_phi_count(mutant->before, join))
        return false;
    Preds preds = preds_of(mutant->arena, mutant->before);
    uint32_t k = mutant_draw(mutant, preds_count(&preds, join));
    const Phi *phi =
        &func_phis(mutant->before, join)[mutant_draw(mutant, func_phi_count(mutant->before, join))];
    hint->old.at[node] = preds_at(&preds, join)[k];
    instr->arg[0] = phi_args(mutant->before, phi)[k];
    return true;
}

static void test_mutants(void **state) {
    (void)state;
    static const MutantKind kinds[] = {
        {"change a hint's target", change_target}, {"exchange what nodes stand for", shift_target},
        {"lead past a node", skip_node},           {"forge a step and its hint", forge_step},
        {"forge a copy and its hint", forge_copy},
    };
    mutants_try(&(MutantPass){.make = make,
                              .check = check,
                              .kinds = kinds,
                              .kind_count = sizeof kinds / sizeof kinds[0]},
                effort(1000, 6000, 400000));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mutants)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
