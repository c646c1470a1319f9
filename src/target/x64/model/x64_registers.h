// The registers of x86-64.
#pragma once

#include "form/registers.h"

// 0 to 15 the general ones in the machine's own order, 16 to 31 xmm0 to xmm15. Operands of asm
// statements may also be on top of the x87 stack, or below that: the last two stand for registers
// then.
enum {
    M_RAX,
    M_RCX,
    M_RDX,
    M_RBX,
    M_RSP,
    M_RBP,
    M_RSI,
    M_RDI,
    M_R8,
    M_R9,
    M_R10,
    M_R11,
    M_R12,
    M_R13,
    M_R14,
    M_R15,
    M_XMM0,
    M_XMM15 = M_XMM0 + 15,
    X64_REG_COUNT,
    ASM_ST0 = X64_REG_COUNT,
    ASM_ST1,
    ASM_REGISTER_COUNT,
    M_STACK = M_RSP,
    M_FRAME = M_RBP
};

// A set of registers, in this folder: register r is bit r. The record of the machine has it as a
// MachineRegSet.
typedef uint64_t X64Regs;
_Static_assert((int)ASM_REGISTER_COUNT <= 64, "a wider X64Regs is needed");
#define X64_BIT(reg)  ((X64Regs)1 << (reg))
#define X64_SET(regs) ((MachineRegSet){{regs}})
static inline X64Regs x64_regs(MachineRegSet set) {
    return set.words[0];
}

#define X64_GENERAL ((X64Regs)0xffff)
#define X64_VECTOR  ((X64Regs)0xffff << M_XMM0)
#define X64_CALLEE_SAVED                                                                           \
    (X64_BIT(M_RBX) | X64_BIT(M_RBP) | X64_BIT(M_R12) | X64_BIT(M_R13) | X64_BIT(M_R14) |          \
     X64_BIT(M_R15))

static inline bool machine_is_vector(uint32_t reg) {
    return reg >= M_XMM0;
}

extern const char *const x64_register_names[ASM_REGISTER_COUNT];
extern const uint8_t x64_unwind_numbers[X64_REG_COUNT];
// The order in which registers are tried for a value: those that must be saved come last.
enum { X64_ORDER_COUNT = X64_REG_COUNT - 1 };
extern const uint8_t x64_register_order[X64_ORDER_COUNT];

static inline const char *machine_reg_name(MachineReg reg) {
    return x64_register_names[reg];
}
// The number by which unwinders and debuggers know a register.
static inline uint32_t machine_unwind_number(MachineReg reg) {
    return x64_unwind_numbers[reg];
}

extern const struct TargetModel x64_model;
