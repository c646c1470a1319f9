// Random damage to outputs and hints of gated_gvn: see test/gen/mutants.h.
//
// Random functions hardly ever branch twice on the same condition, so they are made to: conditions and
// arguments of phis are copied from one place to another, wherever the function stays well-formed.
#include "check/check_gated_gvn.h"
#include "ir/gsa.h"
#include "ir/verify.h"
#include "pass/close_loops.h"
#include "pass/gate_paths.h"
#include "pass/gated_gvn.h"
#include "pass/gsa_build.h"
#include "pass/substitute.h"
#include "test/gen/effort.h"
#include "test/gen/mutants.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static Verdict check(Arena *arena, const Func *before, const Func *after, const void *hint) {
    return check_gated_gvn(arena, before, after, hint);
}

// ---- Functions that branch on the same conditions

static bool is_well_formed(Arena *arena, const Func *func) {
    Complaints complaints = {.arena = arena};
    return verify_func(&complaints, func);
}

static void repeat_condition(Mutant *mutant, Func *func) {
    Instr *from = &func->nodes.at[mutant_draw(mutant, func->nodes.count)];
    Instr *to = &func->nodes.at[mutant_draw(mutant, func->nodes.count)], old = *to;
    if (from->kind != I_COND || to->kind != I_COND) return;
    *to = *from;
    to->succ[0] = old.succ[0];
    to->succ[1] = old.succ[1];
    if (!is_well_formed(mutant->arena, func)) *to = old;
}

static void repeat_phi(Mutant *mutant, Func *func) {
    if (!func->phis.count) return;
    Reg *to = &func->phi_args.at[mutant_draw(mutant, func->phi_args.count)], old = *to;
    *to = func->phi_args.at[mutant_draw(mutant, func->phi_args.count)];
    if (!is_well_formed(mutant->arena, func)) *to = old;
}

static const Func *repetitive(Mutant *mutant) {
    Func *func = func_clone(mutant->before, mutant->arena);
    for (int i = 0; i < 60; i++) repeat_condition(mutant, func);
    for (int i = 0; i < 40; i++) repeat_phi(mutant, func);
    return func;
}

static bool make(Mutant *mutant) {
    Arena *arena = mutant->arena;
    const Func *func = repetitive(mutant), *closed;
    closed = close_loops(arena, func, &(CloseLoopsHint){0});
    func = gsa_build(arena, closed ? closed : func, &(GsaBuildHint){0});
    if (!func || func->gsa->merges.count < 2) return false;
    GatedGvnHint *hint = ARENA_NEW(arena, GatedGvnHint);
    mutant->before = func;
    mutant->hint = hint;
    mutant->after = gated_gvn(arena, func, hint);
    if (mutant->after) return true;
    // Nothing is equal; a forger says so all the same.
    GateForest forest;
    *hint = (GatedGvnHint){0};
    if (!forest_init(&forest, arena, func, gsa_clone(arena, func->gsa), &hint->paths)) return false;
    forest_grow(&forest);
    for (uint32_t i = 0; i < func->regs.count; i++)
        vec_push(arena, &hint->numbering.leader, (Reg){i});
    mutant->after = func_clone(func, arena);
    return true;
}

// ---- Kinds of damage

static Reg *leaders(Mutant *mutant) {
    return ((GatedGvnHint *)mutant->hint)->numbering.leader.at;
}

static Merge *draw_merge(Mutant *mutant) {
    Gsa *gsa = mutant->after->gsa;
    return gsa->merges.count ? &gsa->merges.at[mutant_draw(mutant, gsa->merges.count)] : NULL;
}

static MergeArg *draw_argument(Mutant *mutant) {
    Gsa *gsa = mutant->after->gsa;
    uint32_t count = gsa->merge_args.count;
    return count ? &gsa->merge_args.at[mutant_draw(mutant, count)] : NULL;
}

static bool change_merge_argument(Mutant *mutant) {
    MergeArg *arg = draw_argument(mutant);
    return arg && mutant_change_reg(mutant, &arg->reg);
}
static bool change_gate(Mutant *mutant) {
    Merge *merge = draw_merge(mutant);
    if (!merge || merge->kind != MERGE_GAMMA) return false;
    Gate *gate = &mutant->after->gsa->merge_args.at[merge->args_at].gate, old = *gate;
    gate->i = mutant_draw(mutant, mutant->after->gsa->gates.count);
    return gate->i != old.i;
}
static bool exchange_arguments(Mutant *mutant) {
    Merge *merge = draw_merge(mutant);
    if (!merge || merge->arg_count < 2) return false;
    MergeArg *args = mutant->after->gsa->merge_args.at + merge->args_at;
    Reg first = args[0].reg;
    args[0].reg = args[1].reg;
    args[1].reg = first;
    return args[0].reg.i != first.i;
}
static bool exchange_merges(Mutant *mutant) {
    Merge *a = draw_merge(mutant), *b = draw_merge(mutant);
    if (!a || a == b || reg_type(mutant->after, a->dest) != reg_type(mutant->after, b->dest))
        return false;
    Reg dest = a->dest;
    a->dest = b->dest;
    b->dest = dest;
    return true;
}
static bool change_eta(Mutant *mutant) {
    Gsa *gsa = mutant->after->gsa;
    return gsa->etas.count &&
           mutant_change_reg(mutant, &gsa->etas.at[mutant_draw(mutant, gsa->etas.count)].source);
}
static bool change_leader(Mutant *mutant) {
    return mutant_change_reg(mutant,
                             &leaders(mutant)[mutant_draw(mutant, mutant->after->regs.count)]);
}
// Puts one register in the place of another, and both into one class.
static bool unite(Mutant *mutant, Reg a, Reg b) {
    uint32_t count = mutant->after->regs.count;
    if (a.i == b.i || reg_type(mutant->after, a) != reg_type(mutant->after, b)) return false;
    Reg *instead_of = ARENA_ARRAY(mutant->arena, Reg, count), from = leaders(mutant)[a.i];
    for (uint32_t i = 0; i < count; i++) instead_of[i] = (Reg){i};
    instead_of[a.i] = b;
    mutant->after = substitute(mutant->arena, mutant->after, instead_of);
    for (uint32_t i = 0; i < count; i++)
        if (leaders(mutant)[i].i == from.i) leaders(mutant)[i] = leaders(mutant)[b.i];
    return true;
}
static bool unite_registers(Mutant *mutant) {
    uint32_t count = mutant->after->regs.count;
    return unite(mutant, (Reg){mutant_draw(mutant, count)}, (Reg){mutant_draw(mutant, count)});
}
static bool unite_merges(Mutant *mutant) {
    Merge *a = draw_merge(mutant), *b = draw_merge(mutant);
    return a && unite(mutant, a->dest, b->dest);
}
// Claims that the arguments of two gammas are equal as well.
static bool unite_with_arguments(Mutant *mutant) {
    Merge *a = draw_merge(mutant), *b = draw_merge(mutant);
    if (!a || a->arg_count != b->arg_count) return false;
    for (uint32_t k = 0; k < a->arg_count; k++) {
        Reg x = merge_args(mutant->after, a)[k].reg, y = merge_args(mutant->after, b)[k].reg;
        if (reg_type(mutant->after, x) != reg_type(mutant->after, y)) return false;
        leaders(mutant)[x.i] = leaders(mutant)[y.i];
    }
    return unite(mutant, a->dest, b->dest);
}
static bool change_fact(Mutant *mutant) {
    GatePaths *paths = &((GatedGvnHint *)mutant->hint)->paths;
    if (!paths->joins.count) return false;
    paths->joins.at[mutant_draw(mutant, paths->joins.count)] =
        mutant_draw(mutant, mutant->before->nodes.count + paths->facts.count + 1);
    return true;
}

static const MutantKind kinds[] = {
    {"change an argument of a merge", change_merge_argument},
    {"change a gate", change_gate},
    {"exchange arguments of a merge", exchange_arguments},
    {"exchange destinations of merges", exchange_merges},
    {"change the source of an eta", change_eta},
    {"change a leader", change_leader},
    {"unite two registers", unite_registers},
    {"unite two merges", unite_merges},
    {"unite with arguments", unite_with_arguments},
    {"change a fact", change_fact},
};

static void test_mutants(void **state) {
    (void)state;
    mutants_try(&(MutantPass){.make = make,
                              .check = check,
                              .kinds = kinds,
                              .kind_count = sizeof kinds / sizeof kinds[0]},
                effort(600, 3000, 100000));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mutants)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
