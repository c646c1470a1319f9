// The checker of tidy, which takes an SSA function without its unreachable nodes and idle nops back to
// the normal form.
//
// What is established, and why it is enough. The hint says where the old function stands when the new
// one is at a node n:
//   STEP t             at t, which n performs
//   STUTTER t          at t, or at nops that lead to it
//   STUTTER t from k   at the nop k, the predecessor of t over which t will be entered
//   COPY t from k, i   at t, but for the new function the phis of t from number i on have yet to act
// and registers agree (in a COPY but for those phis). "Leads to" passes over idle nops of the old
// function: those that have one successor which is no join (find_canon gives the node behind them).
// A STEP performs the old instruction, and each successor stands for the old one (check_step). An edge
// into a join t with phis, from whatever stands at its old predecessor k, either
//   enters the new node that performs t: its phi-block has the phis of t, with the arguments of k for
//   this edge (check_entering); both sides act at once; or
//   enters a STUTTER t from k: the old function waits at k (check_towards_join); or
//   enters COPY t from k, 0: the old function performs all phis of t at once, the new one phi by phi,
//   in order, and then stands at t. No argument of k is set by a phi of the same block (check_copies),
//   so the order is of no consequence.
// No cycle consists of nodes alone at which the old function may wait (check_progress), and old nops
// that are passed over are no cycle, as a cycle holds a join. Instructions are deterministic, so equal behaviour follows.
// The normal form is established by check_shape.
#include "check/checkers.h"

#include "base/bits.h"

typedef struct {
    Arena *arena;
    const Func *before;
    const Func *after;
    const TidyHint *hint;
    Preds old_preds, preds;
    uint32_t *canon; // old node -> the node behind idle nops
    Verdict verdict;
} Check;

#define REJECT(check, node, ...)                                                                   \
    ((check)->verdict = verdict_rejected((check)->arena, node_site(node), __VA_ARGS__), false)

static const NormNode *hint_at(const Check *check, Node node) {
    return &check->hint->norm.nodes.at[node.i];
}
static Node from_of(const Check *check, Node node) {
    return check->hint->from.at[node.i];
}
static bool has_phis(const Check *check, uint32_t old) {
    return func_phi_count(check->before, (Node){old}) > 0;
}

// ---- The hint and the old function

static bool check_hint(Check *check) {
    const TidyHint *hint = check->hint;
    uint32_t old_count = check->before->nodes.count, count = check->after->nodes.count;
    if (hint->norm.nodes.count != count || hint->norm.outer_loop.count != count ||
        hint->from.count != count || hint->phi.count != count || hint->norm.dispatches.count)
        return REJECT(check, NO_NODE, "the hint does not cover every node");
    for (uint32_t n = 0; n < count; n++) {
        const NormNode *node = &hint->norm.nodes.at[n];
        uint32_t kind = node->kind, from = hint->from.at[n].i;
        if ((kind != NORM_STEP && kind != NORM_STUTTER && kind != NORM_COPY) ||
            node->target >= old_count || (from != NO_ID && from >= old_count))
            return REJECT(check, (Node){n}, "the hint names something that does not exist");
        bool pending = kind != NORM_STEP && from != NO_ID;
        if (from != NO_ID && (!pending || !has_phis(check, node->target)))
            return REJECT(check, (Node){n}, "it waits for phis that do not exist");
        if (kind != NORM_STEP && func_phi_count(check->after, (Node){n}))
            return REJECT(check, (Node){n}, "an added node has phis");
        if (kind == NORM_COPY &&
            (!pending || hint->phi.at[n] >= func_phi_count(check->before, (Node){node->target})))
            return REJECT(check, (Node){n}, "it copies a phi that does not exist");
    }
    return true;
}

static bool is_idle(const Check *check, uint32_t old) {
    const Instr *instr = &check->before->nodes.at[old];
    return instr->kind == I_NOP && preds_count(&check->old_preds, instr->succ[0]) == 1;
}

// The node behind the idle nops from each node on. A run of them ends at a join at the latest.
static void find_canon(Check *check) {
    uint32_t count = check->before->nodes.count;
    check->canon = ARENA_ARRAY(check->arena, uint32_t, count);
    for (uint32_t n = 0; n < count; n++) check->canon[n] = NO_ID;
    for (uint32_t n = 0; n < count; n++) {
        uint32_t end = n;
        // Behind an idle nop is a node with one way in, so that a run which comes round is an
        // unreachable cycle and comes back to n: it is cut there.
        while (check->canon[end] == NO_ID && is_idle(check, end)) {
            end = check->before->nodes.at[end].succ[0].i;
            if (end == n) break;
        }
        uint32_t behind = check->canon[end] == NO_ID ? end : check->canon[end];
        for (uint32_t at = n; check->canon[at] == NO_ID;) {
            check->canon[at] = behind;
            if (at != behind) at = check->before->nodes.at[at].succ[0].i;
        }
    }
}

// ---- Edges

// The edge from `node` enters the new join that performs old join t, while the old function stands at
// t's predecessor `from`: both phi-blocks do the same.
static bool check_entering(Check *check, Node node, Node join, uint32_t old, Node from) {
    uint32_t count = func_phi_count(check->before, (Node){old});
    if (func_phi_count(check->after, join) != count)
        return REJECT(check, join, "it has not the phis of old node %u", old);
    uint32_t k = preds_index(&check->preds, join, node);
    uint32_t old_k = preds_index(&check->old_preds, (Node){old}, from);
    if (k == NO_ID || old_k == NO_ID)
        return REJECT(check, node, "its edge stands for none into old node %u", old);
    const Phi *now = func_phis(check->after, join), *then = func_phis(check->before, (Node){old});
    for (uint32_t i = 0; i < count; i++)
        if (now[i].dest.i != then[i].dest.i ||
            phi_args(check->after, &now[i])[k].i != phi_args(check->before, &then[i])[old_k].i)
            return REJECT(check, join, "phi %u differs from that of old node %u", i, old);
    return true;
}

// The edge from `node` to `succ`, while the old function is about to enter the old join t, which has
// phis, from its predecessor `from`.
static bool check_towards_join(Check *check, Node node, Node succ, uint32_t old, Node from) {
    const NormNode *next = hint_at(check, succ);
    if (next->target != old)
        return REJECT(check, node, "its edge does not lead to old node %u", old);
    if (next->kind == NORM_STEP) return check_entering(check, node, succ, old, from);
    if (from_of(check, succ).i != from.i)
        return REJECT(check, node, "its edge enters old node %u from elsewhere", old);
    if (next->kind == NORM_COPY && check->hint->phi.at[succ.i] != 0)
        return REJECT(check, node, "its edge skips a copy");
    return true;
}

// The edge from `node` to `succ`, while the old function stands at the old node t or before it, all
// phis done.
static bool check_towards(Check *check, Node node, Node succ, uint32_t old) {
    const NormNode *next = hint_at(check, succ);
    bool pending = from_of(check, succ).i != NO_ID;
    if (pending || check->canon[next->target] != check->canon[old])
        return REJECT(check, node, "its edge does not lead to old node %u", old);
    if (func_phi_count(check->after, succ))
        return REJECT(check, node, "its edge leads to phis that old node %u has not", old);
    return true;
}

// What an edge has to lead to if the old function takes one from `from` to `old`.
static bool check_edge(Check *check, Node node, Node succ, Node from, uint32_t old) {
    if (has_phis(check, old)) return check_towards_join(check, node, succ, old, from);
    // Over idle nops the old function may come to stand before a join with phis.
    uint32_t behind = check->canon[old];
    const Instr *last = &check->before->nodes.at[behind];
    const NormNode *next = hint_at(check, succ);
    if (last->kind == I_NOP && next->target != behind && has_phis(check, last->succ[0].i) &&
        next->target == last->succ[0].i)
        return check_towards_join(check, node, succ, last->succ[0].i, (Node){behind});
    return check_towards(check, node, succ, old);
}

// ---- Nodes

static bool check_step(Check *check, Node node) {
    Node old = {hint_at(check, node)->target};
    const Instr *now = func_at(check->after, node), *then = func_at(check->before, old);
    if (!instr_same(check->before, then, check->after, now) || now->succ_count != then->succ_count)
        return REJECT(check, node, "the instruction differs from that of old node %u", old.i);
    const Node *succs = instr_succs(check->after, now), *olds = instr_succs(check->before, then);
    for (uint32_t k = 0; k < now->succ_count; k++)
        if (!check_edge(check, node, succs[k], old, olds[k].i)) return false;
    return true;
}

static bool check_stutter(Check *check, Node node) {
    const Instr *instr = func_at(check->after, node);
    uint32_t old = hint_at(check, node)->target;
    Node from = from_of(check, node);
    if (instr->kind != I_NOP) return REJECT(check, node, "an added node is not a nop");
    if (from.i != NO_ID) return check_towards_join(check, node, instr->succ[0], old, from);
    return check_towards(check, node, instr->succ[0], old);
}

static bool check_copy(Check *check, Node node) {
    const Instr *instr = func_at(check->after, node);
    Node join = {hint_at(check, node)->target}, from = from_of(check, node);
    uint32_t i = check->hint->phi.at[node.i], count = func_phi_count(check->before, join);
    uint32_t k = preds_index(&check->old_preds, join, from);
    const Phi *phi = &func_phis(check->before, join)[i];
    if (k == NO_ID || instr->kind != I_OP || instr->dest.i != phi->dest.i ||
        instr->op != op_move(reg_type(check->before, phi->dest)) ||
        instr->arg[0].i != phi_args(check->before, phi)[k].i)
        return REJECT(check, node, "it does not do what phi %u of old node %u does", i, join.i);
    Node succ = instr->succ[0];
    const NormNode *next = hint_at(check, succ);
    if (i + 1 == count) return check_towards(check, node, succ, join.i);
    if (next->kind != NORM_COPY || next->target != join.i || from_of(check, succ).i != from.i ||
        check->hint->phi.at[succ.i] != i + 1)
        return REJECT(check, node, "the next phi of old node %u is not copied", join.i);
    return true;
}

// The first copy of a block answers for all: no argument is set by a phi of the block.
static bool check_copies(Check *check, Node node, Bits *set) {
    Node join = {hint_at(check, node)->target};
    uint32_t k = preds_index(&check->old_preds, join, from_of(check, node));
    uint32_t count = func_phi_count(check->before, join);
    const Phi *phis = func_phis(check->before, join);
    if (k == NO_ID) return REJECT(check, node, "its edge stands for none into old node %u", join.i);
    bool good = true;
    for (uint32_t i = 0; i < count; i++) bits_add(set, phis[i].dest.i);
    for (uint32_t i = 0; i < count; i++)
        good &= !bits_has(set, phi_args(check->before, &phis[i])[k].i);
    for (uint32_t i = 0; i < count; i++) bits_remove(set, phis[i].dest.i);
    return good || REJECT(check, node, "the copies depend on each other");
}

static bool check_entry(Check *check) {
    const NormNode *entry = hint_at(check, (Node){0});
    if (entry->kind != NORM_COPY && from_of(check, (Node){0}).i == NO_ID &&
        check->canon[entry->target] == check->canon[0])
        return true;
    return REJECT(check, (Node){0}, "the entry does not stand for the old entry");
}

static bool check_simulation(Check *check) {
    Bits set = bits_new(check->arena, check->before->regs.count);
    for (uint32_t n = 0; n < check->after->nodes.count; n++) {
        Node node = {n};
        bool good = false;
        switch (hint_at(check, node)->kind) {
        case NORM_STEP: good = check_step(check, node); break;
        case NORM_STUTTER: good = check_stutter(check, node); break;
        case NORM_DISPATCH: break;
        case NORM_COPY:
            good = check_copy(check, node) &&
                   (check->hint->phi.at[n] != 0 || check_copies(check, node, &set));
            break;
        }
        if (!good) return false;
    }
    return true;
}

// Whether the old function need not move while the new one performs a node.
static bool waits(const Check *check, Node node) {
    const NormNode *hint = hint_at(check, node);
    return hint->kind != NORM_STEP || is_idle(check, hint->target);
}

// Every cycle has an edge to a node of no higher number; one in which all nodes wait has one between
// nodes that wait.
static bool check_progress(Check *check) {
    for (uint32_t n = 0; n < check->after->nodes.count; n++) {
        const Instr *instr = &check->after->nodes.at[n];
        bool back = instr->succ_count == 1 && instr->succ[0].i <= n;
        if (back && waits(check, (Node){n}) && waits(check, instr->succ[0]))
            return REJECT(check, (Node){n}, "waiting nodes may form a cycle");
    }
    return true;
}

// Accepts if `after` does step for step what `before` does, up to nops, and has the normal form.
// Reasons live in the arena.
Verdict check_tidy(Arena *arena, const Func *before, const Func *after, const TidyHint *hint) {
    Check check = {.arena = arena, .before = before, .after = after, .hint = hint};
    check.verdict = check_same_frame(arena, before, after);
    if (!check.verdict.accepted || !check_hint(&check)) return check.verdict;
    check.old_preds = preds_of(arena, before);
    check.preds = preds_of(arena, after);
    find_canon(&check);
    if (!check_entry(&check) || !check_simulation(&check) || !check_progress(&check))
        return check.verdict;
    return check_shape(arena, after, &check.preds, &hint->norm);
}
