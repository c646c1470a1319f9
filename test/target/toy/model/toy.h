// A machine for tests: 64 registers, as many as a set holds, operators with three operands, loads and stores, addresses of
// a register and a small displacement, integers only.
#pragma once

#include "target/model.h"

// r0 is the scratch register, fp finds frames, sp is the stack pointer.
enum {
    TOY_SCRATCH = 0,
    TOY_ARGUMENT = 2,
    TOY_ARGUMENTS = 8,
    TOY_CALLED = 10,
    TOY_FRAME = 62,
    TOY_STACK = 63,
    TOY_REGISTERS
};

void toy_constraints(Arena *arena, const Func *func, const MachInstr *instr,
                     MachConstraints *constraints);
void toy_classify(Arena *arena, const Program *program, const SigInfo *info,
                  Convention *convention);
bool toy_takes_immediate(const MachInstr *instr, unsigned source, int64_t value);

static inline bool toy_is_small(int64_t value) {
    return value >= -2048 && value < 2048;
}
