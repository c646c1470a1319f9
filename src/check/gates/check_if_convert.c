// The checker of if_convert.
//
// `after` is `before`, except after joins j that the hint lists: there j is a nop with some of its
// merges, then come operators (check_added), then j's instruction. Gates are the same predicates.
// The added operators cannot go wrong, and each sets a new register or the destination of a removed
// gamma of j. So, step by step, old registers hold the same values in both functions, provided that
// these gammas are right: each select must yield the value of its gamma x = gamma(c: a, not c: b).
//
// The gamma. On entering j exactly one of its gates is 1, or `before` takes a wrong step. So c is 1
// and x is a, or c is 0 and x is b; and the registers of c are defined.
//
// The condition. The select's first operand is computed by the operator of c from the same
// registers, after j has been entered. None of these registers is set at j (check_condition), so
// the operand is c.
//
// The values. The second operand is a, which is not set at j either, or a copy of a; likewise the
// third.
//
// Copies. A copy of t is computed as t is, from the arguments of t's definition or from copies of
// these arguments that belong to the same j. Let k be the predecessor by which j was entered. If
// the definition of t dominates k, the copy equals t: t was computed when its definition was last
// passed, and since then no argument y has been set again. For the definition of y dominates the
// definition of t. If control passed the definition of y again before k, there would be a way to k
// beside the definition of t (check_values.c, 3, has this argument in full). The definitions of
// copied arguments dominate the definition of t, hence k, so the claim holds for these arguments
// first.
//
// It remains to see that the definition of a dominates k whenever c is 1 on entering j from k
// (check_value). The hint names a branch on c. j has two predecessors. Each is dominated by a
// successor of the branch that has no other way in (check_ways); so c has the outcome of the branch
// when it was last taken (again as there). With c = 1, k is not dominated by the second successor,
// hence by the first; and all such predecessors are dominated by the definition of a. The same for
// b and the other way.
#include "check/checkers.h"

#include "fact/effects.h"
#include "graph/definitions.h"
#include "graph/dominance.h"

typedef struct {
    Arena *arena;
    const Func *before;
    const Func *after;
    const IfConvertHint *hint;
    uint32_t old; // registers of `before`
    Preds preds;  // of `before`
    Dominance dom;
    const Definition *definitions;  // of `before`
    Node *made;                     // new register -> its node in `after`, and
    Node *made_for;                 // the join in `before` for which it was added
    uint32_t *start;                // node of `before` -> its first node in `after`
    Gate *gate;                     // gate of `after` -> of `table`
    Gsa *table;                     // the table of `before`, and perhaps more
    const IfConversion *conversion; // the one at hand
    Verdict verdict;
} Check;

#define REJECT(check, node, ...)                                                                   \
    ((check)->verdict = verdict_rejected((check)->arena, node_site(node), __VA_ARGS__), false)

// ---- What was and where

// Where nodes are after what was added; the last number is the size of `after`.
static bool find_places(Check *check) {
    const Func *func = check->before;
    uint64_t next = 0;
    uint32_t at = 0;
    check->start = ARENA_ARRAY(check->arena, uint32_t, (size_t)func->nodes.count + 1);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        check->start[n] = (uint32_t)next++;
        if (at == check->hint->conversions.count || check->hint->conversions.at[at].join.i != n)
            continue;
        next += (uint64_t)check->hint->conversions.at[at++].count + 1;
        if (next > check->after->nodes.count) break;
    }
    if (at < check->hint->conversions.count || next != check->after->nodes.count)
        return REJECT(check, NO_NODE, "the number of nodes is not what the hint says");
    check->start[func->nodes.count] = (uint32_t)next;
    return true;
}

// ---- What stays

static bool check_instr(Check *check, Node node, Node place) {
    const Instr *then = func_at(check->before, node), *now = func_at(check->after, place);
    if (!instr_same(check->before, then, check->after, now) || then->succ_count != now->succ_count)
        return REJECT(check, place, "the instruction has changed");
    for (uint32_t k = 0; k < then->succ_count; k++)
        if (check->start[instr_succs(check->before, then)[k].i] !=
            instr_succs(check->after, now)[k].i)
            return REJECT(check, place, "successor %u has changed", k);
    return true;
}

static bool same_gate(const Check *check, Gate then, Gate now) {
    return then.i == check->gate[now.i].i;
}

static bool same_merge(const Check *check, const Merge *then, const Merge *now) {
    if (then->kind != now->kind || then->dest.i != now->dest.i || then->arg_count != now->arg_count)
        return false;
    const MergeArg *old = merge_args(check->before, then), *fresh = merge_args(check->after, now);
    for (uint32_t k = 0; k < then->arg_count; k++)
        if (old[k].reg.i != fresh[k].reg.i || !same_gate(check, old[k].gate, fresh[k].gate))
            return false;
    return true;
}

// Merges stand in the same order. Some may be gone: if they are used, others set their
// destinations.
static bool check_merges(Check *check, Node node, Node place) {
    const Merge *then = gsa_merges(check->before, node), *now = gsa_merges(check->after, place);
    uint32_t count = gsa_merge_count(check->before, node), at = 0;
    for (uint32_t i = 0; i < gsa_merge_count(check->after, place); i++, at++) {
        while (at < count && then[at].dest.i != now[i].dest.i) at++;
        if (at == count || !same_merge(check, &then[at], &now[i]))
            return REJECT(check, place, "merge %u has changed", i);
    }
    return true;
}

static bool check_etas(Check *check, Node node, Node place) {
    const Eta *then = gsa_etas(check->before, node), *now = gsa_etas(check->after, place);
    uint32_t count = gsa_eta_count(check->before, node);
    bool same = count == gsa_eta_count(check->after, place);
    for (uint32_t i = 0; i < count && same; i++)
        same = then[i].dest.i == now[i].dest.i && then[i].source.i == now[i].source.i &&
               same_gate(check, then[i].gate, now[i].gate);
    return same || REJECT(check, place, "the etas have changed");
}

// The gates of loops and of ends.
static bool check_outer_gates(Check *check) {
    const Gsa *then = check->before->gsa, *now = check->after->gsa;
    bool same = then->loops.count == now->loops.count && then->ends.count == now->ends.count;
    for (uint32_t i = 0; i < then->loops.count && same; i++) {
        const LoopGate *old = &then->loops.at[i], *fresh = &now->loops.at[i];
        same = check->start[old->header.i] == fresh->header.i &&
               same_gate(check, old->leaves, fresh->leaves) &&
               same_gate(check, old->goes_on, fresh->goes_on);
    }
    for (uint32_t i = 0; i < then->ends.count && same; i++) {
        const EndGate *old = &then->ends.at[i], *fresh = &now->ends.at[i];
        // An instruction is the last of the nodes that stand for its node.
        same = check->start[old->node.i + 1] - 1 == fresh->node.i &&
               same_gate(check, old->gate, fresh->gate);
    }
    return same || REJECT(check, NO_NODE, "the gates of loops or ends have changed");
}

// ---- What was added

// Whether a register is a copy of an old one for the join at hand.
static bool is_copy(const Check *check, Reg reg, Reg of) {
    return reg.i >= check->old && check->hint->copy_of.at[reg.i - check->old].i == of.i &&
           check->made_for[reg.i - check->old].i == check->conversion->join.i;
}

static bool check_new(Check *check, Node place, const Instr *now) {
    uint32_t number = now->dest.i - check->old;
    Reg of = check->hint->copy_of.at[number];
    check->made[number] = place;
    check->made_for[number] = check->conversion->join;
    if (of.i == NO_ID) return true;
    const Instr *then =
        of.i < check->old ? defining_instr(check->before, check->definitions, of) : NULL;
    if (!then || then->kind != I_OP || !instr_alike(check->before, then, check->after, now))
        return REJECT(check, place, "it is not the operator that it copies");
    for (uint32_t i = 0; i < now->arg_count; i++)
        if (now->arg[i].i != then->arg[i].i && !is_copy(check, now->arg[i], then->arg[i]))
            return REJECT(check, place, "argument %u is not that of the operator it copies", i);
    return true;
}

static bool is_condition(const GateAtom *atom, const Instr *instr) {
    if (instr->op != atom->op || instr->immediate != atom->immediate ||
        instr->arg_count != atom->arg_count || (atom->immediate && instr->imm != atom->imm))
        return false;
    for (uint32_t i = 0; i < atom->arg_count; i++)
        if (instr->arg[i].i != atom->arg[i].i) return false;
    return true;
}

// The first operand of a select is the condition of the gates.
static bool check_condition(Check *check, Node place, const GateAtom *atom, Reg reg) {
    if (reg.i < check->old || check->made_for[reg.i - check->old].i != check->conversion->join.i ||
        !is_condition(atom, func_at(check->after, check->made[reg.i - check->old])))
        return REJECT(check, place, "its first operand is not the condition of the gates");
    for (uint32_t i = 0; i < atom->arg_count; i++)
        if (check->definitions[atom->arg[i].i].node.i == check->conversion->join.i)
            return REJECT(check, place, "the condition of the gates changes at the join");
    return true;
}

static Node way_of(const Check *check, uint32_t way) {
    return func_at(check->before, check->conversion->branch)->succ[way];
}

// Control comes to the join by the ways of a branch on the condition.
static bool check_ways(Check *check, Node place, const GateAtom *atom) {
    Node join = check->conversion->join, branch = check->conversion->branch;
    if (branch.i >= check->before->nodes.count || func_at(check->before, branch)->kind != I_COND ||
        !is_condition(atom, func_at(check->before, branch)))
        return REJECT(check, place, "the hint names no branch on the condition of the gates");
    if (!preds_are_just(&check->preds, join, 2))
        return REJECT(check, place, "the join has other than two predecessors");
    for (uint32_t way = 0; way < 2; way++)
        if (preds_sole(&check->preds, way_of(check, way)).i == NO_ID)
            return REJECT(check, place, "a way of the branch is entered by other edges, too");
    for (uint32_t k = 0; k < 2; k++) {
        Node pred = preds_at(&check->preds, join)[k];
        if (dominance_reaches(&check->dom, pred) &&
            !dominates(&check->dom, way_of(check, 0), pred) &&
            !dominates(&check->dom, way_of(check, 1), pred))
            return REJECT(check, place, "predecessor %u of the join is not on a way of the branch",
                          k);
    }
    return true;
}

// An operand of the select is the gamma's argument for a way of the branch, or a copy of it.
static bool check_value(Check *check, Node place, const GateAtom *atom, uint32_t way, Reg then,
                        Reg now) {
    Node join = check->conversion->join, node = check->definitions[then.i].node;
    if (node.i == join.i)
        return REJECT(check, place, "an argument of the gamma is set at the join");
    if (now.i == then.i) return true;
    if (!is_copy(check, now, then))
        return REJECT(check, place, "an operand is not the argument of the gamma");
    if (!check_ways(check, place, atom)) return false;
    for (uint32_t k = 0; k < 2; k++) {
        Node pred = preds_at(&check->preds, join)[k];
        if (dominance_reaches(&check->dom, pred) &&
            dominates(&check->dom, way_of(check, way), pred) && !dominates(&check->dom, node, pred))
            return REJECT(check, place, "what it copies is not computed on the way to the join");
    }
    return true;
}

// The gamma of the join that set a register; NULL if there is none.
static const Merge *gamma_of(const Check *check, Reg dest) {
    Definition definition = check->definitions[dest.i];
    if (definition.by != SET_BY_MERGE || definition.node.i != check->conversion->join.i)
        return NULL;
    const Merge *merge = &check->before->gsa->merges.at[definition.at];
    return merge->kind == MERGE_GAMMA ? merge : NULL;
}

static bool check_select(Check *check, Node place, const Instr *now) {
    const Merge *gamma = gamma_of(check, now->dest);
    if (!gamma || gamma->arg_count != 2 || now->op != op_select(reg_type(check->before, now->dest)))
        return REJECT(check, place, "it does not select what a gamma of two did");
    const MergeArg *args = merge_args(check->before, gamma);
    const Gsa *gsa = check->before->gsa;
    const GateNode *first = &gsa->gates.at[args[0].gate.i],
                   *second = &gsa->gates.at[args[1].gate.i];
    if (first->kind != GK_LITERAL || second->kind != GK_LITERAL || first->first != second->first ||
        first->negated == second->negated || gsa->atoms.at[first->first].op == OP_COUNT)
        return REJECT(check, place, "the gates are not a condition and its negation");
    const GateAtom *atom = &gsa->atoms.at[first->first];
    uint32_t yes = first->negated ? 1 : 0;
    return check_condition(check, place, atom, now->arg[0]) &&
           check_value(check, place, atom, 0, args[yes].reg, now->arg[1]) &&
           check_value(check, place, atom, 1, args[!yes].reg, now->arg[2]);
}

static bool check_added(Check *check, Node place) {
    const Instr *now = func_at(check->after, place);
    if (now->kind != I_OP || now->succ[0].i != place.i + 1)
        return REJECT(check, place, "only operators in a row may be added");
    if (!instr_is_total(now))
        return REJECT(check, place, "an operator was added that may go wrong");
    return now->dest.i < check->old ? check_select(check, place, now)
                                    : check_new(check, place, now);
}

// ---- All of it

// A node with its merges and etas, the operators that were added after them, and its instruction.
static bool check_node(Check *check, Node node) {
    Node place = {check->start[node.i]}, last = {check->start[node.i + 1] - 1};
    if (!check_merges(check, node, place) || !check_etas(check, node, place)) return false;
    if (place.i == last.i) {
        if (gsa_merge_count(check->before, node) != gsa_merge_count(check->after, place))
            return REJECT(check, place, "a merge is gone");
        return check_instr(check, node, place);
    }
    const Instr *head = func_at(check->after, place);
    if (head->kind != I_NOP || head->succ[0].i != place.i + 1)
        return REJECT(check, place, "the join is no nop before what was added");
    while (++place.i < last.i)
        if (!check_added(check, place)) return false;
    return check_instr(check, node, last);
}

static bool check_nodes(Check *check) {
    uint32_t next = 0;
    for (uint32_t n = 0; n < check->before->nodes.count; n++) {
        if (next < check->hint->conversions.count && check->hint->conversions.at[next].join.i == n)
            check->conversion = &check->hint->conversions.at[next++];
        if (!check_node(check, (Node){n})) return false;
    }
    return check_outer_gates(check);
}

// Accepts if `after` is `before` with operators added after joins, and a select instead of a gamma
// only where it has the same value. Reasons live in the arena.
Verdict check_if_convert(Arena *arena, const Func *before, const Func *after,
                         const IfConvertHint *hint) {
    Check check = {.arena = arena, .before = before, .after = after, .hint = hint};
    check.old = before->regs.count;
    check.verdict = check_same_frame(arena, before, after);
    if (!check.verdict.accepted) return check.verdict;
    uint32_t added = after->regs.count - check.old;
    if (hint->copy_of.count != added)
        return verdict_rejected(arena, NO_SITE, "the hint does not cover the new registers");
    if (!find_places(&check)) return check.verdict;
    check.preds = preds_of(arena, before);
    check.dom = dominance_of(arena, before, &check.preds);
    check.definitions = definitions_of(arena, before);
    check.made = ARENA_ARRAY(arena, Node, added);
    check.made_for = ARENA_ARRAY(arena, Node, added);
    for (uint32_t i = 0; i < added; i++) check.made_for[i] = NO_NODE;
    check.table = gsa_clone(arena, before->gsa);
    check.gate = gsa_import(arena, check.table, after->gsa, NULL);
    return check_nodes(&check) ? VERDICT_ACCEPTED : check.verdict;
}
