// Finds the point where parsing goes on after a mistake, so that each mistake is reported once.
//
// Tokens decide most cases: the parser goes past a ';', or to a '}'. A missing brace, or a brace
// too many, shifts the meaning of all that follows, and no token tells where the brace belongs. The
// layout does: text at the left margin, where the present external declaration starts, is likely
// outside of that declaration. But programs may be laid out in any way, so layout alone never
// counts as a mistake. Layout decides only when the tokens ahead show a mistake in any case: the
// definition of a function inside of another, a '}' that closes nothing, a file that ends too
// early.
#include "c/parse/recover.h"
#include "c/parse/declare.h"
#include "c/parse/units_parse.h"

#include <string.h>

enum { FARTHEST = 200, MOST_AHEAD = 20000 };

// ---- Layout

uint32_t line_indentation(Parser *parser, Pos pos) {
    const Inclusion *in = pp_inclusion(parser->pp, pos);
    if (!in) return UINT32_MAX;
    pos = pp_file_pos(parser->pp, &(Token){.pos = pos});
    const char *text = in->file->text, *at = text + (pos - in->start), *limit = at;
    while (at > text && at[-1] != '\n')
        if (limit - at-- > FARTHEST) return UINT32_MAX;
    uint32_t column = 0;
    while (at[column] == ' ' || at[column] == '\t') column++;
    return column;
}

// Where the present external declaration begins; UINT32_MAX if that is of no use.
static uint32_t margin_of(Parser *parser) {
    if (!parser->external || is_expanded(parser->external)) return UINT32_MAX;
    return line_indentation(parser, parser->external);
}

static bool starts_line_at(Parser *parser, const Token *token, uint32_t margin) {
    return token->flags & TOKF_LINE && !is_expanded(token->pos) &&
           line_indentation(parser, token->pos) <= margin;
}

static const Token *token_ahead(Parser *parser, uint32_t n) {
    return n ? parser_peek(parser, n) : &parser->token;
}

static bool is_statement_word(const Token *token) {
    switch (token->ident->keyword) {
    case KW_IF:
    case KW_ELSE:
    case KW_FOR:
    case KW_WHILE:
    case KW_DO:
    case KW_SWITCH:
    case KW_CASE:
    case KW_DEFAULT:
    case KW_GOTO:
    case KW_BREAK:
    case KW_CONTINUE:
    case KW_RETURN: return true;
    default: return false;
    }
}

// Words among specifiers with parentheses that hold no parameters: struct __attribute__((packed)) {
// ... }
static bool takes_arguments(const Token *token) {
    switch (token->ident->keyword) {
    case KW_ATTRIBUTE:
    case KW_ALIGNAS:
    case KW_TYPEOF:
    case KW_ATOMIC: return true;
    default: return false;
    }
}

// ---- Tokens ahead

typedef enum { AHEAD_DECLARATION, AHEAD_DEFINITION, AHEAD_OTHER, AHEAD_END } Ahead;

// The meaning of the tokens from number *n on: a declaration up to its ';', the beginning of a
// function's definition, the end of the file, or something else. *n moves behind what was looked
// at.
static Ahead look_ahead(Parser *parser, uint32_t *n) {
    uint32_t depth = 0;
    bool parameters = false, initialized = false, attribute = false;
    for (; *n < MOST_AHEAD; ++*n) {
        const Token *token = token_ahead(parser, *n);
        switch (token->kind) {
        case TOK_EOF: return AHEAD_END;
        case TOK_IDENT:
            if (depth == 0) attribute = takes_arguments(token);
            break;
        case TOK_LPAREN:
        case TOK_LBRACKET: depth++; break;
        case TOK_LBRACE:
            if (depth == 0 && parameters && !initialized) return AHEAD_DEFINITION;
            depth++;
            break;
        case TOK_RPAREN:
        case TOK_RBRACKET:
        case TOK_RBRACE:
            if (depth == 0) return AHEAD_OTHER;
            depth--;
            if (token->kind == TOK_RPAREN && depth == 0 && !attribute) parameters = true;
            break;
        case TOK_ASSIGN: initialized |= depth == 0; break;
        case TOK_COLON:
            if (depth == 0) return AHEAD_OTHER;
            break;
        case TOK_SEMI:
            if (depth > 0) break;
            ++*n;
            return AHEAD_DECLARATION;
        default: break;
        }
    }
    return AHEAD_OTHER;
}

bool at_lost_end(Parser *parser) {
    uint32_t margin = margin_of(parser), n = 0;
    if (parser->closed || margin == UINT32_MAX || !parser_at(parser, TOK_IDENT)) return false;
    if (!starts_line_at(parser, &parser->token, margin) || parser->token.pos < parser->looked_to)
        return false;
    if (!starts_type(parser, &parser->token)) return false;
    Ahead ahead = AHEAD_DECLARATION;
    while (ahead == AHEAD_DECLARATION) {
        const Token *first = token_ahead(parser, n);
        if (first->kind == TOK_EOF) return true;
        if (first->kind != TOK_IDENT || is_statement_word(first) ||
            !starts_line_at(parser, first, margin))
            ahead = AHEAD_OTHER;
        else
            ahead = look_ahead(parser, &n);
    }
    if (ahead == AHEAD_OTHER) {
        const Token *last = token_ahead(parser, n);
        if (!is_expanded(last->pos)) parser->looked_to = last->pos;
    }
    return ahead != AHEAD_OTHER;
}

// Whether a '}' that closes nothing comes before the next declaration at the margin.
static bool lacks_open(Parser *parser, uint32_t n, uint32_t margin) {
    for (uint32_t depth = 0; n < MOST_AHEAD; n++) {
        const Token *token = token_ahead(parser, n);
        if (token->kind == TOK_EOF) return false;
        if (token->kind == TOK_LBRACE) depth++;
        if (token->kind == TOK_RBRACE && depth-- == 0) return true;
        if (depth == 0 && token->kind == TOK_IDENT && starts_type(parser, token) &&
            starts_line_at(parser, token, margin))
            return false;
    }
    return false;
}

bool closes_too_early(Parser *parser) {
    uint32_t margin = margin_of(parser);
    if (margin == UINT32_MAX || is_expanded(parser->token.pos)) return false;
    uint32_t here = line_indentation(parser, parser->token.pos);
    return here != UINT32_MAX && here > margin && lacks_open(parser, 1, margin);
}

bool lacks_body_brace(Parser *parser) {
    uint32_t margin = margin_of(parser);
    const Token *token = &parser->token;
    if (margin == UINT32_MAX || !(token->flags & TOKF_LINE) || is_expanded(token->pos))
        return false;
    return line_indentation(parser, token->pos) > margin && lacks_open(parser, 0, margin);
}

void report_lost_end(Parser *parser, const char *what, Pos open) {
    Pos pos = parser->last_end;
    bool told = parser->function && parser->function->brace_reported;
    if (!told) {
        parser_error(parser, pos, pos + 1, "expected '}' at the end of %s", what);
        parser_note(parser, open, "to match this '{'");
    }
    parser->mistakes++;
    parser->closed = parser->panic = true;
}

// ---- Going on

// A literal without its closing quote: it took the rest of the line, and has been reported.
bool is_unterminated(const Token *token) {
    return token->kind == TOK_OTHER && (memchr(token->spelling, '"', token->length) ||
                                        memchr(token->spelling, '\'', token->length));
}

// At the margin another declaration begins. Where nothing has been skipped since, that has been
// tried.
static bool at_new_declaration(Parser *parser) {
    const Token *token = &parser->token;
    if (token->kind != TOK_IDENT || !(token->flags & TOKF_LINE)) return false;
    if (token->pos == parser->recovered_at || token->pos == parser->external) return false;
    uint32_t margin = margin_of(parser);
    if (margin == UINT32_MAX || !starts_line_at(parser, token, margin)) return false;
    return starts_type(parser, token);
}

bool is_amid_expression(Parser *parser) {
    const Token *next = parser_peek(parser, 1);
    return !(next->flags & TOKF_LINE) &&
           (next->kind == TOK_RPAREN || next->kind == TOK_RBRACKET || next->kind == TOK_COMMA);
}

void parser_recover(Parser *parser) {
    if (parser->closed) return;
    parser->panic = false;
    uint32_t depth = 0;
    for (;; parser_next(parser)) {
        if (at_new_declaration(parser)) {
            parser->recovered_at = parser->token.pos;
            return;
        }
        switch (parser->token.kind) {
        case TOK_EOF: return;
        case TOK_LBRACE:
        case TOK_LPAREN:
        case TOK_LBRACKET: depth++; break;
        case TOK_RPAREN:
        case TOK_RBRACKET: depth -= depth > 0; break;
        case TOK_RBRACE:
            if (depth == 0 && is_amid_expression(parser)) break;
            if (depth == 0) return;
            if (--depth == 0 && (parser_peek(parser, 1)->flags & TOKF_LINE)) {
                parser_next(parser);
                return;
            }
            break;
        case TOK_OTHER:
            if (depth > 0 || !is_unterminated(&parser->token)) break;
            parser_next(parser);
            return;
        case TOK_SEMI:
            if (depth > 0) break;
            parser_next(parser);
            return;
        default: break;
        }
    }
}
