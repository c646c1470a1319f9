// Operands of texts (walk.h): their meaning, and whether an operand of an instruction agrees.
#pragma once

#include "target/x64/object/walk.h"

typedef enum {
    ROLE_PLACE,
    ROLE_NUMBER,  // of the instruction: `mode` says how it is taken
    ROLE_LITERAL, // a number of the text
    ROLE_ADDRESS, // what is at the address, `number` bytes on
    ROLE_MEMORY,  // base, index, scale, number
    ROLE_SEGMENT, // fs:number
    ROLE_POOL,
    ROLE_AREA,
    ROLE_SYMBOL,
    ROLE_SYMBOL_NUMBER,
    ROLE_GOT, // of the symbol, or of what has that name
    ROLE_TPOFF,
    ROLE_TLSGD,
    ROLE_TARGET, // of a direct branch: the symbol, or what has that name
    ROLE_BLOCK,
    ROLE_LABEL,
    ROLE_LABEL_ADDRESS,
    ROLE_TRAP
} RoleKind;

typedef struct {
    uint8_t kind; // RoleKind
    char mode;
    uint8_t width; // 0: as usual
    bool source;   // it must not be stale
    Place place;
    uint32_t base, index, scale; // MEMORY: registers, INSN_REG_NONE
    uint32_t area;
    int64_t number;
    uint64_t high;
    uint32_t size;
    char name[40];
} OperandRole;

uint32_t role_register(const CodeWalk *w, const char **text);
// The next operand of a text. False if the instruction at hand has none such.
bool role_parse(const CodeWalk *w, const char **text, OperandRole *role);
// Whether an operand of the instruction at hand is what a role stands for.
bool role_fits(CodeWalk *w, const OperandRole *role, const Insn *insn, const InsnOperand *operand);
