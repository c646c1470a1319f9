// Predicates of paths, for passes that make or use gates.
//
// G(n) is the predicate for going from the block that dominates block n immediately to n; the
// predicate P[d,n] for any dominating d is the conjunction of G along the dominator tree. Blocks
// are taken from the last to the first. When d has its turn, everything below d is done, and the
// trees of its children are linked to d one after the other, in the order of their numbers. A
// child's forward predecessors lie in trees that are linked already, so that G(child) = or of
// P[d,predecessor] can be evaluated, by path compression. After that, and until the next block has
// its turn, so can P[d,n] for every n below d.
#pragma once

#include "graph/loop_nest.h"
#include "hint/hints_gsa.h"

// The pads at which loops are left: of loop number i pad[at[i] .. at[i + 1] - 1], ascending.
typedef struct {
    uint32_t *at;
    uint32_t *pad;
    uint32_t *loop; // header -> number; loops are numbered by their headers
} GateExits;

typedef struct {
    Arena *arena;
    const Func *func;
    Gsa *gsa;        // the table in which predicates are made
    GatePaths *hint; // filled in
    Preds preds;
    Dominance dom;
    LoopNest loop_nest;
    uint32_t *head;    // node -> first node of its block
    uint32_t *join_at; // where the facts of a join stand in hint->joins, and their gates in:
    Gate *join_gate;
    // The forest that is linked so far, of heads.
    uint32_t *ancestor;         // NO_ID for a root
    uint32_t *fact;             // from the ancestor to here
    Gate *gate;                 // of that fact
    VEC(uint32_t) path;         // scratch of compress
    uint32_t *child_at, *child; // of each head in the dominator tree, ascending
    uint32_t *way;              // of a node with one predecessor: its index among the predecessor's
                                // successors
    const uint8_t *decisions;   // about each node, if predicates are simplified; NULL
    uint32_t *cases;            // of each switch: its number in the table
    // Facts and gates from headers: to each exit, in the order of exits.pad; to each latch.
    uint32_t loops;
    GateExits exits;
    uint32_t *exit_fact;
    Gate *exit_gate;
    uint32_t *latch_fact;
    Gate *latch_gate;
} GateForest;

// False if the graph is not reducible, not numbered in reverse postorder, or has loops with several
// entries or latches: then there are no gates for it.
bool forest_init(GateForest *forest, Arena *arena, const Func *func, Gsa *gsa, GatePaths *hint);

// Another forest for the same function and table.
void forest_init_again(GateForest *forest, const GateForest *other, GatePaths *hint);

// Asks for simplified predicates, good for the gates of gammas only: see fact/gate/gate_decided.h.
// Before forest_grow.
void forest_simplify(GateForest *forest);

// Finds the predicates of all blocks, joins, exits and latches.
void forest_grow(GateForest *forest);

// After that: whether each gamma has one argument for each predecessor of its join, in order, with
// the gate of the way to the predecessor, as gsa_build makes gammas.
bool forest_is_regular(const GateForest *forest);
// And the fact and the predicate from the entry to a node.
uint32_t forest_evaluate(GateForest *forest, uint32_t node, Gate *gate);

// The header of the innermost loop that is left on the way into a node; NO_NODE if none is.
Node forest_first_left(const GateForest *forest, uint32_t node);
