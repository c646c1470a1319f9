// The checker of ssa_destruct.
//
// The argument:
//
// The hint says at which node the new function is when the old one is at node s: at first(s). The
// checker computes, for each old node s that can be reached, a map from new registers to old ones;
// (R, v) in it is the claim that R holds the value of v, or one more defined. It follows the code
// from the entry and from each join (`walk`), with maps at joins taken from the hint, and verifies:
//
// 1. At the old entry the new function is at its entry, and the claims there follow from the
//    parameters (check_entry).
// 2. An instruction of the old function, other than a nop or a move, is performed by the same
//    instruction of the new one (check_step). The new instruction reads registers that hold the
//    values the old one reads, or anything for an old register that is undefined: version 0, and no
//    parameter. All operators yield results at least as defined if their operands are. So the same
//    events happen, both take the same ways, and the new destination holds the value of the old
//    one, instead of its earlier value. Each successor is where the hint says.
// 3. For a nop or a move of the old function the new one performs moves and nops
//    (check_edge_copies). A move makes its destination hold the value of its source.
// 4. On an edge into a join every claim of the join holds (check_edge): of the destination of a phi
//    if the register holds the argument for this edge, any other if it is in the map.
//
// So claims that hold at a state hold at the next, by two facts about SSA, in which every register
// has one definition, which dominates its uses:
//
//  - No claim gets stale. The value of v changes only at its definition. A claim about v is first
//    made there and, at joins, only if it is made on every edge; so if (R, v) is in the map of s,
//    every path to s has passed the definition of v. The map of the definition itself therefore has
//    no claim about v: some path comes to the definition for the first time. For a phi the
//    definition is the edge into the join, and there claims about the phi are not taken over but
//    made anew.
//  - A move adds no value. Let y = move z. Wherever y can be used, the definition of y dominates,
//    and since the last time z was defined y has been defined, too. Otherwise take a path that
//    comes to the definition of z for the first time and goes on as the run did: this path would
//    avoid the definition of y. So y and z are equal there, and claims are made about the start of
//    a chain of moves only (`value`).
//
// When a call returns a second time, the registers of both functions are what they were at the call
// (calls.h): the claims that held there hold again.
//
// The old function drives: for each of its steps the new one performs a number of nodes given by
// the hint. The new function does not stand still forever: no cycle consists of steps for which it
// performs nothing (check_progress). Both are deterministic, so the behaviours agree.
//
// Nodes that cannot be reached are not looked at. Time is linear in nodes, arguments and, for each
// edge into a join, claims of the join.
#include "check/checkers.h"

#include "base/bits.h"
#include "graph/definitions.h"
#include "graph/versions.h"

typedef struct {
    Reg home, old;
} HomeChange;

typedef struct {
    Node node;
    uint32_t changes; // length of the log when the walk came to it
} PendingNode;

typedef struct {
    Arena *arena;
    const Func *before;
    const Func *after;
    const DestructHint *hint;
    Preds preds;                   // of `before`
    const Definition *definitions; // of `before`
    Reg *value; // old register -> start of its chain of moves, as far as these have been visited
    Reg *holds; // the map: new register -> old register, NO_REG if nothing is known
    VEC(HomeChange) log;   // the changes to undo when the walk turns to another branch
    VEC(PendingNode) todo; // nodes to visit in this walk
    VEC(Node) starts;      // where walks start: the entry and the joins that were reached
    Bits reached;          // old nodes among these
    Verdict verdict;
} Check;

#define REJECT(check, node, ...)                                                                   \
    ((check)->verdict = verdict_rejected((check)->arena, node_site(node), __VA_ARGS__), false)

static const DestructNode *plan_at(const Check *check, Node old) {
    return &check->hint->nodes.at[old.i];
}

static uint32_t old_label(const Check *check, Node node) {
    return func_label(check->before, node);
}

static bool is_move(const Instr *instr) {
    return instr->kind == I_OP && instr->op == op_move(op_info((Op)instr->op)->result);
}

// ---- The hint

static bool check_pairs(Check *check) {
    const DestructHint *hint = check->hint;
    uint32_t count = check->before->nodes.count;
    if (hint->pair_at.count != count + 1 || hint->pair_at.at[0] != 0 ||
        hint->pair_at.at[count] != hint->pairs.count)
        return REJECT(check, NO_NODE, "the hint's claims are not divided among the nodes");
    for (uint32_t n = 0; n < count; n++)
        if (hint->pair_at.at[n] > hint->pair_at.at[n + 1])
            return REJECT(check, NO_NODE, "the hint's claims are not divided among the nodes");
    for (uint32_t i = 0; i < hint->pairs.count; i++) {
        DestructPair pair = hint->pairs.at[i];
        if (pair.home.i >= check->after->regs.count || pair.value.i >= check->before->regs.count)
            return REJECT(check, NO_NODE, "a claim is about a register that does not exist");
        if (reg_type(check->after, pair.home) != reg_type(check->before, pair.value))
            return REJECT(check, NO_NODE, "a claim is about registers of two types");
    }
    return true;
}

// The hint covers every old node and does not make the new function perform more than it has.
static bool check_hint(Check *check) {
    const DestructHint *hint = check->hint;
    uint64_t performed = 0;
    if (hint->nodes.count != check->before->nodes.count)
        return REJECT(check, NO_NODE, "the hint does not cover every node");
    for (uint32_t n = 0; n < hint->nodes.count; n++) performed += hint->nodes.at[n].count;
    if (performed > check->after->nodes.count)
        return REJECT(check, NO_NODE, "more nodes are performed than there are");
    return check_pairs(check);
}

// Each edge into a join is compared with all claims of the join.
static bool check_effort(Check *check) {
    const DestructHint *hint = check->hint;
    uint32_t nodes = check->before->nodes.count;
    uint64_t work = 0;
    for (uint32_t n = 0; n < nodes; n++)
        work += (uint64_t)preds_count(&check->preds, (Node){n}) *
                (hint->pair_at.at[n + 1] - hint->pair_at.at[n]);
    return !check_takes_too_long(work, (uint64_t)nodes + hint->pairs.count) ||
           REJECT(check, NO_NODE, "too much is claimed at joins with too many ways in");
}

// ---- Tables

static void make_tables(Check *check) {
    const Func *before = check->before;
    uint32_t regs = before->regs.count;
    check->preds = preds_of(check->arena, before);
    check->definitions = definitions_of(check->arena, before);
    check->value = ARENA_ARRAY(check->arena, Reg, regs);
    check->holds = ARENA_ARRAY(check->arena, Reg, check->after->regs.count);
    check->reached = bits_new(check->arena, before->nodes.count);
    for (uint32_t r = 0; r < regs; r++) check->value[r] = (Reg){r};
    for (uint32_t r = 0; r < check->after->regs.count; r++) check->holds[r] = NO_REG;
}

// ---- The map

static void set_holds(Check *check, Reg home, Reg value) {
    vec_push(check->arena, &check->log, (HomeChange){home, check->holds[home.i]});
    check->holds[home.i] = value;
}

static void undo(Check *check, uint32_t changes) {
    while (check->log.count > changes) {
        HomeChange change = vec_pop(&check->log);
        check->holds[change.home.i] = change.old;
    }
}

static bool is_undefined(const Check *check, Reg old) {
    return check->definitions[old.i].by == SET_BY_NOTHING;
}

// Whether a new register holds the value of an old register.
static bool holds(const Check *check, Reg home, Reg old) {
    Reg value = check->value[old.i];
    return check->holds[home.i].i == value.i || is_undefined(check, value);
}

// ---- Steps

static bool is_start(const Check *check, Node old) {
    return old.i == 0 || preds_is_join(&check->preds, old);
}

// The old register that must be held on the edge from a node so that `value` is held at the join.
static Reg before_edge(const Check *check, Node from, Node join, Reg value) {
    const Func *before = check->before;
    Definition definition = check->definitions[value.i];
    if (definition.by != SET_BY_PHI || definition.node.i != join.i) return value;
    uint32_t place = preds_index(&check->preds, join, from);
    return phi_args(before, &before->phis.at[definition.at])[place];
}

static bool check_edge(Check *check, Node from, Node join) {
    const DestructHint *hint = check->hint;
    for (uint32_t i = hint->pair_at.at[join.i]; i < hint->pair_at.at[join.i + 1]; i++) {
        DestructPair pair = hint->pairs.at[i];
        if (!holds(check, pair.home, before_edge(check, from, join, pair.value)))
            return REJECT(check, plan_at(check, join)->first,
                          "coming from old node %u to %u, register %u does not hold its value",
                          old_label(check, from), old_label(check, join), pair.home.i);
    }
    if (bits_put(&check->reached, join.i)) vec_push(check->arena, &check->starts, join);
    return true;
}

// Goes on to a successor of an old node; `at` is where the new function is then.
static bool go_on(Check *check, Node from, Node to, Node at) {
    if (plan_at(check, to)->first.i != at.i)
        return REJECT(check, at, "the node is not where old node %u is performed",
                      old_label(check, to));
    if (is_start(check, to)) return check_edge(check, from, to);
    vec_push(check->arena, &check->todo, (PendingNode){.node = to, .changes = check->log.count});
    return true;
}

static bool check_edge_copies(Check *check, Node old) {
    const Instr *then = func_at(check->before, old);
    Node at = plan_at(check, old)->first;
    for (uint32_t i = 0; i < plan_at(check, old)->count; i++) {
        const Instr *now = func_at(check->after, at);
        if (is_move(now))
            set_holds(check, now->dest, check->holds[now->arg[0].i]);
        else if (now->kind != I_NOP)
            return REJECT(check, at, "neither a copy nor a nop stands for old node %u",
                          old_label(check, old));
        at = now->succ[0];
    }
    if (then->kind == I_OP) check->value[then->dest.i] = check->value[then->arg[0].i];
    return go_on(check, old, then->succ[0], at);
}

static bool check_step(Check *check, Node old) {
    Node at = plan_at(check, old)->first;
    const Instr *then = func_at(check->before, old), *now = func_at(check->after, at);
    if (plan_at(check, old)->count != 1 || !instr_alike(check->before, then, check->after, now) ||
        then->succ_count != now->succ_count)
        return REJECT(check, at, "the instruction differs from that of old node %u",
                      old_label(check, old));
    for (uint32_t i = 0; i < then->arg_count; i++)
        if (!holds(check, instr_args(check->after, now)[i], instr_args(check->before, then)[i]))
            return REJECT(check, at, "argument %u does not hold the value it has at old node %u",
                          i + 1, old_label(check, old));
    if (then->dest.i != NO_ID) set_holds(check, now->dest, then->dest);
    for (uint32_t k = 0; k < then->succ_count; k++)
        if (!go_on(check, old, instr_succs(check->before, then)[k],
                   instr_succs(check->after, now)[k]))
            return false;
    return true;
}

// ---- All of it

// Visits the nodes that can be reached from the entry or a join without entering another join.
static bool walk(Check *check, Node start) {
    const DestructHint *hint = check->hint;
    for (uint32_t i = hint->pair_at.at[start.i]; i < hint->pair_at.at[start.i + 1]; i++)
        set_holds(check, hint->pairs.at[i].home, hint->pairs.at[i].value);
    vec_push(check->arena, &check->todo, (PendingNode){.node = start, .changes = check->log.count});
    while (check->todo.count) {
        PendingNode next = vec_pop(&check->todo);
        const Instr *instr = func_at(check->before, next.node);
        undo(check, next.changes);
        bool copies = instr->kind == I_NOP || is_move(instr);
        if (!(copies ? check_edge_copies(check, next.node) : check_step(check, next.node)))
            return false;
    }
    undo(check, 0);
    return true;
}

static bool check_entry(Check *check) {
    if (plan_at(check, (Node){0})->first.i != 0)
        return REJECT(check, (Node){0}, "the entry does not stand for the old entry");
    for (uint32_t i = 0; i < check->before->params.count; i++)
        set_holds(check, check->after->params.at[i], check->before->params.at[i]);
    const DestructHint *hint = check->hint;
    for (uint32_t i = 0; i < hint->pair_at.at[1]; i++)
        if (!holds(check, hint->pairs.at[i].home, hint->pairs.at[i].value))
            return REJECT(check, (Node){0}, "register %u does not hold its parameter",
                          hint->pairs.at[i].home.i);
    undo(check, 0);
    bits_add(&check->reached, 0);
    vec_push(check->arena, &check->starts, (Node){0});
    return true;
}

static bool check_simulation(Check *check) {
    for (uint32_t i = 0; i < check->starts.count; i++)
        if (!walk(check, check->starts.at[i])) return false;
    return true;
}

// Nodes for which the new function performs nothing: nops and moves, or not reached.
static bool is_silent(const Check *check, Node old) {
    return plan_at(check, old)->count == 0 && func_at(check->before, old)->succ_count == 1;
}

static bool check_progress(Check *check) {
    uint32_t count = check->before->nodes.count;
    uint32_t *seen = ARENA_ARRAY(check->arena, uint32_t, count); // from which node on, plus one
    for (uint32_t n = 0; n < count; n++) {
        if (plan_at(check, (Node){n})->first.i == NO_ID) continue;
        Node node = {n};
        for (; is_silent(check, node) && !seen[node.i];
             node = func_at(check->before, node)->succ[0])
            seen[node.i] = n + 1;
        if (is_silent(check, node) && seen[node.i] == n + 1)
            return REJECT(check, plan_at(check, node)->first,
                          "nothing is performed for a cycle through old node %u",
                          old_label(check, node));
    }
    return true;
}

// Accepts if `after`, in RTL, does what `before`, in SSA, does. Both are well-formed. Reasons live
// in the arena.
Verdict check_ssa_destruct(Arena *arena, const Func *before, const Func *after,
                           const DestructHint *hint) {
    Check check = {.arena = arena, .before = before, .after = after, .hint = hint};
    check.verdict = check_same_outline(arena, before, after);
    if (!check.verdict.accepted) return check.verdict;
    if (!check_hint(&check)) return check.verdict;
    make_tables(&check);
    if (!check_effort(&check) || !check_entry(&check) || !check_simulation(&check) ||
        !check_progress(&check))
        return check.verdict;
    return VERDICT_ACCEPTED;
}
