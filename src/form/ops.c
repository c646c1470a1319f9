#include "form/ops.h"

#include <string.h>

enum { NONE = 0, COMM = OPF_COMM, COND = OPF_COND };

// `defined` is the literal 1 for a total operator; its text tells.
#define PARTIAL(defined) (sizeof #defined == sizeof "1" && (#defined)[0] == '1' ? 0 : OPF_PARTIAL)

const OpInfo op_table[OP_COUNT] = {
#define COMMON(id, fam, type, text, r, m)                                                          \
    .name = text, .meaning = m, .family = FAM_##fam, .at = TYPE_##type, .result = TYPE_##r
#define OP0(id, fam, at, text, r, m) [OP_##id] = {COMMON(id, fam, at, text, r, m)},
#define OP1(id, fam, at, text, r, a, f, undef, value, m)                                           \
    [OP_##id] = {COMMON(id, fam, at, text, r, m), .arity = 1, .flags = (f), .operand = {TYPE_##a}},
#define OP2(id, fam, at, text, r, a, b, f, undef, defined, value, m)                               \
    [OP_##id] = {COMMON(id, fam, at, text, r, m), .arity = 2, .flags = (f) | PARTIAL(defined),     \
                 .operand = {TYPE_##a, TYPE_##b}},
#define OP3(id, fam, at, text, r, a, b, c, f, undef, value, m)                                     \
    [OP_##id] = {COMMON(id, fam, at, text, r, m), .arity = 3, .flags = (f),                        \
                 .operand = {TYPE_##a, TYPE_##b, TYPE_##c}},
#include "form/ops.def"
};

// A family has one operator at a type: a second one is a second enumerator of the same name.
enum {
#define EACH_OP(id, family, at) ONE_OF_##family##_AT_##at,
#include "form/ops.def"
};

// Entries that are not set here are the first operator, which is of another family or at another
// type.
static const uint16_t families[FAM_COUNT][TYPE_COUNT] = {
#define EACH_OP(id, family, at) [FAM_##family][TYPE_##at] = OP_##id,
#include "form/ops.def"
};

// A comparison's mirror and negation are comparisons.
enum {
#define CMP(id, ...) COMPARISON_##id = OP_##id,
#include "form/ops.def"
};

static const struct {
    uint16_t mirror, negation;
} comparisons[OP_COUNT] = {
#define CMP(id, family, at, text, other, opposite, value, m)                                       \
    [OP_##id] = {.mirror = COMPARISON_##other##_##at, .negation = COMPARISON_##opposite##_##at},
#include "form/ops.def"
};

const BuiltinInfo builtin_table[BI_COUNT] = {
#define BUILTIN(id, text, r, args, f, e, effects, m)                                               \
    [BI_##id] = {.name = text,                                                                     \
                 .meaning = m,                                                                     \
                 .result = BIR_##r,                                                                \
                 .arguments = args,                                                                \
                 .form = BIF_##f,                                                                  \
                 .end = e},
#include "form/builtins.def"
};

static bool same_name(const char *entry, const char *name, size_t length) {
    return strncmp(entry, name, length) == 0 && entry[length] == '\0';
}

Op op_named(const char *name, size_t length) {
    for (Op op = 0; op < OP_COUNT; op++)
        if (same_name(op_table[op].name, name, length)) return op;
    return OP_COUNT;
}

OpFamily builtin_combines(Builtin builtin) {
    switch (builtin) {
    case BI_ATOMIC_ADD: return FAM_ADD;
    case BI_ATOMIC_SUB: return FAM_SUB;
    case BI_ATOMIC_AND:
    case BI_ATOMIC_NAND: return FAM_AND;
    case BI_ATOMIC_OR: return FAM_OR;
    case BI_ATOMIC_XOR: return FAM_XOR;
    default: return FAM_NONE;
    }
}

bool op_allows_immediate(Op op) {
    const OpInfo *info = op_info(op);
    return info->arity == 2 && type_is_int(info->operand[1]);
}

Op op_of(OpFamily family, Type type) {
    if (type >= TYPE_COUNT) return OP_COUNT;
    Op op = families[family][type];
    return op_table[op].family == family && op_table[op].at == type ? op : OP_COUNT;
}

Op op_conversion(Type to, Type from, bool is_unsigned) {
    static const OpFamily conversions[TYPE_COUNT][2] = {
        [TYPE_I32] = {FAM_CVT_I32, FAM_CVT_U32},  [TYPE_I64] = {FAM_CVT_I64, FAM_CVT_U64},
        [TYPE_F32] = {FAM_CVT_F32, FAM_CVTU_F32}, [TYPE_F64] = {FAM_CVT_F64, FAM_CVTU_F64},
        [TYPE_F80] = {FAM_CVT_F80, FAM_CVTU_F80},
    };
    return op_of(conversions[to][is_unsigned], from);
}

Op chunk_extension(Chunk chunk) {
    switch (chunk) {
    case CHUNK_I8: return OP_SEXT8_I32;
    case CHUNK_U8: return OP_ZEXT8_I32;
    case CHUNK_I16: return OP_SEXT16_I32;
    case CHUNK_U16: return OP_ZEXT16_I32;
    case CHUNK_I32:
    case CHUNK_I64:
    case CHUNK_F32:
    case CHUNK_F64:
    case CHUNK_F80:
    case CHUNK_COUNT: break;
    }
    return OP_COUNT;
}

static bool is_comparison(Op op) {
    return op < OP_COUNT && op_table[op].flags & OPF_COND;
}

bool op_tells_overflow(Op op) {
    switch (op_family(op)) {
    case FAM_ADDO:
    case FAM_NADDO:
    case FAM_SUBO:
    case FAM_NSUBO:
    case FAM_RSUBO:
    case FAM_NRSUBO:
    case FAM_MULO:
    case FAM_NMULO: return true;
    default: return false;
    }
}

Op op_exactness(Op op) {
    switch (op_family(op)) {
    case FAM_ADD: return op_of(FAM_NADDO, op_table[op].at);
    case FAM_SUB: return op_of(FAM_NSUBO, op_table[op].at);
    case FAM_MUL: return op_of(FAM_NMULO, op_table[op].at);
    default: return OP_COUNT;
    }
}

bool op_compares_integers(Op op) {
    return is_comparison(op) && type_is_int(op_table[op].at) && !op_tells_overflow(op);
}

bool op_compares_unsigned(Op op) {
    OpFamily family = op_family(op);
    return family == FAM_ULT || family == FAM_ULE || family == FAM_UGT || family == FAM_UGE;
}

bool op_signals(Op op) {
    switch (op_family(op)) {
    case FAM_LT:
    case FAM_LE:
    case FAM_GT:
    case FAM_GE: return !op_compares_integers(op);
    case FAM_NLT:
    case FAM_NLE:
    case FAM_NGT:
    case FAM_NGE: return true;
    default: return false;
    }
}

Op op_mirror(Op op) {
    if (op_table[op].flags & OPF_COMM) return op;
    return is_comparison(op) ? comparisons[op].mirror : OP_COUNT;
}

Op op_negation(Op op) {
    return is_comparison(op) ? comparisons[op].negation : OP_COUNT;
}

static const char *const type_names[TYPE_COUNT] = {
#define TYPE(id, text) [TYPE_##id] = text,
    TYPES(TYPE)
#undef TYPE
};

const char *type_name(Type type) {
    return type < TYPE_COUNT ? type_names[type] : "?";
}

Type type_named(const char *name, size_t length) {
    for (Type type = 0; type < TYPE_COUNT; type++)
        if (same_name(type_names[type], name, length)) return type;
    return TYPE_COUNT;
}

bool type_is_int(Type type) {
    return type == TYPE_I32 || type == TYPE_I64;
}

static const struct {
    const char *name;
    uint32_t size;
    Type type;
} chunk_table[CHUNK_COUNT] = {
#define CHUNK(id, text, bytes, t) [CHUNK_##id] = {.name = text, .size = bytes, .type = TYPE_##t},
    CHUNKS(CHUNK)
#undef CHUNK
};

const char *chunk_name(Chunk chunk) {
    return chunk_table[chunk].name;
}

Chunk chunk_named(const char *name, size_t length) {
    for (Chunk chunk = 0; chunk < CHUNK_COUNT; chunk++)
        if (same_name(chunk_table[chunk].name, name, length)) return chunk;
    return CHUNK_COUNT;
}

static const struct {
    const char *name, *in_c;
} effective_table[EFFECTIVE_COUNT] = {
#define EFFECTIVE(id, text, c) [EFFECTIVE_##id] = {.name = text, .in_c = c},
    EFFECTIVE_TYPES(EFFECTIVE)
#undef EFFECTIVE
};

const char *effective_name(EffectiveType type) {
    return effective_table[type].name;
}

const char *effective_name_in_c(EffectiveType type) {
    return effective_table[type].in_c;
}

EffectiveType effective_named(const char *name, size_t length) {
    for (EffectiveType type = 0; type < EFFECTIVE_COUNT; type++)
        if (same_name(effective_table[type].name, name, length)) return type;
    return EFFECTIVE_COUNT;
}

static const char *const order_table[ORDER_COUNT] = {
#define ORDER(id, text) [ORDER_##id] = text,
    MEMORY_ORDERS(ORDER)
#undef ORDER
};

const char *order_name(MemoryOrder order) {
    return order_table[order];
}

MemoryOrder order_named(const char *name, size_t length) {
    for (MemoryOrder order = 0; order < ORDER_COUNT; order++)
        if (same_name(order_table[order], name, length)) return order;
    return ORDER_COUNT;
}

uint32_t chunk_size(Chunk chunk) {
    return chunk_table[chunk].size;
}

Type chunk_type(Chunk chunk) {
    return chunk_table[chunk].type;
}

Chunk type_chunk(Type type) {
    switch (type) {
    case TYPE_I32: return CHUNK_I32;
    case TYPE_I64: return CHUNK_I64;
    case TYPE_F32: return CHUNK_F32;
    case TYPE_F64: return CHUNK_F64;
    case TYPE_F80: return CHUNK_F80;
    case TYPE_VOID:
    case TYPE_COUNT: break;
    }
    return CHUNK_COUNT;
}
