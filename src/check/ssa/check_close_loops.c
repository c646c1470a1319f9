// The checker of close_loops.
//
// The hint gives each added register an original: an old register. Every added node is a nop, or a
// copy whose destination has the original of its source (check_copy). Every added phi has arguments
// of its own original, whose definition dominates the join (check_added_phi). Everywhere else
// `after` is `before` with registers replaced by others of the same original (check_step,
// check_old_phi). Added nodes are passed through in between (leads_to).
//
// Claim: let o be the original of an added register x. Wherever the definition of x dominates
// control, and so does the definition of o, x and o hold the same value. (The definition of o
// always does: it dominates the definition of x, by strictness for copies along the chain, by the
// check for phis.) When x is set, it gets the value of a register with original o, which by the
// claim is the value of o. After that x keeps its value until x is set again. So does o: if control
// sets o again, then control passes the definition of x before it comes to any node that this
// definition dominates. Otherwise there were a path to the definition of o that avoids the
// definition of x, and on to such a node: the definition of x would not dominate the node. So both
// functions compute the same values step by step.
#include "check/checkers.h"

#include "graph/definitions.h"
#include "graph/dominance.h"
#include "graph/versions.h"

typedef struct {
    Arena *arena;
    const Func *before;
    const Func *after;
    const CloseLoopsHint *hint;
    Preds preds, old_preds;
    Dominance dom;                 // of `after`
    const Definition *definitions; // of `after`
    Verdict verdict;
} Check;

#define REJECT(check, node, ...)                                                                   \
    ((check)->verdict = verdict_rejected((check)->arena, node_site(node), __VA_ARGS__), false)

static Reg original(const Check *check, Reg reg) {
    uint32_t old = check->before->regs.count;
    return reg.i < old ? reg : check->hint->original.at[reg.i - old];
}
static bool is_added_reg(const Check *check, Reg reg) {
    return reg.i >= check->before->regs.count;
}
static Node old_node(const Check *check, Node node) {
    return check->hint->old.at[node.i];
}

static bool check_hint(Check *check) {
    const Func *before = check->before, *after = check->after;
    uint32_t old = before->regs.count;
    if (check->hint->old.count != after->nodes.count ||
        check->hint->original.count != after->regs.count - old)
        return REJECT(check, NO_NODE, "the hint does not cover everything");
    for (uint32_t i = 0; i < check->hint->original.count; i++) {
        Reg reg = check->hint->original.at[i];
        if (reg.i >= old || reg_type(before, reg) != reg_type(after, (Reg){old + i}))
            return REJECT(check, NO_NODE, "added register %u has no original", i);
        // Of any other version the verifier demands a definition.
        if (reg_is_never_set(after, (Reg){old + i}))
            return REJECT(check, NO_NODE, "added register %u is never set", i);
    }
    for (uint32_t n = 0; n < after->nodes.count; n++)
        if (check->hint->old.at[n].i != NO_ID && check->hint->old.at[n].i >= before->nodes.count)
            return REJECT(check, (Node){n}, "the hint names an old node that does not exist");
    return true;
}

// ---- Nodes

// Whether a node leads to the one that performs an old node, over added copies. Each copy has one
// predecessor, so that all walks together take linear time and none goes round.
static bool leads_to(const Check *check, Node node, Node old) {
    while (old_node(check, node).i == NO_ID) {
        const Instr *added = func_at(check->after, node);
        if (preds_sole(&check->preds, node).i == NO_ID || added->succ_count != 1) return false;
        node = added->succ[0];
    }
    return old_node(check, node).i == old.i;
}

static bool check_copy(Check *check, Node node) {
    const Instr *instr = func_at(check->after, node);
    if (instr->kind == I_NOP) return true;
    if (instr->kind != I_OP || instr->op != op_move(reg_type(check->after, instr->dest)) ||
        !is_added_reg(check, instr->dest) ||
        original(check, instr->dest).i != original(check, instr->arg[0]).i)
        return REJECT(check, node, "an added node is no copy of its original");
    return true;
}

static bool check_step(Check *check, Node node) {
    Node old = old_node(check, node);
    const Instr *then = func_at(check->before, old), *now = func_at(check->after, node);
    if (!instr_alike(check->before, then, check->after, now) || then->dest.i != now->dest.i ||
        then->succ_count != now->succ_count)
        return REJECT(check, node, "the instruction differs from that of old node %u", old.i);
    for (uint32_t i = 0; i < now->arg_count; i++)
        if (original(check, instr_args(check->after, now)[i]).i !=
            instr_args(check->before, then)[i].i)
            return REJECT(check, node, "argument %u is another value", i);
    for (uint32_t k = 0; k < now->succ_count; k++)
        if (!leads_to(check, instr_succs(check->after, now)[k],
                      instr_succs(check->before, then)[k]))
            return REJECT(check, node, "successor %u is another one", k);
    return true;
}

// ---- Phis

// Predecessors of joins are performed in the old order, so the arguments correspond one by one.
static bool check_preds(Check *check, Node join, Node old) {
    uint32_t count = preds_count(&check->preds, join);
    if (count != preds_count(&check->old_preds, old))
        return REJECT(check, join, "it has other predecessors than old node %u", old.i);
    for (uint32_t k = 0; k < count; k++)
        if (old_node(check, preds_at(&check->preds, join)[k]).i !=
            preds_at(&check->old_preds, old)[k].i)
            return REJECT(check, join, "predecessor %u is another one", k);
    return true;
}

static bool check_old_phi(Check *check, Node join, const Phi *then, const Phi *now) {
    if (then->dest.i != now->dest.i) return REJECT(check, join, "a phi is missing");
    for (uint32_t k = 0; k < preds_count(&check->preds, join); k++)
        if (original(check, phi_args(check->after, now)[k]).i != phi_args(check->before, then)[k].i)
            return REJECT(check, join, "argument %u of a phi is another value", k);
    return true;
}

static bool check_added_phi(Check *check, Node join, const Phi *phi) {
    Reg value = original(check, phi->dest);
    Node set = check->definitions[value.i].node;
    if (!is_added_reg(check, phi->dest)) return REJECT(check, join, "a phi is new");
    for (uint32_t k = 0; k < preds_count(&check->preds, join); k++)
        if (original(check, phi_args(check->after, phi)[k]).i != value.i)
            return REJECT(check, join, "argument %u of an added phi is another value", k);
    if (set.i != NO_ID && (set.i == join.i || !dominates(&check->dom, set, join)))
        return REJECT(check, join, "the original of an added phi is not set before");
    return true;
}

// The old phis stand first, in their order.
static bool check_phis(Check *check, Node join) {
    Node old = old_node(check, join);
    uint32_t count = func_phi_count(check->after, join);
    uint32_t old_count = old.i == NO_ID ? 0 : func_phi_count(check->before, old);
    if (count == 0 && old_count == 0) return true;
    if (old.i == NO_ID || count < old_count) return REJECT(check, join, "phis are missing");
    if (!check_preds(check, join, old)) return false;
    for (uint32_t i = 0; i < count; i++) {
        const Phi *phi = &func_phis(check->after, join)[i];
        if (i < old_count ? !check_old_phi(check, join, &func_phis(check->before, old)[i], phi)
                          : !check_added_phi(check, join, phi))
            return false;
    }
    return true;
}

// Accepts if `after` is `before` with copies and phis added that give other names to the same
// values. Reasons live in the arena.
Verdict check_close_loops(Arena *arena, const Func *before, const Func *after,
                          const CloseLoopsHint *hint) {
    Check check = {.arena = arena, .before = before, .after = after, .hint = hint};
    check.verdict = check_same_frame(arena, before, after);
    if (!check.verdict.accepted || !check_hint(&check)) return check.verdict;
    check.old_preds = preds_of(arena, before);
    check.preds = preds_of(arena, after);
    check.dom = dominance_of(arena, after, &check.preds);
    check.definitions = definitions_of(arena, after);
    if (old_node(&check, (Node){0}).i != 0)
        return verdict_rejected(arena, (Site){0}, "the entry is another one");
    for (uint32_t n = 0; n < after->nodes.count; n++) {
        Node node = {n};
        if (!dominance_reaches(&check.dom, node)) continue;
        bool copy = old_node(&check, node).i == NO_ID;
        if (!check_phis(&check, node) ||
            !(copy ? check_copy(&check, node) : check_step(&check, node)))
            return check.verdict;
    }
    return VERDICT_ACCEPTED;
}
