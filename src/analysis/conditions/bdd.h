// Small reduced ordered binary decision diagrams: Boolean functions of numbered variables, each
// kept once, so that two functions are the same if their numbers are. A table has a budget of
// nodes. When the budget is spent, the table is `full`, and its further results mean nothing:
// callers ask for `full` at the end.
#pragma once

#include "base/vec.h"

typedef uint32_t Bdd; // index of a node
enum { BDD_FALSE = 0, BDD_TRUE = 1 };

typedef struct {
    uint32_t variable; // UINT32_MAX in the two constants
    Bdd low, high;     // where the variable is false, and true
} BddNode;

// Recursion goes from a variable to a larger variable: this bounds its depth.
enum { BDD_MAX_VARIABLES = 1000 };

typedef struct {
    Bdd test, yes, no, result;
} BddChoice;

typedef struct {
    Arena *arena;
    VEC(BddNode) nodes;
    uint32_t *shared; // hash table of nodes; 0 marks a free place
    BddChoice *known; // results, where they fit
    uint32_t budget;
    bool full;
} BddTable;

void bdd_init(BddTable *table, Arena *arena, uint32_t budget);

Bdd bdd_variable(BddTable *table, uint32_t variable);
// Where `test` holds `yes`, elsewhere `no`.
Bdd bdd_choose(BddTable *table, Bdd test, Bdd yes, Bdd no);
static inline Bdd bdd_and(BddTable *table, Bdd a, Bdd b) {
    return bdd_choose(table, a, b, BDD_FALSE);
}
static inline Bdd bdd_or(BddTable *table, Bdd a, Bdd b) {
    return bdd_choose(table, a, BDD_TRUE, b);
}
static inline Bdd bdd_not(BddTable *table, Bdd a) {
    return bdd_choose(table, a, BDD_FALSE, BDD_TRUE);
}

// Where a function holds for some values of the variables that are marked.
Bdd bdd_forget(BddTable *table, Bdd function, const bool *forgotten);
// Marks the variables that a function depends on, in an array that has room for all.
void bdd_support(BddTable *table, Bdd function, bool *used);

// A literal is twice its variable, plus one if negated.
typedef VEC(uint32_t) BddLiterals;
// A sum of products: the products one after the other, each ended by BDD_END.
enum { BDD_END = UINT32_MAX };

// Products whose sum holds wherever `lower` does, and nowhere where `upper` does not. No product,
// and no literal in a product, can be left out. False if the table is full.
bool bdd_products(BddTable *table, Bdd lower, Bdd upper, BddLiterals *products);
