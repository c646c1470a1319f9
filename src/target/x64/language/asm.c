// asm statements on x86-64, as gcc has them: names of registers, constraints and clobbers, and
// operands in AT&T syntax.
#include "target/x64/language/language_private.h"

#include "form/inline_asm.h"
#include "target/x64/model/x64_registers.h"

#include <stdlib.h>
#include <string.h>

#define GENERAL (X64_GENERAL & ~X64_BIT(M_STACK) & ~X64_BIT(M_FRAME))
#define VECTOR  X64_VECTOR
#define X87     (X64_BIT(ASM_ST0) | X64_BIT(ASM_ST1))
#define ABCD    (X64_BIT(M_RAX) | X64_BIT(M_RBX) | X64_BIT(M_RCX) | X64_BIT(M_RDX))

// ---- Names

// The name of a general register for so many bytes (1, 2, 4, 8), without '%'; `high` is its second
// byte.
static const char *sized_name(Arena *arena, uint32_t reg, uint64_t size, bool high) {
    const char *name = machine_reg_name((MachineReg)reg);
    if (reg >= M_R8) {
        const char *suffix = size == 1 ? "b" : size == 2 ? "w" : size == 4 ? "d" : "";
        return arena_printf(arena, "%s%s", name, suffix);
    }
    if (high) return arena_printf(arena, "%ch", name[1]);
    if (size == 8) return name;
    if (size == 4) return arena_printf(arena, "e%s", name + 1);
    if (size == 2) return name + 1;
    return X64_BIT(reg) & ABCD ? arena_printf(arena, "%cl", name[1])
                               : arena_printf(arena, "%sl", name + 1);
}

static bool is_general_name(Arena *scratch, const char *name, uint32_t reg) {
    if (X64_BIT(reg) & ABCD && strcmp(name, sized_name(scratch, reg, 1, true)) == 0) return true;
    for (uint64_t size = 1; size <= 8; size *= 2)
        if (strcmp(name, sized_name(scratch, reg, size, false)) == 0) return true;
    return false;
}

static uint32_t register_named(Arena *scratch, const char *name) {
    if (*name == '%' || *name == '#') name++;
    for (uint32_t reg = 0; reg < M_XMM0; reg++)
        if (is_general_name(scratch, name, reg)) return reg;
    if (strncmp(name, "xmm", 3) == 0 || strncmp(name, "ymm", 3) == 0) {
        char *end;
        unsigned long number = strtoul(name + 3, &end, 10);
        if (name[3] && !*end && number < 16) return M_XMM0 + (uint32_t)number;
    }
    if (strcmp(name, "st") == 0 || strcmp(name, "st(0)") == 0) return ASM_ST0;
    return strcmp(name, "st(1)") == 0 ? (uint32_t)ASM_ST1 : (uint32_t)ASM_NO_REGISTER;
}

// ---- Clobbers

// What needs no care: memory and flags always are taken to change, and of the others nothing is
// kept in registers.
static bool is_harmless(const char *name) {
    static const char *const names[] = {"memory", "cc",    "flags", "fpsr",    "fpcr",  "dirflag",
                                        "rsp",    "esp",   "sp",    "redzone", "st(2)", "st(3)",
                                        "st(4)",  "st(5)", "st(6)", "st(7)"};
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0) return true;
    bool mmx = name[0] == 'm' && name[1] == 'm' && name[2] >= '0' && name[2] <= '7' && !name[3];
    bool mask = name[0] == 'k' && name[1] >= '0' && name[1] <= '7' && !name[2];
    return mmx || mask;
}

// A register may be given by its number in gcc, which looks like an operand's but is not. Those of
// the vector registers depend on gcc's version.
static const char *clobber_name(const char *text) {
    static const char *const numbered[] = {"rax",   "rdx",   "rcx",   "rbx",   "rsi",   "rdi",
                                           "rbp",   "rsp",   "st",    "st(1)", "st(2)", "st(3)",
                                           "st(4)", "st(5)", "st(6)", "st(7)"};
    if (*text == '%') text++;
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    bool known = *text >= '0' && *text <= '9' && !*end;
    return known && number < sizeof numbered / sizeof *numbered ? numbered[number] : text;
}

static bool read_clobber(Arena *scratch, const char *text, AsmRegisters *set) {
    const char *name = clobber_name(text);
    if (is_harmless(name)) return true;
    uint32_t reg = register_named(scratch, name);
    if (reg == ASM_NO_REGISTER) return false;
    regs_add(set, reg);
    return true;
}

// ---- Constraints

static const AsmClass classes[] = {
    {"r", {{GENERAL}}},
    {"q", {{GENERAL}}},
    {"l", {{GENERAL}}},
    {"R", {{GENERAL & 0xff}}},
    {"Q", {{ABCD}}},
    {"a", {{X64_BIT(M_RAX)}}},
    {"b", {{X64_BIT(M_RBX)}}},
    {"c", {{X64_BIT(M_RCX)}}},
    {"d", {{X64_BIT(M_RDX)}}},
    {"A", {{X64_BIT(M_RAX) | X64_BIT(M_RDX)}}},
    {"S", {{X64_BIT(M_RSI)}}},
    {"D", {{X64_BIT(M_RDI)}}},
    {"x", {{VECTOR}}},
    {"v", {{VECTOR}}},
    {"Yz", {{X64_BIT(M_XMM0)}}},
    {"Y?", {{VECTOR}}},
    {"t", {{X64_BIT(ASM_ST0)}}},
    {"u", {{X64_BIT(ASM_ST1)}}},
    {"f", {{X87}}},
    {NULL, {{0}}},
};

static const AsmRange ranges[] = {
    {'I', false, 0, 31},          {'J', false, 0, 63},
    {'K', false, -128, 127},      {'L', false, 0xff, 0xff},
    {'L', false, 0xffff, 0xffff}, {'L', false, 0xffffffff, 0xffffffff},
    {'M', false, 0, 3},           {'N', false, 0, 255},
    {'O', false, 0, 127},         {'e', true, INT32_MIN, INT32_MAX},
    {'Z', false, 0, UINT32_MAX},  {0},
};

static const uint8_t order[] = {M_RAX, M_RDX, M_RCX, M_RSI, M_RDI, M_R8,  M_R9, M_R10,
                                M_R11, M_RBX, M_R12, M_R13, M_R14, M_R15, M_RBP};

static AsmRegisters holding(uint64_t size, bool floating) {
    bool half = floating && size == 2;
    X64Regs all = 0;
    if (size == 1 || size == 2 || size == 4 || size == 8) all |= GENERAL;
    if (size == 4 || size == 8 || half) all |= VECTOR;
    if (floating && !half) all |= X87;
    return X64_SET(all);
}

// ---- Text

// The width that a modifier asks for; else the operand's.
static uint64_t width_of(const AsmText *operand, char modifier) {
    switch (modifier) {
    case 'b': return 1;
    case 'w': return 2;
    case 'k': return 4;
    case 'q':
    case 'a':
    case 'A': return 8;
    default: return operand->size;
    }
}

static const char *put_register(Arena *scratch, Out *out, const AsmText *operand, char modifier) {
    if (operand->reg >= ASM_ST0) {
        out_text(out, operand->reg == ASM_ST0 ? "%st" : "%st(1)");
        return NULL;
    }
    if (machine_is_vector(operand->reg)) {
        out_text(out, modifier == 't' ? "%ymm" : modifier == 'g' ? "%zmm" : "%xmm");
        out_u64(out, operand->reg - M_XMM0);
        return NULL;
    }
    bool high = modifier == 'h';
    if (high && operand->reg > M_RBX)
        return "%h in asm: only a, b, c and d have such a part; say so by 'Q'";
    if (modifier != 'V') out_text(out, modifier == 'a' ? "(%" : modifier == 'A' ? "*%" : "%");
    out_text(out, sized_name(scratch, operand->reg, width_of(operand, modifier), high));
    if (modifier == 'a') out_char(out, ')');
    return NULL;
}

static void put_memory(Out *out, const AsmText *operand, char modifier) {
    uint32_t offset = operand->offset + (modifier == 'H' ? 8 : 0);
    if (modifier == 'A') out_char(out, '*');
    if (offset) out_u64(out, offset);
    out_printf(out, "(%%%s)", machine_reg_name((MachineReg)operand->reg));
}

static void put_constant(Out *out, const AsmText *operand, char modifier) {
    bool plain = modifier && strchr("cnPpaA", modifier);
    int64_t value = operand->value;
    if (!plain) out_char(out, '$');
    if (modifier == 'A') out_char(out, '*');
    if (modifier == 'n') value = (int64_t)(0 - (uint64_t)value);
    if (!operand->symbol) {
        out_i64(out, value);
        return;
    }
    out_text(out, operand->symbol);
    if (value) out_printf(out, value > 0 ? "+%lld" : "%lld", (long long)value);
    if (modifier == 'a') out_text(out, "(%rip)");
}

static const char *put_operand(Arena *scratch, Out *out, const AsmText *operand, char modifier) {
    uint64_t size = operand->size;
    if (modifier == 'z') {
        out_char(out, size == 1 ? 'b' : size == 2 ? 'w' : size == 4 ? 'l' : 'q');
        return NULL;
    }
    switch (operand->kind) {
    case ASM_TEXT_REGISTER: return put_register(scratch, out, operand, modifier);
    case ASM_TEXT_MEMORY: put_memory(out, operand, modifier); break;
    case ASM_TEXT_CONSTANT: put_constant(out, operand, modifier); break;
    }
    return NULL;
}

static void put_number(Arena *scratch, Out *out, StoredReg reg, uint32_t number) {
    out_printf(out, "movl $%u, %%%s", number, sized_name(scratch, reg, 4, false));
}

static void put_condition(Arena *scratch, Out *out, StoredReg reg, const char *condition) {
    out_printf(out, "set%s %%%s", condition, sized_name(scratch, reg, 1, false));
}

static void put_copy(Out *out, StoredReg reg) {
    out_printf(out, "movq %%%%%s, %%0", machine_reg_name((MachineReg)reg));
}

const TargetAsm x64_asm = {
    .general = {{GENERAL}},
    // The register of a frame is kept while the code runs, so the code must not write it.
    .readable = {{GENERAL | X64_BIT(M_FRAME)}},
    .integer = {{X64_GENERAL}},
    .floating = {{VECTOR}},
    .stacked = {{X87}},
    // Those that calls leave alone.
    .variables = {{X64_BIT(M_RBX) | X64_BIT(M_RBP) | X64_BIT(M_RSP) | X64_BIT(M_R12) |
                   X64_BIT(M_R13) | X64_BIT(M_R14) | X64_BIT(M_R15)}},
    .variable_names = "rbx, rbp, r12 to r15 and rsp",
    .stack_register = M_STACK,
    .order = order,
    .order_count = sizeof order,
    .classes = classes,
    .ranges = ranges,
    .modifiers = "bhwkqzcnPpaAxtgVH",
    .jump = "jmp",
    .named = register_named,
    .clobber = read_clobber,
    .holding = holding,
    .put = put_operand,
    .put_number = put_number,
    .put_condition = put_condition,
    .put_copy = put_copy,
};
