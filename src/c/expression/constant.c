// Constant expressions: folding with the widths and precisions of the target, and the questions
// whether an expression is a constant and which.
#include "base/half.h"
#include "c/parse/expression.h"

#include <math.h>
#include <string.h>

// ---- Making constants

uint64_t wrap_integer(const CType *type, uint64_t value) {
    if (type->kind == CT_BOOL) return value != 0;
    unsigned bits = type->kind == CT_POINTER ? 64 : type_bits(type);
    if (bits >= 64) return value;
    value &= ((uint64_t)1 << bits) - 1;
    if (!type_is_unsigned(type) && value >> (bits - 1) & 1) value |= UINT64_MAX << bits;
    return value;
}

long double round_floating(const CType *type, long double value) {
    if (type->kind == CT_HALF) return half_value(half_of(value));
    if (type->kind == CT_FLOAT) return (float)value;
    if (type_is_double(type)) return (double)value;
    return value;
}

// A conversion to another format makes a signaling NaN quiet.
static long double quieted(long double value) {
    union {
        long double value;
        uint64_t bits[2];
    } nan = {.value = value};
    if (value != value) nan.bits[0] |= (uint64_t)1 << 62;
    return nan.value;
}

Expr *expr_int(Parser *parser, CType *type, uint64_t value, const Expr *from) {
    if (type_is_wide(type)) return expr_wide(parser, type, wide_signed(value), from);
    Expr *expr = expr_new(parser, EX_INT, type, from);
    expr->integer = wrap_integer(type, value);
    expr->constant_expression = true;
    return expr;
}

Expr *expr_floating(Parser *parser, CType *type, long double value, const Expr *from) {
    Expr *expr = expr_new(parser, EX_FLOAT, type, from);
    expr->floating = round_floating(type, value);
    return expr;
}

const char *constant_text(Parser *parser, const Expr *expr) {
    if (expr->kind == EX_FLOAT) return arena_printf(parser->arena, "'%Lg'", expr->floating);
    if (expr->kind == EX_WIDE) {
        char digits[WIDE_DIGITS];
        return arena_printf(parser->arena, "'%s'",
                            wide_text(expr->wide, !type_is_unsigned(expr->type), digits));
    }
    if (type_is_unsigned(expr->type))
        return arena_printf(parser->arena, "'%llu'", (unsigned long long)expr->integer);
    return arena_printf(parser->arena, "'%lld'", (long long)expr->integer);
}

// ---- Casts

// Out of range the result is the nearest integer, as in the system compiler's folding.
static uint64_t float_to_integer(const CType *type, long double value) {
    if (isnan(value)) return 0;
    value = truncl(value);
    int bits = (int)type_bits(type);
    if (type_is_unsigned(type)) {
        if (value <= 0) return 0;
        if (value >= ldexpl(1, bits)) return wrap_integer(type, UINT64_MAX);
        return (uint64_t)value;
    }
    if (value <= -ldexpl(1, bits - 1)) return UINT64_MAX << (bits - 1);
    if (value >= ldexpl(1, bits - 1)) return ((uint64_t)1 << (bits - 1)) - 1;
    return (uint64_t)(int64_t)value;
}

static long double integer_to_float(const Expr *expr) {
    if (type_is_unsigned(expr->type)) return (long double)expr->integer;
    return (long double)(int64_t)expr->integer;
}

// An address that is certainly not null: of an object that exists, without an offset that may wrap.
static bool is_object_address(const Expr *expr) {
    AddressConstant address;
    if (expr->kind != EX_ADDR && expr->kind != EX_CAST) return false;
    if (!expr_is_address_constant(expr, &address)) return false;
    if (address.decl) return !address.decl->attributes->weak && address.offset >= 0;
    return address.string || address.label;
}

bool constant_truth(const Expr *expr, bool *truth) {
    if (expr->kind == EX_INT || expr->kind == EX_WIDE)
        *truth = !is_zero_constant(expr);
    else if (expr->kind == EX_FLOAT)
        *truth = expr->floating != 0;
    else if (expr->type->kind == CT_POINTER && is_object_address(expr))
        *truth = true;
    else if (is_complex_constant(expr))
        return constant_truth(expr->left, truth) && (*truth || constant_truth(expr->right, truth));
    else
        return false;
    return true;
}

void constant_of(Expr *folded, const Expr *left, const Expr *right) {
    folded->constant_expression = left->constant_expression && right->constant_expression;
    folded->assumed = left->assumed || right->assumed;
    if (folded->kind != EX_INT) return;
    if (right->kind == EX_INT) folded->right = right->right;
    if (left->kind == EX_INT && left->right) folded->right = left->right;
}

bool rounds_later(const Parser *parser) {
    return parser->options->rounding_math && parser->function && !parser->folds_now;
}

// A number in a type; NULL if it would have to be rounded, and that later.
static Expr *exact_floating(Parser *parser, CType *type, long double value, const Expr *from) {
    Expr *folded = expr_floating(parser, type, value, from);
    bool exact = folded->floating == value || isnan(value);
    return exact || !rounds_later(parser) ? folded : NULL;
}

static Expr *fold_float_cast(Parser *parser, const Expr *expr, CType *type) {
    if (type->kind != expr->type->kind)
        return exact_floating(parser, type, quieted(expr->floating), expr);
    Expr *folded = expr_new(parser, EX_FLOAT, type, expr);
    folded->floating = expr->floating;
    return folded;
}

Expr *fold_cast(Parser *parser, Expr *expr, CType *type) {
    bool to_integer = type_is_integer(type) || type->kind == CT_POINTER;
    Expr *folded = NULL;
    bool truth;
    if (type->kind == CT_BOOL && constant_truth(expr, &truth)) {
        folded = expr_int(parser, type, truth, expr);
    } else if (expr->kind == EX_WIDE || type_is_wide(type)) {
        return fold_wide_cast(parser, expr, type);
    } else if (expr->kind == EX_INT) {
        if (to_integer)
            folded = expr_int(parser, type, expr->integer, expr);
        else if (type_is_floating(type))
            return exact_floating(parser, type, integer_to_float(expr), expr);
    } else if (expr->kind == EX_FLOAT) {
        if (type_is_floating(type))
            folded = fold_float_cast(parser, expr, type);
        else if (type_is_integer(type))
            folded = expr_int(parser, type, float_to_integer(type, expr->floating), expr);
    }
    if (!folded) return NULL;
    constant_of(folded, expr, expr);
    folded->parenthesized = expr->parenthesized;
    return folded;
}

// ---- Operators

void warn_overflow(Parser *parser, const Expr *from, const CType *type) {
    if (!evaluated(parser)) return;
    warn_at_expr(parser, WARN_OVERFLOW, from, "integer overflow in an expression of type %s",
                 type_text(parser, type));
}

Expr *fold_unary(Parser *parser, ExprKind kind, CType *type, Expr *operand, const Expr *from) {
    Expr *folded = NULL;
    bool truth;
    if (kind == EX_LOGICAL_NOT) {
        if (!constant_truth(operand, &truth)) return NULL;
        folded = expr_int(parser, type, !truth, from);
        constant_of(folded, operand, operand);
        if (operand->kind != EX_INT && operand->kind != EX_WIDE)
            folded->constant_expression = false;
        return folded;
    }
    if (type_is_complex(type)) return fold_complex_unary(parser, kind, operand, from);
    if (operand->kind == EX_FLOAT && kind == EX_NEG) {
        folded = expr_new(parser, EX_FLOAT, type, from);
        folded->floating = -operand->floating;
        return folded;
    }
    if (operand->kind == EX_WIDE) return fold_wide_unary(parser, kind, type, operand, from);
    if (operand->kind != EX_INT) return NULL;
    uint64_t value = operand->integer;
    folded = expr_int(parser, type, kind == EX_NEG ? 0 - value : ~value, from);
    constant_of(folded, operand, operand);
    if (kind == EX_NEG && value != 0 && folded->integer == value && !type_is_unsigned(type))
        warn_overflow(parser, from, type);
    return folded;
}

static bool product_overflows(uint64_t a, uint64_t b) {
    int64_t x = (int64_t)a, y = (int64_t)b, product = (int64_t)(a * b);
    if (x == 0 || y == 0) return false;
    if ((x == -1 && y == INT64_MIN) || (y == -1 && x == INT64_MIN)) return true;
    return product / y != x;
}

// Whether the exact result of a signed operation does not fit into the type.
static bool overflows(BinaryOp op, const CType *type, uint64_t a, uint64_t b, uint64_t exact) {
    bool wide = false;
    switch (op) {
    case BIN_ADD: wide = ((a ^ exact) & (b ^ exact)) >> 63; break;
    case BIN_SUB: wide = ((a ^ b) & (a ^ exact)) >> 63; break;
    case BIN_MUL: wide = product_overflows(a, b); break;
    case BIN_DIV: wide = (int64_t)a == INT64_MIN && (int64_t)b == -1; break;
    default: return false;
    }
    return wide || wrap_integer(type, exact) != exact;
}

static bool fold_division(BinaryOp op, bool is_unsigned, uint64_t a, uint64_t b, uint64_t *out) {
    if (b == 0) return false;
    if (is_unsigned)
        *out = op == BIN_DIV ? a / b : a % b;
    else if ((int64_t)b == -1)
        *out = op == BIN_DIV ? 0 - a : 0;
    else
        *out = (uint64_t)(op == BIN_DIV ? (int64_t)a / (int64_t)b : (int64_t)a % (int64_t)b);
    return true;
}

// A count that is too large, which has been warned of, shifts everything out. A negative one has no
// meaning.
static bool fold_shift(BinaryOp op, const Expr *left, const Expr *right, uint64_t *out) {
    if (!type_is_unsigned(right->type) && (int64_t)right->integer < 0) return false;
    uint64_t a = left->integer;
    unsigned count = right->integer < 64 ? (unsigned)right->integer : 63;
    if (right->integer >= type_bits(left->type))
        *out = op == BIN_SHR && !type_is_unsigned(left->type) && a >> 63 ? UINT64_MAX : 0;
    else if (op == BIN_SHL)
        *out = a << count;
    else if (type_is_unsigned(left->type) || a >> 63 == 0)
        *out = a >> count;
    else
        *out = ~(~a >> count);
    return true;
}

// Whether checks stop a shift: by more than there are bits, or one of a signed number that loses
// bits or changes the sign.
static bool is_mistaken_shift(BinaryOp op, const Expr *left, const Expr *right) {
    unsigned bits = type_bits(left->type);
    if (op != BIN_SHL && op != BIN_SHR) return false;
    if (right->integer >= bits) return true;
    uint64_t value = bits < 64 ? left->integer & (((uint64_t)1 << bits) - 1) : left->integer;
    return op == BIN_SHL && !type_is_unsigned(left->type) && value >> (bits - 1 - right->integer);
}

static bool compare_integers(BinaryOp op, bool is_unsigned, uint64_t a, uint64_t b) {
    bool less = is_unsigned ? a < b : (int64_t)a < (int64_t)b;
    switch (op) {
    case BIN_EQ: return a == b;
    case BIN_NE: return a != b;
    case BIN_LT: return less;
    case BIN_LE: return less || a == b;
    case BIN_GT: return !less && a != b;
    default: return !less;
    }
}

static Expr *fold_integers(Parser *parser, BinaryOp op, CType *type, const Expr *left,
                           const Expr *right, const Expr *from) {
    uint64_t a = left->integer, b = right->integer, value = 0;
    bool is_unsigned = type_is_unsigned(left->type);
    switch (op) {
    case BIN_ADD: value = a + b; break;
    case BIN_SUB: value = a - b; break;
    case BIN_MUL: value = a * b; break;
    case BIN_DIV:
    case BIN_MOD:
        if (!fold_division(op, is_unsigned, a, b, &value)) return NULL;
        break;
    case BIN_AND: value = a & b; break;
    case BIN_OR: value = a | b; break;
    case BIN_XOR: value = a ^ b; break;
    case BIN_SHL:
    case BIN_SHR:
        if (!fold_shift(op, left, right, &value)) return NULL;
        break;
    default: value = compare_integers(op, is_unsigned, a, b); break;
    }
    Expr *folded = expr_int(parser, type, value, from);
    constant_of(folded, left, right);
    if (is_mistaken_shift(op, left, right)) {
        Expr *shift = expr_new(parser, EX_BINARY, type, from);
        shift->op = (uint8_t)op;
        shift->left = arena_copy(parser->body_arena, left, sizeof *left);
        shift->right = arena_copy(parser->body_arena, right, sizeof *right);
        folded->right = shift;
    }
    if (!is_unsigned && !folded->assumed && overflows(op, left->type, a, b, value))
        warn_overflow(parser, from, type);
    return folded;
}

static long double float_arithmetic(BinaryOp op, const CType *type, long double a, long double b) {
    if (type->kind == CT_FLOAT) {
        float x = (float)a, y = (float)b;
        return op == BIN_ADD ? x + y : op == BIN_SUB ? x - y : op == BIN_MUL ? x * y : x / y;
    }
    if (type_is_double(type)) {
        double x = (double)a, y = (double)b;
        return op == BIN_ADD ? x + y : op == BIN_SUB ? x - y : op == BIN_MUL ? x * y : x / y;
    }
    return op == BIN_ADD ? a + b : op == BIN_SUB ? a - b : op == BIN_MUL ? a * b : a / b;
}

bool floats_compare(BinaryOp op, long double a, long double b) {
    switch (op) {
    case BIN_EQ: return a == b;
    case BIN_NE: return a != b;
    case BIN_LT: return a < b;
    case BIN_LE: return a <= b;
    case BIN_GT: return a > b;
    default: return a >= b;
    }
}

// Whether an exception of an operation that is left to the machine can be seen. That a result is
// rounded does not count.
static bool keeps_exceptions(const Parser *parser) {
    return !parser->folds_now && !parser->options->no_trapping_math;
}

static Expr *fold_floats(Parser *parser, BinaryOp op, CType *type, const Expr *left,
                         const Expr *right, const Expr *from) {
    long double a = left->floating, b = right->floating;
    bool nan = isnan(a) || isnan(b), infinite = isinf(a) || isinf(b);
    if (op < BIN_EQ || op > BIN_GE) {
        if (rounds_later(parser)) return NULL;
        Expr *folded = expr_floating(parser, type, float_arithmetic(op, type, a, b), from);
        bool raises = !nan && (isnan(folded->floating) || (isinf(folded->floating) && !infinite));
        return raises && keeps_exceptions(parser) ? NULL : folded;
    }
    bool quiet = op == BIN_EQ || op == BIN_NE;
    if (nan && !quiet && keeps_exceptions(parser)) return NULL;
    Expr *folded = expr_int(parser, type, floats_compare(op, a, b), from);
    folded->constant_expression = false;
    return folded;
}

// Equal string literals count as one object, as they do for the system compiler.
static bool same_string(const CString *a, const CString *b) {
    if (a == b) return true;
    if (!a || !b || a->object || b->object) return false;
    if (a->size != b->size || a->element != b->element) return false;
    return memcmp(a->bytes, b->bytes, (size_t)a->size) == 0;
}

static bool same_symbol(const AddressConstant *a, const AddressConstant *b) {
    return a->decl == b->decl && same_string(a->string, b->string) && a->label == b->label;
}

// Comparison and difference of addresses of one object, or of an object and null.
static Expr *fold_addresses(Parser *parser, BinaryOp op, CType *type, const Expr *left,
                            const Expr *right, const Expr *from) {
    AddressConstant a, b;
    if (!expr_is_address_constant(left, &a) || !expr_is_address_constant(right, &b)) return NULL;
    uint64_t value;
    if (same_symbol(&a, &b)) {
        if (op == BIN_PTR_DIFF) {
            int64_t size = left->type->base->size ? (int64_t)left->type->base->size : 1;
            if (type_has_variable_size(left->type->base)) return NULL;
            value = (uint64_t)((a.offset - b.offset) / size);
        } else {
            value = compare_integers(op, true, (uint64_t)a.offset, (uint64_t)b.offset);
        }
    } else {
        bool truth;
        if (op != BIN_EQ && op != BIN_NE) return NULL;
        bool null =
            (right->kind == EX_INT && right->integer == 0 && constant_truth(left, &truth)) ||
            (left->kind == EX_INT && left->integer == 0 && constant_truth(right, &truth));
        if (!null) return NULL;
        value = op == BIN_NE;
    }
    Expr *folded = expr_int(parser, type, value, from);
    folded->constant_expression = false;
    return folded;
}

static Expr *fold_pointer_step(Parser *parser, BinaryOp op, CType *type, const Expr *left,
                               const Expr *right, const Expr *from) {
    if (left->kind != EX_INT || right->kind != EX_INT) return NULL;
    const CType *base = type->base;
    if (type_has_variable_size(base)) return NULL;
    uint64_t size = base->kind == CT_VOID || base->kind == CT_FUNC ? 1 : base->size;
    uint64_t distance = right->integer * size;
    Expr *folded =
        expr_int(parser, type,
                 op == BIN_PTR_ADD ? left->integer + distance : left->integer - distance, from);
    folded->constant_expression = false;
    return folded;
}

Expr *fold_binary(Parser *parser, BinaryOp op, CType *type, Expr *left, Expr *right,
                  const Expr *from) {
    if (op == BIN_PTR_ADD || op == BIN_PTR_SUB)
        return fold_pointer_step(parser, op, type, left, right, from);
    if (type_is_complex(left->type) || type_is_complex(right->type))
        return fold_complex_binary(parser, op, type, left, right, from);
    if (left->type->kind == CT_POINTER) return fold_addresses(parser, op, type, left, right, from);
    if (left->kind == EX_WIDE) return fold_wide_binary(parser, op, type, left, right, from);
    if (left->kind == EX_INT && right->kind == EX_INT)
        return fold_integers(parser, op, type, left, right, from);
    if (left->kind == EX_FLOAT && right->kind == EX_FLOAT)
        return fold_floats(parser, op, type, left, right, from);
    return NULL;
}

// ---- Questions

bool expr_is_integer_constant(const Expr *expr, uint64_t *value) {
    Wide wide;
    if (!type_is_integer(expr->type) || !constant_wide(expr, &wide)) return false;
    *value = wide_clamped(wide, type_is_unsigned(expr->type));
    return true;
}

bool constant_integer(Parser *parser, Expr *expr, const char *what, int64_t *value) {
    if (is_error(expr)) return false;
    if (!type_is_integer(expr->type)) {
        error_at_expr(parser, expr, "the %s must be an integer, not of type %s", what,
                      type_text(parser, expr->type));
        return false;
    }
    uint64_t number;
    if (!expr_is_integer_constant(expr, &number)) {
        error_at_expr(parser, expr, "the %s is not an integer constant expression", what);
        return false;
    }
    if (!expr->constant_expression && parser->options->pedantic)
        warn_at_expr(parser, WARN_PEDANTIC, expr, "the %s is not an integer constant expression",
                     what);
    *value = (int64_t)number;
    return true;
}

// Whether its address is a constant.
static bool is_static_object(const Decl *decl) {
    if (decl->is_thread) return false;
    return decl->file_scope || decl->external || decl->internal ||
           decl->storage == STORAGE_STATIC || decl->storage == STORAGE_EXTERN;
}

// The size that one step of pointer arithmetic has; 0 if it is not a constant.
static int64_t step_size(const CType *pointer) {
    const CType *base = pointer->base;
    if (base->kind == CT_VOID || base->kind == CT_FUNC) return 1;
    return type_has_variable_size(base) ? 0 : (int64_t)base->size;
}

// One step towards the symbol an address is made of. Values are addresses themselves; of lvalues
// the address is meant.
typedef enum { STEP_FAIL, STEP_DONE, STEP_VALUE, STEP_LVALUE } AddressStep;

static AddressStep lvalue_step(const Expr **at, AddressConstant *address) {
    const Expr *expr = *at;
    switch (expr->kind) {
    case EX_VAR:
    case EX_COMPOUND:
    case EX_FUNC:
        address->decl = expr->decl;
        return expr->kind == EX_FUNC || is_static_object(expr->decl) ? STEP_DONE : STEP_FAIL;
    case EX_STRING: address->string = expr->string; return STEP_DONE;
    case EX_MEMBER:
        if (expr->member->offset_var) return STEP_FAIL;
        address->offset += (int64_t)expr->member_offset;
        *at = expr->left;
        return STEP_LVALUE;
    case EX_DEREF: *at = expr->left; return STEP_VALUE;
    default: return STEP_FAIL;
    }
}

static bool same_width(const CType *to, const CType *from) {
    return to->size == 8 && from->size == 8 && !type_is_floating(to) && !type_is_floating(from);
}

static AddressStep sum_step(const Expr **at, AddressConstant *address) {
    const Expr *expr = *at, *left = expr->left, *right = expr->right;
    int64_t scale = 1;
    if (expr->op == BIN_PTR_ADD || expr->op == BIN_PTR_SUB)
        scale = step_size(expr->type);
    else if ((expr->op != BIN_ADD && expr->op != BIN_SUB) || expr->type->size != 8)
        return STEP_FAIL;
    if (expr->op == BIN_ADD && left->kind == EX_INT) {
        right = expr->left;
        left = expr->right;
    }
    if (right->kind != EX_INT || scale == 0) return STEP_FAIL;
    uint64_t distance = right->integer * (uint64_t)scale;
    bool minus = expr->op == BIN_SUB || expr->op == BIN_PTR_SUB;
    address->offset = (int64_t)((uint64_t)address->offset + (minus ? 0 - distance : distance));
    *at = left;
    return STEP_VALUE;
}

static AddressStep value_step(const Expr **at, AddressConstant *address) {
    const Expr *expr = *at;
    switch (expr->kind) {
    case EX_INT:
        address->offset = (int64_t)((uint64_t)address->offset + expr->integer);
        return STEP_DONE;
    case EX_LABEL: address->label = expr->label; return STEP_DONE;
    case EX_ADDR: *at = expr->left; return STEP_LVALUE;
    case EX_BINARY: return sum_step(at, address);
    case EX_CAST:
        *at = expr->left;
        if (expr->cast == CAST_DECAY || expr->cast == CAST_FUNC) return STEP_LVALUE;
        if (expr->cast == CAST_SAME) return STEP_VALUE;
        if (expr->cast != CAST_POINTER && expr->cast != CAST_ARITHMETIC) return STEP_FAIL;
        return same_width(expr->type, expr->left->type) ? STEP_VALUE : STEP_FAIL;
    default: return STEP_FAIL;
    }
}

bool expr_is_address_constant(const Expr *expr, AddressConstant *address) {
    *address = (AddressConstant){0};
    AddressStep step = STEP_VALUE;
    while (step == STEP_VALUE || step == STEP_LVALUE)
        step = step == STEP_VALUE ? value_step(&expr, address) : lvalue_step(&expr, address);
    return step == STEP_DONE;
}

// ---- Code that is never executed

// Looks for statement expressions, in which there may be labels. Left operands are followed in a
// loop, since their chains may be long.
static bool holds_statements(const Expr *expr) {
    for (; expr; expr = expr->left) {
        switch (expr->kind) {
        case EX_ERROR:
        case EX_STATEMENT: return true;
        case EX_COND:
            if (expr->middle && holds_statements(expr->middle)) return true;
            break;
        case EX_CALL:
        case EX_BUILTIN:
            for (uint32_t i = 0; i < expr->arg_count; i++)
                if (holds_statements(expr->args[i])) return true;
            break;
        default: break;
        }
        if (expr->right && holds_statements(expr->right)) return true;
    }
    return false;
}

bool droppable(const Parser *parser, const Expr *expr) {
    if (!parser->function || !parser->function->has_statement_exprs) return true;
    return !holds_statements(expr);
}
