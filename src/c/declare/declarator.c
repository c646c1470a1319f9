// Declarators: pointers, arrays and functions around a name.
//
// A declarator is read into a list of parts, the one nearest to the name first; then the type is
// built from the far end. So "*(*f(int))[3]" needs no placeholder types and long chains of pointers
// need no recursion.
#include "c/parse/declare.h"

typedef enum { PART_POINTER, PART_ARRAY, PART_FUNCTION } PartKind;

typedef struct DeclaratorPart DeclaratorPart;
struct DeclaratorPart {
    DeclaratorPart *next; // farther from the name
    PartKind kind;
    unsigned quals; // of the pointer, or inside [ ]
    uint32_t align; // of the pointer: what an attribute behind the * asks for, or 0
    Pos pos, end;
    Expr *count; // of an array; NULL in []
    bool star;   // [*]
    bool within; // qualifiers or static inside [ ]: only for parameters
    // of a function
    Param *params;
    Decl **decls;
    uint32_t param_count;
    bool variadic, prototype, identifiers;
    VEC(SizedParam) sized;
    TagDecl *tags; // declared among the parameters,
    Decl *others;  // and enumerators, in the list of that scope
};

typedef struct {
    DeclaratorPart *first, *last;
} DeclaratorParts;

static DeclaratorPart *new_part(Parser *parser, PartKind kind) {
    DeclaratorPart *part = ARENA_NEW(parser->body_arena, DeclaratorPart);
    part->kind = kind;
    part->pos = parser->token.pos;
    return part;
}

static void append(DeclaratorParts *parts, DeclaratorPart *first, DeclaratorPart *last) {
    if (!first) return;
    if (parts->last)
        parts->last->next = first;
    else
        parts->first = first;
    parts->last = last;
}

// ---- Arrays

static DeclaratorPart *parse_array_part(Parser *parser) {
    DeclaratorPart *part = new_part(parser, PART_ARRAY);
    parser_next(parser);
    Attributes ignored = no_attributes;
    bool attributed;
    part->quals = parse_qualifiers(parser, &ignored, &attributed);
    part->within = part->quals != 0;
    if (parser_at_keyword(parser, KW_STATIC)) {
        parser_next(parser);
        part->within = true;
        part->quals |= parse_qualifiers(parser, &ignored, &attributed);
    }
    if (parser_at(parser, TOK_STAR) && parser_peek(parser, 1)->kind == TOK_RBRACKET) {
        parser_next(parser);
        part->star = true;
    } else if (!parser_at(parser, TOK_RBRACKET)) {
        part->count = expr_value(parser, parse_assignment(parser));
    }
    parser_expect(parser, TOK_RBRACKET, "array size");
    part->end = parser->last_end;
    return part;
}

static bool bad_element(Parser *parser, const DeclaratorPart *part, const CType *element,
                        const Declarator *declarator) {
    const char *name = declarator->name ? declarator->name->text : "type name";
    if (element->kind == CT_FUNC)
        parser_error(parser, part->pos, part->end, "'%s' is an array of functions", name);
    else if (element->kind == CT_VOID)
        parser_error(parser, part->pos, part->end, "'%s' is an array of voids", name);
    else if (!element->complete && element->kind != CT_ERROR)
        parser_error(parser, part->pos, part->end, "array has incomplete element type %s",
                     type_text(parser, element));
    else
        return element->kind == CT_ERROR;
    return true;
}

// Whether the size of an object of this type is only known at run time.
static bool has_runtime_size(const CType *type) {
    if (type_is_record(type)) return type->record->size_var;
    return type->kind == CT_ARRAY && (type->array.size_var || type->array.star);
}

static CType *counted_array(Parser *parser, const DeclaratorPart *part, CType *element,
                            uint64_t count, const Declarator *declarator) {
    if (!type_is_unsigned(part->count->type) && (int64_t)count < 0) {
        error_at_expr(parser, part->count, "size of array '%s' is negative",
                      declarator->name ? declarator->name->text : "<unnamed>");
        return parser->types->basic[CT_ERROR];
    }
    if (element->size != 0 && count > (uint64_t)INT64_MAX / element->size) {
        error_at_expr(parser, part->count, "size of array '%s' is too large",
                      declarator->name ? declarator->name->text : "<unnamed>");
        return parser->types->basic[CT_ERROR];
    }
    if (has_runtime_size(element))
        return type_variable_array(parser->types, element, part->count,
                                   hidden_variable(parser, parser->types->size, false), false);
    return type_array(parser->types, element, count);
}

static CType *apply_array(Parser *parser, const DeclaratorPart *part, CType *element,
                          const Declarator *declarator) {
    Types *types = parser->types;
    if (bad_element(parser, part, element, declarator)) return types->basic[CT_ERROR];
    if (type_is_record(element) && element->record->flexible)
        parser_warn(parser, WARN_PEDANTIC, part->pos, part->end,
                    "ISO C forbids elements that end in a flexible array member");
    if (type_is_excessive(types, element)) {
        parser_error(parser, part->pos, part->end, "the type of '%s' is nested too deeply",
                     declarator->name ? declarator->name->text : "<unnamed>");
        return types->basic[CT_ERROR];
    }
    if (part->star) return type_variable_array(types, element, NULL, NULL, true);
    if (!part->count) {
        if (!has_runtime_size(element)) return type_incomplete_array(types, element);
        CType *type = type_incomplete_array(types, element);
        type->variable = true;
        return type;
    }
    Expr *count = part->count;
    if (count->type->kind == CT_ERROR) return types->basic[CT_ERROR];
    if (!type_is_integer(count->type)) {
        error_at_expr(parser, count, "size of array '%s' has type %s, which is not an integer type",
                      declarator->name ? declarator->name->text : "<unnamed>",
                      type_text(parser, count->type));
        return types->basic[CT_ERROR];
    }
    uint64_t value;
    if (expr_is_integer_constant(count, &value))
        return counted_array(parser, part, element, value, declarator);
    if (declarator->name)
        parser_warn(parser, WARN_VLA, declarator->pos, declarator->pos + declarator->name->length,
                    "ISO C90 forbids variable length array '%s'", declarator->name->text);
    return type_variable_array(types, element, count, hidden_variable(parser, types->size, false),
                               false);
}

// ---- Parameters

CType *adjust_parameter(Parser *parser, CType *type, unsigned quals) {
    Types *types = parser->types;
    if (type->kind == CT_ARRAY) return type_qualify(types, type_pointer(types, type->base), quals);
    if (type->kind == CT_FUNC) return type_pointer(types, type);
    return type;
}

static void check_parameter(Parser *parser, const Decl *decl, const Specifiers *specifiers) {
    Pos end = decl->name ? decl->pos + decl->name->length : decl->pos;
    bool none = specifiers->storage == STORAGE_NONE || specifiers->storage == STORAGE_REGISTER;
    if (!none || specifiers->is_thread)
        parser_error(parser, specifiers->pos, specifiers->end,
                     "a parameter cannot have this storage class");
    if (specifiers->is_inline)
        parser_error(parser, specifiers->pos, specifiers->end, "a parameter cannot be inline");
    bool complete = decl->name || parser_at(parser, TOK_COMMA) || parser_at(parser, TOK_RPAREN);
    if (decl->type->kind == CT_VOID && complete)
        parser_error(parser, decl->pos, end,
                     decl->name ? "parameter '%s' has type void"
                                : "%s'void' must be the only parameter",
                     decl->name ? decl->name->text : "");
}

// The announced parameter becomes the real one: sizes of others may refer to it.
static Decl *fulfil_parameter(Parser *parser, Decl *forward, const Decl *decl) {
    forward->forward = false;
    if (!type_compatible(forward->type, decl->type)) {
        parser_error(parser, decl->pos, decl->pos + decl->name->length,
                     "conflicting types for the parameter '%s'", decl->name->text);
        parser_note(parser, forward->pos, "it is announced here");
    }
    forward->pos = decl->pos;
    forward->type = decl->type;
    forward->type_name = decl->type_name;
    forward->storage = decl->storage;
    forward->attributes = decl->attributes;
    forward->array_parameter = decl->array_parameter;
    return forward;
}

// Returns the declaration that stands for the parameter.
static Decl *declare_parameter(Parser *parser, Decl *decl) {
    if (!decl->name) return decl;
    Decl *other = decl->name->ordinary;
    if (other && other->scope_depth == parser->scope->depth) {
        if (other->forward) return fulfil_parameter(parser, other, decl);
        parser_error(parser, decl->pos, decl->pos + decl->name->length,
                     "redefinition of parameter '%s'", decl->name->text);
        parser_note(parser, other->pos, "the other '%s' is here", decl->name->text);
        return decl;
    }
    scope_declare(parser, decl);
    return decl;
}

static Decl *parse_parameter(Parser *parser, CType **array) {
    Specifiers specifiers;
    parse_specifiers(parser, &specifiers);
    if (specifiers.end == specifiers.pos && !parser->panic) {
        report_no_type(parser, "a parameter");
        specifiers.type = parser->types->basic[CT_ERROR];
        specifiers.has_type = true;
    }
    Declarator declarator;
    parse_declarator(parser, specifiers.type, ABSTRACT_MAYBE, &specifiers.attributes, &declarator);
    specifiers.has_attributes |= declarator.has_attributes;
    *array = declarator.array ? declarator.array : declarator.type;
    if (parser_at_keyword(parser, KW_ATTRIBUTE) || at_standard_attribute(parser)) {
        specifiers.has_attributes = true;
        parse_attributes(parser, &specifiers.attributes);
    }
    if (!specifiers.has_type && !parser->panic)
        parser_warn(parser, WARN_IMPLICIT_INT, specifiers.pos, parser->last_end,
                    "type of '%s' defaults to 'int'",
                    declarator.name ? declarator.name->text : "parameter");
    CType *type =
        apply_type_attributes(parser, declarator.type, &specifiers.attributes, declarator.pos);
    Decl *decl =
        decl_new(parser, parser->body_arena, DECL_VAR, declarator.name, type, declarator.pos);
    decl->parameter = true;
    decl->type_name = specifiers.type_name;
    decl->storage = (uint8_t)specifiers.storage;
    if (specifiers.has_attributes) add_attributes(parser, decl, &specifiers.attributes);
    return parser->panic ? decl : (check_parameter(parser, decl, &specifiers), decl);
}

static void add_parameter(Parser *parser, DeclaratorPart *part, Decl *decl) {
    uint32_t count = part->param_count++;
    if ((count & (count - 1)) == 0) {
        uint32_t room = count == 0 ? 1 : count * 2;
        part->decls = arena_grow(parser->body_arena, part->decls, count * sizeof *part->decls,
                                 room * sizeof *part->decls);
    }
    part->decls[count] = decl;
}

// An old-style list of names.
static void parse_identifiers(Parser *parser, DeclaratorPart *part) {
    part->identifiers = true;
    do {
        if (!parser_at(parser, TOK_IDENT) || parser->token.ident->keyword != KW_NONE) {
            syntax_error(parser, "expected the name of a parameter");
            return;
        }
        Decl *decl = decl_new(parser, parser->body_arena, DECL_VAR, parser->token.ident, NULL,
                              parser->token.pos);
        decl->parameter = true;
        declare_parameter(parser, decl);
        add_parameter(parser, part, decl);
        parser_next(parser);
    } while (parser_accept(parser, TOK_COMMA));
}

static bool at_identifier_list(Parser *parser) {
    if (!parser_at(parser, TOK_IDENT) || parser->token.ident->keyword != KW_NONE) return false;
    if (is_typedef_name(&parser->token)) return false;
    TokenKind next = parser_peek(parser, 1)->kind;
    return next == TOK_COMMA || next == TOK_RPAREN;
}

static bool at_void(Parser *parser) {
    const Decl *decl = parser_at(parser, TOK_IDENT) ? parser->token.ident->ordinary : NULL;
    bool is_void =
        parser_at_keyword(parser, KW_VOID) ||
        (is_typedef_name(&parser->token) && decl->type->kind == CT_VOID && decl->type->quals == 0);
    return is_void && parser_peek(parser, 1)->kind == TOK_RPAREN;
}

// After a mistake: to the ',' or ')' behind a parameter. False, and still in panic, if there is
// none.
static bool skip_parameter(Parser *parser) {
    for (uint32_t depth = 0;; parser_next(parser)) {
        switch (parser->token.kind) {
        case TOK_EOF:
        case TOK_SEMI:
        case TOK_LBRACE:
        case TOK_RBRACE: return false;
        case TOK_LPAREN: depth++; break;
        case TOK_RPAREN:
            if (depth == 0) return parser->panic = false, true;
            depth--;
            break;
        case TOK_COMMA:
            if (depth == 0) return parser->panic = false, true;
            break;
        default: break;
        }
    }
}

// The ; behind parameters that are only announced (GNU C). True if a parameter follows.
static bool accept_forward_end(Parser *parser, DeclaratorPart *part) {
    if (!parser_at(parser, TOK_SEMI)) return false;
    parser_warn(parser, WARN_PEDANTIC, part->pos, parser->last_end,
                "ISO C forbids forward parameter declarations");
    parser_next(parser);
    for (uint32_t i = 0; i < part->param_count; i++) {
        Decl *decl = part->decls[i];
        decl->forward = decl->name != NULL;
        if (!decl->name)
            parser_error(parser, decl->pos, decl->pos,
                         "a parameter without a name has just a forward declaration");
    }
    part->param_count = 0;
    vec_clear(&part->sized);
    return !parser_at(parser, TOK_RPAREN);
}

static void check_forwards(Parser *parser, const Scope *scope) {
    for (const Decl *decl = scope->decls; decl; decl = decl->next_in_scope)
        if (decl->forward)
            parser_error(parser, decl->pos, decl->pos + decl->name->length,
                         "parameter '%s' has just a forward declaration", decl->name->text);
}

static void parse_parameters(Parser *parser, DeclaratorPart *part) {
    part->prototype = true;
    do {
        if (parser_accept(parser, TOK_ELLIPSIS)) {
            part->variadic = true;
            return;
        }
        if (!parser_at(parser, TOK_IDENT) && !parser_at(parser, TOK_STAR) &&
            !at_standard_attribute(parser)) {
            if (!parser_stray(parser)) syntax_error(parser, "expected a parameter");
            if (!skip_parameter(parser)) return;
            continue;
        }
        CType *array;
        Decl *decl = parse_parameter(parser, &array);
        if (array->kind == CT_ARRAY && array->array.size_var)
            vec_push(parser->body_arena, &part->sized,
                     (SizedParam){.param = part->param_count, .array = array});
        // Adjusted only here, so that the messages show what was written.
        decl->array_parameter = decl->type->kind == CT_ARRAY || array->kind == CT_ARRAY;
        decl->type = adjust_parameter(parser, decl->type, 0);
        add_parameter(parser, part, declare_parameter(parser, decl));
        if (parser->panic && !skip_parameter(parser)) return;
    } while (!parser->panic &&
             (parser_accept(parser, TOK_COMMA) || accept_forward_end(parser, part)));
}

static DeclaratorPart *parse_function_part(Parser *parser) {
    DeclaratorPart *part = new_part(parser, PART_FUNCTION);
    parser_next(parser);
    if (parser_accept(parser, TOK_RPAREN)) {
        part->end = parser->last_end;
        return part;
    }
    if (!parser_enter(parser)) {
        return part;
    }
    Scope scope;
    scope_push(parser, &scope);
    scope.prototype = true;
    if (at_void(parser)) {
        parser_next(parser);
        part->prototype = true;
    } else if (at_identifier_list(parser)) {
        parse_identifiers(parser, part);
    } else {
        parse_parameters(parser, part);
        check_forwards(parser, &scope);
    }
    part->params = ARENA_ARRAY(parser->arena, Param, part->param_count);
    for (uint32_t i = 0; i < part->param_count; i++)
        part->params[i] = (Param){.name = part->decls[i]->name,
                                  .type = part->decls[i]->type,
                                  .type_name = part->decls[i]->type_name,
                                  .pos = part->decls[i]->pos};
    scope_pop(parser);
    part->tags = scope.tags;
    if (scope.tags) part->others = scope.decls;
    parser_expect(parser, TOK_RPAREN, "parameters");
    part->end = parser->last_end;
    return part;
}

static CType *apply_function(Parser *parser, const DeclaratorPart *part, CType *result,
                             const Declarator *declarator) {
    const char *name = declarator->name ? declarator->name->text : "type name";
    if (result->kind == CT_FUNC || result->kind == CT_ARRAY) {
        parser_error(parser, part->pos, part->end, "'%s' is a function that returns %s", name,
                     result->kind == CT_FUNC ? "a function" : "an array");
        result = parser->types->basic[CT_ERROR];
    }
    if (result->quals & (Q_CONST | Q_VOLATILE | Q_RESTRICT) && result->kind != CT_VOID)
        parser_warn(parser, WARN_IGNORED_QUALIFIERS, part->pos, part->end,
                    "type qualifiers ignored on function return type");
    if (part->identifiers)
        return type_function(parser->types, result->unqualified, NULL, 0, false, false);
    CType *type = type_function(parser->types, result->unqualified, part->params, part->param_count,
                                part->variadic, part->prototype);
    if (!type_is_excessive(parser->types, type)) return type;
    parser_error(parser, part->pos, part->end, "the type of '%s' is nested too deeply", name);
    return type_function(parser->types, parser->types->basic[CT_ERROR], NULL, 0, false, false);
}

// ---- The declarator

static void parse_parts(Parser *parser, Abstract abstract, Declarator *declarator,
                        DeclaratorParts *parts);

// The number of the token ahead after any __attribute__((...)) that starts at number n.
static uint32_t skip_attributes_ahead(Parser *parser, uint32_t n) {
    for (;;) {
        const Token *token = parser_peek(parser, n);
        if (token->kind != TOK_IDENT || token->ident->keyword != KW_ATTRIBUTE) return n;
        uint32_t depth = 0;
        do {
            token = parser_peek(parser, ++n);
            if (token->kind == TOK_EOF) return n;
            if (token->kind == TOK_LPAREN) depth++;
            if (token->kind == TOK_RPAREN && depth > 0) depth--;
        } while (depth > 0);
        n++;
    }
}

// After '(' : whether it opens the parameters of a function without a name.
static bool opens_parameters(Parser *parser, Abstract abstract) {
    if (abstract == ABSTRACT_NO) return false;
    uint32_t at = skip_attributes_ahead(parser, 1);
    const Token *next = parser_peek(parser, at);
    if (next->kind == TOK_RPAREN || next->kind == TOK_ELLIPSIS) return at == 1;
    return next->kind == TOK_IDENT && next->ident->keyword == KW_NONE ? is_typedef_name(next)
                                                                      : starts_type(parser, next);
}

static void parse_declared_name(Parser *parser, Abstract abstract, Declarator *declarator,
                                DeclaratorParts *parts) {
    declarator->pos = parser->token.pos;
    if (parser_at(parser, TOK_IDENT) && parser->token.ident->keyword == KW_NONE &&
        abstract != ABSTRACT_ONLY) {
        declarator->name = parser->token.ident;
        parser_next(parser);
        if (at_standard_attribute(parser)) {
            declarator->has_attributes = true;
            parse_attributes(parser, declarator->attributes);
        }
    } else if (parser_at(parser, TOK_LPAREN) && !opens_parameters(parser, abstract)) {
        bool shallow = parser_enter(parser);
        parser_next(parser);
        if (shallow) parse_parts(parser, abstract, declarator, parts);
        parser_expect(parser, TOK_RPAREN, "declarator");
    } else if (abstract == ABSTRACT_NO) {
        if (parser_at(parser, TOK_IDENT))
            syntax_error(parser, "expected a name to declare, found keyword '%s'",
                         parser->token.ident->text);
        else
            syntax_error(parser, "expected a name to declare");
    }
}

// A star with its qualifiers and attributes. An alignment is the pointer's, which cannot be packed;
// other attributes are about what is declared.
static DeclaratorPart *parse_pointer_part(Parser *parser, Declarator *declarator) {
    DeclaratorPart *part = new_part(parser, PART_POINTER);
    Attributes *attributes = declarator->attributes;
    uint32_t align = attributes->align;
    bool packed = attributes->packed;
    attributes->align = 0;
    parser_next(parser);
    part->quals = parse_qualifiers(parser, attributes, &declarator->has_attributes);
    part->align = attributes->align;
    attributes->align = align;
    attributes->packed = packed;
    return part;
}

static void parse_parts(Parser *parser, Abstract abstract, Declarator *declarator,
                        DeclaratorParts *parts) {
    DeclaratorPart *pointers = NULL, *last_pointer = NULL;
    if (parser_at_keyword(parser, KW_ATTRIBUTE)) {
        declarator->has_attributes = true;
        parse_attributes(parser, declarator->attributes);
    }
    while (parser_at(parser, TOK_STAR)) {
        DeclaratorPart *part = parse_pointer_part(parser, declarator);
        part->next = pointers;
        if (!pointers) last_pointer = part;
        pointers = part;
    }
    parse_declared_name(parser, abstract, declarator, parts);
    while (!parser->panic) {
        DeclaratorPart *part;
        if (parser_at(parser, TOK_LBRACKET) && !at_standard_attribute(parser))
            part = parse_array_part(parser);
        else if (parser_at(parser, TOK_LPAREN))
            part = parse_function_part(parser);
        else
            break;
        append(parts, part, part);
    }
    append(parts, pointers, last_pointer);
}

// Keeps what a function definition needs from the part nearest to the name.
static void note_function(const DeclaratorPart *part, Declarator *declarator) {
    if (!part || part->kind != PART_FUNCTION) return;
    declarator->function = true;
    declarator->identifiers = part->identifiers;
    declarator->params = part->decls;
    declarator->param_count = part->param_count;
    declarator->sized = part->sized.at;
    declarator->sized_count = part->sized.count;
    declarator->tags = part->tags;
    declarator->others = part->others;
}

// The parts, turned around: farthest from the name first.
static DeclaratorPart *reverse(DeclaratorPart *part) {
    DeclaratorPart *done = NULL;
    while (part) {
        DeclaratorPart *next = part->next;
        part->next = done;
        done = part;
        part = next;
    }
    return done;
}

static CType *apply_pointer(Parser *parser, const DeclaratorPart *part, CType *type) {
    if (type->kind == CT_ERROR) return type; // later uses are no further mistakes
    CType *pointer = type_pointer(parser->types, type);
    if (part->align) pointer = type_aligned(parser->types, pointer, part->align);
    return type_qualify(parser->types, pointer, part->quals);
}

void parse_declarator(Parser *parser, CType *base, Abstract abstract, Attributes *attributes,
                      Declarator *declarator) {
    *declarator = (Declarator){.type = base, .attributes = attributes};
    DeclaratorParts parts = {0};
    parse_parts(parser, abstract, declarator, &parts);
    note_function(parts.first, declarator);
    for (DeclaratorPart *part = reverse(parts.first); part; part = part->next) {
        CType *type = declarator->type;
        bool nearest = !part->next;
        if (part->kind == PART_ARRAY && part->within && !(nearest && abstract == ABSTRACT_MAYBE))
            parser_error(parser, part->pos, part->end,
                         "'static' and qualifiers in [] are for parameters only");
        switch (part->kind) {
        case PART_POINTER: declarator->type = apply_pointer(parser, part, type); break;
        case PART_ARRAY: declarator->type = apply_array(parser, part, type, declarator); break;
        case PART_FUNCTION:
            declarator->type = apply_function(parser, part, type, declarator);
            break;
        }
        // A parameter that is an array is a pointer with the qualifiers inside [ ].
        if (nearest && abstract == ABSTRACT_MAYBE && declarator->type->kind == CT_ARRAY &&
            part->kind == PART_ARRAY && part->within) {
            declarator->array = declarator->type;
            declarator->type = adjust_parameter(parser, declarator->type, part->quals);
        }
    }
}

// ---- Attributes that change a type

static CType *apply_mode(Parser *parser, CType *type, CType *mode, Pos pos) {
    CType **basic = parser->types->basic;
    if (mode->kind == CT_UNSUPPORTED) return mode;
    if (type_is_integer(type) && type_is_integer(mode)) {
        unsigned kind = mode->kind + (type_is_unsigned(type) ? 1u : 0u);
        return type_qualify(parser->types, basic[kind], type->quals);
    }
    if ((type_is_floating(type) && type_is_floating(mode)) ||
        (type_is_complex(type) && type_is_complex(mode)))
        return type_qualify(parser->types, mode, type->quals);
    if (type->kind == CT_POINTER && mode->size == 8) return type;
    if (type->kind != CT_ERROR && type->kind != CT_UNSUPPORTED)
        parser_error(parser, pos, pos + 1, "this mode does not fit type %s",
                     type_text(parser, type));
    return type;
}

// noreturn belongs to a function, or to the functions that a pointer leads to; the call is through
// the type of the pointer.
static CType *apply_noreturn(Parser *parser, CType *type, Pos pos) {
    Types *types = parser->types;
    if (type->kind == CT_FUNC) return type_noreturn(types, type);
    if (type->kind != CT_POINTER || type->base->kind != CT_FUNC) {
        if (type->kind != CT_ERROR)
            parser_warn(parser, WARN_ATTRIBUTES, pos, pos + 1,
                        "'noreturn' ignored: %s is no function, nor a pointer to one",
                        type_text(parser, type));
        return type;
    }
    CType *pointer = type_pointer(types, type_noreturn(types, type->base));
    if (type->align != pointer->align) pointer = type_aligned(types, pointer, type->align);
    return type_qualify(types, pointer, type->quals);
}

CType *apply_type_attributes(Parser *parser, CType *type, const Attributes *attributes, Pos pos) {
    if (attributes->mode) type = apply_mode(parser, type, attributes->mode, pos);
    if (attributes->noreturn) type = apply_noreturn(parser, type, pos);
    if (attributes->vector_size)
        type = type_unsupported(parser->types, "vector", attributes->vector_size,
                                attributes->vector_size);
    return type;
}
