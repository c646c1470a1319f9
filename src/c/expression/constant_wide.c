// Constants of 128 bits. They are expressions of a kind of their own, so that code for the 64 bits
// of other integer constants cannot mistake a half for the whole. Code that understands both kinds
// asks constant_wide.
#include "c/parse/expression.h"

#include <math.h>

Expr *expr_wide(Parser *parser, CType *type, Wide value, const Expr *from) {
    Expr *expr = expr_new(parser, EX_WIDE, type, from);
    expr->wide = value;
    expr->constant_expression = true;
    return expr;
}

bool constant_wide(const Expr *expr, Wide *value) {
    if (expr->kind == EX_WIDE)
        *value = expr->wide;
    else if (expr->kind == EX_INT)
        *value = type_is_unsigned(expr->type) ? wide_unsigned(expr->integer)
                                              : wide_signed(expr->integer);
    else
        return false;
    return true;
}

bool expr_is_number(const Expr *expr) {
    return expr->kind == EX_INT || expr->kind == EX_WIDE || expr->kind == EX_FLOAT;
}

bool is_zero_constant(const Expr *expr) {
    Wide value;
    return constant_wide(expr, &value) && wide_is_zero(value);
}

Expr *expr_number(Parser *parser, const Expr *number, const Expr *from) {
    Expr *copy = expr_new(parser, number->kind, number->type, from);
    if (number->kind == EX_INT)
        copy->integer = number->integer;
    else if (number->kind == EX_WIDE)
        copy->wide = number->wide;
    else
        copy->floating = number->floating;
    return copy;
}

uint64_t wide_clamped(Wide value, bool is_unsigned) {
    bool negative = !is_unsigned && wide_negative(value);
    Wide short_one = is_unsigned ? wide_unsigned(value.low) : wide_signed(value.low);
    if (wide_equal(value, short_one)) return value.low;
    return negative ? (uint64_t)1 << 63 : UINT64_MAX >> !is_unsigned;
}

// ---- Casts

// Out of range the result is the nearest integer, as for the narrower types.
static Wide wide_nearest(long double value, bool is_signed) {
    Wide result = {0}, most = {.low = UINT64_MAX, .high = UINT64_MAX >> is_signed};
    if (isnan(value) || wide_from_float(value, is_signed, &result)) return result;
    if (value > 0) return most;
    return is_signed ? wide_not(most) : result;
}

// An integer as an integer of another type. An address is a number with a sign here, as for the
// system compiler.
static Expr *cast_integer(Parser *parser, const Expr *expr, CType *type) {
    Wide value;
    if (!constant_wide(expr, &value)) return NULL;
    if (expr->type->kind == CT_POINTER) value = wide_signed(value.low);
    if (type_is_wide(type)) return expr_wide(parser, type, value, expr);
    return expr_int(parser, type, value.low, expr);
}

Expr *fold_wide_cast(Parser *parser, const Expr *expr, CType *type) {
    Expr *folded = NULL;
    if (type_is_integer(type) || type->kind == CT_POINTER) {
        folded = expr->kind == EX_FLOAT
                     ? expr_wide(parser, type,
                                 wide_nearest(expr->floating, !type_is_unsigned(type)), expr)
                     : cast_integer(parser, expr, type);
    } else if (type_is_floating(type) && expr->kind == EX_WIDE) {
        unsigned precision = type->kind == CT_HALF     ? 11
                             : type->kind == CT_FLOAT  ? 24
                             : type->kind == CT_DOUBLE ? 53
                                                       : 64;
        bool is_signed = !type_is_unsigned(expr->type);
        return expr_floating(parser, type, wide_to_float(expr->wide, is_signed, precision), expr);
    }
    if (!folded) return NULL;
    constant_of(folded, expr, expr);
    folded->parenthesized = expr->parenthesized;
    return folded;
}

// ---- Operators

Expr *fold_wide_unary(Parser *parser, ExprKind kind, CType *type, const Expr *operand,
                      const Expr *from) {
    Wide value = operand->wide, negative = wide_negate(value);
    Expr *folded = expr_wide(parser, type, kind == EX_NEG ? negative : wide_not(value), from);
    constant_of(folded, operand, operand);
    bool least = !wide_is_zero(value) && wide_equal(value, negative);
    if (kind == EX_NEG && least && !type_is_unsigned(type)) warn_overflow(parser, from, type);
    return folded;
}

static bool compare_wide(BinaryOp op, bool is_unsigned, Wide a, Wide b) {
    bool less = is_unsigned ? wide_less_unsigned(a, b) : wide_less_signed(a, b);
    bool equal = wide_equal(a, b);
    switch (op) {
    case BIN_EQ: return equal;
    case BIN_NE: return !equal;
    case BIN_LT: return less;
    case BIN_LE: return less || equal;
    case BIN_GT: return !less && !equal;
    default: return !less;
    }
}

static Wide divide_wide(BinaryOp op, bool is_unsigned, Wide a, Wide b) {
    Wide remainder;
    Wide quotient =
        is_unsigned ? wide_divide_unsigned(a, b, &remainder) : wide_divide_signed(a, b, &remainder);
    return op == BIN_DIV ? quotient : remainder;
}

static bool shift_wide(BinaryOp op, bool is_unsigned, Wide a, Wide count, Wide *out) {
    if (!wide_less_unsigned(count, wide_unsigned(128))) return false;
    unsigned by = (unsigned)count.low;
    *out = op == BIN_SHL ? wide_shift_left(a, by)
           : is_unsigned ? wide_shift_right(a, by)
                         : wide_shift_right_signed(a, by);
    return true;
}

// Whether the exact result of a signed operation is not the wrapped one.
static bool overflows(BinaryOp op, Wide a, Wide b, Wide wrapped) {
    Wide rest, minus_one = {.low = UINT64_MAX, .high = UINT64_MAX};
    bool least = wide_equal(a, wide_shift_left(wide_unsigned(1), 127));
    switch (op) {
    case BIN_ADD: return (a.high ^ wrapped.high) & (b.high ^ wrapped.high) & (uint64_t)1 << 63;
    case BIN_SUB: return (a.high ^ b.high) & (a.high ^ wrapped.high) & (uint64_t)1 << 63;
    case BIN_DIV: return least && wide_equal(b, minus_one);
    case BIN_MUL:
        if (wide_is_zero(b)) return false;
        if (wide_equal(b, minus_one)) return least;
        return !wide_equal(wide_divide_signed(wrapped, b, &rest), a);
    default: return false;
    }
}

// The operands are of one type, but for shifts.
static Expr *fold_arithmetic(Parser *parser, BinaryOp op, CType *type, Wide a, Wide b,
                             const Expr *from) {
    Wide value;
    bool is_unsigned = type_is_unsigned(type);
    switch (op) {
    case BIN_ADD: value = wide_add(a, b); break;
    case BIN_SUB: value = wide_sub(a, b); break;
    case BIN_MUL: value = wide_multiply(a, b); break;
    case BIN_DIV:
    case BIN_MOD:
        if (wide_is_zero(b)) return NULL;
        value = divide_wide(op, is_unsigned, a, b);
        break;
    case BIN_AND: value = (Wide){.low = a.low & b.low, .high = a.high & b.high}; break;
    case BIN_OR: value = (Wide){.low = a.low | b.low, .high = a.high | b.high}; break;
    case BIN_XOR: value = (Wide){.low = a.low ^ b.low, .high = a.high ^ b.high}; break;
    default:
        if (!shift_wide(op, is_unsigned, a, b, &value)) return NULL;
    }
    if (!is_unsigned && overflows(op, a, b, value)) warn_overflow(parser, from, type);
    return expr_wide(parser, type, value, from);
}

Expr *fold_wide_binary(Parser *parser, BinaryOp op, CType *type, const Expr *left,
                       const Expr *right, const Expr *from) {
    Wide a, b;
    if (!constant_wide(left, &a) || !constant_wide(right, &b)) return NULL;
    Expr *folded;
    if (op >= BIN_EQ && op <= BIN_GE)
        folded = expr_int(parser, type, compare_wide(op, type_is_unsigned(left->type), a, b), from);
    else
        folded = fold_arithmetic(parser, op, type, a, b, from);
    if (folded) constant_of(folded, left, right);
    return folded;
}
