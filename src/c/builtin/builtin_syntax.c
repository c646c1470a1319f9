// Builtin functions that are parsed by hand: their operands are types, designators or va_lists, or
// are not evaluated.
#include "c/parse/builtin.h"

#include <string.h>

Expr *parse_discarded(Parser *parser) {
    parser->discarded++;
    Expr *expr = parse_unevaluated_argument(parser);
    parser->discarded--;
    return expr;
}

Expr *parse_unevaluated_argument(Parser *parser) {
    parser->unevaluated++;
    Expr *expr = parse_assignment(parser);
    parser->unevaluated--;
    return expr;
}

static void expect_comma(BuiltinUse *use) {
    parser_expect(use->parser, TOK_COMMA, "an argument of a builtin function");
}

static void expect_end(BuiltinUse *use) {
    parser_expect(use->parser, TOK_RPAREN, "the arguments");
}

// ---- Choices at compile time

Expr *builtin_choose(BuiltinUse *use) {
    Parser *parser = use->parser;
    parser->folds_now++;
    Expr *condition = expr_value(parser, parse_assignment(parser));
    parser->folds_now--;
    int64_t value = 0;
    bool known = constant_integer(parser, condition, "condition of __builtin_choose_expr", &value);
    expect_comma(use);
    Expr *first = value ? parse_assignment(parser) : parse_discarded(parser);
    expect_comma(use);
    Expr *second = value ? parse_discarded(parser) : parse_assignment(parser);
    expect_end(use);
    if (!known || parser->panic) return expr_error(parser, &use->from);
    return value ? first : second;
}

Expr *builtin_types_compatible(BuiltinUse *use) {
    Parser *parser = use->parser;
    CType *a = parse_type_name(parser);
    expect_comma(use);
    CType *b = parse_type_name(parser);
    expect_end(use);
    bool same = a->kind == b->kind || a->kind == CT_ERROR || b->kind == CT_ERROR;
    // Enumerations are compatible with integer types, but gcc tells them apart here.
    same = same && type_compatible_unqualified(a, b);
    return expr_int(parser, parser->types->basic[CT_INT], same, &use->from);
}

// The numbers of gcc's typeclass.h.
Expr *builtin_classify_type(BuiltinUse *use) {
    Parser *parser = use->parser;
    Expr *expr = expr_value(parser, parse_unevaluated_argument(parser));
    expect_end(use);
    const CType *type = expr->type;
    uint64_t number = type->kind == CT_VOID      ? 0
                      : type_is_integer(type)    ? 1
                      : type->kind == CT_POINTER ? 5
                      : type_is_floating(type)   ? 8
                      : type_is_complex(type)    ? 9
                      : type->kind == CT_STRUCT  ? 12
                      : type->kind == CT_UNION   ? 13
                                                 : UINT64_MAX;
    return expr_int(parser, parser->types->basic[CT_INT], number, &use->from);
}

// ---- offsetof

// A member designator: the lvalue it names in an object at address 0.
static Expr *parse_designator(BuiltinUse *use, Expr *object) {
    Parser *parser = use->parser;
    bool first = true;
    while (!parser->panic) {
        Token at = parser->token;
        if (first || at.kind == TOK_DOT || at.kind == TOK_ARROW) {
            if (!first) parser_next(parser);
            if (at.kind == TOK_ARROW && !first && !is_error(object))
                object = expr_dereference(parser, object, object);
            if (!parser_at(parser, TOK_IDENT)) {
                syntax_error(parser, "expected the name of a member");
                break;
            }
            Token name = parser->token;
            parser_next(parser);
            if (!is_error(object) && !type_is_record(object->type)) {
                error_at_expr(parser, &use->from, "%s is not a structure or union",
                              type_text(parser, object->type));
                object = expr_error(parser, &use->from);
            }
            object = expr_member(parser, object, &name);
            first = false;
        } else if (at.kind == TOK_LBRACKET) {
            parser_next(parser);
            Expr *index = parse_expression(parser);
            parser_expect(parser, TOK_RBRACKET, "the subscript");
            object = expr_subscript(parser, object, index, &at);
        } else {
            break;
        }
    }
    return object;
}

Expr *builtin_offsetof(BuiltinUse *use) {
    Parser *parser = use->parser;
    Types *types = parser->types;
    CType *type = parse_type_name(parser);
    Stmt *sizes = sizes_of(parser, type);
    expect_comma(use);
    Expr *null = expr_int(parser, type_pointer(types, type), 0, &use->from);
    Expr *object = type->kind == CT_ERROR ? expr_error(parser, &use->from)
                                          : expr_dereference(parser, null, &use->from);
    object = parse_designator(use, object);
    expect_end(use);
    if (parser->panic || is_error(object)) return expr_error(parser, &use->from);
    object->reversed = false; // its place does not depend on how it is stored
    Expr *address = expr_address(parser, object, &use->from);
    if (is_error(address)) return address;
    Expr *offset = expr_convert(parser, address, types->size);
    if (offset->kind == EX_INT) offset->constant_expression = true;
    return after_sizes(parser, sizes, offset);
}

// ---- Variable arguments

static bool is_va_list(const Parser *parser, const Expr *expr) {
    return expr->type->kind == CT_POINTER &&
           type_compatible_unqualified(expr->type->base, parser->types->va_list->base);
}

// A va_list, argument `number`, as the pointer to its contents; NULL after an error. Another
// pointer is converted as for any parameter, with a warning.
static Expr *va_list_argument(BuiltinUse *use, unsigned number) {
    Parser *parser = use->parser;
    Expr *expr = expr_value(parser, parse_assignment(parser));
    if (is_error(expr)) return NULL;
    if (is_va_list(parser, expr)) return expr;
    const char *what =
        arena_printf(parser->body_arena, "passing argument %u of '%s'", number, use->name);
    CType *pointer = type_pointer(parser->types, parser->types->va_list->base);
    expr = expr_assign_convert(parser, expr, pointer, what);
    return is_error(expr) ? NULL : expr;
}

// The va_list of va_arg, which takes nothing else.
static Expr *va_list_pointer(BuiltinUse *use, Expr *expr) {
    Parser *parser = use->parser;
    expr = expr_value(parser, expr);
    if (is_error(expr)) return NULL;
    if (is_va_list(parser, expr)) return expr;
    error_at_expr(parser, expr, "'%s' needs a va_list, not a value of type %s", use->name,
                  type_text(parser, expr->type));
    return NULL;
}

static Expr *va_builtin(BuiltinUse *use, CBuiltin builtin, Expr *first, Expr *second) {
    Parser *parser = use->parser;
    Expr **args = ARENA_ARRAY(parser->body_arena, Expr *, 2);
    args[0] = first;
    args[1] = second;
    return expr_builtin(parser, builtin, parser->types->basic[CT_VOID], args, second ? 2 : 1,
                        &use->from);
}

Expr *builtin_va_start(BuiltinUse *use) {
    Parser *parser = use->parser;
    Expr *list = va_list_argument(use, 1);
    if (parser_accept(parser, TOK_COMMA)) expr_value(parser, parse_assignment(parser));
    expect_end(use);
    if (!list || parser->panic) return expr_error(parser, &use->from);
    if (!parser->function || !parser->function->decl->type->func.variadic) {
        error_at_expr(parser, &use->from, "va_start in a function without variable arguments");
        return expr_error(parser, &use->from);
    }
    return va_builtin(use, CB_VA_START, list, NULL);
}

Expr *builtin_va_other(BuiltinUse *use) {
    Parser *parser = use->parser;
    Expr *first = va_list_argument(use, 1), *second = NULL;
    if (use->operation == CB_VA_COPY) {
        expect_comma(use);
        second = va_list_argument(use, 2);
        if (!second) first = NULL;
    }
    expect_end(use);
    if (!first || parser->panic) return expr_error(parser, &use->from);
    return va_builtin(use, use->operation, first, second);
}

Expr *builtin_va_arg(BuiltinUse *use) {
    Parser *parser = use->parser;
    Types *types = parser->types;
    Expr *list = va_list_pointer(use, parse_assignment(parser));
    expect_comma(use);
    CType *type = parse_type_name(parser);
    Stmt *sizes = sizes_of(parser, type);
    expect_end(use);
    if (!list || parser->panic || type->kind == CT_ERROR) return expr_error(parser, &use->from);
    if (type->kind == CT_UNSUPPORTED) {
        unsupported_type(parser, &use->from, type);
        return expr_error(parser, &use->from);
    }
    if (type->kind == CT_VOID) return make_cast(parser, CAST_VOID, list, type);
    if (!type->complete || type->kind == CT_FUNC || type->kind == CT_ARRAY) {
        error_at_expr(parser, &use->from, "va_arg cannot give a value of type %s",
                      type_text(parser, type));
        return expr_error(parser, &use->from);
    }
    CType *passed = value_type(parser, type);
    if (type_is_promoted_float(passed)) passed = types->basic[CT_DOUBLE];
    if (type_is_integer(passed) && type_bits(passed) < 32) passed = types->basic[CT_INT];
    if (passed != value_type(parser, type))
        warn_at_expr(parser, WARN_INT_CONVERSION, &use->from,
                     "%s is promoted to %s when passed through '...'", type_text(parser, type),
                     type_text(parser, passed));
    Expr *expr = expr_new(parser, EX_VA_ARG, passed, &use->from);
    expr->left = list;
    return after_sizes(parser, sizes, expr_convert(parser, expr, type));
}

// ---- __builtin_LINE and related builtins

Expr *builtin_where(BuiltinUse *use) {
    Parser *parser = use->parser;
    Presumed place = pp_presumed(parser->pp, pp_file_pos(parser->pp, &use->token));
    if (use->operation == 0) return expr_int(parser, use->result, place.line, &use->from);
    const char *text = pp_mapped(parser->pp, place.file);
    if (use->operation == 2) text = parser->function ? parser->function->decl->name->text : "";
    Expr *string = expr_string(parser, text, strlen(text), &use->from);
    return expr_convert(parser, expr_value(parser, string), use->result);
}
