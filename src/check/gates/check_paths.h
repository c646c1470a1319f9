// Predicates of paths, as checkers establish them; check_paths.c has the argument.
#pragma once

#include "check/check.h"
#include "graph/basic_blocks.h"
#include "graph/definitions.h"
#include "graph/loop_nest.h"
#include "hint/hints_gsa.h"

typedef struct {
    Arena *arena;
    const Func *func; // a graph with gated merges
    Gsa *gsa;         // a copy of the function's table of predicates, to which others are added
    const GatePaths *hint;
    Preds preds;
    Dominance dom;
    LoopNest loop_nest;
    uint32_t *head; // node -> first node of its block
    uint32_t *way;  // node with one predecessor -> its index among the predecessor's successors
    Gate *to;       // G of a head; NO_GATE if not known yet
    Gate *facts;    // gates of the facts that the hint adds, the first `known` of them
    uint32_t *fact_from, *fact_to; // where those facts start and end
    uint32_t known;
    const uint8_t *decisions; // about each node, if predicates are simplified; NULL
    uint32_t *join_at;        // where the facts of a join stand in the hint
    const Definition *definitions;
    VEC(uint32_t) latest; // gate -> the latest of its registers, as paths_set has it
    Verdict verdict;
} Paths;

// Establishes G for every block of a function of FORM_GSA. False, with the verdict, if the hint
// does not show it. Predicates that the function's own table has keep their numbers.
bool paths_check(Paths *paths, Arena *arena, const Func *func, const GatePaths *hint);
// The same with simplified predicates. For paths to the predecessors of joins that are no headers,
// and for no others, a simplified predicate is 1 exactly when the predicate of paths_check is
// (fact/gate/gate_decided.c).
bool paths_check_simplified(Paths *paths, Arena *arena, const Func *func, const GatePaths *hint);
// The same, beside the predicates of paths_check; both are in one table.
bool paths_simplify(Paths *simplified, const Paths *plain);

// The predicate of the fact with this number, if it is about the way from one block to another.
bool paths_between(Paths *paths, uint32_t fact, Node from, Node to, Gate *gate);
// The same for the way from the block that dominates a join to its k-th predecessor.
bool paths_into(Paths *paths, Node join, uint32_t k, Gate *gate);
// Where a fact starts and ends, by heads, and its predicate; false, with the verdict, if there is
// none.
bool paths_fact(Paths *paths, uint32_t fact, Node *from, Node *to, Gate *gate);

// Where a register is set: the number of the node, plus one; 0 for the entry.
static inline uint32_t paths_set(const Paths *paths, Reg reg) {
    Node node = paths->definitions[reg.i].node;
    return node.i == NO_ID ? 0 : node.i + 1;
}
// The same for the last of a predicate's registers.
uint32_t paths_latest(Paths *paths, Gate gate);

static inline bool paths_is_header(const Paths *paths, Node node) {
    return loop_nest_is_header(&paths->loop_nest, node);
}
// A join that is no loop header.
static inline bool paths_is_gated(const Paths *paths, Node node) {
    return preds_is_join(&paths->preds, node) && !paths_is_header(paths, node);
}
