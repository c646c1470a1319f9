// Obligations about predicates: a checker must show that one predicate implies another, or excludes
// it.
//
// Most obligations are settled at once, by structure or by unit propagation. The rest goes to a
// solver, all open obligations of a function in one question; the solver's proof is checked
// (drat.h). In a checker that must not depend on a solver, an open obligation counts as violated.
//
// An example are the gates that an optimization has changed. P[d,k] is the predicate of the way
// from the block d that dominates a join to its predecessor k (check_paths.h). P[d,k] must imply
// the gate of the argument that goes with k, and exclude the gates of all other arguments.
#pragma once

#include "check/check.h"
#include "check/clauses/gate_clauses.h"
#include "fact/gate/gate_proof.h"

typedef enum {
    MUST_IMPLY,   // if the first is 1, so is the second
    MUST_EXCLUDE, // the two are never both 1
} ObligationKind;

typedef struct {
    ObligationKind kind;
    Gate first, second;
    Node node; // where it comes from
} Obligation;

// How obligations were settled.
typedef enum {
    SETTLED_EQUAL,
    SETTLED_STRUCTURE,
    SETTLED_PROPAGATION,
    SETTLED_SOLVER,
    SETTLED_COUNT
} Settled;

typedef struct {
    // Looks for a proof that clauses, given in DIMACS form, cannot all be true. Nothing it says is
    // believed. False, with the reason, if there is no proof.
    bool (*refute)(void *context, Arena *arena, const char *dimacs, size_t length, char **proof,
                   size_t *proof_length, const char **reason);
    void *context;
} Refuter;

typedef struct {
    Arena *arena;
    const Gsa *gsa;
    GateProof proof;
    uint32_t proof_size; // gates for which it has room
    GateClauses clauses;
    VEC(Obligation) open;
    uint64_t settled[SETTLED_COUNT];
    // Called for every obligation with the way it was settled; SETTLED_SOLVER: it is left for the
    // solver. May be NULL.
    void (*observe)(void *context, const Obligation *obligation, Settled settled);
    void *context;
} Obligations;

void obligations_init(Obligations *obligations, Arena *arena, const Gsa *gsa);

// The second is 1 whenever the first is. True if it was settled at once.
bool gate_implies(Obligations *obligations, Node node, Gate first, Gate second);
// By structure alone: false means nothing, and nothing is left open.
bool gate_implies_plainly(Obligations *obligations, Gate first, Gate second);

// No two of the gates are 1 at a time. Pairs that are not settled at once are put into `pairs`, as
// two indices each.
typedef VEC(uint32_t) GatePairs;
void gates_exclude(Obligations *obligations, Node node, const Gate *gates, uint32_t count,
                   GatePairs *pairs);
// The two are never both 1. True if it was settled at once.
bool gate_excludes(Obligations *obligations, Node node, Gate first, Gate second);
// Leaves an obligation to the solver without trying anything else.
void obligation_leave(Obligations *obligations, Obligation obligation);

// The verdict on what is open.
Verdict obligations_settle(Obligations *obligations, const Refuter *refuter);
