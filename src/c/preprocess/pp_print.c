// -E: prints tokens as text that gives the same tokens when it is read again.
//
// Each token that began a line begins a line again, so that messages about the text can name the
// original lines. Line markers say where a stretch of text comes from; short gaps are bridged by
// empty lines instead. A file that is entered or left always has a marker, even if the file has no
// tokens: from the markers a reader of the output learns the files on which the output depends.
// Such markers, comments and directives that are kept are noted while files are read, and printed
// before the next token.
#include "c/preprocess/pp_private.h"

#include <string.h>

typedef struct {
    Pp *pp;
    Out *out;
    bool markers;
    bool after_comment; // a comment is the last thing on it
    bool mid_line;      // something stands on the present line
    Token last;         // the last token printed on it
    uint32_t line;      // the present line as a reader of the output counts
    const char *file;   // the file the reader believes to be in, or NULL
    bool system;
} PpPrinter;

// ---- What is noted while files are read

void printed_comment(Pp *pp, const Token *comment) {
    vec_push(pp->arena, &pp->printed, (Printed){.kind = PRINTED_COMMENT, .token = *comment});
}

void printed_line(Pp *pp, const Token *hash, const char *line, size_t length) {
    if (!pp->options.keep_lines) return;
    Printed printed = {.kind = PRINTED_LINE, .token = lex_make(pp, TOK_OTHER, line, length)};
    printed.token.pos = hash->pos;
    printed.token.flags = TOKF_LINE;
    vec_push(pp->arena, &pp->printed, printed);
}

void printed_marker(Pp *pp, Pos place, Marker marker) {
    if (!pp->options.keep_lines) return;
    vec_push(pp->arena, &pp->printed,
             (Printed){.kind = PRINTED_MARKER, .marker = marker, .token = {.pos = place}});
}

// ---- Tokens

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

static void print_marker(PpPrinter *p, const Presumed *place, Marker marker) {
    static const char *const flags[] = {"", " 1", " 2"};
    if (!p->markers) return;
    p->file = place->file;
    p->system = place->system;
    p->line = place->line;
    out_text(p->out, "# ");
    out_u64(p->out, p->line);
    out_text(p->out, " \"");
    for (const char *at = p->file; *at; at++) {
        if (*at == '\\' || *at == '"') out_char(p->out, '\\');
        out_char(p->out, *at);
    }
    out_printf(p->out, "\"%s%s\n", flags[marker], p->system ? " 3 4" : "");
}

static void end_line(PpPrinter *p) {
    if (!p->mid_line) return;
    out_char(p->out, '\n');
    p->line++;
    p->mid_line = false;
}

// Makes the reader's idea of the place agree with a token that begins a line.
static void begin_line(PpPrinter *p, const Token *token) {
    enum { SHORT_GAP = 8 };
    Pp *pp = p->pp;
    Pos pos = pp_file_pos(pp, token);
    Presumed presumed = pp_presumed(pp, pos);
    end_line(p);
    if (!p->markers) return;
    bool same = p->file && p->system == presumed.system && strcmp(p->file, presumed.file) == 0;
    if (same && presumed.line >= p->line && presumed.line - p->line <= SHORT_GAP) {
        for (; p->line < presumed.line; p->line++) out_char(p->out, '\n');
        return;
    }
    print_marker(p, &presumed, MARKER_PLAIN);
}

// The blanks before a token that begins a line: its column, more or less.
static void indent(PpPrinter *p, const Token *token) {
    if (!(token->flags & TOKF_SPACE)) return;
    Presumed presumed = pp_presumed(p->pp, pp_file_pos(p->pp, token));
    for (uint32_t i = 1; i < presumed.column && i < 80; i++) out_char(p->out, ' ');
}

static void print_line(PpPrinter *p, const Token *line, const char *start) {
    begin_line(p, line);
    out_text(p->out, start);
    out_bytes(p->out, line->spelling, line->length);
    out_char(p->out, '\n');
    p->line++;
}

// Whether a token that began a line goes on the present one, behind a comment.
static bool goes_on(PpPrinter *p, const Token *token) {
    if (!p->after_comment || !p->mid_line) return false;
    return pp_presumed(p->pp, pp_file_pos(p->pp, token)).line == p->line;
}

static void print_text(PpPrinter *p, const Token *token) {
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
    // Comments and raw strings may hold ends of lines.
    for (size_t i = 0; i < length; i++) p->line += text[i] == '\n';
    p->mid_line = true;
    p->last = *token;
}

static void print_comment(PpPrinter *p, const Token *comment) {
    print_text(p, comment);
    if (comment->spelling[1] == '/')
        end_line(p);
    else
        p->after_comment = true;
}

// The notes on the way to the next token.
static void print_noted(PpPrinter *p) {
    for (uint32_t i = 0; i < p->pp->printed.count; i++) {
        const Printed *printed = &p->pp->printed.at[i];
        switch (printed->kind) {
        case PRINTED_COMMENT: print_comment(p, &printed->token); break;
        case PRINTED_LINE: print_line(p, &printed->token, ""); break;
        case PRINTED_MARKER: {
            if (!p->markers) break;
            Presumed place = pp_presumed(p->pp, printed->token.pos);
            end_line(p);
            print_marker(p, &place, printed->marker);
            break;
        }
        }
    }
    vec_clear(&p->pp->printed);
}

static void print_token(PpPrinter *p, const Token *token) {
    print_noted(p);
    if (token->kind == TOK_PRAGMA)
        print_line(p, token, token->length ? "#pragma " : "#pragma");
    else
        print_text(p, token);
    p->after_comment = false;
}

// Where the reader is before the first line, and with -dD what is defined there.
static void print_start(PpPrinter *p) {
    Pp *pp = p->pp;
    print_marker(p, &(Presumed){.file = pp->main_file->path}, MARKER_PLAIN);
    print_marker(p, &(Presumed){.file = "<built-in>"}, MARKER_PLAIN);
    if (pp->options.definitions != DEFINITIONS_DROPPED) pp_print_macros(pp, p->out);
    print_marker(p, &(Presumed){.file = "<command-line>"}, MARKER_PLAIN);
    // Of what has been read for its macros only the names of files are left.
    uint32_t kept = 0;
    for (uint32_t i = 0; i < pp->printed.count; i++)
        if (pp->printed.at[i].kind == PRINTED_MARKER) pp->printed.at[kept++] = pp->printed.at[i];
    pp->printed.count = kept;
}

void pp_print(Pp *pp, Out *out, bool line_markers) {
    PpPrinter printer = {.pp = pp, .out = out, .markers = line_markers};
    print_start(&printer);
    for (Token token; pp_next(pp, &token), token.kind != TOK_EOF;) print_token(&printer, &token);
    print_noted(&printer);
    end_line(&printer);
}
