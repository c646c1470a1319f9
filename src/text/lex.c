// The lexer of the text forms: one character decides what a token is, and no token crosses a line.
#include "text/lex.h"

#include <string.h>

#define SYMBOLS (ON_DATA | ON_FUNCTION | ON_ALIAS)

const Attribute attribute_table[] = {
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
    {.word = "noipa", .kind = ATTR_FLAG, .value = SYMF_NOIPA, .where = ON_FUNCTION},
    {.word = "alwaysinline",
     .kind = ATTR_FLAG,
     .value = SYMF_ALWAYS_INLINE,
     .where = ON_FUNCTION | ON_ALIAS},
    {.word = "used", .kind = ATTR_FLAG, .value = SYMF_USED, .where = SYMBOLS},
    {.word = "returns_twice",
     .kind = ATTR_FLAG,
     .value = SYMF_RETURNS_TWICE,
     .where = ON_FUNCTION | ON_ALIAS},
    {.word = "retain", .kind = ATTR_FLAG, .value = SYMF_RETAIN, .where = ON_DATA | ON_FUNCTION},
    {.word = "version", .kind = ATTR_FLAG, .value = SYMF_VERSION, .where = ON_ALIAS},
    {.word = "replaceable", .kind = ATTR_FLAG, .value = SYMF_REPLACEABLE, .where = SYMBOLS},
    {.word = "guarded", .kind = ATTR_FLAG, .value = SYMF_GUARD, .where = ON_FUNCTION},
    {.word = "unguarded", .kind = ATTR_FLAG, .value = SYMF_NO_GUARD, .where = ON_FUNCTION},
    {.word = "buffer_param", .kind = ATTR_FLAG, .value = SYMF_BUFFER_PARAM, .where = ON_FUNCTION},
    {.word = "untracked", .kind = ATTR_FLAG, .value = SYMF_UNTRACKED, .where = ON_FUNCTION},
    {.word = "zero", .kind = ATTR_FLAG, .value = SYMF_ZERO, .where = ON_FUNCTION},
    {.word = "zero_none", .kind = ATTR_FLAG, .value = SYMF_ZERO_NONE, .where = ON_FUNCTION},
    {.word = "zero_used", .kind = ATTR_FLAG, .value = SYMF_ZERO_USED, .where = ON_FUNCTION},
    {.word = "zero_general", .kind = ATTR_FLAG, .value = SYMF_ZERO_GENERAL, .where = ON_FUNCTION},
    {.word = "zero_arguments",
     .kind = ATTR_FLAG,
     .value = SYMF_ZERO_ARGUMENTS,
     .where = ON_FUNCTION},
    {.word = "naked", .kind = ATTR_FLAG, .value = SYMF_NAKED, .where = ON_FUNCTION},
    {.word = "unsplit", .kind = ATTR_FLAG, .value = SYMF_NO_SPLIT, .where = ON_FUNCTION},
    {.word = "keeps_all", .kind = ATTR_FLAG, .value = SYMF_KEEPS_ALL, .where = ON_FUNCTION},
    {.word = "interrupt", .kind = ATTR_FLAG, .value = SYMF_INTERRUPT, .where = ON_FUNCTION},
    {.word = "section", .kind = ATTR_SECTION, .value = 0, .where = ON_DATA | ON_FUNCTION},
    {.word = "align", .kind = ATTR_ALIGN, .value = 0, .where = ON_FUNCTION},
    {.word = "constructor", .kind = ATTR_CONSTRUCTOR, .value = 0, .where = ON_FUNCTION},
    {.word = "destructor", .kind = ATTR_DESTRUCTOR, .value = 0, .where = ON_FUNCTION},
};
const uint32_t attribute_count = sizeof attribute_table / sizeof attribute_table[0];

// The character at a place, or NUL after the end; a NUL in the text is no part of any token, so the
// two need not be told apart.
static char char_at(const Lexer *lexer, uint32_t at) {
    return at < lexer->end ? lexer->text[at] : '\0';
}

// Past all characters of some kinds.
static uint32_t skip(const Lexer *lexer, uint32_t at, uint32_t kinds) {
    const char *text = lexer->text;
    uint32_t end = lexer->end;
    while (at < end && char_is(text[at], kinds)) at++;
    return at;
}

static uint32_t skip_digits(const Lexer *lexer, uint32_t at) {
    return skip(lexer, at, CHAR_DIGIT);
}

static uint32_t skip_symbol(const Lexer *lexer, uint32_t at) {
    return skip(lexer, at, CHAR_LETTER | CHAR_DIGIT | CHAR_DOT | CHAR_DOLLAR);
}

// Blanks and a comment; what follows is a token, a line break or the end.
static void skip_blanks(Lexer *lexer) {
    lexer->at = skip(lexer, lexer->at, CHAR_BLANK);
    if (char_at(lexer, lexer->at) == '/' && char_at(lexer, lexer->at + 1) == '/')
        lex_skip_line(lexer);
}

void lex_skip_line(Lexer *lexer) {
    if (lexer->at >= lexer->end) return;
    const char *at = lexer->text + lexer->at;
    const char *line_end = memchr(at, '\n', lexer->end - lexer->at);
    lexer->at = line_end ? (uint32_t)(line_end - lexer->text) : lexer->end;
}

static TextToken bad_token(uint32_t start, uint32_t end, const char *problem) {
    return (TextToken){.kind = T_BAD, .start = start, .end = end, .problem = problem};
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

static TextToken string_token(const Lexer *lexer, uint32_t start) {
    uint32_t end = string_end(lexer, start);
    if (!end) return bad_token(start, start + 1, "this string is not closed in its line");
    return (TextToken){.kind = T_STRING, .start = start, .end = end};
}

// A number takes everything that could be meant to belong to it, so that a misspelt one is one
// mistake. A sign belongs to it only as that of an exponent.
static TextToken number_token(const Lexer *lexer, uint32_t start) {
    uint32_t at = skip_digits(lexer, start);
    bool hex = at == start + 1 && (char_at(lexer, at) | 32) == 'x';
    char exponent = hex ? 'p' : 'e';
    for (;;) {
        char c = char_at(lexer, at);
        if (!char_is_letter(c) && !char_is_digit(c) && c != '.') break;
        at++;
        char sign = char_at(lexer, at);
        if ((c | 32) == exponent && (sign == '+' || sign == '-')) at++;
    }
    return (TextToken){.kind = T_NUMBER, .start = start, .end = at};
}

// name | "any bytes"; 0 if there is neither.
static uint32_t name_end(const Lexer *lexer, uint32_t at, bool is_register) {
    char c = char_at(lexer, at);
    if (c == '"') return string_end(lexer, at);
    if (!is_register) return char_starts_symbol(c) ? skip_symbol(lexer, at) : 0;
    return char_is_letter(c) ? skip(lexer, at, CHAR_LETTER | CHAR_DIGIT | CHAR_DOLLAR) : 0;
}

static TextToken register_token(const Lexer *lexer, uint32_t start) {
    uint32_t at = name_end(lexer, start + 1, true);
    bool named = at != 0;
    if (!named) at = start + 1;
    TextToken token = {.kind = T_REGISTER, .start = start, .name_end = at};
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

static TextToken symbol_token(const Lexer *lexer, uint32_t start) {
    uint32_t end = name_end(lexer, start + 1, false);
    if (!end) return bad_token(start, start + 1, "a symbol needs a name");
    return (TextToken){.kind = T_SYMBOL, .start = start, .end = end, .name_end = end};
}

static TextToken slot_token(const Lexer *lexer, uint32_t start) {
    uint32_t end = name_end(lexer, start + 1, false);
    uint32_t at = end ? end : start + 1;
    if (!end) end = skip_digits(lexer, at);
    if (end == start + 1) return bad_token(start, start + 1, "a slot needs a name or a number");
    return (TextToken){.kind = T_SLOT, .start = start, .end = end, .name_end = at};
}

static TextToken punctuation_token(const Lexer *lexer, uint32_t start) {
    char c = char_at(lexer, start);
    if (c == '-' && char_at(lexer, start + 1) == '>')
        return (TextToken){.kind = T_ARROW, .start = start, .end = start + 2};
    if (c == '.' && char_at(lexer, start + 1) == '.' && char_at(lexer, start + 2) == '.')
        return (TextToken){.kind = T_ELLIPSIS, .start = start, .end = start + 3};
    if (c == '-') return (TextToken){.kind = '-', .start = start, .end = start + 1};
    return bad_token(start, start + 1, "this character has no meaning here");
}

// A token that is neither a word nor a single character.
static TextToken other_token(Lexer *lexer, uint32_t start) {
    char c = lexer->text[start];
    TextToken token;
    if (c == '%')
        token = register_token(lexer, start);
    else if (char_is_digit(c))
        token = number_token(lexer, start);
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

TextToken lex_next(Lexer *lexer) {
    skip_blanks(lexer);
    uint32_t start = lexer->at, end = start;
    if (start >= lexer->end) return (TextToken){.kind = T_END, .start = start, .end = start};
    char c = lexer->text[start];
    if (char_is_letter(c))
        end = skip_symbol(lexer, start);
    else if (char_is(c, CHAR_MARK))
        end = start + 1;
    else
        return other_token(lexer, start);
    lexer->at = end;
    if (c == 'R' && lexer->plain_registers && end > start + 1 &&
        skip_digits(lexer, start + 1) == end)
        return (TextToken){.kind = T_REGISTER, .start = start, .end = end, .name_end = start + 1};
    return (TextToken){
        .kind = char_is_letter(c) ? T_WORD : (unsigned char)c, .start = start, .end = end};
}
