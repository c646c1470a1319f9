#include "target/x64/model/x64_registers.h"

const char *const x64_register_names[ASM_REGISTER_COUNT] = {
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
    [M_XMM0 + 14] = "xmm14", [M_XMM15] = "xmm15",     [ASM_ST0] = "st0",
    [ASM_ST1] = "st1"};

const uint8_t x64_register_order[X64_ORDER_COUNT] = {
    M_RAX,       M_RCX,       M_RDX,      M_RSI,      M_RDI,       M_R8,        M_R9,
    M_R10,       M_R11,       M_RBX,      M_RBP,      M_R12,       M_R13,       M_R14,
    M_R15,       M_XMM0,      M_XMM0 + 1, M_XMM0 + 2, M_XMM0 + 3,  M_XMM0 + 4,  M_XMM0 + 5,
    M_XMM0 + 6,  M_XMM0 + 7,  M_XMM0 + 8, M_XMM0 + 9, M_XMM0 + 10, M_XMM0 + 11, M_XMM0 + 12,
    M_XMM0 + 13, M_XMM0 + 14, M_XMM15};

const uint8_t x64_unwind_numbers[X64_REG_COUNT] = {
    [M_RAX] = 0,        [M_RDX] = 1,        [M_RCX] = 2,        [M_RBX] = 3,
    [M_RSI] = 4,        [M_RDI] = 5,        [M_RBP] = 6,        [M_RSP] = 7,
    [M_R8] = 8,         [M_R9] = 9,         [M_R10] = 10,       [M_R11] = 11,
    [M_R12] = 12,       [M_R13] = 13,       [M_R14] = 14,       [M_R15] = 15,
    [M_XMM0] = 17,      [M_XMM0 + 1] = 18,  [M_XMM0 + 2] = 19,  [M_XMM0 + 3] = 20,
    [M_XMM0 + 4] = 21,  [M_XMM0 + 5] = 22,  [M_XMM0 + 6] = 23,  [M_XMM0 + 7] = 24,
    [M_XMM0 + 8] = 25,  [M_XMM0 + 9] = 26,  [M_XMM0 + 10] = 27, [M_XMM0 + 11] = 28,
    [M_XMM0 + 12] = 29, [M_XMM0 + 13] = 30, [M_XMM0 + 14] = 31, [M_XMM15] = 32};
