#include "c/parse/asm_register.h"

#include <stdlib.h>
#include <string.h>

const char *asm_sized_name(Arena *arena, uint32_t reg, uint64_t size, bool high) {
    const char *name = machine_reg_name((MachineReg)reg);
    if (reg >= M_R8) {
        const char *suffix = size == 1 ? "b" : size == 2 ? "w" : size == 4 ? "d" : "";
        return arena_printf(arena, "%s%s", name, suffix);
    }
    if (high) return arena_printf(arena, "%ch", name[1]);
    if (size == 8) return name;
    if (size == 4) return arena_printf(arena, "e%s", name + 1);
    if (size == 2) return name + 1;
    return ASM_BIT(reg) & ABCD ? arena_printf(arena, "%cl", name[1])
                               : arena_printf(arena, "%sl", name + 1);
}

static bool is_general_name(Arena *scratch, const char *name, uint32_t reg) {
    if (ASM_BIT(reg) & ABCD && strcmp(name, asm_sized_name(scratch, reg, 1, true)) == 0)
        return true;
    for (uint64_t size = 1; size <= 8; size *= 2)
        if (strcmp(name, asm_sized_name(scratch, reg, size, false)) == 0) return true;
    return false;
}

uint32_t asm_register_named(Arena *scratch, const char *name) {
    if (*name == '%' || *name == '#') name++;
    for (uint32_t reg = 0; reg < M_XMM0; reg++)
        if (is_general_name(scratch, name, reg)) return reg;
    if (strncmp(name, "xmm", 3) == 0 || strncmp(name, "ymm", 3) == 0) {
        char *end;
        unsigned long number = strtoul(name + 3, &end, 10);
        if (name[3] && !*end && number < 16) return M_XMM0 + (uint32_t)number;
    }
    if (strcmp(name, "st") == 0 || strcmp(name, "st(0)") == 0) return ASM_ST0;
    return strcmp(name, "st(1)") == 0 ? ASM_ST1 : ASM_REGISTER_COUNT;
}
