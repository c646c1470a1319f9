// The hint of register allocation: what each instruction and block was before.
#pragma once

#include "form/mach/mach.h"

typedef struct {
    VEC(uint32_t) origin;       // per instruction: the one that it was before; NO_ID: put in
    VEC(uint32_t) block_origin; // per block: the one that it was before; NO_ID: put in on an edge
    VEC(uint32_t) rank; // per block, if some call returns twice: a number that falls along no edge
} AllocateHint;
