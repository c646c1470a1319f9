// The checker of sccp: conditional constants.
//
// What is established, and why it is enough.
//
// 1. The facts are a post-fixpoint. Call an edge open if it leaves a reached node and, where the
//    branch is decided by facts, goes the way they decide. The entry is reached and an open edge
//    leads to a reached node (check_flow). A register with a CONST fact is set, at a reached node,
//    to that value by an operator whose operands are all CONST (check_definition), or by a phi
//    whose arguments over open edges are that CONST or FREE (check_phi). A FREE register is defined
//    nowhere, or copies FREE ones. So in every execution of `before`, by induction on its steps:
//    only reached nodes are executed, over open edges only; a CONST register that has been set holds
//    a value that its constant refines (it is the constant, or undefined where a FREE one came in);
//    a FREE one holds the undefined value. A branch that facts decide has either the operands that
//    they say, or an undefined one: a wrong step, after which anything goes. Registers are set
//    before they are read (strictness), so "has been set" is no restriction.
//
// 2. `after` follows from the facts (check_node). At nodes that are not reached nothing is asked:
//    they are executed on neither side. Elsewhere an instruction is the same; or the constant that
//    is the fact of its destination; or the same operator with an immediate in place of an operand
//    that is that constant; or, for a decided branch, a nop to where it goes. Values on the right
//    refine those on the left, and all operators are monotone in that order.
//    The predecessors of a join are nops, so no edge into a join is ever dropped, and phi-blocks
//    stay as they are (check_phis).
#include "check/checkers.h"

#include "fact/eval.h"
#include "fact/versions.h"

#include <string.h>

typedef struct {
    Arena *arena;
    const Func *before;
    const Func *after;
    const SccpHint *hint;
    Preds preds; // of `before`
    Verdict verdict;
} Check;

#define REJECT(check, node, ...)                                                                   \
    ((check)->verdict = verdict_rejected((check)->arena, node_site(node), __VA_ARGS__), false)

static const SccpFact *fact_of(const Check *check, Reg reg) {
    return &check->hint->facts.at[reg.i];
}
static bool is_const(const Check *check, Reg reg) {
    return fact_of(check, reg)->kind == SCCP_CONST;
}
static Value value_of(const SccpFact *fact) {
    return (Value){.bits = fact->bits, .high = fact->high};
}
static bool reached(const Check *check, Node node) {
    return bits_has(&check->hint->reached, node.i);
}

// ---- What operators give

// The value of an operator whose operands are all known; false if one is not, or if it goes wrong.
static bool evaluate(const Check *check, const Instr *instr, Value *result) {
    const OpInfo *info = op_info(instr->op);
    if (instr->op == OP_ADDR_SYMBOL || instr->op == OP_ADDR_SLOT) return false;
    if (info->arity == 0) {
        *result = value_immediate(info->result, instr->imm);
        result->high = instr->high;
        return true;
    }
    Value operand[3] = {{0}};
    for (uint32_t i = 0; i < instr->arg_count; i++) {
        if (!is_const(check, instr->arg[i])) return false;
        operand[i] = value_of(fact_of(check, instr->arg[i]));
    }
    if (instr->immediate)
        operand[instr->arg_count] = value_immediate(info->operand[instr->arg_count], instr->imm);
    return op_eval(instr->op, operand[0], operand[1], operand[2], result) && !result->undef;
}

// Which successor a branch takes, as the facts decide; NO_ID if they do not.
static uint32_t decided(const Check *check, const Instr *instr) {
    Value value;
    if (instr->kind == I_COND) return evaluate(check, instr, &value) ? (value.bits ? 0 : 1) : NO_ID;
    if (instr->kind != I_SWITCH || !is_const(check, instr->arg[0])) return NO_ID;
    Type type = reg_type(check->before, instr->arg[0]);
    const int64_t *cases = instr_cases(check->before, instr);
    uint64_t bits = fact_of(check, instr->arg[0])->bits;
    for (uint32_t k = 0; k + 1 < instr->succ_count; k++)
        if (value_immediate(type, cases[k]).bits == bits) return k + 1;
    return 0;
}

// ---- The facts are a post-fixpoint

// Whether a constant, if it is one, is a value of the type.
static bool is_fact(const SccpFact *fact, Type type) {
    return fact->kind <= SCCP_FREE &&
           (fact->kind != SCCP_CONST ||
            ((fact->bits & ~type_mask(type)) == 0 && (fact->high == 0 || type == TYPE_F80)));
}

static bool check_hint(Check *check) {
    const SccpHint *hint = check->hint;
    if (hint->facts.count != check->before->regs.count ||
        hint->reached.size != check->before->nodes.count)
        return REJECT(check, NO_NODE, "the hint does not cover everything");
    for (uint32_t r = 0; r < hint->facts.count; r++)
        if (!is_fact(&hint->facts.at[r], reg_type(check->before, (Reg){r})))
            return REJECT(check, NO_NODE, "the fact of register %u makes no sense", r);
    if (!reached(check, (Node){0})) return REJECT(check, (Node){0}, "the entry is not reached");
    return true;
}

static bool check_flow(Check *check, Node node) {
    const Instr *instr = func_at(check->before, node);
    const Node *succs = instr_succs(check->before, instr);
    uint32_t taken = decided(check, instr);
    for (uint32_t k = 0; k < instr->succ_count; k++)
        if ((taken == NO_ID || taken == k) && !reached(check, succs[k]))
            return REJECT(check, node, "its successor %u may be executed", succs[k].i);
    return true;
}

static bool same_value(const SccpFact *fact, Value value) {
    return fact->bits == value.bits && fact->high == value.high;
}

static bool check_definition(Check *check, Node node) {
    const Instr *instr = func_at(check->before, node);
    if (instr->dest.i == NO_ID) return true;
    const SccpFact *fact = fact_of(check, instr->dest);
    if (fact->kind == SCCP_VARIES) return true;
    bool is_op = instr->kind == I_OP;
    if (fact->kind == SCCP_FREE) {
        bool copies = is_op && instr->op == op_move(reg_type(check->before, instr->dest));
        if (copies && fact_of(check, instr->arg[0])->kind == SCCP_FREE) return true;
        return REJECT(check, node, "its result is defined");
    }
    Value value;
    if (!is_op || !evaluate(check, instr, &value) || !same_value(fact, value))
        return REJECT(check, node, "its result is not known to be that constant");
    return true;
}

static bool check_phi(Check *check, Node join, const Phi *phi) {
    const SccpFact *fact = fact_of(check, phi->dest);
    if (fact->kind == SCCP_VARIES) return true;
    const Reg *args = phi_args(check->before, phi);
    const Node *preds = preds_at(&check->preds, join);
    for (uint32_t k = 0; k < preds_count(&check->preds, join); k++) {
        const SccpFact *other = fact_of(check, args[k]);
        // The predecessor is a nop: the edge is open if it is reached.
        if (!reached(check, preds[k]) || other->kind == SCCP_FREE) continue;
        if (other->kind != fact->kind || !same_value(fact, value_of(other)))
            return REJECT(check, join, "argument %u of a phi is not that constant", k);
    }
    return true;
}

// Registers that are set at no node: parameters and version 0, which is undefined.
static bool check_parameters(Check *check) {
    const Func *func = check->before;
    for (uint32_t i = 0; i < func->params.count; i++)
        if (fact_of(check, func->params.at[i])->kind != SCCP_VARIES)
            return REJECT(check, NO_NODE, "parameter %u is not known", i);
    for (uint32_t r = 0; r < func->regs.count; r++)
        if (reg_is_never_set(func, (Reg){r}) && check->hint->facts.at[r].kind == SCCP_CONST)
            return REJECT(check, NO_NODE, "register %u is never set to a constant", r);
    return true;
}

static bool check_facts(Check *check) {
    if (!check_parameters(check)) return false;
    for (uint32_t n = 0; n < check->before->nodes.count; n++) {
        Node node = {n};
        if (!reached(check, node)) continue;
        if (!check_flow(check, node) || !check_definition(check, node)) return false;
        const Phi *phis = func_phis(check->before, node);
        for (uint32_t i = 0; i < func_phi_count(check->before, node); i++)
            if (!check_phi(check, node, &phis[i])) return false;
    }
    return true;
}

// ---- The rewrites

// "x := op ..." became "x := const".
static bool is_folded(const Check *check, const Instr *then, const Instr *now) {
    if (then->kind != I_OP || now->kind != I_OP || then->dest.i != now->dest.i) return false;
    const SccpFact *fact = fact_of(check, then->dest);
    Type type = reg_type(check->before, then->dest);
    return fact->kind == SCCP_CONST && now->op == op_const(type) &&
           value_immediate(type, now->imm).bits == fact->bits && now->high == fact->high;
}

// The operand that became an immediate is that constant; the others are the same. In a commutative
// operator it may be the first as well.
static bool is_immediate_form(const Check *check, const Instr *then, const Instr *now) {
    if ((then->kind != I_OP && then->kind != I_COND) || then->kind != now->kind ||
        then->op != now->op || then->dest.i != now->dest.i || then->immediate || !now->immediate ||
        then->arg_count != 2 || now->arg_count != 1)
        return false;
    bool swapped = then->arg[0].i != now->arg[0].i;
    if (swapped && (then->arg[1].i != now->arg[0].i || !(op_info(then->op)->flags & OPF_COMM)))
        return false;
    Reg gone = then->arg[swapped ? 0 : 1];
    Type type = reg_type(check->before, gone);
    return is_const(check, gone) &&
           value_immediate(type, now->imm).bits == fact_of(check, gone)->bits;
}

static bool is_decided_branch(const Check *check, const Instr *then, const Instr *now) {
    uint32_t taken = decided(check, then);
    return taken != NO_ID && now->kind == I_NOP &&
           now->succ[0].i == instr_succs(check->before, then)[taken].i;
}

static bool check_node(Check *check, Node node) {
    const Instr *then = func_at(check->before, node), *now = func_at(check->after, node);
    if (reached(check, node) && is_decided_branch(check, then, now)) return true;
    if (!check_same_succs(check->before, then, check->after, now))
        return REJECT(check, node, "its successors differ");
    if (instr_same(check->before, then, check->after, now)) return true;
    if (is_folded(check, then, now) || is_immediate_form(check, then, now)) return true;
    return REJECT(check, node, "the new instruction does not follow from the facts");
}

static bool check_phis(Check *check, Node join) {
    uint32_t count = func_phi_count(check->before, join);
    if (count != func_phi_count(check->after, join))
        return REJECT(check, join, "the number of phis differs");
    uint32_t preds = preds_count(&check->preds, join);
    for (uint32_t i = 0; i < count; i++) {
        const Phi *then = &func_phis(check->before, join)[i],
                  *now = &func_phis(check->after, join)[i];
        if (then->dest.i != now->dest.i ||
            memcmp(phi_args(check->before, then), phi_args(check->after, now),
                   preds * sizeof(Reg)) != 0)
            return REJECT(check, join, "phi %u differs", i);
    }
    return true;
}

static bool check_rewrites(Check *check) {
    if (check->before->nodes.count != check->after->nodes.count)
        return REJECT(check, NO_NODE, "the number of nodes has changed");
    for (uint32_t n = 0; n < check->before->nodes.count; n++)
        if (!check_node(check, (Node){n})) return false;
    // Joins have the same ways in, so that phis have as many arguments on both sides.
    for (uint32_t n = 0; n < check->before->nodes.count; n++)
        if (!check_phis(check, (Node){n})) return false;
    return true;
}

// Accepts if the facts of the hint hold in every execution of `before` and `after` differs from it
// only by what follows from them. Reasons live in the arena.
Verdict check_sccp(Arena *arena, const Func *before, const Func *after, const SccpHint *hint) {
    Check check = {.arena = arena, .before = before, .after = after, .hint = hint};
    check.verdict = check_same_frame(arena, before, after);
    if (!check.verdict.accepted || !check_hint(&check)) return check.verdict;
    check.preds = preds_of(arena, before);
    if (check_facts(&check) && check_rewrites(&check)) return VERDICT_ACCEPTED;
    return check.verdict;
}
