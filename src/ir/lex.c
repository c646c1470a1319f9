// The lexer of the text forms: one character decides what a token is, and no token crosses a line.
#include "ir/lex.h"

#include <string.h>

#define SYMBOLS (ON_DATA | ON_FUNCTION | ON_ALIAS)

const Attribute attribute_table[ATTRIBUTE_COUNT] = {
    {.word = "static", .kind = ATTR_LINKAGE, .value = LINK_STATIC, .where = SYMBOLS},
    {.word = "weak", .kind = ATTR_LINKAGE, .value = LINK_WEAK, .where = SYMBOLS},
    {.word = "common", .kind = ATTR_LINKAGE, .value = LINK_COMMON, .where = ON_DATA},
    {.word = "hidden", .kind = ATTR_VISIBILITY, .value = VIS_HIDDEN, .where = SYMBOLS},
    {.word = "protected", .kind = ATTR_VISIBILITY, .value = VIS_PROTECTED, .where = SYMBOLS},
    {.word = "internal", .kind = ATTR_VISIBILITY, .value = VIS_INTERNAL, .where = SYMBOLS},
    {.word = "const", .kind = ATTR_FLAG, .value = SYMF_CONST, .where = ON_DATA | ON_ALIAS},
    {.word = "thread", .kind = ATTR_FLAG, .value = SYMF_THREAD, .where = ON_DATA | ON_ALIAS},
    {.word = "noreturn",
     .kind = ATTR_FLAG,
     .value = SYMF_NORETURN,
     .where = ON_FUNCTION | ON_ALIAS},
    {.word = "noinline",
     .kind = ATTR_FLAG,
     .value = SYMF_NOINLINE,
     .where = ON_FUNCTION | ON_ALIAS},
    {.word = "alwaysinline",
     .kind = ATTR_FLAG,
     .value = SYMF_ALWAYS_INLINE,
     .where = ON_FUNCTION | ON_ALIAS},
    {.word = "used", .kind = ATTR_FLAG, .value = SYMF_USED, .where = SYMBOLS},
    {.word = "returns_twice",
     .kind = ATTR_FLAG,
     .value = SYMF_RETURNS_TWICE,
     .where = ON_FUNCTION | ON_ALIAS},
    {.word = "section", .kind = ATTR_SECTION, .value = 0, .where = ON_DATA | ON_FUNCTION},
    {.word = "constructor", .kind = ATTR_CONSTRUCTOR, .value = 0, .where = ON_FUNCTION},
    {.word = "destructor", .kind = ATTR_DESTRUCTOR, .value = 0, .where = ON_FUNCTION},
};

// The character at a place, or NUL after the end; a NUL in the text is no part of any token, so the
// two need not be told apart.
static char char_at(const Lexer *lexer, uint32_t at) {
    return at < lexer->end ? lexer->text[at] : '\0';
}

static uint32_t skip_digits(const Lexer *lexer, uint32_t at) {
    while (char_is_digit(char_at(lexer, at))) at++;
    return at;
}

static uint32_t skip_symbol(const Lexer *lexer, uint32_t at) {
    while (char_in_symbol(char_at(lexer, at))) at++;
    return at;
}

// Blanks and a comment; what follows is a token, a line break or the end.
static void skip_blanks(Lexer *lexer) {
    for (;;) {
        char c = char_at(lexer, lexer->at);
        if (c == ' ' || c == '\t' || c == '\r')
            lexer->at++;
        else if (c == '/' && char_at(lexer, lexer->at + 1) == '/')
            lex_skip_line(lexer);
        else
            return;
    }
}

void lex_skip_line(Lexer *lexer) {
    if (lexer->at >= lexer->end) return;
    const char *at = lexer->text + lexer->at;
    const char *line_end = memchr(at, '\n', lexer->end - lexer->at);
    lexer->at = line_end ? (uint32_t)(line_end - lexer->text) : lexer->end;
}

static Token bad_token(uint32_t start, uint32_t end, const char *problem) {
    return (Token){.kind = T_BAD, .start = start, .end = end, .problem = problem};
}

// One past the closing quote of a string that opens at a place; 0 if the line ends before. Whether
// its escapes mean something is the parser's business.
static uint32_t string_end(const Lexer *lexer, uint32_t at) {
    for (at++; at < lexer->end && lexer->text[at] != '\n'; at++) {
        if (lexer->text[at] == '"') return at + 1;
        if (lexer->text[at] == '\\' && char_at(lexer, at + 1) != '\n') at++;
    }
    return 0;
}

static Token string_token(const Lexer *lexer, uint32_t start) {
    uint32_t end = string_end(lexer, start);
    if (!end) return bad_token(start, start + 1, "this string is not closed in its line");
    return (Token){.kind = T_STRING, .start = start, .end = end};
}

// A number takes everything that could be meant to belong to it, so that a misspelt one is one
// mistake. A sign belongs to it only as that of an exponent.
static Token number_token(const Lexer *lexer, uint32_t start) {
    bool hex = char_at(lexer, start) == '0' && (char_at(lexer, start + 1) | 32) == 'x';
    char exponent = hex ? 'p' : 'e';
    uint32_t at = start;
    for (;;) {
        char c = char_at(lexer, at);
        if (!char_is_letter(c) && !char_is_digit(c) && c != '.') break;
        at++;
        char sign = char_at(lexer, at);
        if ((c | 32) == exponent && (sign == '+' || sign == '-')) at++;
    }
    return (Token){.kind = T_NUMBER, .start = start, .end = at};
}

// name | "any bytes"; 0 if there is neither.
static uint32_t name_end(const Lexer *lexer, uint32_t at, bool is_register) {
    char c = char_at(lexer, at);
    if (c == '"') return string_end(lexer, at);
    if (!is_register) return char_starts_symbol(c) ? skip_symbol(lexer, at) : 0;
    if (!char_is_letter(c)) return 0;
    while (char_in_register(char_at(lexer, at))) at++;
    return at;
}

static Token register_token(const Lexer *lexer, uint32_t start) {
    uint32_t at = name_end(lexer, start + 1, true);
    bool named = at != 0;
    if (!named) at = start + 1;
    Token token = {.kind = T_REGISTER, .start = start, .name_end = at};
    bool numbered = named ? char_at(lexer, at) == '\'' && char_is_digit(char_at(lexer, at + 1))
                          : char_is_digit(char_at(lexer, at));
    if (!named && !numbered)
        return bad_token(start, start + 1, "a register needs a name or a number");
    if (numbered) at = skip_digits(lexer, at + named);
    if (char_at(lexer, at) == '.' && char_is_digit(char_at(lexer, at + 1)))
        at = skip_digits(lexer, at + 1);
    token.end = at;
    return token;
}

static Token symbol_token(const Lexer *lexer, uint32_t start) {
    uint32_t end = name_end(lexer, start + 1, false);
    if (!end) return bad_token(start, start + 1, "a symbol needs a name");
    return (Token){.kind = T_SYMBOL, .start = start, .end = end, .name_end = end};
}

static Token slot_token(const Lexer *lexer, uint32_t start) {
    uint32_t end = name_end(lexer, start + 1, false);
    uint32_t at = end ? end : start + 1;
    if (!end) end = skip_digits(lexer, at);
    if (end == start + 1) return bad_token(start, start + 1, "a slot needs a name or a number");
    return (Token){.kind = T_SLOT, .start = start, .end = end, .name_end = at};
}

static Token punctuation_token(const Lexer *lexer, uint32_t start) {
    char c = char_at(lexer, start);
    if (c == '-' && char_at(lexer, start + 1) == '>')
        return (Token){.kind = T_ARROW, .start = start, .end = start + 2};
    if (c == '.' && char_at(lexer, start + 1) == '.' && char_at(lexer, start + 2) == '.')
        return (Token){.kind = T_ELLIPSIS, .start = start, .end = start + 3};
    if (c == '\0' || !strchr("\n,:=[]{}()+-*!&|", c))
        return bad_token(start, start + 1, "this character has no meaning here");
    return (Token){.kind = (unsigned char)c, .start = start, .end = start + 1};
}

Token lex_next(Lexer *lexer) {
    skip_blanks(lexer);
    uint32_t start = lexer->at;
    if (start >= lexer->end) return (Token){.kind = T_END, .start = start, .end = start};
    char c = lexer->text[start];
    Token token;
    if (c == '%')
        token = register_token(lexer, start);
    else if (char_is_digit(c))
        token = number_token(lexer, start);
    else if (char_is_letter(c))
        token = (Token){.kind = T_WORD, .start = start, .end = skip_symbol(lexer, start)};
    else if (c == '@')
        token = symbol_token(lexer, start);
    else if (c == '$')
        token = slot_token(lexer, start);
    else if (c == '"')
        token = string_token(lexer, start);
    else
        token = punctuation_token(lexer, start);
    lexer->at = token.end;
    // What follows an unclosed string is part of it; and looking there for tokens would take
    // quadratic time, since each quote might open another one.
    if (c == '"' && token.kind == T_BAD) lex_skip_line(lexer);
    return token;
}
