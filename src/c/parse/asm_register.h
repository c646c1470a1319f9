// Machine registers as the source names them, in asm statements and in declarations of variables.
#pragma once

#include "base/arena.h"
#include "form/inline_asm.h"

// A set of registers, those of the x87 stack included.
typedef uint64_t AsmRegisters;
#define ASM_BIT(reg) ((AsmRegisters)1 << (reg))
#define ABCD         (ASM_BIT(M_RAX) | ASM_BIT(M_RBX) | ASM_BIT(M_RCX) | ASM_BIT(M_RDX))

// The name of a general register for so many bytes (1, 2, 4, 8), without '%'; `high` is its second
// byte.
const char *asm_sized_name(Arena *arena, uint32_t reg, uint64_t size, bool high);
// The register of a name, of whatever width; ASM_REGISTER_COUNT if there is none.
uint32_t asm_register_named(Arena *scratch, const char *name);
