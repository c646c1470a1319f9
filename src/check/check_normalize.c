// The checker of normalize.
//
// What is established, and why it is enough.
//
// 1. Simulation. The hint says of each new node which old node it stands for. Relate a state of the
// new
//    function at node n to a state of the old one at node o if memory and the old registers agree
//    and
//      n is a STEP or STUTTER with target o, or
//      n is a DISPATCH of d and o is the target that the value of d's register selects.
//    The entries are related (check_entry). A STEP executes the instruction of o, and each
//    successor of n stands for the successor of o with the same index (check_step): one step on
//    both sides leads to related states, with the same events. Any other new node changes at most a
//    dispatch register, which the old function does not have, and its successor stands for the same
//    old node (check_stutter, check_dispatch): the old function waits. A value of a dispatch
//    register outside its table cannot occur: a DISPATCH node is entered only from nodes of the
//    same dispatch, which are nops, or from the setting of the register to an index of the table.
//    No cycle consists of waiting nodes alone (check_progress), so waiting ends. Instructions are
//    deterministic, so equal behaviour follows.
//
// 2. Shape. The numbering is a reverse postorder from the entry (check_numbering), hence all nodes
// are
//    reachable. Predecessors of joins are nops (check_joins). Loops: the hint gives each node's
//    innermost header and each header's outer one. An edge stays in its loop, or enters the header
//    of a loop that lies directly in it, or goes back from a latch to its header, or leaves loops
//    through one pad each (check_edge). So a loop is entered only at its header, which therefore
//    dominates it; every retreating edge goes to a header from its own loop: the graph is
//    reducible. A loop holds no node that cannot return to its header: each node but the latch has
//    a forward successor in the loop or at the header of an inner loop, and each inner loop has an
//    exit back into the loop (check_returns); with an inner loop taken as its header, numbers grow
//    along such a path, so it ends at the latch. Conversely no node that can return is missing, or
//    an edge would enter beside the header. The claimed loops are thus the natural loops.
#include "check/check_normalize.h"

#include "base/bits.h"
#include "check/frame.h"
#include "ir/eval.h"

#include <stdarg.h>

typedef struct {
    Arena *arena;
    const Func *before;
    const Func *after;
    const NormHint *hint;
    Preds preds;          // of `after`
    bool *exits_to_outer; // per header: some edge leaves the loop into the next outer one
    Verdict verdict;
} Check;

static bool reject(Check *check, Node node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool reject(Check *check, Node node, const char *format, ...) {
    Out reason = {0};
    va_list args;
    va_start(args, format);
    out_vprintf(&reason, format, args);
    va_end(args);
    check->verdict =
        (Verdict){.node = node, .reason = arena_text(check->arena, reason.text, reason.length)};
    out_free(&reason);
    return false;
}

static const NormNode *hint_at(const Check *check, Node node) {
    return &check->hint->nodes.at[node.i];
}

static uint32_t old_label(const Check *check, uint32_t node) {
    return func_label(check->before, (Node){node});
}

// ---- What surrounds the code

static bool check_frame(Check *check) {
    const char *difference = frame_difference(check->arena, check->before, check->after);
    return !difference || reject(check, NO_NODE, "%s", difference);
}

// The hint refers to things that exist, and dispatch registers are new.
static bool check_hint(Check *check) {
    const NormHint *hint = check->hint;
    uint32_t old_count = check->before->nodes.count, new_count = check->after->nodes.count;
    if (hint->nodes.count != new_count || hint->outer_loop.count != new_count)
        return reject(check, NO_NODE, "the hint does not cover every node");
    for (uint32_t i = 0; i < new_count; i++) {
        const NormNode *node = &hint->nodes.at[i];
        uint32_t limit = node->kind == NORM_DISPATCH ? hint->dispatches.count : old_count;
        if (node->kind > NORM_DISPATCH || node->target >= limit)
            return reject(check, (Node){i}, "the hint names something that does not exist");
    }
    for (uint32_t i = 0; i < hint->dispatches.count; i++) {
        const NormDispatch *dispatch = &hint->dispatches.at[i];
        if (dispatch->reg.i < check->before->regs.count ||
            dispatch->reg.i >= check->after->regs.count)
            return reject(check, NO_NODE, "dispatch register %u is not a new register", i);
        if (reg_type(check->after, dispatch->reg) != TYPE_I32)
            return reject(check, NO_NODE, "dispatch register %u is not an i32", i);
        for (uint32_t k = 0; k < dispatch->target_count; k++)
            if (dispatch->targets[k].i >= old_count)
                return reject(check, NO_NODE, "dispatch %u names an old node that does not exist",
                              i);
    }
    return true;
}

// ---- Simulation

// Whether a new node stands for an old one whatever the dispatch registers hold.
static bool stands_for(const Check *check, Node node, uint32_t old) {
    const NormNode *hint = hint_at(check, node);
    return hint->kind != NORM_DISPATCH && hint->target == old;
}

static bool check_entry(Check *check) {
    if (stands_for(check, (Node){0}, 0)) return true;
    return reject(check, (Node){0}, "the entry does not stand for the old entry");
}

static bool check_step(Check *check, Node node) {
    uint32_t old = hint_at(check, node)->target;
    const Instr *now = func_at(check->after, node), *then = func_at(check->before, (Node){old});
    if (!instr_same(check->before, then, check->after, now))
        return reject(check, node, "the instruction differs from that of old node %u",
                      old_label(check, old));
    if (now->succ_count != then->succ_count)
        return reject(check, node, "the number of successors differs from that of old node %u",
                      old_label(check, old));
    const Node *now_succs = instr_succs(check->after, now);
    const Node *then_succs = instr_succs(check->before, then);
    for (uint32_t k = 0; k < now->succ_count; k++)
        if (!stands_for(check, now_succs[k], then_succs[k].i))
            return reject(check, node, "successor %u does not stand for old node %u", k,
                          old_label(check, then_succs[k].i));
    return true;
}

// The setting of a dispatch register: its successor dispatches on it, and the value selects `old`.
static bool is_setting(const Check *check, const Instr *instr, uint32_t old) {
    if (instr->kind != I_OP || instr->op != OP_CONST_I32) return false;
    const NormNode *next = hint_at(check, instr->succ[0]);
    if (next->kind != NORM_DISPATCH) return false;
    const NormDispatch *dispatch = &check->hint->dispatches.at[next->target];
    return dispatch->reg.i == instr->dest.i && instr->imm >= 0 &&
           instr->imm < (int64_t)dispatch->target_count && dispatch->targets[instr->imm].i == old;
}

static bool check_stutter(Check *check, Node node) {
    uint32_t old = hint_at(check, node)->target;
    const Instr *instr = func_at(check->after, node);
    if (instr->kind == I_NOP && stands_for(check, instr->succ[0], old)) return true;
    if (is_setting(check, instr, old)) return true;
    return reject(check, node, "an added node does not lead to old node %u", old_label(check, old));
}

// The successor that a SWITCH or COND on the dispatch register takes for a value; NO_NODE if the
// instruction is neither. A COND may serve two targets only, so that all work here is linear.
static Node dispatch_succ(const Check *check, const NormDispatch *dispatch, const Instr *instr,
                          uint32_t value) {
    const Node *succs = instr_succs(check->after, instr);
    if (instr->arg_count != 1 || instr_args(check->after, instr)[0].i != dispatch->reg.i)
        return NO_NODE;
    if (instr->kind == I_COND && instr->immediate && dispatch->target_count <= 2) {
        Value right = value_immediate(TYPE_I32, instr->imm), result;
        if (!op_eval((Op)instr->op, value_i32(value), right, right, &result)) return NO_NODE;
        return succs[result.bits ? 0 : 1];
    }
    if (instr->kind != I_SWITCH || instr->succ_count < dispatch->target_count) return NO_NODE;
    const int64_t *cases = instr_cases(check->after, instr);
    uint32_t first = instr->succ_count > 1 && cases[0] == 0 ? 0 : 1; // cases run from 0 or from 1
    if (value < first) return succs[0];
    uint32_t k = value - first;
    return k + 1 < instr->succ_count && cases[k] == (int64_t)value ? succs[k + 1] : NO_NODE;
}

static bool check_dispatch(Check *check, Node node) {
    uint32_t index = hint_at(check, node)->target;
    const NormDispatch *dispatch = &check->hint->dispatches.at[index];
    const Instr *instr = func_at(check->after, node);
    if (instr->kind == I_NOP) {
        const NormNode *next = hint_at(check, instr->succ[0]);
        if (next->kind == NORM_DISPATCH && next->target == index) return true;
        return reject(check, node, "a nop on the way to a dispatch leads elsewhere");
    }
    for (uint32_t value = 0; value < dispatch->target_count; value++) {
        Node succ = dispatch_succ(check, dispatch, instr, value);
        if (succ.i == NO_ID || !stands_for(check, succ, dispatch->targets[value].i))
            return reject(check, node, "the dispatch of %u does not lead to old node %u", value,
                          old_label(check, dispatch->targets[value].i));
    }
    return true;
}

static bool check_simulation(Check *check) {
    for (uint32_t i = 0; i < check->after->nodes.count; i++) {
        Node node = {i};
        bool good = false;
        switch (hint_at(check, node)->kind) {
        case NORM_STEP: good = check_step(check, node); break;
        case NORM_STUTTER: good = check_stutter(check, node); break;
        case NORM_DISPATCH: good = check_dispatch(check, node); break;
        }
        if (!good) return false;
    }
    return true;
}

static bool waits(const Check *check, Node node) {
    return hint_at(check, node)->kind != NORM_STEP;
}

// Nodes that wait, without any cycle among them: repeatedly remove one that no waiting node leads
// to.
static bool check_progress(Check *check) {
    uint32_t count = check->after->nodes.count, waiting = 0, removed = 0;
    uint32_t *incoming = ARENA_ARRAY(check->arena, uint32_t, count);
    VEC(Node) ready = {0};
    for (uint32_t i = 0; i < count; i++) {
        if (!waits(check, (Node){i})) continue;
        waiting++;
        const Node *preds = preds_at(&check->preds, (Node){i});
        for (uint32_t k = 0; k < preds_count(&check->preds, (Node){i}); k++)
            incoming[i] += waits(check, preds[k]);
        if (!incoming[i]) vec_push(check->arena, &ready, (Node){i});
    }
    while (ready.count) {
        const Instr *instr = func_at(check->after, vec_pop(&ready));
        const Node *succs = instr_succs(check->after, instr);
        removed++;
        for (uint32_t k = 0; k < instr->succ_count; k++)
            if (waits(check, succs[k]) && --incoming[succs[k].i] == 0)
                vec_push(check->arena, &ready, succs[k]);
    }
    if (removed == waiting) return true;
    for (uint32_t i = 0; i < count; i++)
        if (waits(check, (Node){i}) && incoming[i])
            return reject(check, (Node){i}, "added nodes form a cycle");
    return false;
}

// ---- Shape

// The nodes that can be reached, in the order in which a depth-first walk leaves them; it visits
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
    if (preds_count(&check->preds, (Node){0}) != 0)
        return reject(check, (Node){0}, "the entry has a predecessor");
    for (uint32_t i = 0; i < check->after->nodes.count; i++) {
        uint32_t count = preds_count(&check->preds, (Node){i});
        const Node *preds = preds_at(&check->preds, (Node){i});
        for (uint32_t k = 0; count > 1 && k < count; k++)
            if (func_at(check->after, preds[k])->kind != I_NOP)
                return reject(check, preds[k], "an instruction other than nop leads to join %u", i);
    }
    return true;
}

static Node loop_of(const Check *check, Node node) {
    return hint_at(check, node)->loop;
}

static Node outer_loop(const Check *check, Node header) {
    return check->hint->outer_loop.at[header.i];
}

static bool is_header(const Check *check, Node node) {
    return loop_of(check, node).i == node.i;
}

// The loop hint is about headers, and a header comes before its loop and after its outer header.
static bool check_loop_hint(Check *check) {
    for (uint32_t i = 0; i < check->after->nodes.count; i++) {
        Node node = {i}, loop = loop_of(check, node), outer = check->hint->outer_loop.at[i];
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
    return func_at(check->after, node)->kind == I_NOP && preds_count(&check->preds, node) == 1 &&
           loop_of(check, node).i == loop.i;
}

// An edge from a loop to a node that is not in it: one pad for each loop it leaves.
static bool check_exit(Check *check, Node from, Node to) {
    Node target = loop_of(check, to), pad = to;
    for (Node left = loop_of(check, from); left.i != target.i; left = outer_loop(check, left)) {
        if (left.i == NO_ID)
            return reject(check, from, "the edge to %u enters a loop beside its header", to.i);
        if (!is_pad(check, pad, target))
            return reject(check, from, "the edge to %u leaves a loop without a landing pad", to.i);
        if (outer_loop(check, left).i == target.i) check->exits_to_outer[left.i] = true;
        pad = func_at(check->after, pad)->succ[0];
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
    uint32_t count = preds_count(&check->preds, header), latches = 0;
    const Node *preds = preds_at(&check->preds, header);
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

Verdict check_normalize(Arena *arena, const Func *before, const Func *after, const NormHint *hint) {
    Check check = {.arena = arena, .before = before, .after = after, .hint = hint};
    if (before->nodes.count == 0 || after->nodes.count == 0) {
        reject(&check, NO_NODE, "a function has no entry");
        return check.verdict;
    }
    check.preds = preds_of(arena, after);
    if (check_frame(&check) && check_hint(&check) && check_entry(&check) &&
        check_simulation(&check) && check_progress(&check) && check_numbering(&check) &&
        check_joins(&check) && check_loops(&check))
        return VERDICT_ACCEPTED;
    return check.verdict;
}
