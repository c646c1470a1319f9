// Dominance in a function graph, for verifiers, checkers and passes alike.
//
// Node a dominates node b if every path from the entry to b goes through a. The answer can be
// relied on: the tree is computed by an algorithm that need not be believed, then checked by a
// condition that is easy to see through (see dominance.c).
#pragma once

#include "form/program.h"

typedef struct Dominance {
    // Numbers of the reachable nodes in a preorder of the dominator tree in which the nodes that a
    // node dominates follow it without gap: a dominates b if number[a] <= number[b] <= last[a].
    // NO_ID in `number` for a node that is not reachable.
    uint32_t *number;
    uint32_t *last;
    uint32_t *order; // node of each number, count of them
    uint32_t count;  // reachable nodes
    Node *idom;      // NO_NODE for the entry and for what is not reachable
} Dominance;

// In time O(edges * log(blocks)) on every graph. `preds` are those of the function.
Dominance dominance_of(Arena *arena, const Func *func, const Preds *preds);

static inline bool dominance_reaches(const Dominance *dom, Node node) {
    return dom->number[node.i] != NO_ID;
}
// Both nodes are reachable. A node dominates itself.
static inline bool dominates(const Dominance *dom, Node a, Node b) {
    return dom->number[a.i] <= dom->number[b.i] && dom->number[b.i] <= dom->last[a.i];
}
