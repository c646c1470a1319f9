// The checker of widen, which counts in 64 bits where a 32-bit counter is extended again and again.
//
// The argument:
//
// 1. Nodes are the nodes of `before` and added ones, and control goes the same way (added_nodes.h).
//    Added nodes are nops, and operators that set new registers; added phis, behind the old ones,
//    set new registers, too. A new register w has a narrow register x, an i32 of `before`. Claim:
//    wherever w is present (its definition strictly dominates the node, or is a phi of the node),
//    so is x, and w is the sign extension of x, undefined bits included. The definition of w has
//    one of four forms (check_added, check_added_phi):
//      w = sext x
//      w = c, and x = c in `before`, whose definition dominates that of w
//      w = phi(w1, .., wk) at the join where x = phi(x1, .., xk) is, and each wi has xi
//      w = wa + c, where c is 1 or -1, x = xa + c in `before`, wa has xa, the definition of x
//          dominates that of w, and xa is never the largest value (c = 1) or the smallest (c = -1):
//          so xa + c does not wrap
//    By induction over the steps of a run of both functions; values of old registers are the same
//    in both (2). For an operator: in SSA, where the definition of w strictly dominates control, w
//    is the operator's result for the present values of its arguments, and so is x, where x is
//    present (the lemma of check_values.c). For a phi: both are set at once, from arguments for
//    which the claim holds at the predecessor. After that, each is set again only when the other
//    is. If some bit of xa is undefined, so is all of x, and of w.
//
//    A phi never has the largest value (never_at_edge) if none of its arguments has, at the end of
//    its edge. An argument has one of three reasons. It is a constant. Or it is a sum y - 1 where y
//    is never the smallest. Or a branch says so: an edge to a node with no other way in, which
//    dominates the argument's predecessor, says that the argument is less than something
//    (check_reason). check_values.c, 3, shows that the registers of the branch have not changed
//    since. Likewise for the smallest value. The sums refer only to the other edge, whose reasons
//    must be constants and branches alone (may_refer), so this is not circular. The y that is never
//    the smallest, or largest, is a phi, whose reasons are in the hint.
//
// 2. Everything else (check_performed) has the instruction of `before`, with two exceptions:
//    - d = sext x became d = w, where w has x.
//    - A comparison of x with y, or with an immediate, in a branch, became the same comparison in
//      64 bits of w with v, which has y, or with the same immediate. Sign extension keeps the
//      order, and undefined bits stay undefined.
//    So old registers have the same values in both, and branches go the same way.
#include "check/checkers.h"

#include "check/values/added_nodes.h"
#include "fact/comparison.h"
#include "graph/definitions.h"
#include "graph/dominance.h"
#include "graph/versions.h"

typedef struct {
    Arena *arena;
    const Func *before;
    const Func *after;
    const WidenHint *hint;
    AddedNodes nodes;
    Dominance old_dom, dom;
    const Definition *old_definitions; // of `before`
    const Definition *definitions;     // of `after`
    uint8_t *off_edge; // register of `before` -> the properties that never_at_edge has found
    Verdict verdict;
} Check;

#define REJECT(check, node, ...)                                                                   \
    ((check)->verdict = verdict_rejected((check)->arena, node_site(node), __VA_ARGS__), false)

static bool is_new(const Check *check, Reg reg) {
    return reg.i >= check->before->regs.count;
}

// Whether a register of `after` is the extension of one of `before`.
static bool extends(const Check *check, Reg wide, Reg narrow) {
    return is_new(check, wide) &&
           check->hint->narrow.at[wide.i - check->before->regs.count].i == narrow.i;
}

static bool check_hint(Check *check) {
    const WidenHint *hint = check->hint;
    uint32_t old = check->before->regs.count;
    if (hint->narrow.count != check->after->regs.count - old)
        return REJECT(check, NO_NODE, "the hint does not cover every new register");
    for (uint32_t i = 0; i < hint->narrow.count; i++)
        if (hint->narrow.at[i].i >= old ||
            reg_type(check->before, hint->narrow.at[i]) != TYPE_I32 ||
            reg_type(check->after, (Reg){old + i}) != TYPE_I64 ||
            check->after->regs.at[old + i].version <
                VERSION_FIRST_SET) // the verifier sees that it is set
            return REJECT(check, NO_NODE, "new register %u extends nothing", i);
    return true;
}

// ---- No counting over the edge

// The operator that sets a register in `before`; NULL if none does.
static const Instr *operator_of(const Check *check, Reg reg) {
    const Instr *instr = defining_instr(check->before, check->old_definitions, reg);
    return instr && instr->kind == I_OP ? instr : NULL;
}

// Whether a comparison of 32-bit integers says that a register is less than something (or greater).
static bool keeps_off_edge(const Comparison *fact, Reg reg, bool smallest) {
    bool first = fact->a.i == reg.i;
    if (!first && fact->b.i != reg.i) return false;
    bool less;
    switch (fact->op) {
    case OP_LT_I32: less = fact->holds; break;
    case OP_GE_I32: less = !fact->holds; break;
    case OP_GT_I32: less = !fact->holds; break;
    case OP_LE_I32: less = fact->holds; break;
    default: return false;
    }
    // a < b, or not a <= b: strict. The others may be equalities.
    bool strict = fact->holds == (fact->op == OP_LT_I32 || fact->op == OP_GT_I32);
    if (fact->b.i == fact->a.i) return false;
    if (first != (less != smallest)) return false;
    int64_t edge = smallest ? INT32_MIN : INT32_MAX;
    return strict || (fact->b.i == NO_ID && fact->imm != edge);
}

// Where the reasons of a phi begin; NO_ID if there are none.
static uint32_t reasons_of(const Check *check, Reg phi, bool smallest) {
    const WidenHint *hint = check->hint;
    uint32_t low = 0, high = hint->reasons.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const WidenReason *at = &hint->reasons.at[middle];
        if (at->phi.i < phi.i || (at->phi.i == phi.i && at->smallest < smallest))
            low = middle + 1;
        else
            high = middle;
    }
    if (low == hint->reasons.count || hint->reasons.at[low].phi.i != phi.i ||
        hint->reasons.at[low].smallest != smallest)
        return NO_ID;
    return low;
}

static bool never_at_edge(Check *check, Reg phi, bool smallest, bool may_refer);

static bool check_reason(Check *check, const WidenReason *reason, Reg arg, Node pred,
                         bool may_refer) {
    const Instr *set = operator_of(check, arg);
    bool smallest = reason->smallest;
    if (set && set->op == OP_CONST_I32 && set->imm != (smallest ? INT32_MIN : INT32_MAX))
        return true;
    bool sum = may_refer && set && set->op == OP_ADD_I32 && set->immediate &&
               set->imm == (smallest ? 1 : -1);
    if (reason->edge.branch.i == NO_ID)
        return sum ? never_at_edge(check, set->arg[0], !smallest, false)
                   : REJECT(check, pred, "there is no reason why the counter is off the edge");
    Comparison fact;
    if (reason->edge.branch.i >= check->before->nodes.count ||
        !comparison_of_way(check->before, reason->edge.branch, reason->edge.way, &fact))
        return REJECT(check, pred, "the edge that it depends on is none");
    Node target =
        instr_succs(check->before, func_at(check->before, reason->edge.branch))[reason->edge.way];
    if (preds_sole(&check->nodes.old_preds, target).i == NO_ID ||
        !dominance_reaches(&check->old_dom, target) || !dominance_reaches(&check->old_dom, pred) ||
        !dominates(&check->old_dom, target, pred))
        return REJECT(check, pred, "control need not have passed the edge that it depends on");
    return keeps_off_edge(&fact, arg, smallest) ||
           REJECT(check, pred, "the edge does not say that the counter is off the edge");
}

static bool never_at_edge(Check *check, Reg phi, bool smallest, bool may_refer) {
    if (phi.i >= check->before->regs.count || check->old_definitions[phi.i].by != SET_BY_PHI)
        return REJECT(check, NO_NODE, "what is counted is no phi");
    Node join = check->old_definitions[phi.i].node;
    uint32_t width = preds_count(&check->nodes.old_preds, join);
    uint32_t first = reasons_of(check, phi, smallest);
    uint8_t bit = (uint8_t)(1 << (2 * smallest + may_refer));
    if (check->off_edge[phi.i] & bit) return true;
    if (first == NO_ID || check->hint->reasons.count - first < width)
        return REJECT(check, join, "there are no reasons for a counter");
    const Reg *args =
        phi_args(check->before, defining_phi(check->before, check->old_definitions, phi));
    for (uint32_t k = 0; k < width; k++) {
        const WidenReason *reason = &check->hint->reasons.at[first + k];
        if (reason->phi.i != phi.i || reason->argument != k || reason->smallest != smallest)
            return REJECT(check, join, "the reasons for a counter are not complete");
        if (!check_reason(check, reason, args[k], preds_at(&check->nodes.old_preds, join)[k],
                          may_refer))
            return false;
    }
    check->off_edge[phi.i] |= bit;
    return true;
}

// ---- Wide registers

// Whether the definition of a register dominates a node.
static bool is_set_before(const Check *check, Reg reg, Node node) {
    Node set = check->definitions[reg.i].node;
    return set.i != NO_ID && dominance_reaches(&check->dom, set) &&
           dominance_reaches(&check->dom, node) && dominates(&check->dom, set, node);
}

static bool check_sum(Check *check, Node node, const Instr *now, Reg narrow) {
    const Instr *then = operator_of(check, narrow);
    if (!then || then->op != OP_ADD_I32 || !then->immediate || then->imm != now->imm ||
        !now->immediate || (now->imm != 1 && now->imm != -1) ||
        !extends(check, now->arg[0], then->arg[0]))
        return REJECT(check, node, "it is not the sum that the narrow register is");
    if (!is_set_before(check, narrow, node))
        return REJECT(check, node, "the narrow register is not set yet");
    return never_at_edge(check, then->arg[0], now->imm < 0, true);
}

static bool check_added(Check *check, Node node) {
    const Instr *now = func_at(check->after, node);
    if (func_phi_count(check->after, node)) return REJECT(check, node, "an added node has phis");
    if (now->kind == I_NOP) return true;
    if (now->kind != I_OP || !is_new(check, now->dest))
        return REJECT(check, node, "it is no operator that sets a new register");
    Reg narrow = check->hint->narrow.at[now->dest.i - check->before->regs.count];
    if (now->op == OP_SEXT_I64 && now->arg[0].i == narrow.i) return true;
    const Instr *then = operator_of(check, narrow);
    if (now->op == OP_CONST_I64 && then && then->op == OP_CONST_I32 && then->imm == now->imm &&
        is_set_before(check, narrow, node))
        return true;
    if (now->op == OP_ADD_I64) return check_sum(check, node, now, narrow);
    return REJECT(check, node, "it does not extend the narrow register");
}

static bool check_added_phi(Check *check, Node node, const Phi *phi) {
    if (!is_new(check, phi->dest)) return REJECT(check, node, "an added phi sets an old register");
    Reg narrow = check->hint->narrow.at[phi->dest.i - check->before->regs.count];
    Node old = check->nodes.old[node.i];
    const Phi *then = defining_phi(check->before, check->old_definitions, narrow);
    if (!then || check->old_definitions[narrow.i].node.i != old.i)
        return REJECT(check, node, "the narrow register is no phi of the join");
    const Reg *args = phi_args(check->before, then);
    for (uint32_t k = 0; k < preds_count(&check->nodes.preds, node); k++)
        if (!extends(check, phi_args(check->after, phi)[k], args[k]))
            return REJECT(check, node, "argument %u does not extend that of the narrow phi", k);
    return true;
}

static bool check_phis(Check *check, Node node) {
    uint32_t count = func_phi_count(check->after, node);
    uint32_t kept = func_phi_count(check->before, check->nodes.old[node.i]);
    if (!added_nodes_same_phis(&check->nodes, node) ||
        (count > kept && !added_nodes_same_preds(&check->nodes, node))) {
        check->verdict = check->nodes.verdict;
        return false;
    }
    for (uint32_t i = kept; i < count; i++)
        if (!check_added_phi(check, node, &func_phis(check->after, node)[i])) return false;
    return true;
}

// ---- What is performed

// The 64-bit comparison that says the same of sign-extended operands; OP_COUNT if there is none.
static Op wide_comparison(Op op) {
    bool is_signed = op_compares_integers(op) && !op_compares_unsigned(op);
    return is_signed && op_info(op)->at == TYPE_I32 ? op_for(op, TYPE_I64) : OP_COUNT;
}

// Whether an instruction is another one with extended registers.
static bool is_widened(const Check *check, const Instr *then, const Instr *now) {
    if (then->kind == I_OP)
        return then->op == OP_SEXT_I64 && now->kind == I_OP && now->op == OP_MOVE_I64 &&
               now->dest.i == then->dest.i && extends(check, now->arg[0], then->arg[0]);
    if (then->kind != I_COND || now->kind != I_COND ||
        wide_comparison((Op)then->op) != (Op)now->op || then->immediate != now->immediate ||
        then->imm != now->imm || then->arg_count != now->arg_count)
        return false;
    for (uint32_t k = 0; k < then->arg_count; k++)
        if (!extends(check, now->arg[k], then->arg[k])) return false;
    return true;
}

static bool check_performed(Check *check, Node node) {
    Node old = check->nodes.old[node.i];
    const Instr *then = func_at(check->before, old), *now = func_at(check->after, node);
    if (!instr_same(check->before, then, check->after, now) && !is_widened(check, then, now))
        return REJECT(check, node, "the instruction differs from that of old node %u", old.i);
    if (!added_nodes_same_way(&check->nodes, node)) {
        check->verdict = check->nodes.verdict;
        return false;
    }
    return check_phis(check, node);
}

// Whether `after` is `before` with 64-bit counters beside, or in the place of, 32-bit ones.
Verdict check_widen(Arena *arena, const Func *before, const Func *after, const WidenHint *hint) {
    Check check = {.arena = arena, .before = before, .after = after, .hint = hint};
    check.verdict = check_same_frame(arena, before, after);
    if (!check.verdict.accepted || !check_hint(&check)) return check.verdict;
    check.nodes = (AddedNodes){.arena = arena,
                               .before = before,
                               .after = after,
                               .old = hint->old.at,
                               .old_count = hint->old.count};
    if (!added_nodes_start(&check.nodes)) return check.nodes.verdict;
    check.old_dom = dominance_of(arena, before, &check.nodes.old_preds);
    check.dom = dominance_of(arena, after, &check.nodes.preds);
    check.old_definitions = definitions_of(arena, before);
    check.definitions = definitions_of(arena, after);
    check.off_edge = ARENA_ARRAY(arena, uint8_t, before->regs.count);
    for (uint32_t n = 0; n < after->nodes.count; n++)
        if (!(added_nodes_has(&check.nodes, (Node){n}) ? check_added(&check, (Node){n})
                                                       : check_performed(&check, (Node){n})))
            return check.verdict;
    return VERDICT_ACCEPTED;
}
