// Simplifies predicates of paths.
//
// G(n) is the predicate for going from a = idom(n) to n, and P[d,n] the conjunction of G along the
// dominator path from d, excluded, to n (check_paths.c). Where only the choice between the
// predecessors of a join matters, much of G is decided in advance. G'(n) is
//   False  if n has one way in, by a branch on c, and a block above a was entered by the other way
//          of c (NEVER);
//   True   if that block was entered by the same way of c; or if all ways from a on to joins lead
//          through n (GIVEN);
//   else the literal of the only way in, or the or of P'[a,p] over the predecessors p;
// and P'[d,n] is the conjunction of G' as P[d,n] is that of G. It is shorter: `a and (c or not c)`
// becomes `a`.
//
// Claim: when control comes to a join J that is no header, from k, then P'[d,k] is 1, d = idom(J),
// and P'[d,k'] is 1 for no other predecessor k'. The rules of the form hold: definitions dominate
// uses, nops lead to joins.
//
// The last way. Look at the nodes that were visited from the last visit of d on. No node that
// strictly dominates d is among them, else there would be a way to J around d. J was not visited
// before, either: a cycle through J without d has a header that dominates J and is not J, so
// dominates d. Go from d to the successor that the run took, from there to the successor that its
// last visit took, and so on, up to J. This gives a way W that meets each node once, at its last
// visit, and enters J from k. Each m below d that dominates a node y of W is on W before y. So no
// edge of W goes back; and the registers of a branch on W, whose definitions dominate the branch,
// were not set since W left the branch. Hence all literals of the edges of W are 1 now.
//
// (1) If n is on W, d dominating n, then P'[d,n] is 1. All m on the dominator path are on W. G'(m)
//     is not False: the literal of W's edge into m is 1, and so is the literal by which the block
//     above was entered, as that block is on W or dominates d (coherence). Otherwise G'(m) is True,
//     or the literal of an edge of W, or has a disjunct that is 1 by induction on numbers.
// (2) If P'[d,n] is 1, then n is on W, for n that J does not dominate. By induction a = idom(n) is
//     on W. If G'(n) is a literal, or True because that literal is known, then the literal is 1,
//     and W leaves a by this edge. If G'(n) is an or, then P'[a,p] is 1 for a predecessor p, which
//     is on W by induction, and leads to n. If all ways lead through n: below.
// k is on W; and a predecessor k' on W leads to J, which W enters once.
//
// All ways from a lead through n. A node is live if it is a join that is no header, or if forward
// edges lead from it to such a join. Every way of forward edges can be prolonged, as long as its
// end is live, to a live node without live successor. Let the parent of a node be the nearest
// common ancestor of its live successors (grow_tree). If n is an ancestor of a in this tree, then n
// is on all such prolonged ways from a. W from a to J, prolonged, comes by n, and before J, since n
// dominates a predecessor of J and has a smaller number than J.
//
// Loops with one way out, to the pad p: n = p is GIVEN as well, since J lies outside, as p does;
// and in the tree, whose ways go round such loops, the parent of the header is p. This is right if
// a is outside of the loop: J is outside, too (if J was inside, so was d, and everything between),
// so W, if it enters the loop, leaves the loop by p. If a is in the loop, the tree is asked from a
// on: only if a is the header itself does the tree answer p, which was just shown.
#include "fact/gate/gate_decided.h"

typedef struct {
    Arena *arena;
    const Func *func;
    const Preds *preds;
    const Dominance *dom;
    const LoopNest *loop_nest;
    uint32_t *pad; // of a header: the only node to which edges lead out of its loop; NO_ID
    bool *live;
    // The tree; its root is an additional node. A jump leads to some ancestor, the same for all
    // nodes of one depth and one parent, in such a way that every ancestor is found in a
    // logarithmic number of steps.
    uint32_t *up, *jump, *depth;
    uint8_t *decision;
} Decide;

// ---- Loops with one way out

// An edge that leaves several loops at once is not looked into: then no loop counts.
static bool find_pads(Decide *d) {
    const LoopNest *loop_nest = d->loop_nest;
    bool *left = ARENA_ARRAY(d->arena, bool, d->func->nodes.count);
    for (uint32_t n = 0; n < d->func->nodes.count; n++) {
        const Instr *instr = &d->func->nodes.at[n];
        Node loop = loop_nest->loop[n];
        for (uint32_t k = 0; loop.i != NO_ID && k < instr->succ_count; k++) {
            Node to = instr_succs(d->func, instr)[k], outer = loop_nest->outer[loop.i];
            if (loop_nest_contains(loop_nest, loop, to)) continue;
            if (outer.i != NO_ID && !loop_nest_contains(loop_nest, outer, to)) return false;
            d->pad[loop.i] = left[loop.i] ? NO_ID : to.i;
            left[loop.i] = true;
        }
    }
    return true;
}

// ---- The tree

static void add_to_tree(Decide *d, uint32_t node, uint32_t parent) {
    uint32_t far = d->jump[parent];
    d->up[node] = parent;
    d->depth[node] = d->depth[parent] + 1;
    bool even = d->depth[parent] - d->depth[far] == d->depth[far] - d->depth[d->jump[far]];
    d->jump[node] = even ? d->jump[far] : parent;
}

static uint32_t lift(const Decide *d, uint32_t node, uint32_t depth) {
    while (d->depth[node] > depth)
        node = d->depth[d->jump[node]] >= depth ? d->jump[node] : d->up[node];
    return node;
}

static uint32_t common_ancestor(const Decide *d, uint32_t a, uint32_t b) {
    a = lift(d, a, d->depth[b]);
    b = lift(d, b, d->depth[a]);
    while (a != b) {
        bool apart = d->jump[a] != d->jump[b];
        a = apart ? d->jump[a] : d->up[a];
        b = apart ? d->jump[b] : d->up[b];
    }
    return a;
}

// Adds a live successor to the nodes whose nearest common ancestor is wanted.
static void meet(const Decide *d, uint32_t node, uint32_t succ, uint32_t *parent) {
    if (succ <= node || !d->live[succ]) return;
    *parent = *parent == NO_ID ? succ : common_ancestor(d, *parent, succ);
}

static void grow_tree(Decide *d) {
    uint32_t count = d->func->nodes.count;
    d->up[count] = d->jump[count] = count;
    for (uint32_t n = count; n-- > 0;) {
        const Instr *instr = &d->func->nodes.at[n];
        uint32_t parent = NO_ID;
        bool header = loop_nest_is_header(d->loop_nest, (Node){n});
        if (header && d->pad[n] != NO_ID)
            meet(d, n, d->pad[n], &parent);
        else
            for (uint32_t k = 0; k < instr->succ_count; k++)
                meet(d, n, instr_succs(d->func, instr)[k].i, &parent);
        d->live[n] = parent != NO_ID || (!header && preds_is_join(d->preds, (Node){n}));
        add_to_tree(d, n, parent == NO_ID ? count : parent);
    }
}

// Whether all ways from the node above lead through a node.
static bool is_certain(const Decide *d, Node node) {
    Node above = d->dom->idom[node.i], from = preds_sole(d->preds, node);
    Node loop = from.i == NO_ID ? NO_NODE : d->loop_nest->loop[from.i];
    if (loop.i != NO_ID && d->pad[loop.i] == node.i) return true;
    return lift(d, above.i, d->depth[node.i]) == node.i;
}

// ---- What was decided above

// The number of the literal of the only way into a node by a branch on a condition: twice its atom,
// plus one if negated. NO_ID if there is no such way.
static uint32_t literal_into(const Decide *d, Node node, Gsa *gsa) {
    Node from = preds_sole(d->preds, node);
    if (from.i == NO_ID) return NO_ID;
    const Instr *branch = func_at(d->func, from);
    if (branch->kind != I_COND) return NO_ID;
    uint32_t way = branch->succ[0].i == node.i ? 0 : 1;
    Gate gate = gate_of_edge(d->arena, gsa, d->func, branch, NO_ID, way);
    const GateNode *literal = &gsa->gates.at[gate.i];
    return literal->first * 2 + (literal->negated ? 1 : 0);
}

static bool is_below(const Decide *d, uint32_t node, uint32_t block) {
    return block != 0 && dominates(d->dom, (Node){block}, d->dom->idom[node]);
}

// In an order in which the nodes that a node dominates follow it without gap, only the last node
// with a literal can dominate others: a node below another with the same literal does not count.
static void follow_conditions(Decide *d, Gsa *gsa) {
    uint32_t count = d->func->nodes.count;
    uint32_t *literal = ARENA_ARRAY(d->arena, uint32_t, count);
    for (uint32_t n = 1; n < count; n++) literal[n] = literal_into(d, (Node){n}, gsa);
    uint32_t *entered = ARENA_ARRAY(d->arena, uint32_t, (size_t)gsa->atoms.count * 2);
    for (uint32_t i = 1; i < d->dom->count; i++) {
        uint32_t n = d->dom->order[i];
        if (literal[n] == NO_ID) continue;
        if (is_below(d, n, entered[literal[n]]))
            d->decision[n] = GATE_GIVEN;
        else
            entered[literal[n]] = n;
        if (is_below(d, n, entered[literal[n] ^ 1])) d->decision[n] = GATE_NEVER;
    }
}

uint8_t *gate_decisions(Arena *arena, const Func *func, const Preds *preds, const Dominance *dom,
                        const LoopNest *loop_nest, Gsa *gsa) {
    uint32_t count = func->nodes.count;
    Decide d = {.arena = arena, .func = func, .preds = preds, .dom = dom, .loop_nest = loop_nest};
    d.pad = ARENA_ARRAY(arena, uint32_t, count);
    d.live = ARENA_ARRAY(arena, bool, count);
    d.up = ARENA_ARRAY(arena, uint32_t, (size_t)count + 1);
    d.jump = ARENA_ARRAY(arena, uint32_t, (size_t)count + 1);
    d.depth = ARENA_ARRAY(arena, uint32_t, (size_t)count + 1);
    d.decision = ARENA_ARRAY(arena, uint8_t, count);
    for (uint32_t n = 0; n < count; n++) d.pad[n] = NO_ID;
    if (!find_pads(&d))
        for (uint32_t n = 0; n < count; n++) d.pad[n] = NO_ID;
    grow_tree(&d);
    for (uint32_t n = 1; n < count; n++)
        d.decision[n] = is_certain(&d, (Node){n}) ? GATE_GIVEN : GATE_OPEN;
    follow_conditions(&d, gsa);
    return d.decision;
}
