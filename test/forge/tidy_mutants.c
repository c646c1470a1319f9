// Random damage to outputs and hints of tidy: see test/gen/mutants.h.
#include "check/checkers.h"
#include "pass/pass.h"
#include "pipeline/passes.h"
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
    TidyHint *hint = ARENA_NEW(mutant->arena, TidyHint);
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
    TidyHint *hint = mutant->hint;
    hint->norm.nodes.at[draw_node(mutant)].target = draw_old(mutant);
    return true;
}
static bool change_kind(Mutant *mutant) {
    TidyHint *hint = mutant->hint;
    hint->norm.nodes.at[draw_node(mutant)].kind = (NormKind)mutant_draw(mutant, 4);
    return true;
}
static bool change_from(Mutant *mutant) {
    TidyHint *hint = mutant->hint;
    hint->from.at[draw_node(mutant)] = mutant_draw(mutant, 4) ? (Node){draw_old(mutant)} : NO_NODE;
    return true;
}
static bool change_phi(Mutant *mutant) {
    TidyHint *hint = mutant->hint;
    hint->phi.at[draw_node(mutant)] = mutant_draw(mutant, 3);
    return true;
}
static bool change_loop(Mutant *mutant) {
    TidyHint *hint = mutant->hint;
    hint->norm.nodes.at[draw_node(mutant)].loop = hint->norm.nodes.at[draw_node(mutant)].loop;
    return true;
}
static bool change_outer_loop(Mutant *mutant) {
    TidyHint *hint = mutant->hint;
    hint->norm.outer_loop.at[draw_node(mutant)] = hint->norm.nodes.at[draw_node(mutant)].loop;
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
    TidyHint *hint = mutant->hint;
    uint32_t node = draw_node(mutant), old = draw_old(mutant);
    Instr *instr = &mutant->after->nodes.at[node];
    const Instr *other = &mutant->before->nodes.at[old];
    if (instr->succ_count != 1 || other->succ_count != 1 || other->arg_count > INLINE_ARGS)
        return false;
    Node succ = instr->succ[0];
    *instr = *other;
    instr->succ[0] = succ;
    hint->norm.nodes.at[node].kind = NORM_STEP;
    hint->norm.nodes.at[node].target = old;
    hint->from.at[node] = NO_NODE;
    return true;
}
// A copy takes the argument of another way into the join.
static bool forge_copy(Mutant *mutant) {
    TidyHint *hint = mutant->hint;
    uint32_t node = draw_node(mutant);
    if (hint->norm.nodes.at[node].kind != NORM_COPY) return false;
    Node join = {hint->norm.nodes.at[node].target};
    Preds preds = preds_of(mutant->arena, mutant->before);
    uint32_t k = mutant_draw(mutant, preds_count(&preds, join));
    const Phi *phi = &func_phis(mutant->before, join)[hint->phi.at[node]];
    hint->from.at[node] = preds_at(&preds, join)[k];
    mutant->after->nodes.at[node].arg[0] = phi_args(mutant->before, phi)[k];
    return true;
}

static void test_mutants(void **state) {
    (void)state;
    static const MutantKind kinds[] = {
        {"change a hint's target", change_target},
        {"change a hint's kind", change_kind},
        {"change where it comes from", change_from},
        {"change which phi is copied", change_phi},
        {"change a node's loop", change_loop},
        {"change a loop's outer loop", change_outer_loop},
        {"lead past a node", skip_node},
        {"forge a step and its hint", forge_step},
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
