#include "slice/slice_gates.h"

#include "analysis/gate_paths.h"
#include "fact/effects.h"
#include "fact/gate/gate_decided.h"
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

// If all ways from a node to a return lead to another one, a reader need not be told what decides
// between them: that a loop ends, by which side of a branch control comes, that a program was not
// aborted.
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
        if (!instr_is_branch(instr)) continue;
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
    CopiesHint normal = {0};
    SsaHint ssa = {0};
    Bits added;
    const Func *normalized = normalize_marked(arena, func, &normal, &added, true);
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
    for (uint32_t n = normal.old.count; n-- > 0;)
        if (!bits_has(&added, n)) gates->node_of[normal.old.at[n].i] = n;
    find_branches(gates);
    return gates;
}

// ---- Terms for readers

// A predicate, simplified by what holds around it.
typedef struct GateTerm {
    GateKind kind; // GK_UNDEF: too long
    uint32_t atom; // LITERAL
    bool negated;
    uint32_t count; // AND, OR
    const struct GateTerm **parts;
} GateTerm;

static const GateTerm term_true = {.kind = GK_TRUE}, term_false = {.kind = GK_FALSE},
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

static const GateTerm *simplify(Simplifier *s, Gate gate, int depth);

static const GateTerm *simplify_literal(Simplifier *s, const GateNode *node) {
    uint32_t literal = node->first * 2 + node->negated;
    for (uint32_t i = 0; i < s->given.count; i++) {
        if (s->given.at[i] == literal) return &term_true;
        if (s->given.at[i] == (literal ^ 1)) return &term_false;
    }
    GateTerm *term = ARENA_NEW(s->gates->arena, GateTerm);
    *term = (GateTerm){.kind = GK_LITERAL, .atom = node->first, .negated = node->negated};
    return term;
}

// Literals are looked at first: in an AND they hold for the other parts, in an OR their opposites
// do. An AND stays in the order in which its parts are tested; an OR begins with literals, without
// which the rest may make no sense.
static const GateTerm *simplify_parts(Simplifier *s, GateKind kind, const Literals *parts,
                                      int depth) {
    const GateTerm *stops = kind == GK_AND ? &term_false : &term_true;
    const GateTerm *drops = kind == GK_AND ? &term_true : &term_false;
    const GateTerm **terms = ARENA_ARRAY(s->gates->arena, const GateTerm *, parts->count);
    uint32_t given = s->given.count, count = 0;
    for (int literals = 1; literals >= 0; literals--) {
        for (uint32_t i = 0; i < parts->count; i++) {
            const GateNode *node = &s->gates->gsa->gates.at[parts->at[i]];
            if ((node->kind == GK_LITERAL) != literals) continue;
            const GateTerm *term = simplify(s, (Gate){parts->at[i]}, depth + 1);
            if (term == stops) {
                s->given.count = given;
                return stops;
            }
            if (term == drops) continue;
            terms[kind == GK_AND ? i : count++] = term;
            if (term->kind == GK_LITERAL)
                vec_push(s->gates->arena, &s->given,
                         term->atom * 2 + (term->negated != (kind == GK_OR)));
        }
    }
    s->given.count = given;
    for (uint32_t i = 0; kind == GK_AND && i < parts->count; i++)
        if (terms[i]) terms[count++] = terms[i];
    if (count == 0) return drops;
    if (count == 1) return terms[0];
    GateTerm *term = ARENA_NEW(s->gates->arena, GateTerm);
    *term = (GateTerm){.kind = kind, .count = count, .parts = terms};
    return term;
}

static const GateTerm *simplify(Simplifier *s, Gate gate, int depth) {
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

static const GateAtom *atom_of(const SliceGates *gates, const GateTerm *term) {
    return &gates->gsa->atoms.at[term->atom];
}

static bool is_way(const SliceGates *gates, const GateTerm *term) {
    return term->kind == GK_LITERAL && atom_of(gates, term)->op == OP_COUNT;
}

// Whether two literals are about one switch.
static bool same_switch(const SliceGates *gates, const GateTerm *a, const GateTerm *b) {
    const GateAtom *x = atom_of(gates, a), *y = atom_of(gates, b);
    return x->cases == y->cases && x->arg[0].i == y->arg[0].i;
}

// All ways of one switch among the operands of an OR, the first of which is given: others are
// marked as written.
static void write_ways(SliceGates *gates, Out *out, const GateTerm *around, uint32_t first,
                       bool brackets, Bits *written) {
    const GateTerm *term = around->parts[first];
    uint32_t branch = gates->branch_of[term->atom];
    if (branch == NO_ID) {
        out_text(out, "...");
        return;
    }
    uint32_t count = gates->func->nodes.at[branch].succ_count;
    Bits ways = bits_new(gates->arena, count);
    for (uint32_t i = first; i < around->count; i++) {
        const GateTerm *other = around->parts[i];
        if (i > first && (!is_way(gates, other) || !same_switch(gates, term, other) ||
                          other->negated || term->negated || around->kind != GK_OR))
            continue;
        bits_add(&ways, atom_of(gates, other)->way);
        bits_add(written, i);
    }
    for (uint32_t w = 0; term->negated && w < count; w++) ways.words[w / 64] ^= 1ull << w % 64;
    const char *text = condition_text_of_ways(gates->texts, (Node){branch}, &ways);
    brackets &= strstr(text, " || ") || strstr(text, " && ");
    out_printf(out, brackets ? "(%s)" : "%s", text);
}

static void write_literal(SliceGates *gates, Out *out, const GateTerm *term) {
    uint32_t branch = gates->branch_of[term->atom];
    out_text(out,
             branch == NO_ID ? "..." : condition_text(gates->texts, (Node){branch}, term->negated));
}

static void write_term(SliceGates *gates, Out *out, const GateTerm *term, GateKind around,
                       uint32_t *literals);

static void write_parts(SliceGates *gates, Out *out, const GateTerm *term, uint32_t *literals) {
    Bits written = bits_new(gates->arena, term->count);
    const char *between = term->kind == GK_AND ? " && " : " || ";
    for (uint32_t i = 0; i < term->count; i++) {
        if (bits_has(&written, i)) continue;
        if (i) out_text(out, between);
        if (*literals >= MOST_LITERALS) {
            out_text(out, "...");
            return;
        }
        if (is_way(gates, term->parts[i])) {
            ++*literals;
            write_ways(gates, out, term, i, true, &written);
        } else {
            write_term(gates, out, term->parts[i], term->kind, literals);
        }
    }
}

// Depth is bounded by that of simplification.
static void write_term(SliceGates *gates, Out *out, const GateTerm *term, GateKind around,
                       uint32_t *literals) {
    if (term->kind == GK_UNDEF) {
        out_text(out, "...");
    } else if (is_way(gates, term)) {
        const GateTerm *parts[] = {term};
        GateTerm alone = {.kind = GK_OR, .count = 1, .parts = parts};
        write_parts(gates, out, &alone, literals);
    } else if (term->kind == GK_LITERAL) {
        ++*literals;
        write_literal(gates, out, term);
    } else {
        bool brackets = around != GK_TRUE;
        if (brackets) out_char(out, '(');
        write_parts(gates, out, term, literals);
        if (brackets) out_char(out, ')');
    }
}

SliceGate slice_gate_of(SliceGates *gates, Node node) {
    if (!gates->known || gates->node_of[node.i] == NO_ID)
        return (SliceGate){.kind = SLICE_GATE_UNKNOWN};
    Gate gate;
    forest_evaluate(&gates->forest, gates->node_of[node.i], &gate);
    Simplifier simplifier = {.gates = gates};
    const GateTerm *term = simplify(&simplifier, gate, 0);
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
