// Complex numbers: the parts of a value, conversions, and folding.
//
// A complex constant is an EX_COMPLEX whose operands are constants. A real operand of + - * and a
// real divisor stay real, as in the system compiler: no zero is made up for the imaginary part
// whose sign, or product with an infinity, would show. So an operator's operand is either of its
// complex type or of the type of the parts.
#include "c/parse/builtin.h"

#include <math.h>

// ---- Parts

bool is_complex_constant(const Expr *expr) {
    return expr->kind == EX_COMPLEX && expr_is_number(expr->left) && expr_is_number(expr->right);
}

Expr *expr_complex(Parser *parser, CType *type, Expr *real, Expr *imaginary, const Expr *from) {
    Expr *expr = expr_new(parser, EX_COMPLEX, type, from);
    expr->left = real;
    expr->right = imaginary;
    return expr;
}

Expr *expr_imaginary(Parser *parser, Expr *number) {
    Expr *zero = expr_int(parser, parser->types->basic[CT_INT], 0, number);
    return expr_complex(parser, type_complex(parser->types, number->type),
                        expr_convert(parser, zero, number->type), number, number);
}

// A part of an lvalue is one, too.
static Expr *expr_part(Parser *parser, Expr *whole, unsigned which, const Expr *from) {
    if (is_complex_constant(whole)) return which ? whole->right : whole->left;
    if (whole->kind == EX_CAST && whole->cast == CAST_READ &&
        !(whole->left->type->quals & (Q_VOLATILE | Q_ATOMIC)))
        return expr_value(parser, expr_part(parser, whole->left, which, from));
    CType *type = whole->type;
    unsigned quals = whole->lvalue ? type->quals & (Q_CONST | Q_VOLATILE) : 0;
    const Member *member = &type->record->members.at[which];
    Expr *expr =
        expr_new(parser, EX_MEMBER, type_qualify(parser->types, member->type, quals), from);
    expr->left = whole;
    expr->member = member;
    expr->member_offset = member->offset;
    expr->lvalue = whole->lvalue;
    return expr;
}

Expr *parse_complex_part(Parser *parser, unsigned which) {
    Expr from = expr_at_token(&parser->token);
    parser_next(parser);
    Expr *operand = parse_cast(parser);
    if (is_error(operand)) return operand;
    expr_extend(&from, operand);
    if (!type_is_arithmetic(operand->type)) {
        error_at_expr(parser, operand, "%s needs an arithmetic operand, not one of type %s",
                      which ? "__imag__" : "__real__", type_text(parser, operand->type));
        return expr_error(parser, operand);
    }
    if (type_is_complex(operand->type)) return expr_part(parser, operand, which, &from);
    if (which == 0) return operand;
    operand = expr_value(parser, operand);
    Expr *zero = expr_int(parser, parser->types->basic[CT_INT], 0, operand);
    zero = expr_convert(parser, zero, operand->type);
    if (expr_is_number(operand)) return zero;
    return expr_comma(parser, make_cast(parser, CAST_VOID, operand, parser->types->basic[CT_VOID]),
                      zero);
}

// __builtin_complex(real, imaginary)
Expr *builtin_complex(BuiltinUse *use) {
    Parser *parser = use->parser;
    for (unsigned i = 0; i < 2; i++) use->args[i] = expr_as_meant(parser, use->args[i]);
    CType *type = use->args[0]->type;
    if (!type_is_floating(type) || use->args[1]->type != type) {
        error_at_expr(parser, &use->from,
                      "'%s' needs two values of one floating type, not %s and %s", use->name,
                      type_text(parser, type), type_text(parser, use->args[1]->type));
        return expr_error(parser, &use->from);
    }
    return expr_complex(parser, type_complex(parser->types, type), use->args[0], use->args[1],
                        &use->from);
}

// ---- Conversions

Expr *convert_complex(Parser *parser, Expr *expr, CType *type) {
    if (type_is_complex(type) && type_is_wide(type->base)) {
        unsupported_type(parser, expr, type);
        return expr_error(parser, expr);
    }
    if (!type_is_complex(type)) {
        bool truth;
        if (type->kind == CT_VOID) return make_cast(parser, CAST_VOID, expr, type);
        if (type->kind != CT_BOOL)
            return expr_convert(parser, expr_part(parser, expr, 0, expr), type);
        if (constant_truth(expr, &truth)) return expr_int(parser, type, truth, expr);
        return make_cast(parser, CAST_TO_BOOL, expr, type);
    }
    if (!type_is_complex(expr->type)) {
        Expr *zero = expr_int(parser, parser->types->basic[CT_INT], 0, expr);
        return expr_complex(parser, type, expr_convert(parser, expr, type->base),
                            expr_convert(parser, zero, type->base), expr);
    }
    if (!is_complex_constant(expr)) return make_cast(parser, CAST_ARITHMETIC, expr, type);
    return expr_complex(parser, type, expr_convert(parser, expr->left, type->base),
                        expr_convert(parser, expr->right, type->base), expr);
}

Expr *convert_complex_operand(Parser *parser, BinaryOp op, bool right, Expr *expr, CType *type) {
    bool stays_real = !type_is_complex(expr->type) && (op != BIN_DIV || right);
    return expr_convert(parser, expr, stays_real ? type->base : type);
}

CType *complex_operands(Parser *parser, BinaryOp op, Expr **left, Expr **right) {
    CType *type =
        type_evaluated(parser->types, type_common(parser->types, promoted_type(parser, *left),
                                                  promoted_type(parser, *right)));
    *left = convert_complex_operand(parser, op, false, *left, type);
    *right = convert_complex_operand(parser, op, true, *right, type);
    return type;
}

// ---- Folding

// The parts of a constant operand; part[1] is NULL for a real one.
typedef struct {
    Expr *part[2];
} ComplexParts;

static bool parts_of(Expr *expr, ComplexParts *parts) {
    if (is_complex_constant(expr))
        *parts = (ComplexParts){{expr->left, expr->right}};
    else
        *parts = (ComplexParts){{expr, NULL}};
    return is_complex_constant(expr) || expr_is_number(expr);
}

// The state while an operator on constants is folded.
typedef struct {
    Parser *parser;
    CType *part;
    const Expr *from;
} Fold;

// An operator on parts; NULL if it cannot be folded, or if an operand could not.
static Expr *fold_parts(const Fold *fold, BinaryOp op, Expr *a, Expr *b) {
    return a && b ? fold_binary(fold->parser, op, fold->part, a, b, fold->from) : NULL;
}

// a * b + c * d without an error but that of the last rounding, unless the parts are long doubles.
static long double sum_of_products(long double a, long double b, long double c, long double d) {
    long double p = a * b, q = c * d, sum = p + q;
    if (!isfinite(sum) || (p == 0 && q == 0)) return sum; // with the sign of a zero
    long double p_error = fmal(a, b, -p), q_error = fmal(c, d, -q);
    long double back = sum - p, sum_error = (p - (sum - back)) + (q - back);
    return sum + (sum_error + (p_error + q_error));
}

static Expr *floating_part(const Fold *fold, long double value) {
    return expr_floating(fold->parser, fold->part, value, fold->from);
}

typedef struct {
    long double part[2];
} Complex;

static Complex product(Complex a, Complex b) {
    return (Complex){{sum_of_products(a.part[0], b.part[0], -a.part[1], b.part[1]),
                      sum_of_products(a.part[0], b.part[1], a.part[1], b.part[0])}};
}

// The divisor is brought near one: the sum of its squares neither vanishes nor is too large.
static Complex quotient(Complex a, Complex b) {
    long double size = fmaxl(fabsl(b.part[0]), fabsl(b.part[1]));
    int scale = isfinite(size) && size != 0 ? -ilogbl(size) : 0;
    long double real = scalbnl(b.part[0], scale), imaginary = scalbnl(b.part[1], scale);
    long double square = sum_of_products(real, real, imaginary, imaginary);
    Complex conjugate = {{real, -imaginary}};
    Complex top = product(a, conjugate);
    return (Complex){{scalbnl(top.part[0] / square, scale), scalbnl(top.part[1] / square, scale)}};
}

static bool any_infinite(Complex z) {
    return isinf(z.part[0]) || isinf(z.part[1]);
}

// An infinite number as a corner of the unit square: C11, annex G.5.1.
static Complex boxed(Complex z) {
    if (!any_infinite(z)) return z;
    return (Complex){{copysignl(isinf(z.part[0]) ? 1 : 0, z.part[0]),
                      copysignl(isinf(z.part[1]) ? 1 : 0, z.part[1])}};
}

static Complex without_nans(Complex z) {
    return (Complex){{isnan(z.part[0]) ? copysignl(0, z.part[0]) : z.part[0],
                      isnan(z.part[1]) ? copysignl(0, z.part[1]) : z.part[1]}};
}

static Complex times(long double factor, Complex z) {
    return (Complex){{factor * z.part[0], factor * z.part[1]}};
}

// Where the formula yields no number at all although a factor is infinite, the product is, too.
static Complex infinite_product(Complex a, Complex b, Complex naive) {
    if (any_infinite(a) || any_infinite(b))
        return times(INFINITY, product(without_nans(boxed(a)), without_nans(boxed(b))));
    return naive;
}

// Likewise for x/0, an infinite dividend and an infinite divisor.
static Complex infinite_quotient(Complex a, Complex b, Complex naive) {
    bool finite_a = isfinite(a.part[0]) && isfinite(a.part[1]);
    bool finite_b = isfinite(b.part[0]) && isfinite(b.part[1]);
    if (b.part[0] == 0 && b.part[1] == 0 && (!isnan(a.part[0]) || !isnan(a.part[1])))
        return times(copysignl(INFINITY, b.part[0]), a);
    Complex conjugate = {{b.part[0], -b.part[1]}};
    if (any_infinite(a) && finite_b) return times(INFINITY, product(boxed(a), conjugate));
    if (any_infinite(b) && finite_a) {
        Complex corner = boxed(b);
        return times(0, product(a, (Complex){{corner.part[0], -corner.part[1]}}));
    }
    return naive;
}

// The exact product and quotient, rounded. Values that are not finite are left to run time, where
// exceptions can be seen, unless the value is needed now.
static bool fold_floating_product(const Fold *fold, BinaryOp op, const ComplexParts *a,
                                  const ComplexParts *b, Expr *result[2]) {
    Complex x = {{a->part[0]->floating, a->part[1]->floating}};
    Complex y = {{b->part[0]->floating, b->part[1]->floating}};
    Complex z = op == BIN_MUL ? product(x, y) : quotient(x, y);
    if (isnan(z.part[0]) && isnan(z.part[1]))
        z = op == BIN_MUL ? infinite_product(x, y, z) : infinite_quotient(x, y, z);
    for (unsigned i = 0; i < 2; i++) result[i] = floating_part(fold, z.part[i]);
    bool finite = isfinite(result[0]->floating) && isfinite(result[1]->floating);
    return (finite || fold->parser->folds_now) && !rounds_later(fold->parser);
}

static Expr *fold_magnitude(const Fold *fold, Expr *number) {
    bool negative = !type_is_unsigned(fold->part) && (int64_t)number->integer < 0;
    return negative ? fold_unary(fold->parser, EX_NEG, fold->part, number, fold->from) : number;
}

// The quotient of complex integers, by the steps that lowering emits.
static void fold_integer_quotient(const Fold *fold, const ComplexParts *a, const ComplexParts *b,
                                  Expr *result[2]) {
    Expr *real = fold_magnitude(fold, b->part[0]), *imaginary = fold_magnitude(fold, b->part[1]);
    bool less = type_is_unsigned(fold->part) ? real->integer < imaginary->integer
                                             : (int64_t)real->integer < (int64_t)imaginary->integer;
    Expr *small = b->part[!less], *large = b->part[less];
    Expr *ratio = fold_parts(fold, BIN_DIV, small, large);
    Expr *divisor = fold_parts(fold, BIN_ADD, fold_parts(fold, BIN_MUL, small, ratio), large);
    Expr *first = a->part[less], *second = a->part[!less];
    Expr *top = fold_parts(fold, BIN_ADD, fold_parts(fold, BIN_MUL, second, ratio), first);
    Expr *product = fold_parts(fold, BIN_MUL, first, ratio);
    Expr *rest = less ? fold_parts(fold, BIN_SUB, product, second)
                      : fold_parts(fold, BIN_SUB, second, product);
    result[0] = fold_parts(fold, BIN_DIV, top, divisor);
    result[1] = fold_parts(fold, BIN_DIV, rest, divisor);
}

static void fold_product(const Fold *fold, BinaryOp op, const ComplexParts *a,
                         const ComplexParts *b, Expr *result[2]) {
    if (!a->part[1] || !b->part[1]) {
        Expr *const *x = a->part[1] ? a->part : b->part;
        Expr *real = a->part[1] ? b->part[0] : a->part[0];
        for (int i = 0; i < 2; i++)
            result[i] =
                a->part[1] ? fold_parts(fold, op, x[i], real) : fold_parts(fold, op, real, x[i]);
    } else if (type_is_floating(fold->part)) {
        if (!fold_floating_product(fold, op, a, b, result)) result[0] = NULL;
    } else if (op == BIN_DIV) {
        fold_integer_quotient(fold, a, b, result);
    } else {
        result[0] = fold_parts(fold, BIN_SUB, fold_parts(fold, BIN_MUL, a->part[0], b->part[0]),
                               fold_parts(fold, BIN_MUL, a->part[1], b->part[1]));
        result[1] = fold_parts(fold, BIN_ADD, fold_parts(fold, BIN_MUL, a->part[0], b->part[1]),
                               fold_parts(fold, BIN_MUL, a->part[1], b->part[0]));
    }
}

static Expr *fold_comparison(const Fold *fold, BinaryOp op, CType *type, const ComplexParts *a,
                             const ComplexParts *b) {
    bool equal = true;
    for (int i = 0; i < 2; i++) {
        const Expr *same =
            fold_binary(fold->parser, BIN_EQ, type, a->part[i], b->part[i], fold->from);
        equal &= same->integer != 0;
    }
    Expr *folded = expr_int(fold->parser, type, equal == (op == BIN_EQ), fold->from);
    folded->constant_expression = false;
    return folded;
}

Expr *fold_complex_binary(Parser *parser, BinaryOp op, CType *type, Expr *left, Expr *right,
                          const Expr *from) {
    ComplexParts a, b;
    if (!parts_of(left, &a) || !parts_of(right, &b)) return NULL;
    CType *operands = a.part[1] ? left->type : right->type;
    Fold fold = {.parser = parser, .part = operands->base, .from = from};
    Expr *result[2];
    if (op == BIN_EQ || op == BIN_NE) return fold_comparison(&fold, op, type, &a, &b);
    if (op == BIN_MUL || op == BIN_DIV) {
        fold_product(&fold, op, &a, &b, result);
    } else {
        result[0] = fold_parts(&fold, op, a.part[0], b.part[0]);
        if (a.part[1] && b.part[1])
            result[1] = fold_parts(&fold, op, a.part[1], b.part[1]);
        else if (op == BIN_SUB && b.part[1])
            result[1] = fold_unary(parser, EX_NEG, fold.part, b.part[1], from);
        else
            result[1] = a.part[1] ? a.part[1] : b.part[1];
    }
    if (!result[0] || !result[1]) return NULL;
    return expr_complex(parser, type, result[0], result[1], from);
}

Expr *fold_complex_unary(Parser *parser, ExprKind kind, Expr *operand, const Expr *from) {
    if (!is_complex_constant(operand)) return NULL;
    CType *part = operand->type->base;
    Expr *real = operand->left;
    if (kind == EX_NEG) real = fold_unary(parser, EX_NEG, part, real, from);
    return expr_complex(parser, operand->type, real,
                        fold_unary(parser, EX_NEG, part, operand->right, from), from);
}
