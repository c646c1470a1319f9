// The __builtin_ functions that are more than a call. cbuiltins.def describes each of them.
#include "c/lower/lower_private.h"

#include <float.h>
#include <math.h>

static Operand arg(Lower *lower, const Expr *expr, uint32_t i) {
    return lower_expr(lower, expr->args[i], NO_REG);
}

static Operand one(Type type) {
    return operand_int(type, 1);
}

static Operand emit_select(Lower *lower, Operand condition, Operand yes, Operand no, Reg dest) {
    Reg args[3] = {operand_in_reg(lower, condition), operand_in_reg(lower, yes),
                   operand_in_reg(lower, no)};
    return emit_ternary(lower, op_select(yes.type), args, dest);
}

static Operand shift_right(Lower *lower, Op i32, Operand value, int64_t by) {
    return emit_binary(lower, op_for(i32, value.type), value, operand_int(TYPE_I32, by), NO_REG);
}

static int64_t sign_position(Type type) {
    return type == TYPE_I64 ? 63 : 31;
}

// ---- Bits of integers

// clz, ctz and popcount yield as many bits as they count in; the result is an int.
static Operand count_bits(Lower *lower, Op i32, Operand value, Reg dest) {
    Op op = op_for(i32, value.type);
    bool narrow = op_info(op)->result == TYPE_I32;
    Operand count = emit_unary(lower, op, value, narrow ? dest : NO_REG);
    return narrow ? count : emit_unary(lower, OP_TRUNC_I32, count, dest);
}

static Operand find_first(Lower *lower, Operand value, Reg dest) {
    Operand index = count_bits(lower, OP_CTZ_I32, value, NO_REG);
    index = emit_binary(lower, OP_ADD_I32, index, one(TYPE_I32), NO_REG);
    Operand some = lower_to_bool(lower, value, NO_REG);
    return emit_select(lower, some, index, operand_int(TYPE_I32, 0), dest);
}

static Operand redundant_signs(Lower *lower, Operand value, Reg dest) {
    Operand sign = shift_right(lower, OP_SAR_I32, value, sign_position(value.type));
    value = emit_binary(lower, op_of(FAM_XOR, value.type), value, sign, NO_REG);
    Operand zeros = count_bits(lower, OP_CLZ_I32, value, NO_REG);
    return emit_binary(lower, OP_SUB_I32, zeros, one(TYPE_I32), dest);
}

static Operand absolute(Lower *lower, Operand value, Reg dest) {
    Operand sign = shift_right(lower, OP_SAR_I32, value, sign_position(value.type));
    Operand flipped = emit_binary(lower, op_of(FAM_XOR, value.type), value, sign, NO_REG);
    return emit_binary(lower, op_of(FAM_SUB, value.type), flipped, sign, dest);
}

static Operand swap_bytes(Lower *lower, const Expr *expr, Operand value, Reg dest) {
    if (value.type == TYPE_WIDE) {
        Operand high = emit_unary(lower, OP_BSWAP_I64, wide_low(value), NO_REG);
        return wide_pair(emit_unary(lower, OP_BSWAP_I64, wide_high(value), NO_REG), high);
    }
    bool narrow = expr->args[0]->type->size == 2;
    return emit_unary(lower, narrow ? OP_BSWAP_I16 : op_of(FAM_BSWAP, value.type), value, dest);
}

// ---- Floating point

static Operand float_op(Lower *lower, Op f32, Operand a, Operand b, Reg dest) {
    return emit_binary(lower, op_for(f32, a.type), a, b, dest);
}

static Operand magnitude(Lower *lower, Operand value) {
    return emit_unary(lower, op_of(FAM_ABS, value.type), value, NO_REG);
}

static Operand infinity(Lower *lower, Type type, bool negative) {
    return emit_float(lower, type, negative ? -(long double)INFINITY : (long double)INFINITY,
                      NO_REG);
}

// The smallest normal number of a type, as an operand for comparisons with its values.
static Operand smallest_normal(Lower *lower, const CType *type) {
    enum { HALF_MIN_EXPONENT = -14 };
    if (type->kind == CT_HALF)
        return emit_float(lower, TYPE_F32, ldexpl(1, HALF_MIN_EXPONENT), NO_REG);
    Type of = lower_type(type);
    long double smallest = of == TYPE_F32 ? FLT_MIN : of == TYPE_F64 ? DBL_MIN : LDBL_MIN;
    return emit_float(lower, of, smallest, NO_REG);
}

// The sign as an i32, 0 or 1. The sign of a long double is read from memory.
static Operand sign_of(Lower *lower, Operand value, Reg dest) {
    if (value.type == TYPE_F32) {
        Operand bits = emit_unary(lower, OP_BITS_I32_F32, value, NO_REG);
        return emit_binary(lower, OP_SHR_I32, bits, operand_int(TYPE_I32, 31), dest);
    }
    if (value.type == TYPE_F64) {
        Operand bits = emit_unary(lower, OP_BITS_I64_F64, value, NO_REG);
        return emit_unary(lower, OP_TRUNC_I32, shift_right(lower, OP_SHR_I32, bits, 63), dest);
    }
    Spot place = spot_temporary(lower, lower->types->basic[CT_LDOUBLE]);
    emit_store(lower, &place, CHUNK_F80, value);
    place = spot_offset(place, 8);
    Operand high = emit_load(lower, &place, CHUNK_U16, NO_REG);
    return emit_binary(lower, OP_SHR_I32, high, operand_int(TYPE_I32, 15), dest);
}

static Operand copy_sign(Lower *lower, Operand value, Operand from, Reg dest) {
    Operand positive = magnitude(lower, value);
    Operand negative = emit_unary(lower, op_of(FAM_NEG, value.type), positive, NO_REG);
    return emit_select(lower, sign_of(lower, from, NO_REG), negative, positive, dest);
}

// How the magnitude compares with infinity. The magnitude is computed first, since compilers of
// gatecc may evaluate arguments in any order.
static Operand against_infinity(Lower *lower, Op f32, Operand value, Reg dest) {
    Operand size = magnitude(lower, value);
    return float_op(lower, f32, size, infinity(lower, value.type, false), dest);
}

static Operand infinity_sign(Lower *lower, Operand value, Reg dest) {
    Operand up = float_op(lower, OP_EQ_F32, value, infinity(lower, value.type, false), NO_REG);
    Operand down = float_op(lower, OP_EQ_F32, value, infinity(lower, value.type, true), NO_REG);
    return emit_binary(lower, OP_SUB_I32, up, down, dest);
}

// The operators < <= > >= without an exception for quiet NaNs: these never get to the operator.
static Operand quiet_compare(Lower *lower, Op f32, Operand a, Operand b, Reg dest) {
    Operand ordered = float_op(lower, OP_ORD_F32, a, b, NO_REG);
    Operand zero = emit_float(lower, a.type, 0, NO_REG);
    a = emit_select(lower, ordered, a, zero, NO_REG);
    b = emit_select(lower, ordered, b, zero, NO_REG);
    Operand order = float_op(lower, f32, a, b, NO_REG);
    return emit_binary(lower, OP_AND_I32, ordered, order, dest);
}

static Operand quiet_comparison(Lower *lower, const Expr *expr, Operand value, Reg dest) {
    Op op = comparison_op((BinaryOp)expr->args[2]->integer, lower->types->basic[CT_FLOAT]);
    Operand right = half_extended(lower, arg(lower, expr, 1), expr->args[1]->type);
    return quiet_compare(lower, op, value, right, dest);
}

// No magnitude is greater than infinity: what is less or greater is finite, and the operator is
// quiet.
static Operand is_normal(Lower *lower, const CType *type, Operand value, Reg dest) {
    Operand size = magnitude(lower, value), smallest = smallest_normal(lower, type);
    Operand large = quiet_compare(lower, OP_GE_F32, size, smallest, NO_REG);
    Operand finite = float_op(lower, OP_LG_F32, size, infinity(lower, value.type, false), NO_REG);
    return emit_binary(lower, OP_AND_I32, large, finite, dest);
}

static Operand float_class(Lower *lower, const Expr *expr) {
    Operand classes[5];
    for (uint32_t i = 0; i < 5; i++) classes[i] = arg(lower, expr, i);
    const CType *type = expr->args[5]->type;
    Operand value = half_extended(lower, arg(lower, expr, 5), type);
    Operand size = magnitude(lower, value);
    Operand inf = infinity(lower, value.type, false),
            zero = emit_float(lower, value.type, 0, NO_REG);
    Operand result = classes[0];
    Operand test = float_op(lower, OP_EQ_F32, size, inf, NO_REG);
    result = emit_select(lower, test, classes[1], result, NO_REG);
    test = float_op(lower, OP_LG_F32, size, inf, NO_REG);
    result = emit_select(lower, test, classes[2], result, NO_REG);
    Operand smallest = smallest_normal(lower, type);
    test = quiet_compare(lower, OP_LT_F32, size, smallest, NO_REG);
    result = emit_select(lower, test, classes[3], result, NO_REG);
    test = float_op(lower, OP_EQ_F32, value, zero, NO_REG);
    return emit_select(lower, test, classes[4], result, NO_REG);
}

// Where the sign is. It is read and written as a bit: no exception is raised.
enum { HALF_SIGN = 0x8000 };

static Operand half_copy_sign(Lower *lower, Operand value, Operand from, Reg dest) {
    Operand sign = emit_binary(lower, OP_AND_I32, from, operand_int(TYPE_I32, HALF_SIGN), NO_REG);
    Operand size =
        emit_binary(lower, OP_AND_I32, value, operand_int(TYPE_I32, HALF_SIGN - 1), NO_REG);
    return emit_binary(lower, OP_OR_I32, size, sign, dest);
}

// Builtins of numbers of 16 bits, as the system compiler has them: but for these the argument is
// extended.
static Operand lower_half_builtin(Lower *lower, const Expr *expr, Operand value, Reg dest) {
    const CType *type = expr->args[0]->type;
    if (expr->builtin == CB_SIGNBIT)
        return emit_binary(lower, OP_SHR_I32, value, operand_int(TYPE_I32, 15), dest);
    if (expr->builtin == CB_COPYSIGN)
        return half_copy_sign(lower, value, arg(lower, expr, 1), dest);
    value = emit_unary(lower, OP_ABS_F32, half_extended(lower, value, type), NO_REG); // CB_FABS
    return half_convert(lower, value, lower->types->basic[CT_FLOAT], type, dest);
}

// The second of two operands.
static Operand other(Lower *lower, const Expr *expr) {
    return half_extended(lower, arg(lower, expr, 1), expr->args[1]->type);
}

static Operand lower_float_builtin(Lower *lower, const Expr *expr, Reg dest) {
    Operand value = arg(lower, expr, 0);
    if (value.type == TYPE_VOID) return value;
    bool bits = expr->builtin == CB_SIGNBIT || expr->builtin == CB_COPYSIGN;
    if (expr->args[0]->type->kind == CT_HALF && (bits || expr->builtin == CB_FABS))
        return lower_half_builtin(lower, expr, value, dest);
    value = half_extended(lower, value, expr->args[0]->type);
    switch (expr->builtin) {
    case CB_FABS: return emit_unary(lower, op_of(FAM_ABS, value.type), value, dest);
    case CB_SQRT: return emit_unary(lower, op_of(FAM_SQRT, value.type), value, dest);
    case CB_COPYSIGN: return copy_sign(lower, value, other(lower, expr), dest);
    case CB_ISNAN: return float_op(lower, OP_UNO_F32, value, value, dest);
    case CB_ISINF: return against_infinity(lower, OP_EQ_F32, value, dest);
    case CB_ISINF_SIGN: return infinity_sign(lower, value, dest);
    case CB_ISFINITE: return against_infinity(lower, OP_LG_F32, value, dest);
    case CB_ISNORMAL: return is_normal(lower, expr->args[0]->type, value, dest);
    case CB_SIGNBIT: return sign_of(lower, value, dest);
    case CB_QUIET_COMPARE: return quiet_comparison(lower, expr, value, dest);
    case CB_UNORDERED: return float_op(lower, OP_UNO_F32, value, other(lower, expr), dest);
    default: return float_op(lower, OP_LG_F32, value, other(lower, expr), dest);
    }
}

// ---- The stack, variable arguments, control

static Operand lower_alloca(Lower *lower, const Expr *expr, Reg dest) {
    Reg size = lower_in_reg(lower, expr->args[0]);
    int64_t align = expr->arg_count > 1 ? (int64_t)expr->args[1]->integer
                                        : lower->types->language->model.largest_align;
    Reg to = reg_or_new(lower, dest, TYPE_I64);
    emit_builtin(lower, BI_ALLOCA, to, &size, 1, align);
    return operand_reg(lower, to);
}

static Operand stack_save(Lower *lower, Reg dest) {
    Reg to = reg_or_new(lower, dest, TYPE_I64);
    emit_builtin(lower, BI_STACK_SAVE, to, NULL, 0, 0);
    return operand_reg(lower, to);
}

static Operand stack_restore(Lower *lower, const Expr *expr) {
    Reg token = lower_in_reg(lower, expr->args[0]);
    emit_builtin(lower, BI_STACK_RESTORE, NO_REG, &token, 1, 0);
    return NO_OPERAND;
}

static Operand lower_va(Lower *lower, const Expr *expr) {
    Reg args[2];
    for (uint32_t i = 0; i < expr->arg_count && i < 2; i++)
        args[i] = lower_in_reg(lower, expr->args[i]);
    Builtin builtin = expr->builtin == CB_VA_START ? BI_VA_START
                      : expr->builtin == CB_VA_END ? BI_VA_END
                                                   : BI_VA_COPY;
    emit_at_expr(lower, expr);
    emit_builtin(lower, builtin, NO_REG, args, builtin == BI_VA_COPY ? 2 : 1, 0);
    return NO_OPERAND;
}

static Operand frame_address(Lower *lower, const Expr *expr, Reg dest) {
    Reg to = reg_or_new(lower, dest, TYPE_I64);
    Builtin builtin = expr->builtin == CB_FRAME_ADDRESS ? BI_FRAME_ADDRESS : BI_RETURN_ADDRESS;
    emit_builtin(lower, builtin, to, NULL, 0, (int64_t)expr->args[0]->integer);
    return operand_reg(lower, to);
}

static Operand lower_integer_builtin(Lower *lower, const Expr *expr, Reg dest) {
    Operand value = arg(lower, expr, 0);
    if (value.type == TYPE_VOID) return value;
    emit_at_expr(lower, expr);
    switch (expr->builtin) {
    case CB_CLZ:
    case CB_CTZ:
        sanitize_bits_argument(lower, expr->builtin == CB_CLZ, value);
        return count_bits(lower, expr->builtin == CB_CLZ ? OP_CLZ_I32 : OP_CTZ_I32, value, dest);
    case CB_POPCOUNT: return count_bits(lower, OP_POPCOUNT_I32, value, dest);
    case CB_FFS: return find_first(lower, value, dest);
    case CB_CLRSB: return redundant_signs(lower, value, dest);
    case CB_BSWAP: return swap_bytes(lower, expr, value, dest);
    default:
        sanitize_negation(lower, expr->args[0]->type, value);
        return absolute(lower, value, dest);
    }
}

Operand lower_builtin(Lower *lower, const Expr *expr, bool wanted, Reg dest) {
    if (expr->builtin >= CB_ATOMIC_LOAD && expr->builtin <= CB_ATOMIC_IS_LOCK_FREE)
        return lower_atomic_builtin(lower, expr, dest);
    switch ((CBuiltin)expr->builtin) {
    case CB_VA_START:
    case CB_VA_END:
    case CB_VA_COPY: return lower_va(lower, expr);
    case CB_ALLOCA: return lower_alloca(lower, expr, dest);
    case CB_STACK_SAVE: return stack_save(lower, dest);
    case CB_STACK_RESTORE: return stack_restore(lower, expr);
    case CB_TRAP: emit_builtin(lower, BI_TRAP, NO_REG, NULL, 0, 0); return NO_OPERAND;
    case CB_UNREACHABLE: lower_unreachable(lower); return NO_OPERAND;
    case CB_FRAME_ADDRESS:
    case CB_RETURN_ADDRESS: return wanted ? frame_address(lower, expr, dest) : NO_OPERAND;
    case CB_BARRIER: emit_fence(lower, BI_SIGNAL_FENCE, ORDER_SEQ_CST); return NO_OPERAND;
    case CB_CLEAR_PADDING: lower_clear_padding(lower, expr); return NO_OPERAND;
    case CB_CLZ:
    case CB_CTZ:
    case CB_POPCOUNT:
    case CB_FFS:
    case CB_CLRSB:
    case CB_BSWAP:
    case CB_ABS: return lower_integer_builtin(lower, expr, dest);
    case CB_ADD_OVERFLOW:
    case CB_SUB_OVERFLOW:
    case CB_MUL_OVERFLOW: return lower_overflow(lower, expr, dest);
    case CB_OBJECT_SIZE:
    case CB_CONSTANT_P:
    case CB_VA_PACK:
    case CB_VA_PACK_LEN: return lower_late_builtin(lower, expr, dest);
    case CB_FPCLASSIFY: return float_class(lower, expr);
    default: return lower_float_builtin(lower, expr, dest);
    }
}
