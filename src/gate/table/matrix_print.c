// Prints the matrix of predicates, made anew from the graph, straight from the definition. G(n) is
// the condition of the edge into n, True for a loop header, and else the disjunction of P[idom n,
// k] over the predecessors k of n. P[d,n] is the conjunction of G along the dominator tree.
#include "gate/table/matrix_print.h"

#include "graph/basic_blocks.h"
#include "graph/loop_nest.h"
#include "text/print/gsa_print.h"

typedef struct {
    Arena *arena;
    Out *out;
    Func func; // the function with a table of gates that can grow
    Preds preds;
    Dominance dom;
    LoopNest loop_nest;
    Gate *to; // G
    VEC(Gate) shown;
    VEC(MatrixPair) entries; // whose predicates are in `shown`, by node
} MatrixTable;

// ---- Predicates

static Gate edge_condition(MatrixTable *m, Node from, Node to) {
    const Instr *branch = func_at(&m->func, from);
    const Node *succs = instr_succs(&m->func, branch);
    Gate condition = GATE_FALSE;
    if (branch->succ_count == 1) return GATE_TRUE;
    uint32_t cases =
        branch->kind == I_SWITCH ? gate_cases(m->arena, m->func.gsa, &m->func, branch) : NO_ID;
    for (uint32_t k = 0; k < branch->succ_count; k++)
        if (succs[k].i == to.i)
            condition = gate_or(m->arena, m->func.gsa, condition,
                                gate_of_edge(m->arena, m->func.gsa, &m->func, branch, cases, k));
    return condition;
}

// P[from,to], for a node that dominates another.
static Gate predicate(MatrixTable *m, Node from, Node to) {
    VEC(Node) path = {0};
    for (; to.i != from.i; to = m->dom.idom[to.i]) vec_push(m->arena, &path, to);
    Gate result = GATE_TRUE;
    while (path.count) result = gate_and(m->arena, m->func.gsa, result, m->to[vec_pop(&path).i]);
    return result;
}

// Forward edges lead to larger numbers, so that what a join needs is there.
static void find_predicates(MatrixTable *m) {
    m->to = ARENA_ARRAY(m->arena, Gate, m->func.nodes.count);
    for (uint32_t n = 0; n < m->func.nodes.count; n++) {
        Node node = {n};
        const Node *preds = preds_at(&m->preds, node);
        m->to[n] = n == 0 || loop_nest_is_header(&m->loop_nest, node) ? GATE_TRUE : GATE_FALSE;
        if (m->to[n].i == GATE_TRUE.i || !dominance_reaches(&m->dom, node)) continue;
        for (uint32_t k = 0; k < preds_count(&m->preds, node); k++) {
            if (!dominance_reaches(&m->dom, preds[k])) continue;
            Gate way = gate_and(m->arena, m->func.gsa, predicate(m, m->dom.idom[n], preds[k]),
                                edge_condition(m, preds[k], node));
            m->to[n] = gate_or(m->arena, m->func.gsa, m->to[n], way);
        }
    }
}

static bool numbers_ascend(const MatrixTable *m) {
    for (uint32_t n = 0; n < m->func.nodes.count; n++) {
        const Node *preds = preds_at(&m->preds, (Node){n});
        for (uint32_t k = 0; k < preds_count(&m->preds, (Node){n}); k++)
            if (dominance_reaches(&m->dom, preds[k]) && preds[k].i >= n &&
                !is_back_edge(&m->dom, preds[k], (Node){n}))
                return false;
    }
    return true;
}

// ---- Entries

// Notes the nodes on the ways from one node to another that it dominates.
static void note_ways(MatrixTable *m, Node from, Node to, Bits *row) {
    VEC(Node) work = {0};
    bits_add(row, from.i);
    if (bits_put(row, to.i)) vec_push(m->arena, &work, to);
    while (work.count) {
        Node node = vec_pop(&work);
        const Node *preds = preds_at(&m->preds, node);
        for (uint32_t k = 0; k < preds_count(&m->preds, node); k++)
            if (dominance_reaches(&m->dom, preds[k]) && !is_back_edge(&m->dom, preds[k], node) &&
                bits_put(row, preds[k].i))
                vec_push(m->arena, &work, preds[k]);
    }
}

static void note_row(MatrixTable *m, Bits *rows, Node from, Node to) {
    if (!rows[from.i].words) rows[from.i] = bits_new(m->arena, m->func.nodes.count);
    note_ways(m, from, to, &rows[from.i]);
}

static void add_entry(MatrixTable *m, Node from, Node to) {
    Gate gate = predicate(m, from, to);
    vec_push(m->arena, &m->shown, gate);
    vec_push(m->arena, &m->entries, (MatrixPair){.from = from.i, .to = to.i});
}

static void find_entries(MatrixTable *m) {
    uint32_t count = m->func.nodes.count;
    Bits *rows = ARENA_ARRAY(m->arena, Bits, count);
    for (uint32_t n = 0; n < count; n++) {
        Node node = {n};
        if (!dominance_reaches(&m->dom, node)) continue;
        if (gsa_eta_count(&m->func, node))
            note_row(m, rows, m->loop_nest.loop[preds_at(&m->preds, node)->i], node);
        if (gsa_merge_count(&m->func, node) && !loop_nest_is_header(&m->loop_nest, node))
            note_row(m, rows, m->dom.idom[n], node);
    }
    for (uint32_t d = 0; d < count; d++) {
        if (!rows[d].words) continue;
        for (uint32_t n = bits_next(&rows[d], 0); n < count; n = bits_next(&rows[d], n + 1))
            if (n == d || !continues_block(&m->func, &m->preds, (Node){n}))
                add_entry(m, (Node){d}, (Node){n});
    }
}

// ---- Coherence

typedef struct {
    Node from, to;
    Gate projected;  // P[from,k] and the condition of the edge, for any predecessor k; projected
    Gate result;     // P[from,to]
    bool projection; // whether it makes a difference
} Coherence;

static bool is_set_at(const MatrixTable *m, Reg reg, Node node) {
    if (func_at(&m->func, node)->dest.i == reg.i) return true;
    for (uint32_t i = 0; i < gsa_merge_count(&m->func, node); i++)
        if (gsa_merges(&m->func, node)[i].dest.i == reg.i) return true;
    for (uint32_t i = 0; i < gsa_eta_count(&m->func, node); i++)
        if (gsa_etas(&m->func, node)[i].dest.i == reg.i) return true;
    return false;
}

// A gate with True for each literal that reads what a node sets.
static Gate project(MatrixTable *m, Gate gate, Node node) {
    Gsa *gsa = m->func.gsa;
    Gate *image = ARENA_ARRAY(m->arena, Gate, (size_t)gate.i + 1);
    for (uint32_t i = 0; i <= gate.i; i++) {
        GateNode at = gsa->gates.at[i];
        image[i] = (Gate){i};
        if (at.kind == GK_LITERAL) {
            const GateAtom *atom = &gsa->atoms.at[at.first];
            for (uint32_t k = 0; k < atom->arg_count; k++)
                if (is_set_at(m, atom->arg[k], node)) image[i] = GATE_TRUE;
        } else if (at.kind == GK_AND) {
            image[i] = gate_and(m->arena, gsa, image[at.first], image[at.second]);
        } else if (at.kind == GK_OR) {
            image[i] = gate_or(m->arena, gsa, image[at.first], image[at.second]);
        }
    }
    return image[gate.i];
}

static Coherence coherence_of(MatrixTable *m, Node from, Node to) {
    Coherence c = {.from = from, .to = to};
    Gate all = GATE_FALSE;
    for (uint32_t k = 0; k < preds_count(&m->preds, to); k++) {
        Node pred = preds_at(&m->preds, to)[k];
        if (!dominance_reaches(&m->dom, pred)) continue;
        Gate way =
            gate_and(m->arena, m->func.gsa, predicate(m, from, pred), edge_condition(m, pred, to));
        all = gate_or(m->arena, m->func.gsa, all, way);
    }
    c.projected = project(m, all, to);
    c.projection = c.projected.i != all.i;
    c.result = predicate(m, from, to);
    vec_push(m->arena, &m->shown, c.projected);
    vec_push(m->arena, &m->shown, c.result);
    return c;
}

// Up to so many conditions all their values are tried.
#define MOST_CONDITIONS 10

// The conditions that occur in two gates; operands have smaller numbers.
static uint32_t conditions_of(MatrixTable *m, Gate a, Gate b, Bits *atoms) {
    const Gsa *gsa = m->func.gsa;
    Bits used = bits_new(m->arena, gsa->gates.count);
    uint32_t count = 0;
    bits_add(&used, a.i);
    bits_add(&used, b.i);
    for (uint32_t i = gsa->gates.count; i-- > 3;) {
        const GateNode *node = &gsa->gates.at[i];
        if (!bits_has(&used, i)) continue;
        if (node->kind == GK_LITERAL) {
            count += bits_put(atoms, node->first);
            continue;
        }
        bits_add(&used, node->first);
        bits_add(&used, node->second);
    }
    return count;
}

// The values of all gates: 0, 1 for 1/2, and 2 for 1.
static void evaluate(const Gsa *gsa, const uint8_t *atoms, uint8_t *value) {
    for (uint32_t i = 0; i < gsa->gates.count; i++) {
        const GateNode *node = &gsa->gates.at[i];
        uint8_t first = i < 3 || node->kind == GK_LITERAL ? 0 : value[node->first];
        uint8_t second = i < 3 || node->kind == GK_LITERAL ? 0 : value[node->second];
        switch ((GateKind)node->kind) {
        case GK_FALSE: value[i] = 0; break;
        case GK_TRUE: value[i] = 2; break;
        case GK_UNDEF: value[i] = 1; break;
        case GK_LITERAL:
            value[i] = node->negated ? 2 - atoms[node->first] : atoms[node->first];
            break;
        case GK_AND: value[i] = first < second ? first : second; break;
        case GK_OR: value[i] = first > second ? first : second; break;
        }
    }
}

// Whether one gate is 1 wherever another is, if conditions can have any values. With too many of
// them it is not tried.
static const char *implication(MatrixTable *m, Gate a, Gate b) {
    const Gsa *gsa = m->func.gsa;
    Bits used = bits_new(m->arena, gsa->atoms.count);
    if (conditions_of(m, a, b, &used) > MOST_CONDITIONS)
        return "there are too many conditions to try";
    uint8_t *atoms = ARENA_ARRAY(m->arena, uint8_t, gsa->atoms.count);
    uint8_t *value = ARENA_ARRAY(m->arena, uint8_t, gsa->gates.count);
    for (;;) {
        evaluate(gsa, atoms, value);
        if (value[a.i] == 2 && value[b.i] != 2) return "it does not hold for all conditions";
        uint32_t i = bits_next(&used, 0);
        for (; i < used.size && atoms[i] == 2; i = bits_next(&used, i + 1)) atoms[i] = 0;
        if (i == used.size) return "it holds";
        atoms[i]++;
    }
}

// ---- Text

static void print_entry(MatrixTable *m, GateText *text, const char *before, Node from, Node to,
                        Gate gate) {
    out_printf(m->out, "%sP[%u,%u] = ", before, func_label(&m->func, from),
               func_label(&m->func, to));
    gate_text_print(m->out, text, gate);
    out_char(m->out, '\n');
}

static void print_coherence(MatrixTable *m, GateText *text, const Coherence *c) {
    uint32_t from = func_label(&m->func, c->from);
    out_printf(m->out, "coherence of %s at (%u,%u)\n  ", func_name(&m->func), from,
               func_label(&m->func, c->to));
    for (uint32_t k = 0; k < preds_count(&m->preds, c->to); k++) {
        uint32_t pred = func_label(&m->func, preds_at(&m->preds, c->to)[k]);
        out_printf(m->out, "%sP[%u,%u] & c[%u,%u]", k ? " | " : "", from, pred, pred,
                   func_label(&m->func, c->to));
    }
    out_text(m->out, c->projection ? "\n  = (projected) " : "\n  = ");
    gate_text_print(m->out, text, c->projected);
    print_entry(m, text, "\n  => ", c->from, c->to, c->result);
    out_printf(m->out, "  %s\n", implication(m, c->projected, c->result));
}

static Node node_labelled(const Func *func, uint32_t label) {
    for (uint32_t n = 0; n < func->nodes.count; n++)
        if (func_label(func, (Node){n}) == label) return (Node){n};
    return NO_NODE;
}

static bool strictly_dominates(const MatrixTable *m, Node a, Node b) {
    return a.i != NO_ID && b.i != NO_ID && a.i != b.i && dominance_reaches(&m->dom, a) &&
           dominance_reaches(&m->dom, b) && dominates(&m->dom, a, b);
}

// What the function uses its gates for is not shown here, and makes no names.
static void use_only_shown(Gsa *gsa) {
    vec_clear(&gsa->merges);
    vec_clear(&gsa->merge_at);
    vec_clear(&gsa->etas);
    vec_clear(&gsa->eta_at);
    vec_clear(&gsa->loops);
    vec_clear(&gsa->ends);
}

static void print_all(MatrixTable *m, const MatrixPair *pairs, uint32_t pair_count) {
    VEC(Coherence) coherences = {0};
    find_predicates(m);
    find_entries(m);
    for (uint32_t i = 0; i < pair_count; i++) {
        Node from = node_labelled(&m->func, pairs[i].from);
        Node to = node_labelled(&m->func, pairs[i].to);
        if (!strictly_dominates(m, from, to)) continue;
        Coherence coherence = coherence_of(m, from, to);
        vec_push(m->arena, &coherences, coherence);
    }
    use_only_shown(m->func.gsa);
    GateText *text = gate_text_new(m->arena, &m->func, m->shown.at, m->shown.count);
    gate_text_lines(m->out, text, "  ", "\n");
    for (uint32_t i = 0; i < m->entries.count; i++)
        print_entry(m, text, "  ", (Node){m->entries.at[i].from}, (Node){m->entries.at[i].to},
                    m->shown.at[i]);
    for (uint32_t i = 0; i < coherences.count; i++) print_coherence(m, text, &coherences.at[i]);
}

void matrix_print(Out *out, const Func *func, const MatrixPair *pairs, uint32_t pair_count) {
    Arena *arena = arena_new("matrix");
    MatrixTable m = {.arena = arena, .out = out, .func = *func, .preds = preds_of(arena, func)};
    m.func.gsa = gsa_clone(arena, func->gsa);
    m.dom = dominance_of(arena, func, &m.preds);
    m.loop_nest = loop_nest_of(arena, func, &m.preds, &m.dom);
    out_printf(out, "\nmatrix of %s\n", func_name(func));
    if (numbers_ascend(&m))
        print_all(&m, pairs, pair_count);
    else
        out_text(out, "  none: the nodes are not in reverse postorder\n");
    arena_free(arena);
}
