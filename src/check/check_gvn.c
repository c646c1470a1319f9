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
//    member of it (check_hint). Each member x other than the leader L is (check_member)
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
// 3. The code (check_node, check_phis). `after` has the same graph and the same instructions and
//    phis with congruent arguments; operators may have become nops, and phis may be missing.
//    So a definition of `after` is a definition of `before` at the same place. Run both: at the same
//    node, registers that `after` defines and that are present are equal in both. What `after`
//    reads is defined and present there (it is well-formed), and by the lemma it equals what
//    `before` reads. So both do the same, and stay so; `after` leaves out wrong steps of operators
//    at most. What `before` does after a wrong step does not matter.
//
// Code that cannot be reached is never executed, and what it defines is present only there. A call
// that returns twice is a step like any other: the second return is not modelled.
#include "check/check_gvn.h"

#include "ir/dominance.h"

// Where a register is defined.
typedef struct {
    Node node;    // NO_NODE if nowhere
    uint32_t phi; // index into Func.phis, or NO_ID if by the node's instruction
} Definition;

typedef struct {
    Arena *arena;
    const Func *before;
    const Func *after;
    const Numbering *hint;
    Definition *definitions; // per register of `before`
    uint32_t *edges;         // how many edges lead to each node
    bool has_dominance;
    Dominance dominance; // computed when first needed
    Verdict verdict;
} Check;

#define reject(check, node, ...)                                                                   \
    ((check)->verdict = verdict_rejected((check)->arena, (node), __VA_ARGS__), false)

static Reg leader_of(const Check *check, Reg reg) {
    return check->hint->leader.at[reg.i];
}

static bool congruent(const Check *check, Reg a, Reg b) {
    return leader_of(check, a).i == leader_of(check, b).i;
}

static bool all_congruent(const Check *check, const Reg *a, const Reg *b, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (!congruent(check, a[i], b[i])) return false;
    return true;
}

// ---- What surrounds the code, and the hint

static bool check_frame(Check *check) {
    check->verdict = check_same_ssa_frame(check->arena, check->before, check->after);
    if (!check->verdict.accepted) return false;
    if (check->before->regs.count != check->after->regs.count)
        return reject(check, NO_NODE, "there are new registers");
    if (check->before->nodes.count != check->after->nodes.count)
        return reject(check, NO_NODE, "the number of nodes has changed");
    return true;
}

static bool check_hint(Check *check) {
    const Numbering *hint = check->hint;
    uint32_t count = check->before->regs.count;
    if (hint->leader.count != count)
        return reject(check, NO_NODE, "the hint does not cover every register");
    for (uint32_t i = 0; i < count; i++) {
        Reg leader = hint->leader.at[i];
        if (leader.i >= count)
            return reject(check, NO_NODE, "the leader of register %u does not exist", i);
        if (leader_of(check, leader).i != leader.i)
            return reject(check, NO_NODE, "the leader of register %u has another leader", i);
        if (reg_type(check->before, leader) != reg_type(check->before, (Reg){i}))
            return reject(check, NO_NODE, "the leader of register %u has another type", i);
    }
    return true;
}

static void find_definitions(Check *check) {
    const Func *func = check->before;
    check->definitions = ARENA_ARRAY(check->arena, Definition, func->regs.count);
    check->edges = ARENA_ARRAY(check->arena, uint32_t, func->nodes.count);
    for (uint32_t i = 0; i < func->regs.count; i++)
        check->definitions[i] = (Definition){.node = NO_NODE, .phi = NO_ID};
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        const Node *succs = instr_succs(func, instr);
        for (uint32_t k = 0; k < instr->succ_count; k++) check->edges[succs[k].i]++;
        if (instr->dest.i != NO_ID) check->definitions[instr->dest.i].node = (Node){n};
        for (uint32_t k = 0; k < func_phi_count(func, (Node){n}); k++) {
            const Phi *phi = &func_phis(func, (Node){n})[k];
            check->definitions[phi->dest.i] =
                (Definition){.node = {n}, .phi = (uint32_t)(phi - func->phis.at)};
        }
    }
}

// ---- The numbering

// Whether a register is present at a join and no phi of it. Nothing is asked of a join that cannot
// be reached.
static bool present_above(Check *check, Reg reg, Node join) {
    Node node = check->definitions[reg.i].node;
    if (node.i == NO_ID) return true;
    if (!check->has_dominance) {
        Preds preds = preds_of(check->arena, check->before);
        check->dominance = dominance_of(check->arena, check->before, &preds);
        check->has_dominance = true;
    }
    const Dominance *dominance = &check->dominance;
    if (!dominance_reaches(dominance, join)) return true;
    return node.i != join.i && dominance_reaches(dominance, node) &&
           dominates(dominance, node, join);
}

static bool check_phi_member(Check *check, Reg reg, Reg leader) {
    const Func *func = check->before;
    Definition here = check->definitions[reg.i], there = check->definitions[leader.i];
    const Reg *args = phi_args(func, &func->phis.at[here.phi]);
    uint32_t count = check->edges[here.node.i];
    if (there.phi != NO_ID && there.node.i == here.node.i) {
        if (all_congruent(check, args, phi_args(func, &func->phis.at[there.phi]), count))
            return true;
        return reject(check, here.node,
                      "a phi and its leader have arguments that are not congruent");
    }
    for (uint32_t k = 0; k < count; k++)
        if (leader_of(check, args[k]).i != leader.i)
            return reject(check, here.node, "argument %u of a phi is not congruent to its leader",
                          k);
    if (!present_above(check, leader, here.node))
        return reject(check, here.node, "the leader of a phi does not dominate its join");
    return true;
}

static bool congruent_arguments(const Check *check, const Instr *a, const Instr *b) {
    const Func *func = check->before;
    const Reg *x = instr_args(func, a), *y = instr_args(func, b);
    if (all_congruent(check, x, y, a->arg_count)) return true;
    return op_info((Op)a->op)->flags & OPF_COMM && a->arg_count == 2 &&
           congruent(check, x[0], y[1]) && congruent(check, x[1], y[0]);
}

static bool check_op_member(Check *check, Reg reg, Reg leader) {
    const Func *func = check->before;
    Definition here = check->definitions[reg.i], there = check->definitions[leader.i];
    const Instr *instr = func_at(func, here.node);
    if (instr->kind != I_OP)
        return reject(check, here.node,
                      "a register that is not computed by an operator has a leader");
    if (op_is_move((Op)instr->op) && leader_of(check, instr_args(func, instr)[0]).i == leader.i)
        return true;
    if (there.node.i == NO_ID || there.phi != NO_ID)
        return reject(check, here.node, "the leader is not computed by an operator");
    const Instr *other = func_at(func, there.node);
    if (other->kind != I_OP || instr->op != other->op || instr->immediate != other->immediate ||
        instr->imm != other->imm || instr->high != other->high || instr->ref != other->ref ||
        instr->arg_count != other->arg_count)
        return reject(check, here.node, "the leader is computed by another operator or constant");
    return congruent_arguments(check, instr, other) ||
           reject(check, here.node, "the leader has arguments that are not congruent");
}

static bool check_member(Check *check, Reg reg) {
    Reg leader = leader_of(check, reg);
    if (leader.i == reg.i) return true;
    const Definition *definition = &check->definitions[reg.i];
    if (definition->node.i == NO_ID)
        return reject(check, NO_NODE, "register %u has a leader but no definition", reg.i);
    return definition->phi != NO_ID ? check_phi_member(check, reg, leader)
                                    : check_op_member(check, reg, leader);
}

// ---- The code

static bool check_node(Check *check, Node node) {
    const Instr *then = func_at(check->before, node), *now = func_at(check->after, node);
    if (then->succ_count != now->succ_count)
        return reject(check, node, "the number of successors has changed");
    const Node *old_succs = instr_succs(check->before, then);
    const Node *new_succs = instr_succs(check->after, now);
    for (uint32_t k = 0; k < then->succ_count; k++)
        if (old_succs[k].i != new_succs[k].i)
            return reject(check, node, "successor %u has changed", k);
    if (then->kind == I_OP && now->kind == I_NOP) return true;
    if (!instr_alike(check->before, then, check->after, now) || then->dest.i != now->dest.i)
        return reject(check, node, "the instruction has changed");
    const Reg *old_args = instr_args(check->before, then);
    const Reg *new_args = instr_args(check->after, now);
    for (uint32_t i = 0; i < then->arg_count; i++)
        if (!congruent(check, old_args[i], new_args[i]))
            return reject(check, node, "argument %u is not congruent to what it replaces", i);
    return true;
}

// What remains of a phi-block, in the same order.
static bool check_phis(Check *check, Node node) {
    const Func *before = check->before, *after = check->after;
    const Phi *old_phis = func_phis(before, node), *new_phis = func_phis(after, node);
    uint32_t old_count = func_phi_count(before, node), new_count = func_phi_count(after, node);
    uint32_t at = 0;
    for (uint32_t i = 0; i < new_count; i++, at++) {
        while (at < old_count && old_phis[at].dest.i != new_phis[i].dest.i) at++;
        if (at == old_count) return reject(check, node, "phi %u is new or out of order", i);
        if (!all_congruent(check, phi_args(before, &old_phis[at]), phi_args(after, &new_phis[i]),
                           check->edges[node.i]))
            return reject(check, node,
                          "phi %u has an argument that is not congruent to what it replaces", i);
    }
    return true;
}

Verdict check_gvn(Arena *arena, const Func *before, const Func *after, const Numbering *hint) {
    Check check = {.arena = arena,
                   .before = before,
                   .after = after,
                   .hint = hint,
                   .verdict = VERDICT_ACCEPTED};
    if (!check_frame(&check) || !check_hint(&check)) return check.verdict;
    find_definitions(&check);
    for (uint32_t i = 0; i < before->regs.count; i++)
        if (!check_member(&check, (Reg){i})) return check.verdict;
    for (uint32_t n = 0; n < before->nodes.count; n++)
        if (!check_node(&check, (Node){n}) || !check_phis(&check, (Node){n})) return check.verdict;
    return check.verdict;
}
