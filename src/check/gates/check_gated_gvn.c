// The checker of gated_gvn: value numbering on gated SSA, in which gammas of two joins can be
// equal.
//
// The argument follows congruence_classes.h and uses its words. A register is present at a node if
// its definition strictly dominates the node, or is a merge or eta of the node itself, or if the
// register has no definition. A node A is *above* J if A strictly dominates J.
//
// 0. Gammas that are phis (check_regular). A regular gamma has one argument for each predecessor of
//    its join, in order. The k-th gate is the predicate P[d,k] of the way from the block that
//    dominates the join to the k-th predecessor, and the definition of the k-th argument dominates
//    that predecessor. P[d,k] is 1 when control comes from k (check_paths.c), so the gamma selects
//    its k-th argument, which is present there. If another gate is 1 as well, `before` takes a
//    wrong step, and the behaviour of `after` no longer matters. Every gamma that is a member or
//    the leader of a class with other members by one of the rules below is regular.
//
// 1. The numbering. Each member x other than its leader L is (check_member)
//      OP     an operator, or COPY a move of a member, as in congruence_classes.h; an eta of a
//             member is a COPY;
//      PHI    a merge of L's join with congruent arguments, mu and mu or gamma and gamma; or
//      SAME   a gamma or mu whose arguments are all members, and L is present at its join and no
//             merge of it; or
//      GATED  a gamma at J2, L being a gamma at a join J1 above J2 with as many arguments; each
//             argument of x has a counterpart among those of L with the very same gate and a
//             congruent register; and both gate and class are *settled above* J1: see 2 and 3.
//
// 2. Gates. A gate is settled above J1 if all definitions of its registers are above J1
//    (known_from.c: the definitions lie on one path of the dominator tree, and its lowest point is
//    above J1). Let control have come to J1 last at time t, and be about to enter J2 now, where J1
//    is above J2. No node above J1 has been visited since t: J1 does not dominate such a node A, so
//    there is a way from the entry to A around J1; prolonged by the run since, this way would lead
//    to J2 around J1. Hence no register that is defined above J1 has been set since t, and the gate
//    has its value of time t, when J1's gammas looked at it. The same holds if a register of the
//    gate has not been set at all.
//
// 3. Classes. A class is settled above J1 if its value has a term whose leaves are registers
//    defined above J1, or nowhere. The term is its leader as such a leaf, or, if the leader is an
//    operator but no move, the operator applied to terms of the classes of the leader's arguments
//    (find_bases). Claim: at a node where the leaves are present, each member that is present has
//    the term's value. If the term is the leader, the claim is (b) of the lemma. Else let r be the
//    member's root (the register that a COPY copies, in the end). Then r is L, or has rule OP, or
//    has rule SAME so that L is present and equal to r by (b). In each case r equals an operator's
//    result, by (a) for the values of its arguments, and these arguments are present members of the
//    classes of L's arguments. No other case is possible, as PHI and GATED need a leader that is a
//    merge.
//
// 4. The lemma of congruence_classes.h: at every node (a) operators' registers that are present
//    have the value of the operator for the present values of its arguments, (b) registers of one
//    class that are present are equal. New cases in the induction over steps m -> n: An eta x of a
//      pad n: its source s was present at m, which is a branch, as it lies in a loop
//        that n does not lie in; so m sets nothing. Every other member that is present at n was
//        present at m and equal to s, or is an eta of n whose source was.
//      An instruction that defines x: a member r with rule GATED has a leader that is a gamma, so
//        it is not x and x is no operator with rule OP: the cases of congruence_classes.h stay as
//        they are.
//      A join n and a merge x of n with rule GATED. Then L is present at n, no merge of n, and was
//        present at m. x = L, as follows. x selects its k-th argument b, with gate g = 1. By 2, g
//        was 1 at t; the counterpart a of b was therefore selected by L at time t, on the way from
//        a predecessor m1 of J1 to which it belongs (or `before` took a wrong step). So a was
//        present at m1, b is present at m, and so are, at both times, the leaves of the term of
//        their class: what is above J1 dominates m1, and J1 dominates m. By 2 the leaves have not
//        been set between, so a = b by 3. L has kept the value it got at t. Another member y that
//        is present at n: if it is no merge of n it equals L by (b) at m; if it is one, it has not
//        rule PHI and is not L, since L is no merge of n; by SAME or GATED it equals L.
//      A merge x of n with rule SAME: as before, and a merge y of n with rule GATED equals L, too.
//      A merge x of n with rule PHI, or x = L: then L is a merge of n, so a member with rule GATED
//        that is present at n would have its join below n, and its join above n or at n. There is
//        none.
//
// 5. The code (classes_check_node, check_merges, check_etas, check_tables). `after` has the same
//    graph, instructions, merges and etas, with congruent registers; operators, merges and etas may
//    be missing. Gates of merges, etas, loops and ends are the same predicates of the same
//    registers, and each of these registers is still defined if it was. A register that an
//    instruction, mu or eta of `after` reads is present there by the rules of the form. A register
//    that a gamma reads instead of another one is present by check_replaced; a register that the
//    gamma reads as before, present or not, is the same. By the lemma, `after` sets each register
//    to the same value at the same time as `before`. Of the registers that are defined in both,
//    present or not, both functions have set the same ones. So gates evaluate to the same. The rest
//    is as in congruence_classes.h.
#include "check/checkers.h"

#include "check/gates/check_paths.h"
#include "check/gates/congruence_classes.h"
#include "fact/gate/known_from.h"

typedef struct {
    Classes classes;
    Paths paths;
    uint32_t *gate_base;  // per gate of `before`: see known_from.h
    uint32_t *class_base; // per leader: the base of a term for the class
    uint32_t *gate_owner; // per gate of `before`: the last merge for which it was noted, and
    uint32_t *gate_arg;   // which argument has it
} Check;

#define REJECT(check, ...) CLASSES_REJECT(&(check)->classes, __VA_ARGS__)

static const Merge *merge_at(const Check *check, Definition definition) {
    return &check->classes.before->gsa->merges.at[definition.at];
}

// ---- What is settled where

static bool is_above(const Check *check, uint32_t base, Node join) {
    return known_above(&check->paths.dom, base, join);
}

// Each base of a class is the base of a term made of terms found before; so a leader may come
// before the leaders of its arguments.
static void find_bases(Check *check) {
    Arena *arena = check->classes.arena;
    const Func *func = check->classes.before;
    const Dominance *dom = &check->paths.dom;
    check->class_base = ARENA_ARRAY(arena, uint32_t, func->regs.count);
    for (uint32_t i = 0; i < func->regs.count; i++)
        check->class_base[i] = known_from_reg(check->classes.definitions, (Reg){i});
    check->gate_base = known_from_gates(arena, func->gsa, dom, check->classes.definitions);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        if (instr->kind != I_OP || op_is_move((Op)instr->op)) continue;
        uint32_t base =
            known_from_op(dom, func, instr, check->classes.hint->leader.at, check->class_base);
        if (base != NO_ID) check->class_base[instr->dest.i] = base;
    }
}

// ---- The numbering

// Whether a register is present at the end of a nop.
static bool comes_from(const Check *check, Reg reg, Node pred) {
    Node base = {known_from_reg(check->classes.definitions, reg)};
    return dominates(&check->paths.dom, base, pred);
}

static bool check_regular(Check *check, Node join, const Merge *gamma) {
    const MergeArg *args = merge_args(check->classes.before, gamma);
    const Node *preds = preds_at(&check->paths.preds, join);
    if (gamma->arg_count != preds_count(&check->paths.preds, join))
        return REJECT(check, join, "a gamma has not one argument for each predecessor");
    for (uint32_t k = 0; k < gamma->arg_count; k++) {
        Gate way;
        if (!paths_into(&check->paths, join, k, &way)) {
            check->classes.verdict = check->paths.verdict;
            return false;
        }
        if (args[k].gate.i != way.i)
            return REJECT(check, join, "gate %u is not that of the way from predecessor %u", k, k);
        if (!comes_from(check, args[k].reg, preds[k]))
            return REJECT(check, join, "argument %u does not come from predecessor %u", k, k);
    }
    return true;
}

// A mu is a phi by the rules of the form.
static bool check_phi(Check *check, Node join, const Merge *merge) {
    return merge->kind == MERGE_MU || check_regular(check, join, merge);
}

static bool check_same_join(Check *check, Node join, const Merge *merge, const Merge *leader) {
    const Func *func = check->classes.before;
    if (merge->kind != leader->kind || merge->arg_count != leader->arg_count)
        return REJECT(check, join, "a merge and its leader are of different kinds");
    for (uint32_t k = 0; k < merge->arg_count; k++)
        if (!congruent(&check->classes, merge_args(func, merge)[k].reg,
                       merge_args(func, leader)[k].reg))
            return REJECT(check, join, "argument %u of a merge is not that of its leader", k);
    return check_phi(check, join, merge) && check_phi(check, join, leader);
}

static void note_gates(Check *check, uint32_t owner) {
    const Merge *merge = &check->classes.before->gsa->merges.at[owner];
    for (uint32_t k = 0; k < merge->arg_count; k++) {
        uint32_t gate = merge_args(check->classes.before, merge)[k].gate.i;
        check->gate_owner[gate] = owner;
        check->gate_arg[gate] = k;
    }
}

static bool check_gated_argument(Check *check, Definition here, Definition there, uint32_t k) {
    const Func *func = check->classes.before;
    MergeArg arg = merge_args(func, merge_at(check, here))[k];
    if (check->gate_owner[arg.gate.i] != there.at)
        return REJECT(check, here.node, "gate %u of a gamma is none of its leader", k);
    Reg other = merge_args(func, merge_at(check, there))[check->gate_arg[arg.gate.i]].reg;
    if (!congruent(&check->classes, arg.reg, other))
        return REJECT(check, here.node, "argument %u of a gamma is not that of its leader", k);
    if (!is_above(check, check->gate_base[arg.gate.i], there.node))
        return REJECT(check, here.node, "gate %u may have changed since the leader's join", k);
    Reg leader = leader_of(&check->classes, arg.reg);
    return is_above(check, check->class_base[leader.i], there.node) ||
           REJECT(check, here.node, "argument %u may have changed since the leader's join", k);
}

static bool check_gated(Check *check, Definition here, Definition there) {
    const Merge *gamma = merge_at(check, here), *leader = merge_at(check, there);
    if (gamma->kind != MERGE_GAMMA || leader->kind != MERGE_GAMMA)
        return REJECT(check, here.node, "a mu has a leader at another join");
    if (gamma->arg_count != leader->arg_count)
        return REJECT(check, here.node, "a gamma and its leader differ in their arguments");
    if (!is_above(check, there.node.i, here.node))
        return REJECT(check, here.node, "the leader of a gamma does not dominate its join");
    note_gates(check, there.at);
    for (uint32_t k = 0; k < gamma->arg_count; k++)
        if (!check_gated_argument(check, here, there, k)) return false;
    return check_regular(check, here.node, gamma) && check_regular(check, there.node, leader);
}

static bool all_members(const Check *check, const Merge *merge, Reg leader) {
    for (uint32_t k = 0; k < merge->arg_count; k++) {
        Reg arg = merge_args(check->classes.before, merge)[k].reg;
        if (leader_of(&check->classes, arg).i != leader.i) return false;
    }
    return true;
}

static bool check_merge_member(Check *check, Reg reg, Reg leader) {
    Definition here = check->classes.definitions[reg.i];
    Definition there = check->classes.definitions[leader.i];
    const Merge *merge = merge_at(check, here);
    bool merges = there.by == SET_BY_MERGE;
    if (merges && there.node.i == here.node.i)
        return check_same_join(check, here.node, merge, merge_at(check, there));
    if (all_members(check, merge, leader)) {
        if (there.node.i != NO_ID && !is_above(check, there.node.i, here.node))
            return REJECT(check, here.node, "the leader of a merge does not dominate its join");
        return check_phi(check, here.node, merge);
    }
    if (!merges) return REJECT(check, here.node, "the leader of a merge is none");
    return check_gated(check, here, there);
}

static bool check_eta_member(Check *check, Reg reg, Reg leader) {
    Definition here = check->classes.definitions[reg.i];
    const Eta *eta = &check->classes.before->gsa->etas.at[here.at];
    return leader_of(&check->classes, eta->source).i == leader.i ||
           REJECT(check, here.node, "the source of an eta is not congruent to its leader");
}

static bool check_member(Check *check, Reg reg) {
    Reg leader = leader_of(&check->classes, reg);
    Definition definition = check->classes.definitions[reg.i];
    if (leader.i == reg.i) return true;
    if (definition.node.i == NO_ID)
        return REJECT(check, NO_NODE, "register %u has a leader but no definition", reg.i);
    if (definition.by == SET_BY_INSTR) return classes_check_op(&check->classes, reg, leader);
    return definition.by == SET_BY_MERGE ? check_merge_member(check, reg, leader)
                                         : check_eta_member(check, reg, leader);
}

// ---- The code

// The k-th argument of a regular gamma is read at the k-th predecessor; which one reads that of
// another gamma is not known. Mus are looked after by the rules of the form.
static bool check_replaced(Check *check, Node join, const Merge *then, const Merge *now) {
    if (then->kind == MERGE_MU) return true;
    if (!check_regular(check, join, then)) return false;
    for (uint32_t k = 0; k < now->arg_count; k++) {
        Reg reg = merge_args(check->classes.after, now)[k].reg;
        if (!comes_from(check, reg, preds_at(&check->paths.preds, join)[k]))
            return REJECT(check, join, "argument %u of a gamma no longer comes from its way", k);
    }
    return true;
}

static bool check_merge(Check *check, Node node, const Merge *then, const Merge *now,
                        const Gate *then_gate) {
    if (then->kind != now->kind || then->arg_count != now->arg_count)
        return REJECT(check, node, "a merge has changed");
    bool replaced = false;
    for (uint32_t k = 0; k < then->arg_count; k++) {
        MergeArg old = merge_args(check->classes.before, then)[k];
        MergeArg fresh = merge_args(check->classes.after, now)[k];
        if (old.gate.i != then_gate[fresh.gate.i].i)
            return REJECT(check, node, "gate %u of a merge has changed", k);
        if (!congruent(&check->classes, old.reg, fresh.reg))
            return REJECT(check, node,
                          "argument %u of a merge is not congruent to what it replaces", k);
        replaced |= old.reg.i != fresh.reg.i;
    }
    return !replaced || check_replaced(check, node, then, now);
}

// The remaining part of a merge-block, in the same order.
static bool check_merges(Check *check, Node node, const Gate *then_gate) {
    const Func *before = check->classes.before, *after = check->classes.after;
    uint32_t at = 0, count = gsa_merge_count(before, node);
    for (uint32_t i = 0; i < gsa_merge_count(after, node); i++, at++) {
        const Merge *now = &gsa_merges(after, node)[i], *then = gsa_merges(before, node);
        while (at < count && then[at].dest.i != now->dest.i) at++;
        if (at == count) return REJECT(check, node, "merge %u is new or out of order", i);
        if (!check_merge(check, node, &then[at], now, then_gate)) return false;
    }
    return true;
}

static bool check_etas(Check *check, Node node, const Gate *then_gate) {
    const Func *before = check->classes.before, *after = check->classes.after;
    uint32_t at = 0, count = gsa_eta_count(before, node);
    for (uint32_t i = 0; i < gsa_eta_count(after, node); i++, at++) {
        const Eta *now = &gsa_etas(after, node)[i], *then = gsa_etas(before, node);
        while (at < count && then[at].dest.i != now->dest.i) at++;
        if (at == count) return REJECT(check, node, "eta %u is new or out of order", i);
        if (then[at].gate.i != then_gate[now->gate.i].i)
            return REJECT(check, node, "the gate of eta %u has changed", i);
        if (!congruent(&check->classes, then[at].source, now->source))
            return REJECT(check, node, "the source of eta %u is not congruent to what it replaces",
                          i);
    }
    return true;
}

// The gates of loops and ends stay, and what gates read is still set. The form asks for the gates
// of all loops and ends, by node, so both functions have the same number of each.
static bool check_tables(Check *check, const Gate *then_gate) {
    const Gsa *then = check->classes.before->gsa, *now = check->classes.after->gsa;
    const Definition *definitions = definitions_of(check->classes.arena, check->classes.after);
    for (uint32_t i = 0; i < now->atoms.count; i++)
        for (uint32_t k = 0; k < now->atoms.at[i].arg_count; k++) {
            Reg reg = now->atoms.at[i].arg[k];
            if (check->classes.definitions[reg.i].node.i != NO_ID &&
                definitions[reg.i].node.i == NO_ID)
                return REJECT(check, NO_NODE, "register %u is read by a gate and no longer set",
                              reg.i);
        }
    for (uint32_t i = 0; i < then->loops.count; i++)
        if (then->loops.at[i].leaves.i != then_gate[now->loops.at[i].leaves.i].i ||
            then->loops.at[i].goes_on.i != then_gate[now->loops.at[i].goes_on.i].i)
            return REJECT(check, then->loops.at[i].header, "the gates of a loop have changed");
    for (uint32_t i = 0; i < then->ends.count; i++)
        if (then->ends.at[i].gate.i != then_gate[now->ends.at[i].gate.i].i)
            return REJECT(check, then->ends.at[i].node, "the gate of an end has changed");
    return true;
}

// Two functions may number the same gates in different ways; those of `after` are looked up in the
// table of `before`.
static bool check_code(Check *check) {
    const Func *before = check->classes.before;
    const Gate *then_gate =
        gsa_import(check->classes.arena, check->paths.gsa, check->classes.after->gsa, NULL);
    for (uint32_t n = 0; n < before->nodes.count; n++)
        if (!classes_check_node(&check->classes, (Node){n}) ||
            !check_merges(check, (Node){n}, then_gate) || !check_etas(check, (Node){n}, then_gate))
            return false;
    return check_tables(check, then_gate);
}

Verdict check_gated_gvn(Arena *arena, const Func *before, const Func *after,
                        const GatedGvnHint *hint) {
    Check check = {0};
    Verdict verdict = check_same_frame(arena, before, after);
    if (!verdict.accepted) return verdict;
    if (!classes_init(&check.classes, arena, before, after, &hint->numbering))
        return check.classes.verdict;
    if (!paths_check(&check.paths, arena, before, &hint->paths)) return check.paths.verdict;
    uint32_t gates = before->gsa->gates.count;
    check.gate_owner = ARENA_ARRAY(arena, uint32_t, gates);
    check.gate_arg = ARENA_ARRAY(arena, uint32_t, gates);
    for (uint32_t i = 0; i < gates; i++) check.gate_owner[i] = NO_ID;
    find_bases(&check);
    for (uint32_t i = 0; i < before->regs.count; i++)
        if (!check_member(&check, (Reg){i})) return check.classes.verdict;
    check_code(&check);
    return check.classes.verdict;
}
