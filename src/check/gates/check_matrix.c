// Checks gates by a matrix of predicates, entry by entry. The argument:
//
// The predicates of the matrix are P[i,n], for rows i and the blocks n that i dominates: the
// conjunction of G along the dominator path, as guessed (check_paths.h). Rows are the blocks from
// which gates are seen: blocks that dominate a join immediately, loop headers, and the entry. A row
// has entries for the blocks that a gate needs, and for all blocks that lead there from i.
//
// Coherence (definition 5.2 of Herklotz et al.). Claim: when control is at the start of block n,
// P[i,n] is 1 for every row i with that entry. By induction on steps, let control go from block l
// to n, i not being n (as P[i,i] is True). As i dominates n strictly, it dominates l, and the row
// has the entry P[i,l], which was 1 at the start of l. The instructions of l set registers. Atoms
// with other registers keep their values: so P[i,l] with the atoms of registers that were set
// replaced by True (the projection) is 1 at the end of l, because predicates are monotone in their
// literals; and so is the literal of the edge. Then the etas and merges of n set registers, and the
// conjunction of the two, projected again, is 1 when n is entered. P[i,n] follows from this
// conjunction: this is the obligation (check_coherence).
//
// When a gamma at a join, seen from row d, chooses its argument, control comes from a predecessor
// k, and P[d,k], projected by the registers that the block of k sets, is 1. The gate of argument k
// follows from it; and for each other argument either the two gates exclude each other
// (well-exclusivity, definition 5.5), or that projected P[d,k] and the other gate do. So exactly
// one gate is 1, the gate of argument k (check_gamma).
//
// The definitions of Herklotz et al. leave open some conditions that must be checked, too. Gammas
// stand at joins that are no loop headers, where exclusivity was shown; mus stand at headers; etas
// at pads with one way in; every register is set in one place (check_places).
#include "check/gates/check_matrix.h"

#include "check/checkers.h"

// Where there are gates that say how control comes from `row` to a place.
typedef struct {
    enum { USE_JOIN, USE_PAD, USE_LATCH, USE_END } kind;
    uint32_t row;    // a head
    Node place;      // the join, pad, header or end
    uint32_t number; // PAD, LATCH: of the loop, in the list of loops; END: in that of ends
} GateUse;

enum { PART_UNKNOWN, PART_FOLLOWS, PART_FAILS };

typedef struct {
    Arena *arena;
    Paths *paths;
    Gsa *gsa;
    Obligations *obligations;
    Gate *literal; // head with one predecessor -> literal of the edge to it
    VEC(GateUse) uses;
    // Of the row that is looked at:
    uint32_t row;
    uint32_t *round; // head -> the last row, plus one, with that head
    Gate *entry;
    VEC(uint32_t) heads;
    VEC(uint32_t) waiting;      // blocks or gates still to be visited
    VEC(uint32_t) projected_in; // gate -> the last projection in which it was rewritten
    VEC(Gate) projected;
    uint32_t projection;
    uint8_t *parts; // edge -> PART_: whether G of its target follows, see follows_by_parts
    Verdict verdict;
} Matrix;

#define REJECT(matrix, node, ...)                                                                  \
    ((matrix)->verdict = verdict_rejected((matrix)->arena, node_site(node), __VA_ARGS__), false)

// ---- Places

static bool check_place(Matrix *m, Node node) {
    const Func *func = m->paths->func;
    uint32_t width = preds_count(&m->paths->preds, node);
    for (uint32_t i = 0; i < gsa_merge_count(func, node); i++) {
        const Merge *merge = &gsa_merges(func, node)[i];
        bool header = paths_is_header(m->paths, node);
        if (width < 2 || (merge->kind == MERGE_MU) != header || (header && merge->arg_count != 2))
            return REJECT(m, node, "a merge does not belong here");
    }
    if (gsa_eta_count(func, node) &&
        (m->paths->head[node.i] != node.i || width != 1 || func_at(func, node)->kind != I_NOP))
        return REJECT(m, node, "it has etas but is no landing pad");
    for (uint32_t k = 0; width > 1 && k < width; k++)
        if (func_at(func, preds_at(&m->paths->preds, node)[k])->succ_count != 1)
            return REJECT(m, node, "a branch leads to it, though it is a join");
    return true;
}

static bool check_places(Matrix *m) {
    const Func *func = m->paths->func;
    for (uint32_t r = 0; r < func->regs.count; r++)
        if (m->paths->definitions[r].by == SET_BY_SEVERAL)
            return REJECT(m, m->paths->definitions[r].node,
                          "it sets a register that is set elsewhere, too");
    for (uint32_t n = 0; n < func->nodes.count; n++)
        if (!check_place(m, (Node){n})) return false;
    return true;
}

static void find_literals(Matrix *m) {
    const Func *func = m->paths->func;
    m->literal = ARENA_ARRAY(m->arena, Gate, func->nodes.count);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *branch = &func->nodes.at[n];
        uint32_t cases = NO_ID;
        if (branch->succ_count < 2) continue;
        if (branch->kind == I_SWITCH) cases = gate_cases(m->arena, m->gsa, func, branch);
        for (uint32_t k = 0; k < branch->succ_count; k++)
            m->literal[instr_succs(func, branch)[k].i] =
                gate_of_edge(m->arena, m->gsa, func, branch, cases, k);
    }
    for (uint32_t n = 0; n < func->nodes.count; n++)
        if (m->literal[n].i == 0) m->literal[n] = GATE_TRUE;
}

// ---- Projection

// A setter of registers: the instructions of a block, and etas and merges but for those at its
// start; or the etas and merges of a node.
typedef struct {
    uint32_t at; // the head of the block; the node
    bool block;
} Setter;

static bool is_set(const Matrix *m, Reg reg, Setter setter) {
    Definition definition = m->paths->definitions[reg.i];
    uint32_t node = definition.node.i;
    if (node == NO_ID) return false;
    bool by_instr = definition.by == SET_BY_INSTR;
    return setter.block ? m->paths->head[node] == setter.at && (by_instr || node != setter.at)
                        : node == setter.at && !by_instr;
}

static Gate project_node(Matrix *m, uint32_t gate, Setter setter) {
    GateNode node = m->gsa->gates.at[gate];
    if (node.kind == GK_AND)
        return gate_and(m->arena, m->gsa, m->projected.at[node.first],
                        m->projected.at[node.second]);
    if (node.kind == GK_OR)
        return gate_or(m->arena, m->gsa, m->projected.at[node.first], m->projected.at[node.second]);
    if (node.kind != GK_LITERAL) return (Gate){gate};
    const GateAtom *atom = &m->gsa->atoms.at[node.first];
    for (uint32_t i = 0; i < atom->arg_count; i++)
        if (is_set(m, atom->arg[i], setter)) return GATE_TRUE;
    return (Gate){gate};
}

static bool needs(Matrix *m, uint32_t gate) {
    if (m->projected_in.at[gate] == m->projection) return false;
    vec_push(m->arena, &m->waiting, gate);
    return true;
}

// The predicate with atoms whose registers are set replaced by True. Nodes of a block have no
// smaller numbers than its head.
static Gate project(Matrix *m, Gate gate, Setter setter) {
    if (paths_latest(m->paths, gate) <= setter.at)
        return gate; // all of its registers are set before
    m->projection++;
    while (m->projected.count < m->gsa->gates.count) {
        vec_push(m->arena, &m->projected, GATE_TRUE);
        vec_push(m->arena, &m->projected_in, 0);
    }
    needs(m, gate.i);
    while (m->waiting.count) {
        uint32_t at = m->waiting.at[m->waiting.count - 1];
        GateNode node = m->gsa->gates.at[at];
        bool compound = node.kind == GK_AND || node.kind == GK_OR;
        if (compound && (needs(m, node.first) || needs(m, node.second))) continue;
        m->waiting.count--;
        m->projected.at[at] = project_node(m, at, setter);
        m->projected_in.at[at] = m->projection;
    }
    return m->projected.at[gate.i];
}

// ---- Rows

// Takes the blocks that lead from the row to a block into the row.
static void take(Matrix *m, uint32_t head) {
    vec_push(m->arena, &m->waiting, head);
    while (m->waiting.count) {
        uint32_t at = vec_pop(&m->waiting);
        if (m->round[at] == m->row + 1) continue;
        m->round[at] = m->row + 1;
        m->entry[at] = NO_GATE;
        vec_push(m->arena, &m->heads, at);
        for (uint32_t k = 0; at != m->row && k < preds_count(&m->paths->preds, (Node){at}); k++)
            vec_push(m->arena, &m->waiting,
                     m->paths->head[preds_at(&m->paths->preds, (Node){at})[k].i]);
    }
}

// P[row,head].
static Gate entry_of(Matrix *m, uint32_t head) {
    m->entry[m->row] = GATE_TRUE;
    for (uint32_t at = head; m->entry[at].i == NO_ID; at = m->paths->head[m->paths->dom.idom[at].i])
        vec_push(m->arena, &m->waiting, at);
    while (m->waiting.count) {
        uint32_t at = vec_pop(&m->waiting);
        Gate above = m->entry[m->paths->head[m->paths->dom.idom[at].i]];
        m->entry[at] = gate_and(m->arena, m->gsa, above, m->paths->to[at]);
    }
    return m->entry[head];
}

// The known predicate when the way from the end of a block to `to` is taken: before the etas and
// merges there, or, if `entered`, after.
static Gate known_on_edge(Matrix *m, Gate at_start, uint32_t block, Node to, bool entered) {
    Gate gate = project(m, at_start, (Setter){block, true});
    if (preds_sole(&m->paths->preds, to).i != NO_ID)
        gate = gate_and(m->arena, m->gsa, gate, m->literal[to.i]);
    return entered ? project(m, gate, (Setter){to.i, false}) : gate;
}

static Gate known_before(Matrix *m, Node from, Node to, bool entered) {
    uint32_t block = m->paths->head[from.i];
    return known_on_edge(m, entry_of(m, block), block, to, entered);
}

// ---- Coherence

// The conjunction of G along the dominator path from one block, excluded, to another.
static Gate path_between(Matrix *m, uint32_t from, uint32_t to) {
    Gate gate = GATE_TRUE;
    for (; to != from; to = m->paths->head[m->paths->dom.idom[to].i])
        vec_push(m->arena, &m->waiting, to);
    while (m->waiting.count)
        gate = gate_and(m->arena, m->gsa, gate, m->paths->to[vec_pop(&m->waiting)]);
    return gate;
}

// Whether G(to) follows from what is known on the way from block `above`, which dominates both, to
// `from` and on to `to`.
static bool edge_follows(Matrix *m, uint32_t above, Node from, Node to) {
    uint32_t block = m->paths->head[from.i];
    Gate known = known_on_edge(m, path_between(m, above, block), block, to, true);
    return gate_implies_plainly(m->obligations, known, m->paths->to[to.i]);
}

// The obligation for an edge from l to n, row by row, is mostly the same: with d dominating n
// immediately, P[i,l] is P[i,d] and P[d,l], and P[i,n] is P[i,d] and G(n). If nothing that P[i,d]
// reads is set on the way, it stays; that G(n) follows from the rest does not depend on i and is
// looked at once. On a back edge n itself takes the place of d, and there is nothing else to show.
static bool follows_by_parts(Matrix *m, Node node, uint32_t k) {
    const Paths *paths = m->paths;
    Node from = preds_at(&paths->preds, node)[k];
    uint32_t block = paths->head[from.i], first = node.i < block ? node.i : block;
    bool back = is_back_edge(&paths->dom, from, node);
    uint32_t above = back ? node.i : paths->head[paths->dom.idom[node.i].i];
    if (paths_latest(m->paths, entry_of(m, above)) > first) return false;
    uint8_t *part = &m->parts[paths->preds.first[node.i] + k];
    if (!back && *part == PART_UNKNOWN)
        *part = edge_follows(m, above, from, node) ? PART_FOLLOWS : PART_FAILS;
    return back || *part == PART_FOLLOWS;
}

static void check_coherence(Matrix *m, Node node) {
    if (node.i == m->row) return;
    Gate entry = entry_of(m, node.i);
    for (uint32_t k = 0; k < preds_count(&m->paths->preds, node); k++) {
        if (!m->obligations->observe && follows_by_parts(m, node, k)) {
            m->obligations->settled[SETTLED_STRUCTURE]++;
            continue;
        }
        Gate known = known_before(m, preds_at(&m->paths->preds, node)[k], node, true);
        gate_implies(m->obligations, node, known, entry);
    }
}

// ---- Gammas

static bool same_gates(const Func *func, const Merge *a, const Merge *b) {
    if (a->arg_count != b->arg_count) return false;
    for (uint32_t i = 0; i < a->arg_count; i++)
        if (merge_args(func, a)[i].gate.i != merge_args(func, b)[i].gate.i) return false;
    return true;
}

static bool check_gamma(Matrix *m, Node join, const Merge *gamma) {
    uint32_t count = preds_count(&m->paths->preds, join);
    const MergeArg *args = merge_args(m->paths->func, gamma);
    Gate *known = ARENA_ARRAY(m->arena, Gate, count), *gates = ARENA_ARRAY(m->arena, Gate, count);
    GatePairs pairs = {0};
    if (gamma->arg_count != count)
        return REJECT(m, join, "a gamma has not one argument for each predecessor");
    for (uint32_t k = 0; k < count; k++) {
        known[k] = known_before(m, preds_at(&m->paths->preds, join)[k], join, false);
        gates[k] = args[k].gate;
        gate_implies(m->obligations, join, known[k], gates[k]);
    }
    gates_exclude(m->obligations, join, gates, count, &pairs);
    for (uint32_t p = 0; p < pairs.count; p += 2) {
        uint32_t a = pairs.at[p], b = pairs.at[p + 1];
        obligation_leave(m->obligations, (Obligation){MUST_EXCLUDE, known[a], gates[b], join});
        obligation_leave(m->obligations, (Obligation){MUST_EXCLUDE, known[b], gates[a], join});
    }
    return true;
}

static bool check_gammas(Matrix *m, Node join) {
    const Merge *merges = gsa_merges(m->paths->func, join);
    for (uint32_t i = 0; i < gsa_merge_count(m->paths->func, join); i++)
        if (!(i > 0 && same_gates(m->paths->func, &merges[i - 1], &merges[i])) &&
            !check_gamma(m, join, &merges[i]))
            return false;
    return true;
}

// ---- Etas, loops and ends

static void check_pad(Matrix *m, const GateUse *use) {
    const Func *func = m->paths->func;
    Node pad = use->place;
    const LoopGate *loop = &func->gsa->loops.at[use->number];
    Node from = *preds_at(&m->paths->preds, pad);
    Gate known = known_before(m, from, pad, false);
    gate_implies(m->obligations, pad, known, loop->leaves);
    if (m->paths->loop_nest.loop[from.i].i != use->row) return;
    for (uint32_t i = 0; i < gsa_eta_count(func, pad); i++)
        gate_implies(m->obligations, pad, known, gsa_etas(func, pad)[i].gate);
}

static void exclude_all(Matrix *m, Node node, const Gate *gates, uint32_t count) {
    GatePairs pairs = {0};
    gates_exclude(m->obligations, node, gates, count, &pairs);
    for (uint32_t p = 0; p < pairs.count; p += 2)
        obligation_leave(m->obligations, (Obligation){MUST_EXCLUDE, gates[pairs.at[p]],
                                                      gates[pairs.at[p + 1]], node});
}

static void check_latch(Matrix *m, const GateUse *use) {
    const LoopGate *loop = &m->paths->func->gsa->loops.at[use->number];
    Node latch = preds_at(&m->paths->preds, loop->header)[1];
    gate_implies(m->obligations, loop->header, entry_of(m, m->paths->head[latch.i]), loop->goes_on);
    exclude_all(m, loop->header, (const Gate[]){loop->leaves, loop->goes_on}, 2);
}

static void check_end(Matrix *m, const GateUse *use) {
    const EndGate *end = &m->paths->func->gsa->ends.at[use->number];
    gate_implies(m->obligations, end->node, entry_of(m, m->paths->head[end->node.i]), end->gate);
}

static void check_ends_exclude(Matrix *m) {
    const Gsa *gsa = m->paths->func->gsa;
    Gate *gates = ARENA_ARRAY(m->arena, Gate, gsa->ends.count);
    for (uint32_t i = 0; i < gsa->ends.count; i++) gates[i] = gsa->ends.at[i].gate;
    exclude_all(m, (Node){0}, gates, gsa->ends.count);
}

// ---- What rows are for

// Numbers the gates of loops; every header has a gate, and gates are in order.
static bool number_loops(Matrix *m, uint32_t *number) {
    const Gsa *gsa = m->paths->func->gsa;
    uint32_t count = 0;
    for (uint32_t n = 0; n < m->paths->func->nodes.count; n++) {
        if (!paths_is_header(m->paths, (Node){n})) continue;
        if (count >= gsa->loops.count || gsa->loops.at[count].header.i != n)
            return REJECT(m, (Node){n}, "the gates of the loop are missing");
        number[n] = count++;
        vec_push(m->arena, &m->uses, (GateUse){USE_LATCH, n, {n}, number[n]});
    }
    return count == gsa->loops.count || REJECT(m, NO_NODE, "there are gates of no loop");
}

// The loops that are left on the way into a node.
static bool use_pad(Matrix *m, Node pad, const uint32_t *number) {
    const LoopNest *loop_nest = &m->paths->loop_nest;
    bool left = false;
    Node from = preds_sole(&m->paths->preds, pad);
    if (from.i != NO_ID) {
        Node loop = loop_nest->loop[from.i];
        for (; loop.i != NO_ID && !loop_nest_contains(loop_nest, loop, pad);
             loop = loop_nest->outer[loop.i]) {
            vec_push(m->arena, &m->uses, (GateUse){USE_PAD, loop.i, pad, number[loop.i]});
            left = true;
        }
    }
    return left || !gsa_eta_count(m->paths->func, pad) ||
           REJECT(m, pad, "it has etas but leaves no loop");
}

static bool find_uses(Matrix *m) {
    const Func *func = m->paths->func;
    uint32_t *number = ARENA_ARRAY(m->arena, uint32_t, func->nodes.count), ends = 0;
    if (!number_loops(m, number)) return false;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        Node node = {n};
        if (!use_pad(m, node, number)) return false;
        if (paths_is_gated(m->paths, node) && gsa_merge_count(func, node))
            vec_push(m->arena, &m->uses,
                     (GateUse){USE_JOIN, m->paths->head[m->paths->dom.idom[n].i], node, 0});
        if (func->nodes.at[n].succ_count) continue;
        if (ends >= func->gsa->ends.count || func->gsa->ends.at[ends].node.i != n)
            return REJECT(m, node, "the gate of an end is missing");
        vec_push(m->arena, &m->uses, (GateUse){USE_END, 0, node, ends++});
    }
    return ends == func->gsa->ends.count || REJECT(m, NO_NODE, "there are gates of no end");
}

// ---- All of it

static void take_columns(Matrix *m, const GateUse *use) {
    const Preds *preds = &m->paths->preds;
    Node place = use->place;
    if (use->kind == USE_END) take(m, m->paths->head[place.i]);
    if (use->kind == USE_LATCH) take(m, m->paths->head[preds_at(preds, place)[1].i]);
    for (uint32_t k = 0;
         (use->kind == USE_JOIN || use->kind == USE_PAD) && k < preds_count(preds, place); k++)
        take(m, m->paths->head[preds_at(preds, place)[k].i]);
}

static bool check_row(Matrix *m, const GateUse *const *uses, uint32_t count) {
    m->row = uses[0]->row;
    vec_clear(&m->heads);
    take(m, m->row);
    for (uint32_t i = 0; i < count; i++) take_columns(m, uses[i]);
    for (uint32_t i = 0; i < m->heads.count; i++) check_coherence(m, (Node){m->heads.at[i]});
    for (uint32_t i = 0; i < count; i++) switch (uses[i]->kind) {
        case USE_JOIN:
            if (!check_gammas(m, uses[i]->place)) return false;
            break;
        case USE_PAD: check_pad(m, uses[i]); break;
        case USE_LATCH: check_latch(m, uses[i]); break;
        case USE_END: check_end(m, uses[i]); break;
        }
    return true;
}

static bool check_rows(Matrix *m) {
    uint32_t count = m->paths->func->nodes.count;
    uint32_t *at = ARENA_ARRAY(m->arena, uint32_t, (size_t)count + 2);
    const GateUse **sorted = ARENA_ARRAY(m->arena, const GateUse *, m->uses.count);
    for (uint32_t i = 0; i < m->uses.count; i++) at[m->uses.at[i].row + 2]++;
    for (uint32_t n = 2; n < count + 2; n++) at[n] += at[n - 1];
    for (uint32_t i = 0; i < m->uses.count; i++)
        sorted[at[m->uses.at[i].row + 1]++] = &m->uses.at[i];
    for (uint32_t n = 0; n < count; n++)
        if (at[n + 1] > at[n] && !check_row(m, sorted + at[n], at[n + 1] - at[n])) return false;
    check_ends_exclude(m);
    return true;
}

Verdict matrix_check(Paths *paths, Obligations *obligations) {
    uint32_t count = paths->func->nodes.count, edges = paths->preds.first[count];
    Matrix matrix = {.arena = paths->arena,
                     .paths = paths,
                     .gsa = paths->gsa,
                     .obligations = obligations,
                     .parts = ARENA_ARRAY(paths->arena, uint8_t, edges),
                     .round = ARENA_ARRAY(paths->arena, uint32_t, count),
                     .entry = ARENA_ARRAY(paths->arena, Gate, count)};
    if (!check_places(&matrix)) return matrix.verdict;
    find_literals(&matrix);
    return find_uses(&matrix) && check_rows(&matrix) ? VERDICT_ACCEPTED : matrix.verdict;
}

Verdict check_gsa_build_by_matrix(Arena *arena, const Func *before, const Func *after,
                                  const GsaBuildHint *hint, Obligations *obligations) {
    Paths paths;
    Verdict verdict = check_gsa_build_code(arena, before, after, hint, &paths);
    if (!verdict.accepted) return verdict;
    obligations_init(obligations, arena, paths.gsa);
    return matrix_check(&paths, obligations);
}
