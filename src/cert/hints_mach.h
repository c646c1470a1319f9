// The hints of instruction selection, register allocation and the order of instructions.
#pragma once

#include "base/vec.h"

// The hint of instruction selection: which RTL node each block of the machine function starts with.
typedef struct {
    VEC(uint32_t) node_of_block; // one per block; the entry's is node 0
} SelectHint;

// The hint of the order of instructions inside of blocks.
typedef struct {
    VEC(uint32_t) old; // per instruction: which one of the function before it is
} ScheduleHint;

// The hint of register allocation: what each instruction and block was before.
typedef struct {
    VEC(uint32_t) origin;       // per instruction: the one that it was before; NO_ID: put in
    VEC(uint32_t) block_origin; // per block: the one that it was before; NO_ID: put in on an edge
    VEC(uint32_t) rank; // per block, if some call returns twice: a number that falls along no edge
} AllocateHint;
