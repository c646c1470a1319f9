// Random damage to excursions into Sea of Nodes and to their hints, often to both at once so that
// they fit together: see test/gen/mutants.h.
#include "check/checkers.h"
#include "pass/pass.h"
#include "test/gen/correlated.h"
#include "test/gen/effort.h"
#include "test/gen/in_memory.h"
#include "test/gen/mutants.h"
#include "test/gen/random_func.h"
#include "test/gen/twins.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static Verdict check(Arena *arena, const Func *before, const Func *after, const void *hint) {
    return check_values(arena, before, after, hint);
}

// A random function in SSA, or the one that is there.
static const Func *original(Mutant *mutant) {
    uint64_t seed = mutant_draw(mutant, 1u << 30);
    if (seed % 4 == 0) return mutant->before;
    RandomOptions options = random_options(seed % 3 ? 60 : 200, seed);
    options.variables = 2 + (uint32_t)(seed % 5);
    const Func *func = random_func(mutant->arena, program_new(mutant->arena), options, seed);
    if (seed % 3 == 0) func = correlated_func(mutant->arena, func, seed);
    if (seed % 2) func = func_in_memory(mutant->arena, func, seed);
    return ssa_of(mutant->arena, func);
}

static bool make(Mutant *mutant) {
    ValuesHint *hint = ARENA_NEW(mutant->arena, ValuesHint);
    mutant->before = original(mutant);
    const Func *son = son_build(mutant->arena, mutant->before);
    son = son_optimize(mutant->arena, son);
    mutant->after = son_schedule(mutant->arena, son, hint);
    mutant->hint = hint;
    // Others see to it that all of them are accepted.
    return check(mutant->arena, mutant->before, mutant->after, hint).accepted;
}

static ValuesHint *hint_of(Mutant *mutant) {
    return mutant->hint;
}
static uint32_t draw_value(Mutant *mutant) {
    return mutant_draw(mutant, hint_of(mutant)->values.count);
}

// ---- The hint

static bool change_claim(Mutant *mutant) {
    ValuesHint *hint = hint_of(mutant);
    if (!hint->values.count || !hint->value_of.count) return false;
    hint->value_of.at[mutant_draw(mutant, hint->value_of.count)] = draw_value(mutant);
    return true;
}
static bool change_formed(Mutant *mutant) {
    ValuesHint *hint = hint_of(mutant);
    if (!hint->values.count) return false;
    uint32_t reg = mutant_draw(mutant, hint->formed.count);
    hint->formed.at[reg] = hint->value_of.at[reg] = draw_value(mutant);
    return true;
}
static bool change_value_argument(Mutant *mutant) {
    ValuesHint *hint = hint_of(mutant);
    if (!hint->args.count) return false;
    hint->args.at[mutant_draw(mutant, hint->args.count)] = draw_value(mutant);
    return true;
}
static bool change_value(Mutant *mutant) {
    ValuesHint *hint = hint_of(mutant);
    if (!hint->values.count) return false;
    HintValue *value = &hint->values.at[draw_value(mutant)];
    switch (mutant_draw(mutant, 4)) {
    case 0: value->op = (uint16_t)mutant_draw(mutant, OP_COUNT); break;
    case 1: value->ref = mutant_draw(mutant, mutant->before->nodes.count); break;
    case 2: value->imm += mutant_draw(mutant, 2) ? 1 : -1; break;
    default: *value = hint->values.at[draw_value(mutant)]; break;
    }
    return true;
}
static bool change_step(Mutant *mutant) {
    ValuesHint *hint = hint_of(mutant);
    if (!hint->steps.count) return false;
    ValueStep *step = &hint->steps.at[mutant_draw(mutant, hint->steps.count)];
    if (mutant_draw(mutant, 2))
        step->to = draw_value(mutant);
    else
        step->rule = (uint16_t)mutant_draw(mutant, STEP_REASON_COUNT);
    return true;
}
static bool change_fact(Mutant *mutant) {
    ValuesHint *hint = hint_of(mutant);
    if (!hint->facts.count) return false;
    PlaceFact *fact = &hint->facts.at[mutant_draw(mutant, hint->facts.count)];
    if (mutant_draw(mutant, 2))
        fact->value = draw_value(mutant);
    else
        fact->place = mutant_draw(mutant, hint->facts.count + 4);
    return true;
}
// Few branches of random functions are decided by others: several functions are tried.
static bool change_decision(Mutant *mutant) {
    for (int tries = 0; tries < 50 && !hint_of(mutant)->decisions.count; tries++)
        if (!make(mutant)) return false;
    ValuesHint *hint = hint_of(mutant);
    if (!hint->decisions.count) return false;
    Decision *decision = &hint->decisions.at[mutant_draw(mutant, hint->decisions.count)];
    switch (mutant_draw(mutant, 3)) {
    case 0: decision->edge.way ^= 1; break;
    case 1: decision->first = mutant_draw(mutant, hint->edges.count + 1); break;
    default: decision->count = mutant_draw(mutant, 3); break;
    }
    return true;
}
static bool change_old(Mutant *mutant) {
    ValuesHint *hint = hint_of(mutant);
    hint->old.at[mutant_draw(mutant, hint->old.count)].i =
        mutant_draw(mutant, 3) ? mutant_draw(mutant, mutant->before->nodes.count) : NO_ID;
    return true;
}
static bool change_new(Mutant *mutant) {
    ValuesHint *hint = hint_of(mutant);
    if (!hint->values.count) return false;
    hint->value_of_new.at[mutant_draw(mutant, hint->value_of_new.count)] = draw_value(mutant);
    return true;
}

// ---- The code and the hint

// An argument is another register, and the old one is claimed to have that value.
static bool claim_argument(Mutant *mutant) {
    ValuesHint *hint = hint_of(mutant);
    uint32_t n = mutant_draw(mutant, hint->old.count);
    Node old = hint->old.at[n];
    Instr *instr = &mutant->after->nodes.at[n];
    if (old.i == NO_ID || instr->arg_count == 0 || instr->arg_count > INLINE_ARGS) return false;
    const Instr *then = func_at(mutant->before, old);
    uint32_t k = mutant_draw(mutant, instr->arg_count);
    if (k >= then->arg_count || !mutant_change_reg(mutant, &instr->arg[k])) return false;
    hint->value_of.at[then->arg[k].i] = hint->value_of_new.at[instr->arg[k].i];
    return true;
}
// The same, but the new register is claimed to have the value that was there.
static bool claim_new(Mutant *mutant) {
    ValuesHint *hint = hint_of(mutant);
    Instr *instr = mutant_draw_instr(mutant);
    if (instr->arg_count == 0 || instr->arg_count > INLINE_ARGS) return false;
    uint32_t k = mutant_draw(mutant, instr->arg_count);
    Reg then = instr->arg[k];
    if (!mutant_change_reg(mutant, &instr->arg[k])) return false;
    hint->value_of_new.at[instr->arg[k].i] = hint->value_of_new.at[then.i];
    return true;
}
// An argument of a phi, and that of its value.
static bool change_phi(Mutant *mutant) {
    ValuesHint *hint = hint_of(mutant);
    Func *after = mutant->after;
    if (!after->phis.count) return false;
    const Phi *phi = &after->phis.at[mutant_draw(mutant, after->phis.count)];
    uint32_t value = hint->value_of_new.at[phi->dest.i];
    if (value == NO_ID || hint->values.at[value].kind != VALUE_PHI) return false;
    uint32_t k = mutant_draw(mutant, hint->values.at[value].count);
    if (phi->args_at + k >= after->phi_args.count) return false;
    Reg *arg = &after->phi_args.at[phi->args_at + k];
    if (!mutant_change_reg(mutant, arg)) return false;
    hint->args.at[hint->values.at[value].first + k] = hint->value_of_new.at[arg->i];
    return true;
}
// A constant, in the code and in the values.
static bool change_constant(Mutant *mutant) {
    ValuesHint *hint = hint_of(mutant);
    Instr *instr = mutant_draw_instr(mutant);
    if (instr->kind != I_OP || op_family(instr->op) != FAM_CONST) return false;
    uint32_t value = hint->value_of_new.at[instr->dest.i];
    if (value == NO_ID) return false;
    instr->imm = (int32_t)(instr->imm + 1);
    hint->values.at[value].imm = instr->imm;
    return true;
}
// An operator, in the code and in the values.
static bool change_operator(Mutant *mutant) {
    ValuesHint *hint = hint_of(mutant);
    Instr *instr = mutant_draw_instr(mutant);
    Op op = (Op)mutant_draw(mutant, OP_COUNT);
    if (instr->kind != I_OP || op_info(op)->arity != op_info(instr->op)->arity ||
        op_info(op)->result != op_info(instr->op)->result || op == instr->op)
        return false;
    uint32_t value = hint->value_of_new.at[instr->dest.i];
    if (value == NO_ID || hint->values.at[value].op != instr->op) return false;
    instr->op = hint->values.at[value].op = (uint16_t)op;
    return true;
}
// A store, call or check that is not performed any more: the node becomes a prelude.
static bool drop_performed(Mutant *mutant) {
    ValuesHint *hint = hint_of(mutant);
    uint32_t n = mutant_draw(mutant, hint->old.count);
    Instr *instr = &mutant->after->nodes.at[n];
    if (hint->old.at[n].i == NO_ID || instr->succ_count != 1 || instr->dest.i != NO_ID)
        return false;
    *instr = (Instr){.kind = I_NOP, .dest = NO_REG, .succ_count = 1, .succ = {instr->succ[0]}};
    if (mutant_draw(mutant, 2)) hint->old.at[n] = NO_NODE;
    return true;
}
// A load reads elsewhere, and earlier.
static bool change_load(Mutant *mutant) {
    ValuesHint *hint = hint_of(mutant);
    uint32_t v = 0, from = hint->values.count ? draw_value(mutant) : 0;
    for (v = from; v < hint->values.count && hint->values.at[v].kind != VALUE_LOAD;) v++;
    if (v == hint->values.count) return false;
    uint32_t n = mutant_draw(mutant, mutant->before->nodes.count);
    if (mutant_draw(mutant, 2))
        hint->values.at[v].ref = n;
    else
        hint->values.at[v].imm = n;
    return true;
}
// A load that is performed takes what another one has loaded.
static bool forward_load(Mutant *mutant) {
    ValuesHint *hint = hint_of(mutant);
    uint32_t a = mutant_draw(mutant, hint->old.count), b = mutant_draw(mutant, hint->old.count);
    Instr *x = &mutant->after->nodes.at[a], *y = &mutant->after->nodes.at[b];
    if (x == y || x->kind != I_LOAD || y->kind != I_LOAD || hint->old.at[a].i == NO_ID ||
        hint->old.at[b].i == NO_ID || x->chunk != y->chunk)
        return false;
    Reg dest = x->dest;
    *x = (Instr){.kind = I_NOP, .dest = NO_REG, .succ_count = 1, .succ = {x->succ[0]}};
    Reg old_dest = func_at(mutant->before, hint->old.at[a])->dest;
    uint32_t value = hint->value_of.at[func_at(mutant->before, hint->old.at[b])->dest.i];
    uint32_t gone = hint->value_of.at[old_dest.i];
    for (uint32_t i = 0; i < mutant->after->nodes.count; i++) {
        Instr *instr = &mutant->after->nodes.at[i];
        for (uint32_t k = 0; k < instr->arg_count && instr->arg_count <= INLINE_ARGS; k++)
            if (instr->arg[k].i == dest.i) instr->arg[k] = y->dest;
    }
    for (uint32_t i = 0; i < mutant->after->phi_args.count; i++)
        if (mutant->after->phi_args.at[i].i == dest.i) mutant->after->phi_args.at[i] = y->dest;
    for (uint32_t i = 0; i < hint->args.count; i++)
        if (hint->args.at[i] == gone) hint->args.at[i] = value;
    for (uint32_t i = 0; i < hint->value_of.count; i++)
        if (hint->value_of.at[i] == gone) hint->value_of.at[i] = value;
    return true;
}

static bool damage_twice(Mutant *mutant) {
    static bool (*const kinds[])(Mutant *) = {change_claim,    change_formed, change_value_argument,
                                              change_value,    change_step,   change_fact,
                                              change_decision, change_new,    claim_argument,
                                              claim_new,       change_phi,    change_constant,
                                              change_operator, change_load,   forward_load};
    enum { KINDS = sizeof kinds / sizeof kinds[0] };
    bool first = kinds[mutant_draw(mutant, KINDS)](mutant);
    return kinds[mutant_draw(mutant, KINDS)](mutant) && first;
}

static void test_mutants(void **state) {
    (void)state;
    static const MutantKind kinds[] = {
        {"change a claim", change_claim},
        {"change what is formed", change_formed},
        {"change an argument of a value", change_value_argument},
        {"change a value", change_value},
        {"change a step", change_step},
        {"change a fact", change_fact},
        {"change what is performed", change_old},
        {"change the value of a new register", change_new},
        {"another argument, and the claim", claim_argument},
        {"another argument, and its value", claim_new},
        {"another argument of a phi, and of its value", change_phi},
        {"another constant, and its value", change_constant},
        {"another operator, and its value", change_operator},
        {"drop what is performed", drop_performed},
        {"forward a load", forward_load},
        {"two of these", damage_twice},
    };
    mutants_try(&(MutantPass){.make = make,
                              .check = check,
                              .kinds = kinds,
                              .kind_count = sizeof kinds / sizeof kinds[0]},
                effort(600, 6000, 200000));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mutants)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
