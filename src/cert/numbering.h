// The hint of copy_prop, lvn and gvn: which registers are claimed to be equal.
#pragma once

#include "form/program.h"

// A numbering of the registers of the function before the pass. Two registers with the same leader
// are congruent: wherever both definitions dominate, both hold the same value. A leader is its own
// leader. The representative that takes the place of a register in the function after the pass is
// not named here: it is seen there.
typedef struct {
    VEC(Reg) leader; // one per register
} Numbering;
