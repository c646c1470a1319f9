// Which registers a machine function in the unbounded state may still read, at the start of each block.
#pragma once

#include "ir/mach.h"

// Of block b: regs[first[b] .. first[b + 1] - 1], ascending.
typedef struct {
    uint32_t *first, *regs;
} MachLive;

// In time proportional to the code and the answer.
MachLive mach_live(Arena *arena, const Func *func, const MachPreds *preds);
