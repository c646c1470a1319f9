// -E: tokens as text that gives the same tokens when it is read again.
//
// Each token that began a line begins one again, so that messages about the text can name the lines
// it came from. Line markers say where a stretch of text comes from; short gaps are bridged by
// empty lines instead.
#include "c/pp_private.h"

#include <string.h>

typedef struct {
    Pp *pp;
    Out *out;
    bool markers;
    bool after_comment; // the last thing on it is one
    bool mid_line;      // something stands on the present line
    Token last;         // the last token printed on it
    uint32_t line;      // the present line as a reader of the output counts
    const char *file;   // the file the reader believes to be in, or NULL
    uint32_t inclusion; // the inclusion of the last marker
    bool system;
} Printer;

static bool is_number_like(const Token *token) {
    return token->kind == TOK_NUMBER;
}

// Whether two neighbours would be read as something else if nothing stood between them.
static bool would_merge(Pp *pp, const Token *left, const Token *right) {
    size_t length;
    const char *text = token_spelling(pp, right, &length);
    char c = length ? *text : ' ';
    switch (left->kind) {
    case TOK_IDENT:
        return right->kind == TOK_IDENT || is_number_like(right) || right->kind == TOK_CHAR ||
               right->kind == TOK_STRING || c == '\\';
    case TOK_NUMBER:
        return right->kind == TOK_IDENT || is_number_like(right) || right->kind == TOK_CHAR ||
               c == '.' || c == '+' || c == '-' || c == '\\';
    case TOK_GT: return c == '>' || c == '=';
    case TOK_LT: return c == '<' || c == '=' || c == ':' || c == '%';
    case TOK_PLUS: return c == '+' || c == '=';
    case TOK_MINUS: return c == '-' || c == '=' || c == '>';
    case TOK_SLASH: return c == '/' || c == '*' || c == '=';
    case TOK_AMP: return c == '&' || c == '=';
    case TOK_PIPE: return c == '|' || c == '=';
    case TOK_PERCENT: return c == ':' || c == '=' || c == '>';
    case TOK_HASH: return c == '#' || c == '%';
    case TOK_COLON: return c == '>' || c == ':';
    case TOK_DOT: return c == '.' || is_number_like(right);
    case TOK_STAR:
    case TOK_CARET:
    case TOK_NOT:
    case TOK_ASSIGN:
    case TOK_SHL:
    case TOK_SHR: return c == '=';
    case TOK_OTHER: return left->spelling[0] == '\\' && right->kind == TOK_IDENT;
    default: return false;
    }
}

static void print_marker(Printer *p, uint32_t line, const char *flags) {
    out_text(p->out, "# ");
    out_u64(p->out, line);
    out_text(p->out, " \"");
    for (const char *at = p->file; *at; at++) {
        if (*at == '\\' || *at == '"') out_char(p->out, '\\');
        out_char(p->out, *at);
    }
    out_printf(p->out, "\"%s%s\n", flags, p->system ? " 3 4" : "");
    p->line = line;
}

static void end_line(Printer *p) {
    if (!p->mid_line) return;
    out_char(p->out, '\n');
    p->line++;
    p->mid_line = false;
}

// The inclusion that an inclusion stands in; UINT32_MAX if there is none.
static uint32_t parent_of(Pp *pp, uint32_t inclusion) {
    Pos at = pp->inclusions.at[inclusion].included_at;
    return at ? (uint32_t)(pp_inclusion(pp, at) - pp->inclusions.at) : UINT32_MAX;
}

static bool stands_in(Pp *pp, uint32_t inclusion, uint32_t outer) {
    while (inclusion != UINT32_MAX && inclusion != outer) inclusion = parent_of(pp, inclusion);
    return inclusion == outer;
}

static void print_change(Printer *p, Pos pos, const char *flags) {
    Presumed presumed = pp_presumed(p->pp, pos);
    p->file = presumed.file;
    p->system = presumed.system;
    print_marker(p, presumed.line, flags);
}

// Markers for the files that end (2) and begin (1) on the way from one inclusion to another.
static void change_inclusion(Printer *p, uint32_t to) {
    Pp *pp = p->pp;
    uint32_t from = p->inclusion;
    while (from != UINT32_MAX && !stands_in(pp, to, from)) {
        Pos at = pp->inclusions.at[from].included_at;
        from = parent_of(pp, from);
        if (from != UINT32_MAX) print_change(p, at, " 2");
    }
    VEC(uint32_t) entered = {0};
    for (uint32_t i = to; i != from && i != UINT32_MAX; i = parent_of(pp, i))
        vec_push(pp->scratch, &entered, i);
    for (uint32_t i = entered.count; i--;) {
        const Inclusion *inclusion = &pp->inclusions.at[entered.at[i]];
        print_change(p, inclusion->start, inclusion->included_at ? " 1" : "");
    }
    p->inclusion = to;
}

// Makes the reader's idea of the place agree with a token that begins a line.
static void begin_line(Printer *p, const Token *token) {
    enum { SHORT_GAP = 8 };
    Pp *pp = p->pp;
    Pos pos = pp_file_pos(pp, token);
    Presumed presumed = pp_presumed(pp, pos);
    end_line(p);
    if (!p->markers) return;
    const Inclusion *inclusion = pp_inclusion(pp, pos);
    uint32_t index = inclusion ? (uint32_t)(inclusion - pp->inclusions.at) : p->inclusion;
    if (index != p->inclusion) change_inclusion(p, index);
    bool same = p->file && p->system == presumed.system && strcmp(p->file, presumed.file) == 0;
    if (same && presumed.line >= p->line && presumed.line - p->line <= SHORT_GAP) {
        for (; p->line < presumed.line; p->line++) out_char(p->out, '\n');
        return;
    }
    p->file = presumed.file;
    p->system = presumed.system;
    print_marker(p, presumed.line, "");
}

// The blanks before a token that begins a line: its column, more or less.
static void indent(Printer *p, const Token *token) {
    if (!(token->flags & TOKF_SPACE)) return;
    Presumed presumed = pp_presumed(p->pp, pp_file_pos(p->pp, token));
    for (uint32_t i = 1; i < presumed.column && i < 80; i++) out_char(p->out, ' ');
}

// Whether the text of a pragma is that of another directive, which is to be printed as it is.
static bool is_whole_line(const Token *token) {
    static const char *const names[] = {"#ident ",   "#define ",       "#undef ",
                                        "#include ", "#include_next ", "#import "};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t length = strlen(names[i]);
        if (token->length >= length && memcmp(token->spelling, names[i], length) == 0) return true;
    }
    return false;
}

static void print_pragma(Printer *p, const Token *token) {
    begin_line(p, token);
    if (!is_whole_line(token)) out_text(p->out, token->length ? "#pragma " : "#pragma");
    out_bytes(p->out, token->spelling, token->length);
    out_char(p->out, '\n');
    p->line++;
}

// Whether a token that began a line goes on the present one, behind a comment.
static bool goes_on(Printer *p, const Token *token) {
    if (!p->after_comment || !p->mid_line) return false;
    return pp_presumed(p->pp, pp_file_pos(p->pp, token)).line == p->line;
}

static void print_text(Printer *p, const Token *token);

// -C: the comments that were read on the way to the next token.
static void print_comments(Printer *p) {
    for (uint32_t i = 0; i < p->pp->comments.count; i++) {
        const Token *comment = &p->pp->comments.at[i];
        print_text(p, comment);
        for (uint32_t c = 0; c < comment->length; c++) p->line += comment->spelling[c] == '\n';
        if (comment->spelling[1] == '/')
            end_line(p);
        else
            p->after_comment = true;
    }
    vec_clear(&p->pp->comments);
}

static void print_token(Printer *p, const Token *token) {
    print_comments(p);
    print_text(p, token);
    p->after_comment = false;
}

static void print_text(Printer *p, const Token *token) {
    if (token->kind == TOK_PRAGMA) {
        print_pragma(p, token);
        return;
    }
    size_t length;
    const char *text = token_spelling(p->pp, token, &length);
    if ((token->flags & TOKF_LINE && !goes_on(p, token)) || !p->mid_line) {
        begin_line(p, token);
        if (p->markers) indent(p, token);
        // A # that is no directive must not look like one.
        if (token->kind == TOK_HASH) out_char(p->out, ' ');
    } else if (token->flags & TOKF_SPACE || would_merge(p->pp, &p->last, token)) {
        out_char(p->out, ' ');
    }
    out_bytes(p->out, text, length);
    p->mid_line = true;
    p->last = *token;
}

// -dD: what is defined before the first line.
static void print_first_definitions(Printer *p) {
    const char *file = p->file;
    p->file = "<built-in>";
    if (p->markers) print_marker(p, 1, "");
    pp_print_macros(p->pp, p->out);
    p->file = file;
    if (p->markers) print_marker(p, 1, "");
}

void pp_print(Pp *pp, Out *out, bool line_markers) {
    Printer printer = {.pp = pp, .out = out, .markers = line_markers, .inclusion = UINT32_MAX};
    if (line_markers) {
        printer.file = pp->main_file->path;
        print_marker(&printer, 1, "");
        printer.inclusion = 0;
    }
    vec_clear(&pp->comments); // of what is read before the first line
    if (pp->options.definitions != DEFINITIONS_DROPPED) print_first_definitions(&printer);
    for (Token token; pp_next(pp, &token), token.kind != TOK_EOF;) print_token(&printer, &token);
    print_comments(&printer);
    end_line(&printer);
}
