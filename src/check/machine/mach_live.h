// Finds the registers that a machine function in the unbounded state may still read.
#pragma once

#include "check/machine/mach_backward.h"

typedef struct {
    KeySets keys;
    KeySet *entries; // per block: the registers that are live at its start
} MachLive;

// False if finding out took too long. Registers are left out of which `ignored`, if it is not NULL,
// is true.
bool mach_live(Arena *arena, const Func *func, const bool *ignored, MachLive *live);
// The registers live at the end of a block.
KeySet mach_live_out(MachLive *live, const Func *func, uint32_t block);
