// The rules of SSA, for a function whose other rules hold: what ids it has are in range.
//
// Every register has at most one definition, by an instruction or a phi, and what defines it dominates
// its uses; so a use reads what its definition wrote last. An instruction uses its arguments before it
// defines its result, and the phis of a node act before its instruction. The k-th argument of a phi is
// used at the end of the k-th predecessor of its join, a nop. What nothing defines is a parameter or
// holds the undefined value; it has version 0, and only it has: no definition can hide behind an
// undefined register. Nodes that cannot be reached are held to all rules but that of dominance.
#include "ir/verify_rules.h"

#include "ir/dominance.h"

// The numbers (see dominance.h) of the nodes whose instructions may use a register. Empty if `from` is
// above `last`.
typedef struct {
    uint32_t from, last;
} Scope;

typedef struct {
    Preds preds;
    VEC(Node) joins; // and what else has phis
    Dominance dominance;
    Node *definition; // for each register the node that defines it; NO_NODE if none does
    Bits by_phi;      // whether one of the node's phis does so
    Scope *scope;     // of each register
} Ssa;

// ---- Phi-blocks

// There is no index, and no phi, or for each node and one more an ascending one.
static bool rule_phi_index(Verifier *v) {
    const Func *func = v->func;
    uint32_t count = func->phi_at.count;
    bool good = count ? count == func->nodes.count + 1 && func->phi_at.at[0] == 0 &&
                            func->phi_at.at[count - 1] == func->phis.count
                      : func->phis.count == 0;
    for (uint32_t n = 1; n < count; n++) good &= func->phi_at.at[n - 1] <= func->phi_at.at[n];
    if (!good)
        complain(
            v, "phi-index",
            "expected an ascending index from 0 to %u for %u nodes and one more; found another",
            func->phis.count, func->nodes.count);
    return good;
}

static void find_joins(Verifier *v, Ssa *ssa) {
    for (uint32_t n = 0; n < v->func->nodes.count; n++) {
        Node node = {n};
        if (preds_count(&ssa->preds, node) > 1 || func_phi_count(v->func, node) > 0)
            vec_push(v->scratch, &ssa->joins, node);
    }
}

// The phis share out the arguments in order: as many for each as its join has predecessors.
static bool rule_phi_arity(Verifier *v, const Ssa *ssa) {
    const Func *func = v->func;
    uint64_t next = 0;
    for (uint32_t j = 0; j < ssa->joins.count; j++) {
        Node join = ssa->joins.at[j];
        uint32_t arity = preds_count(&ssa->preds, join), count = func_phi_count(func, join);
        for (uint32_t i = 0; i < count; i++, next += arity) {
            if (func_phis(func, join)[i].args_at == next) continue;
            v->node = join;
            complain(v, "phi-arity",
                     "expected the arguments of phi %u from %ju on, one for each predecessor of "
                     "the joins before; found them from %u on",
                     i, (uintmax_t)next, func_phis(func, join)[i].args_at);
            return false;
        }
    }
    if (next == func->phi_args.count) return true;
    complain(v, "phi-arity",
             "expected %ju arguments of phis, one for each predecessor of their joins; found %u",
             (uintmax_t)next, func->phi_args.count);
    return false;
}

static void rule_phi_place(Verifier *v, const Ssa *ssa) {
    uint32_t count = preds_count(&ssa->preds, v->node);
    if (count < 2)
        complain(v, "phi-place", "expected phis only at a join; found %u predecessor%s", count,
                 count == 1 ? "" : "s");
    else if (v->node.i == 0)
        complain(v, "phi-place", "expected no phis at the entry; found some");
}

static bool phi_reg_in_range(Verifier *v, const char *what, Reg reg) {
    if (reg.i < v->func->regs.count) return true;
    complain(v, "phi-register", "%s of a phi: expected one of %u registers; found %u", what,
             v->func->regs.count, reg.i);
    return false;
}

// The registers of a phi exist and have one type.
static bool rule_phi_type(Verifier *v, const Phi *phi, uint32_t arity) {
    if (!phi_reg_in_range(v, "destination", phi->dest)) return false;
    Type type = reg_type(v->func, phi->dest);
    for (uint32_t k = 0; k < arity; k++) {
        Reg arg = phi_args(v->func, phi)[k];
        if (!phi_reg_in_range(v, "argument", arg)) return false;
        if (reg_type(v->func, arg) != type)
            complain(v, "phi-type", "argument %u of the phi of %s: expected %s; found %s of %s",
                     k + 1, verify_reg_text(v, phi->dest), type_name(type), verify_reg_text(v, arg),
                     type_name(reg_type(v->func, arg)));
    }
    return true;
}

// Only nops lead to a join.
static void rule_join(Verifier *v, const Ssa *ssa) {
    uint32_t count = preds_count(&ssa->preds, v->node);
    for (uint32_t k = 0; count > 1 && k < count; k++) {
        Node pred = preds_at(&ssa->preds, v->node)[k];
        if (func_at(v->func, pred)->kind != I_NOP)
            complain(v, "join", "expected only nops before a join; found another instruction at %u",
                     func_label(v->func, pred));
    }
}

// True if all registers of all phis are in range.
static bool rules_of_joins(Verifier *v, const Ssa *ssa) {
    bool good = true;
    for (uint32_t j = 0; j < ssa->joins.count; j++) {
        v->node = ssa->joins.at[j];
        uint32_t arity = preds_count(&ssa->preds, v->node);
        uint32_t count = func_phi_count(v->func, v->node);
        const Phi *phis = func_phis(v->func, v->node);
        rule_join(v, ssa);
        if (count) rule_phi_place(v, ssa);
        for (uint32_t i = 0; i < count; i++) good &= rule_phi_type(v, &phis[i], arity);
    }
    v->node = NO_NODE;
    return good;
}

// ---- Definitions

// The parameters have version 0.
static void rule_parameter_version(Verifier *v) {
    for (uint32_t i = 0; i < v->func->params.count; i++) {
        Reg reg = v->func->params.at[i];
        if (v->func->regs.at[reg.i].version != 1)
            complain(v, "version", "expected a parameter to have version 0; found %s",
                     verify_reg_text(v, reg));
    }
}

// A register has one definition, and that gives it a version above 0.
static void rule_definition(Verifier *v, Ssa *ssa, Reg reg, bool phi) {
    if (v->func->regs.at[reg.i].version < 2)
        complain(v, "version", "expected a definition to have a version above 0; found %s",
                 verify_reg_text(v, reg));
    if (ssa->definition[reg.i].i != NO_ID)
        complain(v, "definition", "expected one definition of %s; found one more at %u",
                 verify_reg_text(v, reg), func_label(v->func, ssa->definition[reg.i]));
    ssa->definition[reg.i] = v->node;
    if (phi) bits_add(&ssa->by_phi, reg.i);
}

static void rules_of_definitions(Verifier *v, Ssa *ssa) {
    const Func *func = v->func;
    for (uint32_t j = 0; j < ssa->joins.count; j++) {
        v->node = ssa->joins.at[j];
        for (uint32_t i = 0; i < func_phi_count(func, v->node); i++)
            rule_definition(v, ssa, func_phis(func, v->node)[i].dest, true);
    }
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        v->node = (Node){n};
        Reg dest = func->nodes.at[n].dest;
        if (dest.i != NO_ID) rule_definition(v, ssa, dest, false);
    }
    v->node = NO_NODE;
}

// ---- Uses

// What is used without definition has version 0.
static bool is_undefined(const Verifier *v, Reg reg) {
    return v->func->regs.at[reg.i].version == 1;
}

// An instruction's result may be used by the nodes that it dominates but itself, a phi's by its own
// node as well, and what nothing defines everywhere.
static Scope scope_of(const Verifier *v, const Ssa *ssa, Reg reg) {
    static const Scope everywhere = {.from = 0, .last = NO_ID}, nowhere = {.from = 1, .last = 0};
    Node node = ssa->definition[reg.i];
    if (node.i == NO_ID) return is_undefined(v, reg) ? everywhere : nowhere;
    if (!dominance_reaches(&ssa->dominance, node)) return nowhere;
    return (Scope){.from = ssa->dominance.number[node.i] + !bits_has(&ssa->by_phi, reg.i),
                   .last = ssa->dominance.last[node.i]};
}

// A register is used by the instruction of a node, or at the end of a predecessor, which is a nop. If
// that cannot be reached, only a definition is demanded.
static void rule_use(Verifier *v, const Ssa *ssa, Reg reg, Node at) {
    uint32_t number = ssa->dominance.number[at.i];
    if (number >= ssa->scope[reg.i].from && number <= ssa->scope[reg.i].last) return;
    Node node = ssa->definition[reg.i];
    if (node.i == NO_ID && !is_undefined(v, reg))
        complain(v, "version", "expected a register without definition to have version 0; found %s",
                 verify_reg_text(v, reg));
    else if (node.i != NO_ID && number != NO_ID)
        complain(v, "dominance", "expected the definition of %s at %u to dominate its use at %s%u",
                 verify_reg_text(v, reg), func_label(v->func, node),
                 at.i == v->node.i ? "" : "the end of ", func_label(v->func, at));
}

static void rules_of_uses(Verifier *v, const Ssa *ssa) {
    const Func *func = v->func;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        v->node = (Node){n};
        const Instr *instr = &func->nodes.at[n];
        const Reg *args = instr_args(func, instr);
        for (uint32_t i = 0; i < instr->arg_count; i++) rule_use(v, ssa, args[i], v->node);
    }
    for (uint32_t j = 0; j < ssa->joins.count; j++) {
        v->node = ssa->joins.at[j];
        const Node *preds = preds_at(&ssa->preds, v->node);
        uint32_t arity = preds_count(&ssa->preds, v->node);
        for (uint32_t i = 0; i < func_phi_count(func, v->node); i++) {
            const Reg *args = phi_args(func, &func_phis(func, v->node)[i]);
            for (uint32_t k = 0; k < arity; k++) rule_use(v, ssa, args[k], preds[k]);
        }
    }
    v->node = NO_NODE;
}

void verify_ssa(Verifier *v) {
    const Func *func = v->func;
    Ssa ssa = {.preds = preds_of(v->scratch, func),
               .definition = ARENA_ARRAY(v->scratch, Node, func->regs.count),
               .scope = ARENA_ARRAY(v->scratch, Scope, func->regs.count),
               .by_phi = bits_new(v->scratch, func->regs.count)};
    if (!rule_phi_index(v)) return;
    find_joins(v, &ssa);
    if (!rule_phi_arity(v, &ssa) || !rules_of_joins(v, &ssa)) return;
    for (uint32_t i = 0; i < func->regs.count; i++) ssa.definition[i] = NO_NODE;
    rule_parameter_version(v);
    rules_of_definitions(v, &ssa);
    ssa.dominance = dominance_of(v->scratch, func, &ssa.preds);
    for (uint32_t i = 0; i < func->regs.count; i++) ssa.scope[i] = scope_of(v, &ssa, (Reg){i});
    rules_of_uses(v, &ssa);
}
