// The checker of straighten.
//
// The hint claims for each node n a node L(n) to which `before` comes from n, whatever the registers hold,
// without changing anything. L(n) = n needs no proof. Otherwise n is a nop or a branch, and for every
// successor m: m has a larger number and no phis, and L(m) = L(n) (check_lead). By induction from
// the largest number down, each way from n reaches L(n) in a finite number of steps, all of them nops and
// branches, without setting a register; or it goes wrong on a branch that reads something undefined,
// after which anything is allowed.
//
// `after` has the same nodes and phis, and the same instructions, except that a branch n with L(n) other
// than n may be a nop to one of its successors. So whatever `before` does from such an n to L(n), `after`
// does from n to L(n) with the same registers, since the claims hold for it as well: its nops go to one of
// the successors that were looked at. Elsewhere both do the same steps. The predecessors of joins are
// nops, so that no edge into a join is dropped, and phis keep their arguments.
#include "check/checkers.h"

#include "fact/effects.h"

typedef struct {
    Arena *arena;
    const Func *before;
    const Func *after;
    const StraightenHint *hint;
    Verdict verdict;
} Check;

#define REJECT(check, node, ...)                                                                   \
    ((check)->verdict = verdict_rejected((check)->arena, node_site(node), __VA_ARGS__), false)

static bool check_lead(Check *check, Node node) {
    const Instr *instr = func_at(check->before, node);
    Node lead = check->hint->leads_to.at[node.i];
    if (lead.i == node.i) return true;
    if (instr->kind != I_NOP && !instr_is_branch(instr))
        return REJECT(check, node, "it does something, and is not what it leads to");
    for (uint32_t k = 0; k < instr->succ_count; k++) {
        Node succ = instr_succs(check->before, instr)[k];
        if (succ.i <= node.i) return REJECT(check, node, "successor %u comes before it", k);
        if (func_phi_count(check->before, succ))
            return REJECT(check, node, "successor %u has phis", k);
        if (check->hint->leads_to.at[succ.i].i != lead.i)
            return REJECT(check, node, "successor %u leads to another node", k);
    }
    return true;
}

static bool is_straightened(const Check *check, Node node) {
    const Instr *then = func_at(check->before, node), *now = func_at(check->after, node);
    if (!instr_is_branch(then) || check->hint->leads_to.at[node.i].i == node.i ||
        now->kind != I_NOP)
        return false;
    for (uint32_t k = 0; k < then->succ_count; k++)
        if (instr_succs(check->before, then)[k].i == now->succ[0].i) return true;
    return false;
}

static bool check_node(Check *check, Node node) {
    const Instr *then = func_at(check->before, node), *now = func_at(check->after, node);
    if (is_straightened(check, node)) return true;
    if (!check_same_succs(check->before, then, check->after, now))
        return REJECT(check, node, "its successors differ");
    if (!instr_same(check->before, then, check->after, now))
        return REJECT(check, node, "the instruction has changed");
    return true;
}

// Accepts if `after` is `before` but for branches that became nops to one of their successors, and all of
// those led to the same node without effect. Reasons live in the arena.
Verdict check_straighten(Arena *arena, const Func *before, const Func *after,
                         const StraightenHint *hint) {
    Check check = {.arena = arena, .before = before, .after = after, .hint = hint};
    check.verdict = check_same_frame(arena, before, after);
    if (!check.verdict.accepted) return check.verdict;
    if (before->nodes.count != after->nodes.count || hint->leads_to.count != before->nodes.count)
        return verdict_rejected(arena, NO_SITE, "the number of nodes has changed");
    Preds preds = preds_of(arena, before);
    for (uint32_t n = 0; n < before->nodes.count; n++) {
        if (!check_lead(&check, (Node){n}) || !check_node(&check, (Node){n})) return check.verdict;
        if (!check_same_phis(before, after, (Node){n}, preds_count(&preds, (Node){n})))
            return verdict_rejected(arena, (Site){n}, "its phis have changed");
    }
    return VERDICT_ACCEPTED;
}
