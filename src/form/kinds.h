// The rows of kinds.def as data: the description of each kind of instruction.
#pragma once

#include "form/ops.h"

// ---- RTL

typedef enum {
#define INSTR(id, ...) I_##id,
#include "form/kinds.def"
    INSTR_KIND_COUNT
} InstrKind;

// What instructions of a kind have.
enum {
    INSTR_DEST = 1,           // a destination, of the type of the operator's result or of the chunk
    INSTR_OPERATION = 1 << 1, // an operator and its operands
    INSTR_CONDITION = 1 << 2, // the operator is a comparison, which chooses the successor
    INSTR_ACCESS = 1 << 3,    // a chunk and an address
    INSTR_VALUE = 1 << 4,     // behind the address, an argument of the chunk's type
    INSTR_INTEGER = 1 << 5,   // one argument, i32 or i64
    INSTR_CASES = 1 << 6,     // cases, which choose the successor
    INSTR_CALLEE = 1 << 7,    // a function, its signature and its arguments
    INSTR_RETURNED = 1 << 8,  // what the function returns
    INSTR_BUILTIN = 1 << 9,   // a builtin and its operands
};

typedef struct {
    const char *word;
    uint32_t fields; // INSTR_
    uint32_t least_succs, most_succs;
} InstrKindInfo;

extern const InstrKindInfo instr_kinds[INSTR_KIND_COUNT];

// Whether a kind is written as its operator or builtin, without a word of its own.
static inline bool instr_kind_is_wordless(InstrKind kind) {
    uint32_t fields = instr_kinds[kind].fields;
    return fields & INSTR_BUILTIN ||
           (fields & (INSTR_OPERATION | INSTR_CONDITION)) == INSTR_OPERATION;
}

// ---- Machine code

typedef enum {
#define MACH(id, ...) MK_##id,
#include "form/kinds.def"
    MACH_KIND_COUNT
} MachKind;

// The fields that an instruction has; the others are 0, or none. The fields of the second group say
// more of a field of the first.
enum {
    MACH_DEST = 1,
    MACH_ADDRESS = 1 << 1,
    MACH_OPERATOR = 1 << 2,
    MACH_CHUNK = 1 << 3,
    MACH_AUX = 1 << 4,
    MACH_LIST = 1 << 5,
    MACH_IMM = 1 << 6,
    MACH_HIGH = 1 << 7,
    MACH_REF = 1 << 8,

    MACH_OPERATION = MACH_OPERATOR | 1 << 9,      // any operator, whose operands are the sources
    MACH_CONDITION = MACH_OPERATOR | 1 << 10,     // a comparison of the first two sources
    MACH_MOVE = MACH_OPERATOR | 1 << 11,          // a move, of what is moved
    MACH_PART = MACH_OPERATOR | 1 << 12,          // move.i64 or move.f64, to tell a type
    MACH_EQUALITY = MACH_OPERATOR | 1 << 13,      // eq.i32 or eq.i64, to tell a type
    MACH_BUILTIN = MACH_OPERATOR | 1 << 14,       // a builtin, which does not end the function
    MACH_WIDTH = MACH_CHUNK | 1 << 15,            // i32 or i64
    MACH_TYPE = MACH_AUX | 1 << 16,               // the Type of the result
    MACH_CASES = MACH_AUX | 1 << 17,              // where the cases of a switch start
    MACH_CALLEE = MACH_AUX | MACH_LIST | 1 << 18, // a function, its Sig, results and arguments

    MACH_BOTH = 1 << 19,      // dest and source 0 are both read and set
    MACH_ENDS = 1 << 20,      // the instruction stands at the end of a block, and only there
    MACH_ALLOCATED = 1 << 21, // only allocated code has it
};

// The pieces of an instruction's text. Everything else in the text is meant literally.
typedef enum {
    TEXT_OPERATION = 'O', // an operator and its operands
    TEXT_CHECKED = 'Q',   // "checked", if the operation is
    TEXT_CONDITION = 'C', // a comparison and its operands
    TEXT_CHUNK = 'K',
    TEXT_TYPE = 'T',        // the type that the operator tells
    TEXT_RESULT_TYPE = 'X', // the type in aux
    TEXT_ADDRESS = 'A',
    TEXT_NUMBER = 'N',   // imm, as a number of bytes
    TEXT_VALUE = 'V',    // source 0: a place or an immediate of the chunk's type
    TEXT_PLACE = 'P',    // source 0: a place
    TEXT_SOURCE_2 = 'Y', // a place or memory
    TEXT_SOURCE_3 = 'Z',
    TEXT_DEST = 'D',
    TEXT_CALL = 'F',       // what is called, and the arguments
    TEXT_PARAMETERS = 'E', // nothing: the results are what the function was called with
    TEXT_RETURNED = 'L',   // the arguments, if there are any
    TEXT_LABEL = 'S',      // the next successor
    TEXT_CASES = 'G',      // the cases and where they lead
    TEXT_BUILTIN = 'B',    // a builtin and its operands
} MachText;

typedef struct {
    const char *word;
    const char *text;
    uint32_t fields;  // MACH_: of every instruction of the kind
    uint32_t sources; // so many, unless the operator or the builtin says it
    uint32_t least_succs, most_succs;
} MachKindInfo;

// The last row is that of no kind, which has nothing.
extern const MachKindInfo mach_kinds[MACH_KIND_COUNT + 1];

// Whether all instructions of a kind have these fields.
static inline bool mach_kind_has(MachKind kind, uint32_t fields) {
    return (mach_kinds[kind].fields & fields) == fields;
}
static inline bool mach_kind_ends(MachKind kind) {
    return mach_kinds[kind].fields & MACH_ENDS;
}
// Whether a kind is written as its operator or builtin, without a word of its own.
static inline bool mach_kind_is_wordless(MachKind kind) {
    return mach_kinds[kind].text[0] == TEXT_OPERATION || mach_kinds[kind].text[0] == TEXT_BUILTIN;
}
// Whether instructions of a kind may have this operator or builtin.
bool mach_kind_takes(MachKind kind, uint32_t op);
