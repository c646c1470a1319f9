// Lowers arithmetic that reports overflow, such as __builtin_add_overflow: the exact result is
// computed in more bits than any operand has, wrapped to the type of the result, and extended
// again. If the extended result differs from the exact result, there was an overflow.
#include "c/lower/lower_private.h"

// An integer of 192 bits, which holds every operand, sum and difference. Of products that do not
// fit, all that matters is that they do not.
typedef struct {
    Operand value; // the low 128 bits
    Operand top;   // i64
} ExactOperand;

static Operand op(Lower *lower, Op which, Operand a, Operand b) {
    return emit_binary(lower, which, a, b, NO_REG);
}

static Operand wide_op(Lower *lower, BinaryOp which, Operand a, Operand b) {
    return wide_operator(lower, which, lower->types->basic[CT_UINT128], a, b);
}

static Operand zero(void) {
    return operand_int(TYPE_I64, 0);
}

static Operand flag_as_i64(Lower *lower, Operand flag) {
    return emit_unary(lower, OP_ZEXT_I64, flag, NO_REG);
}

static Operand is_not_zero(Lower *lower, Operand value) {
    return op(lower, OP_NE_I64, value, zero());
}

// 0, or -1 for a negative number.
static Operand sign_of(Lower *lower, Operand value, const CType *type) {
    if (type_is_unsigned(type)) return zero();
    return op(lower, OP_SAR_I64, wide_high(value), operand_int(TYPE_I32, 63));
}

// Where everything is narrow the top is not needed.
static ExactOperand extended(Lower *lower, Operand value, const CType *type, bool narrow) {
    CType *wide = lower->types->basic[CT_INT128];
    ExactOperand exact = {.value = lower_convert(lower, value, type, wide, NO_REG), .top = zero()};
    if (!narrow) exact.top = sign_of(lower, exact.value, type_scalar(type));
    return exact;
}

// ---- Operations

static ExactOperand sum(Lower *lower, ExactOperand a, ExactOperand b) {
    ExactOperand exact = {.value = wide_op(lower, BIN_ADD, a.value, b.value)};
    Operand carry = flag_as_i64(lower, wide_op(lower, BIN_LT, exact.value, b.value));
    exact.top = op(lower, OP_ADD_I64, op(lower, OP_ADD_I64, a.top, b.top), carry);
    return exact;
}

static ExactOperand difference(Lower *lower, ExactOperand a, ExactOperand b) {
    ExactOperand exact = {.value = wide_op(lower, BIN_SUB, a.value, b.value)};
    Operand borrow = flag_as_i64(lower, wide_op(lower, BIN_LT, a.value, b.value));
    exact.top = op(lower, OP_SUB_I64, op(lower, OP_SUB_I64, a.top, b.top), borrow);
    return exact;
}

// The value if the sign is 0, its negation if it is -1.
static Operand with_sign(Lower *lower, Operand value, Operand sign) {
    Operand mask = wide_pair(sign, sign);
    return wide_op(lower, BIN_SUB, wide_op(lower, BIN_XOR, value, mask), mask);
}

// The product of two numbers without a sign; *lost is set if it has more than 128 bits.
static Operand magnitude_product(Lower *lower, Operand a, Operand b, Operand *lost) {
    Operand a_low = wide_low(a), a_high = wide_high(a), b_low = wide_low(b), b_high = wide_high(b);
    Operand cross = op(lower, OP_MUL_I64, a_high, b_low);
    Operand other = op(lower, OP_MUL_I64, a_low, b_high);
    Operand high = op(lower, OP_ADD_I64, op(lower, OP_MULHU_I64, a_low, b_low), cross);
    Operand carry = op(lower, OP_ULT_I64, high, cross);
    high = op(lower, OP_ADD_I64, high, other);
    *lost = op(lower, OP_OR_I32, carry, op(lower, OP_ULT_I64, high, other));
    Operand above = op(lower, OP_MULHU_I64, a_low, b_high);
    Operand beyond = op(lower, OP_OR_I64, op(lower, OP_MULHU_I64, a_high, b_low), above);
    *lost = op(lower, OP_OR_I32, *lost, is_not_zero(lower, beyond));
    Operand second = is_not_zero(lower, b_high);
    Operand both = op(lower, OP_AND_I32, is_not_zero(lower, a_high), second);
    *lost = op(lower, OP_OR_I32, *lost, both);
    return wide_pair(op(lower, OP_MUL_I64, a_low, b_low), high);
}

static ExactOperand product(Lower *lower, ExactOperand a, ExactOperand b, Operand *lost) {
    Operand b_size = with_sign(lower, b.value, b.top), a_size = with_sign(lower, a.value, a.top);
    Operand size = magnitude_product(lower, a_size, b_size, lost);
    Operand sign = op(lower, OP_XOR_I64, a.top, b.top);
    Operand some = flag_as_i64(lower, is_not_zero(lower, wide_bits(lower, size)));
    return (ExactOperand){.value = with_sign(lower, size, sign),
                          .top = op(lower, OP_AND_I64, sign, op(lower, OP_SUB_I64, zero(), some))};
}

// ---- The builtins

static Operand wrapped(Lower *lower, Operand value, const CType *type) {
    CType *wide = lower->types->basic[CT_INT128];
    if (type_scalar(type)->kind != CT_BOOL) return lower_convert(lower, value, wide, type, NO_REG);
    Operand low = emit_unary(lower, OP_TRUNC_I32, wide_low(value), NO_REG);
    return op(lower, OP_AND_I32, low, operand_int(TYPE_I32, 1));
}

static Operand differs(Lower *lower, Operand a, Operand b) {
    return wide_bits(lower, wide_op(lower, BIN_XOR, a, b));
}

static ExactOperand operate(Lower *lower, unsigned builtin, ExactOperand a, ExactOperand b,
                            Operand *lost) {
    if (builtin == CB_ADD_OVERFLOW) return sum(lower, a, b);
    if (builtin == CB_SUB_OVERFLOW) return difference(lower, a, b);
    return product(lower, a, b, lost);
}

// 128 bits hold every sum, difference and product of operands of at most 64 (a product of two
// unsigned ones without a sign).
static Operand operate_narrow(Lower *lower, unsigned builtin, Operand a, Operand b) {
    return wide_op(lower,
                   builtin == CB_ADD_OVERFLOW   ? BIN_ADD
                   : builtin == CB_SUB_OVERFLOW ? BIN_SUB
                                                : BIN_MUL,
                   a, b);
}

Operand wide_overflows(Lower *lower, BinaryOp which, Operand a, Operand b) {
    CType *wide = lower->types->basic[CT_INT128];
    unsigned builtin = which == BIN_ADD   ? CB_ADD_OVERFLOW
                       : which == BIN_SUB ? CB_SUB_OVERFLOW
                                          : CB_MUL_OVERFLOW;
    Operand lost = operand_int(TYPE_I32, 0);
    ExactOperand right = extended(lower, b, wide, false);
    ExactOperand exact = operate(lower, builtin, extended(lower, a, wide, false), right, &lost);
    Operand sign = sign_of(lower, exact.value, wide);
    Operand other = is_not_zero(lower, op(lower, OP_XOR_I64, exact.top, sign));
    return op(lower, OP_OR_I32, other, lost);
}

// The low bits of a number, extended: what a bit-field would hold.
static Operand cut(Lower *lower, Operand value, unsigned bits, bool is_unsigned) {
    CType *wide = lower->types->basic[is_unsigned ? CT_UINT128 : CT_INT128];
    Operand distance = operand_int(TYPE_I32, 128 - (int64_t)bits);
    value = wide_operator(lower, BIN_SHL, wide, value, distance);
    return wide_operator(lower, BIN_SHR, wide, value, distance);
}

Operand lower_overflow(Lower *lower, const Expr *expr, Reg dest) {
    const Expr *target = expr->args[2];
    bool stores = expr->arg_count == 3;
    const CType *type = stores ? target->type->base : target->type;
    bool narrow = !type_is_wide(type) && !type_is_wide(expr->args[0]->type) &&
                  !type_is_wide(expr->args[1]->type);
    ExactOperand operands[2];
    for (uint32_t i = 0; i < 2; i++) {
        const Expr *arg = expr->args[i];
        operands[i] = extended(lower, lower_expr(lower, arg, NO_REG), arg->type, narrow);
    }
    Spot place = {0};
    if (stores) place = lower_pointee(lower, target);
    if (type->quals & Q_VOLATILE) place.is_volatile = true;
    emit_at_expr(lower, expr);
    Operand lost = operand_int(TYPE_I32, 0);
    ExactOperand exact = {.top = zero()};
    if (narrow)
        exact.value = operate_narrow(lower, expr->builtin, operands[0].value, operands[1].value);
    else
        exact = operate(lower, expr->builtin, operands[0], operands[1], &lost);
    Operand result = wrapped(lower, exact.value, type);
    if (stores) spot_write(lower, &place, type, result);
    ExactOperand again = extended(lower, result, type, narrow);
    unsigned bits = stores ? type_bits(type) : (unsigned)expr->args[3]->integer;
    if (bits < type_bits(type)) again.value = cut(lower, again.value, bits, type_is_unsigned(type));
    Operand other = differs(lower, exact.value, again.value);
    if (narrow) return emit_binary(lower, OP_NE_I64, other, zero(), dest);
    other = op(lower, OP_OR_I64, other, op(lower, OP_XOR_I64, exact.top, again.top));
    return emit_binary(lower, OP_OR_I32, is_not_zero(lower, other), lost, dest);
}
