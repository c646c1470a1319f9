// The hint of instruction selection: which RTL node each block of the machine function starts with.
#pragma once

#include "form/mach/mach.h"

typedef struct {
    VEC(uint32_t) node_of_block; // one per block; the entry's is node 0
} SelectHint;
