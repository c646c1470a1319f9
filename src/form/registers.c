#include "form/registers.h"

#include <string.h>

static const char *const machine_reg_names[MACHINE_REG_COUNT] = {
    [M_RAX] = "rax",         [M_RCX] = "rcx",         [M_RDX] = "rdx",
    [M_RBX] = "rbx",         [M_RSP] = "rsp",         [M_RBP] = "rbp",
    [M_RSI] = "rsi",         [M_RDI] = "rdi",         [M_R8] = "r8",
    [M_R9] = "r9",           [M_R10] = "r10",         [M_R11] = "r11",
    [M_R12] = "r12",         [M_R13] = "r13",         [M_R14] = "r14",
    [M_R15] = "r15",         [M_XMM0] = "xmm0",       [M_XMM0 + 1] = "xmm1",
    [M_XMM0 + 2] = "xmm2",   [M_XMM0 + 3] = "xmm3",   [M_XMM0 + 4] = "xmm4",
    [M_XMM0 + 5] = "xmm5",   [M_XMM0 + 6] = "xmm6",   [M_XMM0 + 7] = "xmm7",
    [M_XMM0 + 8] = "xmm8",   [M_XMM0 + 9] = "xmm9",   [M_XMM0 + 10] = "xmm10",
    [M_XMM0 + 11] = "xmm11", [M_XMM0 + 12] = "xmm12", [M_XMM0 + 13] = "xmm13",
    [M_XMM0 + 14] = "xmm14", [M_XMM15] = "xmm15"};

const char *machine_reg_name(MachineReg reg) {
    return machine_reg_names[reg];
}

MachineReg machine_reg_named(const char *name, size_t length) {
    uint32_t reg = 0;
    while (reg < MACHINE_REG_COUNT && (strlen(machine_reg_names[reg]) != length ||
                                       memcmp(machine_reg_names[reg], name, length) != 0))
        reg++;
    return (MachineReg)reg;
}

const uint8_t machine_order[] = {
    M_RAX,       M_RCX,       M_RDX,      M_RSI,      M_RDI,       M_R8,        M_R9,
    M_R10,       M_R11,       M_RBX,      M_RBP,      M_R12,       M_R13,       M_R14,
    M_R15,       M_XMM0,      M_XMM0 + 1, M_XMM0 + 2, M_XMM0 + 3,  M_XMM0 + 4,  M_XMM0 + 5,
    M_XMM0 + 6,  M_XMM0 + 7,  M_XMM0 + 8, M_XMM0 + 9, M_XMM0 + 10, M_XMM0 + 11, M_XMM0 + 12,
    M_XMM0 + 13, M_XMM0 + 14, M_XMM15};
const uint32_t machine_order_count = sizeof machine_order;

const uint8_t machine_bases[] = {M_RBX, M_R12, M_R13, M_R14, M_R15};
const uint32_t machine_base_count = sizeof machine_bases;

uint32_t machine_unwind_number(MachineReg reg) {
    static const uint8_t numbers[] = {
        [M_RAX] = 0,  [M_RDX] = 1,  [M_RCX] = 2,  [M_RBX] = 3, [M_RSI] = 4,  [M_RDI] = 5,
        [M_RBP] = 6,  [M_RSP] = 7,  [M_R8] = 8,   [M_R9] = 9,  [M_R10] = 10, [M_R11] = 11,
        [M_R12] = 12, [M_R13] = 13, [M_R14] = 14, [M_R15] = 15};
    enum { FIRST_VECTOR = 17 };
    return machine_is_vector(reg) ? FIRST_VECTOR + (uint32_t)(reg - M_XMM0) : numbers[reg];
}
