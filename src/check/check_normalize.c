// The checker of normalize.
//
// What is established, and why it is enough.
//
// 1. Simulation. The hint says of each new node which old node it stands for. Relate a state of the
//    new function at node n to a state of the old one at node o if memory and the old registers
//    agree and
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
// 2. Shape: see check_shape.c.
#include "check/checkers.h"

#include "fact/eval.h"

typedef struct {
    Arena *arena;
    const Func *before;
    const Func *after;
    const NormHint *hint;
    Preds preds; // of `after`
    Verdict verdict;
} Check;

#define reject(check, node, ...)                                                                   \
    ((check)->verdict = verdict_rejected((check)->arena, node_site(node), __VA_ARGS__), false)

static const NormNode *hint_at(const Check *check, Node node) {
    return &check->hint->nodes.at[node.i];
}

static uint32_t old_label(const Check *check, uint32_t node) {
    return func_label(check->before, (Node){node});
}

// ---- What surrounds the code

static bool check_frame(Check *check) {
    check->verdict = check_same_frame(check->arena, check->before, check->after);
    return check->verdict.accepted;
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
        case NORM_COPY: break;
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

// Accepts if `after` does step for step what `before` does (nops may stutter, but not forever) and has
// the normal form. Reasons live in the arena.
Verdict check_normalize(Arena *arena, const Func *before, const Func *after, const NormHint *hint) {
    Check check = {.arena = arena, .before = before, .after = after, .hint = hint};
    if (before->nodes.count == 0 || after->nodes.count == 0)
        return verdict_rejected(arena, NO_SITE, "a function has no entry");
    check.preds = preds_of(arena, after);
    if (check_frame(&check) && check_hint(&check) && check_entry(&check) &&
        check_simulation(&check) && check_progress(&check))
        return check_shape(arena, after, &check.preds, hint);
    return check.verdict;
}
