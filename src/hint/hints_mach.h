// The hints of instruction selection, register allocation, the order of instructions, and code
// generation for mach0.
#pragma once

#include "base/vec.h"

// The hint of instruction selection: which RTL node each block of the machine function starts with.
typedef struct {
    VEC(uint32_t) node_of_block; // one per block; the entry's is node 0
} SelectHint;

// The hint of the order of instructions inside of blocks.
typedef struct {
    VEC(uint32_t) old; // per instruction: its number in the old function
} ScheduleHint;

// The hint of register allocation: what each instruction and block was before.
typedef struct {
    VEC(uint32_t) origin;       // per instruction: its old instruction; NO_ID: inserted
    VEC(uint32_t) block_origin; // per block: its old block; NO_ID: inserted on an edge
    VEC(uint32_t) rank; // per block, if some call returns twice: a number that falls along no edge
} AllocateHint;

// The origin of an instruction of mach0.
typedef enum {
    MACH0_LABEL,     // the NOP with the label of a block; `node` is the head of the block
    MACH0_RECEIVE,   // CP R, R' at the start of a block, for its phi `phi`; `node` is the join
    MACH0_OPERATION, // an operation, a branch or an end: `node`
    MACH0_SEND, // CP x, R at the end of a block, for the phi `phi` of the join behind it; `node` is its last node
    MACH0_JUMP, // the JMP that ends a block; `node` is its last node, a nop or an operation that has its instruction, too
    MACH0_ROLE_COUNT
} Mach0Role;

typedef struct {
    uint32_t role; // Mach0Role
    uint32_t node; // of SSA
    uint32_t phi;  // index into the phis of the SSA function; NO_ID where there is none
} Mach0Origin;

// The hint of mach0_build, code generation after section 5.2 of Glesner (docs/papers.md).
typedef struct {
    VEC(Mach0Origin) origins; // per instruction
    VEC(uint32_t)
    register_of; // per register of SSA: where its value is; NO_ID if nothing mentions it
    VEC(uint32_t) carrier_of; // per phi of SSA: R, which brings its value from the predecessors
} Mach0Hint;
