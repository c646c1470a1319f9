// Settles obligations. Every way of settling one is sound by itself: equal predicates imply each
// other; gate_proof.h has the argument for structure; a contradiction by unit propagation among
// clauses that every valuation can meet (gate_clauses.c) means that no valuation meets the
// assumptions.
//
// The question for the solver has, for each open obligation, a variable that says "this obligation
// is violated", and a clause that one of these variables is true. If the clauses contradict each
// other, no obligation can be violated.
#include "check/clauses/obligations.h"

#include "check/clauses/drat.h"

void obligations_init(Obligations *o, Arena *arena, const Gsa *gsa) {
    *o = (Obligations){.arena = arena, .gsa = gsa};
    gate_clauses_init(&o->clauses, arena, gsa);
}

static bool note(Obligations *o, const Obligation *obligation, Settled settled) {
    o->settled[settled]++;
    if (o->observe) o->observe(o->context, obligation, settled);
    if (settled == SETTLED_SOLVER) vec_push(o->arena, &o->open, *obligation);
    return settled != SETTLED_SOLVER;
}

void obligation_leave(Obligations *o, Obligation obligation) {
    note(o, &obligation, SETTLED_SOLVER);
}

// Whether unit propagation shows that an obligation cannot be violated.
static bool propagates(Obligations *o, const Obligation *obligation) {
    gate_clauses_reset(&o->clauses);
    Lit first = gate_clauses_literal(&o->clauses, obligation->first),
        second = gate_clauses_literal(&o->clauses, obligation->second);
    return !clauses_assume(&o->clauses.clauses, first) ||
           !clauses_assume(&o->clauses.clauses,
                           obligation->kind == MUST_IMPLY ? lit_not(second) : second);
}

// ---- Implication

bool gate_implies_plainly(Obligations *o, Gate first, Gate second) {
    if (first.i == second.i || second.i == GATE_TRUE.i) return true;
    if (o->gsa->gates.count > o->proof_size) {
        o->proof_size = 2 * o->gsa->gates.count;
        o->proof = (GateProof){.arena = o->arena,
                               .gsa = o->gsa,
                               .round_of = ARENA_ARRAY(o->arena, uint32_t, o->proof_size),
                               .mark = ARENA_ARRAY(o->arena, uint8_t, o->proof_size)};
    }
    return gate_follows(&o->proof, first, second);
}

bool gate_implies(Obligations *o, Node node, Gate first, Gate second) {
    Obligation obligation = {.kind = MUST_IMPLY, .first = first, .second = second, .node = node};
    return note(o, &obligation,
                first.i == second.i                      ? SETTLED_EQUAL
                : gate_implies_plainly(o, first, second) ? SETTLED_STRUCTURE
                : propagates(o, &obligation)             ? SETTLED_PROPAGATION
                                                         : SETTLED_SOLVER);
}

// ---- Exclusion

// The first gate is assumed: whether it excludes the second.
static bool excluded(Clauses *clauses, Lit second) {
    if (clauses_hold(clauses, lit_not(second))) return true;
    uint32_t mark = clauses_mark(clauses);
    bool excluded = !clauses_assume(clauses, second);
    clauses_undo(clauses, mark);
    return excluded;
}

void gates_exclude(Obligations *o, Node node, const Gate *gates, uint32_t count, GatePairs *pairs) {
    Clauses *clauses = &o->clauses.clauses;
    gate_clauses_reset(&o->clauses);
    Lit *literals = ARENA_ARRAY(o->arena, Lit, count);
    for (uint32_t i = 0; i < count; i++) literals[i] = gate_clauses_literal(&o->clauses, gates[i]);
    uint32_t mark = clauses_mark(clauses);
    for (uint32_t i = 0; i < count; i++) {
        bool possible = clauses_assume(clauses, literals[i]);
        for (uint32_t j = i + 1; j < count; j++) {
            Obligation pair = {MUST_EXCLUDE, gates[i], gates[j], node};
            bool settled = !possible || excluded(clauses, literals[j]);
            if (settled) note(o, &pair, SETTLED_PROPAGATION);
            if (settled) continue;
            vec_push(o->arena, pairs, i);
            vec_push(o->arena, pairs, j);
        }
        clauses_undo(clauses, mark);
    }
}

bool gate_excludes(Obligations *o, Node node, Gate first, Gate second) {
    Obligation obligation = {.kind = MUST_EXCLUDE, .first = first, .second = second, .node = node};
    return note(o, &obligation, propagates(o, &obligation) ? SETTLED_PROPAGATION : SETTLED_SOLVER);
}

// ---- The solver

// Adds the question whether an open obligation can be violated.
static void ask(Obligations *o) {
    Clauses *clauses = &o->clauses.clauses;
    VEC(Lit) violated = {0};
    gate_clauses_reset(&o->clauses);
    for (uint32_t i = 0; i < o->open.count; i++) {
        const Obligation *open = &o->open.at[i];
        Lit first = gate_clauses_literal(&o->clauses, open->first),
            second = gate_clauses_literal(&o->clauses, open->second),
            violation = clauses_variable(clauses);
        CLAUSE(clauses, lit_not(violation), first);
        CLAUSE(clauses, lit_not(violation), open->kind == MUST_IMPLY ? lit_not(second) : second);
        vec_push(o->arena, &violated, violation);
    }
    clauses_add(clauses, violated.at, violated.count);
}

static void print_dimacs(Out *out, const Clauses *clauses) {
    out_printf(out, "p cnf %u %u\n", clauses->watch.count / 2, clauses->clauses.count);
    for (uint32_t c = 0; c < clauses->clauses.count; c++) {
        const Clause *clause = &clauses->clauses.at[c];
        for (uint32_t i = 0; i < clause->count; i++) {
            Lit literal = clauses->literals.at[clause->at + i];
            out_i64(out, (literal.i & 1 ? -1 : 1) * (int64_t)(literal.i / 2 + 1));
            out_char(out, ' ');
        }
        out_text(out, "0\n");
    }
}

static const char *name_of(const Obligation *open) {
    return open->kind == MUST_IMPLY ? "a predicate does not follow"
                                    : "two gates do not exclude each other";
}

Verdict obligations_settle(Obligations *o, const Refuter *refuter) {
    if (!o->open.count) return VERDICT_ACCEPTED;
    const Obligation *first = &o->open.at[0];
    if (!refuter)
        return verdict_rejected(o->arena, node_site(first->node),
                                "%s, as far as is seen without a solver", name_of(first));
    Out dimacs = {0};
    char *proof;
    size_t length;
    const char *reason;
    ask(o);
    if (o->clauses.clauses.refuted) return VERDICT_ACCEPTED;
    print_dimacs(&dimacs, &o->clauses.clauses);
    bool refuted = refuter->refute(refuter->context, o->arena, dimacs.text, dimacs.length, &proof,
                                   &length, &reason);
    out_free(&dimacs);
    if (refuted && drat_check(&o->clauses.clauses, proof, length, &reason)) return VERDICT_ACCEPTED;
    return verdict_rejected(o->arena, node_site(first->node), "%s, or one of %u others: %s",
                            name_of(first), o->open.count - 1, reason);
}
