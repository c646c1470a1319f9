// How long instructions take: latencies and units of a recent x86-64 core, as data for the
// scheduler and for nobody else. Nothing depends on the figures but which of the orders that are
// allowed is chosen.
#pragma once

#include "form/mach.h"

// The units of a core that instructions compete for. A core has X64_UNIT_WAYS of each kind.
typedef enum {
    X64_UNIT_NONE,   // done where registers are renamed, or no instruction at all
    X64_UNIT_ALU,    // sums, bits, comparisons, addresses, branches
    X64_UNIT_SHIFT,  // shifts by a register
    X64_UNIT_MUL,    // products of integers, searches for bits
    X64_UNIT_DIVIDE, // quotients and roots: not pipelined
    X64_UNIT_FLOAT,  // sums, products and conversions of floats
    X64_UNIT_CROSS,  // from vector to general registers and back
    X64_UNIT_LOAD,
    X64_UNIT_STORE,
    X64_UNIT_COUNT
} X64Unit;

extern const uint8_t x64_unit_ways[X64_UNIT_COUNT];

enum {
    X64_ISSUE_WIDTH = 4,  // instructions that enter the core in a cycle
    X64_LOAD_LATENCY = 5, // from an address to a value in the nearest cache
};

typedef struct {
    uint8_t
        latency; // cycles from the last operand to the result; without that of a load that is part of it
    uint8_t busy;  // cycles for which a unit can start nothing else
    uint8_t count; // instructions that it is written as
    uint8_t unit;  // X64Unit of the slowest of them
    bool loads;    // an access to memory comes first,
    bool stores;   //   or last
} X64Timing;

X64Timing x64_timing(const MachInstr *instr);

// Whether an instruction with a tied operand, if its result is elsewhere, is written without a
// copy: as lea, as an extension.
bool x64_needs_no_tie(const MachInstr *instr);
// Whether the comparison of a result with zero costs nothing behind the instruction, which has set
// the flags by it.
bool x64_leaves_flags(const MachInstr *instr);
// Whether an instruction compares its first operand, a place, with zero.
bool x64_tests_place(const MachInstr *instr);
