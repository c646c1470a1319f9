// The hint of the pass ssa_build: which register each new register is a version of, and where the
// value of which register is still wanted.
#pragma once

#include "form/program.h"

typedef struct {
    VEC(Reg) origin; // for each new register, the old one that it is a version of
    // The old registers tracked at the joins, ascending: those of the k-th join (in order of nodes)
    // are tracked[tracked_at[k] .. tracked_at[k + 1] - 1]. A register is tracked at a join if a use
    // that it can reach from there wants its value: a use by an instruction, or by a phi.
    VEC(uint32_t) tracked_at;
    VEC(Reg) tracked;
} SsaHint;
