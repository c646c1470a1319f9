// The rules of SSA, for a function whose other rules hold: all its ids are in range.
//
// Every register has at most one definition, by an instruction or a phi, and the definition
// dominates the uses of the register. So a use reads the value that the definition wrote last. An
// instruction uses its arguments before it defines its result, and the phis of a node act before
// its instruction. The k-th argument of a phi is used at the end of the k-th predecessor of its
// join, a nop. A register without a definition is a parameter or holds the undefined value. Such
// registers have version 0, and only they have: no definition can hide behind an undefined
// register. Unreachable nodes must obey all rules but the rule of dominance.
#include "verify/verify_rules.h"

#include "graph/versions.h"

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
        if (preds_is_join(&ssa->scopes.preds, node) || func_phi_count(v->func, node) > 0)
            vec_push(v->scratch, &ssa->joins, node);
    }
}

// The phis share out the arguments in order: as many for each as its join has predecessors.
static bool rule_phi_arity(Verifier *v, const Ssa *ssa) {
    const Func *func = v->func;
    uint64_t next = 0;
    for (uint32_t j = 0; j < ssa->joins.count; j++) {
        Node join = ssa->joins.at[j];
        uint32_t arity = preds_count(&ssa->scopes.preds, join), count = func_phi_count(func, join);
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
    uint32_t count = preds_count(&ssa->scopes.preds, v->node);
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

void verify_join(Verifier *v, const Preds *preds) {
    uint32_t count = preds_count(preds, v->node);
    for (uint32_t k = 0; count > 1 && k < count; k++) {
        Node pred = preds_at(preds, v->node)[k];
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
        uint32_t arity = preds_count(&ssa->scopes.preds, v->node);
        uint32_t count = func_phi_count(v->func, v->node);
        const Phi *phis = func_phis(v->func, v->node);
        verify_join(v, &ssa->scopes.preds);
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
        if (!reg_is_never_set(v->func, reg))
            complain(v, "version", "expected a parameter to have version 0; found %s",
                     verify_reg_text(v, reg));
    }
}

void verify_definition(Verifier *v, Scopes *scopes, Reg reg) {
    Definition definition = scopes->definitions[reg.i];
    if (v->func->regs.at[reg.i].version < VERSION_FIRST_SET)
        complain(v, "version", "expected a definition to have a version above 0; found %s",
                 verify_reg_text(v, reg));
    if (definition.by != SET_BY_SEVERAL || definition.node.i == NO_ID) return;
    if (!bits_put(&scopes->seen, reg.i))
        complain(v, "definition", "expected one definition of %s; found one more at %u",
                 verify_reg_text(v, reg), func_label(v->func, definition.node));
}

static void rules_of_phi_definitions(Verifier *v, Ssa *ssa) {
    for (uint32_t j = 0; j < ssa->joins.count; j++) {
        v->node = ssa->joins.at[j];
        for (uint32_t i = 0; i < func_phi_count(v->func, v->node); i++)
            verify_definition(v, &ssa->scopes, func_phis(v->func, v->node)[i].dest);
    }
    v->node = NO_NODE;
}

void verify_other_definitions(Verifier *v, Scopes *scopes) {
    const Func *func = v->func;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        v->node = (Node){n};
        Reg dest = func->nodes.at[n].dest;
        if (dest.i != NO_ID) verify_definition(v, scopes, dest);
    }
    v->node = NO_NODE;
}

bool verify_definitions(Verifier *v, Scopes *scopes) {
    bool good = true;
    scopes->definitions = definitions_of(v->scratch, v->func);
    scopes->seen = bits_new(v->scratch, v->func->regs.count);
    rule_parameter_version(v);
    for (uint32_t i = 0; i < v->func->regs.count; i++) {
        Definition definition = scopes->definitions[i];
        good &= definition.by != SET_BY_SEVERAL &&
                (definition.node.i == NO_ID || v->func->regs.at[i].version > 1);
    }
    return good;
}

// ---- Uses

// An instruction's result may be used by the nodes that it dominates but itself, a phi's result by
// its own node as well, and a register without definition everywhere.
static UseScope scope_of(const Verifier *v, const Scopes *scopes, Reg reg) {
    static const UseScope everywhere = {.from = 0, .last = NO_ID}, nowhere = {.from = 1, .last = 0};
    Definition definition = scopes->definitions[reg.i];
    Node node = definition.node;
    if (definition.by == SET_BY_SEVERAL) return everywhere; // it has been complained about
    if (node.i == NO_ID) return reg_is_never_set(v->func, reg) ? everywhere : nowhere;
    if (!dominance_reaches(&scopes->dominance, node)) return nowhere;
    return (UseScope){.from =
                          scopes->dominance.number[node.i] + !definition_is_on_entry(definition),
                      .last = scopes->dominance.last[node.i]};
}

void verify_scopes(Verifier *v, Scopes *scopes) {
    uint32_t count = v->func->regs.count;
    scopes->dominance = dominance_of(v->scratch, v->func, &scopes->preds);
    scopes->scope = ARENA_ARRAY(v->scratch, UseScope, count);
    for (uint32_t i = 0; i < count; i++) scopes->scope[i] = scope_of(v, scopes, (Reg){i});
}

void verify_use(Verifier *v, const Scopes *scopes, Reg reg, Node at) {
    uint32_t number = scopes->dominance.number[at.i];
    UseScope scope = scopes->scope[reg.i];
    if (number >= scope.from && number <= scope.last) return;
    Node node = scopes->definitions[reg.i].node;
    if (scopes->definitions[reg.i].by == SET_BY_FLOATING)
        scopes->floating_use(v, scopes, reg, at);
    else if (node.i == NO_ID && !reg_is_never_set(v->func, reg))
        complain(v, "version", "expected a register without definition to have version 0; found %s",
                 verify_reg_text(v, reg));
    else if (node.i != NO_ID && number != NO_ID)
        complain(v, "dominance", "expected the definition of %s at %u to dominate its use at %s%u",
                 verify_reg_text(v, reg), func_label(v->func, node),
                 at.i == v->node.i ? "" : "the end of ", func_label(v->func, at));
}

void verify_ssa_uses(Verifier *v, const Ssa *ssa) {
    const Func *func = v->func;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        v->node = (Node){n};
        const Instr *instr = &func->nodes.at[n];
        const Reg *args = instr_args(func, instr);
        for (uint32_t i = 0; i < instr->arg_count; i++)
            verify_use(v, &ssa->scopes, args[i], v->node);
    }
    for (uint32_t j = 0; j < ssa->joins.count; j++) {
        v->node = ssa->joins.at[j];
        const Node *preds = preds_at(&ssa->scopes.preds, v->node);
        uint32_t arity = preds_count(&ssa->scopes.preds, v->node);
        for (uint32_t i = 0; i < func_phi_count(func, v->node); i++) {
            const Reg *args = phi_args(func, &func_phis(func, v->node)[i]);
            for (uint32_t k = 0; k < arity; k++) verify_use(v, &ssa->scopes, args[k], preds[k]);
        }
    }
    v->node = NO_NODE;
}

bool verify_phis(Verifier *v, Ssa *ssa) {
    if (!rule_phi_index(v)) return false;
    ssa->scopes.preds = preds_of(v->scratch, v->func);
    find_joins(v, ssa);
    return rule_phi_arity(v, ssa) && rules_of_joins(v, ssa);
}

void verify_ssa_definitions(Verifier *v, Ssa *ssa) {
    if (verify_definitions(v, &ssa->scopes)) return;
    rules_of_phi_definitions(v, ssa);
    verify_other_definitions(v, &ssa->scopes);
}

void ssa_verify(Verifier *v) {
    Ssa ssa = {0};
    verify_graph(v, true, false);
    if (!verify_is_clean(v) || !verify_phis(v, &ssa)) return;
    verify_ssa_definitions(v, &ssa);
    verify_scopes(v, &ssa.scopes);
    verify_ssa_uses(v, &ssa);
}
