// __builtin_constant_p and the sizes of objects. Both may become known only after inlining, when
// branches that constants decide have been removed: see late.h. This file settles calls whose
// expression, as it is written, tells the answer, and all calls outside of functions and without
// optimization.
#include "c/parse/builtin.h"

// ---- What may be asked later

// Whether computing an expression has no effect, goes right in any case, and reads only variables
// of the function: the expression is computed in its place, although it is only asked about.
static bool is_harmless(const Expr *expr) {
    for (;;) {
        switch ((ExprKind)expr->kind) {
        case EX_INT:
        case EX_STRING: return true;
        case EX_VAR: return !(expr->type->quals & (Q_VOLATILE | Q_ATOMIC));
        case EX_CAST:
            if (expr->cast == CAST_READ && expr->left->kind != EX_VAR) return false;
            if (expr->cast == CAST_VOID || expr->cast == CAST_UNION || expr->cast == CAST_FUNC)
                return false;
            break;
        case EX_ADDR:
        case EX_DEREF: // as the operand of & or of a decay: a load is a CAST_READ
        case EX_MEMBER:
        case EX_NEG:
        case EX_NOT:
        case EX_LOGICAL_NOT: break;
        case EX_BINARY:
            if (expr->op == BIN_DIV || expr->op == BIN_MOD) {
                if (expr->right->kind != EX_INT || !expr->right->integer) return false;
            } else if (!is_harmless(expr->right)) {
                return false;
            }
            break;
        case EX_AND:
        case EX_OR:
            if (!is_harmless(expr->right)) return false;
            break;
        case EX_COND:
            if (!expr->middle || !is_harmless(expr->middle) || !is_harmless(expr->right))
                return false;
            break;
        case EX_BUILTIN: return expr->builtin == CB_OBJECT_SIZE || expr->builtin == CB_CONSTANT_P;
        default: return false;
        }
        expr = expr->left;
        if (!expr || (expr->type->kind == CT_FUNC)) return false;
    }
}

// Lowering follows operands as deep as they are; here that is not worth a stack of its own.
static bool is_deep(const Expr *expr) {
    enum { DEEPEST = 100 };
    uint32_t depth = 0;
    for (; expr; expr = expr->left)
        if (depth++ > DEEPEST) return true;
    return false;
}

static bool may_be_asked_later(const Parser *parser, const Expr *expr) {
    return parser->options->optimize && parser->function && !parser->folds_now && !is_deep(expr) &&
           is_harmless(expr);
}

// Without optimization, too, objects whose address is written down are asked about when all
// declarations are known; to kinds that count members nothing may be added to it, as in gcc.
static bool may_be_asked_at_end(const Parser *parser, const Expr *expr, int64_t kind) {
    if (!parser->function || parser->folds_now || is_deep(expr) || !is_harmless(expr)) return false;
    for (;; expr = expr->left) {
        if (expr->kind == EX_ADDR || (expr->kind == EX_CAST && expr->cast == CAST_DECAY))
            return true;
        bool same =
            expr->kind == EX_CAST && (expr->cast == CAST_POINTER || expr->cast == CAST_SAME);
        bool sum = expr->kind == EX_BINARY &&
                   (expr->op == BIN_PTR_ADD || expr->op == BIN_PTR_SUB) &&
                   expr->right->kind == EX_INT &&
                   (!(kind & 1) || !expr->right->integer || expr->subscript);
        if (!same && !sum) return false;
    }
}

// ---- __builtin_constant_p

// Whether an expression is a constant, as far as can be told here.
static bool known_at_compile_time(const Expr *expr) {
    if (expr_is_number(expr) || is_complex_constant(expr)) return true;
    AddressConstant address;
    return expr_is_address_constant(expr, &address) && address.string;
}

Expr *builtin_constant_p(BuiltinUse *use) {
    Parser *parser = use->parser;
    Expr *expr = parse_unevaluated_argument(parser);
    parser_expect(parser, TOK_RPAREN, "the arguments");
    CType *type = parser->types->basic[CT_INT];
    if (!is_error(expr)) expr = expr_value(parser, expr);
    bool known = !is_error(expr) && known_at_compile_time(expr);
    bool later = !known && !is_error(expr) && type_is_integer(expr->type) &&
                 expr->type->size <= 8 && may_be_asked_later(parser, expr);
    if (!later) return expr_int(parser, type, known, &use->from);
    Expr **args = ARENA_ARRAY(parser->body_arena, Expr *, 1);
    args[0] = expr;
    return expr_builtin(parser, CB_CONSTANT_P, type, args, 1, &use->from);
}

// ---- Sizes of objects

// The size as far as the expression itself tells.
static bool size_as_written(const Expr *expr, int64_t kind, uint64_t *size) {
    AddressConstant address;
    if (!expr_is_address_constant(expr, &address)) return false;
    const Expr *at = expr;
    while (at->kind == EX_CAST && (at->cast == CAST_POINTER || at->cast == CAST_SAME))
        at = at->left;
    bool whole = (at->kind == EX_ADDR || (at->kind == EX_CAST && at->cast == CAST_DECAY)) &&
                 (at->left->kind == EX_VAR || at->left->kind == EX_STRING);
    if (kind & 1 && !whole) return false;
    bool sized = address.string;
    uint64_t all = 0;
    if (address.string)
        all = address.string->size;
    else if (address.decl && address.decl->kind == DECL_VAR && address.decl->type->complete &&
             !(type_is_record(address.decl->type) && address.decl->type->record->flexible)) {
        all = address.decl->type->size;
        sized = true;
    }
    if (!sized) return false;
    bool inside = address.offset >= 0 && (uint64_t)address.offset <= all;
    *size = inside ? all - (uint64_t)address.offset : 0;
    return true;
}

Expr *builtin_object_size(BuiltinUse *use) {
    Parser *parser = use->parser;
    Expr *expr = expr_value(parser, parse_unevaluated_argument(parser));
    parser_expect(parser, TOK_COMMA, "an argument of a builtin function");
    Expr *kind = expr_value(parser, parse_assignment(parser));
    parser_expect(parser, TOK_RPAREN, "the arguments");
    int64_t value;
    if (!constant_integer(parser, kind, "kind of an object's size", &value) || is_error(expr))
        return expr_error(parser, &use->from);
    uint64_t size = value & 2 ? 0 : UINT64_MAX;
    bool known = size_as_written(expr, value, &size);
    if (!known && expr->type->kind == CT_POINTER &&
        (may_be_asked_later(parser, expr) || may_be_asked_at_end(parser, expr, value))) {
        if (value & 1 && parser->function) parser->function->decl->asks_members = true;
        Expr **args = ARENA_ARRAY(parser->body_arena, Expr *, 2);
        args[0] = expr;
        args[1] = expr_int(parser, parser->types->basic[CT_INT],
                           (uint64_t)(value & 3) | use->operation, &use->from);
        return expr_builtin(parser, CB_OBJECT_SIZE, parser->types->size, args, 2, &use->from);
    }
    Expr *result = expr_int(parser, parser->types->size, size, &use->from);
    result->constant_expression = false;
    result->assumed = true;
    return result;
}
