// Evaluates operators by the rules of ops.def. Each row becomes one case of a switch; eval_rules.h
// has the helpers that rows call. Undefined bits are handled here, by the rule that the row names.
#include "fact/eval.h"

#include "fact/eval_rules.h"

// ---- Undefined bits

typedef enum { ANY, AND, OR, UNION, SAME, PICK } UndefRule;

typedef struct {
    UndefRule rule;
    Type result;
} UndefInfo;

static const UndefInfo undef_table[OP_COUNT] = {
#define OP1(id, fam, at, text, r, a, f, u, value, m) [OP_##id] = {.rule = (u), .result = TYPE_##r},
#define OP2(id, fam, at, text, r, a, b, f, u, defined, value, m)                                   \
    [OP_##id] = {.rule = (u), .result = TYPE_##r},
#define OP3(id, fam, at, text, r, a, b, c, f, u, value, m)                                         \
    [OP_##id] = {.rule = (u), .result = TYPE_##r},
#include "form/ops.def"
};

static bool eval_defined(Op op, Value a, Value b, Value c, Value *result);

// At least one operand has undefined bits.
static bool eval_undefined(Op op, Value a, Value b, Value c, Value *result) {
    const UndefInfo *info = &undef_table[op];
    uint8_t arity = op_info(op)->arity;
    if (op_is_partial(op)) return false;
    Value plain_a = {.bits = a.bits, .high = a.high}, plain_b = {.bits = b.bits, .high = b.high};
    Value plain_c = {.bits = c.bits, .high = c.high};
    uint64_t undef = type_mask(info->result);
    switch (info->rule) {
    case ANY: break;
    case AND: undef = (a.undef & (b.bits | b.undef)) | (b.undef & (a.bits | a.undef)); break;
    case OR: undef = (a.undef & (~b.bits | b.undef)) | (b.undef & (~a.bits | a.undef)); break;
    case UNION: undef = a.undef | (arity > 1 ? b.undef : 0); break;
    case SAME:
        if (arity > 1 && b.undef & (info->result == TYPE_I32 ? 31 : 63))
            break; // the bits that count
        if (!eval_defined(op, (Value){.bits = a.undef}, plain_b, plain_c, result)) return false;
        undef = result->bits;
        break;
    case PICK:
        if (a.undef) break;
        *result = a.bits ? b : c;
        return true;
    }
    if (!eval_defined(op, plain_a, plain_b, plain_c, result)) return false;
    result->undef = undef & type_mask(info->result);
    // An undefined bit reads as zero, so that runs are repeatable.
    result->bits &= ~result->undef;
    if (result->undef) result->high = 0;
    return true;
}

// clang-format off
static bool eval_defined(Op op, Value x, Value y, Value z, Value *result) {
    switch (op) {
#define OP0(id, fam, at, text, r, m) case OP_##id: return false;
#define OP1(id, fam, at, text, r, A, f, u, value, m)             \
    case OP_##id: {                                     \
        C_##A a = GET_##A(x);                           \
        *result = PUT_##r((C_##r)(value));              \
        return true;                                    \
    }
#define OP2(id, fam, at, text, r, A, B, f, u, defined, value, m) \
    case OP_##id: {                                     \
        C_##A a = GET_##A(x);                           \
        C_##B b = GET_##B(y);                           \
        if (!(defined)) return false;                   \
        *result = PUT_##r((C_##r)(value));              \
        return true;                                    \
    }
#define OP3(id, fam, at, text, r, A, B, C, f, u, value, m)       \
    case OP_##id: {                                     \
        C_##A a = GET_##A(x);                           \
        C_##B b = GET_##B(y);                           \
        C_##C c = GET_##C(z);                           \
        *result = PUT_##r((C_##r)(value));              \
        return true;                                    \
    }
#include "form/ops.def"
    case OP_COUNT: break;
    }
    return false;
}
// clang-format on

bool op_eval(Op op, Value a, Value b, Value c, Value *result) {
    uint8_t arity = op_info(op)->arity;
    uint64_t undef = a.undef | (arity > 1 ? b.undef : 0) | (arity > 2 ? c.undef : 0);
    if (undef) return eval_undefined(op, a, b, c, result);
    return eval_defined(op, a, b, c, result);
}

// ---- Open results

static long double as_float(Type type, Value value) {
    return type == TYPE_F32   ? (long double)as_f32(value)
           : type == TYPE_F64 ? (long double)as_f64(value)
                              : as_f80(value);
}

bool op_is_open(Op op, const Value *operands, Value result) {
    const OpInfo *info = op_info(op);
    bool from_float = info->arity && !type_is_int(info->operand[0]);
    long double from = from_float ? as_float(info->operand[0], operands[0]) : 0;
    switch (op_family(op)) {
    case FAM_ADD:
    case FAM_SUB:
    case FAM_MUL:
    case FAM_DIV:
    case FAM_SQRT:
    case FAM_CVT_F32:
    case FAM_CVT_F64:
    case FAM_CVT_F80: return !type_is_int(info->result) && isnan(as_float(info->result, result));
    case FAM_CVT_I32: return !(from > -0x1.00000002p31L && from < 0x1p31L);
    case FAM_CVT_I64: return !(from >= -0x1p63L && from < 0x1p63L);
    case FAM_CVT_U32: return !(from > -1 && from < 0x1p32L);
    case FAM_CVT_U64: return !(from > -1 && from < 0x1p64L);
    default: return false;
    }
}
