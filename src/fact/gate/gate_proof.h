// Decides whether one predicate follows from another, by their structure alone, and which predicate
// of a list has another predicate as a disjunct.
#pragma once

#include "form/gsa.h"

typedef struct {
    Arena *arena;
    const Gsa *gsa;
    uint32_t *round_of; // gate -> the question in which its mark was set
    uint8_t *mark;
    uint32_t round;
    VEC(uint32_t) waiting; // gates whose operands are still to be visited
    Map known;             // of two gates that were asked about: whether the second follows
    uint64_t work;         // steps so far
} GateProof;

GateProof gate_proof_new(Arena *arena, const Gsa *gsa);

// True if `to` is 1 whenever `from` is: the conjuncts of `from` are taken to be 1, everything else
// to be anything but 1, and `to` comes out as 1 all the same. False means nothing. Takes time in
// proportion to the two, shared parts counted once; none if it was asked before.
bool gate_follows(GateProof *proof, Gate from, Gate to);

// ---- Disjuncts

typedef struct {
    Arena *arena;
    const Gsa *gsa;
    uint32_t *whole_in; // gate -> the last group that had this gate as a whole
    uint32_t *seen_in;  // gate -> the last search that met it
    uint32_t *holder;   // and the argument in which it did
    uint32_t group, search;
    VEC(uint32_t) waiting; // gates whose operands are still to be visited
    uint64_t work;         // steps so far
} GateDisjuncts;

GateDisjuncts gate_disjuncts_new(Arena *arena, const Gsa *gsa);
// The predicates that the next searches are for. These predicates are opaque: gates that consist of
// them are searched in time in proportion to the number of wholes, however large the wholes are.
void gate_disjuncts_group(GateDisjuncts *disjuncts, const Gate *wholes, uint32_t count);
// Looks through the gates of arguments.
void gate_disjuncts_search(GateDisjuncts *disjuncts, const MergeArg *args, uint32_t count);
// The first argument whose gate is or has the disjunct, by the last search; NO_ID if none was seen.
uint32_t gate_disjuncts_holder(const GateDisjuncts *disjuncts, Gate disjunct);
