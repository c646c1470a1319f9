// Checks predicates of paths.
//
// Write G(n) for the predicate of a block n (by its first node, the head; the entry has none), and
// P[d,n] for the conjunction of G along the dominator path from d, excluded, to n. Established is
//   edges    each edge goes to a node that dominates its source (a back edge, to a header with one
//            other way in) or to one with a higher number (check_edges);
//   G        with one forward predecessor, G(n) is the literal of that edge, True if it is the only
//            way; with several, G(n) is the or of P[d,k] over them, d dominating n immediately;
//   facts    each predicate used is some P[d,y]: G itself, or P[d,b] and P[b,y];
//   support  no register in G(n) is defined at a node with a number of at least n (check_support).
//
// Coherence. Claim: whenever control is at l, G(m) is 1 for every m that dominates l, but the
// entry. By induction on steps, let control go from l to n. Every m strictly dominating n dominates
// l, so that G(m) was 1. The step sets registers defined at l or n, or by etas and merges there,
// all dominated by m, with numbers of at least m. By support none of these registers occurs in
// G(m), so G(m) is still 1. For n itself: a back edge, then n dominates l and the same holds for m
// = n. A forward edge, then the disjunct P[d,l] of G(n), or for a single way just the literal of
// the edge, is a conjunction of predicates that hold, with the literal of the branch just taken.
// Hence every P[d,n] is 1 when control is at n.
//
// Exclusivity. Let P[d,k] and P[d,k'] be 1 for two predecessors of a join that is no header. Extend
// the valuation to a total valuation and follow forward edges from d accordingly, up to a back edge
// or an end: this gives one path. P[d,n] = 1 implies that n is on the path, by induction on
// numbers. For n with immediate dominator m, m is on the path. With a single way in, the literal
// forces the step from m to n. Otherwise P[m,k] = 1 for a predecessor k < n; k is on the path, and
// k is a nop that leads to n. So k and k' are both on the path, and each leads to the join next.
// But numbers grow along the path, so the path comes to the join once only: k = k'.
//
// Simplified predicates leave out conditions that are decided on the way; fact/gate/gate_decided.c
// shows that both claims still hold where control comes to a join that is no header.
#include "check/gates/check_paths.h"

#include "fact/gate/gate_decided.h"

#define REJECT(paths, node, ...)                                                                   \
    ((paths)->verdict = verdict_rejected((paths)->arena, node_site(node), __VA_ARGS__), false)

// ---- The graph

static bool check_edges(Paths *paths) {
    const Func *func = paths->func;
    if (paths->dom.count != func->nodes.count)
        return REJECT(paths, NO_NODE, "there are nodes that cannot be reached");
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        Node node = {n};
        const Node *preds = preds_at(&paths->preds, node);
        uint32_t count = preds_count(&paths->preds, node), back = 0;
        for (uint32_t k = 0; k < count; k++) {
            bool is_back = is_back_edge(&paths->dom, preds[k], node);
            back += is_back;
            if (!is_back && preds[k].i >= n)
                return REJECT(paths, node, "the edge from %u is neither forward nor back",
                              preds[k].i);
        }
        if (back && (back != 1 || count != 2))
            return REJECT(paths, node, "a loop header needs one way in and one latch");
    }
    return paths->loop_nest.reducible || REJECT(paths, NO_NODE, "the graph is not reducible");
}

static void find_ways(Paths *paths) {
    const Func *func = paths->func;
    paths->way = ARENA_ARRAY(paths->arena, uint32_t, func->nodes.count);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        for (uint32_t k = 0; k < instr->succ_count; k++)
            paths->way[instr_succs(func, instr)[k].i] = k;
    }
}

// The block that dominates a head immediately.
static uint32_t above(const Paths *paths, uint32_t head) {
    return paths->head[paths->dom.idom[head].i];
}

// ---- Facts

// Where a fact starts and ends; false if there is no such fact yet.
static bool fact_ends(const Paths *paths, uint32_t fact, uint32_t *from, uint32_t *to, Gate *gate) {
    uint32_t count = paths->func->nodes.count;
    if (fact < count) {
        if (fact == 0 || paths->head[fact] != fact || paths->to[fact].i == NO_ID) return false;
        *from = above(paths, fact);
        *to = fact;
        *gate = paths->to[fact];
        return true;
    }
    if (fact - count >= paths->known) return false;
    *from = paths->fact_from[fact - count];
    *to = paths->fact_to[fact - count];
    *gate = paths->facts[fact - count];
    return true;
}

// Makes the facts up to a number known.
static bool know_facts(Paths *paths, uint32_t fact) {
    uint32_t count = paths->func->nodes.count;
    while (fact != FACT_NONE && fact >= count && fact - count >= paths->known) {
        uint32_t i = paths->known, from, middle, other, to;
        Gate upper, lower;
        if (i >= paths->hint->facts.count)
            return REJECT(paths, NO_NODE, "the hint names a fact that does not exist");
        const GateFact *hint = &paths->hint->facts.at[i];
        if (!fact_ends(paths, hint->upper, &from, &middle, &upper) ||
            !fact_ends(paths, hint->lower, &other, &to, &lower) || middle != other)
            return REJECT(paths, NO_NODE, "fact %u does not follow from earlier ones", i);
        paths->fact_from[i] = from;
        paths->fact_to[i] = to;
        paths->facts[i] = gate_and(paths->arena, paths->gsa, upper, lower);
        paths->known++;
    }
    return true;
}

// The gate from block `from` to the block of a node, as a fact of the hint says.
bool paths_between(Paths *paths, uint32_t fact, Node from, Node to, Gate *gate) {
    uint32_t start = paths->head[from.i], end = paths->head[to.i], claimed_from, claimed_to;
    *gate = GATE_TRUE;
    if (fact == FACT_NONE) return start == end || REJECT(paths, to, "a fact about it is missing");
    if (!know_facts(paths, fact)) return false;
    if (!fact_ends(paths, fact, &claimed_from, &claimed_to, gate) || claimed_from != start ||
        claimed_to != end)
        return REJECT(paths, to, "fact %u is not about the way from %u to it", fact, from.i);
    return true;
}

bool paths_into(Paths *paths, Node join, uint32_t k, Gate *gate) {
    return paths_between(paths, paths->hint->joins.at[paths->join_at[join.i] + k],
                         paths->dom.idom[join.i], preds_at(&paths->preds, join)[k], gate);
}

bool paths_fact(Paths *paths, uint32_t fact, Node *from, Node *to, Gate *gate) {
    if (!know_facts(paths, fact)) return false;
    if (fact != FACT_NONE && fact_ends(paths, fact, &from->i, &to->i, gate)) return true;
    return REJECT(paths, NO_NODE, "the hint names a fact that does not exist");
}

// ---- Where registers are set

static uint32_t larger(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

static uint32_t latest_of_node(const Paths *paths, const GateNode *gate) {
    uint32_t latest = 0;
    if (gate->kind == GK_AND || gate->kind == GK_OR)
        return larger(paths->latest.at[gate->first], paths->latest.at[gate->second]);
    if (gate->kind != GK_LITERAL) return 0;
    const GateAtom *atom = &paths->gsa->atoms.at[gate->first];
    for (uint32_t i = 0; i < atom->arg_count; i++)
        latest = larger(latest, paths_set(paths, atom->arg[i]));
    return latest;
}

// Operands of a predicate have smaller numbers.
uint32_t paths_latest(Paths *paths, Gate gate) {
    while (paths->latest.count <= gate.i) {
        uint32_t latest = latest_of_node(paths, &paths->gsa->gates.at[paths->latest.count]);
        vec_push(paths->arena, &paths->latest, latest);
    }
    return paths->latest.at[gate.i];
}

// ---- G

static Gate gate_of_way(Paths *paths, Node from, Node to, uint32_t *cases) {
    const Instr *branch = func_at(paths->func, from);
    if (branch->succ_count == 1) return GATE_TRUE;
    if (branch->kind == I_SWITCH && *cases == NO_ID)
        *cases = gate_cases(paths->arena, paths->gsa, paths->func, branch);
    return gate_of_edge(paths->arena, paths->gsa, paths->func, branch, *cases, paths->way[to.i]);
}

static bool gate_of_join(Paths *paths, Node join, Gate *gate) {
    *gate = GATE_FALSE;
    for (uint32_t k = 0; k < preds_count(&paths->preds, join); k++) {
        Gate one;
        if (!paths_into(paths, join, k, &one)) return false;
        *gate = gate_or(paths->arena, paths->gsa, *gate, one);
    }
    return true;
}

static bool check_support(Paths *paths, uint32_t head) {
    if (paths_latest(paths, paths->to[head]) <= head) return true;
    return REJECT(paths, (Node){head}, "its predicate has a register that is set there or later");
}

// The predicates of the blocks that a block dominates immediately, in order.
static bool check_children(Paths *paths, const uint32_t *child, uint32_t count) {
    uint32_t cases = NO_ID; // of the switch that ends the block
    for (uint32_t i = 0; i < count; i++) {
        Node node = {child[i]};
        Gate *gate = &paths->to[node.i];
        if (!paths_is_gated(paths, node))
            *gate = gate_of_way(paths, *preds_at(&paths->preds, node), node, &cases);
        else if (!gate_of_join(paths, node, gate))
            return false;
        if (paths->decisions) *gate = gate_as_decided(paths->decisions[node.i], *gate);
        if (!check_support(paths, node.i)) return false;
    }
    return true;
}

// Every block has its turn after all blocks that it dominates, as the facts need it.
static bool check_predicates(Paths *paths) {
    uint32_t count = paths->func->nodes.count;
    uint32_t *at = ARENA_ARRAY(paths->arena, uint32_t, (size_t)count + 2);
    uint32_t *child = ARENA_ARRAY(paths->arena, uint32_t, count);
    for (uint32_t n = 1; n < count; n++)
        if (paths->head[n] == n) at[above(paths, n) + 2]++;
    for (uint32_t n = 2; n < count + 2; n++) at[n] += at[n - 1];
    for (uint32_t n = 1; n < count; n++)
        if (paths->head[n] == n) child[at[above(paths, n) + 1]++] = n;
    for (uint32_t n = count; n-- > 0;)
        if (paths->head[n] == n && !check_children(paths, child + at[n], at[n + 1] - at[n]))
            return false;
    return true;
}

// ---- All of it

static bool check_hint(Paths *paths) {
    uint32_t count = paths->func->nodes.count, joins = 0;
    paths->join_at = ARENA_ARRAY(paths->arena, uint32_t, count);
    for (uint32_t n = 0; n < count; n++) {
        paths->join_at[n] = joins;
        if (paths_is_gated(paths, (Node){n})) joins += preds_count(&paths->preds, (Node){n});
    }
    return paths->hint->joins.count == joins ||
           REJECT(paths, NO_NODE, "the hint does not cover every join");
}

// Nothing is known yet.
static void forget(Paths *paths) {
    uint32_t count = paths->func->nodes.count, facts = paths->hint->facts.count;
    paths->to = ARENA_ARRAY(paths->arena, Gate, count);
    for (uint32_t n = 0; n < count; n++) paths->to[n] = NO_GATE;
    paths->facts = ARENA_ARRAY(paths->arena, Gate, facts);
    paths->fact_from = ARENA_ARRAY(paths->arena, uint32_t, facts);
    paths->fact_to = ARENA_ARRAY(paths->arena, uint32_t, facts);
    paths->known = paths->latest.count = paths->latest.capacity = 0;
}

static bool prepare(Paths *paths, Arena *arena, const Func *func, const GatePaths *hint) {
    *paths = (Paths){.arena = arena, .func = func, .hint = hint};
    paths->gsa = gsa_clone(arena, func->gsa);
    paths->preds = preds_of(arena, func);
    paths->dom = dominance_of(arena, func, &paths->preds);
    paths->loop_nest = loop_nest_of(arena, func, &paths->preds, &paths->dom);
    paths->head = block_heads(arena, func, &paths->preds);
    find_ways(paths);
    paths->definitions = definitions_of(arena, func);
    forget(paths);
    return check_edges(paths) && check_hint(paths);
}

static bool simplify(Paths *paths) {
    paths->decisions = gate_decisions(paths->arena, paths->func, &paths->preds, &paths->dom,
                                      &paths->loop_nest, paths->gsa);
    return check_predicates(paths);
}

bool paths_check(Paths *paths, Arena *arena, const Func *func, const GatePaths *hint) {
    return prepare(paths, arena, func, hint) && check_predicates(paths);
}

bool paths_check_simplified(Paths *paths, Arena *arena, const Func *func, const GatePaths *hint) {
    return prepare(paths, arena, func, hint) && simplify(paths);
}

bool paths_simplify(Paths *simplified, const Paths *plain) {
    *simplified = *plain;
    forget(simplified);
    return simplify(simplified);
}
