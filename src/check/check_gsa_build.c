// The checker of gsa_build: the fast check of gates.
//
// `after` has the graph of `before`. A phi became a merge with the same registers, a copy behind a
// landing pad an eta at the pad (check_code); what is left to show is that gates select as the way into
// the join does.
//
// Write G(n) for the predicate of a block n (by its first node, the head; the entry has none), and
// P[d,n] for the conjunction of G along the dominator path from d, excluded, to n. The checker
// establishes
//   edges    each edge goes to a node that dominates its source (a back edge, to a header) or to one
//            with a higher number (check_edges);
//   G        with one forward predecessor, G(n) is the literal of that edge, True if it is the only way;
//            with several, G(n) is the or of P[d,k] over them, d dominating n immediately (gate_to);
//   facts    each predicate used is some P[d,y]: G itself, or P[d,b] and P[b,y] (fact_at);
//   support  no register in G(n) is defined at a node with a number of at least n (check_support);
//   gates    the gate of argument k of a gamma is P[d,k], of an eta P[h,pad] for a header h above it.
//
// Coherence. Claim: whenever control is at l, G(m) is 1 for every m that dominates l, but the entry. By
// induction on steps, let control go from l to n. Every m strictly dominating n dominates l, so that
// G(m) was 1; the step sets registers defined at l or n, or by etas and merges there, all dominated by
// m, with numbers of at least m: by support none occurs in G(m), which therefore is still 1. For n
// itself: a back edge, then n dominates l and the same holds for m = n. A forward edge, then the
// disjunct P[d,l] of G(n), or for a single way just the literal of the edge, is a conjunction of
// predicates that hold, with the literal of the branch just taken. Hence every P[d,n] is 1 when control
// is at n: the gate of the way that was taken is 1, and so are the gates of etas.
//
// Exclusivity. Let the gates of two predecessors k, k' of a join be 1. Extend the valuation to a total
// one and follow forward edges from d as it says, up to a back edge or an end: one path. P[d,n] = 1
// implies that n is on it, by induction on numbers: for n with immediate dominator m, m is on it; with a
// single way in, the literal forces the step from m to n; else P[m,k] = 1 for a predecessor k < n, which
// is on it, and k is a nop that leads to n. So k and k' are both on the path, and each leads to the join
// next; but numbers grow along the path, so that it comes to the join once only: k = k'.
// A gamma thus has exactly one gate that is 1, that of the predecessor which control comes from, and
// selects what the phi does. At loop headers, where the argument fails, there are mus only.
#include "check/check_gsa_build.h"

#include "ir/nest.h"

typedef struct {
    Arena *arena;
    const Func *before;
    const Func *after;
    const GsaBuildHint *hint;
    Preds preds;
    Dominance dom;
    Nest nest;
    uint32_t *head; // node -> first node of its block
    uint32_t *way;  // node with one predecessor -> which of its successors it is
    Gate *to;       // G of a head; NO_GATE if not known yet
    Gate *facts;    // gates of the facts that the hint adds, the first `known` of them
    uint32_t *fact_from, *fact_to; // where those facts start and end
    uint32_t known;
    uint32_t *join_at;    // where the facts of a join stand in the hint
    uint32_t *definition; // register -> number of the node that sets it, plus one; 0 for the entry
    uint32_t *latest;     // gate -> largest `definition` of its registers
    Verdict verdict;
} Check;

#define REJECT(check, node, ...)                                                                   \
    ((check)->verdict = verdict_rejected((check)->arena, (node), __VA_ARGS__), false)

static bool is_header(const Check *check, Node node) {
    return nest_is_header(&check->nest, node);
}
static bool is_gated_join(const Check *check, Node node) {
    return preds_count(&check->preds, node) > 1 && !is_header(check, node);
}

// ---- The graph

static bool check_edges(Check *check) {
    const Func *func = check->before;
    if (check->dom.count != func->nodes.count)
        return REJECT(check, NO_NODE, "there are nodes that cannot be reached");
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        Node node = {n};
        const Node *preds = preds_at(&check->preds, node);
        uint32_t count = preds_count(&check->preds, node), back = 0;
        for (uint32_t k = 0; k < count; k++) {
            bool is_back = dominates(&check->dom, node, preds[k]);
            back += is_back;
            if (!is_back && preds[k].i >= n)
                return REJECT(check, node, "the edge from %u is neither forward nor back",
                              preds[k].i);
        }
        if (back && (back != 1 || count != 2))
            return REJECT(check, node, "a loop header needs one way in and one latch");
    }
    return check->nest.reducible || REJECT(check, NO_NODE, "the graph is not reducible");
}

static void find_heads(Check *check) {
    const Func *func = check->before;
    check->head = ARENA_ARRAY(check->arena, uint32_t, func->nodes.count);
    check->way = ARENA_ARRAY(check->arena, uint32_t, func->nodes.count);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        Node node = {n};
        const Instr *instr = func_at(func, node);
        for (uint32_t k = 0; k < instr->succ_count; k++)
            check->way[instr_succs(func, instr)[k].i] = k;
        bool on = n > 0 && preds_count(&check->preds, node) == 1 &&
                  func_at(func, *preds_at(&check->preds, node))->succ_count == 1;
        check->head[n] = on ? check->head[preds_at(&check->preds, node)->i] : n;
    }
}

// The block that dominates a head immediately.
static uint32_t above(const Check *check, uint32_t head) {
    return check->head[check->dom.idom[head].i];
}

// ---- Facts

// Where a fact starts and ends; false if there is no such fact yet.
static bool fact_ends(const Check *check, uint32_t fact, uint32_t *from, uint32_t *to, Gate *gate) {
    uint32_t count = check->before->nodes.count;
    if (fact < count) {
        if (fact == 0 || check->head[fact] != fact || check->to[fact].i == NO_ID) return false;
        *from = above(check, fact);
        *to = fact;
        *gate = check->to[fact];
        return true;
    }
    if (fact - count >= check->known) return false;
    *from = check->fact_from[fact - count];
    *to = check->fact_to[fact - count];
    *gate = check->facts[fact - count];
    return true;
}

// Makes the facts up to a number known.
static bool know_facts(Check *check, uint32_t fact) {
    uint32_t count = check->before->nodes.count;
    while (fact != FACT_NONE && fact >= count && fact - count >= check->known) {
        uint32_t i = check->known, from, middle, other, to;
        Gate upper, lower;
        if (i >= check->hint->facts.count)
            return REJECT(check, NO_NODE, "the hint names a fact that does not exist");
        const GateFact *hint = &check->hint->facts.at[i];
        if (!fact_ends(check, hint->upper, &from, &middle, &upper) ||
            !fact_ends(check, hint->lower, &other, &to, &lower) || middle != other)
            return REJECT(check, NO_NODE, "fact %u does not follow from earlier ones", i);
        check->fact_from[i] = from;
        check->fact_to[i] = to;
        check->facts[i] = gate_find_and(check->after->gsa, upper, lower);
        if (check->facts[i].i == NO_ID)
            return REJECT(check, NO_NODE, "the predicate of fact %u does not exist", i);
        check->known++;
    }
    return true;
}

// The gate from block `from` to the block of a node, as a fact of the hint says.
static bool fact_at(Check *check, uint32_t fact, Node from, Node to, Gate *gate) {
    uint32_t start = check->head[from.i], end = check->head[to.i], claimed_from, claimed_to;
    *gate = GATE_TRUE;
    if (fact == FACT_NONE) return start == end || REJECT(check, to, "a fact about it is missing");
    if (!know_facts(check, fact)) return false;
    if (!fact_ends(check, fact, &claimed_from, &claimed_to, gate) || claimed_from != start ||
        claimed_to != end)
        return REJECT(check, to, "fact %u is not about the way from %u to it", fact, from.i);
    return true;
}

// ---- G

static bool gate_of_way(Check *check, Node from, Node to, uint32_t *cases, Gate *gate) {
    const Instr *branch = func_at(check->before, from);
    *gate = GATE_TRUE;
    if (branch->succ_count == 1) return true;
    if (branch->kind == I_SWITCH && *cases == NO_ID)
        *cases = gate_find_cases(check->after->gsa, check->before, branch);
    *gate = gate_find_edge(check->after->gsa, check->before, branch, *cases, check->way[to.i]);
    return gate->i != NO_ID || REJECT(check, to, "the literal of its way in does not exist");
}

static bool gate_of_join(Check *check, Node join, Gate *gate) {
    const Node *preds = preds_at(&check->preds, join);
    *gate = GATE_FALSE;
    for (uint32_t k = 0; k < preds_count(&check->preds, join); k++) {
        Gate one;
        if (!fact_at(check, check->hint->joins.at[check->join_at[join.i] + k],
                     check->dom.idom[join.i], preds[k], &one))
            return false;
        *gate = gate_find_or(check->after->gsa, *gate, one);
        if (gate->i == NO_ID) return REJECT(check, join, "its predicate does not exist");
    }
    return true;
}

static bool check_support(Check *check, uint32_t head) {
    if (check->latest[check->to[head].i] <= head) return true;
    return REJECT(check, (Node){head}, "its predicate has a register that is set there or later");
}

// The predicates of the blocks that a block dominates immediately, in order.
static bool check_children(Check *check, const uint32_t *child, uint32_t count) {
    uint32_t cases = NO_ID; // of the switch that ends the block
    for (uint32_t i = 0; i < count; i++) {
        Node node = {child[i]};
        bool good = is_gated_join(check, node) ? gate_of_join(check, node, &check->to[node.i])
                                               : gate_of_way(check, *preds_at(&check->preds, node),
                                                             node, &cases, &check->to[node.i]);
        if (!good || !check_support(check, node.i)) return false;
    }
    return true;
}

// Every block has its turn after all that it dominates, as the facts need it.
static bool check_predicates(Check *check) {
    uint32_t count = check->before->nodes.count;
    uint32_t *at = ARENA_ARRAY(check->arena, uint32_t, (size_t)count + 2);
    uint32_t *child = ARENA_ARRAY(check->arena, uint32_t, count);
    for (uint32_t n = 1; n < count; n++)
        if (check->head[n] == n) at[above(check, n) + 2]++;
    for (uint32_t n = 2; n < count + 2; n++) at[n] += at[n - 1];
    for (uint32_t n = 1; n < count; n++)
        if (check->head[n] == n) child[at[above(check, n) + 1]++] = n;
    for (uint32_t n = count; n-- > 0;)
        if (check->head[n] == n && !check_children(check, child + at[n], at[n + 1] - at[n]))
            return false;
    return true;
}

// ---- Where registers are set

static void set_by(Check *check, Reg reg, uint32_t node) {
    check->definition[reg.i] = node + 1;
}

static void find_definitions(Check *check) {
    const Func *func = check->after;
    check->definition = ARENA_ARRAY(check->arena, uint32_t, func->regs.count);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        Node node = {n};
        if (func->nodes.at[n].dest.i != NO_ID) set_by(check, func->nodes.at[n].dest, n);
        for (uint32_t i = 0; i < gsa_merge_count(func, node); i++)
            set_by(check, gsa_merges(func, node)[i].dest, n);
        for (uint32_t i = 0; i < gsa_eta_count(func, node); i++)
            set_by(check, gsa_etas(func, node)[i].dest, n);
    }
}

static uint32_t larger(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

// Operands of a predicate have smaller numbers (the verifier has seen to it).
static void find_latest(Check *check) {
    const Gsa *gsa = check->after->gsa;
    check->latest = ARENA_ARRAY(check->arena, uint32_t, gsa->gates.count);
    for (uint32_t g = 0; g < gsa->gates.count; g++) {
        const GateNode *gate = &gsa->gates.at[g];
        if (gate->kind == GK_AND || gate->kind == GK_OR)
            check->latest[g] = larger(check->latest[gate->first], check->latest[gate->second]);
        if (gate->kind != GK_LITERAL) continue;
        const GateAtom *atom = &gsa->atoms.at[gate->first];
        for (uint32_t i = 0; i < atom->arg_count; i++)
            check->latest[g] = larger(check->latest[g], check->definition[atom->arg[i].i]);
    }
}

// ---- Instructions, merges, etas

// The merges of a join do, gates aside, what its phis do, and the gates are those of the ways in.
static bool check_merge(Check *check, Node join, const Phi *phi, const Merge *merge) {
    uint32_t width = preds_count(&check->preds, join);
    bool header = is_header(check, join);
    if (merge->dest.i != phi->dest.i || merge->arg_count != width ||
        merge->kind != (header ? MERGE_MU : MERGE_GAMMA))
        return REJECT(check, join, "a merge is not what the phi was");
    const MergeArg *args = merge_args(check->after, merge);
    for (uint32_t k = 0; k < width; k++) {
        Gate gate = GATE_TRUE;
        if (!header && !fact_at(check, check->hint->joins.at[check->join_at[join.i] + k],
                                check->dom.idom[join.i], preds_at(&check->preds, join)[k], &gate))
            return false;
        if (args[k].reg.i != phi_args(check->before, phi)[k].i)
            return REJECT(check, join, "argument %u of a merge differs", k);
        if (args[k].gate.i != gate.i) return REJECT(check, join, "gate %u of a merge is wrong", k);
    }
    return true;
}

static bool check_merges(Check *check, Node join) {
    uint32_t count = func_phi_count(check->before, join);
    if (gsa_merge_count(check->after, join) != count)
        return REJECT(check, join, "the number of merges is not that of the phis");
    for (uint32_t i = 0; i < count; i++)
        if (!check_merge(check, join, &func_phis(check->before, join)[i],
                         &gsa_merges(check->after, join)[i]))
            return false;
    return true;
}

// The etas of a pad, and the copies in the nodes right behind it that they were. No copy reads what
// another sets, so that acting at once, and a little earlier, makes no difference.
static bool check_etas(Check *check, Node pad, uint32_t fact) {
    const Func *before = check->before, *after = check->after;
    uint32_t count = gsa_eta_count(after, pad);
    const Eta *etas = gsa_etas(after, pad);
    if (func_at(before, pad)->kind != I_NOP || preds_count(&check->preds, pad) != 1 ||
        count >= before->nodes.count - pad.i)
        return REJECT(check, pad, "it has etas but is no landing pad");
    uint32_t from, to;
    Gate gate;
    if (!know_facts(check, fact)) return false;
    if (fact == FACT_NONE || !fact_ends(check, fact, &from, &to, &gate) ||
        to != check->head[pad.i] || to != pad.i || !is_header(check, (Node){from}))
        return REJECT(check, pad, "its gate does not start at a loop header");
    for (uint32_t i = 0; i < count; i++) {
        Node node = {pad.i + 1 + i};
        const Instr *copy = func_at(before, node), *now = func_at(after, node);
        const Instr *last = func_at(before, (Node){node.i - 1});
        if (last->succ_count != 1 || last->succ[0].i != node.i ||
            preds_count(&check->preds, node) != 1 || copy->kind != I_OP ||
            copy->op != op_move(reg_type(before, copy->dest)) || now->kind != I_NOP ||
            now->succ[0].i != copy->succ[0].i)
            return REJECT(check, node, "an eta was no copy behind the pad");
        if (etas[i].dest.i != copy->dest.i || etas[i].source.i != copy->arg[0].i)
            return REJECT(check, pad, "eta %u is not the copy that it was", i);
        if (etas[i].gate.i != gate.i) return REJECT(check, pad, "gate %u of an eta is wrong", i);
        uint32_t set = check->definition[etas[i].source.i];
        if (set > pad.i) return REJECT(check, pad, "eta %u reads what is set here or later", i);
    }
    return true;
}

static bool check_instr(Check *check, Node node) {
    const Instr *then = func_at(check->before, node), *now = func_at(check->after, node);
    const Node *old = instr_succs(check->before, then), *new = instr_succs(check->after, now);
    if (!instr_same(check->before, then, check->after, now) || then->succ_count != now->succ_count)
        return REJECT(check, node, "the instruction has changed");
    for (uint32_t k = 0; k < then->succ_count; k++)
        if (old[k].i != new[k].i) return REJECT(check, node, "successor %u has changed", k);
    return true;
}

static bool check_code(Check *check) {
    const Func *after = check->after;
    uint32_t pad = 0;
    for (uint32_t n = 0, skip = 0; n < after->nodes.count; n++) {
        Node node = {n};
        uint32_t etas = gsa_eta_count(after, node);
        if (!check_merges(check, node)) return false;
        if (etas && (skip || pad >= check->hint->pads.count))
            return REJECT(check, node, "the hint says nothing about its etas");
        if (etas && !check_etas(check, node, check->hint->pads.at[pad++])) return false;
        if (skip)
            skip--; // a copy that became an eta
        else if (!check_instr(check, node))
            return false;
        if (etas) skip = etas;
    }
    return true;
}

// ---- Gates of loops and ends

// The pads at which a loop is left: the first node outside on each edge out of it.
static bool leaves_at(const Check *check, Node header, Node node) {
    return preds_count(&check->preds, node) == 1 &&
           nest_contains(&check->nest, header, *preds_at(&check->preds, node)) &&
           !nest_contains(&check->nest, header, node);
}

// Counts, for each loop, the nodes outside to which it is left; false if one has several ways in.
static bool count_exits(Check *check, uint32_t *exits) {
    const Func *func = check->before;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        Node from = {n};
        const Instr *instr = func_at(func, from);
        const Node *succs = instr_succs(func, instr);
        for (uint32_t k = 0; k < instr->succ_count; k++)
            for (Node loop = check->nest.loop[n];
                 loop.i != NO_ID && !nest_contains(&check->nest, loop, succs[k]);
                 loop = check->nest.outer[loop.i]) {
                exits[loop.i]++;
                if (preds_count(&check->preds, succs[k]) != 1)
                    return REJECT(check, from, "the loop is left to a join");
            }
    }
    return true;
}

static bool check_loop(Check *check, uint32_t number, uint32_t exits, uint32_t *next) {
    const LoopGate *loop = &check->after->gsa->loops.at[number];
    Gate gate, leaves = GATE_FALSE;
    uint32_t last = 0;
    for (uint32_t i = 0; i < exits; i++, ++*next) {
        if (*next >= check->hint->exits.count)
            return REJECT(check, loop->header, "an exit is missing");
        uint32_t fact = check->hint->exits.at[*next], from, to;
        if (!know_facts(check, fact)) return false;
        if (fact == FACT_NONE || !fact_ends(check, fact, &from, &to, &gate) ||
            from != loop->header.i || to <= last || !leaves_at(check, loop->header, (Node){to}))
            return REJECT(check, loop->header, "exit %u is not one", i);
        last = to;
        leaves = gate_find_or(check->after->gsa, leaves, gate);
    }
    if (leaves.i == NO_ID || leaves.i != loop->leaves.i)
        return REJECT(check, loop->header, "the gate for leaving the loop is wrong");
    Node latch = preds_at(&check->preds, loop->header)[1];
    if (!fact_at(check, check->hint->latches.at[number], loop->header, latch, &gate)) return false;
    return gate.i == loop->goes_on.i ||
           REJECT(check, loop->header, "the gate for going on in the loop is wrong");
}

static bool check_loops(Check *check) {
    const Gsa *gsa = check->after->gsa;
    uint32_t *exits = ARENA_ARRAY(check->arena, uint32_t, check->before->nodes.count);
    uint32_t number = 0, next = 0;
    if (!count_exits(check, exits)) return false;
    for (uint32_t n = 0; n < check->before->nodes.count; n++) {
        if (!is_header(check, (Node){n})) continue;
        if (number >= gsa->loops.count || gsa->loops.at[number].header.i != n)
            return REJECT(check, (Node){n}, "the gates of the loop are missing");
        if (!check_loop(check, number++, exits[n], &next)) return false;
    }
    return number == gsa->loops.count || REJECT(check, NO_NODE, "there are gates of no loop");
}

static bool check_ends(Check *check) {
    const Gsa *gsa = check->after->gsa;
    uint32_t number = 0;
    for (uint32_t n = 0; n < check->before->nodes.count; n++) {
        Gate gate;
        if (check->before->nodes.at[n].succ_count) continue;
        if (number >= gsa->ends.count || gsa->ends.at[number].node.i != n)
            return REJECT(check, (Node){n}, "the gate of an end is missing");
        if (!fact_at(check, check->hint->ends.at[number], (Node){0}, (Node){n}, &gate))
            return false;
        if (gate.i != gsa->ends.at[number++].gate.i)
            return REJECT(check, (Node){n}, "the gate of an end is wrong");
    }
    return number == gsa->ends.count || REJECT(check, NO_NODE, "there are gates of no end");
}

// ---- All of it

static bool check_hint(Check *check) {
    const Gsa *gsa = check->after->gsa;
    uint32_t count = check->before->nodes.count, joins = 0;
    check->join_at = ARENA_ARRAY(check->arena, uint32_t, count);
    for (uint32_t n = 0; n < count; n++) {
        check->join_at[n] = joins;
        if (is_gated_join(check, (Node){n})) joins += preds_count(&check->preds, (Node){n});
    }
    if (check->hint->joins.count != joins || check->hint->latches.count != gsa->loops.count ||
        check->hint->ends.count != gsa->ends.count)
        return REJECT(check, NO_NODE, "the hint does not cover everything");
    check->to = ARENA_ARRAY(check->arena, Gate, count);
    for (uint32_t n = 0; n < count; n++) check->to[n] = NO_GATE;
    uint32_t facts = check->hint->facts.count;
    check->facts = ARENA_ARRAY(check->arena, Gate, facts);
    check->fact_from = ARENA_ARRAY(check->arena, uint32_t, facts);
    check->fact_to = ARENA_ARRAY(check->arena, uint32_t, facts);
    return true;
}

Verdict check_gsa_build(Arena *arena, const Func *before, const Func *after,
                        const GsaBuildHint *hint) {
    Check check = {.arena = arena, .before = before, .after = after, .hint = hint};
    check.verdict = check_same_frame(arena, before, after);
    if (!check.verdict.accepted) return check.verdict;
    if (before->nodes.count != after->nodes.count || after->form != FORM_GSA)
        return verdict_rejected(arena, NO_NODE, "the graph is not the same");
    check.preds = preds_of(arena, before);
    check.dom = dominance_of(arena, before, &check.preds);
    check.nest = nest_of(arena, before, &check.preds, &check.dom);
    find_heads(&check);
    find_definitions(&check);
    find_latest(&check);
    if (check_edges(&check) && check_hint(&check) && check_predicates(&check) &&
        check_code(&check) && check_loops(&check) && check_ends(&check))
        return VERDICT_ACCEPTED;
    return check.verdict;
}
