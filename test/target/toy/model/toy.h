// A machine for tests: 70 registers, more than a word has bits, operators with three operands, loads and stores, addresses of
// a register and a small displacement, integers only. Registers r2 to r65 are eight banks: an operator computes in one bank.
#pragma once

#include "target/model.h"

// r0 is the scratch register, fp finds frames, sp is the stack pointer.
enum {
    TOY_SCRATCH = 0,
    TOY_ARGUMENT = 2,
    TOY_ARGUMENTS = 8,
    TOY_CALLED = 10,
    TOY_BANK = 2, // the first bank
    TOY_BANKS = 8,
    TOY_BANK_REGISTERS = 8,
    TOY_FRAME = 68,
    TOY_STACK = 69,
    TOY_REGISTERS
};

// The classes of registers: all of them, and each bank.
enum { TOY_FIRST_BANK = CLASS_GENERAL + 1, TOY_CLASSES = TOY_FIRST_BANK + TOY_BANKS };

void toy_constraints(Arena *arena, const Func *func, const MachInstr *instr,
                     MachConstraints *constraints);
void toy_classify(Arena *arena, const Program *program, const SigInfo *info,
                  Convention *convention);
bool toy_takes_immediate(const MachInstr *instr, unsigned source, int64_t value);

static inline bool toy_is_small(int64_t value) {
    return value >= -2048 && value < 2048;
}
