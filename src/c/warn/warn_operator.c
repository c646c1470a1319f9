// Operators whose operands look wrong: comparisons that are decided, signs that get lost, truth
// values where numbers are meant and numbers where truth values are.
#include "c/parse/warn.h"

static void warn_here(Parser *parser, Warning warning, Pos at, const char *text) {
    parser_warn(parser, warning, at, at + 1, "%s", text);
}

static bool is_comparison(const Expr *expr) {
    return expr->kind == EX_BINARY && expr->op >= BIN_EQ && expr->op <= BIN_GE;
}

bool expr_is_truth(const Expr *expr) {
    return expr->type->kind == CT_BOOL || is_comparison(expr) || expr->kind == EX_LOGICAL_NOT ||
           expr->kind == EX_AND || expr->kind == EX_OR;
}

static Pos operator_of(const Expr *expr) {
    return expr->at ? expr->at : expr->pos;
}

// ---- Comparisons of numbers

// Whether a value has been extended from a narrower type without sign.
static bool is_extended_unsigned(const Expr *expr) {
    return expr->kind == EX_CAST && expr->cast == CAST_ARITHMETIC &&
           type_is_integer(expr->left->type) && type_is_unsigned(expr->left->type) &&
           expr->left->type->size < expr->type->size;
}

// Whether a value is known not to be negative, for warnings.
static bool never_negative(const Expr *expr) {
    for (;;) {
        Wide value;
        if (constant_wide(expr, &value))
            return type_is_unsigned(expr->type) || !wide_negative(value);
        if (type_is_unsigned(expr->type)) return true;
        const Member *field = bitfield_source(expr);
        if (field && type_is_unsigned(field->type)) return true;
        switch (expr->kind) {
        case EX_LOGICAL_NOT:
        case EX_AND:
        case EX_OR: return true;
        case EX_BINARY:
            if (is_comparison(expr)) return true;
            if (expr->op == BIN_AND || expr->op == BIN_OR || expr->op == BIN_XOR) {
                if (never_negative(expr->right) == (expr->op == BIN_AND))
                    return expr->op == BIN_AND;
                expr = expr->left;
                break;
            }
            if (expr->op == BIN_ADD || expr->op == BIN_MUL)
                return is_extended_unsigned(expr->left) && is_extended_unsigned(expr->right);
            if (expr->op == BIN_SHR || expr->op == BIN_MOD || expr->op == BIN_DIV) {
                if (expr->op == BIN_DIV && !never_negative(expr->right)) return false;
                expr = expr->left;
                break;
            }
            return false;
        case EX_COND:
            if (!expr->middle || !never_negative(expr->middle)) return false;
            expr = expr->right;
            break;
        case EX_CAST:
            if (expr->cast != CAST_ARITHMETIC || !type_is_integer(expr->left->type)) return false;
            if (type_is_unsigned(expr->left->type) && expr->left->type->size >= expr->type->size)
                return false;
            expr = expr->left;
            break;
        default: return false;
        }
    }
}

static void warn_sign_compare(Parser *parser, BinaryOp op, const Expr *left, const Expr *right,
                              Pos at) {
    CType *a = promoted_type(parser, left), *b = promoted_type(parser, right);
    if (type_is_unsigned(a) == type_is_unsigned(b)) return;
    if (!type_is_unsigned(type_common(parser->types, a, b))) return;
    const Expr *with_sign = type_is_unsigned(a) ? right : left;
    const Expr *without = type_is_unsigned(a) ? left : right;
    if (never_negative(with_sign)) return;
    Wide value;
    unsigned positive = type_bits(promoted_type(parser, with_sign)) - 1;
    if (op <= BIN_NE && constant_wide(without, &value) &&
        wide_is_zero(wide_shift_right(value, positive)))
        return;
    parser_warn(parser, WARN_SIGN_COMPARE, at, at + 1,
                "comparison of integer expressions of different signedness: %s and %s",
                type_text(parser, left->type), type_text(parser, right->type));
}

// Whether all values of a narrow type are on one side of a number: -1 all are below it, 1 above, 0
// neither.
static int side_of(const CType *type, int64_t number) {
    unsigned bits = type_bits(type);
    int64_t least = type_is_unsigned(type) ? 0 : -((int64_t)1 << (bits - 1));
    int64_t most = ((int64_t)1 << (type_is_unsigned(type) ? bits : bits - 1)) - 1;
    return most < number ? -1 : least > number ? 1 : 0;
}

// A comparison that the range of a type narrower than int decides.
static void warn_range(Parser *parser, BinaryOp op, const Expr *value, int64_t number, bool swapped,
                       Pos at) {
    const CType *type = value->type;
    if (type->kind < CT_CHAR || type->kind > CT_USHORT || bitfield_source(value)) return;
    int side = side_of(type, number);
    if (!side) return;
    if (swapped) side = -side; // of the left operand
    bool less = op == BIN_LT || op == BIN_LE;
    bool result = op == BIN_NE || (op != BIN_EQ && (side < 0) == less);
    parser_warn(parser, WARN_TAUTOLOGY, at, at + 1,
                "comparison is always %s due to limited range of data type",
                result ? "true" : "false");
}

// Whether a value is that of an enumeration, but for conversions that keep its bits. Such a type is
// unsigned only because it has no negative enumerator so far.
static bool is_enumeration(const Expr *value) {
    while (value->kind == EX_CAST && type_is_integer(value->left->type) &&
           value->left->type->size == value->type->size)
        value = value->left;
    return value->type->kind == CT_ENUM;
}

// A comparison whose constant operand decides it.
static void warn_decided(Parser *parser, BinaryOp op, const Expr *value, const Expr *constant,
                         bool swapped, Pos at) {
    Wide number, one = wide_unsigned(1);
    if (!constant_wide(constant, &number) || expr_is_number(value) || constant->assumed) return;
    bool truth = expr_is_truth(value);
    if (truth && wide_less_unsigned(one, number)) {
        bool below = swapped == wide_negative(number); // the left operand, if not equal
        bool less = op == BIN_LT || op == BIN_LE;
        bool result = op == BIN_NE || (op != BIN_EQ && below == less);
        parser_warn(parser, WARN_BOOL_COMPARE, at, at + 1,
                    "comparison of constant %s with boolean expression is always %s",
                    constant_text(parser, constant), result ? "true" : "false");
    }
    if (constant->kind == EX_INT && (int64_t)constant->integer == (int32_t)constant->integer &&
        !truth)
        warn_range(parser, op, value, (int64_t)constant->integer, swapped, at);
    BinaryOp below = swapped ? BIN_GT : BIN_LT, above = swapped ? BIN_LE : BIN_GE;
    if (!wide_is_zero(number) || !type_is_unsigned(value->type) || truth || is_enumeration(value))
        return;
    if (bitfield_source(value) && !type_is_unsigned(promoted_type(parser, value))) return;
    if (op == below || op == above)
        parser_warn(parser, WARN_TAUTOLOGY, at, at + 1,
                    "comparison of unsigned expression in '%s0' is always %s",
                    swapped       ? op == below ? "> " : "<= "
                    : op == below ? "< "
                                  : ">= ",
                    op == below ? "false" : "true");
}

// (x & 16) == 10 cannot be.
static void warn_bitwise(Parser *parser, BinaryOp op, const Expr *bits, const Expr *constant,
                         Pos at) {
    bits = expr_stripped(bits);
    if (op > BIN_NE || bits->kind != EX_BINARY || constant->kind != EX_INT) return;
    const Expr *mask = bits->right->kind == EX_INT ? bits->right : bits->left;
    if (mask->kind != EX_INT || constant->assumed || mask->assumed) return;
    uint64_t a = mask->integer, b = constant->integer;
    bool never = bits->op == BIN_AND  ? (a & b) != b && (int64_t)b >= 0
                 : bits->op == BIN_OR ? (a | b) != b
                                      : false;
    if (never && type_bits(bits->type) <= 32)
        never = bits->op == BIN_AND ? (uint32_t)(a & b) != (uint32_t)b
                                    : (uint32_t)(a | b) != (uint32_t)b;
    if (never)
        parser_warn(parser, WARN_TAUTOLOGICAL, at, at + 1,
                    "bitwise comparison always evaluates to %s", op == BIN_NE ? "true" : "false");
}

// x == x. What macros make of their arguments is no mistake.
static void warn_self(Parser *parser, BinaryOp op, const Expr *left, const Expr *right, Pos at) {
    if (is_expanded(at) || is_expanded(left->pos) || is_expanded(right->pos)) return;
    if (expr_is_number(left) || type_is_floating(left->type) || type_is_complex(left->type)) return;
    // A cast that changes nothing leaves no node, but what is written is not the same.
    if (left->parenthesized != right->parenthesized || !expr_same(left, right)) return;
    bool result = op == BIN_EQ || op == BIN_LE || op == BIN_GE;
    parser_warn(parser, WARN_TAUTOLOGICAL, at, at + 1, "self-comparison always evaluates to %s",
                result ? "true" : "false");
}

static void warn_enums(Parser *parser, const Expr *left, const Expr *right, Pos at) {
    const CType *a = enumeration_of(left), *b = enumeration_of(right);
    if (!a || !b || a == b) return;
    parser_warn(parser, WARN_ENUM_COMPARE, at, at + 1, "comparison between %s and %s",
                type_text(parser, a), type_text(parser, b));
}

void warn_comparison(Parser *parser, BinaryOp op, const Expr *left, const Expr *right, Pos at) {
    warn_self(parser, op, left, right, at);
    if (type_is_floating(left->type) || type_is_floating(right->type)) {
        if (op <= BIN_NE && !(expr_is_number(left) && expr_is_number(right)))
            warn_here(parser, WARN_FLOAT_EQUAL, at,
                      "comparing floating-point with '==' or '!=' is unsafe");
        return;
    }
    if (!type_is_integer(left->type) || !type_is_integer(right->type)) return;
    if (pp_might_warn(parser->pp, WARN_SIGN_COMPARE))
        warn_sign_compare(parser, op, left, right, at);
    warn_decided(parser, op, left, right, false, at);
    warn_decided(parser, op, right, left, true, at);
    warn_bitwise(parser, op, left, right, at);
    warn_bitwise(parser, op, right, left, at);
    warn_enums(parser, left, right, at);
}

// ---- Comparisons of pointers

static const Expr *array_behind(const Expr *expr) {
    while (expr->kind == EX_CAST && expr->cast == CAST_POINTER) expr = expr->left;
    return expr->kind == EX_CAST && expr->cast == CAST_DECAY ? expr->left : NULL;
}

// The object whose address a pointer is, if that is never null; NULL if it is not known.
static const Expr *object_behind(const Expr *expr) {
    while (expr->kind == EX_CAST && expr->cast == CAST_POINTER) expr = expr->left;
    const Expr *object = NULL;
    if (expr->kind == EX_ADDR ||
        (expr->kind == EX_CAST && (expr->cast == CAST_DECAY || expr->cast == CAST_FUNC)))
        object = expr->left;
    const Expr *root = object;
    while (root && root->kind == EX_MEMBER) root = root->left;
    if (!root || (root->kind != EX_VAR && root->kind != EX_FUNC)) return NULL;
    return root->decl->attributes->weak || !root->decl->name ? NULL : object;
}

static const char *name_of_object(const Expr *object) {
    const Ident *name = object->kind == EX_MEMBER ? object->member->name : object->decl->name;
    return name ? name->text : "";
}

static void warn_null_comparison(Parser *parser, BinaryOp op, const Expr *pointer, Pos at) {
    const Expr *object = object_behind(pointer);
    if (object && !is_expanded(pointer->pos) && op <= BIN_NE)
        parser_warn(parser, WARN_ADDRESS, at, at + 1,
                    "the comparison will always evaluate as '%s' for the address of '%s' will "
                    "never be NULL",
                    op == BIN_EQ ? "false" : "true", name_of_object(object));
    const Expr *variable = expr_stripped(pointer);
    const FunctionState *function = parser->function;
    if (variable->kind != EX_VAR || !variable->decl->parameter || !function || op > BIN_NE) return;
    const Attributes *attributes = function->decl->attributes;
    if (!attributes->nonnull && !attributes->all_nonnull) return;
    for (uint32_t i = 0; i < function->decl->params.count && i < 64; i++) {
        if (function->decl->params.at[i] != variable->decl) continue;
        if (attributes->all_nonnull || attributes->nonnull >> i & 1)
            parser_warn(parser, WARN_NONNULL_COMPARE, at, at + 1,
                        "'nonnull' argument '%s' compared to NULL", variable->decl->name->text);
    }
}

void warn_pointer_comparison(Parser *parser, BinaryOp op, const Expr *left, const Expr *right,
                             Pos at) {
    const Expr *a = array_behind(left), *b = array_behind(right);
    if ((a && a->kind == EX_STRING && !is_null_pointer_constant(right)) ||
        (b && b->kind == EX_STRING && !is_null_pointer_constant(left))) {
        warn_here(parser, WARN_ADDRESS, at,
                  "comparison with string literal results in unspecified behavior");
        return;
    }
    if (a && b && a->kind == EX_VAR && b->kind == EX_VAR && !is_expanded(at) &&
        !left->parenthesized && !right->parenthesized) {
        warn_here(parser, WARN_ARRAY_COMPARE, at, "comparison between two arrays");
        return;
    }
    if (is_null_pointer_constant(right))
        warn_null_comparison(parser, op, left, at);
    else if (is_null_pointer_constant(left))
        warn_null_comparison(parser, op, right, at);
    else
        warn_self(parser, op, left, right, at);
}

// ---- Shifts and division

static unsigned bits_of_number(uint64_t value) {
    unsigned bits = 0;
    for (; value; value >>= 1) bits++;
    return bits;
}

void warn_shift(Parser *parser, BinaryOp op, const Expr *left, const Expr *right, Pos at) {
    uint64_t count, value;
    bool counted = expr_is_integer_constant(right, &count) && !right->assumed;
    bool valued = expr_is_integer_constant(left, &value) && !left->assumed;
    const char *side = op == BIN_SHL ? "left" : "right";
    if (counted && !type_is_unsigned(right->type) && (int64_t)count < 0) {
        parser_warn(parser, WARN_SHIFT_COUNT_NEGATIVE, at, at + 1, "%s shift count is negative",
                    side);
        return;
    }
    if (counted && count >= type_bits(left->type)) {
        parser_warn(parser, WARN_SHIFT_COUNT, at, at + 1, "%s shift count >= width of type", side);
        return;
    }
    if (op != BIN_SHL || !valued || type_is_unsigned(left->type)) return;
    if ((int64_t)value < 0) {
        if (!parser->c90)
            warn_here(parser, WARN_SHIFT_NEGATIVE_VALUE, at, "left shift of negative value");
        return;
    }
    unsigned bits = type_bits(left->type), needed = bits_of_number(value) + (unsigned)count + 1;
    // A bit that is shifted into the sign is mostly meant.
    bool strict = pp_warning_level(parser->pp, WARN_SHIFT_OVERFLOW) >= 2;
    if (counted && value && !parser->c90 && needed > bits + !strict)
        parser_warn(parser, WARN_SHIFT_OVERFLOW, at, at + 1,
                    "result of '%s << %s' requires %u bits to represent, but %s only has %u bits",
                    constant_text(parser, left), constant_text(parser, right), needed,
                    type_text(parser, left->type), bits);
}

void warn_division(Parser *parser, const Expr *left, const Expr *right, Pos at) {
    if (left->kind != EX_INT || left->origin != ORIGIN_SIZEOF || right->kind != EX_INT ||
        right->origin != ORIGIN_SIZEOF)
        return;
    const CType *whole = left->size_of->type, *part = right->size_of->type;
    const Expr *expr = left->size_of->expr;
    bool parameter = expr && expr->kind == EX_VAR && expr->decl->array_parameter;
    if (whole->kind == CT_POINTER) {
        if (parameter || !type_compatible_unqualified(whole->base, part)) return;
        parser_warn(parser, WARN_SIZEOF_POINTER_DIV, at, at + 1,
                    "division 'sizeof (%s) / sizeof (%s)' does not compute the number of array "
                    "elements",
                    bare_type_text(parser, whole), bare_type_text(parser, part));
        if (expr && expr->kind == EX_VAR)
            parser_note(parser, expr->decl->pos, "first 'sizeof' operand was declared here");
    } else if (whole->kind == CT_ARRAY && !type_is_character(whole->base) && part->complete &&
               !right->parenthesized && right->size_of->type->kind != CT_ARRAY &&
               part->size != whole->base->size) {
        const CType *element = whole->base;
        while (element->kind == CT_ARRAY) element = element->base;
        if (element->size == part->size || part->kind == CT_VOID) return;
        parser_warn(parser, WARN_SIZEOF_ARRAY_DIV, at, at + 1,
                    "expression does not compute the number of elements in this array; element "
                    "type is %s, not %s",
                    type_text(parser, whole->base), type_text(parser, part));
    }
}

// ---- Truth values

void warn_logical(Parser *parser, ExprKind kind, const Expr *left, const Expr *right, Pos at) {
    const char *name = kind == EX_AND ? "and" : "or";
    if (is_expanded(at) || is_expanded(left->pos) || is_expanded(right->pos)) return;
    if (right->kind == EX_INT && right->integer > 1 && !expr_is_truth(right) &&
        right->origin != ORIGIN_ENUMERATOR)
        parser_warn(parser, WARN_LOGICAL_OP, at, at + 1,
                    "logical '%s' applied to non-boolean constant", name);
    else if (!expr_is_number(left) && expr_same(left, right))
        parser_warn(parser, WARN_LOGICAL_OP, at, at + 1, "logical '%s' of equal expressions", name);
}

void warn_complement(Parser *parser, const Expr *operand, Pos at) {
    const Expr *value = operand;
    while (value->kind == EX_CAST && value->cast == CAST_ARITHMETIC && !value->parenthesized)
        value = value->left;
    if (expr_is_truth(value) && !expr_is_number(value))
        warn_here(parser, WARN_BOOL_OPERATION, at, "'~' on a boolean expression");
}

static bool is_number_beyond_one(const Expr *expr) {
    return expr && expr->kind == EX_INT && expr->integer > 1;
}

void warn_condition(Parser *parser, const Expr *expr) {
    Pos at = operator_of(expr);
    if (expr->kind == EX_BINARY && expr->op == BIN_MUL && type_is_integer(expr->type)) {
        warn_here(parser, WARN_INT_IN_BOOL, at, "'*' in boolean context, suggest '&&' instead");
    } else if (expr->kind == EX_BINARY && expr->op == BIN_SHL && !type_is_unsigned(expr->type)) {
        warn_here(parser, WARN_INT_IN_BOOL, at, "'<<' in boolean context, did you mean '<'?");
    } else if (expr->kind == EX_COND && !is_expanded(at) && expr->middle) {
        bool both = is_number_beyond_one(expr->middle) && expr->right->kind == EX_INT &&
                    expr->right->integer;
        if (both || (is_number_beyond_one(expr->right) && expr->middle->kind == EX_INT &&
                     expr->middle->integer))
            warn_here(parser, WARN_INT_IN_BOOL, at,
                      "'?:' using integer constants in boolean context, the expression will always "
                      "evaluate to 'true'");
        else if ((is_number_beyond_one(expr->middle) && expr->right->kind == EX_INT) ||
                 (is_number_beyond_one(expr->right) && expr->middle->kind == EX_INT))
            warn_here(parser, WARN_INT_IN_BOOL, at,
                      "'?:' using integer constants in boolean context");
    }
    if (expr->type->kind != CT_POINTER) return;
    const Expr *object = object_behind(expr);
    if (object && !(object->kind == EX_VAR && object->decl->parameter &&
                    object->type->kind != CT_ARRAY && expr->kind == EX_CAST))
        warn_at_expr(parser, WARN_ADDRESS, expr,
                     "the address of '%s' will always evaluate as 'true'", name_of_object(object));
}

void warn_promotion(Parser *parser, const Expr *value, const CType *type) {
    bool single = value->type->kind == CT_FLOAT || value->type->kind == CT_HALF;
    if (!single || type->kind != CT_DOUBLE || !evaluated(parser)) return;
    warn_at_expr(parser, WARN_DOUBLE_PROMOTION, value,
                 "implicit conversion from 'float' to 'double' to match other operand of binary "
                 "expression");
}
