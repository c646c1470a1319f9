#include "form/kinds.h"

const InstrKindInfo instr_kinds[INSTR_KIND_COUNT] = {
#define INSTR(id, word, fields, least, most, effects) [I_##id] = {word, fields, least, most},
#include "form/kinds.def"
};

// The pieces of texts, each the letter of its MachText.
#define AN_OPERATION  "O"
#define IF_CHECKED    "Q"
#define A_CONDITION   "C"
#define A_CHUNK       "K"
#define A_TYPE        "T"
#define A_RESULT_TYPE "X"
#define AN_ADDRESS    "A"
#define A_NUMBER      "N"
#define A_VALUE       "V"
#define A_PLACE       "P"
#define SOURCE_2      "Y"
#define SOURCE_3      "Z"
#define THE_DEST      "D"
#define A_CALL        "F"
#define PARAMETERS    "E"
#define RETURNED      "L"
#define A_LABEL       "S"
#define THE_CASES     "G"
#define A_BUILTIN     "B"

const MachKindInfo mach_kinds[MACH_KIND_COUNT + 1] = {
#define MACH(id, word, text, fields, sources, least, most, effects)                                \
    [MK_##id] = {word, text, fields, sources, least, most},
#include "form/kinds.def"
    [MACH_KIND_COUNT] = {"?", "", 0, 0, 0, 0},
};

bool mach_kind_takes(MachKind kind, uint32_t op) {
    if (mach_kind_has(kind, MACH_BUILTIN)) return op < BI_COUNT && !builtin_info(op)->end;
    if (!mach_kind_has(kind, MACH_OPERATOR) || op >= OP_COUNT) return false;
    if (mach_kind_has(kind, MACH_CONDITION)) return op_info(op)->flags & OPF_COND;
    if (mach_kind_has(kind, MACH_MOVE)) return op_is_move(op);
    if (mach_kind_has(kind, MACH_PART)) return op == OP_MOVE_I64 || op == OP_MOVE_F64;
    if (mach_kind_has(kind, MACH_EQUALITY)) return op == OP_EQ_I32 || op == OP_EQ_I64;
    return true;
}
