// Latencies of instructions. The figures come from vendors' manuals and public measurements for
// cores since about 2016, rounded where these differ: a load that hits takes 4 or 5 cycles, sums 1,
// products 3, sums and products of floats 3 or 4, a quotient of floats 11 to 15, a quotient of
// integers from 10 to
// 40. Misses of a cache do not count.
#include "target/x64/code/latency.h"

#include "fact/effects.h"
#include "target/x64/model/x64.h"

const uint8_t x64_unit_ways[X64_UNIT_COUNT] = {
    [X64_UNIT_NONE] = 8,  [X64_UNIT_ALU] = 4,    [X64_UNIT_SHIFT] = 2,
    [X64_UNIT_MUL] = 1,   [X64_UNIT_DIVIDE] = 1, [X64_UNIT_FLOAT] = 2,
    [X64_UNIT_CROSS] = 1, [X64_UNIT_LOAD] = 2,   [X64_UNIT_STORE] = 1,
};

#define TIMING(cycles, hold, instructions, kind)                                                   \
    { .latency = (cycles), .busy = (hold), .count = (instructions), .unit = X64_UNIT_##kind }

// An operator whose operands are in registers, by its shape.
static const X64Timing shape_timing[] = {
    [X64_NO_SHAPE] = TIMING(1, 1, 1, ALU),     [X64_CONSTANT] = TIMING(1, 1, 1, ALU),
    [X64_ADDRESS] = TIMING(1, 1, 1, ALU),      [X64_COPY] = TIMING(1, 1, 1, NONE),
    [X64_BINARY] = TIMING(1, 1, 1, ALU),       [X64_MULTIPLY] = TIMING(3, 1, 1, MUL),
    [X64_SHIFT] = TIMING(1, 1, 1, SHIFT),      [X64_HIGH] = TIMING(4, 1, 1, MUL),
    [X64_DIVIDE] = TIMING(18, 8, 2, DIVIDE),   [X64_REMAINDER] = TIMING(19, 8, 2, DIVIDE),
    [X64_UNARY] = TIMING(1, 1, 1, ALU),        [X64_REVERSE] = TIMING(1, 1, 1, ALU),
    [X64_EXTEND] = TIMING(1, 1, 1, ALU),       [X64_TRUNCATE] = TIMING(1, 1, 1, NONE),
    [X64_COUNT] = TIMING(4, 1, 2, MUL),        [X64_POPCOUNT] = TIMING(14, 1, 16, ALU),
    [X64_COMPARE] = TIMING(2, 1, 3, ALU),      [X64_OVERFLOW] = TIMING(2, 1, 3, ALU),
    [X64_FLOAT] = TIMING(4, 1, 1, FLOAT),      [X64_FCOMPARE] = TIMING(5, 1, 3, FLOAT),
    [X64_SIGN] = TIMING(1, 1, 1, FLOAT),       [X64_ROOT] = TIMING(18, 6, 1, DIVIDE),
    [X64_CONVERT] = TIMING(5, 1, 1, FLOAT),    [X64_FROM_INT] = TIMING(7, 1, 2, CROSS),
    [X64_FROM_WIDE] = TIMING(10, 1, 8, CROSS), [X64_TO_INT] = TIMING(7, 1, 1, CROSS),
    [X64_TO_WIDE] = TIMING(12, 1, 8, CROSS),   [X64_BITS] = TIMING(3, 1, 1, CROSS),
    [X64_X87] = TIMING(12, 2, 4, FLOAT),       [X64_CHOOSE] = TIMING(2, 1, 2, ALU),
};

static X64Timing operator_timing(const MachInstr *instr) {
    Op op = (Op)instr->op;
    X64Timing timing = shape_timing[x64_shape(op)];
    bool wide = op_info(op)->at == TYPE_I64;
    switch (x64_shape(op)) {
    case X64_SHIFT:
        if (instr->immediate == 1) timing.unit = X64_UNIT_ALU;
        break;
    case X64_FLOAT:
        if (op_family(op) == FAM_DIV) timing = (X64Timing)TIMING(13, 4, 1, DIVIDE);
        break;
    case X64_DIVIDE:
    case X64_REMAINDER:
        if (wide) timing.latency += 8;
        break;
    default: break;
    }
    return timing;
}

// MOVE between places of the allocated state: what is a spill is in memory.
static X64Timing move_timing(const MachInstr *instr) {
    X64Timing timing = TIMING(0, 1, 1, NONE);
    timing.loads = place_is_spill(instr->src[0]);
    timing.stores = place_is_spill(instr->dest);
    return timing;
}

static bool has_spill(const MachInstr *instr) {
    for (unsigned k = 0; k < MACH_SOURCES; k++)
        if (instr->src[k].i != NO_ID && place_is_spill(instr->src[k])) return true;
    return false;
}

static X64Timing kind_timing(const MachInstr *instr) {
    switch ((MachKind)instr->kind) {
    case MK_OP: return operator_timing(instr);
    case MK_LEA: return (X64Timing)TIMING(1, 1, 1, ALU);
    case MK_LOAD: return (X64Timing)TIMING(0, 1, 1, NONE);
    case MK_LOAD_PART: return (X64Timing)TIMING(2, 1, 3, ALU);
    case MK_STORE: return (X64Timing)TIMING(1, 1, 1, STORE);
    case MK_STORE_PART: return (X64Timing)TIMING(2, 1, 3, STORE);
    case MK_UPDATE: return (X64Timing)TIMING(1, 1, 2, STORE);
    case MK_SELECT: return (X64Timing)TIMING(2, 1, 2, ALU);
    case MK_MOVE: return move_timing(instr);
    case MK_EXCHANGE: return (X64Timing)TIMING(2, 1, 3, ALU);
    default: return (X64Timing)TIMING(1, 1, 1, ALU);
    }
}

X64Timing x64_timing(const MachInstr *instr) {
    X64Timing timing = kind_timing(instr);
    Effects effects = mach_effects(instr);
    timing.loads |= (effects & MAY_READ) || has_spill(instr);
    timing.stores |=
        (effects & MAY_WRITE) || (instr->dest.i != NO_ID && place_is_spill(instr->dest));
    return timing;
}

static bool is_constant_of(const MachInstr *instr, int64_t a, int64_t b, int64_t c) {
    return instr->immediate == 1 && (instr->imm == a || instr->imm == b || instr->imm == c);
}

bool x64_needs_no_tie(const MachInstr *instr) {
    if (instr->kind != MK_OP || instr->checked || instr->memory != NO_SOURCE) return false;
    switch (op_family((Op)instr->op)) {
    case FAM_ADD: return x64_shape((Op)instr->op) == X64_BINARY;
    case FAM_SUB: return x64_shape((Op)instr->op) == X64_BINARY && instr->immediate == 1;
    case FAM_AND: return is_constant_of(instr, UINT8_MAX, UINT16_MAX, UINT16_MAX);
    case FAM_SHL: return is_constant_of(instr, 1, 2, 3);
    default: return false;
    }
}

bool x64_leaves_flags(const MachInstr *instr) {
    if (instr->kind != MK_OP) return false;
    switch (x64_shape((Op)instr->op)) {
    case X64_BINARY:
    case X64_UNARY: return op_family((Op)instr->op) != FAM_NOT;
    case X64_SHIFT: return instr->immediate == 1;
    default: return false;
    }
}

bool x64_tests_place(const MachInstr *instr) {
    bool compares = instr->kind == MK_BRANCH || instr->kind == MK_SELECT || instr->kind == MK_OP;
    if (!compares || x64_shape((Op)instr->op) != X64_COMPARE || instr->src[0].i == NO_ID)
        return false;
    if (instr->tested) return instr->immediate != 1 && instr->src[0].i == instr->src[1].i;
    return instr->immediate == 1 && instr->imm == 0;
}
