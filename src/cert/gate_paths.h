// How the predicates of a function's paths come about: part of the hints of passes that make or use
// gates.
//
// Blocks go by their first nodes, the heads: the entry, joins, and successors of branches. Every head n
// but the entry has the base fact with its own number: G(n), the predicate for going from the block that
// dominates it immediately to n. A further fact joins two: from d to b and from b to y gives from d to y.
#pragma once

#include "form/gsa/gsa.h"

// Fact number nodes.count + i. Both parts have smaller numbers or are base facts; where the first ends
// the second begins.
typedef struct {
    uint32_t upper, lower;
} GateFact;

// The fact from a block to itself, which is True.
#define FACT_NONE NO_ID

typedef struct {
    VEC(GateFact) facts;
    // For each join that is no loop header, by node, and each of its predecessors in order: the fact from
    // the dominating block to the predecessor.
    VEC(uint32_t) joins;
} GatePaths;
