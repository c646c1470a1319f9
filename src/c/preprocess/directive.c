// Directives: lines that begin with #.
//
// While a directive is read the end of its line ends the tokens. In a group that a condition leaves
// out, lex_skip_lines runs from one # to the next and only the conditional directives are looked
// at.
#include "base/spelling.h"
#include "c/preprocess/pp_number.h"
#include "c/preprocess/pp_private.h"

#include <string.h>

typedef enum {
    DIRECTIVE_NONE,
    DIRECTIVE_DEFINE,
    DIRECTIVE_UNDEF,
    DIRECTIVE_INCLUDE,
    DIRECTIVE_INCLUDE_NEXT,
    DIRECTIVE_IMPORT,
    DIRECTIVE_LINE,
    DIRECTIVE_ERROR,
    DIRECTIVE_WARNING,
    DIRECTIVE_PRAGMA,
    DIRECTIVE_IDENT,
    DIRECTIVE_IF, // from here on: conditional ones
    DIRECTIVE_IFDEF,
    DIRECTIVE_IFNDEF,
    DIRECTIVE_ELIF,
    DIRECTIVE_ELIFDEF,
    DIRECTIVE_ELIFNDEF,
    DIRECTIVE_ELSE,
    DIRECTIVE_ENDIF,
} Directive;

static const struct {
    const char *name;
    Directive directive;
} directives[] = {
    {"define", DIRECTIVE_DEFINE},     {"undef", DIRECTIVE_UNDEF},
    {"include", DIRECTIVE_INCLUDE},   {"include_next", DIRECTIVE_INCLUDE_NEXT},
    {"import", DIRECTIVE_IMPORT},     {"line", DIRECTIVE_LINE},
    {"error", DIRECTIVE_ERROR},       {"warning", DIRECTIVE_WARNING},
    {"pragma", DIRECTIVE_PRAGMA},     {"ident", DIRECTIVE_IDENT},
    {"sccs", DIRECTIVE_IDENT},        {"if", DIRECTIVE_IF},
    {"ifdef", DIRECTIVE_IFDEF},       {"ifndef", DIRECTIVE_IFNDEF},
    {"elif", DIRECTIVE_ELIF},         {"elifdef", DIRECTIVE_ELIFDEF},
    {"elifndef", DIRECTIVE_ELIFNDEF}, {"else", DIRECTIVE_ELSE},
    {"endif", DIRECTIVE_ENDIF},
};
enum { DIRECTIVE_COUNT = sizeof directives / sizeof *directives };

void directive_init(Pp *pp) {
    for (size_t i = 0; i < DIRECTIVE_COUNT; i++)
        pp_ident(pp, directives[i].name, strlen(directives[i].name))->directive =
            (uint8_t)directives[i].directive;
}

void directive_end(Pp *pp, const char *name) {
    Token token;
    lex_token(pp, &token);
    if (token.kind != TOK_NEWLINE)
        pp_warn(pp, "extra-tokens", &token, "extra tokens at end of #%s directive", name);
}

// ---- Conditions

static void open_conditional(Pp *pp, const Token *name, bool holds, Ident *guard) {
    Conditional conditional = {
        .pos = name->pos, .taken = holds, .was_skipping = pp->skipping, .guard = guard};
    vec_push(pp->arena, &pp->conditionals, conditional);
    if (!holds) pp->skipping = true;
}

// The innermost #if of this file; NULL after a report.
static Conditional *innermost(Pp *pp, const Token *name) {
    if (pp->conditionals.count > pp->buffer->conditionals)
        return &pp->conditionals.at[pp->conditionals.count - 1];
    pp_error(pp, name, "#%s without #if", name->ident->text);
    return NULL;
}

// Whether #if is the whole of "!defined NAME", so that it may guard a file.
static Ident *guard_of_expression(Pp *pp) {
    Buffer *buffer = pp->buffer;
    const char *at = buffer->at;
    Token token, name = {0};
    Ident *guard = NULL;
    lex_token(pp, &token);
    if (token.kind == TOK_NOT) {
        lex_token(pp, &token);
        if (token.kind == TOK_IDENT && token.ident == pp->names.defined) {
            lex_token(pp, &name);
            bool paren = name.kind == TOK_LPAREN;
            if (paren) lex_token(pp, &name);
            if (paren) lex_token(pp, &token);
            bool closed = !paren || token.kind == TOK_RPAREN;
            lex_token(pp, &token);
            if (closed && name.kind == TOK_IDENT && token.kind == TOK_NEWLINE) guard = name.ident;
        }
    }
    buffer->at = at;
    return guard;
}

static void do_if(Pp *pp, const Token *name, bool first) {
    if (pp->skipping) {
        open_conditional(pp, name, false, NULL);
        return;
    }
    Ident *guard = first ? guard_of_expression(pp) : NULL;
    open_conditional(pp, name, if_expression(pp, "if", name), guard);
}

static bool is_defined(const Ident *ident) {
    return ident->macro != NULL && ident->macro->kind != MACRO_POISONED;
}

static void do_ifdef(Pp *pp, const Token *name, bool wanted, bool first) {
    if (pp->skipping) {
        open_conditional(pp, name, false, NULL);
        return;
    }
    Token token;
    Ident *ident = macro_name(pp, name->ident->text, &token, false);
    if (ident) directive_end(pp, name->ident->text);
    bool holds = ident && is_defined(ident) == wanted;
    open_conditional(pp, name, holds, first && !wanted ? ident : NULL);
}

static bool elif_condition(Pp *pp, const Token *name, Directive kind) {
    if (kind == DIRECTIVE_ELIF) return if_expression(pp, "elif", name);
    Token token;
    Ident *ident = macro_name(pp, name->ident->text, &token, false);
    if (ident) directive_end(pp, name->ident->text);
    return ident && is_defined(ident) == (kind == DIRECTIVE_ELIFDEF);
}

static void do_elif(Pp *pp, const Token *name, Directive kind) {
    Conditional *conditional = innermost(pp, name);
    if (!conditional) return;
    if (conditional->seen_else) {
        pp_error(pp, name, "#%s after #else", name->ident->text);
        pp_note(pp, conditional->pos, 2, "the conditional began here");
    }
    conditional->guard = NULL;
    if (conditional->was_skipping || conditional->taken || conditional->seen_else) {
        pp->skipping = true;
        return;
    }
    // The expression is read, so what skipping leaves out must be seen.
    pp->skipping = false;
    bool holds = elif_condition(pp, name, kind);
    conditional->taken = holds;
    pp->skipping = !holds;
}

static void do_else(Pp *pp, const Token *name) {
    Conditional *conditional = innermost(pp, name);
    if (!conditional) return;
    if (conditional->seen_else) {
        pp_error(pp, name, "#else after #else");
        pp_note(pp, conditional->pos, 2, "the conditional began here");
    }
    conditional->guard = NULL;
    conditional->seen_else = true;
    pp->skipping = conditional->was_skipping || conditional->taken;
    conditional->taken = true;
    if (!conditional->was_skipping) directive_end(pp, "else");
}

static void do_endif(Pp *pp, const Token *name) {
    Conditional *conditional = innermost(pp, name);
    if (!conditional) return;
    pp->skipping = conditional->was_skipping;
    if (!pp->skipping) directive_end(pp, "endif");
    pp->conditionals.count--;
    if (conditional->guard && pp->conditionals.count == pp->buffer->conditionals) {
        pp->buffer->guard = conditional->guard;
        pp->buffer->seen = false;
    }
}

void directive_end_of_file(Pp *pp, Buffer *buffer) {
    while (pp->conditionals.count > buffer->conditionals) {
        const Conditional *conditional = &vec_pop(&pp->conditionals);
        uint32_t length = 0;
        const char *at = buffer->text + (conditional->pos - buffer->start);
        while (at[length] >= 'a' && at[length] <= 'z') length++;
        pp_report(pp, DIAG_ERROR, NULL, conditional->pos, length, "unterminated #%.*s", (int)length,
                  at);
        pp->skipping = conditional->was_skipping;
    }
}

// ---- #line, #error

// A decimal number of a line; false if it is none or too large.
static bool line_number(Pp *pp, const Token *token, uint32_t *line) {
    uint64_t value = 0;
    uint32_t length = token->length;
    const char *wrong;
    if (token->kind != TOK_NUMBER) return false;
    const char *text = pp_number_plain(pp->arena, token->spelling, &length, &wrong);
    for (uint32_t i = 0; text && i < length; i++) {
        if (text[i] < '0' || text[i] > '9') return false;
        value = value * 10 + (uint64_t)(text[i] - '0');
        if (value > INT32_MAX) return false;
    }
    *line = (uint32_t)value;
    return text != NULL;
}

// The name in a string literal: its text without quotes and escapes.
static const char *file_name(Pp *pp, const Token *token) {
    vec_clear(&pp->text);
    for (uint32_t i = 1; i + 1 < token->length; i++) {
        if (token->spelling[i] == '\\' && i + 2 < token->length) i++;
        text_add(pp, &token->spelling[i], 1);
    }
    return arena_text(pp->arena, pp->text.at, pp->text.count);
}

static void add_line_mark(Pp *pp, uint32_t line, const char *file, bool system, Marker marker) {
    Buffer *buffer = pp->buffer;
    pp_skip_line(pp);
    uint32_t offset = (uint32_t)(buffer->at - buffer->text) + (buffer->at < buffer->end);
    uint32_t physical = pp_line_of(pp, buffer->inclusion, buffer->start + offset);
    LineMark mark = {
        .offset = offset, .physical = physical, .line = line, .file = file, .system = system};
    vec_push(pp->arena, &pp->inclusions.at[buffer->inclusion].marks, mark);
    printed_marker(pp, buffer->start + offset, marker);
    buffer->flags = (uint8_t)((buffer->flags & ~TOKF_SYSTEM) | (system ? TOKF_SYSTEM : 0));
}

// #line, and # with a number, whose flags after the name say 1 where a file begins, 2 where one
// goes on, and 3 in system headers. `token` is the number.
static void do_line(Pp *pp, Token *token, bool marker) {
    uint32_t line;
    if (!line_number(pp, token, &line)) {
        pp_error(pp, token, "#line needs a decimal number up to %d", INT32_MAX);
        return;
    }
    Presumed now = pp_presumed(pp, pp_file_pos(pp, token));
    const char *file = now.file;
    Marker change = MARKER_PLAIN;
    pp_get_solid(pp, token);
    if (token->kind == TOK_STRING && token->spelling[0] == '"') {
        file = file_name(pp, token);
        if (marker) now.system = false;
        for (pp_get_solid(pp, token); marker && token->kind == TOK_NUMBER;
             pp_get_solid(pp, token)) {
            char flag = token->spelling[0];
            if (flag == '1') change = MARKER_ENTER;
            if (flag == '2') change = MARKER_RETURN;
            if (flag == '3') now.system = true;
        }
    } else if (token->kind != TOK_NEWLINE) {
        pp_error(pp, token, "the file name in #line must be a string literal");
        return;
    }
    if (token->kind != TOK_NEWLINE)
        pp_warn(pp, "extra-tokens", token, "extra tokens at end of #line directive");
    add_line_mark(pp, line, file, now.system, change);
}

static void do_message(Pp *pp, const Token *name, bool error) {
    const char *text = lex_rest_of_line(pp, true);
    if (error)
        pp_error(pp, name, "#error %s", text);
    else
        pp_author_warns(pp, name, text);
    pp_skip_line(pp);
}

// ---- #define, #undef

static void do_define(Pp *pp, const Token *hash) {
    const Macro *macro = macro_define(pp);
    DefinitionUse use = pp->options.definitions;
    if (!macro || use == DEFINITIONS_DROPPED) return;
    Out line = {0};
    if (use == DEFINITIONS_KEPT)
        macro_print(pp, &line, macro);
    else
        out_printf(&line, "#define %s\n", macro->name->text);
    printed_line(pp, hash, line.text, line.length - 1);
    out_free(&line);
}

static void do_undef(Pp *pp, const Token *hash) {
    const Ident *name = macro_undefine(pp);
    if (!name || pp->options.definitions == DEFINITIONS_DROPPED) return;
    const char *line = arena_printf(pp->scratch, "#undef %s", name->text);
    printed_line(pp, hash, line, strlen(line));
}

// ---- Dispatch

static void report_unknown(Pp *pp, const Token *name) {
    if (name->kind != TOK_IDENT) {
        pp_error(pp, name, "invalid preprocessing directive");
        return;
    }
    const char *text = name->ident->text;
    Spelling spelling;
    spelling_start(&spelling, text);
    for (size_t i = 0; i < DIRECTIVE_COUNT; i++) spelling_try(&spelling, directives[i].name);
    if (spelling.nearest) pp_fixit(pp, name->pos, name->length, spelling.nearest);
    if (spelling.nearest)
        pp_error(pp, name, "invalid preprocessing directive #%s; did you mean #%s?", text,
                 spelling.nearest);
    else
        pp_error(pp, name, "invalid preprocessing directive #%s", text);
}

static void do_conditional(Pp *pp, Directive kind, const Token *name, bool first) {
    switch (kind) {
    case DIRECTIVE_IF: do_if(pp, name, first); break;
    case DIRECTIVE_IFDEF: do_ifdef(pp, name, true, first); break;
    case DIRECTIVE_IFNDEF: do_ifdef(pp, name, false, first); break;
    case DIRECTIVE_ELSE: do_else(pp, name); break;
    case DIRECTIVE_ENDIF: do_endif(pp, name); break;
    default: do_elif(pp, name, kind); break;
    }
}

// True if a token for the parser is left in *token.
static bool do_directive(Pp *pp, Directive kind, const Token *hash, const Token *name,
                         Token *token) {
    switch (kind) {
    case DIRECTIVE_DEFINE: do_define(pp, hash); break;
    case DIRECTIVE_UNDEF: do_undef(pp, hash); break;
    case DIRECTIVE_INCLUDE: include_directive(pp, hash, name, INCLUDE_ORDINARY); break;
    case DIRECTIVE_INCLUDE_NEXT: include_directive(pp, hash, name, INCLUDE_NEXT); break;
    case DIRECTIVE_IMPORT: include_directive(pp, hash, name, INCLUDE_IMPORT); break;
    case DIRECTIVE_LINE: {
        Token number;
        pp_get_solid(pp, &number);
        do_line(pp, &number, false);
        break;
    }
    case DIRECTIVE_ERROR: do_message(pp, name, true); break;
    case DIRECTIVE_WARNING: do_message(pp, name, false); break;
    case DIRECTIVE_PRAGMA: return pragma_directive(pp, hash, token);
    case DIRECTIVE_IDENT: pragma_ident(pp, hash, name); break;
    default: report_unknown(pp, name);
    }
    return false;
}

// Goes behind the newline of the directive's line.
static void end_line(Pp *pp, Buffer *buffer) {
    while (pp->contexts.count) pp_pop_context(pp);
    if (*buffer->at != '\n') {
        Buffer *now = pp->buffer;
        pp->buffer = buffer;
        pp_skip_line(pp);
        pp->buffer = now;
    }
    if (buffer->at < buffer->end) buffer->at++;
    buffer->flags |= TOKF_LINE;
}

bool pp_directive(Pp *pp, Token *token) {
    Buffer *buffer = pp->buffer;
    Token hash = *token, name;
    bool first = !buffer->seen && !buffer->guard;
    uint8_t parsing = pp->parsing_arguments;
    uint32_t prevented = pp->prevent_expansion;
    pp->parsing_arguments = 0;
    pp->prevent_expansion = 0;
    pp->in_directive = true;
    pp->produced++; // a directive's data in the scratch arena is to be thrown away, too
    lex_token(pp, &name);
    buffer->seen = buffer->seen || name.kind != TOK_NEWLINE;
    bool left = false;
    Directive kind = name.kind == TOK_IDENT ? name.ident->directive : DIRECTIVE_NONE;
    if (kind >= DIRECTIVE_IF)
        do_conditional(pp, kind, &name, first);
    else if (!pp->skipping && name.kind == TOK_NUMBER)
        do_line(pp, &name, true);
    else if (!pp->skipping && name.kind != TOK_NEWLINE)
        left = do_directive(pp, kind, &hash, &name, token);
    end_line(pp, buffer);
    pp->in_directive = false;
    pp->prevent_expansion = prevented;
    pp->parsing_arguments = parsing;
    return left;
}
