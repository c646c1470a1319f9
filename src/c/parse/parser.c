// The frame of the parser: tokens with lookahead, diagnostics, scopes, and the translation unit.
//
// Scopes cost nothing to look up: an identifier holds its innermost declaration directly, and
// leaving a scope puts back what each of its declarations had hidden.
#include "base/deep_stack.h"
#include "c/parse/declare.h"
#include "c/parse/recover.h"
#include "c/parse/set_aside.h"
#include "c/parse/units_parse.h"
#include "c/parse/warn.h"
#include "message/message.h"

#include <string.h>

enum { LONG_TYPE = 400 }; // characters of a type's text that a message shows

// ---- Tokens

static void fetch(Parser *parser, Token *token) {
    if (parser->ahead_at < parser->ahead.count) {
        *token = parser->ahead.at[parser->ahead_at++];
        if (parser->ahead_at == parser->ahead.count) {
            vec_clear(&parser->ahead);
            parser->ahead_at = 0;
        }
        return;
    }
    pp_next(parser->pp, token);
}

void parser_next(Parser *parser) {
    if (parser->unit) unit_token(parser);
    parser->last_end = parser->token.pos + parser->token.length;
    fetch(parser, &parser->token);
    while (parser->token.kind == TOK_PRAGMA) {
        Token pragma = parser->token;
        fetch(parser, &parser->token);
        apply_pragma(parser, &pragma);
    }
}

const Token *parser_peek(Parser *parser, uint32_t n) {
    for (uint32_t i = parser->ahead_at;; i++) {
        while (i >= parser->ahead.count) {
            Token token;
            pp_next(parser->pp, &token);
            vec_push(parser->arena, &parser->ahead, token);
        }
        const Token *token = &parser->ahead.at[i];
        if (token->kind == TOK_EOF) return token;
        if (token->kind != TOK_PRAGMA && --n == 0) return token;
    }
}

bool parser_at_keyword(const Parser *parser, unsigned keyword) {
    return parser->token.kind == TOK_IDENT && parser->token.ident->keyword == keyword;
}

bool parser_accept(Parser *parser, TokenKind kind) {
    if (parser->token.kind != kind) return false;
    parser_next(parser);
    return true;
}

bool parser_stray(Parser *parser) {
    const Token *token = &parser->token;
    if (token->kind != TOK_OTHER) return false;
    parser->mistakes++;
    if (!is_unterminated(token))
        error_at_token(parser, "stray '%.*s' in the program", (int)token->length, token->spelling);
    parser->panic = true;
    return true;
}

bool parser_expect(Parser *parser, TokenKind kind, const char *after) {
    if (parser->panic) return false; // parser_recover finds a likely meaning
    if (parser_accept(parser, kind)) return true;
    if (parser_stray(parser)) return false;
    // A ';' that a macro has too many does not end what is in parentheses.
    if (kind == TOK_RPAREN && parser_at(parser, TOK_SEMI) &&
        parser_peek(parser, 1)->kind == TOK_RPAREN) {
        error_at_token(parser, "unexpected ';' before ')'");
        parser_next(parser);
        parser_next(parser);
        return true;
    }
    Pos pos = parser->last_end;
    if (kind == TOK_SEMI || kind == TOK_RPAREN || kind == TOK_RBRACKET)
        parser_fix_insert(parser, pos, punctuator_text(kind));
    parser_error(parser, pos, pos + 1, "expected '%s' after %s", punctuator_text(kind), after);
    parser->panic = true;
    return false;
}

bool parser_enter(Parser *parser) {
    if (!stack_is_low(parser->stack_floor)) return true;
    syntax_error(parser, "the program is nested too deeply here");
    return false;
}

// ---- Diagnostics

static void report(Parser *parser, Severity severity, const char *option, Pos pos, Pos end,
                   const char *format, va_list args) {
    Out out = {0};
    out_vprintf(&out, format, args);
    out_char(&out, '\0');
    pp_report(parser->pp, severity, option, pos, pp_length(parser->pp, pos, end), "%s", out.text);
    out_free(&out);
}

void parser_fix_insert(Parser *parser, Pos pos, const char *text) {
    pp_fixit(parser->pp, pos, 0, text);
}

void parser_fix_replace(Parser *parser, Pos pos, Pos end, const char *text) {
    // Text that begins and ends in one expansion has a length there, but no place in a file.
    pp_fixit(parser->pp, is_expanded(end - 1) ? end - 1 : pos,
             is_expanded(pos) ? 0 : pp_length(parser->pp, pos, end), text);
}

// A report that is not made takes its changes along.
static bool dropped(Parser *parser) {
    if (parser->muted) pp_drop_fixits(parser->pp);
    return parser->muted;
}

void parser_error(Parser *parser, Pos pos, Pos end, const char *format, ...) {
    parser->mistakes++;
    va_list args;
    va_start(args, format);
    parser->muted = set_aside_mistake(parser, format, args) || parser->panic;
    if (!dropped(parser)) report(parser, DIAG_ERROR, NULL, pos, end, format, args);
    va_end(args);
}

static bool is_muted(const Parser *parser, Warning warning) {
    bool allowed =
        parser->extensions && (warning == WARN_PEDANTIC || warning == WARN_POINTER_ARITH);
    return parser->panic || parser->set_aside_for || allowed || !pp_might_warn(parser->pp, warning);
}

void parser_warn(Parser *parser, Warning warning, Pos pos, Pos end, const char *format, ...) {
    parser->muted = is_muted(parser, warning);
    if (dropped(parser)) return;
    va_list args;
    va_start(args, format);
    report(parser, DIAG_WARNING, warning_name(warning), pos, end, format, args);
    va_end(args);
}

void warn_at_value(Parser *parser, Warning warning, const Expr *value, const char *format, ...) {
    parser->muted = is_muted(parser, warning);
    if (dropped(parser)) return;
    Out out = {0};
    va_list args;
    va_start(args, format);
    out_vprintf(&out, format, args);
    va_end(args);
    out_char(&out, '\0');
    Pos pos = value->at ? value->at : value->pos;
    pp_report_value(parser->pp, warning_name(warning), pos,
                    pp_length(parser->pp, pos, value->at ? pos + 1 : value->end), "%s", out.text);
    out_free(&out);
}

void parser_note(Parser *parser, Pos pos, const char *format, ...) {
    if (dropped(parser) || !pos) return; // builtin entities have no place
    va_list args;
    va_start(args, format);
    report(parser, DIAG_NOTE, NULL, pos, pos + 1, format, args);
    va_end(args);
}

static const char *quoted_type(Parser *parser, const CType *type, const char *quote) {
    Out out = {0};
    out_text(&out, quote);
    type_print(&out, type);
    if (out.length > LONG_TYPE) {
        out.length = LONG_TYPE;
        out_text(&out, "...");
    }
    out_text(&out, quote);
    const char *text = arena_text(parser->arena, out.text, out.length);
    out_free(&out);
    return text;
}

const char *type_text(Parser *parser, const CType *type) {
    return quoted_type(parser, type, "'");
}

const char *bare_type_text(Parser *parser, const CType *type) {
    return quoted_type(parser, type, "");
}

// ---- Scopes

void scope_push(Parser *parser, Scope *scope) {
    Scope *outer = parser->scope;
    *scope = (Scope){.outer = outer, .depth = outer->depth + 1};
    if (outer->depth > 0) {
        scope->decls = outer->decls;
        scope->variables = outer->variables;
    }
    parser->scope = scope;
}

// Takes the declarations of the current block out of scope, and warns in the order of the source.
static void drop_decls(Parser *parser, Scope *scope) {
    Decl *unused = NULL; // the list is turned around
    for (Decl *decl = scope->decls, *next; decl && decl->scope_depth == scope->depth; decl = next) {
        next = decl->next_in_scope;
        decl->name->ordinary = decl->shadowed;
        if (decl->kind == DECL_TYPEDEF && !decl->used) warn_unused_typedef(parser, decl);
        if (decl->used || decl->kind != DECL_VAR) continue;
        decl->shadowed = unused;
        unused = decl;
    }
    for (; unused && !scope->prototype; unused = unused->shadowed)
        warn_unused_variable(parser, unused);
}

void scope_pop(Parser *parser) {
    Scope *scope = parser->scope;
    drop_decls(parser, scope);
    for (VariableScope *at = scope->variables; at != scope->outer->variables; at = at->outer) {
        at->closed = ++parser->variable_time;
        at->decl->beside_alloca = scope->calls_alloca;
    }
    scope->outer->calls_alloca |= scope->calls_alloca;
    for (TagDecl *tag = scope->tags; tag; tag = tag->next_in_scope) tag->name->tag = tag->shadowed;
    parser->scope = scope->outer;
}

void note_alloca(Parser *parser) {
    if (!parser->unevaluated) parser->scope->calls_alloca = true;
}

static void warn_shadow(Parser *parser, const Decl *decl) {
    const Decl *other = decl->shadowed;
    if (!other || parser->scope->prototype || decl->kind != DECL_VAR || decl->external) return;
    if (other->kind == DECL_FUNC || other->kind == DECL_TYPEDEF || !decl->type) return;
    if (other->scope_depth == decl->scope_depth) return;
    parser_warn(parser, WARN_SHADOW, decl->pos, decl->pos + decl->name->length,
                "declaration of '%s' shadows %s", decl->name->text,
                other->parameter          ? "a parameter"
                : other->scope_depth == 0 ? "a global declaration"
                                          : "a previous local");
    parser_note(parser, other->pos, "shadowed declaration is here");
}

void scope_declare(Parser *parser, Decl *decl) {
    if (!decl->name) return; // a parameter without a name
    Scope *scope = parser->scope;
    decl->scope_depth = scope->depth;
    if (scope->depth == 0) decl->file_scope = true;
    decl->shadowed = decl->name->ordinary;
    decl->next_in_scope = scope->decls;
    scope->decls = decl;
    decl->name->ordinary = decl;
    if (scope->depth == 0 && decl->kind == DECL_VAR) unit_global(parser, decl->name);
    if (scope->depth == 0) return;
    unit_declares(parser, decl->name);
    warn_shadow(parser, decl);
    if (!decl->type || !decl->type->variable) return;
    if (parser->function) parser->function->has_variable_types = true;
    VariableScope *variable = ARENA_NEW(parser->body_arena, VariableScope);
    *variable = (VariableScope){.outer = scope->variables,
                                .decl = decl,
                                .opened = ++parser->variable_time,
                                .closed = UINT32_MAX};
    scope->variables = variable;
}

void scope_declare_tag(Parser *parser, TagDecl *tag) {
    Scope *scope = parser->scope;
    unit_declares(parser, tag->name);
    tag->scope_depth = scope->depth;
    tag->shadowed = tag->name->tag;
    tag->next_in_scope = scope->tags;
    scope->tags = tag;
    tag->name->tag = tag;
}

// ---- The translation unit

static bool is_standard(const Parser *parser, const char *name) {
    return parser->options->standard && strcmp(parser->options->standard, name) == 0;
}

static bool is_strict(const Parser *parser) {
    const char *standard = parser->options->standard;
    return standard && strncmp(standard, "gnu", 3) != 0;
}

bool gnu_inline_mode(const Parser *parser) {
    return parser->c90 || parser->options->gnu_inline;
}

static void set_keyword(Parser *parser, const char *text, Keyword keyword) {
    pp_ident(parser->pp, text, strlen(text))->keyword = (uint16_t)keyword;
}

static void keywords_init(Parser *parser) {
    bool gnu = !is_strict(parser), c99 = pp_has_c99(parser->pp);
#define KEYWORD(id, text)  set_keyword(parser, text, KW_##id);
#define SPELLING(id, text) set_keyword(parser, text, KW_##id);
#define GNU(id, text)                                                                              \
    if (gnu) set_keyword(parser, text, KW_##id);
#define C99(id, text)                                                                              \
    if (c99) set_keyword(parser, text, KW_##id);
#include "c/tables/keywords.def"
#undef KEYWORD
#undef SPELLING
#undef GNU
#undef C99
}

static void declare_builtin_type(Parser *parser, const char *name, CType *type) {
    Ident *ident = pp_ident(parser->pp, name, strlen(name));
    scope_declare(parser, decl_new(parser, parser->arena, DECL_TYPEDEF, ident, type, 0));
}

static void parser_init(Parser *parser, const ParseOptions *options) {
    *parser = (Parser){
        .pack = options->pack,
        .big_endian = options->dialect.big_endian,

        .options = options,
        .pp = options->pp,
        .types = options->types,
        .diag = options->diag,
        .arena = options->arena,
        .body_arena = options->arena,
        .function_arena = arena_new("function"),
        .index_arena = arena_new("designators"),
        .stack_floor = stack_floor(8), // lowering may need more for the same tree
    };
    parser->c90 =
        !pp_has_c99(parser->pp) || is_standard(parser, "gnu90") || is_standard(parser, "gnu89");
    parser->scope = &parser->file_scope;
    parser->plain = ARENA_NEW(parser->arena, Attributes);
    *parser->plain = no_attributes;
    keywords_init(parser);
    attributes_init(parser);
    builtins_init(parser);
    declare_builtin_type(parser, "__builtin_va_list", parser->types->va_list);
}

bool parse_unit(const ParseOptions *options) {
    Parser parser;
    parser_init(&parser, options);
    units_start(options->units, options->pp);
    parser_next(&parser);
    uint32_t errors = parser.diag->errors; // before the declaration that has just been parsed
    if (parser_at(&parser, TOK_EOF))
        parser_warn(&parser, WARN_PEDANTIC, parser.token.pos, parser.token.pos,
                    "ISO C forbids a file without a declaration");
    while (!parser_at(&parser, TOK_EOF)) {
        if (parser_at(&parser, TOK_RBRACE)) {
            // After an error the '}' may close a block that could not be parsed.
            if (errors == parser.diag->errors)
                error_at_token(&parser, "'}' without a '{' before it");
            parser_next(&parser);
            continue;
        }
        errors = parser.diag->errors;
        parser.external = parser.token.pos;
        parse_external_declaration(&parser);
        messages_settle(parser.diag);
    }
    finish_unit(&parser);
    if (options->units && parser.diag->errors == 0) units_settle(options->units);
    if (parser.diag->errors == 0)
        options->finish(options->context, parser.objects.at, parser.objects.count);
    arena_free(parser.function_arena);
    arena_free(parser.index_arena);
    return parser.diag->errors == 0;
}
