// Sets of clauses, and the literals that follow from them by unit propagation.
#pragma once

#include "base/vec.h"

// A variable, or its negation.
typedef struct {
    uint32_t i; // 2 * variable, plus 1 if negated
} Lit;

static inline Lit lit_not(Lit lit) {
    return (Lit){lit.i ^ 1};
}

typedef struct {
    uint32_t at, count; // in Clauses.literals
    uint32_t next[2];   // next in the list of clauses that watch its first, its second literal
    bool removed;
} Clause;

typedef struct {
    Arena *arena;
    VEC(Lit) literals;
    VEC(Clause) clauses;
    VEC(uint32_t)
    watch; // literal -> the first clause that watches it, as 2 * clause + which; or NO_WATCH
    VEC(bool) holds; // literal -> it is true
    VEC(Lit) trail;  // the literals that are true, in the order in which that was found
    uint32_t done;   // of the trail: their consequences are drawn
    bool refuted;    // the clauses cannot all be true
} Clauses;

#define NO_WATCH UINT32_MAX

// Empties the set, which keeps its memory.
void clauses_reset(Clauses *clauses);

// A new variable, as a literal.
Lit clauses_variable(Clauses *clauses);

// Adds a clause, the number of which is returned. Nothing may be assumed at the time.
uint32_t clauses_add(Clauses *clauses, const Lit *literals, uint32_t count);
#define CLAUSE(clauses, ...)                                                                       \
    clauses_add((clauses), (const Lit[]){__VA_ARGS__},                                             \
                sizeof((const Lit[]){__VA_ARGS__}) / sizeof(Lit))
void clauses_remove(Clauses *clauses, uint32_t clause);

// Takes a literal to be true, too. False if that contradicts the clauses and what was assumed
// before; true means nothing. After a contradiction assumptions must be undone.
bool clauses_assume(Clauses *clauses, Lit literal);
static inline uint32_t clauses_mark(const Clauses *clauses) {
    return clauses->trail.count;
}
// Forgets what was assumed since the mark was taken.
void clauses_undo(Clauses *clauses, uint32_t mark);

// Whether a literal follows from the clauses and the assumptions, as far as this was found.
static inline bool clauses_hold(const Clauses *clauses, Lit literal) {
    return clauses->holds.at[literal.i];
}
