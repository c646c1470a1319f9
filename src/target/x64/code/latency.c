// Latencies of instructions. The figures come from vendors' manuals and public measurements for
// cores since about 2016, rounded where these differ: a load that hits takes 4 or 5 cycles, sums 1,
// products 3, sums and products of floats 3 or 4, a quotient of floats 11 to 15, a quotient of
// integers from 10 to
// 40. Misses of a cache do not count.
#include "target/x64/code/latency.h"

#include "fact/effects.h"
#include "target/x64/model/x64.h"

#define TIMING(cycles, hold, instructions, kind)                                                   \
    { .latency = (cycles), .busy = (hold), .count = (instructions), .unit = UNIT_##kind }

// Operators whose operands are in registers, by their shape; other instructions, by their kind.
static const MachTiming shape_timing[X64_SHAPE_COUNT] = {
#define SHAPE(name, operands, clobbers, killed, ...) [X64_##name] = TIMING(__VA_ARGS__),
#include "target/x64/model/sequences.def"
};
static const MachTiming kind_timing[MACH_KIND_COUNT] = {
#define KIND(name, latency, busy, count, unit, text)                                               \
    [MK_##name] = TIMING(latency, busy, count, unit),
#define COMPOSED_KIND(name, ...) [MK_##name] = TIMING(__VA_ARGS__),
#include "target/x64/model/sequences.def"
};

static MachTiming operator_timing(const MachInstr *instr) {
    Op op = (Op)instr->op;
    X64Shape shape = x64_shape(op);
    MachTiming timing = shape_timing[shape];
    if (shape == X64_SHIFT && instr->immediate == 1) timing.unit = UNIT_ALU;
    bool divides = shape == X64_DIVIDE || shape == X64_REMAINDER;
    if (divides && op_info(op)->at == TYPE_I64) timing.latency += 8;
    return timing;
}

static bool has_spill(const MachInstr *instr) {
    for (unsigned k = 0; k < MACH_SOURCES; k++)
        if (instr->src[k].i != NO_ID && place_is_spill(instr->src[k])) return true;
    return false;
}

static MachTiming timing_of(const MachInstr *instr) {
    MachTiming timing = instr->kind == MK_OP ? operator_timing(instr) : kind_timing[instr->kind];
    Effects effects = mach_effects(instr);
    timing.loads |= (effects & MAY_READ) || has_spill(instr);
    timing.stores |=
        (effects & MAY_WRITE) || (instr->dest.i != NO_ID && place_is_spill(instr->dest));
    return timing;
}

static bool is_constant_of(const MachInstr *instr, int64_t a, int64_t b, int64_t c) {
    return instr->immediate == 1 && (instr->imm == a || instr->imm == b || instr->imm == c);
}

// Sums are written as lea, masks as extensions.
static bool needs_no_tie(const MachInstr *instr) {
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

static bool tests_place(const MachInstr *instr) {
    bool compares = instr->kind == MK_BRANCH || instr->kind == MK_SELECT || instr->kind == MK_OP;
    if (!compares || x64_shape((Op)instr->op) != X64_COMPARE || instr->src[0].i == NO_ID)
        return false;
    if (instr->tested) return instr->immediate != 1 && instr->src[0].i == instr->src[1].i;
    return instr->immediate == 1 && instr->imm == 0;
}

const TargetTiming x64_timing = {
    .issue_width = 4,
    .load_latency = 5,
    .ways =
        {
            [UNIT_NONE] = 8,
            [UNIT_ALU] = 4,
            [UNIT_SHIFT] = 2,
            [UNIT_MUL] = 1,
            [UNIT_DIVIDE] = 1,
            [UNIT_FLOAT] = 2,
            [UNIT_CROSS] = 1,
            [UNIT_LOAD] = 2,
            [UNIT_STORE] = 1,
        },
    .of = timing_of,
    .needs_no_tie = needs_no_tie,
    .leaves_flags = x64_leaves_flags,
    .tests_place = tests_place,
};
