// The rules of Sea of Nodes: the conditions of well-formedness of Demange et al., section 2.1
// (docs/papers.md).
//
//   phi-arity, join      a phi has an argument for each way into its region (ssa_verify.c)
//   exits                the exits of a region are told apart: no two ways of a branch lead to one
//                        region
//   acyclic              data between phis has no cycle: a floating operator reads only floating
//                        operators before it
//   dominance            strictness: the definition of each operand of a node dominates the node,
//                        in the sense of definition 3.5: so do all phis, and all results of the
//                        skeleton, that a floating operator reads, directly or through others
//   floating, skeleton   only total operators float, and all total operators that can be reached
//                        float
//   memory-*             versions of memory are right along every path (son_verify_memory.c)
//
// No rule says that a region has one control node: the control node is the end of the region
// (son.h).
#include "verify/verify_rules.h"

#include "fact/effects.h"
#include "graph/versions.h"

// ---- Floating operators

static void at_floating(Verifier *v, uint32_t i) {
    v->site = (Site){v->func->nodes.count + i};
}

static void rule_floating(Verifier *v, const Instr *instr) {
    if (instr->succ_count)
        complain(v, "floating", "expected an operator without successors; found %u",
                 instr->succ_count);
    if (verify_is_clean(v) && (instr->kind != I_OP || !instr_is_total(instr)))
        complain(v, "floating", "expected an operator that cannot go wrong; found another");
}

static void rules_of_floating(Verifier *v) {
    const Son *son = v->func->son;
    for (uint32_t i = 0; i < son->floating.count; i++) {
        const Instr *instr = &son->floating.at[i];
        at_floating(v, i);
        verify_instr_rules(v, instr, false);
        rule_floating(v, instr);
    }
    v->site = NO_SITE;
}

static void rule_floating_definition(Verifier *v, const Scopes *scopes, uint32_t i) {
    Reg dest = v->func->son->floating.at[i].dest;
    Definition definition = scopes->definitions[dest.i];
    if (definition.by != SET_BY_FLOATING)
        complain(v, "definition", "expected one definition of %s; found another%s",
                 verify_reg_text(v, dest), definition.node.i == NO_ID ? "" : " at a node");
    if (v->func->regs.at[dest.i].version < VERSION_FIRST_SET)
        complain(v, "version", "expected a definition to have a version above 0; found %s",
                 verify_reg_text(v, dest));
}

static void rule_acyclic(Verifier *v, const Scopes *scopes, uint32_t i) {
    const Instr *instr = &v->func->son->floating.at[i];
    for (uint32_t k = 0; k < instr->arg_count; k++) {
        Definition definition = scopes->definitions[instr->arg[k].i];
        if (definition.by == SET_BY_FLOATING && definition.at >= i)
            complain(v, "acyclic",
                     "expected %s to read only floating operators that stand before it; found %s",
                     verify_reg_text(v, instr->dest), verify_reg_text(v, instr->arg[k]));
    }
}

// A floating operator is defined wherever all its operands are. Scopes of nodes' definitions follow
// each other or hold each other, so that the intersection of two scopes is a scope again.
static void scope_floating(Verifier *v, Scopes *scopes, uint32_t i) {
    const Instr *instr = &v->func->son->floating.at[i];
    UseScope *scope = &scopes->scope[instr->dest.i];
    *scope = (UseScope){.from = 0, .last = NO_ID};
    for (uint32_t k = 0; k < instr->arg_count; k++) {
        UseScope read = scopes->scope[instr->arg[k].i];
        if (scope->from < read.from) scope->from = read.from;
        if (scope->last > read.last) scope->last = read.last;
    }
}

static void rules_of_data(Verifier *v, Scopes *scopes) {
    for (uint32_t i = 0; i < v->func->son->floating.count; i++) {
        at_floating(v, i);
        rule_floating_definition(v, scopes, i);
        rule_acyclic(v, scopes, i);
        scope_floating(v, scopes, i);
    }
    v->site = NO_SITE;
}

static bool in_scope(const Scopes *scopes, Reg reg, uint32_t number) {
    return number >= scopes->scope[reg.i].from && number <= scopes->scope[reg.i].last;
}

// Follows, from operator to operator, what is not defined there. Each operator stands before its
// readers.
static void floating_use(Verifier *v, const Scopes *scopes, Reg reg, Node at) {
    uint32_t number = scopes->dominance.number[at.i];
    if (number == NO_ID) return;
    Reg missing = reg;
    while (scopes->definitions[missing.i].by == SET_BY_FLOATING) {
        const Instr *instr = &v->func->son->floating.at[scopes->definitions[missing.i].at];
        uint32_t k = 0;
        while (k < instr->arg_count && in_scope(scopes, instr->arg[k], number)) k++;
        if (k == instr->arg_count) return; // it has been complained about
        missing = instr->arg[k];
    }
    Node node = scopes->definitions[missing.i].node;
    const char *where = at.i == v->node.i ? "" : "the end of ";
    if (node.i == NO_ID)
        complain(
            v, "version",
            "expected a register without definition to have version 0; found %s, which %s reads",
            verify_reg_text(v, missing), verify_reg_text(v, reg));
    else
        complain(v, "dominance",
                 "expected the definition of %s at %u, which %s reads, to dominate its use at %s%u",
                 verify_reg_text(v, missing), func_label(v->func, node), verify_reg_text(v, reg),
                 where, func_label(v->func, at));
}

// ---- The skeleton

// `entered` has, for each node, the last node with a way to it, plus one.
static void rule_exits(Verifier *v, uint32_t *entered) {
    const Instr *instr = func_at(v->func, v->node);
    const Node *succs = instr_succs(v->func, instr);
    for (uint32_t k = 0; k < instr->succ_count; k++) {
        if (entered[succs[k].i] == v->node.i + 1)
            complain(v, "exits", "expected ways to different regions; found two to %u",
                     func_label(v->func, succs[k]));
        entered[succs[k].i] = v->node.i + 1;
    }
}

static void rule_skeleton(Verifier *v, const Scopes *scopes) {
    const Instr *instr = func_at(v->func, v->node);
    if (dominance_reaches(&scopes->dominance, v->node) && instr_is_total(instr))
        complain(v, "skeleton", "expected %s, which cannot go wrong, to float; found it at a node",
                 verify_reg_text(v, instr->dest));
}

static void rules_of_skeleton(Verifier *v, const Scopes *scopes) {
    uint32_t *entered = ARENA_ARRAY(v->scratch, uint32_t, v->func->nodes.count);
    for (uint32_t n = 0; n < v->func->nodes.count; n++) {
        v->node = (Node){n};
        rule_exits(v, entered);
        rule_skeleton(v, scopes);
    }
    v->node = NO_NODE;
}

void son_verify(Verifier *v) {
    Ssa ssa = {.scopes.floating_use = floating_use};
    verify_graph(v, true, false);
    if (!v->func->son || !v->func->nodes.count) return;
    rules_of_floating(v);
    if (!verify_is_clean(v) || !verify_phis(v, &ssa)) return;
    verify_ssa_definitions(v, &ssa);
    verify_scopes(v, &ssa.scopes);
    rules_of_data(v, &ssa.scopes);
    rules_of_skeleton(v, &ssa.scopes);
    if (verify_is_clean(v)) verify_ssa_uses(v, &ssa);
    if (verify_is_clean(v)) verify_memory(v, &ssa.scopes);
}
