// Encodes predicates over three values as clauses over two. An atom c has two variables, the rails:
// t says that c is 1, f says that c is 0; never both. If neither is true, c is 1/2. "This predicate
// is 1" is then a monotone function of rails. A literal is 1 if its rail is true; a conjunction is
// 1 if both operands are, a disjunction if one operand is; Undef never is. Every valuation of the
// atoms in three values gives values to the rails and, by the clauses, to everything else. So if
// clauses and assumptions contradict each other, no valuation meets the assumptions.
//
// At most one way of a switch on one register is taken. As a switch may have thousands of ways, a
// chain says so: with the rails t1, t2, ... in the order in which they are met, variable s(k) is
// true if one of t1 to t(k) is, and t(k) excludes s(k-1).
#include "check/clauses/gate_clauses.h"

void gate_clauses_init(GateClauses *clauses, Arena *arena, const Gsa *gsa) {
    *clauses = (GateClauses){.arena = arena, .gsa = gsa, .clauses = {.arena = arena}};
    gate_clauses_reset(clauses);
}

void gate_clauses_reset(GateClauses *clauses) {
    clauses_reset(&clauses->clauses);
    clauses->round++;
    clauses->earlier = (Map){0};
    clauses->yes = clauses_variable(&clauses->clauses);
    CLAUSE(&clauses->clauses, clauses->yes);
}

// The tables of predicates and atoms may have grown.
static void make_room(GateClauses *clauses) {
    const Gsa *gsa = clauses->gsa;
    while (clauses->made.count < gsa->gates.count) {
        vec_push(clauses->arena, &clauses->made, 0);
        vec_push(clauses->arena, &clauses->literal, (Lit){0});
    }
    while (clauses->railed.count < gsa->atoms.count) {
        vec_push(clauses->arena, &clauses->railed, 0);
        vec_push(clauses->arena, &clauses->rail, (Lit){0});
    }
}

// ---- Atoms

static void exclude_other_ways(GateClauses *clauses, const GateAtom *atom, Lit taken) {
    Clauses *all = &clauses->clauses;
    uint64_t key = (uint64_t)atom->arg[0].i << 32 | atom->cases;
    uint32_t earlier = map_get(&clauses->earlier, key);
    Lit some = taken;
    if (earlier != HASH_NONE) {
        some = clauses_variable(all);
        CLAUSE(all, lit_not(taken), lit_not((Lit){earlier}));
        CLAUSE(all, lit_not(taken), some);
        CLAUSE(all, lit_not((Lit){earlier}), some);
    }
    map_set(clauses->arena, &clauses->earlier, key, some.i);
}

static Lit rail_of(GateClauses *clauses, uint32_t number, bool negated) {
    const GateAtom *atom = &clauses->gsa->atoms.at[number];
    if (clauses->railed.at[number] != clauses->round) {
        Lit one = clauses_variable(&clauses->clauses), zero = clauses_variable(&clauses->clauses);
        CLAUSE(&clauses->clauses, lit_not(one), lit_not(zero));
        clauses->railed.at[number] = clauses->round;
        clauses->rail.at[number] = one;
        if (atom->op == OP_COUNT) exclude_other_ways(clauses, atom, one);
    }
    return (Lit){clauses->rail.at[number].i + (negated ? 2 : 0)};
}

// ---- Predicates

static Lit join(GateClauses *clauses, bool disjunction, Lit first, Lit second) {
    Clauses *all = &clauses->clauses;
    // A disjunction fails exactly if the conjunction of the negations holds.
    Lit a = disjunction ? lit_not(first) : first, b = disjunction ? lit_not(second) : second;
    Lit fresh = clauses_variable(all), both = disjunction ? lit_not(fresh) : fresh;
    CLAUSE(all, lit_not(both), a);
    CLAUSE(all, lit_not(both), b);
    CLAUSE(all, both, lit_not(a), lit_not(b));
    return fresh;
}

// The literal of a predicate whose operands have theirs.
static Lit literal_of(GateClauses *clauses, const GateNode *gate) {
    const Lit *literal = clauses->literal.at;
    switch ((GateKind)gate->kind) {
    case GK_TRUE: return clauses->yes;
    case GK_FALSE:
    case GK_UNDEF: return lit_not(clauses->yes);
    case GK_LITERAL: return rail_of(clauses, gate->first, gate->negated);
    case GK_AND:
    case GK_OR: break;
    }
    return join(clauses, gate->kind == GK_OR, literal[gate->first], literal[gate->second]);
}

static bool needs(GateClauses *clauses, uint32_t gate) {
    if (clauses->made.at[gate] == clauses->round) return false;
    vec_push(clauses->arena, &clauses->waiting, gate);
    return true;
}

Lit gate_clauses_literal(GateClauses *clauses, Gate gate) {
    make_room(clauses);
    needs(clauses, gate.i);
    while (clauses->waiting.count) {
        uint32_t at = clauses->waiting.at[clauses->waiting.count - 1];
        const GateNode *node = &clauses->gsa->gates.at[at];
        bool compound = node->kind == GK_AND || node->kind == GK_OR;
        if (compound && (needs(clauses, node->first) || needs(clauses, node->second))) continue;
        clauses->waiting.count--;
        if (clauses->made.at[at] == clauses->round) continue;
        clauses->literal.at[at] = literal_of(clauses, node);
        clauses->made.at[at] = clauses->round;
    }
    return clauses->literal.at[gate.i];
}
