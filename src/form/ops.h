// The operator and builtin tables of ops.def and builtins.def as data.
#pragma once

#include "form/types.h"

typedef enum {
#define OP0(id, text, result, meaning)                                     OP_##id,
#define OP1(id, text, result, a, flags, undef, value, meaning)             OP_##id,
#define OP2(id, text, result, a, b, flags, undef, defined, value, meaning) OP_##id,
#define OP3(id, text, result, a, b, c, flags, undef, value, meaning)       OP_##id,
#include "form/ops.def"
    OP_COUNT
} Op;

enum {
    OPF_COMM = 1,    // operands may be swapped
    OPF_COND = 2,    // may be the condition of a branch
    OPF_PARTIAL = 4, // may be a wrong step
};

typedef struct {
    const char *name;
    const char *meaning;
    Type result;
    uint8_t arity; // operands, an immediate included; 0 for constants and addresses
    uint8_t flags;
    Type operand[3];
} OpInfo;

extern const OpInfo op_table[OP_COUNT];

static inline const OpInfo *op_info(Op op) {
    return &op_table[op];
}
// Whether an operator may be a wrong step: there are operands for which its row says that it goes wrong.
static inline bool op_is_partial(Op op) {
    return op_info(op)->flags & OPF_PARTIAL;
}
// The operator with this name; OP_COUNT if there is none. "addr" yields OP_ADDR_SYMBOL.
Op op_named(const char *name, size_t length);
// Whether the last operand may be an immediate.
bool op_allows_immediate(Op op);
// The move, constant or select of a type.
Op op_move(Type type);
Op op_const(Type type);
Op op_select(Type type);
static inline bool op_is_move(Op op) {
    return op >= OP_MOVE_I32 && op <= OP_MOVE_F80;
}

typedef enum {
#define BUILTIN(id, text, result, arguments, form, end, effects, meaning) BI_##id,
#include "form/builtins.def"
    BI_COUNT
} Builtin;

typedef enum {
    BIF_PLAIN,
    BIF_SIZE,
    BIF_ALIGN,
    BIF_ADDRESS,
    BIF_ATOMIC,
    BIF_ORDER,
    BIF_PTYPE,
    BIF_ASM,
    BIF_MACHINE
} BuiltinForm;
typedef enum {
    BIR_VOID = TYPE_VOID,
    BIR_I64 = TYPE_I64,
    BIR_CHUNK = TYPE_COUNT,
    BIR_PARAM
} BuiltinResult;

typedef struct {
    const char *name;
    const char *meaning;
    BuiltinResult result;
    const char *arguments; // w = i32, q = i64, c = the chunk's type
    BuiltinForm form;
    bool end;
} BuiltinInfo;

extern const BuiltinInfo builtin_table[BI_COUNT];

static inline const BuiltinInfo *builtin_info(Builtin builtin) {
    return &builtin_table[builtin];
}
// Whether a number stands in the instruction's imm.
static inline bool builtin_has_number(const BuiltinInfo *info) {
    return info->form == BIF_SIZE || info->form == BIF_ALIGN || info->form == BIF_ASM ||
           info->form == BIF_MACHINE;
}
// Whether it has the address fields of an instruction; a memory order.
static inline bool builtin_has_address(const BuiltinInfo *info) {
    return info->form == BIF_ADDRESS || info->form == BIF_ATOMIC;
}
static inline bool builtin_has_order(const BuiltinInfo *info) {
    return info->form == BIF_ATOMIC || info->form == BIF_ORDER;
}
Builtin builtin_named(const char *name, size_t length); // BI_COUNT if there is none
