// Classes of SSA registers that can share one register: no two of a class hold different values at
// the same time. Registers that phis and moves relate are put together where that is possible, so
// that copies between them vanish.
#pragma once

#include "analysis/ssa_ranges.h"

typedef struct {
    Reg *of;    // register -> a register that stands for its class; itself if it is alone
    Reg *value; // register -> the register whose value it holds: the start of its chain of moves
} Coalescing;

// `origin` numbers the names of registers: versions of one have the same. The result lives in the
// arena. In time about proportional to the function, whatever its shape: on the few where finding
// all sharing would take longer, some copies stay.
Coalescing coalesce(Arena *arena, SsaRanges *ranges, const uint32_t *origin);
