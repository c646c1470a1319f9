// The operator and builtin tables of ops.def and builtins.def as data.
#pragma once

#include "form/types.h"

typedef enum {
#define EACH_OP(id, family, at) OP_##id,
#include "form/ops.def"
    OP_COUNT
} Op;

// Operators that compute the same of different types.
typedef enum {
    FAM_NONE,
#define FAMILY(id) FAM_##id,
#include "form/ops.def"
    FAM_COUNT
} OpFamily;

enum {
    OPF_COMM = 1,    // operands may be swapped
    OPF_COND = 2,    // may be the condition of a branch
    OPF_PARTIAL = 4, // may be a wrong step
};

typedef struct {
    const char *name;
    const char *meaning;
    OpFamily family;
    Type at; // the type in which it differs from others of its family
    Type result;
    uint8_t arity; // operands, an immediate included; 0 for constants and addresses
    uint8_t flags;
    Type operand[3];
} OpInfo;

extern const OpInfo op_table[OP_COUNT];

static inline const OpInfo *op_info(Op op) {
    return &op_table[op];
}
// Whether an operator may be a wrong step: there are operands for which its row says that it goes
// wrong.
static inline bool op_is_partial(Op op) {
    return op_info(op)->flags & OPF_PARTIAL;
}
// The operator with this name; OP_COUNT if there is none. "addr" yields OP_ADDR_SYMBOL.
Op op_named(const char *name, size_t length);
// Whether the last operand may be an immediate.
bool op_allows_immediate(Op op);

// FAM_NONE if it is no operator.
static inline OpFamily op_family(Op op) {
    return op < OP_COUNT ? op_table[op].family : FAM_NONE;
}
// The operator of a family at a type; OP_COUNT if there is none.
Op op_of(OpFamily family, Type type);
// The operator of the same family at another type; OP_COUNT if there is none.
static inline Op op_for(Op op, Type type) {
    return op_of(op_family(op), type);
}
// The move, constant or select of a type.
static inline Op op_move(Type type) {
    return op_of(FAM_MOVE, type);
}
static inline Op op_const(Type type) {
    return op_of(FAM_CONST, type);
}
static inline Op op_select(Type type) {
    return op_of(FAM_SELECT, type);
}
static inline bool op_is_move(Op op) {
    return op_family(op) == FAM_MOVE;
}
// The conversion between two types; integers of C that are unsigned have operators of their own.
Op op_conversion(Type to, Type from, bool is_unsigned);
// The extension that a load of a chunk makes; OP_COUNT if the chunk fills the register.
Op chunk_extension(Chunk chunk);

// Whether it says of signed arithmetic that its result fits, or does not. For branches it is a
// comparison like others, but it orders nothing.
bool op_tells_overflow(Op op);
// Of an add, sub or mul of integers, the one that says that its signed result fits; else OP_COUNT.
Op op_exactness(Op op);
// Whether an operator compares integers; whether as unsigned integers.
bool op_compares_integers(Op op);
bool op_compares_unsigned(Op op);
// Whether it compares floats by their order, so that a quiet NaN is an invalid operation (IEEE
// 754): < <= > >= and their negations. The other comparisons are quiet. No form has the machine's
// flags; object code does.
bool op_signals(Op op);
// The operator that yields the same with its two operands exchanged: itself if it is commutative,
// and of a comparison the mirror image. OP_COUNT if there is none.
Op op_mirror(Op op);
// The comparison that holds exactly where the given comparison does not; OP_COUNT if the operator
// is no comparison.
Op op_negation(Op op);

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
    BIF_MACHINE,
    BIF_LEVEL
} BuiltinForm;
// So many callers up, at most, a frame can be asked for.
enum { MOST_FRAMES = 1000 };
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
           info->form == BIF_MACHINE || info->form == BIF_LEVEL;
}
// Whether a builtin needs the frame pointer: the place of the frame, and everything about a
// caller's frame, is found by it.
static inline bool builtin_asks_frame(uint32_t builtin, int64_t level) {
    return builtin == BI_FRAME_ADDRESS || (builtin == BI_RETURN_ADDRESS && level > 0);
}
// Whether it has the address fields of an instruction; a memory order.
static inline bool builtin_has_address(const BuiltinInfo *info) {
    return info->form == BIF_ADDRESS || info->form == BIF_ATOMIC;
}
static inline bool builtin_has_order(const BuiltinInfo *info) {
    return info->form == BIF_ATOMIC || info->form == BIF_ORDER;
}
// The family of the operator by which an atomic builtin combines the present value with its operand
// (atomic_nand complements the result); FAM_NONE if it computes nothing.
OpFamily builtin_combines(Builtin builtin);
