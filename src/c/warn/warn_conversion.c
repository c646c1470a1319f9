// -Wconversion and related warnings: implicit conversions that may change a value.
//
// The possible values of an expression count, not its type: `c & 15` fits into a char although it
// is an int. An expression's range is a number of bits and whether it may be negative; the range is
// found by looking a few operators deep. As in gcc, the carry of a sum or product does not count: a
// short plus a short is assigned to a short every day. Where gcc looks at types alone, gatecc warns
// less: gatecc does not warn about a conversion that cannot change the value.
#include "c/parse/expression.h"

#include <math.h>

typedef struct {
    unsigned bits; // with the sign, if there is one
    bool is_signed;
} IntegerRange;

enum { DEEPEST = 8 }; // operators that are looked at below a conversion

static IntegerRange range_of_type(const CType *type) {
    return (IntegerRange){.bits = type_bits(type), .is_signed = !type_is_unsigned(type)};
}

static unsigned bits_of(uint64_t value) {
    unsigned bits = 0;
    for (; value; value >>= 1) bits++;
    return bits;
}

static IntegerRange range_of_constant(const Expr *expr) {
    bool negative = !type_is_unsigned(expr->type) && (int64_t)expr->integer < 0;
    return (IntegerRange){.bits = negative ? bits_of(~expr->integer) + 1 : bits_of(expr->integer),
                          .is_signed = negative};
}

// All values of both.
static IntegerRange range_join(IntegerRange a, IntegerRange b) {
    unsigned a_bits = a.bits + (b.is_signed && !a.is_signed);
    unsigned b_bits = b.bits + (a.is_signed && !b.is_signed);
    return (IntegerRange){.bits = a_bits > b_bits ? a_bits : b_bits,
                          .is_signed = a.is_signed || b.is_signed};
}

// A type that does not have room for all of them brings what does not fit back into its own.
static IntegerRange range_within(IntegerRange range, IntegerRange whole) {
    return range.bits > whole.bits ? whole : range;
}

static IntegerRange range_of(const Expr *expr, unsigned depth);

static IntegerRange range_of_binary(const Expr *expr, unsigned depth) {
    IntegerRange left = range_of(expr->left, depth + 1), right = range_of(expr->right, depth + 1);
    switch (expr->op) {
    case BIN_AND:
        if (!left.is_signed && !right.is_signed) return left.bits < right.bits ? left : right;
        if (!left.is_signed) return left;
        if (!right.is_signed) return right;
        return range_join(left, right);
    case BIN_OR:
    case BIN_XOR: return range_join(left, right);
    case BIN_SHR:
        if (expr->right->kind == EX_INT && expr->right->integer < left.bits)
            left.bits -= (unsigned)expr->right->integer;
        return left;
    case BIN_SHL: return left;
    case BIN_MOD:
        if (left.is_signed) right.bits++, right.is_signed = true;
        return right.bits < left.bits ? right : left;
    default: return range_join(left, right);
    }
}

// What was widened before, by a cast, too, is as good as narrow.
static const Expr *without_widening(const Expr *expr) {
    while (expr->kind == EX_CAST && expr->cast == CAST_ARITHMETIC &&
           type_is_integer(expr->left->type) && type_bits(expr->left->type) < type_bits(expr->type))
        expr = expr->left;
    return expr;
}

// What a constant variable is initialized with, if that is a number; else the expression itself.
static const Expr *initial_number(const Expr *expr) {
    const Expr *variable = expr->kind == EX_CAST && expr->cast == CAST_READ ? expr->left : expr;
    if (variable->kind != EX_VAR || !(variable->decl->type->quals & Q_CONST)) return expr;
    const Init *init = variable->decl->init;
    if (!init || init->count != 1 || init->pieces[0].value->kind != EX_INT) return expr;
    return variable->decl->type->quals & Q_VOLATILE ? expr : init->pieces[0].value;
}

static IntegerRange range_of(const Expr *expr, unsigned depth) {
    expr = initial_number(without_widening(expr));
    if (expr->kind == EX_INT && !expr->assumed) return range_of_constant(expr);
    IntegerRange whole = range_of_type(expr->type);
    if (depth > DEEPEST || expr->assumed) return whole;
    const Member *field = bitfield_source(expr);
    if (field)
        return (IntegerRange){.bits = field->width, .is_signed = !type_is_unsigned(field->type)};
    switch (expr->kind) {
    case EX_LOGICAL_NOT:
    case EX_AND:
    case EX_OR: return (IntegerRange){.bits = 1};
    case EX_NEG:
    case EX_NOT: return range_of(expr->left, depth + 1);
    case EX_BINARY:
        if (expr->op >= BIN_EQ && expr->op <= BIN_GE) return (IntegerRange){.bits = 1};
        if (expr->left->type->kind == CT_POINTER) return whole;
        return range_within(range_of_binary(expr, depth), whole);
    case EX_COMMA: return range_of(expr->right, depth + 1);
    case EX_CAST: {
        if (expr->cast != CAST_ARITHMETIC || !type_is_integer(expr->left->type)) return whole;
        IntegerRange inner = range_of(expr->left, depth + 1);
        bool kept = inner.is_signed ? whole.is_signed && inner.bits <= whole.bits
                                    : inner.bits <= whole.bits - whole.is_signed;
        return kept ? inner : whole;
    }
    case EX_COND: {
        const Expr *middle = expr->middle;
        if (!middle || !type_is_integer(middle->type)) return whole;
        return range_within(
            range_join(range_of(middle, depth + 1), range_of(expr->right, depth + 1)), whole);
    }
    default: return whole;
    }
}

static void warn_value(Parser *parser, Warning warning, const Expr *expr, CType *type,
                       unsigned width) {
    if (!width) {
        warn_at_value(parser, warning, expr, "conversion from %s to %s may change the value",
                      type_text(parser, expr->type), type_text(parser, type));
        return;
    }
    warn_at_value(parser, warning, expr,
                  "conversion from %s to a bit-field of %u bits may change the value",
                  type_text(parser, expr->type), width);
}

static void warn_sign(Parser *parser, const Expr *expr, CType *type) {
    bool sign = type_is_unsigned(type) || type_is_unsigned(expr->type);
    if (expr->kind == EX_INT && !expr->assumed)
        warn_at_value(parser, sign ? WARN_SIGN_CONVERSION : WARN_CONVERSION, expr,
                      "conversion from %s to %s changes the value from %s to %s",
                      type_text(parser, expr->type), type_text(parser, type),
                      constant_text(parser, expr),
                      constant_text(parser, expr_int(parser, type, expr->integer, expr)));
    else
        warn_at_value(parser, WARN_SIGN_CONVERSION, expr,
                      "conversion from %s to %s may change the sign of the result",
                      type_text(parser, expr->type), type_text(parser, type));
}

// Of enumerations and truth values it is not asked which numbers they are.
static bool is_plain(const CType *type) {
    return type->kind != CT_BOOL && type->kind != CT_ENUM;
}

// The following tell whether they have warned.

static bool to_integer(Parser *parser, const Expr *expr, CType *type, unsigned width) {
    if (type_is_floating(expr->type)) {
        bool exact = expr->kind == EX_FLOAT && truncl(expr->floating) == expr->floating;
        if (!exact) warn_value(parser, WARN_FLOAT_CONVERSION, expr, type, width);
        return !exact;
    }
    const Expr *narrow = without_widening(expr);
    IntegerRange from = range_of(narrow, 0), to = range_of_type(type);
    if (width) to.bits = width;
    bool sign = from.is_signed ? !to.is_signed : to.is_signed && from.bits == to.bits;
    if (from.bits > to.bits || (sign && !expr_is_number(expr) && type_bits(narrow->type) > to.bits))
        warn_value(parser, WARN_CONVERSION, expr, type, width);
    else if (sign)
        warn_sign(parser, expr, type);
    return sign || from.bits > to.bits;
}

static unsigned precision_of(const CType *type) {
    if (type->kind == CT_HALF || type->form == FLOAT_EXCESS) return 11;
    return type->kind == CT_FLOAT ? 24 : type->kind == CT_DOUBLE ? 53 : 64;
}

static bool to_floating(Parser *parser, const Expr *expr, CType *type) {
    if (type_is_integer(expr->type)) {
        IntegerRange from = range_of(expr, 0);
        bool exact = from.bits - from.is_signed <= precision_of(type);
        if (expr->kind == EX_INT)
            exact = exact ||
                    round_floating(type, (long double)expr->integer) == (long double)expr->integer;
        Warning warning = expr->kind == EX_INT ? WARN_FLOAT_CONVERSION : WARN_CONVERSION;
        if (!exact) warn_value(parser, warning, expr, type, 0);
        return !exact;
    }
    if (precision_of(type) < precision_of(expr->type)) {
        bool exact =
            expr->kind == EX_FLOAT &&
            (round_floating(type, expr->floating) == expr->floating || isnan(expr->floating));
        if (!exact) warn_value(parser, WARN_FLOAT_CONVERSION, expr, type, 0);
        return !exact;
    }
    return false;
}

static bool from_arm(Parser *parser, const Expr *expr, CType *type, unsigned width) {
    // Of a conditional expression each arm counts for itself; the first is told of.
    for (; expr->kind == EX_COND && expr->middle; expr = expr->right)
        if (from_arm(parser, expr->middle, type, width)) return true;
    if (!is_plain(expr->type) || (expr->type->unqualified == type->unqualified && !width))
        return false;
    return type_is_integer(type) ? to_integer(parser, expr, type, width)
                                 : to_floating(parser, expr, type);
}

void warn_conversion(Parser *parser, const Expr *expr, CType *type, unsigned width) {
    bool same = expr->type->unqualified == type->unqualified && !width;
    if (!evaluated(parser) || !is_plain(type) || same) return;
    if (!type_is_integer(expr->type) && !type_is_floating(expr->type)) return;
    if (!type_is_integer(type) && !type_is_floating(type)) return;
    if (!pp_might_warn(parser->pp, WARN_CONVERSION) &&
        !pp_might_warn(parser->pp, WARN_SIGN_CONVERSION) &&
        !pp_might_warn(parser->pp, WARN_FLOAT_CONVERSION))
        return;
    (void)from_arm(parser, expr, type, width);
}
