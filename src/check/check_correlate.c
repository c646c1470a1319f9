// The checker of correlate.
//
// `after` is `before`, except that a branch n which the hint decides became a nop to one of its
// successors. The predecessors of joins are nops, so no edge into a join is dropped, and phis stay as
// they are. It remains to show that `before` takes that way whenever it executes n and goes on.
//
// The hint names edges: ways of branches b, each leading to a node s with no other predecessor edge, which
// dominates n (check_edge). So whenever n is executed, s was executed before, and the last time it was
// entered by its only edge: the condition of b had the outcome that leads to s, on registers that were
// defined, or b would have been a wrong step.
//
// Those registers hold the same values when n is executed. Suppose x, which b reads, was set since the last
// visit of s. Its definition is at a node d that dominates b, hence s, and d is not s: s has one
// predecessor, so no phi, and if s sets x itself, then s dominates b, while b, its only predecessor,
// dominates s. A path from the entry to its first visit of d does not meet s, since d comes before s on
// every path. Go on from there as the execution did from that last visit of d to n: a path to n that avoids
// s, which dominates n. So there is no such d.
//
// Hence at n all named conditions have their outcomes on the current values, and the condition of n has the
// one that leads to the successor in question, as comparison_follows shows (fact/comparison.c). For a
// switch, a way other than the default says that the register equals the value of its case.
#include "check/checkers.h"

#include "fact/comparison.h"
#include "fact/dominance.h"

typedef struct {
    Arena *arena;
    const Func *before;
    const Func *after;
    const CorrelateHint *hint;
    Preds preds; // of `before`
    Dominance dom;
    VEC(Comparison) facts; // of the decision at hand
    Verdict verdict;
} Check;

#define REJECT(check, node, ...)                                                                   \
    ((check)->verdict = verdict_rejected((check)->arena, node_site(node), __VA_ARGS__), false)

// What an edge of a branch says; false if it is none, or says nothing of use.
static bool comparison_of_edge(const Func *func, BranchEdge edge, Comparison *result) {
    return edge.branch.i < func->nodes.count &&
           comparison_of_way(func, edge.branch, edge.way, result);
}

// An edge that the execution has passed when it comes to a node.
static bool check_edge(Check *check, Node node, BranchEdge edge) {
    Comparison fact;
    if (!comparison_of_edge(check->before, edge, &fact))
        return REJECT(check, node, "an edge that it depends on is none");
    Node target = instr_succs(check->before, func_at(check->before, edge.branch))[edge.way];
    if (preds_count(&check->preds, target) != 1)
        return REJECT(check, node, "node %u is entered by other edges, too", target.i);
    if (!dominance_reaches(&check->dom, target) || !dominates(&check->dom, target, node))
        return REJECT(check, node, "node %u does not dominate it", target.i);
    vec_push(check->arena, &check->facts, fact);
    return true;
}

static bool check_decision(Check *check, const Decision *decision) {
    Node node = decision->edge.branch;
    Comparison goal;
    uint32_t edges = check->hint->edges.count;
    if (decision->first > edges || decision->count > edges - decision->first)
        return REJECT(check, node, "the hint does not have the edges that it depends on");
    if (decision->count > MOST_REASONS)
        return REJECT(check, node, "it depends on more than %d edges", MOST_REASONS);
    if (!comparison_of_edge(check->before, decision->edge, &goal))
        return REJECT(check, node, "it is no branch with such a way");
    if (!dominance_reaches(&check->dom, node)) return REJECT(check, node, "it is not reachable");
    vec_clear(&check->facts);
    for (uint32_t i = 0; i < decision->count; i++)
        if (!check_edge(check, node, check->hint->edges.at[decision->first + i])) return false;
    if (!comparison_follows(check->facts.at, check->facts.count, &goal))
        return REJECT(check, node, "its outcome does not follow");
    const Instr *now = func_at(check->after, node);
    if (now->kind != I_NOP ||
        now->succ[0].i !=
            instr_succs(check->before, func_at(check->before, node))[decision->edge.way].i)
        return REJECT(check, node, "the branch does not go where it was decided to");
    return true;
}

static bool check_unchanged(Check *check, Node node) {
    const Instr *then = func_at(check->before, node), *now = func_at(check->after, node);
    if (!check_same_succs(check->before, then, check->after, now))
        return REJECT(check, node, "its successors differ");
    if (!instr_same(check->before, then, check->after, now))
        return REJECT(check, node, "the instruction has changed");
    return true;
}

// Accepts if `after` is `before` but for branches that the hint decides, and every decision follows from
// conditions that hold wherever its branch is executed. Reasons live in the arena.
Verdict check_correlate(Arena *arena, const Func *before, const Func *after,
                        const CorrelateHint *hint) {
    Check check = {.arena = arena, .before = before, .after = after, .hint = hint};
    check.verdict = check_same_frame(arena, before, after);
    if (!check.verdict.accepted) return check.verdict;
    if (before->nodes.count != after->nodes.count)
        return verdict_rejected(arena, NO_SITE, "the number of nodes has changed");
    check.preds = preds_of(arena, before);
    check.dom = dominance_of(arena, before, &check.preds);
    uint32_t next = 0;
    for (uint32_t n = 0; n < before->nodes.count; n++) {
        Node node = {n};
        bool decided = next < hint->decisions.count && hint->decisions.at[next].edge.branch.i == n;
        if (!(decided ? check_decision(&check, &hint->decisions.at[next++])
                      : check_unchanged(&check, node)))
            return check.verdict;
        if (!check_same_phis(before, after, node, preds_count(&check.preds, node)))
            return verdict_rejected(arena, node_site(node), "its phis have changed");
    }
    if (next < hint->decisions.count)
        return verdict_rejected(arena, NO_SITE, "the decisions are not in order");
    return VERDICT_ACCEPTED;
}
