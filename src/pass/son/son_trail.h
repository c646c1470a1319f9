// The record of how a function in Sea of Nodes came from the SSA function at the start of its
// excursion. son_schedule needs the record to say why the resulting function does the same. The
// record does not change the meaning of the function.
#pragma once

#include "form/son.h"

struct SonWork;

// A check of `before` that check_elim has removed, and the check that implies it.
typedef struct {
    Node check, by;
} ImpliedCheck;

typedef struct SonTrail {
    const Func *before; // the SSA function at which the excursion started
    VEC(Node) old;      // of each node of the skeleton, the node of `before` that it is
    // Of each register of `before`: the register of the SON function that has its value: itself, or
    // a register that hash-consing found to compute the same, or the source of a move.
    VEC(Reg) leader;
    struct SonWork *work;      // of son_optimize; NULL before
    VEC(ImpliedCheck) implied; // of check_elim
} SonTrail;

// Gives memory classes, versions and phis, in place of those that are there; `func` is all there
// otherwise. Near-linear.
void son_number_memory(Arena *scratch, Func *func);
