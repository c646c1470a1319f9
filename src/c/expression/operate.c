// The meaning of operators: the types of operands and results, warnings about suspicious operands,
// and folding. Operands come as the grammar finds them; this file turns operands into values.
// (Assignment is in assign.c.)
#include "c/parse/warn.h"

// ---- Messages

const char *binary_text(BinaryOp op) {
    static const char *const texts[BIN_COUNT] = {
        [BIN_ADD] = "+",     [BIN_SUB] = "-",     [BIN_MUL] = "*",     [BIN_DIV] = "/",
        [BIN_MOD] = "%",     [BIN_AND] = "&",     [BIN_OR] = "|",      [BIN_XOR] = "^",
        [BIN_SHL] = "<<",    [BIN_SHR] = ">>",    [BIN_EQ] = "==",     [BIN_NE] = "!=",
        [BIN_LT] = "<",      [BIN_LE] = "<=",     [BIN_GT] = ">",      [BIN_GE] = ">=",
        [BIN_PTR_ADD] = "+", [BIN_PTR_SUB] = "-", [BIN_PTR_DIFF] = "-"};
    return texts[op];
}

// The state while an operator is examined.
typedef struct {
    Parser *parser;
    BinaryOp op;
    Expr *left, *right; // values
    Expr span;          // the location of the whole
    const Token *at;    // the operator, or NULL
} Operation;

// Whether warnings about the operator are due: not if a system header's macro brings it.
static bool is_examined(const Operation *o) {
    return evaluated(o->parser) && !(o->at && pp_in_system_macro(o->parser->pp, o->at->pos));
}

static Expr *operation_error(Operation *o) {
    Parser *parser = o->parser;
    Pos pos = o->at ? o->at->pos : o->span.pos;
    Pos end = o->at ? o->at->pos + o->at->length : o->span.end;
    parser_error(parser, pos, end, "invalid operands of '%s': %s and %s",
                 o->at ? punctuator_text(o->at->kind) : binary_text(o->op),
                 type_text(parser, o->left->type), type_text(parser, o->right->type));
    return expr_error(parser, &o->span);
}

static Expr *make_binary(Operation *o, BinaryOp op, CType *type) {
    Parser *parser = o->parser;
    Expr *folded = fold_binary(parser, op, type, o->left, o->right, &o->span);
    if (folded) return folded;
    Expr *expr = expr_new(parser, EX_BINARY, type, &o->span);
    expr->op = (uint8_t)op;
    if (o->at) expr->at = o->at->pos;
    expr->left = o->left;
    expr->right = o->right;
    return expr;
}

// An operator in the type of its left operand. An operator in the type of a bit-field is computed
// in the type that holds it, and the result is cut to its width.
static Expr *make_arithmetic(Operation *o) {
    Parser *parser = o->parser;
    CType *type = o->left->type;
    if (!type->width) return make_binary(o, o->op, type);
    CType *wide = parser->types->basic[type->kind];
    o->left = expr_convert(parser, o->left, wide);
    if (o->op != BIN_SHL && o->op != BIN_SHR) o->right = expr_convert(parser, o->right, wide);
    return expr_convert(parser, make_binary(o, o->op, wide), type);
}

// ---- Arithmetic

// The operator converts: the warning is placed there.
static void warn_of_conversion(const Operation *o, const Expr *operand, CType *common) {
    Expr placed = *operand;
    if (o->at) placed.at = o->at->pos;
    warn_conversion(o->parser, &placed, common, 0);
}

static void usual_conversions(Operation *o) {
    Parser *parser = o->parser;
    CType *left = promoted_type(parser, o->left), *right = promoted_type(parser, o->right);
    CType *common = type_common(parser->types, left, right);
    if (o->op < BIN_EQ) {
        warn_of_conversion(o, o->left, common);
        warn_of_conversion(o, o->right, common);
        warn_promotion(parser, o->left, common);
        warn_promotion(parser, o->right, common);
    }
    common = type_evaluated(parser->types, common);
    o->left = expr_convert(parser, o->left, common);
    o->right = expr_convert(parser, o->right, common);
}

static bool both(const Operation *o, bool (*test)(const CType *)) {
    return test(o->left->type) && test(o->right->type);
}

static Expr *arithmetic(Operation *o) {
    Parser *parser = o->parser;
    bool integers = o->op >= BIN_MOD;
    if (!both(o, integers ? type_is_integer : type_is_arithmetic)) return operation_error(o);
    // As in gcc, division by an integer zero always gives a warning; by a floating zero it does
    // not.
    bool division = o->op == BIN_DIV || o->op == BIN_MOD;
    if (division && is_zero_constant(o->right) && !o->right->assumed && is_examined(o))
        warn_at_expr(parser, WARN_DIV_BY_ZERO, &o->span, "division by zero");
    if (type_is_complex(o->left->type) || type_is_complex(o->right->type)) {
        CType *type = complex_operands(parser, o->op, &o->left, &o->right);
        return make_binary(o, o->op, type);
    }
    if (o->op == BIN_DIV && o->at && is_examined(o))
        warn_division(parser, o->left, o->right, o->at->pos);
    usual_conversions(o);
    return make_arithmetic(o);
}

Expr *shift_count(Parser *parser, Expr *count) {
    return type_is_wide(count->type) ? expr_convert(parser, count, parser->types->ptrdiff) : count;
}

static Expr *shift(Operation *o) {
    Parser *parser = o->parser;
    if (!both(o, type_is_integer)) return operation_error(o);
    o->left = expr_promote(parser, o->left);
    o->right = expr_promote(parser, o->right);
    if (is_examined(o))
        warn_shift(parser, o->op, o->left, o->right, o->at ? o->at->pos : o->span.pos);
    o->right = shift_count(parser, o->right);
    return make_arithmetic(o);
}

// ---- Pointers

bool pointee_complete(Parser *parser, const Expr *pointer, const Token *at) {
    const CType *base = pointer->type->base;
    if (base->kind == CT_VOID || base->kind == CT_FUNC) {
        if (parser->options->pedantic)
            warn_at_expr(parser, WARN_POINTER_ARITH, pointer, "arithmetic on a pointer to %s",
                         base->kind == CT_VOID ? "void" : "a function");
        return true;
    }
    if (base->complete) return true;
    Pos pos = at ? at->pos : pointer->pos, end = at ? at->pos + at->length : pointer->end;
    parser_error(parser, pos, end, "arithmetic on a pointer to the incomplete type %s",
                 type_text(parser, base));
    return false;
}

static Expr *pointer_step(Operation *o, BinaryOp op) {
    Parser *parser = o->parser;
    if (o->left->type->kind != CT_POINTER && op == BIN_PTR_ADD) {
        Expr *swap = o->left;
        o->left = o->right;
        o->right = swap;
    }
    if (o->left->type->kind != CT_POINTER || !type_is_integer(o->right->type))
        return operation_error(o);
    if (!pointee_complete(parser, o->left, o->at)) return expr_error(parser, &o->span);
    o->right = expr_convert(parser, expr_promote(parser, o->right), parser->types->ptrdiff);
    return make_binary(o, op, o->left->type);
}

static Expr *pointer_difference(Operation *o) {
    Parser *parser = o->parser;
    CType *a = o->left->type->base, *b = o->right->type->base;
    if (!type_compatible_unqualified(a, b)) return operation_error(o);
    if (!pointee_complete(parser, o->left, o->at)) return expr_error(parser, &o->span);
    return make_binary(o, BIN_PTR_DIFF, parser->types->ptrdiff);
}

static Expr *additive(Operation *o) {
    bool left = o->left->type->kind == CT_POINTER, right = o->right->type->kind == CT_POINTER;
    if (!left && !right) return arithmetic(o);
    if (o->op == BIN_ADD) return left && right ? operation_error(o) : pointer_step(o, BIN_PTR_ADD);
    if (left && right) return pointer_difference(o);
    return pointer_step(o, BIN_PTR_SUB);
}

// ---- Comparisons

static Expr *compare_pointers(Operation *o) {
    Parser *parser = o->parser;
    CType *a = o->left->type, *b = o->right->type, *type;
    if (a->kind == CT_POINTER && b->kind == CT_POINTER) {
        bool is_void = a->base->kind == CT_VOID || b->base->kind == CT_VOID;
        bool null = is_null_pointer_constant(o->left) || is_null_pointer_constant(o->right);
        if (!is_void && !null && !type_compatible_unqualified(a->base, b->base))
            warn_at_expr(parser, WARN_INCOMPATIBLE_POINTERS, &o->span,
                         "comparison of distinct pointer types %s and %s", type_text(parser, a),
                         type_text(parser, b));
        type = a;
        if (o->at && is_examined(o))
            warn_pointer_comparison(parser, o->op, o->left, o->right, o->at->pos);
    } else {
        Expr *other = a->kind == CT_POINTER ? o->right : o->left;
        type = a->kind == CT_POINTER ? a : b;
        if (!type_is_integer(other->type)) return operation_error(o);
        if (!is_null_pointer_constant(other) && other->kind != EX_ERROR)
            warn_at_expr(parser, WARN_INT_CONVERSION, &o->span,
                         "comparison between a pointer and an integer: %s and %s",
                         type_text(parser, a), type_text(parser, b));
        else if (o->at && is_examined(o))
            warn_pointer_comparison(parser, o->op, o->left, o->right, o->at->pos);
    }
    o->left = expr_convert(parser, o->left, type);
    o->right = expr_convert(parser, o->right, type);
    return make_binary(o, o->op, parser->types->basic[CT_INT]);
}

static Expr *comparison(Operation *o) {
    Parser *parser = o->parser;
    if (o->left->type->kind == CT_POINTER || o->right->type->kind == CT_POINTER)
        return compare_pointers(o);
    if (!both(o, type_is_arithmetic)) return operation_error(o);
    bool complex = type_is_complex(o->left->type) || type_is_complex(o->right->type);
    if (complex && o->op != BIN_EQ && o->op != BIN_NE) return operation_error(o);
    if (is_examined(o))
        warn_comparison(parser, o->op, o->left, o->right, o->at ? o->at->pos : o->span.pos);
    usual_conversions(o);
    return make_binary(o, o->op, parser->types->basic[CT_INT]);
}

Expr *expr_binary(Parser *parser, BinaryOp op, Expr *left, Expr *right, const Token *at) {
    if (at) warn_precedence(parser, WRITTEN_BINARY + op, left, right, at->pos);
    Operation o = {.parser = parser, .op = op, .at = at};
    o.span = (Expr){.pos = left->pos, .end = left->end};
    expr_extend(&o.span, right);
    o.left = expr_value(parser, left);
    o.right = expr_value(parser, right);
    if (is_error(o.left) || is_error(o.right)) return expr_error(parser, &o.span);
    switch (op) {
    case BIN_ADD:
    case BIN_SUB: return additive(&o);
    case BIN_SHL:
    case BIN_SHR: return shift(&o);
    case BIN_EQ:
    case BIN_NE:
    case BIN_LT:
    case BIN_LE:
    case BIN_GT:
    case BIN_GE: return comparison(&o);
    default: return arithmetic(&o);
    }
}

// ---- Unary operators

Expr *expr_dereference(Parser *parser, Expr *pointer, const Expr *from) {
    pointer = expr_value(parser, pointer);
    if (is_error(pointer)) return expr_error(parser, from);
    if (pointer->type->kind != CT_POINTER) {
        error_at_expr(parser, from, "only a pointer can be dereferenced, not a value of type %s",
                      type_text(parser, pointer->type));
        return expr_error(parser, from);
    }
    Expr *expr = expr_new(parser, EX_DEREF, pointer->type->base, from);
    expr->left = pointer;
    expr->lvalue = expr->type->kind != CT_FUNC;
    return expr;
}

// The address of a member of, or an element in, an object at a constant address is a constant.
static Expr *constant_address(Parser *parser, Expr *expr) {
    AddressConstant address;
    if (!expr_is_address_constant(expr, &address)) return expr;
    if (address.decl || address.string || address.label) return expr;
    Expr *constant = expr_int(parser, expr->type, (uint64_t)address.offset, expr);
    constant->constant_expression = false;
    return constant;
}

Expr *expr_address(Parser *parser, Expr *operand, const Expr *from) {
    CType *type = operand->type;
    if (is_error(operand)) return expr_error(parser, from);
    if (type->kind == CT_FUNC) return expr_value(parser, operand);
    if (operand->reversed && type_is_scalar(type)) {
        error_at_expr(parser, operand, "cannot take address of scalar with reverse storage order");
        return expr_error(parser, from);
    }
    if (operand->kind == EX_DEREF) {
        Expr *copy = expr_new(parser, operand->left->kind, operand->left->type, from);
        *copy = *operand->left;
        copy->constant_expression = false;
        return copy;
    }
    if (!operand->lvalue) {
        error_at_expr(parser, operand, "cannot take the address of a value of type %s",
                      type_text(parser, type));
        return expr_error(parser, from);
    }
    if (operand->kind == EX_MEMBER && operand->member->bitfield) {
        error_at_expr(parser, operand, "cannot take the address of the bit-field '%s'",
                      operand->member->name ? operand->member->name->text : "");
        return expr_error(parser, from);
    }
    Decl *root = root_variable(operand);
    if (root && root->storage == STORAGE_REGISTER && root->name) {
        error_at_expr(parser, operand, "the address of the register variable '%s' is requested",
                      root->name->text);
        return expr_error(parser, from);
    }
    mark_address_taken(operand);
    Expr *expr = expr_new(parser, EX_ADDR, type_pointer(parser->types, type), from);
    expr->left = operand;
    return operand->kind == EX_MEMBER ? constant_address(parser, expr) : expr;
}

static Expr *negate(Parser *parser, TokenKind op, Expr *operand, const Expr *from) {
    operand = expr_value(parser, operand);
    if (is_error(operand)) return operand;
    bool fits = op == TOK_TILDE ? type_is_integer(operand->type) || type_is_complex(operand->type)
                                : type_is_arithmetic(operand->type);
    if (!fits) {
        error_at_expr(parser, from, "invalid operand of '%s': %s", punctuator_text(op),
                      type_text(parser, operand->type));
        return expr_error(parser, from);
    }
    operand = expr_promote(parser, operand);
    if (op == TOK_PLUS) {
        if (operand->lvalue || !expr_is_number(operand) || operand->kind == EX_FLOAT)
            return operand;
        Expr *copy = expr_number(parser, operand, from);
        constant_of(copy, operand, operand);
        return copy;
    }
    ExprKind kind = op == TOK_MINUS ? EX_NEG : EX_NOT;
    if (op == TOK_TILDE && evaluated(parser)) warn_complement(parser, operand, from->pos);
    Expr *folded = fold_unary(parser, kind, operand->type, operand, from);
    if (folded) return folded;
    operand = expr_convert(parser, operand, type_evaluated(parser->types, operand->type));
    CType *type = operand->type, *wide = type->width ? parser->types->basic[type->kind] : type;
    Expr *expr = expr_new(parser, kind, wide, from);
    expr->left = expr_convert(parser, operand, wide);
    return expr_convert(parser, expr, type);
}

static Expr *logical_not(Parser *parser, Expr *operand, const Expr *from) {
    operand = expr_condition(parser, operand);
    if (is_error(operand)) return operand;
    CType *type = parser->types->basic[CT_INT];
    Expr *folded = fold_unary(parser, EX_LOGICAL_NOT, type, operand, from);
    if (folded) return folded;
    Expr *expr = expr_new(parser, EX_LOGICAL_NOT, type, from);
    expr->left = operand;
    return expr;
}

Expr *expr_unary(Parser *parser, TokenKind op, Expr *operand, const Token *at) {
    Expr from = expr_at_token(at);
    expr_extend(&from, operand);
    switch (op) {
    case TOK_STAR: return expr_dereference(parser, operand, &from);
    case TOK_AMP: return expr_address(parser, operand, &from);
    case TOK_NOT: return logical_not(parser, operand, &from);
    default: return negate(parser, op, operand, &from);
    }
}

// ---- Conditions

Expr *expr_condition(Parser *parser, Expr *expr) {
    warn_assigned_condition(parser, expr);
    expr = expr_value(parser, expr);
    if (is_error(expr)) return expr;
    if (!type_is_scalar(expr->type)) {
        error_at_expr(parser, expr, "a value of type %s is used where a scalar is needed",
                      type_text(parser, expr->type));
        return expr_error(parser, expr);
    }
    if (evaluated(parser)) warn_condition(parser, expr);
    return expr_convert(parser, expr, type_evaluated(parser->types, expr->type));
}

Expr *expr_logical(Parser *parser, ExprKind kind, Expr *left, Expr *right, const Token *at) {
    Written written = kind == EX_OR ? WRITTEN_LOGICAL_OR : WRITTEN_LOGICAL_AND;
    if (at) warn_precedence(parser, written, left, right, at->pos);
    Expr span = {.pos = left->pos, .end = left->end};
    expr_extend(&span, right);
    left = expr_condition(parser, left);
    right = expr_condition(parser, right);
    if (is_error(left) || is_error(right)) return expr_error(parser, &span);
    if (at && evaluated(parser)) warn_logical(parser, kind, left, right, at->pos);
    CType *type = parser->types->basic[CT_INT];
    bool a, b, decides = kind == EX_OR;
    if (constant_truth(left, &a)) {
        bool known = constant_truth(right, &b);
        if ((a == decides && droppable(parser, right)) || known) {
            Expr *folded = expr_int(parser, type, a == decides ? a : b, &span);
            constant_of(folded, left, right);
            folded->constant_expression = folded->constant_expression && left->kind != EX_FLOAT &&
                                          right->kind != EX_FLOAT && expr_is_number(left) &&
                                          expr_is_number(right);
            return folded;
        }
    }
    Expr *expr = expr_new(parser, kind, type, &span);
    expr->at = at->pos;
    expr->left = left;
    expr->right = right;
    return expr;
}

// ---- The conditional operator

// The type of c ? a : b if at least one is a pointer; NULL if the two do not go together.
static CType *conditional_pointer(Parser *parser, Expr *left, Expr *right, const Expr *span) {
    Types *types = parser->types;
    CType *a = left->type, *b = right->type;
    if (a->kind != CT_POINTER || b->kind != CT_POINTER) {
        Expr *other = a->kind == CT_POINTER ? right : left;
        CType *type = a->kind == CT_POINTER ? a : b;
        if (!type_is_integer(other->type)) return NULL;
        if (!is_null_pointer_constant(other))
            warn_at_expr(parser, WARN_INT_CONVERSION, span,
                         "pointer and integer in a conditional expression: %s and %s",
                         type_text(parser, a), type_text(parser, b));
        return type;
    }
    if (is_null_pointer_constant(left)) return b;
    if (is_null_pointer_constant(right)) return a;
    unsigned quals = a->base->quals | b->base->quals;
    CType *target;
    if (a->base->kind == CT_VOID || b->base->kind == CT_VOID) {
        target = types->basic[CT_VOID];
    } else if (type_compatible_unqualified(a->base, b->base)) {
        if (a == b) return a;
        target = type_composite(types, a->base->unqualified, b->base->unqualified);
    } else {
        warn_at_expr(parser, WARN_INCOMPATIBLE_POINTERS, span,
                     "incompatible pointer types in a conditional expression: %s and %s",
                     type_text(parser, a), type_text(parser, b));
        target = types->basic[CT_VOID];
    }
    return type_pointer(types, type_qualify(types, target, quals));
}

static CType *conditional_type(Parser *parser, Expr *left, Expr *right, const Expr *span) {
    CType *a = left->type, *b = right->type;
    if (type_is_arithmetic(a) && type_is_arithmetic(b)) {
        CType *common =
            type_common(parser->types, promoted_type(parser, left), promoted_type(parser, right));
        bool integer = type_is_integer(a) || type_is_integer(b);
        return integer ? type_evaluated(parser->types, common) : common;
    }
    if (a->kind == CT_VOID || b->kind == CT_VOID) return parser->types->basic[CT_VOID];
    if (type_is_record(a) && type_compatible_unqualified(a, b)) return a;
    if (a->kind == CT_POINTER || b->kind == CT_POINTER)
        return conditional_pointer(parser, left, right, span);
    return NULL;
}

// One branch is chosen already.
static Expr *choose(Parser *parser, const Expr *condition, Expr *chosen, const Expr *other,
                    const Expr *span) {
    if (!expr_is_number(chosen)) return chosen;
    Expr *copy = expr_number(parser, chosen, span);
    copy->assumed = condition->assumed || chosen->assumed;
    if (copy->kind == EX_INT && chosen->kind == EX_INT) copy->right = chosen->right;
    if (copy->kind == EX_INT && condition->kind == EX_INT && condition->right)
        copy->right = condition->right;
    Wide value;
    copy->constant_expression = constant_wide(condition, &value) && constant_wide(chosen, &value) &&
                                constant_wide(other, &value) && condition->constant_expression &&
                                chosen->constant_expression && other->constant_expression &&
                                chosen->type->kind != CT_POINTER;
    return copy;
}

// The condition before its conversion to the type in which its truth is asked for.
static Expr *unevaluated(Expr *condition) {
    const CType *type = condition->type;
    bool excess = (type_is_complex(type) ? type->base : type)->form == FLOAT_EXCESS;
    return excess && is_extended_half(condition) ? condition->left : condition;
}

Expr *expr_conditional(Parser *parser, Expr *condition, Expr *middle, Expr *right,
                       const Token *at) {
    Expr span = {.pos = condition->pos, .end = condition->end};
    expr_extend(&span, right);
    condition = expr_condition(parser, condition);
    Expr *left = middle ? expr_value(parser, middle) : unevaluated(condition);
    right = expr_value(parser, right);
    if (is_error(condition) || is_error(left) || is_error(right)) return expr_error(parser, &span);
    CType *type = conditional_type(parser, left, right, &span);
    if (!type) {
        parser_error(parser, at->pos, at->pos + at->length,
                     "incompatible types in a conditional expression: %s and %s",
                     type_text(parser, left->type), type_text(parser, right->type));
        return expr_error(parser, &span);
    }
    left = expr_convert(parser, left, type);
    right = expr_convert(parser, right, type);
    bool truth;
    if (constant_truth(condition, &truth) && droppable(parser, truth ? right : left))
        return choose(parser, condition, truth ? left : right, truth ? right : left, &span);
    Expr *expr = expr_new(parser, EX_COND, type, &span);
    expr->at = at->pos;
    // Without a middle operand the condition is the value too: converting it keeps its truth.
    expr->left = middle ? condition : left;
    expr->middle = middle ? left : NULL;
    expr->right = right;
    return expr;
}

Expr *expr_comma(Parser *parser, Expr *left, Expr *right) {
    left = expr_unused_value(parser, left);
    if (!is_error(left)) warn_unused_value(parser, left);
    right = expr_unused_value(parser, right);
    Expr *expr = expr_new(parser, EX_COMMA, right->type, left);
    expr_extend(expr, right);
    expr->left = left;
    expr->right = right;
    if (is_error(left)) expr->type = left->type;
    return expr;
}
