// Calls: arguments are counted and converted, and what a call means for its function is noted.
#include "c/parse/declare.h"
#include "c/parse/warn.h"
#include "fact/calls.h"

#include <string.h>

// ---- Arguments

typedef VEC(Expr *) Exprs;

Expr **parse_arguments(Parser *parser, uint32_t *count) {
    Expr *buffer[8];
    Exprs more = {0}; // once there are more than fit into the buffer
    uint32_t used = 0;
    if (!parser_at(parser, TOK_RPAREN)) {
        do {
            Expr *arg = parse_assignment(parser);
            if (used < 8 && more.count == 0) {
                buffer[used++] = arg;
                continue;
            }
            if (more.count == 0)
                memcpy(vec_extend(parser->body_arena, &more, used), buffer, sizeof buffer);
            vec_push(parser->body_arena, &more, arg);
        } while (!parser->panic && parser_accept(parser, TOK_COMMA));
    }
    parser_expect(parser, TOK_RPAREN, "the arguments");
    *count = more.count ? more.count : used;
    if (more.count) return more.at;
    return used ? arena_copy(parser->body_arena, buffer, used * sizeof *buffer) : NULL;
}

Expr *default_promote(Parser *parser, Expr *value) {
    value = expr_value(parser, value);
    if (is_error(value)) return value;
    if (type_is_promoted_float(value->type))
        return expr_convert(parser, value, parser->types->basic[CT_DOUBLE]);
    if (value->type->kind == CT_VOID) {
        error_at_expr(parser, value, "an argument has type void");
        return expr_error(parser, value);
    }
    return expr_promote(parser, expr_as_meant(parser, value));
}

static Expr *convert_argument(Parser *parser, const Decl *func, Expr *arg, CType *type,
                              uint32_t number) {
    arg = expr_value(parser, arg);
    if (arg->type == type || (type_is_arithmetic(type) && type_is_arithmetic(arg->type)))
        return expr_assign_convert(parser, arg, type, "passing an argument");
    bool named = func && func->name;
    const char *what =
        arena_printf(parser->body_arena, "passing argument %u%s%s%s", number + 1,
                     named ? " of '" : "", named ? func->name->text : "", named ? "'" : "");
    uint32_t errors = parser->diag->errors + parser->diag->warnings;
    Expr *converted = expr_assign_convert(parser, arg, type, what);
    if (named && func->pos && errors != parser->diag->errors + parser->diag->warnings)
        parser_note(parser, func->pos, "'%s' is declared here", func->name->text);
    return converted;
}

static void wrong_count(Parser *parser, const Decl *func, const Expr *call, const CType *type,
                        uint32_t count) {
    bool named = func && func->name;
    error_at_expr(parser, call, "too %s arguments%s%s%s: expected %s%u, have %u",
                  count < type->func.param_count ? "few" : "many", named ? " for '" : "",
                  named ? func->name->text : "", named ? "'" : "",
                  type->func.variadic ? "at least " : "", type->func.param_count, count);
    if (named && func->pos)
        parser_note(parser, func->pos, "'%s' is declared here", func->name->text);
}

// ---- What is special about some functions

static bool name_is_one_of(const char *name, const char *const *names) {
    for (; *names; names++)
        if (strcmp(*names, name) == 0) return true;
    return false;
}

// A function that the assembler knows under such a name is that function, unless it is the unit's
// own.
bool returns_twice(const Decl *func) {
    if (func->attributes->returns_twice) return true;
    const char *name = func->asm_name ? func->asm_name : func->name ? func->name->text : "";
    return !func->internal && name_returns_twice(name);
}

static void note_callee(Parser *parser, const Decl *func, const Expr *callee) {
    FunctionState *function = parser->function;
    if (func->attributes->emission & SYMF_INTERRUPT)
        error_at_expr(parser, callee, "interrupt service routine cannot be called directly");
    if (function && !parser->unevaluated && returns_twice(func))
        function->decl->calls_setjmp = true;
}

static const Decl *called_function(const Expr *callee) {
    if (callee->kind == EX_CAST && callee->cast == CAST_FUNC && callee->left->kind == EX_FUNC)
        return callee->left->decl;
    return NULL;
}

// Absolute values and signs are computed in place, as the system compiler does; the library has no
// signbit.
static Expr *call_in_place(Parser *parser, const Decl *func, Expr **args, uint32_t count,
                           CType *result, const Expr *span) {
    static const char *const integers[] = {"abs", "labs", "llabs", "imaxabs", NULL};
    static const char *const floats[] = {"fabs", "fabsf", "fabsl", NULL};
    static const char *const signs[] = {"signbit", "signbitf", "signbitl", NULL};
    if (count != 1 || !func->external || func->defined) return NULL;
    const char *name = func->name ? func->name->text : "";
    if (!strchr("ailfs", name[0])) return NULL;
    if (name_is_one_of(name, signs) && type_is_floating(args[0]->type) && result->kind == CT_INT)
        return expr_builtin(parser, CB_SIGNBIT, result, args, 1, span);
    if (args[0]->type != result) return NULL;
    if (name_is_one_of(name, integers) && type_is_integer(result) && !type_is_unsigned(result))
        return expr_builtin(parser, CB_ABS, result, args, 1, span);
    if (name_is_one_of(name, floats) && type_is_floating(result))
        return expr_builtin(parser, CB_FABS, result, args, 1, span);
    return NULL;
}

// alloca under its own name is the builtin, unless the program has one of its own.
static Expr *call_alloca(Parser *parser, const Decl *func, Expr **args, uint32_t count,
                         const Expr *span) {
    if (!func || !func->name || func->defined || !func->external || count != 1) return NULL;
    if (strcmp(func->name->text, "alloca") != 0 || func->type->base->kind != CT_POINTER)
        return NULL;
    if (!type_is_integer(args[0]->type)) return NULL;
    args[0] = expr_convert(parser, args[0], parser->types->size); // it may be declared otherwise
    note_alloca(parser);
    return expr_builtin(parser, CB_ALLOCA, parser->types->void_pointer, args, 1, span);
}

// ---- Calls

// An integer passed to a parameter of an old-style definition that is an integer or pointer of
// another width. The call is undefined, but programs that pass 0 for a null pointer are common.
static Expr *fit_old_style(Parser *parser, const Decl *func, Expr *arg, uint32_t number) {
    if (!func || !func->defined || number >= func->params.count || is_error(arg)) return arg;
    CType *type = type_promote(parser->types, func->params.at[number]->type);
    if (!type_is_integer(arg->type) || arg->type->size == type->size) return arg;
    if (!type_is_integer(type) && type->kind != CT_POINTER) return arg;
    return expr_convert(parser, arg, type);
}

static bool convert_arguments(Parser *parser, const Decl *func, const CType *type, Expr **args,
                              uint32_t count) {
    bool right = true;
    for (uint32_t i = 0; i < count; i++) {
        bool declared = type->func.prototype && i < type->func.param_count;
        args[i] = declared ? convert_argument(parser, func, args[i], type->func.params[i].type, i)
                           : default_promote(parser, args[i]);
        if (!type->func.prototype) args[i] = fit_old_style(parser, func, args[i], i);
        if (args[i]->type->kind == CT_UNSUPPORTED) {
            unsupported_type(parser, args[i], args[i]->type);
            right = false;
        }
        right &= !is_error(args[i]);
    }
    return right;
}

// A library function that the program never declared, or only without parameters, called with
// another number of arguments: that is left to the program.
static Expr *call_unprepared(Parser *parser, Expr *callee, const Decl *func, bool few) {
    warn_at_expr(parser, WARN_BUILTIN_MISMATCH, callee, "too %s arguments for '%s'",
                 few ? "few" : "many", func->name->text);
    CType *type = type_function(parser->types, callee->type->base->base, NULL, 0, false, false);
    return make_cast(parser, CAST_POINTER, callee, type_pointer(parser->types, type));
}

Expr *expr_call(Parser *parser, Expr *callee, Expr **args, uint32_t count, Pos end) {
    Expr span = *callee;
    span.end = end;
    callee = expr_value(parser, callee);
    if (is_error(callee)) {
        for (uint32_t i = 0; i < count; i++) expr_value(parser, args[i]);
        return expr_error(parser, &span);
    }
    if (callee->type->kind != CT_POINTER || callee->type->base->kind != CT_FUNC) {
        error_at_expr(parser, callee, "what is called is not a function but has type %s",
                      type_text(parser, callee->type));
        return expr_error(parser, &span);
    }
    CType *type = callee->type->base;
    const Decl *func = called_function(callee);
    uint32_t wanted = type->func.param_count;
    bool many = count > wanted && !type->func.variadic;
    if (func && type->func.prototype &&
        ((func->implicit && count < wanted) || (func->borrowed && (count < wanted || many)))) {
        callee = call_unprepared(parser, callee, func, count < wanted);
        type = callee->type->base;
    }
    if (type->func.prototype && (count < wanted || many)) {
        for (uint32_t i = 0; i < count; i++) expr_value(parser, args[i]);
        wrong_count(parser, func, &span, type, count);
        return expr_error(parser, &span);
    }
    for (uint32_t i = 0; i < count; i++) args[i] = expr_value(parser, args[i]);
    warn_arguments(parser, func, args, count, &span);
    if (!convert_arguments(parser, func, type, args, count)) return expr_error(parser, &span);
    CType *result = value_type(parser, type->base);
    if (result->kind != CT_VOID && !result->complete) {
        error_at_expr(parser, &span, "the call returns the incomplete type %s",
                      type_text(parser, result));
        return expr_error(parser, &span);
    }
    if (result->kind == CT_UNSUPPORTED) {
        unsupported_type(parser, &span, result);
        return expr_error(parser, &span);
    }
    if (func) {
        note_callee(parser, func, callee);
        check_format(parser, func, args, count);
        Expr *special = call_alloca(parser, func, args, count, &span);
        bool builtin = func->name && is_builtin_function(parser, func->name);
        if (builtin && !special)
            special = fold_library_call(parser, func, result, args, count, &span);
        if (builtin && !special) special = call_in_place(parser, func, args, count, result, &span);
        if (special) return special;
    }
    Expr *expr = expr_new(parser, EX_CALL, result, &span);
    expr->left = callee;
    expr->args = args;
    expr->arg_count = count;
    return expr;
}

Expr *parse_call(Parser *parser, Expr *callee) {
    parser_next(parser);
    uint32_t count;
    Expr **args = parse_arguments(parser, &count);
    if (parser->panic) return expr_error(parser, callee);
    return expr_call(parser, callee, args, count, parser->last_end);
}
