// Predicates as clauses: each predicate gets a literal that says "this predicate is 1".
#pragma once

#include "check/clauses/clauses.h"
#include "form/gsa.h"

typedef struct {
    Arena *arena;
    const Gsa *gsa;
    Clauses clauses;
    Lit yes;              // true
    uint32_t round;       // counts how often it was emptied
    VEC(uint32_t) made;   // gate -> the round in which it got its literal
    VEC(Lit) literal;     // gate -> its literal
    VEC(uint32_t) railed; // atom -> the round in which it got its variables
    VEC(Lit) rail;        // atom -> "the atom is 1"; the next variable says "the atom is 0"
    Map earlier; // a register and a list of cases -> "one of the ways with variables is taken", as a variable
    VEC(uint32_t) waiting; // gates whose operands are still to be visited
} GateClauses;

void gate_clauses_init(GateClauses *clauses, Arena *arena, const Gsa *gsa);
// Starts again without clauses.
void gate_clauses_reset(GateClauses *clauses);
// The literal of a predicate; adds the clauses that tie it to the atoms, if need be.
Lit gate_clauses_literal(GateClauses *clauses, Gate gate);
