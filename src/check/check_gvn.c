// The checker of copy_prop, lvn and gvn.
//
// What is established, and why it is enough.
//
// Words. `before` and `after` are well-formed SSA. A register x is *present* at a node if its
// definition strictly dominates the node, or is a phi of the node itself (which acts on the way
// in), or if nothing defines x: then it is a parameter or undefined, and the same at all nodes.
// What is present where x is defined is present wherever x is. An instruction finds its arguments
// present, and the k-th argument of a phi is present at the k-th predecessor, which is a nop.
//
// 1. The numbering. N(x) is the leader of x; a class is what has one leader, and that leader is a
//    member of it (classes_init). Each member x other than the leader L is (check_member)
//      OP    an operator with the operator, constants and number of arguments of L's definition,
//            and with congruent arguments, in the other order if the operator commutes; or
//      PHI   a phi of the phi-block of L with congruent arguments; or
//      COPY  a move of a member; or
//      SAME  a phi whose arguments are all members, and L is present at its join and no phi of it.
//    The root of a member is the member itself, but for a COPY the root of what it copies. It
//    exists, as the source of a move that can be executed is present there, and so is the root.
//
// 2. Lemma. Whenever control is at a node n, (a) a register present at n that is defined by an
//    operator has the value that the operator yields for the present values of its arguments;
//    (b) registers of one class that are present at n have equal values, undefined bits included.
//    By induction on the steps of a run; say the step goes from m to n.
//
//    m defines x, or nothing, by its instruction. Then m is no nop, so n is no join, and what is
//    present at n was present at m, but for x. x was not present at m (a definition does not
//    strictly dominate itself), so whatever else is present keeps its value, the arguments of
//    operators too: a stale value that x may have had from an earlier visit is not spoken of at m.
//    Hence (a), and (b) for all but x. Let y be another member of x's class, present at m, and r
//    its root. By (b), y = r.
//      x is defined by something else than an operator. Then x is the leader, and no member has
//        rule OP or PHI. r is not x, so it has rule SAME: x is present at r's join, and so at m;
//        but it is not. So there is no such y.
//      x is a COPY: what it copies is present at m and in the class, so equal to y by (b).
//      x has rule OP, or is the leader, defined by an operator: either way L is. So r has not rule
//        PHI. It has rule OP or is L, or else it has rule SAME, and L is present at m and equal to
//        r by (b). In both cases y equals some member that is present at m, so is not x, and has
//        x's operator and arguments congruent to those of x. All these arguments are present at m,
//        so they are equal by (b), and by (a) so are x and y. An operator may be partial: both were
//        executed, hence both went right.
//
//    m is a nop, and n no join: what is present at n was present at m, with the same value.
//
//    n is a join, and m its k-th predecessor. What is present at n, but for the phis of n, was
//    present at m and keeps its value: the phis of n are not among it. So (a) holds, and (b) for
//    all but the phis. The k-th arguments are present at m; what they hold may be from this
//    iteration of a loop or the one before, but by (b) members of one class agree on it. Let x be a
//    phi of n and y another member of its class that is present at n.
//      x has rule SAME: its argument is a member, L is present at m, so x = L. The same holds for a
//        y that is a phi of n with rule SAME; a y that is no phi of n equals L by (b). A phi y of n
//        with rule PHI, or y = L, would make L a phi of n, which SAME excludes.
//      x has rule PHI or is the leader: L is a phi of n. If y is a phi of n, it has rule PHI or is
//        the leader by the last sentence: x and y take the values of congruent arguments. If not,
//        take y's root r, which is no phi of n either: r is not L, it has not rule PHI, and SAME
//        would make L present at n without being a phi of n. So there is no such y.
//
//    Operators are functions of the bits of their operands and of which are undefined, and
//    commutative ones are symmetric in both; moves and phis copy both. So equal means equal.
//
// 3. The code (classes_check_node, check_phis). `after` has the same graph and the same instructions and
//    phis with congruent arguments; operators may have become nops, and phis may be missing.
//    So a definition of `after` is a definition of `before` at the same place. Run both: at the same
//    node, registers that `after` defines and that are present are equal in both. What `after`
//    reads is defined and present there (it is well-formed), and by the lemma it equals what
//    `before` reads. So both do the same, and stay so; `after` leaves out wrong steps of operators
//    at most. What `before` does after a wrong step does not matter.
//
// Code that cannot be reached is never executed, and what it defines is present only there. When
// a call returns a second time, the registers of both are what they were at the call (calls.h).
#include "check/checkers.h"

#include "check/classes.h"
#include "fact/dominance.h"

typedef struct {
    Classes classes;
    Preds preds;
    bool has_dominance;
    Dominance dominance; // computed when first needed
} Check;

#define reject(check, ...) CLASSES_REJECT(&(check)->classes, __VA_ARGS__)

// ---- The numbering

// Whether a register is present at a join and no phi of it. Nothing is asked of a join that cannot
// be reached.
static bool present_above(Check *check, Reg reg, Node join) {
    Node node = check->classes.definitions[reg.i].node;
    if (node.i == NO_ID) return true;
    if (!check->has_dominance) {
        check->dominance = dominance_of(check->classes.arena, check->classes.before, &check->preds);
        check->has_dominance = true;
    }
    const Dominance *dominance = &check->dominance;
    if (!dominance_reaches(dominance, join)) return true;
    return node.i != join.i && dominance_reaches(dominance, node) &&
           dominates(dominance, node, join);
}

static bool check_phi_member(Check *check, Reg reg, Reg leader) {
    const Func *func = check->classes.before;
    Definition here = check->classes.definitions[reg.i],
               there = check->classes.definitions[leader.i];
    const Reg *args = phi_args(func, &func->phis.at[here.at]);
    uint32_t count = preds_count(&check->preds, here.node);
    if (there.by == SET_BY_PHI && there.node.i == here.node.i) {
        if (all_congruent(&check->classes, args, phi_args(func, &func->phis.at[there.at]), count))
            return true;
        return reject(check, here.node,
                      "a phi and its leader have arguments that are not congruent");
    }
    for (uint32_t k = 0; k < count; k++)
        if (leader_of(&check->classes, args[k]).i != leader.i)
            return reject(check, here.node, "argument %u of a phi is not congruent to its leader",
                          k);
    if (!present_above(check, leader, here.node))
        return reject(check, here.node, "the leader of a phi does not dominate its join");
    return true;
}

static bool check_member(Check *check, Reg reg) {
    Reg leader = leader_of(&check->classes, reg);
    if (leader.i == reg.i) return true;
    Definition definition = check->classes.definitions[reg.i];
    if (definition.node.i == NO_ID)
        return reject(check, NO_NODE, "register %u has a leader but no definition", reg.i);
    return definition.by == SET_BY_INSTR ? classes_check_op(&check->classes, reg, leader)
                                         : check_phi_member(check, reg, leader);
}

// ---- The code

// What remains of a phi-block, in the same order.
static bool check_phis(Check *check, Node node) {
    const Func *before = check->classes.before, *after = check->classes.after;
    const Phi *old_phis = func_phis(before, node), *new_phis = func_phis(after, node);
    uint32_t old_count = func_phi_count(before, node), new_count = func_phi_count(after, node);
    uint32_t at = 0;
    for (uint32_t i = 0; i < new_count; i++, at++) {
        while (at < old_count && old_phis[at].dest.i != new_phis[i].dest.i) at++;
        if (at == old_count) return reject(check, node, "phi %u is new or out of order", i);
        if (!all_congruent(&check->classes, phi_args(before, &old_phis[at]),
                           phi_args(after, &new_phis[i]), preds_count(&check->preds, node)))
            return reject(check, node,
                          "phi %u has an argument that is not congruent to what it replaces", i);
    }
    return true;
}

Verdict check_gvn(Arena *arena, const Func *before, const Func *after, const Numbering *hint) {
    Verdict verdict = check_same_frame(arena, before, after);
    if (!verdict.accepted) return verdict;
    Check check = {0};
    Classes *classes = &check.classes;
    if (!classes_init(classes, arena, before, after, hint)) return classes->verdict;
    check.preds = preds_of(arena, before);
    for (uint32_t i = 0; i < before->regs.count; i++)
        if (!check_member(&check, (Reg){i})) return classes->verdict;
    for (uint32_t n = 0; n < before->nodes.count; n++)
        if (!classes_check_node(classes, (Node){n})) return classes->verdict;
    // Now the joins have as many ways in as before, and so phis as many arguments.
    for (uint32_t n = 0; n < before->nodes.count; n++)
        if (!check_phis(&check, (Node){n})) break;
    return classes->verdict;
}

// Local value numbering and copy propagation are global value numbering with fewer equalities.

Verdict check_lvn(Arena *arena, const Func *before, const Func *after, const Numbering *hint) {
    return check_gvn(arena, before, after, hint);
}

Verdict check_copy_prop(Arena *arena, const Func *before, const Func *after,
                        const Numbering *hint) {
    return check_gvn(arena, before, after, hint);
}
