// Expressions from the grammar: primary and postfix expressions, unary operators and casts, binary
// operators by precedence climbing, conditional, assignment and comma. operate.c has the meaning of
// operators. Long chains of binary operators are parsed in loops; only nesting recurses.
#include "c/parse/set_aside.h"
#include "c/parse/warn.h"

#include <string.h>

// ---- Nodes and their places

Expr *expr_new(Parser *parser, ExprKind kind, CType *type, const Expr *from) {
    Expr *expr = ARENA_NEW(parser->body_arena, Expr);
    expr->kind = (uint8_t)kind;
    expr->type = type;
    expr->pos = from->pos;
    expr->end = from->end;
    expr->at = from->at;
    return expr;
}

Expr *expr_error(Parser *parser, const Expr *from) {
    return expr_new(parser, EX_ERROR, parser->types->basic[CT_ERROR], from);
}

Expr expr_at_token(const Token *token) {
    return (Expr){.pos = token->pos, .end = token->pos + token->length};
}

void expr_extend(Expr *expr, const Expr *over) {
    if (over->end) expr->end = over->end;
}

// Extends an expression over the token just consumed.
static void extend_to_last(const Parser *parser, Expr *expr) {
    expr->end = parser->last_end;
}

Expr *expr_var(Parser *parser, Decl *decl, Pos pos) {
    Expr from = {.pos = pos, .end = pos + (decl->name ? decl->name->length : 1)};
    Expr *expr = expr_new(parser, decl->kind == DECL_FUNC ? EX_FUNC : EX_VAR, decl->type, &from);
    expr->decl = decl;
    expr->lvalue = decl->kind == DECL_VAR;
    return expr;
}

// ---- Identifiers

// A name that is not declared: reported once, then known as a mistake.
static Expr *undeclared(Parser *parser, const Token *token) {
    if (token->flags & TOKF_FAILED) parser->panic = true; // reported by the preprocessor
    FunctionState *function = parser->function;
    bool told = function && token->ident->undeclared_in == function->number;
    if (told)
        parser->mistakes++;
    else
        report_undeclared(parser, token);
    if (function && !parser->panic) token->ident->undeclared_in = function->number;
    if (parser->function && !parser->panic) {
        Decl *decl = ARENA_NEW(parser->body_arena, Decl);
        decl->kind = DECL_VAR;
        decl->name = token->ident;
        decl->type = parser->types->basic[CT_ERROR];
        decl->pos = token->pos;
        decl->attributes = parser->plain;
        decl->used = true;
        scope_declare(parser, decl);
    }
    Expr at = expr_at_token(token);
    parser_next(parser);
    return expr_error(parser, &at);
}

void heed_advice(Parser *parser, const Advice *advice, const Token *token, Pos declared) {
    if (!advice) return;
    const char *colon = advice->message ? ": " : "", *message = advice->message;
    Expr at = expr_at_token(token);
    if (advice->unavailable)
        parser_error(parser, token->pos, token->pos + token->length, "'%s' is unavailable%s%s",
                     token->ident->text, colon, message ? message : "");
    else
        warn_at_value(parser, WARN_DEPRECATED, &at, "'%s' is deprecated%s%s", token->ident->text,
                      colon, message ? message : "");
    parser_note(parser, declared, "declared here");
}

static Expr *parse_identifier(Parser *parser) {
    const Token token = parser->token;
    Decl *decl = token.ident->ordinary;
    if (!decl) {
        if (parser_peek(parser, 1)->kind != TOK_LPAREN) return undeclared(parser, &token);
        report_implicit_function(parser, &token);
        decl = declare_implicitly(parser, token.ident, token.pos);
    }
    Expr at = expr_at_token(&token);
    heed_advice(parser, decl->attributes->advice, &token, decl->pos);
    if (decl->kind == DECL_TYPEDEF) {
        syntax_error(parser, "expected an expression, not the type '%s'", token.ident->text);
        parser_next(parser);
        return expr_error(parser, &at);
    }
    parser_next(parser);
    if (decl->kind == DECL_ENUMERATOR) {
        Expr *number = expr_int(parser, value_type(parser, decl->type), decl->enumerator, &at);
        if (decl->enumeration) number->origin = ORIGIN_ENUMERATOR;
        number->enumeration = decl->enumeration;
        return number;
    }
    if (set_aside_used(parser, decl, &token)) return expr_error(parser, &at);
    Expr *expr = expr_new(parser, decl->kind == DECL_FUNC ? EX_FUNC : EX_VAR, decl->type, &at);
    expr->decl = decl;
    expr->lvalue = decl->kind == DECL_VAR;
    if (decl->kind == DECL_FUNC || parser->unevaluated) decl_mark_used(decl);
    if (decl->type->kind == CT_ERROR) expr->kind = EX_ERROR;
    return expr;
}

// The characters of __func__ or one of its kin: the same object throughout a function.
static CString *function_name(FunctionState *function, Arena *arena, CString *fresh) {
    for (uint32_t i = 0; function && i < function->names.count; i++)
        if (function->names.at[i]->object == fresh->object) return function->names.at[i];
    if (function) vec_push(arena, &function->names, fresh);
    return fresh;
}

static Expr *parse_function_name(Parser *parser) {
    Expr at = expr_at_token(&parser->token);
    const char *name = "", *object = parser->token.ident->text;
    if (parser->function)
        name = parser->function->decl->name->text;
    else
        parser_warn(parser, WARN_PEDANTIC, at.pos, at.end,
                    "'%s' is not defined outside of functions", object);
    parser_next(parser);
    Expr *expr = expr_string(parser, name, strlen(name), &at);
    expr->string->object = object;
    expr->string = function_name(parser->function, parser->body_arena, expr->string);
    expr->type = type_qualify(parser->types, expr->type, Q_CONST);
    return expr;
}

// ---- Types inside of expressions

bool at_parenthesized_type(Parser *parser) {
    return parser_at(parser, TOK_LPAREN) && starts_type(parser, parser_peek(parser, 1));
}

// ( type-name ), with both parentheses
static CType *parse_parenthesized_type(Parser *parser) {
    parser_next(parser);
    CType *type = parse_type_name(parser);
    parser_expect(parser, TOK_RPAREN, "the type");
    return type;
}

Expr *after_sizes(Parser *parser, Stmt *sizes, Expr *expr) {
    if (!sizes) return expr;
    Stmt *body = stmt_new(parser, ST_COMPOUND, expr->pos);
    Stmt *last = stmt_new(parser, ST_EXPR, expr->pos);
    last->expr = expr_value(parser, expr);
    body->first = sizes;
    while (sizes->next) sizes = sizes->next;
    sizes->next = last;
    body->last = last;
    Expr *made = expr_new(parser, EX_STATEMENT, last->expr->type, expr);
    made->body = body;
    if (parser->function) parser->function->has_statement_exprs = true;
    return made;
}

Stmt *sizes_of(Parser *parser, CType *type) {
    return type->variable && parser->function ? variable_sizes(parser, type) : NULL;
}

Expr *expr_sizeof_type(Parser *parser, CType *type, const Expr *from) {
    Types *types = parser->types;
    if (type->kind == CT_ERROR) return expr_error(parser, from);
    if (type->kind == CT_VOID || type->kind == CT_FUNC) {
        if (parser->options->pedantic)
            warn_at_expr(parser, WARN_POINTER_ARITH, from, "sizeof applied to %s type",
                         type->kind == CT_VOID ? "void" : "a function");
        return expr_int(parser, types->size, 1, from);
    }
    if (!type->complete) {
        error_at_expr(parser, from, "the size of the incomplete type %s is not known",
                      type_text(parser, type));
        return expr_error(parser, from);
    }
    if (!type_has_variable_size(type)) return expr_int(parser, types->size, type->size, from);
    Expr *expr = expr_new(parser, EX_SIZEOF_VLA, types->size, from);
    expr->of = type;
    return expr;
}

static bool names_bitfield(const Expr *expr) {
    return expr->kind == EX_MEMBER && expr->member->bitfield;
}

static Expr *parse_compound_literal(Parser *parser, CType *type, const Expr *from);
static Expr *parse_postfix_of(Parser *parser, Expr *expr);

static Expr *parse_unevaluated(Parser *parser) {
    parser->unevaluated++;
    Expr *expr = parse_cast(parser);
    parser->unevaluated--;
    return expr;
}

// The operand of sizeof or _Alignof: a type in parentheses, or an expression (*expr is set).
static CType *parse_type_operand(Parser *parser, Expr **expr) {
    *expr = NULL;
    if (!at_parenthesized_type(parser)) {
        *expr = parse_unevaluated(parser);
        return type_meant(parser->types, (*expr)->type);
    }
    Expr from = expr_at_token(&parser->token);
    CType *type = parse_parenthesized_type(parser);
    if (!parser_at(parser, TOK_LBRACE)) return type;
    parser->unevaluated++;
    *expr = parse_postfix_of(parser, parse_compound_literal(parser, type, &from));
    parser->unevaluated--;
    return (*expr)->type;
}

// Remembers the type and operand of a size, for warnings.
static void note_sizeof(Parser *parser, Expr *size, const CType *type, const Expr *operand) {
    SizeofOperand *of = ARENA_NEW(parser->body_arena, SizeofOperand);
    *of = (SizeofOperand){.type = type, .expr = operand};
    size->origin = ORIGIN_SIZEOF;
    size->size_of = of;
    if (!operand || operand->kind != EX_VAR || !operand->decl->array_parameter) return;
    parser_warn(parser, WARN_SIZEOF_ARRAY_ARGUMENT, size->pos, size->end,
                "'sizeof' on array function parameter '%s' will return size of %s",
                operand->decl->name->text, type_text(parser, type));
    parser_note(parser, operand->decl->pos, "declared here");
}

static Expr *parse_sizeof(Parser *parser) {
    Expr from = expr_at_token(&parser->token);
    parser_next(parser);
    if (starts_type(parser, &parser->token)) {
        syntax_error(parser, "a type behind 'sizeof' must stand in parentheses");
        return expr_error(parser, &from);
    }
    Expr *operand;
    CType *type = parse_type_operand(parser, &operand);
    extend_to_last(parser, &from);
    if (operand && names_bitfield(operand)) {
        error_at_expr(parser, operand, "sizeof cannot be applied to a bit-field");
        return expr_error(parser, &from);
    }
    if (operand) mark_read(operand);
    Expr *size = expr_sizeof_type(parser, type, &from);
    if (size->kind == EX_INT) note_sizeof(parser, size, type, operand);
    if (size->kind != EX_SIZEOF_VLA) return size;
    // An operand of variable size is evaluated: a[i++] in sizeof a[i++] counts.
    if (!operand) return after_sizes(parser, sizes_of(parser, type), size);
    if (operand->kind == EX_VAR || operand->kind == EX_ERROR) return size;
    Expr *address = expr_value(parser, operand);
    address = make_cast(parser, CAST_VOID, address, parser->types->basic[CT_VOID]);
    return expr_comma(parser, address, size);
}

static uint32_t alignment_of(const Expr *expr, const CType *type) {
    uint32_t align = type->align;
    if (expr->kind == EX_VAR || expr->kind == EX_FUNC) {
        if (expr->decl->attributes->align) align = expr->decl->attributes->align;
    } else if (expr->kind == EX_MEMBER && expr->member->align) {
        align = expr->member->align;
    }
    return align ? align : 1;
}

static Expr *parse_alignof(Parser *parser) {
    Expr from = expr_at_token(&parser->token);
    parser_next(parser);
    Expr *operand;
    CType *type = parse_type_operand(parser, &operand);
    extend_to_last(parser, &from);
    if (type->kind == CT_ERROR) return expr_error(parser, &from);
    if (operand && names_bitfield(operand)) {
        error_at_expr(parser, operand, "_Alignof cannot be applied to a bit-field");
        return expr_error(parser, &from);
    }
    if (!operand && !type->complete && type->kind != CT_VOID && type->kind != CT_FUNC &&
        type->kind != CT_ARRAY) {
        error_at_expr(parser, &from, "the alignment of the incomplete type %s is not known",
                      type_text(parser, type));
        return expr_error(parser, &from);
    }
    uint32_t align = operand ? alignment_of(operand, type) : type->align ? type->align : 1;
    return expr_int(parser, parser->types->size, align, &from);
}

// ---- Compound literals, statement expressions, _Generic

// Lets the sizes of a variably modified type be computed before the values of an initializer: with
// the first of them, or with a zero where nothing else is.
static void init_after_sizes(Parser *parser, Stmt *sizes, Init *init, const Expr *from) {
    if (!sizes) return;
    CType *byte = parser->types->basic[CT_CHAR];
    InitPiece zero = {.type = byte, .value = expr_int(parser, byte, 0, from)};
    uint32_t count = init->count ? init->count : 1;
    InitPiece *pieces = ARENA_ARRAY(parser->body_arena, InitPiece, count);
    memcpy(pieces, init->count ? init->pieces : &zero, count * sizeof *pieces);
    pieces->value = after_sizes(parser, sizes, pieces->value);
    init->pieces = pieces;
    init->count = count;
}

static Expr *parse_compound_literal(Parser *parser, CType *type, const Expr *from) {
    bool is_static = !parser->function;
    if (!type->complete && type->kind != CT_ARRAY && type->kind != CT_ERROR) {
        error_at_expr(parser, from, "a compound literal cannot have the incomplete type %s",
                      type_text(parser, type));
        type = parser->types->basic[CT_ERROR];
    } else if (type_has_variable_size(type)) {
        error_at_expr(parser, from, "a compound literal cannot have the variable size of type %s",
                      type_text(parser, type));
        type = parser->types->basic[CT_ERROR];
    }
    Stmt *sizes = sizes_of(parser, type);
    Init *init = parse_initializer(parser, &type, is_static);
    if (type->kind == CT_ERROR) return expr_error(parser, from);
    init_after_sizes(parser, sizes, init, from);
    Decl *decl = hidden_variable(parser, type, is_static);
    decl->init = init;
    decl->used = true;
    Expr *expr = expr_new(parser, EX_COMPOUND, type, from);
    expr->decl = decl;
    expr->lvalue = true;
    extend_to_last(parser, expr);
    return expr;
}

static Expr *parse_statement_expression(Parser *parser) {
    Expr from = expr_at_token(&parser->token);
    parser_next(parser);
    if (!parser->function) {
        error_at_expr(parser, &from, "a statement expression can stand only inside of a function");
        parser->panic = true;
        return expr_error(parser, &from);
    }
    warn_at_expr(parser, WARN_PEDANTIC, &from, "ISO C forbids statement expressions");
    parser->function->has_statement_exprs = true;
    Scope scope;
    uint32_t mistakes = parser->mistakes;
    Stmt *body = parse_statement_expression_body(parser, &scope);
    parser_expect(parser, TOK_RPAREN, "the statement expression");
    CType *type = parser->types->basic[mistakes == parser->mistakes ? CT_VOID : CT_ERROR];
    if (body->last && body->last->kind == ST_EXPR) {
        body->last->expr = expr_as_meant(parser, body->last->expr);
        type = body->last->expr->type;
    }
    Expr *expr = expr_new(parser, EX_STATEMENT, type, &from);
    expr->body = body;
    expr->parenthesized = true;
    extend_to_last(parser, expr);
    return expr;
}

typedef struct {
    CType *control;
    Expr *chosen, *fallback;
    bool has_default;
} Selection;

// One association of _Generic. Associations that are not chosen are parsed but do not count.
static void parse_association(Parser *parser, Selection *selection) {
    bool is_default = parser_at_keyword(parser, KW_DEFAULT);
    bool matches = false;
    if (is_default) {
        if (selection->has_default) error_at_token(parser, "_Generic has two default associations");
        selection->has_default = true;
        parser_next(parser);
    } else {
        Token at = parser->token;
        CType *type = parse_type_name(parser);
        matches = type->kind != CT_ERROR && type_compatible(selection->control, type);
        if (matches && selection->chosen) {
            parser_error(parser, at.pos, at.pos + at.length,
                         "two associations of _Generic are compatible with %s",
                         type_text(parser, selection->control));
            matches = false;
        }
    }
    parser_expect(parser, TOK_COLON, "the type of an association");
    bool counts = matches || (is_default && !selection->chosen);
    Expr *expr = counts ? parse_assignment(parser) : parse_discarded(parser);
    if (matches) selection->chosen = expr;
    if (is_default) selection->fallback = expr;
}

static Expr *parse_generic(Parser *parser) {
    Expr from = expr_at_token(&parser->token);
    parser_next(parser);
    if (!parser_expect(parser, TOK_LPAREN, "_Generic")) return expr_error(parser, &from);
    parser->unevaluated++;
    Expr *control = expr_value(parser, parse_assignment(parser));
    parser->unevaluated--;
    CType *type = type_meant(parser->types, value_type(parser, control->type));
    Selection selection = {.control = type};
    if (control->type->kind == CT_ERROR) selection.chosen = control;
    while (!parser->panic && parser_accept(parser, TOK_COMMA))
        parse_association(parser, &selection);
    parser_expect(parser, TOK_RPAREN, "the associations of _Generic");
    Expr *result = selection.chosen ? selection.chosen : selection.fallback;
    if (result) return result;
    if (!parser->panic)
        error_at_expr(parser, control, "no association of _Generic is compatible with %s",
                      type_text(parser, control->type));
    return expr_error(parser, &from);
}

// ---- Primary expressions

static Expr *parse_parenthesized(Parser *parser) {
    if (parser_peek(parser, 1)->kind == TOK_LBRACE) return parse_statement_expression(parser);
    Expr from = expr_at_token(&parser->token);
    parser_next(parser);
    Expr *expr = parse_expression(parser);
    parser_expect(parser, TOK_RPAREN, "the expression");
    // An unknown name before an operand was meant as the type of a cast.
    if (is_error(expr) && parser->token.kind >= TOK_IDENT && parser->token.kind <= TOK_STRING)
        parser->panic = true;
    // An expression that a macro puts into parentheses is a value of the macro, even if the
    // operands come from its caller.
    expr->parenthesized = true;
    expr->pos = from.pos;
    expr->end = from.end;
    extend_to_last(parser, expr);
    return expr;
}

// => and =< where >= and <= are meant.
static bool is_reversed_comparison(Parser *parser) {
    const Token *token = &parser->token;
    if ((token->kind != TOK_LT && token->kind != TOK_GT) || is_expanded(token->pos)) return false;
    const Inclusion *in = pp_inclusion(parser->pp, token->pos);
    uint32_t offset = in ? pp_spelling(parser->pp, token->pos) - in->start : 0;
    return parser->last_end == token->pos && offset > 1 && in->file->text[offset - 1] == '=' &&
           in->file->text[offset - 2] == ' ';
}

static Expr *not_an_expression(Parser *parser) {
    Expr at = expr_at_token(&parser->token);
    size_t length;
    const char *text = token_spelling(parser->pp, &parser->token, &length);
    if (parser_at(parser, TOK_EOF))
        syntax_error(parser, "expected an expression before the end");
    else if (is_reversed_comparison(parser))
        syntax_error(parser, "'=%s' is not an operator; did you mean '%s='?", text, text);
    else if (!parser_stray(parser))
        syntax_error(parser, "expected an expression before '%.*s'", (int)length, text);
    return expr_error(parser, &at);
}

static Expr *as_written(Expr *expr, Written written) {
    expr->written = (uint8_t)written;
    return expr;
}

static Expr *parse_primary(Parser *parser) {
    switch (parser->token.kind) {
    case TOK_IDENT: {
        const Ident *ident = parser->token.ident;
        if (ident->keyword) {
            if (ident->keyword == KW_FUNC || ident->keyword == KW_PRETTY_FUNCTION)
                return parse_function_name(parser);
            if (ident->keyword == KW_GENERIC) return parse_generic(parser);
            return not_an_expression(parser);
        }
        if (is_builtin_name(ident)) return parse_builtin(parser);
        return parse_identifier(parser);
    }
    case TOK_NUMBER: return as_written(parse_number(parser), WRITTEN_NUMBER);
    case TOK_CHAR: return as_written(parse_character(parser), WRITTEN_NUMBER);
    case TOK_STRING: return parse_string_literal(parser);
    case TOK_LPAREN: return parse_parenthesized(parser);
    default: return not_an_expression(parser);
    }
}

// ---- Postfix expressions

// Whether scalars of this type, or of the elements of an array, can be stored in the reverse order
// of bytes.
static bool can_reverse(const CType *type) {
    while (type->kind == CT_ARRAY || type->kind == CT_COMPLEX) type = type->base;
    return type->kind != CT_LDOUBLE && !(type->quals & Q_ATOMIC);
}

bool check_reversed(Parser *parser, const CType *type, const Expr *at) {
    if (can_reverse(type) || parser->unevaluated) return true;
    error_at_expr(parser, at, "the reverse storage order of a member of type %s is not supported",
                  type_text(parser, type));
    return false;
}

static Expr *make_member(Parser *parser, Expr *record, const Member *member, uint64_t offset,
                         const Expr *from) {
    unsigned quals = record->type->quals & (Q_CONST | Q_VOLATILE);
    CType *type = quals ? type_qualify(parser->types, member->type, quals) : member->type;
    Expr *expr = expr_new(parser, EX_MEMBER, type, from);
    expr->left = record;
    expr->member = member;
    expr->member_offset = offset;
    expr->lvalue = record->lvalue;
    expr->reversed = member->reversed;
    if (expr->reversed) check_reversed(parser, type, from);
    if (!expr->lvalue && type->kind != CT_ARRAY) expr->type = value_type(parser, type);
    return expr;
}

// Where offsets are known at run time, the anonymous members on the way to a name are members of
// the tree, too.
static Expr *enter_anonymous(Parser *parser, Expr *record, const Ident *name) {
    const Record *in = record->type->record;
    if (!record->type->variable) return record;
    for (uint32_t i = 0; i < in->members.count; i++)
        if (in->members.at[i].name == name) return record;
    for (uint32_t i = 0; i < in->members.count; i++) {
        const Member *member = &in->members.at[i];
        uint64_t offset;
        if (member->name || member->bitfield || !type_is_record(member->type)) continue;
        if (!type_find_member(member->type, name, &offset)) continue;
        record = make_member(parser, record, member, member->offset, record);
        return enter_anonymous(parser, record, name);
    }
    return record;
}

Expr *expr_member(Parser *parser, Expr *record, const Token *at) {
    Expr span = *record;
    Expr name = expr_at_token(at);
    expr_extend(&span, &name);
    CType *type = record->type;
    if (is_error(record)) return expr_error(parser, &span);
    if (!type->complete) {
        error_at_expr(parser, record, "the type %s is incomplete: its members are not known",
                      type_text(parser, type));
        return expr_error(parser, &span);
    }
    uint64_t offset = 0;
    if (type->variable) {
        record = enter_anonymous(parser, record, at->ident);
        type = record->type;
    }
    const Member *member = type_find_member(type, at->ident, &offset);
    if (!member) {
        report_no_member(parser, type, at);
        return expr_error(parser, &span);
    }
    heed_advice(parser, member->advice, at, member->pos);
    return make_member(parser, record, member, offset, &span);
}

// . or -> and a name; the wrong one of the two is reported and taken for the other.
static Expr *parse_member(Parser *parser, Expr *left) {
    Token op = parser->token;
    bool arrow = op.kind == TOK_ARROW;
    parser_next(parser);
    if (!parser_at(parser, TOK_IDENT)) {
        syntax_error(parser, "expected the name of a member after '%s'", arrow ? "->" : ".");
        return expr_error(parser, left);
    }
    Token name = parser->token;
    parser_next(parser);
    if (is_error(left)) return left;
    if (arrow && !type_is_record(left->type)) left = expr_value(parser, left);
    if (is_error(left)) return left;
    bool pointer = left->type->kind == CT_POINTER && type_is_record(left->type->base);
    if (arrow ? !pointer : !type_is_record(left->type)) {
        bool swapped = arrow ? type_is_record(left->type) : pointer;
        if (swapped) parser_fix_replace(parser, op.pos, op.pos + op.length, arrow ? "." : "->");
        parser_error(parser, op.pos, op.pos + op.length,
                     swapped ? arrow ? "%s is not a pointer: use '.' to reach its member"
                                     : "%s is a pointer: use '->' to reach the member"
                     : arrow ? "%s is not a pointer to a structure or union"
                             : "%s is not a structure or union",
                     type_text(parser, left->type));
        if (!swapped) return expr_error(parser, left);
    }
    if (!arrow && pointer) left = expr_value(parser, left);
    if (pointer) left = expr_dereference(parser, left, left);
    return expr_member(parser, left, &name);
}

static Expr *parse_subscript(Parser *parser, Expr *left) {
    Token at = parser->token;
    parser_next(parser);
    Expr *index = parse_expression(parser);
    parser_expect(parser, TOK_RBRACKET, "the subscript");
    return expr_subscript(parser, left, index, &at);
}

static Expr *parse_postfix_of(Parser *parser, Expr *expr) {
    for (;;) {
        Token at = parser->token;
        switch (at.kind) {
        case TOK_LBRACKET: expr = parse_subscript(parser, expr); break;
        case TOK_LPAREN: expr = parse_call(parser, expr); break;
        case TOK_DOT:
        case TOK_ARROW: expr = parse_member(parser, expr); break;
        case TOK_INC:
        case TOK_DEC:
            parser_next(parser);
            expr = expr_step(parser, at.kind == TOK_INC ? EX_POST_INC : EX_POST_DEC, expr, &at);
            break;
        default: return expr;
        }
        if (parser->panic) return expr;
    }
}

// ---- Unary expressions and casts

static Expr *parse_label_address(Parser *parser) {
    Expr from = expr_at_token(&parser->token);
    parser_next(parser);
    if (!parser_at(parser, TOK_IDENT) || !parser->function) {
        syntax_error(parser, parser->function ? "expected a label after '&&'"
                                              : "labels exist only inside of functions");
        return expr_error(parser, &from);
    }
    LabelDecl *label = find_label(parser, parser->token.ident, parser->token.pos);
    label->used = true;
    if (!label->address_taken) parser->function->label_addresses++;
    label->address_taken = true;
    parser_next(parser);
    Expr *expr = expr_new(parser, EX_LABEL, parser->types->void_pointer, &from);
    expr->label = label;
    extend_to_last(parser, expr);
    return expr;
}

// No warning about extensions applies to an expression that is marked with __extension__.
static Expr *parse_extension(Parser *parser) {
    parser_next(parser);
    parser->extensions++;
    Expr *expr = parse_cast(parser);
    parser->extensions--;
    return expr;
}

static Expr *parse_unary(Parser *parser) {
    Token at = parser->token;
    switch (at.kind) {
    case TOK_INC:
    case TOK_DEC: {
        parser_next(parser);
        Expr *operand = parse_cast(parser);
        return expr_step(parser, at.kind == TOK_INC ? EX_PRE_INC : EX_PRE_DEC, operand, &at);
    }
    case TOK_AMP:
    case TOK_STAR:
    case TOK_PLUS:
    case TOK_MINUS:
    case TOK_TILDE:
    case TOK_NOT: {
        parser_next(parser);
        Expr *operand = parse_cast(parser);
        return as_written(expr_unary(parser, at.kind, operand, &at),
                          at.kind == TOK_NOT ? WRITTEN_NOT : WRITTEN_OTHER);
    }
    case TOK_ANDAND: return parse_label_address(parser);
    case TOK_IDENT:
        switch (at.ident->keyword) {
        case KW_SIZEOF: return parse_sizeof(parser);
        case KW_ALIGNOF: return parse_alignof(parser);
        case KW_EXTENSION: return parse_extension(parser);
        case KW_REAL:
        case KW_IMAG: return parse_complex_part(parser, at.ident->keyword == KW_IMAG);
        default: break;
        }
        break;
    default: break;
    }
    return parse_postfix_of(parser, parse_primary(parser));
}

static Expr *parse_typed(Parser *parser) {
    Expr from = expr_at_token(&parser->token);
    CType *type = parse_parenthesized_type(parser);
    if (parser_at(parser, TOK_LBRACE))
        return parse_postfix_of(parser, parse_compound_literal(parser, type, &from));
    Stmt *sizes = sizes_of(parser, type);
    Expr *operand = expr_value(parser, parse_cast(parser));
    if (!is_error(operand)) warn_cast(parser, operand, type, from.pos);
    Expr *expr = expr_cast(parser, operand, type);
    expr->parenthesized = true;
    expr->written = WRITTEN_CAST;
    if (expr->kind == EX_INT) expr->origin = ORIGIN_NONE;
    expr->pos = from.pos;
    return after_sizes(parser, sizes, expr);
}

Expr *parse_cast(Parser *parser) {
    if (!parser_enter(parser)) {
        Expr at = expr_at_token(&parser->token);
        return expr_error(parser, &at);
    }
    Expr *expr = at_parenthesized_type(parser) ? parse_typed(parser) : parse_unary(parser);
    return expr;
}

// ---- Binary operators

enum { PREC_NONE, PREC_OR, PREC_AND };

typedef struct {
    uint8_t precedence; // 0: no binary operator
    uint8_t op;         // BinaryOp
} Infix;

static const Infix infix[TOK_COUNT] = {
    [TOK_OROR] = {PREC_OR, 0},  [TOK_ANDAND] = {PREC_AND, 0}, [TOK_PIPE] = {3, BIN_OR},
    [TOK_CARET] = {4, BIN_XOR}, [TOK_AMP] = {5, BIN_AND},     [TOK_EQ] = {6, BIN_EQ},
    [TOK_NE] = {6, BIN_NE},     [TOK_LT] = {7, BIN_LT},       [TOK_GT] = {7, BIN_GT},
    [TOK_LE] = {7, BIN_LE},     [TOK_GE] = {7, BIN_GE},       [TOK_SHL] = {8, BIN_SHL},
    [TOK_SHR] = {8, BIN_SHR},   [TOK_PLUS] = {9, BIN_ADD},    [TOK_MINUS] = {9, BIN_SUB},
    [TOK_STAR] = {10, BIN_MUL}, [TOK_SLASH] = {10, BIN_DIV},  [TOK_PERCENT] = {10, BIN_MOD},
};

// The operators from `minimum` precedence up that follow a left operand.
static Expr *parse_infix(Parser *parser, Expr *left, unsigned minimum) {
    for (;;) {
        Infix row = infix[parser->token.kind];
        if (row.precedence == PREC_NONE || row.precedence < minimum || parser->panic) return left;
        Token at = parser->token;
        parser_next(parser);
        bool truth, logical = row.precedence <= PREC_AND;
        bool dead = logical && constant_truth(left, &truth) && truth == (row.precedence == PREC_OR);
        parser->dead += dead;
        Expr *right = parse_cast(parser);
        if (infix[parser->token.kind].precedence > row.precedence)
            right = parse_infix(parser, right, row.precedence + 1u);
        parser->dead -= dead;
        if (logical)
            left =
                expr_logical(parser, row.precedence == PREC_OR ? EX_OR : EX_AND, left, right, &at);
        else
            left = expr_binary(parser, row.op, left, right, &at);
        left = as_written(left, !logical                    ? (Written)(WRITTEN_BINARY + row.op)
                                : row.precedence == PREC_OR ? WRITTEN_LOGICAL_OR
                                                            : WRITTEN_LOGICAL_AND);
    }
}

// ---- Conditional, assignment, comma

static Expr *parse_conditional_rest(Parser *parser, Expr *condition) {
    if (!parser_enter(parser)) {
        return expr_error(parser, condition);
    }
    Token at = parser->token;
    parser_next(parser);
    bool truth = false, known = constant_truth(condition, &truth);
    Expr *middle = NULL;
    if (!parser_at(parser, TOK_COLON)) {
        parser->dead += known && !truth;
        middle = parse_expression(parser);
        parser->dead -= known && !truth;
    }
    Pos colon = parser->token.pos;
    parser_expect(parser, TOK_COLON, "the second operand of '?'");
    parser->dead += known && truth;
    Expr *right = parser->panic ? expr_error(parser, condition) : parse_conditional(parser);
    parser->dead -= known && truth;
    Expr *expr = expr_conditional(parser, condition, middle, right, &at);
    if (expr->kind == EX_COND) expr->at = colon;
    return expr;
}

Expr *parse_conditional(Parser *parser) {
    Expr *expr = parse_cast(parser);
    if (infix[parser->token.kind].precedence) expr = parse_infix(parser, expr, 1);
    if (parser_at(parser, TOK_QUESTION) && !parser->panic)
        expr = parse_conditional_rest(parser, expr);
    return expr;
}

Expr *parse_constant(Parser *parser) {
    parser->folds_now++;
    Expr *expr = parse_conditional(parser);
    parser->folds_now--;
    return expr;
}

// The operator of a compound assignment; BIN_COUNT for a token that is none.
static BinaryOp assignment_operator(TokenKind kind) {
    switch (kind) {
    case TOK_MUL_ASSIGN: return BIN_MUL;
    case TOK_DIV_ASSIGN: return BIN_DIV;
    case TOK_MOD_ASSIGN: return BIN_MOD;
    case TOK_ADD_ASSIGN: return BIN_ADD;
    case TOK_SUB_ASSIGN: return BIN_SUB;
    case TOK_SHL_ASSIGN: return BIN_SHL;
    case TOK_SHR_ASSIGN: return BIN_SHR;
    case TOK_AND_ASSIGN: return BIN_AND;
    case TOK_XOR_ASSIGN: return BIN_XOR;
    case TOK_OR_ASSIGN: return BIN_OR;
    default: return BIN_COUNT;
    }
}

Expr *parse_assignment(Parser *parser) {
    Expr *left = parse_conditional(parser);
    TokenKind kind = parser->token.kind;
    if (kind < TOK_ASSIGN || kind > TOK_OR_ASSIGN || parser->panic) return left;
    if (!parser_enter(parser)) {
        return expr_error(parser, left);
    }
    Token at = parser->token;
    parser_next(parser);
    Expr *right = parse_assignment(parser);
    BinaryOp op = assignment_operator(kind);
    if (op != BIN_COUNT) return expr_assign_op(parser, op, left, right, &at);
    return expr_assign(parser, left, right, &at);
}

Expr *parse_expression(Parser *parser) {
    Expr *expr = parse_assignment(parser);
    while (parser_at(parser, TOK_COMMA) && !parser->panic) {
        parser_next(parser);
        Expr *right = parse_assignment(parser);
        expr = expr_comma(parser, expr, right);
    }
    return expr;
}
