// What becomes of the operands of an asm statement: which registers they get, and the text.
//   asm_plan.c      constraints and clobbers: a place for each operand
//   asm_template.c  the template with the operands put in
// Registers are chosen here, once for all copies of the statement, since they are part of the text.
#pragma once

#include "c/lower_private.h"
#include "ir/inline_asm.h"

// A set of registers, those of the x87 stack included.
typedef uint64_t AsmRegisters;
#define ASM_BIT(reg) ((AsmRegisters)1 << (reg))

typedef enum { ASM_REGISTER, ASM_MEMORY, ASM_CONSTANT } AsmPlaceKind;

typedef struct {
    const AsmOperand *source;
    uint8_t kind; // AsmPlaceKind
    bool output;
    bool read;             // an output that is read, too: by "+"
    bool shared;           // an output that an input starts in
    bool early;            // an output that may be written while inputs are still to be read
    const char *condition; // an output that is a flag: its name in setCC, else NULL
    uint32_t matches;      // an input that starts in this output; NO_ID if it has its own place
    AsmRegisters allowed;  // ASM_REGISTER
    uint8_t reg;           // ASM_REGISTER; ASM_MEMORY: that of the address
    Sym symbol;            // ASM_CONSTANT: this, or NO_SYM, plus
    int64_t value;
} AsmPlace;

typedef struct {
    AsmPlace *
        places; // outputs, then inputs, then, with labels, an output that tells which was jumped to
    uint32_t output_count, count;
    uint32_t jump_count; // 1 with labels, else 0
    AsmRegisters clobbers;
} AsmPlan;

// The name of a general register for so many bytes (1, 2, 4, 8), without '%'; `high` is its second
// byte.
const char *asm_sized_name(Arena *arena, uint32_t reg, uint64_t size, bool high);
// How an operand's width in registers is counted: its size in bytes.
uint64_t asm_operand_size(const AsmPlace *place);

// Finds places for all operands. On failure *error says why.
bool asm_plan(Lower *lower, const Asm *assembler, AsmPlan *plan, const char **error);
// The text that the assembler gets.
bool asm_expand(Lower *lower, const Asm *assembler, const AsmPlan *plan, Str *text,
                const char **error);
