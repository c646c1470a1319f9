// Writes obligations as SMT. A predicate g has two definitions, g1 and g0: g is 1, and g is 0. Over
// the rails t and f of an atom, t says that the atom is 1, f that the atom is 0.
//
// Implication of Lukasiewicz, a -> b = min(1, 1 - a + b), is 1 exactly if a <= b: if a is 1 so is
// b, and if b is 0 so is a. The exclusion of Herklotz et al. is (a -> (b -> not b)) and (b -> (a ->
// not a)). b -> not b is 0 if b is 1, else 1; so the exclusion asks that a is 0 if b is 1, and the
// other way round.
#include "solve/obligations_smt.h"

#include "base/bits.h"
#include "check/gates/check_matrix.h"

#include <string.h>

SmtEncoding smt_encoding_named(const char *name) {
    if (strcmp(name, "two-rail") == 0) return SMT_TWO_RAIL;
    return strcmp(name, "lukasiewicz") == 0 ? SMT_LUKASIEWICZ : SMT_NONE;
}

void smt_print_start(Out *out) {
    out_text(out, "(set-logic QF_UF)\n");
}

// ---- What is needed

static void find_needed(const Gsa *gsa, const Obligation *obligations, uint32_t count, Bits *gates,
                        Bits *atoms) {
    for (uint32_t i = 0; i < count; i++) {
        bits_add(gates, obligations[i].first.i);
        bits_add(gates, obligations[i].second.i);
    }
    for (uint32_t g = gsa->gates.count; g-- > 0;) {
        const GateNode *node = &gsa->gates.at[g];
        if (!bits_has(gates, g)) continue;
        if (node->kind == GK_LITERAL) bits_add(atoms, node->first);
        if (node->kind != GK_AND && node->kind != GK_OR) continue;
        bits_add(gates, node->first);
        bits_add(gates, node->second);
    }
}

// ---- Atoms

static bool same_switch(const GateAtom *a, const GateAtom *b) {
    return a->op == OP_COUNT && b->op == OP_COUNT && a->cases == b->cases &&
           a->arg[0].i == b->arg[0].i;
}

// At most one way of a switch is taken; the ways before this one that are needed.
static void print_way(Out *out, const Gsa *gsa, const Bits *atoms, uint32_t way,
                      SmtEncoding encoding) {
    for (uint32_t other = 0; other < way; other++) {
        if (!bits_has(atoms, other) || !same_switch(&gsa->atoms.at[other], &gsa->atoms.at[way]))
            continue;
        out_printf(out, "(assert (not (and t%u t%u)))\n", other, way);
        if (encoding == SMT_LUKASIEWICZ)
            out_printf(out, "(assert (and (=> t%u f%u) (=> t%u f%u)))\n", other, way, way, other);
    }
}

static void print_atoms(Out *out, const Gsa *gsa, const Bits *atoms, SmtEncoding encoding) {
    for (uint32_t a = bits_next(atoms, 0); a < gsa->atoms.count; a = bits_next(atoms, a + 1)) {
        out_printf(out,
                   "(declare-fun t%u () Bool)\n(declare-fun f%u () Bool)\n"
                   "(assert (not (and t%u f%u)))\n",
                   a, a, a, a);
        if (gsa->atoms.at[a].op == OP_COUNT) print_way(out, gsa, atoms, a, encoding);
    }
}

// ---- Predicates

static void print_gate(Out *out, const GateNode *node, uint32_t gate, bool one) {
    char rail = one ? '1' : '0';
    out_printf(out, "(define-fun g%u_%c () Bool ", gate, rail);
    switch ((GateKind)node->kind) {
    case GK_TRUE: out_text(out, one ? "true" : "false"); break;
    case GK_FALSE: out_text(out, one ? "false" : "true"); break;
    case GK_UNDEF: out_text(out, "false"); break;
    case GK_LITERAL: out_printf(out, "%c%u", node->negated == one ? 'f' : 't', node->first); break;
    case GK_AND:
    case GK_OR:
        out_printf(out, "(%s g%u_%c g%u_%c)", (node->kind == GK_AND) == one ? "and" : "or",
                   node->first, rail, node->second, rail);
        break;
    }
    out_text(out, ")\n");
}

// ---- Obligations

static void print_obligation(Out *out, const Obligation *obligation, SmtEncoding encoding) {
    uint32_t a = obligation->first.i, b = obligation->second.i;
    bool implies = obligation->kind == MUST_IMPLY;
    out_text(out, "(push 1)\n(assert (not ");
    if (encoding == SMT_TWO_RAIL && implies)
        out_printf(out, "(=> g%u_1 g%u_1)", a, b);
    else if (encoding == SMT_TWO_RAIL)
        out_printf(out, "(not (and g%u_1 g%u_1))", a, b);
    else if (implies)
        out_printf(out, "(and (=> g%u_1 g%u_1) (=> g%u_0 g%u_0))", a, b, b, a);
    else
        out_printf(out, "(and (=> g%u_1 g%u_0) (=> g%u_1 g%u_0))", b, a, a, b);
    out_text(out, "))\n(check-sat)\n(pop 1)\n");
}

void smt_print(Out *out, const Gsa *gsa, const Obligation *obligations, uint32_t count,
               SmtEncoding encoding) {
    Arena *arena = arena_new("obligations");
    Bits gates = bits_new(arena, gsa->gates.count), atoms = bits_new(arena, gsa->atoms.count);
    find_needed(gsa, obligations, count, &gates, &atoms);
    out_text(out, "(push 1)\n");
    print_atoms(out, gsa, &atoms, encoding);
    for (uint32_t g = bits_next(&gates, 0); g < gsa->gates.count; g = bits_next(&gates, g + 1))
        for (uint32_t one = 0; one < 2; one++) print_gate(out, &gsa->gates.at[g], g, one);
    for (uint32_t i = 0; i < count; i++) print_obligation(out, &obligations[i], encoding);
    out_text(out, "(pop 1)\n");
    arena_free(arena);
}

// ---- Of a function

typedef struct {
    Arena *arena;
    VEC(Obligation) list;
} Collection;

static void collect(void *context, const Obligation *obligation, Settled settled) {
    Collection *collection = context;
    (void)settled;
    vec_push(collection->arena, &collection->list, *obligation);
}

void smt_print_matrix(Out *out, const Func *func, const GatePaths *hint, SmtEncoding encoding) {
    Arena *arena = arena_new("obligations");
    Collection collection = {.arena = arena};
    Paths paths;
    Obligations obligations;
    if (paths_check(&paths, arena, func, hint)) {
        obligations_init(&obligations, arena, paths.gsa);
        obligations.observe = collect;
        obligations.context = &collection;
        (void)matrix_check(&paths, &obligations);
        smt_print(out, paths.gsa, collection.list.at, collection.list.count, encoding);
    }
    arena_free(arena);
}
