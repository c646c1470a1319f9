// Assignment, compound assignment, increment and decrement, subscripts, and values that are not
// used.
#include "c/parse/expression.h"

// ---- What can be assigned to

static void read_only(Parser *parser, const Expr *left, const Token *at, const char *how) {
    const char *what = "read-only location", *name = NULL;
    if (left->kind == EX_MEMBER && type_is_complex(left->left->type)) left = left->left;
    if (left->kind == EX_VAR) {
        what = left->decl->parameter ? "read-only parameter" : "read-only variable";
        name = left->decl->name ? left->decl->name->text : NULL;
    } else if (left->kind == EX_MEMBER) {
        what = "read-only member";
        name = left->member->name ? left->member->name->text : NULL;
    }
    parser_error(parser, at->pos, at->pos + at->length, "%s of the %s%s%s%s", how, what,
                 name ? " '" : "", name ? name : "", name ? "'" : "");
}

// Whether an lvalue may be changed; if not, that has been reported.
static bool modifiable(Parser *parser, const Expr *left, const Token *at, const char *how) {
    if (is_error(left)) return false;
    CType *type = left->type;
    if (type->kind == CT_ARRAY && left->lvalue) {
        error_at_expr(parser, left, "%s of an array, which cannot be changed as a whole", how);
        return false;
    }
    if (!left->lvalue) {
        error_at_expr(parser, left, "%s of something that is not an lvalue", how);
        return false;
    }
    if (type->kind == CT_UNSUPPORTED) {
        unsupported_type(parser, left, type);
        return false;
    }
    if (!type->complete) {
        error_at_expr(parser, left, "%s of an object of the incomplete type %s", how,
                      type_text(parser, type));
        return false;
    }
    if (type_is_const(type)) {
        read_only(parser, left, at, how);
        return false;
    }
    return true;
}

static Expr *assignment(Parser *parser, ExprKind kind, Expr *left, Expr *right, const Token *at) {
    Expr *expr = expr_new(parser, kind, value_type(parser, left->type), left);
    if (at) expr->at = at->pos;
    expr_extend(expr, right);
    expr->left = left;
    expr->right = right;
    mark_assigned(left);
    return expr;
}

static Expr *assignment_error(Parser *parser, const Expr *left, const Expr *right) {
    Expr *expr = expr_error(parser, left);
    expr_extend(expr, right);
    return expr;
}

Expr *expr_assign(Parser *parser, Expr *left, Expr *right, const Token *at) {
    if (!modifiable(parser, left, at, "assignment")) {
        mark_read(left);
        return assignment_error(parser, left, right);
    }
    unsigned width = left->kind == EX_MEMBER && left->member->bitfield ? left->member->width : 0;
    right = expr_assign_width(parser, right, left->type, width, "assigning");
    if (is_error(right)) {
        mark_assigned(left);
        return assignment_error(parser, left, right);
    }
    return assignment(parser, EX_ASSIGN, left, right, at);
}

// ---- Compound assignment

static Expr *operands_error(Parser *parser, const Expr *left, const Expr *right, const Token *at) {
    parser_error(parser, at->pos, at->pos + at->length, "invalid operands of '%s': %s and %s",
                 punctuator_text(at->kind), type_text(parser, left->type),
                 type_text(parser, right->type));
    return assignment_error(parser, left, right);
}

static void warn_zero(Parser *parser, BinaryOp op, const Expr *right) {
    bool zero = is_zero_constant(right) && evaluated(parser) && !right->assumed;
    if ((op == BIN_DIV || op == BIN_MOD) && zero)
        warn_at_expr(parser, WARN_DIV_BY_ZERO, right, "division by zero");
}

static void warn_compound(Parser *parser, BinaryOp op, const Expr *right, const CType *compute,
                          const Token *at) {
    uint64_t value;
    if (!expr_is_integer_constant(right, &value) || !evaluated(parser) || right->assumed) return;
    if ((op == BIN_SHL || op == BIN_SHR) && value >= type_bits(compute)) {
        bool negative = !type_is_unsigned(right->type) && (int64_t)value < 0;
        parser_warn(parser, negative ? WARN_SHIFT_COUNT_NEGATIVE : WARN_SHIFT_COUNT, at->pos,
                    at->pos + at->length,
                    negative ? "%s shift count is negative" : "%s shift count >= width of type",
                    op == BIN_SHL ? "left" : "right");
    }
}

// The result of a compound assignment is converted to the type of the left operand. If the right
// operand fits there, only the operator could make the result too large, which is not worth a
// warning.
static void warn_conversion_of(Parser *parser, BinaryOp op, const Expr *left, const Expr *right) {
    if (op == BIN_SHL || op == BIN_SHR) return;
    bool is_field = left->kind == EX_MEMBER && left->member->bitfield;
    warn_conversion(parser, right, left->type, is_field ? left->member->width : 0);
}

Expr *expr_assign_op(Parser *parser, BinaryOp op, Expr *left, Expr *right, const Token *at) {
    right = expr_value(parser, right);
    if (!modifiable(parser, left, at, "assignment") || is_error(right)) {
        mark_read(left);
        return assignment_error(parser, left, right);
    }
    CType *a = left->type, *b = right->type, *compute;
    if (a->kind == CT_POINTER) {
        if ((op != BIN_ADD && op != BIN_SUB) || !type_is_integer(b))
            return operands_error(parser, left, right, at);
        if (!pointee_complete(parser, left, at)) return assignment_error(parser, left, right);
        op = op == BIN_ADD ? BIN_PTR_ADD : BIN_PTR_SUB;
        compute = value_type(parser, a);
        right = expr_convert(parser, expr_promote(parser, right), parser->types->ptrdiff);
    } else {
        bool integers = op >= BIN_MOD;
        if (integers ? !type_is_integer(a) || !type_is_integer(b)
                     : !type_is_arithmetic(a) || !type_is_arithmetic(b))
            return operands_error(parser, left, right, at);
        compute = promoted_type(parser, left);
        warn_conversion_of(parser, op, left, right);
        warn_zero(parser, op, right);
        if (op == BIN_SHL || op == BIN_SHR) {
            right = shift_count(parser, expr_promote(parser, right));
        } else {
            compute = type_common(parser->types, compute, promoted_type(parser, right));
            compute = type_evaluated(parser->types, compute);
            right = type_is_complex(compute)
                        ? convert_complex_operand(parser, op, true, right, compute)
                        : expr_convert(parser, right, compute);
        }
        warn_compound(parser, op, right, compute, at);
    }
    mark_read(left);
    Expr *expr = assignment(parser, EX_ASSIGN_OP, left, right, at);
    expr->op = (uint8_t)op;
    expr->compute = compute;
    return expr;
}

// ---- Increment and decrement

Expr *expr_step(Parser *parser, ExprKind kind, Expr *operand, const Token *at) {
    bool increment = kind == EX_PRE_INC || kind == EX_POST_INC;
    Expr from = expr_at_token(at);
    bool prefix = kind == EX_PRE_INC || kind == EX_PRE_DEC;
    Expr span = *operand;
    if (prefix) {
        span.pos = from.pos, span.end = from.end;
        expr_extend(&span, operand);
    } else {
        expr_extend(&span, &from);
    }
    if (!modifiable(parser, operand, at, increment ? "increment" : "decrement")) {
        mark_read(operand);
        return expr_error(parser, &span);
    }
    CType *type = operand->type;
    if (!type_is_scalar(type)) {
        error_at_expr(parser, operand, "cannot %s a value of type %s",
                      increment ? "increment" : "decrement", type_text(parser, type));
        return expr_error(parser, &span);
    }
    Expr *expr = expr_new(parser, kind, value_type(parser, type), &span);
    expr->at = at->pos;
    expr->left = operand;
    expr->step = 1;
    if (type->kind == CT_POINTER) {
        if (!pointee_complete(parser, operand, at)) return expr_error(parser, &span);
        CType *base = type->base;
        if (type_has_variable_size(base))
            expr->right = expr_sizeof_type(parser, base, &span);
        else if (base->kind != CT_VOID && base->kind != CT_FUNC)
            expr->step = (int64_t)base->size;
    }
    mark_read(operand);
    mark_assigned(operand);
    return expr;
}

// ---- Subscripts

Expr *expr_subscript(Parser *parser, Expr *left, Expr *right, const Token *at) {
    bool reversed = (left->reversed && left->type->kind == CT_ARRAY) ||
                    (right->reversed && right->type->kind == CT_ARRAY);
    parser->subscripted = true;
    left = expr_value(parser, left);
    right = expr_value(parser, right);
    parser->subscripted = false;
    Expr span = *left;
    expr_extend(&span, right);
    span.end = parser->last_end;
    if (is_error(left) || is_error(right)) return expr_error(parser, &span);
    Expr *index = left->type->kind == CT_POINTER ? right : left;
    Expr *base = index == right ? left : right;
    if (base->type->kind != CT_POINTER || !type_is_integer(index->type)) {
        parser_error(parser, at->pos, at->pos + at->length,
                     base->type->kind != CT_POINTER
                         ? "only an array or a pointer can have a subscript: here are %s and %s"
                         : "a subscript must be an integer: here are %s and %s",
                     type_text(parser, left->type), type_text(parser, right->type));
        return expr_error(parser, &span);
    }
    if (index->type->kind == CT_CHAR && index->kind != EX_INT)
        warn_at_expr(parser, WARN_CHAR_SUBSCRIPTS, index, "array subscript has type 'char'");
    if (base->type->base->kind == CT_FUNC) {
        error_at_expr(parser, base, "a pointer to a function cannot have a subscript");
        return expr_error(parser, &span);
    }
    Expr *sum = expr_binary(parser, BIN_ADD, left, right, at);
    if (is_error(sum)) return sum;
    if (sum->kind == EX_BINARY && sum->op == BIN_PTR_ADD) {
        sum->subscript = true;
        if (sum->left->kind == EX_CAST && sum->left->cast == CAST_DECAY)
            sum->left->subscript = true;
    }
    Expr *element = expr_dereference(parser, sum, &span);
    element->reversed = reversed;
    return element;
}

// ---- Values that are not used

static bool has_effect(const Expr *expr) {
    switch (expr->kind) {
    case EX_ERROR:
    case EX_ASSIGN:
    case EX_ASSIGN_OP:
    case EX_PRE_INC:
    case EX_PRE_DEC:
    case EX_POST_INC:
    case EX_POST_DEC:
    case EX_CALL:
    case EX_VA_ARG:
    case EX_BUILTIN:
    case EX_STATEMENT: return true;
    default: return expr->type->kind == CT_VOID;
    }
}

// Whether there is an effect anywhere in an expression. Left operands are followed in a loop, since
// their chains may be long.
static bool holds_effect(const Expr *expr) {
    for (; expr; expr = expr->left) {
        bool read = expr->kind == EX_CAST && expr->cast == CAST_READ;
        if (has_effect(expr) || (read && expr->left->type->quals & Q_VOLATILE)) return true;
        if (expr->kind == EX_COND && expr->middle && holds_effect(expr->middle)) return true;
        if (expr->right && holds_effect(expr->right)) return true;
    }
    return false;
}

// The result of a call of a function marked so must be used.
static void warn_unused_result(Parser *parser, const Expr *call) {
    const Expr *callee = call->left;
    if (callee->kind == EX_CAST && callee->cast == CAST_FUNC) callee = callee->left;
    if (callee->kind != EX_FUNC || call->type->kind == CT_VOID) return;
    if (callee->decl->attributes->warn_unused_result)
        warn_at_expr(parser, WARN_UNUSED_RESULT, call,
                     "the result of '%s' is ignored, which is declared to matter",
                     callee->decl->name->text);
}

void warn_unused_value(Parser *parser, const Expr *expr) {
    for (;;) {
        if (expr->kind == EX_CALL) warn_unused_result(parser, expr);
        if (has_effect(expr)) return;
        if (expr->kind == EX_CAST) {
            const CType *source = expr->left->type;
            if (expr->cast == CAST_READ && source->quals & Q_VOLATILE) return;
            if (expr->cast != CAST_READ && expr->cast != CAST_DECAY && expr->cast != CAST_FUNC) {
                if (expr->left->kind == EX_CALL && !expr->parenthesized) return;
                if (has_effect(expr->left)) return;
            }
        } else if (expr->kind == EX_COMMA) {
            expr = expr->right;
            if (expr->kind == EX_CAST && expr->cast == CAST_ARITHMETIC) return;
            continue;
        } else if (expr->kind == EX_COND || expr->kind == EX_AND || expr->kind == EX_OR) {
            // They stand for if statements.
            if (holds_effect(expr->kind == EX_COND ? expr : expr->right)) return;
        }
        warn_at_expr(parser, WARN_UNUSED_VALUE, expr, "this value is not used");
        return;
    }
}
