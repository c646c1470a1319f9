// Iterated dominance frontiers, one set after the other, without making all frontiers. With the
// dominator tree of a reverse graph they are the iterated control dependences.
//
// The frontier of x holds each z that x does not strictly dominate, though it dominates a
// predecessor of z; the iterated frontier of a set S is the least set that holds the frontiers of
// its own members and of those of S.
#pragma once

#include "analysis/dominators.h"
#include "analysis/mintree.h"
#include "base/bits.h"

typedef struct {
    const Graph *graph;
    const DomTree *dom;
    uint32_t *piece_at; // preorder number in the tree -> first piece that ends there or later
    uint32_t *target;   // of each piece, see frontiers.c
    uint32_t *top;
    MinTree tops;
    uint32_t *hidden; // scratch of a query: pieces already followed
    uint32_t hidden_count;
    SparseSet found; // scratch of a query: its answer
} Frontiers;

// Linear, but for a logarithm at joins. The graph and the tree must live as long as the result.
Frontiers frontiers_new(Arena *arena, const Graph *graph, const DomTree *dom);

// Replaces `out` by the iterated frontier of the `count` nodes of `set`, in order of discovery.
// Unreachable members count for nothing. The time is logarithmic for each node in the set, for each
// in the answer, and for each pair of these met where the second is in the frontier of the first
// (fewer than there are edges into joins); what lies between is never looked at.
void frontiers_of(Frontiers *frontiers, const uint32_t *set, uint32_t count, Arena *arena,
                  NodeList *out);
