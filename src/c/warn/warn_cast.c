// Casts that lose something, and enumerations that are taken for others.
#include "c/parse/warn.h"

#define warn_at(parser, at, warning, ...)                                                          \
    parser_warn((parser), (warning), (at), (at) + 1, __VA_ARGS__)

void warn_enum_conversion(Parser *parser, const Expr *expr, const CType *type) {
    if (type->kind != CT_ENUM || !evaluated(parser)) return;
    const CType *from = enumeration_of(expr), *to = type->unqualified;
    if (!from || from == to || (expr->kind == EX_CAST && expr->parenthesized)) return;
    warn_at_value(parser, WARN_ENUM_CONVERSION, expr, "implicit conversion from %s to %s",
                  type_text(parser, from), type_text(parser, to));
}

static const Expr *without_reads(const Expr *expr) {
    while (expr->kind == EX_CAST && expr->cast == CAST_SAME) expr = expr->left;
    return expr;
}

static void warn_cast_of_call(Parser *parser, const Expr *expr, const CType *type, Pos at) {
    if (without_reads(expr)->kind != EX_CALL || type->kind == CT_VOID) return;
    const CType *from = expr->type;
    bool same = (type_is_integer(from) && type_is_integer(type)) ||
                (type_is_floating(from) && type_is_floating(type)) ||
                (from->kind == CT_POINTER && type->kind == CT_POINTER) || from->kind == type->kind;
    if (!same)
        warn_at(parser, at, WARN_BAD_FUNCTION_CAST,
                "cast from function call of type %s to non-matching type %s",
                type_text(parser, from), type_text(parser, type));
}

static unsigned object_quals(const CType *type) {
    while (type->kind == CT_ARRAY) type = type->base;
    return type->kind == CT_FUNC ? 0 : type->quals & (Q_CONST | Q_VOLATILE);
}

static bool functions_fit(const CType *a, const CType *b) {
    if (a->kind != CT_FUNC || b->kind != CT_FUNC) return true;
    // void (*)(void) stands for any function.
    const CType *const both[] = {a, b};
    for (unsigned i = 0; i < 2; i++) {
        if (!both[i]->func.prototype) return true;
        if (both[i]->base->kind == CT_VOID && both[i]->func.param_count == 0 &&
            !both[i]->func.variadic)
            return true;
    }
    bool result =
        (a->base->kind == CT_VOID) == (b->base->kind == CT_VOID) &&
        (a->base->kind == CT_VOID || type_compatible_unqualified(a->base, b->base) ||
         (type_is_scalar(a->base) && type_is_scalar(b->base) && a->base->size == b->base->size &&
          type_is_floating(a->base) == type_is_floating(b->base)));
    if (!result) return false;
    if (a->func.variadic != b->func.variadic ? false : a->func.param_count != b->func.param_count)
        return false;
    for (uint32_t i = 0; i < a->func.param_count && i < b->func.param_count; i++) {
        const CType *x = a->func.params[i].type, *y = b->func.params[i].type;
        if (type_compatible_unqualified(x, y)) continue;
        bool pointers = x->kind == CT_POINTER && y->kind == CT_POINTER;
        bool integers = type_is_integer(x) && type_is_integer(y) && x->size == y->size;
        if (!pointers && !integers) return false;
    }
    return true;
}

static void warn_pointer_cast(Parser *parser, const Expr *expr, const CType *type, Pos at) {
    const CType *from = expr->type->base, *to = type->base;
    unsigned lost = object_quals(from) & ~object_quals(to);
    if (lost)
        warn_at(parser, at, WARN_CAST_QUAL, "cast discards '%s' qualifier from pointer target type",
                lost == Q_CONST      ? "const"
                : lost == Q_VOLATILE ? "volatile"
                                     : "const volatile");
    if (from->complete && to->complete && to->kind != CT_VOID && from->kind != CT_VOID &&
        !type_is_character(from) && to->kind != CT_FUNC && from->kind != CT_FUNC &&
        to->align > from->align && (pp_warning_level(parser->pp, WARN_CAST_ALIGN) >= 2))
        warn_at(parser, at, WARN_CAST_ALIGN, "cast increases required alignment of target type");
    if (!functions_fit(from, to))
        warn_at(parser, at, WARN_CAST_FUNCTION_TYPE,
                "cast between incompatible function types from %s to %s",
                type_text(parser, expr->type), type_text(parser, type));
}

// Types whose few values survive as pointers: what is meant by the cast is a tag, not an address.
static bool is_counted_out(const CType *type) {
    return type->kind == CT_ENUM || type->kind == CT_BOOL;
}

void warn_cast(Parser *parser, const Expr *expr, const CType *type, Pos at) {
    const CType *from = expr->type;
    if (!evaluated(parser)) return;
    warn_cast_of_call(parser, expr, type, at);
    bool number = expr_is_number(expr);
    if (from->kind == CT_POINTER && type->kind == CT_POINTER)
        warn_pointer_cast(parser, expr, type, at);
    else if (from->kind == CT_POINTER && type_is_integer(type) && !is_counted_out(type) &&
             type->size < from->size && !number)
        warn_at(parser, at, WARN_POINTER_TO_INT, "cast from pointer to integer of different size");
    else if (type->kind == CT_POINTER && type_is_integer(from) && from->size != type->size &&
             !is_counted_out(from) && !number)
        warn_at(parser, at, WARN_INT_TO_POINTER, "cast to pointer from integer of different size");
}
