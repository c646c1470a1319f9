#include "slice/slice_gates.h"

#include "fact/gate_decided.h"
#include "pass/gate_paths.h"
#include "pass/pass.h"
#include "slice/dominator_tree.h"
#include "slice/flow_graph.h"

#include <string.h>

struct SliceGates {
    Arena *arena;
    bool known;
    const Func *func; // in SSA
    Gsa *gsa;
    GatePaths paths;
    GateForest forest;
    ConditionTexts *texts;
    uint32_t *node_of;   // of the function as lowered -> in SSA
    uint32_t *branch_of; // atom -> a branch with that condition, or NO_ID
};

// ---- Making them

// If all ways from a node to a return lead to another one, a reader need not be told what decides between them: that a loop ends,
// by which side of a branch control comes, that a program was not aborted.
static const uint8_t *decisions_for_readers(SliceGates *gates) {
    const GateForest *forest = &gates->forest;
    uint32_t count = gates->func->nodes.count;
    Graph flow = flow_graph(gates->arena, gates->func, NULL);
    Graph graph = flow_graph_from_returns(gates->arena, gates->func, &flow);
    DominatorTree behind = dominator_tree_of(gates->arena, &graph);
    uint8_t *decisions = ARENA_ARRAY(gates->arena, uint8_t, count);
    for (uint32_t n = 0; n < count; n++) {
        Node above = forest->dom.idom[n];
        bool given = above.i != NO_ID && intervals_contain(&behind.intervals, n + 1, above.i + 1);
        decisions[n] = given ? GATE_GIVEN : GATE_OPEN;
    }
    return decisions;
}

static void find_branches(SliceGates *gates) {
    const Func *func = gates->func;
    uint32_t atoms = gates->gsa->atoms.count;
    gates->branch_of = ARENA_ARRAY(gates->arena, uint32_t, atoms);
    memset(gates->branch_of, 0xff, atoms * sizeof *gates->branch_of);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        if (instr->kind != I_COND && instr->kind != I_SWITCH) continue;
        uint32_t cases =
            instr->kind == I_SWITCH ? gate_cases(gates->arena, gates->gsa, func, instr) : NO_ID;
        for (uint32_t k = 0; k < instr->succ_count; k++) {
            Gate gate = gate_of_edge(gates->arena, gates->gsa, func, instr, cases, k);
            uint32_t atom = gates->gsa->gates.at[gate.i].first;
            if (atom < atoms && gates->branch_of[atom] == NO_ID) gates->branch_of[atom] = n;
        }
    }
}

SliceGates *slice_gates_new(Arena *arena, const Func *func, SourceText source) {
    SliceGates *gates = ARENA_NEW(arena, SliceGates);
    NormHint normal = {0};
    SsaHint ssa = {0};
    const Func *normalized = normalize(arena, func, &normal);
    *gates = (SliceGates){.arena = arena, .gsa = gsa_new(arena)};
    if (!normalized) return gates;
    gates->func = ssa_build(arena, normalized, &ssa);
    if (!gates->func || !forest_init(&gates->forest, arena, gates->func, gates->gsa, &gates->paths))
        return gates;
    gates->forest.decisions = decisions_for_readers(gates);
    forest_grow(&gates->forest);
    gates->known = true;
    gates->texts = condition_texts_new(arena, gates->func, source);
    gates->node_of = ARENA_ARRAY(arena, uint32_t, func->nodes.count);
    memset(gates->node_of, 0xff, func->nodes.count * sizeof *gates->node_of);
    for (uint32_t n = normal.nodes.count; n-- > 0;)
        if (normal.nodes.at[n].kind == NORM_STEP) gates->node_of[normal.nodes.at[n].target] = n;
    find_branches(gates);
    return gates;
}

// ---- Terms for readers

// A predicate, simplified by what holds around it.
typedef struct Term {
    GateKind kind; // GK_UNDEF: too long
    uint32_t atom; // LITERAL
    bool negated;
    uint32_t count; // AND, OR
    const struct Term **parts;
} Term;

static const Term term_true = {.kind = GK_TRUE}, term_false = {.kind = GK_FALSE},
                  term_more = {.kind = GK_UNDEF};

enum { DEEPEST = 24, MOST_VISITS = 4000, MOST_LITERALS = 24 }; // what is more helps no reader

typedef VEC(uint32_t) Literals; // atom * 2 + negated

typedef struct {
    SliceGates *gates;
    Literals given; // literals that hold here
    uint32_t visits;
} Simplifier;

// The operands of operands of the same kind, each once.
static void flatten(Simplifier *s, GateKind kind, Gate gate, Literals *out) {
    VEC(uint32_t) work = {0};
    vec_push(s->gates->arena, &work, gate.i);
    while (work.count && s->visits < MOST_VISITS) {
        uint32_t at = vec_pop(&work);
        const GateNode *node = &s->gates->gsa->gates.at[at];
        s->visits++;
        if (node->kind == kind) {
            vec_push(s->gates->arena, &work, node->second);
            vec_push(s->gates->arena, &work, node->first);
            continue;
        }
        bool known = false;
        for (uint32_t i = 0; i < out->count; i++) known |= out->at[i] == at;
        if (!known) vec_push(s->gates->arena, out, at);
    }
}

static const Term *simplify(Simplifier *s, Gate gate, int depth);

static const Term *simplify_literal(Simplifier *s, const GateNode *node) {
    uint32_t literal = node->first * 2 + node->negated;
    for (uint32_t i = 0; i < s->given.count; i++) {
        if (s->given.at[i] == literal) return &term_true;
        if (s->given.at[i] == (literal ^ 1)) return &term_false;
    }
    Term *term = ARENA_NEW(s->gates->arena, Term);
    *term = (Term){.kind = GK_LITERAL, .atom = node->first, .negated = node->negated};
    return term;
}

// Literals come first: in an AND they hold for the other parts, in an OR their opposites do.
static const Term *simplify_parts(Simplifier *s, GateKind kind, const Literals *parts, int depth) {
    const Term *stops = kind == GK_AND ? &term_false : &term_true;
    const Term *drops = kind == GK_AND ? &term_true : &term_false;
    VEC(const Term *) terms = {0};
    uint32_t given = s->given.count;
    for (int literals = 1; literals >= 0; literals--) {
        for (uint32_t i = 0; i < parts->count; i++) {
            const GateNode *node = &s->gates->gsa->gates.at[parts->at[i]];
            if ((node->kind == GK_LITERAL) != literals) continue;
            const Term *term = simplify(s, (Gate){parts->at[i]}, depth + 1);
            if (term == stops) {
                s->given.count = given;
                return stops;
            }
            if (term == drops) continue;
            vec_push(s->gates->arena, &terms, term);
            if (term->kind == GK_LITERAL)
                vec_push(s->gates->arena, &s->given,
                         term->atom * 2 + (term->negated != (kind == GK_OR)));
        }
    }
    s->given.count = given;
    if (terms.count == 0) return drops;
    if (terms.count == 1) return terms.at[0];
    Term *term = ARENA_NEW(s->gates->arena, Term);
    *term = (Term){.kind = kind, .count = terms.count, .parts = terms.at};
    return term;
}

static const Term *simplify(Simplifier *s, Gate gate, int depth) {
    const GateNode *node = &s->gates->gsa->gates.at[gate.i];
    if (depth > DEEPEST || s->visits >= MOST_VISITS) return &term_more;
    s->visits++;
    switch ((GateKind)node->kind) {
    case GK_TRUE: return &term_true;
    case GK_FALSE:
    case GK_UNDEF: return &term_false;
    case GK_LITERAL: return simplify_literal(s, node);
    case GK_AND:
    case GK_OR: break;
    }
    Literals parts = {0};
    flatten(s, (GateKind)node->kind, gate, &parts);
    return simplify_parts(s, (GateKind)node->kind, &parts, depth);
}

// ---- Writing them down

static void write_literal(SliceGates *gates, Out *out, const Term *term, bool inside) {
    const GateAtom *atom = &gates->gsa->atoms.at[term->atom];
    uint32_t branch = gates->branch_of[term->atom];
    if (branch == NO_ID) {
        out_text(out, "...");
    } else if (atom->op != OP_COUNT) {
        out_text(out, condition_text(gates->texts, (Node){branch}, term->negated));
    } else {
        const char *text =
            condition_text_of_way(gates->texts, (Node){branch}, atom->way, term->negated);
        bool brackets = inside && strstr(text, " || ");
        out_printf(out, brackets ? "(%s)" : "%s", text);
    }
}

// Depth is bounded by that of simplification.
static void write_term(SliceGates *gates, Out *out, const Term *term, GateKind around,
                       uint32_t *literals) {
    if (term->kind == GK_UNDEF || *literals >= MOST_LITERALS) {
        out_text(out, "...");
    } else if (term->kind == GK_LITERAL) {
        ++*literals;
        write_literal(gates, out, term, around == GK_AND);
    } else {
        bool brackets = around != term->kind && around != GK_TRUE;
        if (brackets) out_char(out, '(');
        for (uint32_t i = 0; i < term->count; i++) {
            if (i) out_text(out, term->kind == GK_AND ? " && " : " || ");
            write_term(gates, out, term->parts[i], term->kind, literals);
            if (*literals >= MOST_LITERALS && i + 1 < term->count) {
                out_text(out, term->kind == GK_AND ? " && ..." : " || ...");
                break;
            }
        }
        if (brackets) out_char(out, ')');
    }
}

SliceGate slice_gate_of(SliceGates *gates, Node node) {
    if (!gates->known || gates->node_of[node.i] == NO_ID)
        return (SliceGate){.kind = SLICE_GATE_UNKNOWN};
    Gate gate;
    forest_evaluate(&gates->forest, gates->node_of[node.i], &gate);
    Simplifier simplifier = {.gates = gates};
    const Term *term = simplify(&simplifier, gate, 0);
    if (term->kind == GK_TRUE) return (SliceGate){.kind = SLICE_GATE_ALWAYS};
    if (term->kind == GK_FALSE) return (SliceGate){.kind = SLICE_GATE_UNKNOWN};
    Out out = {0};
    uint32_t literals = 0;
    write_term(gates, &out, term, GK_TRUE, &literals);
    SliceGate result = {.kind = SLICE_GATE_WHEN,
                        .text = arena_text(gates->arena, out.text, out.length)};
    out_free(&out);
    return result;
}
