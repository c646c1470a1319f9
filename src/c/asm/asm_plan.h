// Plans an asm statement: the registers of its operands, and its text.
//   asm_plan.c      constraints and clobbers: a place for each operand
//   asm_template.c  the template with the operands put in
//   asm_late.c      operands that are constants only once calls have been replaced by bodies
// Registers are chosen here, once for all copies of the statement, since the text names the
// registers.
#pragma once

#include "c/lower/lower_private.h"
#include "form/inline_asm.h"

typedef enum {
    ASM_REGISTER,
    ASM_MEMORY, // an object, whose address is in a register
    ASM_BLOCK,  // in the block through which operands come and go, at its cell
    ASM_CONSTANT,
    ASM_LATE, // a constant that the front end does not know yet
} AsmPlaceKind;

typedef struct {
    const AsmOperand *source;
    uint8_t kind; // AsmPlaceKind
    bool output;
    bool fixed;            // a variable that is a machine register, which is there already
    bool read;             // an output that is read, too: by "+"
    bool shared;           // an output that an input starts in
    bool early;            // an output that may be written while inputs are still to be read
    const char *condition; // an output that is a flag: its name in setCC, else NULL
    uint32_t matches;      // an input that starts in this output; NO_ID if it has its own place
    uint32_t same; // an input that is the same register variable as this operand, which starts with
                   // its value; NO_ID if there is none
    AsmRegisters allowed; // ASM_REGISTER
    StoredReg reg;        // ASM_REGISTER; ASM_MEMORY: that of the address
    bool is_constant;     // the front end knows its value:
    Sym symbol;           // this, or NO_SYM, plus
    int64_t value;
    uint32_t cell;          // its place in the block, in bytes
    uint32_t late;          // ASM_LATE: its number among those of the statement
    const char *constraint; // the alternative that was chosen
} AsmPlace;

typedef struct {
    AsmPlace *
        places; // outputs, then inputs, then, with labels, an output that tells which was jumped to
    uint32_t output_count, count;
    uint32_t jump_count; // 1 with labels, else 0
    uint32_t late_count; // operands that are ASM_LATE
    bool has_base; // there are operands that are ASM_BLOCK; the block's address, for the text, is
    AsmPlace base; // here
    uint32_t size; // of the block, in bytes
    AsmRegisters clobbers;
    bool changes_memory;   // a clobber says so
    AsmRegisters reserved; // registers of variables, which no other operand can have
} AsmPlan;

// The machine register that a variable is; ASM_NO_REGISTER if the expression is no such
// variable.
uint32_t asm_machine_variable(const Expr *value);
// How an operand's width in registers is counted: its size in bytes.
uint64_t asm_operand_size(const AsmPlace *place);

// Whether a constant may stand where an alternative of a constraint is.
bool asm_constant_fits(const Lower *lower, const char *alternative, Sym symbol, int64_t value);
// The value of an integer constant in an operand of so many bytes, as gcc counts it: extended by
// the highest bit, whether the type is signed or not.
int64_t asm_extended(uint64_t size, int64_t value);

// Finds places for all operands. On failure *error says why.
bool asm_plan(Lower *lower, const Asm *assembler, AsmPlan *plan, const char **error);
// The text that the assembler gets; the holes, in ascending order, are in the unit's arena.
bool asm_expand(Lower *lower, const Asm *assembler, const AsmPlan *plan, Str *text, AsmHoles *holes,
                const char **error);
// A constant of so many bytes that has become known, as it stands in the text.
void asm_put_late(Lower *lower, Out *out, uint64_t size, Sym symbol, int64_t value, char modifier);

// ---- asm_late.c

// Notes that the statement with a number has late operands; its instruction has them as further
// arguments.
void asm_defer(Lower *lower, uint32_t statement, const AsmPlan *plan, const AsmHoles *holes,
               Pos pos);
// Notes that a symbol is mentioned in the text of a statement.
void asm_mention(Lower *lower, uint32_t statement, Sym symbol);
