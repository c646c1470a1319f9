// Whether one predicate follows from another, by their structure alone.
#pragma once

#include "ir/gsa.h"

typedef struct {
    Arena *arena;
    const Gsa *gsa;
    uint32_t *round_of; // gate -> the question in which its mark was set
    uint8_t *mark;
    uint32_t round;
    VEC(uint32_t) stack;
} GateProof;

GateProof gate_proof_new(Arena *arena, const Gsa *gsa);

// True if `to` is 1 whenever `from` is: the conjuncts of `from` are taken to be 1, everything else to be
// anything but 1, and `to` comes out as 1 all the same. False means nothing. Takes time in proportion to
// the two, shared parts counted once.
bool gate_follows(GateProof *proof, Gate from, Gate to);
