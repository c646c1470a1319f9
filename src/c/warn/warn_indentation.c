// Statements that look as if they were guarded and are not: -Wmisleading-indentation,
// -Wmultistatement-macros.
//
// The warnings go by the text as a reader sees it: lines, and columns with tabs taken as eight.
// Code of macros, or with different macros, is not looked at, and neither is code between #if and
// #endif.
#include "c/parse/warn.h"

enum { TAB = 8, FARTHEST = 400 };

// Where a token stands for a reader.
typedef struct {
    const Inclusion *in;
    const char *at;
    uint32_t line;
    uint32_t column; // of the token
    uint32_t indent; // of the first character of its line
} Sight;

static bool see(Parser *parser, Pos pos, Sight *sight) {
    const Inclusion *in = pp_inclusion(parser->pp, pos);
    if (!in || is_expanded(pos)) return false;
    const char *text = in->file->text, *at = text + (pos - in->start), *line = at;
    while (line > text && line[-1] != '\n')
        if (at - line-- > FARTHEST) return false;
    *sight = (Sight){.in = in, .at = at, .line = pp_presumed(parser->pp, pos).line};
    bool blank = true;
    uint32_t column = 0;
    for (; line < at; line++) {
        if (blank && *line != ' ' && *line != '\t') {
            blank = false;
            sight->indent = column;
        }
        column += *line == '\t' ? TAB - column % TAB : 1;
    }
    sight->column = column;
    if (blank) sight->indent = column;
    return true;
}

// Whether a line between two places is a directive, or is indented less than a column: then the
// text says more than the tokens do.
static bool is_interrupted(const char *from, const char *to, uint32_t column) {
    for (const char *at = from; at < to; at++) {
        if (at[0] != '\n') continue;
        uint32_t indent = 0;
        const char *first = at + 1;
        for (; first < to && (*first == ' ' || *first == '\t'); first++)
            indent += *first == '\t' ? TAB - indent % TAB : 1;
        if (first < to && *first == '#') return true;
        if (first < to && *first != '\n' && *first != '\r' && indent < column && *first != '/')
            return true;
    }
    return false;
}

static bool is_misleading(const GuardedStatement *guard, const Sight *keyword, const Sight *body,
                          const Sight *next) {
    if (keyword->in != body->in || body->in != next->in) return false;
    if (next->line == body->line) {
        if (keyword->line < body->line) return true;
        return keyword->column == keyword->indent;
    }
    if (next->line < body->line || next->indent < next->column) return false;
    uint32_t margin = keyword->indent;
    if (guard->body.kind == TOK_SEMI) {
        // An empty body on the line of the keyword, and what follows is indented as if it were the
        // body.
        if (body->line != keyword->line || next->column <= margin) return false;
        return !is_interrupted(body->at, next->at, margin);
    }
    if (body->line == keyword->line) return false;
    if (body->indent < body->column || margin >= body->column) return false;
    if (next->column != body->column) return false;
    return !is_interrupted(keyword->at, next->at, margin + 1);
}

static const char *keyword_text(const Token *token) {
    return token->ident->text;
}

// The first statement of a macro is guarded, the next one is not.
static bool warn_macro(Parser *parser, const GuardedStatement *guard) {
    const Token *next = &parser->token;
    uint32_t expansion = pp_expansion_of(parser->pp, guard->body.pos);
    if (!expansion || expansion != pp_expansion_of(parser->pp, next->pos)) return false;
    if (pp_expansion_of(parser->pp, guard->keyword.pos) == expansion) return false;
    parser_warn(parser, WARN_MULTISTATEMENT_MACROS, guard->body.pos,
                guard->body.pos + guard->body.length, "macro expands to multiple statements");
    parser_note(parser, guard->keyword.pos,
                "some parts of macro expansion are not guarded by this '%s' clause",
                keyword_text(&guard->keyword));
    return true;
}

void warn_indentation(Parser *parser, const GuardedStatement *guard) {
    const Token *next = &parser->token;
    if (parser->panic || next->kind == TOK_RBRACE || next->kind == TOK_SEMI ||
        next->kind == TOK_EOF || guard->body.kind == TOK_LBRACE ||
        parser_at_keyword(parser, KW_ELSE))
        return;
    if (is_expanded(guard->body.pos)) {
        if (is_expanded(next->pos) && !is_expanded(guard->keyword.pos)) warn_macro(parser, guard);
        return;
    }
    if (!pp_might_warn(parser->pp, WARN_MISLEADING_INDENTATION)) return;
    Sight keyword, body, after;
    if (!see(parser, guard->keyword.pos, &keyword) || !see(parser, guard->body.pos, &body) ||
        !see(parser, next->pos, &after) || !is_misleading(guard, &keyword, &body, &after))
        return;
    parser_warn(parser, WARN_MISLEADING_INDENTATION, guard->keyword.pos,
                guard->keyword.pos + guard->keyword.length, "this '%s' clause does not guard...",
                keyword_text(&guard->keyword));
    parser_note(
        parser, next->pos,
        "...this statement, but the latter is misleadingly indented as if it were guarded by "
        "the '%s'",
        keyword_text(&guard->keyword));
}
