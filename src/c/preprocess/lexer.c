// From characters to tokens.
//
// The scanner runs over the text as it is. Line splices and trigraphs are rare, so nothing is done
// about them until a token meets one: then its characters are copied without them and scanned
// again. A position is therefore always an offset into the file itself.
//
// White space and comments are skipped before a token; a token only remembers that there was some.
#include "c/preprocess/pp_number.h"
#include "c/preprocess/pp_private.h"
#include "c/preprocess/raw_string.h"

#include <string.h>

typedef enum {
    C_OTHER,
    C_BLANK,
    C_NEWLINE,
    C_NUL,
    C_IDENT,
    C_DIGIT,
    C_HIGH,
    C_QUOTE,
    C_PUNCT
} CharClass;

// The tokens that a character can begin. Bytes above 127 begin a character in UTF-8.
static const uint8_t char_class[256] = {
#define ROW8(at, a, b, c, d, e, f, g, h)                                                           \
    [at] = a, [at + 1] = b, [at + 2] = c, [at + 3] = d, [at + 4] = e, [at + 5] = f, [at + 6] = g,  \
    [at + 7] = h
#define ALL8(at, a) ROW8(at, a, a, a, a, a, a, a, a)
    [0] = C_NUL,
    ['\t'] = C_BLANK,
    ['\n'] = C_NEWLINE,
    ['\v'] = C_BLANK,
    ['\f'] = C_BLANK,
    ['\r'] = C_BLANK,
    ROW8(32, C_BLANK, C_PUNCT, C_QUOTE, C_PUNCT, C_IDENT, C_PUNCT, C_PUNCT, C_QUOTE),
    ALL8(40, C_PUNCT),
    ALL8(48, C_DIGIT),
    ROW8(56, C_DIGIT, C_DIGIT, C_PUNCT, C_PUNCT, C_PUNCT, C_PUNCT, C_PUNCT, C_PUNCT),
    ROW8(64, C_OTHER, C_IDENT, C_IDENT, C_IDENT, C_IDENT, C_IDENT, C_IDENT, C_IDENT),
    ALL8(72, C_IDENT),
    ALL8(80, C_IDENT),
    ROW8(88, C_IDENT, C_IDENT, C_IDENT, C_PUNCT, C_OTHER, C_PUNCT, C_PUNCT, C_IDENT),
    ROW8(96, C_OTHER, C_IDENT, C_IDENT, C_IDENT, C_IDENT, C_IDENT, C_IDENT, C_IDENT),
    ALL8(104, C_IDENT),
    ALL8(112, C_IDENT),
    ROW8(120, C_IDENT, C_IDENT, C_IDENT, C_PUNCT, C_PUNCT, C_PUNCT, C_PUNCT, C_OTHER),
    ALL8(128, C_HIGH),
    ALL8(136, C_HIGH),
    ALL8(144, C_HIGH),
    ALL8(152, C_HIGH),
    ALL8(160, C_HIGH),
    ALL8(168, C_HIGH),
    ALL8(176, C_HIGH),
    ALL8(184, C_HIGH),
    ALL8(192, C_HIGH),
    ALL8(200, C_HIGH),
    ALL8(208, C_HIGH),
    ALL8(216, C_HIGH),
    ALL8(224, C_HIGH),
    ALL8(232, C_HIGH),
    ALL8(240, C_HIGH),
    ALL8(248, C_HIGH)};

static inline CharClass class_of(char c) {
    return char_class[(unsigned char)c];
}
static inline bool is_word(char c) {
    CharClass found = class_of(c);
    return found == C_IDENT || found == C_DIGIT;
}
bool lex_is_blank(char c) {
    return class_of(c) == C_BLANK;
}

static const char *const punctuators[TOK_COUNT] = {
#define P(id, text) [TOK_##id] = text,
    PUNCTUATORS(P)
#undef P
};

const char *punctuator_text(TokenKind kind) {
    return punctuators[kind];
}

// ---- Identifiers

// An identifier with characters beyond ASCII, written in UTF-8 or as \u; it is the same either way.
static const char *scan_extended(Pp *pp, const char *p, const char *end, Token *token) {
    uint32_t from = pp->text.count, code = 0;
    for (unsigned n;;) {
        if (is_word(*p)) {
            text_add(pp, p++, 1);
        } else if ((n = ident_extended(p, end, pp->text.count == from, &code))) {
            text_add_utf8(pp, code);
            p += n;
        } else {
            break;
        }
    }
    token->kind = TOK_IDENT;
    token->ident = pp_ident(pp, pp->text.at + from, pp->text.count - from);
    pp->text.count = from;
    return p;
}

// ---- Splices and trigraphs

// The meaning of ??=, ??/ and so on at p where trigraphs are in use; 0 if there is none at p.
static char trigraph_meaning(const char *p) {
    static const char from[] = "=/'()!<>-", to[] = "#\\^[]|{}~";
    if (p[0] != '?' || p[1] != '?' || !p[2]) return 0;
    const char *found = strchr(from, p[2]);
    return found ? to[found - from] : 0;
}

static inline char trigraph(const Pp *pp, const char *p) {
    return pp->trigraphs ? trigraph_meaning(p) : 0;
}

// The end of the line splice at p, NULL if there is none. Blanks after the backslash are allowed,
// as gcc allows them.
static const char *splice_end(const Pp *pp, const char *p) {
    if (*p == '\\')
        p++;
    else if (trigraph(pp, p) == '\\')
        p += 3;
    else
        return NULL;
    while (class_of(*p) == C_BLANK) p++;
    return *p == '\n' ? p + 1 : NULL;
}

// Whether the characters at p have another meaning than their own.
static inline bool special(const Pp *pp, const char *p) {
    return (*p == '\\' && splice_end(pp, p)) || (*p == '?' && trigraph(pp, p));
}

// ---- One token

// The results of scan besides tokens.
enum { SCAN_AGAIN = TOK_COUNT, SCAN_LINE_COMMENT, SCAN_BLOCK_COMMENT };

// A literal from behind its opening quote. A literal that does not end on its line is TOK_OTHER.
static const char *scan_quoted(Pp *pp, const char *p, const char *end, Token *token, bool raw) {
    char quote = p[-1];
    token->kind = quote == '"' ? TOK_STRING : TOK_CHAR;
    for (;; p++) {
        char c = *p;
        if (c == quote) return p + 1;
        if (c == '\n' || (c == '\0' && p >= end)) break;
        if (c == '\\') {
            if (raw && splice_end(pp, p)) {
                token->kind = SCAN_AGAIN;
                return p;
            }
            if (p[1] != '\n' && p + 1 < end) p++;
            // The character behind the backslash may still be the first character of a trigraph.
            if (raw && *p == '?' && trigraph(pp, p)) {
                token->kind = SCAN_AGAIN;
                return p;
            }
        } else if (c == '?' && raw && trigraph(pp, p)) {
            token->kind = SCAN_AGAIN;
            return p;
        }
    }
    token->kind = TOK_OTHER;
    return p > token->spelling && p[-1] == '\r' ? p - 1 : p;
}

static bool literal_prefix(const char *p, size_t length) {
    if (length == 1) return *p == 'L' || *p == 'u' || *p == 'U';
    return length == 2 && p[0] == 'u' && p[1] == '8';
}

static const char *scan_raw_string(Pp *pp, const char *quote, const char *end, Token *token) {
    RawString found = raw_string_scan(quote, end, pp->in_directive);
    token->kind = found.kind == RAW_STRING_WHOLE ? TOK_STRING : TOK_OTHER;
    return found.end;
}

// The start of the literal whose quote is at p, in text that was not scanned from `begin` on.
static const char *literal_start(const Pp *pp, const char *begin, const char *p) {
    return pp->raw_strings && *p == '"' ? p - raw_string_before(begin, p) : p;
}

static const char *scan_word(Pp *pp, const char *start, const char *end, Token *token, bool raw) {
    const char *p = start;
    uint32_t hash = 0, code;
    do hash = ident_hash(hash, *p++);
    while (is_word(*p));
    size_t length = (size_t)(p - start);
    if ((*p == '"' || *p == '\'') && length <= 2 && literal_prefix(start, length))
        return scan_quoted(pp, p + 1, end, token, raw);
    if (*p == '"' && pp->raw_strings && raw_string_prefix(start, (uint32_t)length))
        return scan_raw_string(pp, p, end, token);
    if ((*p == '\\' || class_of(*p) == C_HIGH) && !(raw && special(pp, p)) &&
        ident_extended(p, end, false, &code))
        return scan_extended(pp, start, end, token);
    token->kind = TOK_IDENT;
    token->ident = ident_find(pp, start, length, hash);
    return p;
}

// Punctuators, longest first. p is behind the first character.
static const char *scan_punctuator(Pp *pp, const char *p, Token *token) {
#define IS(kind_, extra) return token->kind = TOK_##kind_, p + (extra)
    switch (p[-1]) {
    case '(': IS(LPAREN, 0);
    case ')': IS(RPAREN, 0);
    case '[': IS(LBRACKET, 0);
    case ']': IS(RBRACKET, 0);
    case '{': IS(LBRACE, 0);
    case '}': IS(RBRACE, 0);
    case '~': IS(TILDE, 0);
    case '?': IS(QUESTION, 0);
    case ';': IS(SEMI, 0);
    case ',': IS(COMMA, 0);
    case '.':
        if (p[0] == '.' && p[1] == '.') IS(ELLIPSIS, 2);
        IS(DOT, 0);
    case '-':
        if (*p == '>') IS(ARROW, 1);
        if (*p == '-') IS(DEC, 1);
        if (*p == '=') IS(SUB_ASSIGN, 1);
        IS(MINUS, 0);
    case '+':
        if (*p == '+') IS(INC, 1);
        if (*p == '=') IS(ADD_ASSIGN, 1);
        IS(PLUS, 0);
    case '&':
        if (*p == '&') IS(ANDAND, 1);
        if (*p == '=') IS(AND_ASSIGN, 1);
        IS(AMP, 0);
    case '|':
        if (*p == '|') IS(OROR, 1);
        if (*p == '=') IS(OR_ASSIGN, 1);
        IS(PIPE, 0);
    case '*':
        if (*p == '=') IS(MUL_ASSIGN, 1);
        IS(STAR, 0);
    case '^':
        if (*p == '=') IS(XOR_ASSIGN, 1);
        IS(CARET, 0);
    case '!':
        if (*p == '=') IS(NE, 1);
        IS(NOT, 0);
    case '=':
        if (*p == '=') IS(EQ, 1);
        IS(ASSIGN, 0);
    case '/':
        if (*p == '=') IS(DIV_ASSIGN, 1);
        if (*p == '*') return token->kind = SCAN_BLOCK_COMMENT, p + 1;
        if (*p == '/' && pp->c99) return token->kind = SCAN_LINE_COMMENT, p + 1;
        IS(SLASH, 0);
    case '<':
        if (p[0] == '<' && p[1] == '=') IS(SHL_ASSIGN, 2);
        if (*p == '<') IS(SHL, 1);
        if (*p == '=') IS(LE, 1);
        if (*p == ':' && pp->digraphs) IS(LBRACKET, 1);
        if (*p == '%' && pp->digraphs) IS(LBRACE, 1);
        IS(LT, 0);
    case '>':
        if (p[0] == '>' && p[1] == '=') IS(SHR_ASSIGN, 2);
        if (*p == '>') IS(SHR, 1);
        if (*p == '=') IS(GE, 1);
        IS(GT, 0);
    case ':':
        if (*p == '>' && pp->digraphs) IS(RBRACKET, 1);
        IS(COLON, 0);
    case '%':
        if (*p == '=') IS(MOD_ASSIGN, 1);
        if (!pp->digraphs) IS(PERCENT, 0);
        if (p[0] == ':' && p[1] == '%' && p[2] == ':') IS(HASHHASH, 3);
        if (*p == ':') IS(HASH, 1);
        if (*p == '>') IS(RBRACE, 1);
        IS(PERCENT, 0);
    default: // '#'
        if (*p == '#') IS(HASHHASH, 1);
        IS(HASH, 0);
    }
#undef IS
}

// The token at p, which is not white space; returns its end. In raw text a splice or trigraph that
// the token touches makes it SCAN_AGAIN.
static const char *scan(Pp *pp, const char *p, const char *end, Token *token, bool raw) {
    const char *start = p;
    token->spelling = start;
    uint32_t code;
    unsigned n;
    switch (class_of(*p)) {
    case C_IDENT: p = scan_word(pp, p, end, token, raw); break;
    case C_DIGIT:
        token->kind = TOK_NUMBER;
        p = pp_number_end(pp, p + 1, end);
        break;
    case C_QUOTE: p = scan_quoted(pp, p + 1, end, token, raw); break;
    case C_PUNCT:
        if (*p == '.' && p[1] >= '0' && p[1] <= '9') {
            token->kind = TOK_NUMBER;
            p = pp_number_end(pp, p + 2, end);
        } else if (raw && *p == '?' && trigraph(pp, p)) {
            token->kind = SCAN_AGAIN;
            return p;
        } else {
            p = scan_punctuator(pp, p + 1, token);
        }
        break;
    case C_HIGH:
    case C_OTHER:
    default:
        if (ident_extended(p, end, true, &code)) return scan_extended(pp, p, end, token);
        token->kind = TOK_OTHER;
        // A whole character of UTF-8 is one stray token.
        p += class_of(*p) == C_HIGH && ident_decode_utf8(p, end, &n) ? n : 1;
    }
    bool closed = token->kind == TOK_STRING || token->kind == TOK_CHAR;
    if (raw && !closed && (*p == '\\' || *p == '?') && token->kind < SCAN_LINE_COMMENT &&
        special(pp, p))
        token->kind = SCAN_AGAIN;
    return p;
}

// Copies up to `limit` characters from p on into pp->clean, without splices and trigraphs.
static void clean_text(Pp *pp, const char *p, const char *end, uint32_t limit) {
    const char *start = p;
    vec_clear(&pp->clean);
    vec_clear(&pp->clean_from);
    while (p < end && pp->clean.count < limit) {
        const char *after = *p == '\\' || *p == '?' ? splice_end(pp, p) : NULL;
        if (after) {
            p = after;
            continue;
        }
        char other = *p == '?' ? trigraph(pp, p) : 0;
        vec_push(pp->arena, &pp->clean, other ? other : *p);
        vec_push(pp->arena, &pp->clean_from, (uint32_t)(p - start));
        p += other ? 3 : 1;
    }
    vec_push(pp->arena, &pp->clean, '\0');
    vec_push(pp->arena, &pp->clean_from, (uint32_t)(p - start));
}

// Scans the raw string at p whose prefix has splices: those behind the quote belong to the string.
// NULL if there is none. The first characters of the token are in pp->clean.
static const char *scan_spliced_raw_string(Pp *pp, const char *p, const char *end, Token *token) {
    const char *text = pp->clean.at, *quote = text;
    while (is_word(*quote)) quote++;
    uint32_t length = (uint32_t)(quote - text);
    if (!pp->raw_strings || *quote != '"' || !raw_string_prefix(text, length)) return NULL;
    const char *own_quote = p + pp->clean_from.at[length];
    const char *stop = scan_raw_string(pp, own_quote, end, token);
    uint32_t rest = (uint32_t)(stop - own_quote);
    char *spelling = arena_alloc(pp->arena, length + rest);
    memcpy(spelling, text, length);
    memcpy(spelling + length, own_quote, rest);
    token->spelling = spelling;
    token->length = length + rest;
    return stop;
}

// Scans the token at p again, from a copy of its characters without splices. The copy is made as
// long as the token turns out to be.
static const char *scan_again(Pp *pp, const char *p, const char *end, Token *token) {
    for (uint32_t limit = 64;; limit *= 2) {
        clean_text(pp, p, end, limit);
        const char *raw_string = scan_spliced_raw_string(pp, p, end, token);
        if (raw_string) return raw_string;
        uint32_t count = pp->clean.count - 1;
        const char *text = pp->clean.at, *stop = scan(pp, text, text + count, token, false);
        uint32_t length = (uint32_t)(stop - text);
        if (length + 4 >= count && count == limit && limit < UINT32_MAX / 2) continue;
        token->length = length;
        if (token->kind != TOK_IDENT) token->spelling = arena_text(pp->arena, text, length);
        return p + pp->clean_from.at[length];
    }
}

// ---- White space and comments

// The end of the comment whose text begins at p; NULL if it does not end.
static const char *block_comment_end(const Pp *pp, const char *p, const char *end) {
    const char *begin = p;
    while ((p = memchr(p, '/', (size_t)(end - p)))) {
        const char *before = p;
        p++;
        // Splices may stand between * and /.
        while (before > begin && before[-1] == '\n') {
            const char *back = before - 1;
            while (back > begin && lex_is_blank(back[-1])) back--;
            if (back > begin && back[-1] == '\\')
                before = back - 1;
            else if (back >= begin + 3 && trigraph(pp, back - 3) == '\\')
                before = back - 3;
            else
                break;
        }
        if (before > begin && before[-1] == '*') return p;
    }
    return NULL;
}

// The newline or end of file that ends the line comment at p.
static const char *line_comment_end(const Pp *pp, const char *p, const char *end) {
    for (const char *begin = p;; p++) {
        p = memchr(p, '\n', (size_t)(end - p));
        if (!p) return end;
        const char *back = p;
        while (back > begin && lex_is_blank(back[-1])) back--;
        bool splice = (back > begin && back[-1] == '\\') ||
                      (back >= begin + 3 && trigraph(pp, back - 3) == '\\');
        if (!splice) return p;
    }
}

static Token token_at(const Buffer *buffer, const char *p, uint32_t length) {
    return (Token){.kind = TOK_OTHER,
                   .flags = buffer->flags,
                   .pos = buffer->start + (Pos)(p - buffer->text),
                   .length = length};
}

// Comments that hide more than they seem to: a line comment that goes on because of a backslash,
// and a comment that begins inside another, which may have lost its end.
static void warn_comment(Pp *pp, const char *start, const char *p, const char *end, unsigned kind) {
    if (!pp_might_warn(pp, WARN_COMMENT)) return;
    if (kind == SCAN_LINE_COMMENT) {
        Token at = token_at(pp->buffer, start, 2);
        if (memchr(p, '\n', (size_t)(end - p))) pp_warn(pp, "comment", &at, "multi-line comment");
        return;
    }
    for (; (p = memchr(p, '/', (size_t)(end - p))) && p + 2 < end; p++) {
        Token at = token_at(pp->buffer, p, 2);
        if (p[1] == '*' && p[2] != '/') pp_warn(pp, "comment", &at, "\"/*\" within comment");
    }
}

static const char *skip_comment(Pp *pp, const char *start, const char *p, unsigned kind) {
    Buffer *buffer = pp->buffer;
    const char *end = kind == SCAN_LINE_COMMENT ? line_comment_end(pp, p, buffer->end)
                                                : block_comment_end(pp, p, buffer->end);
    if (end) {
        warn_comment(pp, start, p, end, kind);
        return end;
    }
    Token at = token_at(buffer, start, 2);
    pp_error(pp, &at, "unterminated comment");
    pp->cut_short = true;
    return buffer->end;
}

// -C: what a directive says is not kept.
static void keep_comment(Pp *pp, const char *start, const char *end, uint8_t flags) {
    if (pp->in_directive) return;
    Token comment = token_at(pp->buffer, start, (uint32_t)(end - start));
    comment.kind = TOK_OTHER;
    comment.spelling = start;
    comment.flags = flags;
    printed_comment(pp, &comment);
}

static bool is_raw_string(const Pp *pp, const Token *token) {
    const char *quote = memchr(token->spelling, '"', token->length);
    return pp->raw_strings && quote &&
           raw_string_prefix(token->spelling, (uint32_t)(quote - token->spelling));
}

static void report_unterminated(Pp *pp, const Token *token) {
    if (token->kind != TOK_OTHER || pp->skipping) return;
    const char *p = token->spelling;
    while (p < token->spelling + token->length && is_word(*p)) p++;
    if (p == token->spelling + token->length || (*p != '"' && *p != '\'')) return;
    if (is_raw_string(pp, token)) {
        RawString found = raw_string_scan(p, token->spelling + token->length, false);
        pp_error(pp, token,
                 found.kind == RAW_STRING_OPEN ? "unterminated raw string"
                                               : "invalid delimiter of a raw string");
        return;
    }
    // Text that is only printed, or a macro that may never be used, is not wrong yet.
    if (pp->options.keep_lines || pp->in_directive)
        pp_warn(pp, NULL, token, "missing terminating %c character", *p);
    else
        pp_error(pp, token, "missing terminating %c character", *p);
}

static void warn_trigraphs(Pp *pp, const char *start, const char *stop) {
    if (pp->skipping || !pp_might_warn(pp, WARN_TRIGRAPHS)) return;
    for (const char *p = start; (p = memchr(p, '?', (size_t)(stop - p))); p++) {
        char meaning = trigraph_meaning(p);
        if (!meaning) continue;
        Token at = token_at(pp->buffer, p, 3);
        if (pp->trigraphs)
            pp_warn(pp, "trigraphs", &at, "trigraph %.3s converted to %c", p, meaning);
        else
            pp_warn(pp, "trigraphs", &at, "trigraph %.3s ignored, use -trigraphs to enable", p);
    }
}

static void finish(Pp *pp, Buffer *buffer, const char *start, const char *stop, Token *token) {
    buffer->at = stop;
    buffer->flags &= TOKF_SYSTEM;
    token->pos = buffer->start + (Pos)(start - buffer->text);
    token->expansion = 0;
    if (token->kind == TOK_OTHER) report_unterminated(pp, token);
}

void lex_token(Pp *pp, Token *token) {
    Buffer *buffer = pp->buffer;
    const char *p = buffer->at, *end = buffer->end;
    uint8_t flags = buffer->flags;
    for (;;) {
        switch (class_of(*p)) {
        case C_BLANK:
            do p++;
            while (class_of(*p) == C_BLANK);
            flags |= TOKF_SPACE;
            continue;
        case C_NEWLINE:
            if (pp->in_directive) break;
            p++;
            flags = (flags & TOKF_SYSTEM) | TOKF_LINE;
            continue;
        case C_NUL:
            if (p >= end) break;
            p++;
            flags |= TOKF_SPACE;
            continue;
        default: {
            const char *after = *p == '\\' || *p == '?' ? splice_end(pp, p) : NULL;
            if (after) {
                p = after;
                continue;
            }
            const char *stop = scan(pp, p, end, token, true);
            token->length = (uint32_t)(stop - p);
            if (token->kind == SCAN_AGAIN) stop = scan_again(pp, p, end, token);
            if (token->kind >= SCAN_LINE_COMMENT) {
                const char *start = p;
                p = skip_comment(pp, p, stop, token->kind);
                if (pp->options.keep_comments) keep_comment(pp, start, p, flags);
                flags |= TOKF_SPACE;
                continue;
            }
            bool literal =
                token->kind == TOK_CHAR || (token->kind == TOK_STRING && !is_raw_string(pp, token));
            if (literal || token->kind == TOK_QUESTION || (pp->trigraphs && *p == '?'))
                warn_trigraphs(pp, p, stop);
            token->flags = flags;
            finish(pp, buffer, p, stop, token);
            return;
        }
        }
        token->kind = pp->in_directive ? TOK_NEWLINE : TOK_EOF;
        token->flags = flags;
        token->length = 0;
        token->spelling = p;
        finish(pp, buffer, p, p, token);
        if (token->kind == TOK_EOF) buffer->flags |= TOKF_LINE;
        return;
    }
}

// Skips white space and comments without reporting anything.
static const char *skip_blanks(Pp *pp, const char *p, bool newlines, bool *line) {
    const char *end = pp->buffer->end;
    for (;;) {
        const char *after;
        if (class_of(*p) == C_BLANK || (*p == '\0' && p < end)) {
            p++;
        } else if (*p == '\n' && newlines) {
            *line = true;
            p++;
        } else if ((*p == '\\' || *p == '?') && (after = splice_end(pp, p))) {
            p = after;
        } else if (*p == '/') {
            Token token;
            const char *stop = scan(pp, p, end, &token, true);
            if (token.kind == SCAN_AGAIN) stop = scan_again(pp, p, end, &token);
            if (token.kind == SCAN_LINE_COMMENT)
                p = line_comment_end(pp, stop, end);
            else if (token.kind != SCAN_BLOCK_COMMENT)
                return p;
            else if (!(p = block_comment_end(pp, stop, end)))
                return end;
        } else {
            return p;
        }
    }
}

bool lex_peek_paren(Pp *pp) {
    bool line = false;
    return *skip_blanks(pp, pp->buffer->at, !pp->in_directive, &line) == '(';
}

// ---- Skipped groups

static const bool stops_skipping[256] = {['\0'] = true, ['\n'] = true, ['/'] = true, ['"'] = true,
                                         ['\''] = true, ['\\'] = true, ['?'] = true};

// The newline or file end that ends the line on which p stands; literals may hide what looks like
// comments.
static const char *skip_to_newline(Pp *pp, const char *p) {
    const char *begin = p, *end = pp->buffer->end;
    for (;;) {
        while (!stops_skipping[(unsigned char)*p]) p++;
        if (*p == '\n') return p;
        if (*p == '\0') {
            if (p >= end) return end;
            p++;
            continue;
        }
        const char *after = *p == '\\' || *p == '?' ? splice_end(pp, p) : NULL;
        if (after) {
            p = after;
        } else if (*p == '\\') {
            p++;
        } else {
            Token token;
            const char *start = literal_start(pp, begin, p);
            p = scan(pp, start, end, &token, true);
            if (token.kind == SCAN_AGAIN) p = scan_again(pp, start, end, &token);
            if (token.kind >= SCAN_LINE_COMMENT) p = skip_comment(pp, start, p, token.kind);
        }
    }
}

bool lex_skip_lines(Pp *pp) {
    Buffer *buffer = pp->buffer;
    const char *p = buffer->at;
    bool line = (buffer->flags & TOKF_LINE) != 0;
    for (;;) {
        p = skip_blanks(pp, p, true, &line);
        if (p >= buffer->end) {
            buffer->at = buffer->end;
            return false;
        }
        if (line && (*p == '#' || *p == '%' || *p == '?')) {
            buffer->at = p;
            buffer->flags |= TOKF_LINE;
            Token token;
            lex_token(pp, &token);
            if (token.kind == TOK_HASH) return true;
            p = buffer->at;
        }
        line = false;
        p = skip_to_newline(pp, p);
    }
}

void pp_skip_line(Pp *pp) {
    pp->buffer->at = skip_to_newline(pp, pp->buffer->at);
}

// ---- Parts of lines

const char *lex_rest_of_line(Pp *pp, bool comments) {
    const char *p = pp->buffer->at, *end = pp->buffer->end;
    while (lex_is_blank(*p)) p++;
    const char *begin = p;
    vec_clear(&pp->text);
    while (p < end && *p != '\n') {
        const char *after = *p == '\\' || *p == '?' ? splice_end(pp, p) : NULL;
        if (after) {
            p = after;
        } else if (*p == '"' || *p == '\'' || *p == '/') {
            Token token;
            const char *start = literal_start(pp, begin, p);
            const char *stop = scan(pp, start, end, &token, true);
            token.length = (uint32_t)(stop - start);
            if (token.kind == SCAN_AGAIN) stop = scan_again(pp, start, end, &token);
            if (token.kind >= SCAN_LINE_COMMENT) {
                p = token.kind == SCAN_LINE_COMMENT ? line_comment_end(pp, stop, end)
                                                    : block_comment_end(pp, stop, end);
                if (!p) p = end;
                if (comments)
                    text_add(pp, start, (size_t)(p - start));
                else
                    text_add(pp, " ", 1);
            } else {
                pp->text.count -= (uint32_t)(p - start); // the prefix comes with the literal
                text_spelling(pp, &token);
                p = stop;
            }
        } else {
            char other = trigraph(pp, p);
            text_add(pp, other ? &other : p, 1);
            p += other ? 3 : 1;
        }
    }
    while (pp->text.count && lex_is_blank(pp->text.at[pp->text.count - 1])) pp->text.count--;
    vec_push(pp->arena, &pp->text, '\0');
    pp->text.count--;
    return pp->text.at;
}

bool lex_header(Pp *pp, Token *token) {
    Buffer *buffer = pp->buffer;
    bool line = false;
    const char *p = skip_blanks(pp, buffer->at, false, &line);
    if (*p != '<') return false;
    const char *text, *close;
    for (uint32_t limit = 128;; limit *= 2) {
        clean_text(pp, p, buffer->end, limit);
        close = text = pp->clean.at;
        while (*close && *close != '\n' && *close != '>') close++;
        if (*close || pp->clean.count <= limit) break; // found, or all there is
    }
    if (*close != '>') return false;
    token->kind = TOK_HEADER;
    token->length = (uint32_t)(close + 1 - text);
    token->spelling = arena_text(pp->arena, text, token->length);
    token->flags = buffer->flags;
    finish(pp, buffer, p, p + pp->clean_from.at[token->length], token);
    return true;
}

// ---- Spellings

void text_add(Pp *pp, const char *bytes, size_t length) {
    if (length) memcpy(vec_extend(pp->arena, &pp->text, length), bytes, length);
}

static const char *digraph(TokenKind kind) {
    switch (kind) {
    case TOK_LBRACKET: return "<:";
    case TOK_RBRACKET: return ":>";
    case TOK_LBRACE: return "<%";
    case TOK_RBRACE: return "%>";
    case TOK_HASH: return "%:";
    default: return "%:%:";
    }
}

const char *token_spelling(Pp *pp, const Token *token, size_t *length) {
    (void)pp;
    const char *text = punctuators[token->kind];
    if (text) {
        *length = strlen(text);
        if (*length == token->length) return text;
        text = digraph(token->kind);
        *length = strlen(text);
        return text;
    }
    if (token->kind == TOK_IDENT) {
        *length = token->ident->length;
        return token->ident->text;
    }
    *length = token->length;
    return token->spelling;
}

void text_spelling(Pp *pp, const Token *token) {
    size_t length;
    const char *text = token_spelling(pp, token, &length);
    text_add(pp, text, length);
}

Token lex_make(Pp *pp, TokenKind kind, const char *text, size_t length) {
    return (Token){.kind = (uint8_t)kind,
                   .length = size_to_u32(length, "characters in one token"),
                   .spelling = arena_text(pp->arena, text, length)};
}

bool lex_text(Pp *pp, Token *token) {
    uint32_t length = pp->text.count;
    if (length == 0 || class_of(*pp->text.at) == C_BLANK) return false;
    // The text is moved out of the way of what the scanner itself collects.
    vec_clear(&pp->clean);
    memcpy(vec_extend(pp->arena, &pp->clean, length), pp->text.at, length);
    vec_push(pp->arena, &pp->clean, '\0');
    const char *text = pp->clean.at;
    if (scan(pp, text, text + length, token, false) != text + length) return false;
    if (token->kind >= SCAN_LINE_COMMENT || (token->kind == TOK_OTHER && length > 1)) return false;
    token->length = length;
    if (token->kind != TOK_IDENT && !punctuators[token->kind])
        token->spelling = arena_text(pp->arena, text, length);
    return true;
}

void lex_init(Pp *pp) {
    ident_grow(pp);
    pp->names.defined = pp_ident(pp, "defined", 7);
    pp->names.va_args = pp_ident(pp, "__VA_ARGS__", 11);
    pp->names.va_opt = pp_ident(pp, "__VA_OPT__", 10);
    pp->names.pragma = pp_ident(pp, "_Pragma", 7);
}
