// The registers of x86-64, and what each is for, so that nothing else has to know their names.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Machine registers: 0 to 15 the general ones in the machine's own order, 16 to 31 xmm0 to xmm15.
// The stack pointer is never a place.
typedef enum {
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
    MACHINE_REG_COUNT,
    // Registers with a fixed purpose in every function.
    M_STACK = M_RSP, // where the stack ends
    M_FRAME =
        M_RBP, // by which a frame is found whose size is not known, or that somebody wants to find
    M_SCRATCH = M_RAX, // for a value on its way from memory to memory
} MachineReg;

static inline bool machine_is_vector(uint32_t reg) {
    return reg >= M_XMM0;
}

// A set of machine registers.
typedef uint32_t MachineRegSet;
#define MACHINE_REG_BIT(reg) ((MachineRegSet)1 << (reg))

// Text: "rax", "xmm3"; the machine register with a name, or MACHINE_REG_COUNT.
const char *machine_reg_name(MachineReg reg);
MachineReg machine_reg_named(const char *name, size_t length);

// The order in which registers are tried for a value: those that must be saved come last.
extern const uint8_t machine_order[];
extern const uint32_t machine_order_count;
// Registers that may find the slots of an aligned frame in which the stack pointer moves; the first
// that is not reserved does.
extern const uint8_t machine_bases[];
extern const uint32_t machine_base_count;
// The number by which unwinders and debuggers know a register.
uint32_t machine_unwind_number(MachineReg reg);
