// The checker of hoist, which computes elsewhere what operators compute, and loads ahead of time.
//
// What is established, and why it is enough.
//
// 1. The hint says which old node each new one performs; others are added. Control goes the same way
//    (added_nodes.h). A node that performs an old one has its instruction, or is a nop where there was a total
//    operator (check_performed), and the same phis.
//    An added node (check_added) is a nop, or an operator that cannot go wrong and that `before` has, too, with the
//    same destination and arguments; or a load that does no harm, to a new register.
//
// 2. Operators. In SSA, whenever control is at a node that the definition of x strictly dominates, and x
//    is defined by an operator, x has the value that the operator yields for the present values of its
//    arguments: their definitions dominate that of x, so if one is executed again, control comes to the
//    definition of x again before it comes to the node (check_gvn.c has the same lemma). Both functions are
//    well-formed SSA in which every register has one definition; so x, where it is used, is the same
//    function of the same arguments in both. By induction over steps, and over the depth of operators in
//    each, all uses of `after` read what those of `before` read. That an operator is executed more or less
//    often does not matter: it has no effect and never goes wrong.
//
// 3. Loads. The destination is a register that `before` does not have, so no old instruction reads it,
//    and added operators are those of `before`. So it matters only whether the load is a wrong step where
//    `before` takes none. It is not if
//      it lies in an object that is alive, a slot or a symbol that is defined here (access_is_inside), or
//      control goes on from it to a load of the same bytes, which is one of `before`, without being able to
//      leave the way (comes_to_load): only nops, operators, loads, stores, memcpy and memset lie between,
//      which end no object's life and are no events, and nothing that sets a register of the address.
//      So if the added load is wrong, `before` goes wrong, too, with the same events before that.
#include "check/checkers.h"

#include "check/added_nodes.h"
#include "fact/definitions.h"
#include "fact/effects.h"

typedef struct {
    Arena *arena;
    const Func *before;
    const Func *after;
    AddedNodes nodes;
    const Definition *definitions; // of `before`
    Verdict verdict;
} Check;

#define REJECT(check, node, ...)                                                                   \
    ((check)->verdict = verdict_rejected((check)->arena, node_site(node), __VA_ARGS__), false)

// ---- Loads that are added

static bool same_address(const Check *check, const Instr *a, const Instr *b) {
    Instr twin = *b;
    twin.dest = a->dest;
    return instr_same(check->after, a, check->after, &twin);
}

static bool is_argument(const Check *check, const Instr *instr, Reg reg) {
    const Reg *args = instr_args(check->after, instr);
    for (uint32_t k = 0; k < instr->arg_count; k++)
        if (args[k].i == reg.i) return true;
    return false;
}

// Whether arriving at a node, or executing it, sets a register of the address of a load.
static bool disturbs(const Check *check, const Instr *load, Node node, bool executed) {
    const Func *after = check->after;
    for (uint32_t i = 0; i < func_phi_count(after, node); i++)
        if (is_argument(check, load, func_phis(after, node)[i].dest)) return true;
    Reg dest = func_at(after, node)->dest;
    return executed && dest.i != NO_ID && is_argument(check, load, dest);
}

// The way is looked at for so many nodes only, so that all work is linear.
enum { LONGEST_WAY = 96 };

static bool comes_to_load(const Check *check, Node node) {
    const Instr *load = func_at(check->after, node);
    for (uint32_t i = 0; i < LONGEST_WAY; i++) {
        node = func_at(check->after, node)->succ[0];
        const Instr *instr = func_at(check->after, node);
        if (disturbs(check, load, node, false)) return false;
        if (!added_nodes_has(&check->nodes, node) && instr->kind == I_LOAD &&
            same_address(check, load, instr))
            return true;
        if (!instr_is_quiet(instr) || disturbs(check, load, node, true)) return false;
    }
    return false;
}

// ---- Nodes

static bool check_added(Check *check, Node node) {
    const Instr *now = func_at(check->after, node);
    uint32_t old = check->before->regs.count;
    if (func_phi_count(check->after, node)) return REJECT(check, node, "an added node has phis");
    if (now->kind == I_NOP) return true;
    if (now->kind == I_LOAD) {
        if (now->dest.i < old) return REJECT(check, node, "an added load sets an old register");
        return access_is_inside(check->after, now) || comes_to_load(check, node) ||
               REJECT(check, node, "an added load may go wrong");
    }
    const Instr *then =
        now->dest.i < old ? defining_instr(check->before, check->definitions, now->dest) : NULL;
    if (!instr_is_total(now) || !then)
        return REJECT(check, node, "an added node is no operator of the old function");
    return instr_same(check->before, then, check->after, now) ||
           REJECT(check, node, "an added operator computes something else");
}

static bool check_performed(Check *check, Node node) {
    Node old = check->nodes.old[node.i];
    const Instr *then = func_at(check->before, old), *now = func_at(check->after, node);
    if (!instr_same(check->before, then, check->after, now) &&
        !(instr_is_total(then) && now->kind == I_NOP))
        return REJECT(check, node, "the instruction differs from that of old node %u", old.i);
    if (func_phi_count(check->before, old) != func_phi_count(check->after, node))
        return REJECT(check, node, "its phis have changed");
    if (added_nodes_same_way(&check->nodes, node) && added_nodes_same_phis(&check->nodes, node))
        return true;
    check->verdict = check->nodes.verdict;
    return false;
}

static bool check_nodes(Check *check) {
    for (uint32_t n = 0; n < check->after->nodes.count; n++) {
        Node node = {n};
        bool added = added_nodes_has(&check->nodes, node);
        if (!(added ? check_added(check, node) : check_performed(check, node))) return false;
    }
    return true;
}

// Whether `after` is `before` with total operators in other places, and loads added that do no harm.
Verdict check_hoist(Arena *arena, const Func *before, const Func *after, const HoistHint *hint) {
    Check check = {.arena = arena, .before = before, .after = after};
    check.verdict = check_same_frame(arena, before, after);
    if (!check.verdict.accepted) return check.verdict;
    check.nodes = (AddedNodes){.arena = arena,
                               .before = before,
                               .after = after,
                               .old = hint->old.at,
                               .old_count = hint->old.count};
    if (!added_nodes_start(&check.nodes)) return check.nodes.verdict;
    check.definitions = definitions_of(arena, before);
    return check_nodes(&check) ? VERDICT_ACCEPTED : check.verdict;
}
