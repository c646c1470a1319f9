// The checker of forward, which takes the value of a load from a register.
//
// What is established, and why it is enough.
//
// 1. A fact (p, r) at a node says: the bytes of place p are the low bytes of register r, undefined bits
//    included. Which facts are there at a node is inferred. At the entry there are none. Nodes that are
//    no joins have one predecessor at most; so they form trees, each with the entry, a join, or a node
//    that nothing leads to as its root. Inside a tree (walk_tree)
//      a store to p of r makes (p, r) a fact, and ends the facts of all other places that it may touch;
//      a load from p to r makes (p, r) a fact if there is none of p yet;
//      any other instruction ends the facts of the places that it may touch.
//    What may touch what is said in fact/places.h and followed by fact/contents.h. At a join the hint says
//    which facts there are, and on each edge to it (check_edge) a fact (p, r) of the join must follow
//    from the facts there: if r is set by a phi of the join, (p, a) must be one, where a is the phi's
//    argument for this edge; if not, (p, r) must be one itself.
//
// 2. Facts are true. By induction on the steps of a run of `before`; this is clear but for one point:
//    when a register is set, facts that speak of its old value, as r or in the address of p, must not be
//    there any more. They are not. Say d is set by the instruction of node n, or a phi of n, and a fact
//    that speaks of d is there when control arrives at n. Facts do not depend on the run, so it is there
//    already when control arrives at n for the first time. But a fact that speaks of d starts at a store
//    or load that uses or sets d, or at a join by a phi that sets d; in SSA d has been set before that,
//    by its only definition, at n: a contradiction. (For a fact of n itself that names the phi's d as r,
//    see above: what is asked on the edges is the fact about the argument. A fact of n with d in the
//    address of p would have to be there on all edges, also at the first arrival.)
//
// 3. `after` follows (check_node). It has the same graph, phis and instructions but for loads from p, at
//    nodes with a fact (p, r), that became the move or extension of r that yields what the load does
//    (is_forwarded): a load extends the low bytes as its chunk says, as the operators sext8, zext8,
//    sext16 and zext16 do with the low bytes of r; where the chunk fills the register, or r was itself
//    set by such an extension, r is the value. Registers of `after` refine those of `before`, and so
//    does memory. A load may be a wrong step, a move is not.
//    Nodes that are not walked are not reachable.
#include "check/checkers.h"

#include "fact/contents.h"
#include "fact/definitions.h"
#include "fact/effects.h"

#include <string.h>

typedef struct {
    Node node;
    ContentsMark mark;
} FactVisit;

typedef struct {
    Arena *arena;
    const Func *before;
    const Func *after;
    const ForwardHint *hint;
    Contents contents;
    Preds preds;                   // of both
    const Definition *definitions; // of `before`
    uint32_t *ordinal;             // join -> its number among the joins
    VEC(FactVisit) waiting;
    Verdict verdict;
} Check;

#define REJECT(check, node, ...)                                                                   \
    ((check)->verdict = verdict_rejected((check)->arena, node_site(node), __VA_ARGS__), false)

// ---- Shape and hint

static bool is_join(const Check *check, uint32_t node) {
    return preds_count(&check->preds, (Node){node}) > 1;
}

static void find_joins(Check *check, uint32_t *joins) {
    *joins = 0;
    for (uint32_t n = 0; n < check->before->nodes.count; n++)
        if (is_join(check, n)) check->ordinal[n] = (*joins)++;
}

// Each edge into a join is compared with all facts of the join.
static bool check_effort(Check *check) {
    const ForwardHint *hint = check->hint;
    uint32_t nodes = check->before->nodes.count;
    uint64_t work = 0;
    for (uint32_t n = 0; n < nodes; n++) {
        if (!is_join(check, n)) continue;
        uint32_t row = check->ordinal[n];
        work += (uint64_t)preds_count(&check->preds, (Node){n}) *
                (hint->facts_at.at[row + 1] - hint->facts_at.at[row]);
    }
    return !check_takes_too_long(work, (uint64_t)nodes + hint->facts.count) ||
           REJECT(check, NO_NODE, "there are too many facts at joins with too many ways in");
}

static bool check_hint(Check *check) {
    const ForwardHint *hint = check->hint;
    uint32_t joins;
    find_joins(check, &joins);
    if (preds_count(&check->preds, (Node){0}))
        return REJECT(check, (Node){0}, "the entry has a predecessor");
    if (hint->facts_at.count != joins + 1 || hint->facts_at.at[0] != 0 ||
        hint->facts_at.at[joins] != hint->facts.count)
        return REJECT(check, NO_NODE, "the hint does not cover every join");
    for (uint32_t j = 0; j < joins; j++)
        if (hint->facts_at.at[j + 1] < hint->facts_at.at[j])
            return REJECT(check, NO_NODE, "the hint for join number %u is no row", j);
    for (uint32_t i = 0; i < hint->facts.count; i++)
        if (hint->facts.at[i].place >= check->contents.places->places.count ||
            hint->facts.at[i].reg.i >= check->before->regs.count)
            return REJECT(check, NO_NODE, "fact %u is about nothing that exists", i);
    return check_effort(check);
}

// ---- Registers

// The chunk whose extension a register is sure to have; CHUNK_COUNT if there is none.
static uint32_t extended_by(const Check *check, Reg reg) {
    const Instr *instr = defining_instr(check->before, check->definitions, reg);
    if (instr && instr->kind == I_LOAD) return instr->chunk;
    for (Chunk chunk = 0; instr && instr->kind == I_OP && chunk < CHUNK_COUNT; chunk++)
        if (instr->op == chunk_extension(chunk)) return chunk;
    return CHUNK_COUNT;
}

// ---- Facts

// An edge to a join; `node` is a nop.
static bool check_edge(Check *check, Node node, Node join) {
    const ForwardHint *hint = check->hint;
    const Func *func = check->before;
    uint32_t row = check->ordinal[join.i], place = preds_index(&check->preds, join, node);
    for (uint32_t i = hint->facts_at.at[row]; i < hint->facts_at.at[row + 1]; i++) {
        uint32_t wanted = hint->facts.at[i].reg.i, held;
        Definition definition = check->definitions[wanted];
        if (definition.by == SET_BY_PHI && definition.node.i == join.i)
            wanted = phi_args(func, &func->phis.at[definition.at])[place].i;
        if (contents_get(&check->contents, hint->facts.at[i].place, &held) != CONTENTS_NOTED ||
            held != wanted)
            return REJECT(check, node, "fact %u of join %u does not hold here",
                          i - hint->facts_at.at[row], join.i);
    }
    return true;
}

static void enter_join(Check *check, Node join) {
    const ForwardHint *hint = check->hint;
    uint32_t row = check->ordinal[join.i];
    for (uint32_t i = hint->facts_at.at[row]; i < hint->facts_at.at[row + 1]; i++)
        contents_set(&check->contents, hint->facts.at[i].place, hint->facts.at[i].reg.i);
}

// Whether an instruction yields what a load does whose bytes are the low bytes of a register.
static bool is_forwarded(const Check *check, const Instr *load, const Instr *now, uint32_t reg) {
    if (now->kind != I_OP || now->dest.i != load->dest.i || now->arg_count != 1 ||
        now->arg[0].i != reg || now->immediate)
        return false;
    Op extension = chunk_extension((Chunk)load->chunk);
    if (extension != OP_COUNT && now->op == extension) return true;
    return now->op == op_move(reg_type(check->before, load->dest)) &&
           (extension == OP_COUNT || extended_by(check, (Reg){reg}) == load->chunk);
}

static bool check_load(Check *check, Node node) {
    const Instr *then = func_at(check->before, node), *now = func_at(check->after, node);
    uint32_t place = check->contents.places->target[node.i], reg;
    bool held = place != NO_ID && contents_get(&check->contents, place, &reg) == CONTENTS_NOTED;
    if (now->kind != I_LOAD && !(held && is_forwarded(check, then, now, reg)))
        return REJECT(check, node, "the load does not yield what this computes");
    if (place != NO_ID && !held) contents_set(&check->contents, place, then->dest.i);
    return true;
}

// Checks the edges that leave a node; where they stay in the tree, their ends are to be visited: one
// next, the others later.
static bool leave_node(Check *check, Node node, Node *next) {
    const Instr *instr = func_at(check->before, node);
    const Node *succs = instr_succs(check->before, instr);
    *next = NO_NODE;
    for (uint32_t k = instr->succ_count; k-- > 0;) {
        if (!is_join(check, succs[k].i)) {
            FactVisit later = {.node = *next, .mark = contents_mark(&check->contents)};
            if (next->i != NO_ID) vec_push(check->arena, &check->waiting, later);
            *next = succs[k];
        } else if (instr->kind != I_NOP) {
            return REJECT(check, node, "an instruction other than nop leads to a join");
        } else if (!check_edge(check, node, succs[k])) {
            return false;
        }
    }
    return true;
}

static bool walk_tree(Check *check, Node root) {
    contents_start(&check->contents);
    if (is_join(check, root.i)) enter_join(check, root);
    for (Node node = root, next;; node = next) {
        if (func_at(check->before, node)->kind != I_LOAD)
            contents_step(&check->contents, node);
        else if (!check_load(check, node))
            return false;
        if (!leave_node(check, node, &next)) return false;
        if (next.i != NO_ID) continue;
        if (!check->waiting.count) return true;
        FactVisit last = vec_pop(&check->waiting);
        contents_undo(&check->contents, last.mark);
        next = last.node;
    }
}

static bool check_facts(Check *check) {
    for (uint32_t n = 0; n < check->before->nodes.count; n++)
        if ((n == 0 || preds_count(&check->preds, (Node){n}) != 1) && !walk_tree(check, (Node){n}))
            return false;
    return true;
}

// ---- Everything else is the same

static bool check_node(Check *check, Node node) {
    const Instr *then = func_at(check->before, node), *now = func_at(check->after, node);
    const Node *to = instr_succs(check->before, then), *succs = instr_succs(check->after, now);
    if (now->succ_count != then->succ_count ||
        memcmp(to, succs, then->succ_count * sizeof *to) != 0)
        return REJECT(check, node, "its successors differ");
    if (then->kind == I_LOAD && now->kind == I_OP) return true; // see check_load
    return instr_same(check->before, then, check->after, now) ||
           REJECT(check, node, "the instruction has changed");
}

static bool check_phis(Check *check) {
    const Func *before = check->before, *after = check->after;
    bool same = before->phis.count == after->phis.count &&
                before->phi_at.count == after->phi_at.count &&
                before->phi_args.count == after->phi_args.count;
    for (uint32_t i = 0; same && i < before->phis.count; i++)
        same = before->phis.at[i].dest.i == after->phis.at[i].dest.i &&
               before->phis.at[i].args_at == after->phis.at[i].args_at;
    for (uint32_t i = 0; same && i < before->phi_at.count; i++)
        same = before->phi_at.at[i] == after->phi_at.at[i];
    for (uint32_t i = 0; same && i < before->phi_args.count; i++)
        same = before->phi_args.at[i].i == after->phi_args.at[i].i;
    return same || REJECT(check, NO_NODE, "the phis differ");
}

static bool check_code(Check *check) {
    if (check->before->nodes.count != check->after->nodes.count)
        return REJECT(check, NO_NODE, "the number of nodes has changed");
    for (uint32_t n = 0; n < check->before->nodes.count; n++)
        if (!check_node(check, (Node){n})) return false;
    return check_phis(check);
}

// Accepts if `after` is `before` but for loads whose value a register is shown to hold: these have become
// moves or extensions of that register. Reasons live in the arena.
Verdict check_forward(Arena *arena, const Func *before, const Func *after,
                      const ForwardHint *hint) {
    Check check = {.arena = arena, .before = before, .after = after, .hint = hint};
    check.verdict = check_same_frame(arena, before, after);
    if (!check.verdict.accepted || !check_code(&check)) return check.verdict;
    check.preds = preds_of(arena, before);
    check.definitions = definitions_of(arena, before);
    check.ordinal = ARENA_ARRAY(arena, uint32_t, before->nodes.count);
    Places places = places_of(arena, before);
    check.contents = contents_new(arena, before, &places);
    return check_hint(&check) && check_facts(&check) ? VERDICT_ACCEPTED : check.verdict;
}
