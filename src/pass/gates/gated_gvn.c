// Value numbering by gates: in
//     if (c) x = 1; else x = 2;  ...  if (c) y = 1; else y = 2;
// y is x, though the two are merged at two joins; numberings of phis cannot find this.
//
// gvn ran before and has looked through loops; so one walk in the order of the nodes is enough. The
// walk numbers operators by a table, takes moves and etas for their sources and mus for themselves,
// and looks for each gamma in a second table, by its gates and the numbers of its arguments. A
// gamma that is found there is equal under two conditions. Its join strictly dominates; and below
// that join nothing is set that the gates read or that the arguments are computed from. Then the
// gates and the arguments still have the same values. Only gammas of one condition are merged: the
// way through gated SSA is checked as a whole, by a kernel that knows the outcome of one branch at
// each way into a join. Of gammas with one key the table has the last that could not be merged. A
// gamma whose values turned out equal is the value.
//
// The gates stay as they are, and so do registers that they read.
#include "pass/pass.h"

#include "analysis/computation.h"
#include "analysis/gate_paths.h"
#include "fact/gate/known_from.h"
#include "graph/versions.h"
#include "pass/representative.h"
#include "pass/substitute.h"

typedef struct {
    Arena *arena;
    const Func *func;
    Dominance dom;
    Reg *leader;      // per register
    uint32_t *number; // of the leader: the same as numbers
    const Definition *definitions;
    uint32_t *gate_base;  // per gate
    uint32_t *class_base; // per leader
    Table operators;      // nodes
    Table gammas;         // indices into:
    VEC(uint32_t) newest; // the last merge with each key
    uint32_t *gate_owner; // per gate: the last merge for which it was noted, and
    uint32_t *gate_arg;   // which argument has it
    uint32_t merged;      // gammas with a leader at another join
} GatedGvn;

static void lead(GatedGvn *values, Reg reg, Reg leader) {
    values->leader[reg.i] = leader;
    values->number[reg.i] = leader.i;
}

// ---- Operators

static void number_op(GatedGvn *values, uint32_t node) {
    const Func *func = values->func;
    const Instr *instr = &func->nodes.at[node];
    if (op_is_move((Op)instr->op)) {
        lead(values, instr->dest, values->leader[instr->arg[0].i]);
        return;
    }
    uint64_t hash = computation_hash(instr, values->number);
    uint32_t at = table_first(&values->operators, hash), id;
    while ((id = table_id(&values->operators, hash, &at)) != HASH_NONE) {
        const Instr *other = &func->nodes.at[id];
        if (!computation_same(instr, other, values->number)) continue;
        lead(values, instr->dest, other->dest);
        return;
    }
    table_insert(values->arena, &values->operators, hash, node);
    uint32_t base = known_from_op(&values->dom, func, instr, values->leader, values->class_base);
    if (base != NO_ID) values->class_base[instr->dest.i] = base;
}

// ---- Gammas

static uint64_t hash_gamma(const GatedGvn *values, const Merge *gamma) {
    const MergeArg *args = merge_args(values->func, gamma);
    uint64_t hash = gamma->arg_count;
    for (uint32_t k = 0; k < gamma->arg_count; k++) // a sum hides the order
        hash += hash_add(args[k].gate.i, values->number[args[k].reg.i]);
    return hash_mix(hash);
}

static bool same_key(GatedGvn *values, const Merge *gamma, uint32_t other) {
    const Func *func = values->func;
    const Merge *merge = &func->gsa->merges.at[other];
    if (merge->arg_count != gamma->arg_count) return false;
    for (uint32_t k = 0; k < merge->arg_count; k++) {
        uint32_t gate = merge_args(func, merge)[k].gate.i;
        values->gate_owner[gate] = other;
        values->gate_arg[gate] = k;
    }
    for (uint32_t k = 0; k < gamma->arg_count; k++) {
        MergeArg arg = merge_args(func, gamma)[k];
        if (values->gate_owner[arg.gate.i] != other) return false;
        Reg counterpart = merge_args(func, merge)[values->gate_arg[arg.gate.i]].reg;
        if (values->number[arg.reg.i] != values->number[counterpart.i]) return false;
    }
    return true;
}

// Whether nothing that a gamma with this key depends on is set at or below the join of its leader.
static bool is_settled(const GatedGvn *values, const Merge *gamma, Node join) {
    const MergeArg *args = merge_args(values->func, gamma);
    for (uint32_t k = 0; k < gamma->arg_count; k++)
        if (!known_above(&values->dom, values->gate_base[args[k].gate.i], join) ||
            !known_above(&values->dom, values->class_base[values->number[args[k].reg.i]], join))
            return false;
    return true;
}

// Whether a gamma has two arguments, by the outcomes of one condition: what the values kernel can
// follow from join to join.
static bool has_one_condition(const GatedGvn *values, const Merge *gamma) {
    const Gsa *gsa = values->func->gsa;
    const MergeArg *args = merge_args(values->func, gamma);
    for (uint32_t k = 0; k < gamma->arg_count; k++) {
        const GateNode *gate = &gsa->gates.at[args[k].gate.i];
        if (gate->kind != GK_LITERAL || gsa->atoms.at[gate->first].op == OP_COUNT) return false;
    }
    return gamma->arg_count == 2;
}

// Makes the gamma a member of the class of another gamma with the same key, if possible.
static bool join_class(GatedGvn *values, Node join, const Merge *gamma, uint32_t other) {
    Reg leader = values->func->gsa->merges.at[other].dest;
    Node there = values->definitions[leader.i].node;
    bool across = there.i != join.i;
    if (across && (!known_above(&values->dom, there.i, join) || !is_settled(values, gamma, there) ||
                   !has_one_condition(values, gamma)))
        return false;
    lead(values, gamma->dest, leader);
    values->merged += across;
    return true;
}

// Whether a gamma selects from equal values, one of which is from above its join.
static bool selects_one(const GatedGvn *values, Node join, const Merge *gamma) {
    const MergeArg *args = merge_args(values->func, gamma);
    uint32_t number = values->number[args[0].reg.i];
    for (uint32_t k = 1; k < gamma->arg_count; k++)
        if (values->number[args[k].reg.i] != number) return false;
    return known_above(&values->dom, known_from_reg(values->definitions, (Reg){number}), join);
}

static void number_gamma(GatedGvn *values, Node join, uint32_t merge) {
    const Merge *gamma = &values->func->gsa->merges.at[merge];
    if (selects_one(values, join, gamma)) {
        lead(values, gamma->dest, values->leader[merge_args(values->func, gamma)[0].reg.i]);
        return;
    }
    uint64_t hash = hash_gamma(values, gamma);
    uint32_t at = table_first(&values->gammas, hash), id;
    while ((id = table_id(&values->gammas, hash, &at)) != HASH_NONE) {
        if (!same_key(values, gamma, values->newest.at[id])) continue;
        if (!join_class(values, join, gamma, values->newest.at[id])) values->newest.at[id] = merge;
        return;
    }
    table_insert(values->arena, &values->gammas, hash, values->newest.count);
    vec_push(values->arena, &values->newest, merge);
}

// ---- All of them

static void number_node(GatedGvn *values, Node node) {
    const Func *func = values->func;
    for (uint32_t i = 0; i < gsa_eta_count(func, node); i++) {
        const Eta *eta = &gsa_etas(func, node)[i];
        lead(values, eta->dest, values->leader[eta->source.i]);
    }
    for (uint32_t i = 0; i < gsa_merge_count(func, node); i++) {
        const Merge *merge = &gsa_merges(func, node)[i];
        if (merge->kind == MERGE_GAMMA)
            number_gamma(values, node, (uint32_t)(merge - func->gsa->merges.at));
    }
    if (func_at(func, node)->kind == I_OP) number_op(values, node.i);
}

static void number_values(GatedGvn *values) {
    const Func *func = values->func;
    uint32_t regs = func->regs.count, gates = func->gsa->gates.count;
    values->leader = ARENA_ARRAY(values->arena, Reg, regs);
    values->number = ARENA_ARRAY(values->arena, uint32_t, regs);
    values->definitions = definitions_of(values->arena, func);
    values->class_base = ARENA_ARRAY(values->arena, uint32_t, regs);
    values->gate_owner = ARENA_ARRAY(values->arena, uint32_t, gates);
    values->gate_arg = ARENA_ARRAY(values->arena, uint32_t, gates);
    for (uint32_t i = 0; i < gates; i++) values->gate_owner[i] = NO_ID;
    for (uint32_t i = 0; i < regs; i++) {
        lead(values, (Reg){i}, (Reg){i});
        values->class_base[i] = known_from_reg(values->definitions, (Reg){i});
    }
    values->gate_base =
        known_from_gates(values->arena, func->gsa, &values->dom, values->definitions);
    for (uint32_t n = 0; n < func->nodes.count; n++) number_node(values, (Node){n});
}

// ---- The function

static Reg *choose_all(GatedGvn *values, const LoopNest *loop_nest) {
    const Func *func = values->func;
    uint32_t regs = func->regs.count;
    Representatives choice =
        representatives_new(values->arena, &values->dom, loop_nest, regs, regs);
    for (uint32_t i = 0; i < regs; i++)
        if (reg_is_never_set(func, (Reg){i}))
            representatives_choose(&choice, values->number[i], (Reg){i}, (Node){0});
    for (uint32_t i = 0; i < values->dom.count; i++) {
        Node node = {values->dom.order[i]};
        for (uint32_t k = 0; k < gsa_eta_count(func, node); k++) {
            Reg dest = gsa_etas(func, node)[k].dest;
            representatives_choose(&choice, values->number[dest.i], dest, node);
        }
        for (uint32_t k = 0; k < gsa_merge_count(func, node); k++) {
            Reg dest = gsa_merges(func, node)[k].dest;
            representatives_choose(&choice, values->number[dest.i], dest, node);
        }
        Reg dest = func_at(func, node)->dest;
        if (dest.i != NO_ID) representatives_choose(&choice, values->number[dest.i], dest, node);
    }
    for (uint32_t i = 0; i < func->gsa->atoms.count; i++)
        for (uint32_t k = 0; k < func->gsa->atoms.at[i].arg_count; k++) {
            Reg reg = func->gsa->atoms.at[i].arg[k];
            choice.representative[reg.i] = reg;
        }
    return choice.representative;
}

static bool has_gammas(const Gsa *gsa) {
    uint32_t gammas = 0;
    for (uint32_t i = 0; i < gsa->merges.count; i++)
        gammas += gsa->merges.at[i].kind == MERGE_GAMMA;
    return gammas > 1;
}

// Replaces a gamma, and values that are computed from it, by a gamma of an earlier join that
// selects by the same gates from the same values. NULL if there is none.
Func *gated_gvn(Arena *arena, const Func *func, GatedGvnHint *hint) {
    if (!has_gammas(func->gsa)) return NULL;
    GatedGvn values = {.arena = arena, .func = func};
    Preds preds = preds_of(arena, func);
    values.dom = dominance_of(arena, func, &preds);
    if (values.dom.count != func->nodes.count) return NULL;
    number_values(&values);
    if (!values.merged) return NULL;
    GateForest forest;
    if (!forest_init(&forest, arena, func, gsa_clone(arena, func->gsa), &hint->paths)) return NULL;
    forest_grow(&forest);
    if (!forest_is_regular(&forest)) return NULL; // that is all that the checker understands
    for (uint32_t i = 0; i < func->regs.count; i++)
        vec_push(arena, &hint->numbering.leader, values.leader[i]);
    return substitute_registers(arena, func, choose_all(&values, &forest.loop_nest));
}
