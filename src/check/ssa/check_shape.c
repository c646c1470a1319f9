// Checks the normal form of a graph: numbering, joins, loops.
//
// The checker establishes the following. The numbering is a reverse postorder from the entry
// (check_numbering), hence all nodes are reachable. Predecessors of joins are nops (check_joins).
// Loops: the nest gives each node's innermost header and each header's outer one. An edge stays in
// its loop, or enters the header of a loop that lies directly in it, or goes back from a latch to
// its header, or leaves loops through one pad each, with copies between pads allowed (check_edge).
// So a loop is entered only at its header, which therefore dominates it; every retreating edge goes
// to a header from its own loop: the graph is reducible. A loop holds no node that cannot return to
// its header. For each node but the latch has a forward successor in the loop or at the header of
// an inner loop, and each inner loop has an exit back into the loop (check_returns). With an inner
// loop taken as its header, numbers grow along such a path, so the path ends at the latch.
// Conversely no node that can return is missing, or an edge would enter beside the header. The
// claimed loops are thus the natural loops.
#include "check/checkers.h"

#include "base/bits.h"

typedef struct {
    Arena *arena;
    const Func *after;
    const Preds *preds;
    const LoopNest *nest;
    bool *exits_to_outer; // per header: some edge leaves the loop into the next outer one
    Verdict verdict;
} Check;

#define reject(check, node, ...)                                                                   \
    ((check)->verdict = verdict_rejected((check)->arena, node_site(node), __VA_ARGS__), false)

// The reachable nodes, in the order in which a depth-first walk leaves them; the walk visits
// successors last to first.
static uint32_t postorder(Check *check, Node *left) {
    const Func *after = check->after;
    uint32_t count = after->nodes.count, done = 0;
    uint32_t *todo = ARENA_ARRAY(check->arena, uint32_t, count); // successors not yet looked at
    Bits seen = bits_new(check->arena, count);
    VEC(Node) path = {0};
    Node next = {0};
    for (;;) {
        if (bits_put(&seen, next.i)) {
            todo[next.i] = func_at(after, next)->succ_count;
            vec_push(check->arena, &path, next);
        }
        while (path.count && todo[path.at[path.count - 1].i] == 0) left[done++] = vec_pop(&path);
        if (!path.count) return done;
        Node top = path.at[path.count - 1];
        next = instr_succs(after, func_at(after, top))[--todo[top.i]];
    }
}

static bool check_numbering(Check *check) {
    uint32_t count = check->after->nodes.count;
    Node *left = ARENA_ARRAY(check->arena, Node, count);
    uint32_t reached = postorder(check, left);
    if (reached < count)
        return reject(check, NO_NODE, "%u nodes cannot be reached", count - reached);
    for (uint32_t i = 0; i < count; i++)
        if (left[i].i != count - 1 - i)
            return reject(check, left[i], "the numbering is not a reverse postorder");
    return true;
}

static bool check_joins(Check *check) {
    if (preds_is_join(check->preds, (Node){0}))
        return reject(check, (Node){0}, "the entry has a predecessor");
    for (uint32_t i = 0; i < check->after->nodes.count; i++) {
        uint32_t count = preds_count(check->preds, (Node){i});
        const Node *preds = preds_at(check->preds, (Node){i});
        for (uint32_t k = 0; count > 1 && k < count; k++)
            if (func_at(check->after, preds[k])->kind != I_NOP)
                return reject(check, preds[k], "an instruction other than nop leads to join %u", i);
    }
    return true;
}

static Node loop_of(const Check *check, Node node) {
    return check->nest->loop[node.i];
}

static Node outer_loop(const Check *check, Node header) {
    return check->nest->outer[header.i];
}

static bool is_header(const Check *check, Node node) {
    return loop_of(check, node).i == node.i;
}

// The loop hint is about headers, and a header comes before its loop and after its outer header.
static bool check_loop_hint(Check *check) {
    for (uint32_t i = 0; i < check->after->nodes.count; i++) {
        Node node = {i}, loop = loop_of(check, node), outer = check->nest->outer[i];
        if (loop.i != NO_ID && (loop.i > i || !is_header(check, loop)))
            return reject(check, node, "its loop has no header");
        if (outer.i != NO_ID &&
            (!is_header(check, node) || outer.i >= i || !is_header(check, outer)))
            return reject(check, node, "its outer loop has no header");
    }
    return true;
}

// A landing pad: a nop that only its exit edge leads to, in the loop where the exit ends.
static bool is_pad(const Check *check, Node node, Node loop) {
    return func_at(check->after, node)->kind == I_NOP &&
           preds_sole(check->preds, node).i != NO_ID && loop_of(check, node).i == loop.i;
}

// The node behind the copies that start at a node, of which one is the only way to the next.
static Node behind_copies(const Check *check, Node node) {
    const Instr *instr = func_at(check->after, node);
    while (instr->kind == I_OP && op_is_move(instr->op) &&
           preds_sole(check->preds, node).i != NO_ID) {
        node = instr->succ[0];
        instr = func_at(check->after, node);
    }
    return node;
}

// An edge from a loop to a node outside: one pad for each loop that the edge leaves.
static bool check_exit(Check *check, Node from, Node to) {
    Node target = loop_of(check, to), pad = to;
    for (Node left = loop_of(check, from); left.i != target.i; left = outer_loop(check, left)) {
        if (left.i == NO_ID)
            return reject(check, from, "the edge to %u enters a loop beside its header", to.i);
        if (!is_pad(check, pad, target))
            return reject(check, from, "the edge to %u leaves a loop without a landing pad", to.i);
        if (outer_loop(check, left).i == target.i) check->exits_to_outer[left.i] = true;
        pad = behind_copies(check, func_at(check->after, pad)->succ[0]);
    }
    return true;
}

static bool check_edge(Check *check, Node from, Node to) {
    Node loop = loop_of(check, from);
    bool retreats = to.i <= from.i;
    if (!is_header(check, to)) {
        if (retreats) return reject(check, from, "the edge to %u goes back to no header", to.i);
        return loop.i == loop_of(check, to).i || check_exit(check, from, to);
    }
    if (retreats && loop.i != to.i)
        return reject(check, from, "the edge back to %u does not come from its own loop", to.i);
    if (!retreats && loop.i != outer_loop(check, to).i)
        return reject(check, from, "the edge to header %u leaves or skips a loop", to.i);
    return true;
}

static bool check_header(Check *check, Node header) {
    uint32_t count = preds_count(check->preds, header), latches = 0;
    const Node *preds = preds_at(check->preds, header);
    for (uint32_t k = 0; k < count; k++) latches += preds[k].i >= header.i;
    if (latches != 1) return reject(check, header, "the loop has %u latches", latches);
    if (count != 2) return reject(check, header, "the loop has %u entries", count - latches);
    return true;
}

// Whether a node of a loop can go on towards the latch, or is the latch.
static bool check_returns(Check *check, Node node) {
    Node loop = loop_of(check, node);
    const Instr *instr = func_at(check->after, node);
    const Node *succs = instr_succs(check->after, instr);
    for (uint32_t k = 0; k < instr->succ_count; k++) {
        Node succ = succs[k];
        if (succ.i == loop.i) return true;
        if (succ.i <= node.i) continue;
        if (loop_of(check, succ).i == loop.i) return true;
        if (is_header(check, succ) && outer_loop(check, succ).i == loop.i) return true;
    }
    return reject(check, node, "it is said to lie in a loop to which it does not return");
}

static bool check_loops(Check *check) {
    const Func *after = check->after;
    if (!check_loop_hint(check)) return false;
    check->exits_to_outer = ARENA_ARRAY(check->arena, bool, after->nodes.count);
    for (uint32_t i = 0; i < after->nodes.count; i++) {
        const Instr *instr = func_at(after, (Node){i});
        const Node *succs = instr_succs(after, instr);
        for (uint32_t k = 0; k < instr->succ_count; k++)
            if (!check_edge(check, (Node){i}, succs[k])) return false;
    }
    for (uint32_t i = 0; i < after->nodes.count; i++) {
        Node node = {i};
        if (loop_of(check, node).i != NO_ID && !check_returns(check, node)) return false;
        if (!is_header(check, node)) continue;
        if (!check_header(check, node)) return false;
        if (outer_loop(check, node).i != NO_ID && !check->exits_to_outer[i])
            return reject(check, node, "the loop never returns to the loop said to be around it");
    }
    return true;
}

Verdict check_shape(Arena *arena, const Func *func, const Preds *preds, const LoopNest *nest) {
    Check check = {.arena = arena, .after = func, .preds = preds, .nest = nest};
    if (check_numbering(&check) && check_joins(&check) && check_loops(&check))
        return VERDICT_ACCEPTED;
    return check.verdict;
}
