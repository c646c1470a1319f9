// Random damage to outputs and hints of gsa_build: see test/gen/mutants.h. Gates are judged by the
// interpreter of gated SSA: a gamma of which no gate holds, or two do, is a wrong step.
#include "check/checkers.h"
#include "pass/pass.h"
#include "pipeline/step_check.h"
#include "test/gen/effort.h"
#include "test/gen/mutants.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static Verdict check(Arena *arena, const Func *before, const Func *after, const void *hint) {
    return step_check(PASS_gsa_build, arena, NULL, before, after, hint);
}

static bool make(Mutant *mutant) {
    GsaBuildHint *hint = ARENA_NEW(mutant->arena, GsaBuildHint);
    CloseLoopsHint closing = {0};
    const Func *closed = close_loops(mutant->arena, mutant->before, &closing);
    if (closed) mutant->before = closed;
    mutant->after = gsa_build(mutant->arena, mutant->before, hint);
    mutant->hint = hint;
    return mutant->after;
}

// ---- Drawing

static Gsa *gsa_of(Mutant *mutant) {
    return mutant->after->gsa;
}
static Merge *draw_merge(Mutant *mutant, MergeKind kind) {
    Gsa *gsa = gsa_of(mutant);
    if (!gsa->merges.count) return NULL;
    Merge *merge = &gsa->merges.at[mutant_draw(mutant, gsa->merges.count)];
    return merge->kind == kind ? merge : NULL;
}
static MergeArg *args_of(Mutant *mutant, const Merge *merge) {
    return gsa_of(mutant)->merge_args.at + merge->args_at;
}
static Eta *draw_eta(Mutant *mutant) {
    Gsa *gsa = gsa_of(mutant);
    return gsa->etas.count ? &gsa->etas.at[mutant_draw(mutant, gsa->etas.count)] : NULL;
}
static Gate draw_gate(Mutant *mutant) {
    return (Gate){mutant_draw(mutant, gsa_of(mutant)->gates.count)};
}
static uint32_t draw_fact(Mutant *mutant) {
    const GsaBuildHint *hint = mutant->hint;
    uint32_t nodes = mutant->after->nodes.count;
    return mutant_draw(mutant, 10) ? mutant_draw(mutant, nodes + hint->paths.facts.count)
                                   : FACT_NONE;
}

// ---- Damage to merges and etas

static bool exchange_gates(Mutant *mutant) {
    Merge *gamma = draw_merge(mutant, MERGE_GAMMA);
    if (!gamma || gamma->arg_count < 2) return false;
    MergeArg *args = args_of(mutant, gamma);
    uint32_t a = mutant_draw(mutant, gamma->arg_count), b = mutant_draw(mutant, gamma->arg_count);
    Gate first = args[a].gate;
    args[a].gate = args[b].gate;
    args[b].gate = first;
    return args[a].gate.i != args[b].gate.i;
}
static bool exchange_registers(Mutant *mutant) {
    Merge *merge = draw_merge(mutant, mutant_draw(mutant, 2) ? MERGE_MU : MERGE_GAMMA);
    if (!merge || merge->arg_count < 2) return false;
    MergeArg *args = args_of(mutant, merge);
    Reg first = args[0].reg;
    args[0].reg = args[1].reg;
    args[1].reg = first;
    return args[0].reg.i != args[1].reg.i;
}
static bool change_gate(Mutant *mutant) {
    Merge *gamma = draw_merge(mutant, MERGE_GAMMA);
    if (!gamma) return false;
    args_of(mutant, gamma)[mutant_draw(mutant, gamma->arg_count)].gate = draw_gate(mutant);
    return true;
}
// One operand of the gate alone, or the gate with another literal.
static bool loosen_gate(Mutant *mutant) {
    Merge *gamma = draw_merge(mutant, MERGE_GAMMA);
    if (!gamma) return false;
    Gate *gate = &args_of(mutant, gamma)[mutant_draw(mutant, gamma->arg_count)].gate;
    GateNode node = gsa_of(mutant)->gates.at[gate->i];
    if (node.kind != GK_AND && node.kind != GK_OR) return false;
    *gate = (Gate){mutant_draw(mutant, 2) ? node.first : node.second};
    return true;
}
static bool tighten_gate(Mutant *mutant) {
    Merge *gamma = draw_merge(mutant, MERGE_GAMMA);
    if (!gamma) return false;
    Gate *gate = &args_of(mutant, gamma)[mutant_draw(mutant, gamma->arg_count)].gate;
    Gate old = *gate, other = draw_gate(mutant);
    *gate =
        (mutant_draw(mutant, 2) ? gate_and : gate_or)(mutant->arena, gsa_of(mutant), old, other);
    return gate->i != old.i;
}
static bool change_merge_argument(Mutant *mutant) {
    Gsa *gsa = gsa_of(mutant);
    uint32_t count = gsa->merge_args.count;
    return count && mutant_change_reg(mutant, &gsa->merge_args.at[mutant_draw(mutant, count)].reg);
}
static bool exchange_merges(Mutant *mutant) {
    Gsa *gsa = gsa_of(mutant);
    if (gsa->merges.count < 2) return false;
    Merge *merges = &gsa->merges.at[mutant_draw(mutant, gsa->merges.count - 1)];
    Reg first = merges[0].dest;
    merges[0].dest = merges[1].dest;
    merges[1].dest = first;
    return true;
}
static bool change_kind(Mutant *mutant) {
    Gsa *gsa = gsa_of(mutant);
    if (!gsa->merges.count) return false;
    Merge *merge = &gsa->merges.at[mutant_draw(mutant, gsa->merges.count)];
    merge->kind = merge->kind == MERGE_MU ? MERGE_GAMMA : MERGE_MU;
    return true;
}
static bool change_eta_source(Mutant *mutant) {
    Eta *eta = draw_eta(mutant);
    return eta && mutant_change_reg(mutant, &eta->source);
}
static bool change_eta_destination(Mutant *mutant) {
    Eta *eta = draw_eta(mutant);
    return eta && mutant_change_reg(mutant, &eta->dest);
}
static bool exchange_etas(Mutant *mutant) {
    Eta *a = draw_eta(mutant), *b = draw_eta(mutant);
    if (!a || a == b || reg_type(mutant->after, a->dest) != reg_type(mutant->after, b->dest))
        return false;
    Reg first = a->source;
    a->source = b->source;
    b->source = first;
    return a->source.i != b->source.i;
}
static bool change_eta_gate(Mutant *mutant) {
    Eta *eta = draw_eta(mutant);
    if (!eta) return false;
    Gate old = eta->gate;
    eta->gate = draw_gate(mutant);
    return eta->gate.i != old.i;
}
// An eta moves from its pad to the next one, or stays behind.
static bool shift_etas(Mutant *mutant) {
    Gsa *gsa = gsa_of(mutant);
    if (!gsa->etas.count) return false;
    uint32_t node = 1 + mutant_draw(mutant, mutant->after->nodes.count - 1);
    uint32_t *at = &gsa->eta_at.at[node], old = *at;
    *at = mutant_draw(mutant, gsa->etas.count + 1);
    return *at != old;
}
// The copy comes back in the place of its eta.
static bool restore_copy(Mutant *mutant) {
    Gsa *gsa = gsa_of(mutant);
    uint32_t node = mutant_draw(mutant, mutant->after->nodes.count);
    const Instr *then = &mutant->before->nodes.at[node];
    Instr *now = &mutant->after->nodes.at[node];
    if (then->kind != I_OP || now->kind != I_NOP) return false;
    for (uint32_t i = 0; i < gsa->etas.count; i++) {
        if (gsa->etas.at[i].dest.i != then->dest.i) continue;
        for (uint32_t k = i; k + 1 < gsa->etas.count; k++) gsa->etas.at[k] = gsa->etas.at[k + 1];
        for (uint32_t n = 0; n < gsa->eta_at.count; n++) gsa->eta_at.at[n] -= gsa->eta_at.at[n] > i;
        gsa->etas.count--;
        *now = *then;
        return true;
    }
    return false;
}

// ---- Damage to what evaluation on demand needs, and to the hint

static bool change_fact(Mutant *mutant) {
    GsaBuildHint *hint = mutant->hint;
    if (!hint->paths.facts.count) return false;
    GateFact *fact = &hint->paths.facts.at[mutant_draw(mutant, hint->paths.facts.count)];
    *(mutant_draw(mutant, 2) ? &fact->upper : &fact->lower) = draw_fact(mutant);
    return true;
}
static bool change_join(Mutant *mutant) {
    GsaBuildHint *hint = mutant->hint;
    if (!hint->paths.joins.count) return false;
    hint->paths.joins.at[mutant_draw(mutant, hint->paths.joins.count)] = draw_fact(mutant);
    return true;
}
static bool change_pad(Mutant *mutant) {
    GsaBuildHint *hint = mutant->hint;
    if (!hint->pads.count) return false;
    hint->pads.at[mutant_draw(mutant, hint->pads.count)] = draw_fact(mutant);
    return true;
}
// A gate of a gamma and the fact that it comes from, both of another place.
static bool forge_gate_and_fact(Mutant *mutant) {
    return change_gate(mutant) && change_join(mutant);
}

static void test_mutants(void **state) {
    (void)state;
    static const MutantKind kinds[] = {
        {"exchange gates", exchange_gates},
        {"exchange registers of a merge", exchange_registers},
        {"change a gate", change_gate},
        {"take an operand of a gate", loosen_gate},
        {"add an operand to a gate", tighten_gate},
        {"change an argument of a merge", change_merge_argument},
        {"exchange merges", exchange_merges},
        {"change the kind of a merge", change_kind},
        {"change the source of an eta", change_eta_source},
        {"change what an eta sets", change_eta_destination},
        {"exchange sources of etas", exchange_etas},
        {"change the gate of an eta", change_eta_gate},
        {"shift etas", shift_etas},
        {"restore a copy", restore_copy},
        {"change a fact", change_fact},
        {"change the fact of a join", change_join},
        {"change the fact of a pad", change_pad},
        {"change a gate and a fact", forge_gate_and_fact},
    };
    mutants_try(&(MutantPass){.make = make,
                              .check = check,
                              .kinds = kinds,
                              .kind_count = sizeof kinds / sizeof kinds[0]},
                effort(2000, 12000, 600000));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mutants)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
