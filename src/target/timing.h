// How long instructions of a machine take: data for the scheduler and for nobody else. Nothing
// depends on the figures but which of the orders that are allowed is chosen.
#pragma once

#include "form/mach.h"

// The units of a core that instructions compete for.
typedef enum {
    UNIT_NONE,   // done where registers are renamed, or no instruction at all
    UNIT_ALU,    // sums, bits, comparisons, addresses, branches
    UNIT_SHIFT,  // shifts by a register
    UNIT_MUL,    // products of integers, searches for bits
    UNIT_DIVIDE, // quotients and roots: not pipelined
    UNIT_FLOAT,  // sums, products and conversions of floats
    UNIT_CROSS,  // from vector to general registers and back
    UNIT_LOAD,
    UNIT_STORE,
    UNIT_COUNT
} CoreUnit;

enum { UNIT_MOST_WAYS = 8 };

typedef struct {
    uint8_t latency; // cycles from the last operand to the result; a load in it does not count
    uint8_t busy;    // cycles for which a unit can start nothing else
    uint8_t count;   // instructions that it is written as
    uint8_t unit;    // CoreUnit of the slowest of them
    bool loads;      // an access to memory comes first,
    bool stores;     //   or last
} MachTiming;

typedef struct {
    uint8_t issue_width;      // instructions that enter the core in a cycle
    uint8_t load_latency;     // cycles from an address to a value in the nearest cache
    uint8_t ways[UNIT_COUNT]; // units of each kind, at most UNIT_MOST_WAYS
    MachTiming (*of)(const MachInstr *instr);
    // Whether an instruction with a tied operand is written without a copy, if its result is
    // elsewhere.
    bool (*needs_no_tie)(const MachInstr *instr);
    // Whether the comparison of a result with zero costs nothing behind the instruction, which has
    // set the flags by it.
    bool (*leaves_flags)(const MachInstr *instr);
    // Whether an instruction compares its first operand, a place, with zero.
    bool (*tests_place)(const MachInstr *instr);
} TargetTiming;
