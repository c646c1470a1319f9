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

// Operators whose operands are in registers, by their shape; other instructions, by their kind.
static const X64Timing shape_timing[X64_SHAPE_COUNT] = {
#define SHAPE(name, operands, clobbers, killed, ...) [X64_##name] = TIMING(__VA_ARGS__),
#include "target/x64/model/sequences.def"
};
static const X64Timing kind_timing[MACH_KIND_COUNT] = {
#define KIND(name, latency, busy, count, unit, text)                                               \
    [MK_##name] = TIMING(latency, busy, count, unit),
#define COMPOSED_KIND(name, ...) [MK_##name] = TIMING(__VA_ARGS__),
#include "target/x64/model/sequences.def"
};

static X64Timing operator_timing(const MachInstr *instr) {
    Op op = (Op)instr->op;
    X64Shape shape = x64_shape(op);
    X64Timing timing = shape_timing[shape];
    if (shape == X64_SHIFT && instr->immediate == 1) timing.unit = X64_UNIT_ALU;
    bool divides = shape == X64_DIVIDE || shape == X64_REMAINDER;
    if (divides && op_info(op)->at == TYPE_I64) timing.latency += 8;
    return timing;
}

static bool has_spill(const MachInstr *instr) {
    for (unsigned k = 0; k < MACH_SOURCES; k++)
        if (instr->src[k].i != NO_ID && place_is_spill(instr->src[k])) return true;
    return false;
}

X64Timing x64_timing(const MachInstr *instr) {
    X64Timing timing = instr->kind == MK_OP ? operator_timing(instr) : kind_timing[instr->kind];
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
