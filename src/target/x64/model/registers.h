// The registers of x86-64.
#pragma once

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
    MACHINE_COUNT
} MachineReg;

// A set of machine registers.
typedef uint32_t MachineSet;
#define MACHINE_BIT(reg) ((MachineSet)1 << (reg))

// Text: "rax", "xmm3"; the machine register with a name, or MACHINE_COUNT.
const char *machine_name(MachineReg reg);
MachineReg machine_named(const char *name, size_t length);
