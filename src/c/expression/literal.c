// Literals: numbers, character constants and strings, from their spellings to typed constants.
#include "c/parse/expression.h"
#include "c/preprocess/charset.h"
#include "c/preprocess/pp_number.h"
#include "c/preprocess/raw_string.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static Expr *literal_error(Parser *parser, const Token *token) {
    Expr at = expr_at_token(token);
    parser_next(parser);
    return expr_error(parser, &at);
}

// ---- Integers

typedef struct {
    const char *text; // the spelling
    uint32_t length;
    uint32_t digits; // where the digits start
    uint32_t suffix; // where they end
    unsigned base;
} Number;

typedef struct {
    bool is_unsigned;
    unsigned longs;
    bool imaginary;
} IntegerSuffix;

static bool integer_suffix(const char *text, uint32_t length, IntegerSuffix *suffix) {
    *suffix = (IntegerSuffix){0};
    for (uint32_t i = 0; i < length;) {
        char c = text[i];
        if ((c == 'u' || c == 'U') && !suffix->is_unsigned) {
            suffix->is_unsigned = true;
            i++;
        } else if ((c == 'l' || c == 'L') && !suffix->longs) {
            suffix->longs = i + 1 < length && text[i + 1] == c ? 2 : 1;
            i += suffix->longs;
        } else if (strchr("ijIJ", c) && !suffix->imaginary) {
            suffix->imaginary = true;
            i++;
        } else {
            return false;
        }
    }
    return true;
}

// The first type of the standard's list that holds the value.
static CType *integer_type(Parser *parser, uint64_t value, bool decimal,
                           const IntegerSuffix *suffix) {
    static const uint8_t kinds[] = {CT_INT, CT_UINT, CT_LONG, CT_ULONG, CT_LLONG, CT_ULLONG};
    for (unsigned i = 2 * suffix->longs; i < 6; i++) {
        CType *type = parser->types->basic[kinds[i]];
        bool is_unsigned = i % 2 == 1;
        if (is_unsigned ? decimal && !suffix->is_unsigned : suffix->is_unsigned) continue;
        unsigned bits = type_bits(type) - !is_unsigned;
        if (bits == 64 || value >> bits == 0) return type;
    }
    return parser->types->basic[suffix->longs == 2 ? CT_ULLONG : CT_ULONG];
}

static unsigned digit_value(char c) {
    if (c >= '0' && c <= '9') return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f') return (unsigned)(c - 'a') + 10;
    if (c >= 'A' && c <= 'F') return (unsigned)(c - 'A') + 10;
    return 99;
}

static Expr *parse_integer_literal(Parser *parser, const Number *number) {
    const Token token = parser->token;
    IntegerSuffix suffix;
    uint32_t suffix_length = number->length - number->suffix;
    if (!integer_suffix(number->text + number->suffix, suffix_length, &suffix)) {
        error_at_token(parser, "invalid suffix '%.*s' on an integer constant", (int)suffix_length,
                       number->text + number->suffix);
        return literal_error(parser, &token);
    }
    uint64_t value = 0;
    bool overflow = false;
    for (uint32_t i = number->digits; i < number->suffix; i++) {
        unsigned digit = digit_value(number->text[i]);
        if (digit >= number->base) {
            error_at_token(parser, "invalid digit '%c' in %s constant", number->text[i],
                           number->base == 8 ? "an octal" : "a binary");
            return literal_error(parser, &token);
        }
        overflow |= value > (UINT64_MAX - digit) / number->base;
        value = value * number->base + digit;
    }
    if (overflow)
        parser_warn(parser, WARN_OVERFLOW, token.pos, token.pos + token.length,
                    "integer constant is too large for its type");
    CType *type = integer_type(parser, value, number->base == 10, &suffix);
    Expr at = expr_at_token(&token);
    parser_next(parser);
    Expr *constant = expr_int(parser, type, value, &at);
    return suffix.imaginary ? expr_imaginary(parser, constant) : constant;
}

// ---- Floating constants

// The type of a suffix; NULL if it is no suffix, or its type is not supported.
static CType *floating_type(Parser *parser, const char *suffix, size_t length) {
    static const struct {
        const char *text;
        uint8_t kind, form;
    } rows[] = {
        {"", CT_DOUBLE, FLOAT_STANDARD},     {"f", CT_FLOAT, FLOAT_STANDARD},
        {"l", CT_LDOUBLE, FLOAT_STANDARD},   {"f32", CT_FLOAT, FLOAT_INTERCHANGE},
        {"f16", CT_FLOAT, FLOAT_EXCESS},     {"f64", CT_DOUBLE, FLOAT_INTERCHANGE},
        {"f32x", CT_DOUBLE, FLOAT_EXTENDED}, {"f64x", CT_LDOUBLE, FLOAT_EXTENDED},
        {"w", CT_LDOUBLE, FLOAT_STANDARD},   {"d", CT_DOUBLE, FLOAT_STANDARD},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strlen(rows[i].text) == length && strncasecmp(rows[i].text, suffix, length) == 0)
            return rows[i].form ? parser->types->floats[rows[i].kind][rows[i].form]
                                : parser->types->basic[rows[i].kind];
    return NULL;
}

static Expr *parse_floating(Parser *parser, const Number *number) {
    const Token token = parser->token;
    size_t suffix_length = number->length - number->suffix;
    const char *suffix = number->text + number->suffix;
    // The i of an imaginary constant stands before or after the rest.
    bool first = suffix_length > 0 && strchr("ijIJ", suffix[0]);
    bool last = !first && suffix_length > 0 && strchr("ijIJ", suffix[suffix_length - 1]);
    size_t rest = suffix_length - first - last;
    CType *type = floating_type(parser, suffix + first, rest);
    if (rest == 0 && parser->options->dialect.single_constants)
        type = parser->types->basic[CT_FLOAT];
    if (!type) {
        error_at_token(parser, "invalid or unsupported suffix '%.*s' on a floating constant",
                       (int)suffix_length, suffix);
        return literal_error(parser, &token);
    }
    char buffer[64];
    char *copy = buffer;
    if (number->suffix >= sizeof buffer)
        copy = arena_text(parser->body_arena, number->text, number->suffix);
    else
        memcpy(copy, number->text, number->suffix), copy[number->suffix] = '\0';
    char *end;
    long double value = type->kind == CT_FLOAT ? strtof(copy, &end)
                        : type_is_double(type) ? strtod(copy, &end)
                                               : strtold(copy, &end);
    if (end != copy + number->suffix) {
        error_at_token(parser, number->base == 16 && !strpbrk(copy, "pP")
                                   ? "a hexadecimal floating constant needs an exponent"
                               : strchr(copy, '.') != strrchr(copy, '.')
                                   ? "a floating constant can have only one point"
                                   : "the exponent has no digits");
        return literal_error(parser, &token);
    }
    if (number->base == 16 && !pp_has_c99(parser->pp))
        parser_warn(parser, WARN_PEDANTIC, token.pos, token.pos + token.length,
                    "use of C99 hexadecimal floating constant");
    if (isinf(round_floating(type_meant(parser->types, type), value)))
        parser_warn(parser, WARN_OVERFLOW, token.pos, token.pos + token.length,
                    "floating constant exceeds the range of %s", type_text(parser, type));
    if (suffix_length == 0)
        parser_warn(parser, WARN_UNSUFFIXED_FLOAT, token.pos, token.pos + token.length,
                    "unsuffixed floating constant");
    Expr at = expr_at_token(&token);
    parser_next(parser);
    Expr *expr = expr_floating(parser, type, value, &at);
    expr->constant_expression = true;
    return first || last ? expr_imaginary(parser, expr) : expr;
}

// Finds where the suffix starts. True if the constant is a floating one.
static bool scan_number(Number *number) {
    const char *text = number->text;
    uint32_t i = number->digits;
    bool hexadecimal = number->base == 16, floating = false;
    for (; i < number->length; i++) {
        char c = text[i];
        if (isdigit((unsigned char)c) || (hexadecimal && isxdigit((unsigned char)c))) continue;
        if (c == '.') {
            floating = true;
            continue;
        }
        bool exponent = hexadecimal ? c == 'p' || c == 'P' : c == 'e' || c == 'E';
        if (!exponent || number->base == 2) break;
        floating = true;
        i++;
        if (i < number->length && (text[i] == '+' || text[i] == '-')) i++;
        while (i < number->length && isdigit((unsigned char)text[i])) i++;
        break;
    }
    number->suffix = i;
    return floating;
}

Expr *parse_number(Parser *parser) {
    Number number = {.length = parser->token.length, .base = 10};
    const char *wrong;
    number.text =
        pp_number_plain(parser->body_arena, parser->token.spelling, &number.length, &wrong);
    if (!number.text) {
        Token token = parser->token;
        error_at_token(parser, "%s", wrong);
        return literal_error(parser, &token);
    }
    if (number.length == 1 && number.text[0] >= '0' && number.text[0] <= '9') {
        Expr at = expr_at_token(&parser->token);
        parser_next(parser);
        return expr_int(parser, parser->types->basic[CT_INT], (uint64_t)(number.text[0] - '0'),
                        &at);
    }
    if (number.text[0] == '0') {
        char next = number.text[1];
        if (next == 'x' || next == 'X')
            number.base = 16;
        else if (next == 'b' || next == 'B')
            number.base = 2;
        else if (isdigit((unsigned char)next))
            number.base = 8;
        number.digits = number.base == 16 || number.base == 2 ? 2 : 0;
    }
    bool floating = scan_number(&number);
    // A decimal constant may end in f without being octal or having a point: 08.f, 1f is not.
    if (floating) {
        if (number.base == 8) number.base = 10;
        return parse_floating(parser, &number);
    }
    if (number.digits == number.suffix) {
        Token token = parser->token;
        error_at_token(parser, "invalid number");
        return literal_error(parser, &token);
    }
    return parse_integer_literal(parser, &number);
}

// ---- Characters

typedef struct {
    const char *at, *end; // the rest between the quotes
    unsigned width;       // bytes of an element: 1, 2 or 4
} Chars;

typedef struct {
    uint32_t value;
    bool unit;    // one code unit as it is (an escape, or a byte); else a character to be encoded
    bool numeric; // of an escape with a number: it is so in every set of characters
} Char;

// A universal character name, after \u or \U.
static bool universal_name(Parser *parser, Chars *chars, unsigned digits, Char *result) {
    uint32_t value = 0;
    for (unsigned i = 0; i < digits; i++) {
        unsigned digit = chars->at < chars->end ? digit_value(*chars->at) : 99;
        if (digit > 15) {
            error_at_token(parser, "incomplete universal character name");
            return false;
        }
        value = value << 4 | digit;
        chars->at++;
    }
    char letter = digits == 4 ? 'u' : 'U';
    bool outside = value > 0x10ffff;
    if (value > INT32_MAX || (outside && chars->width == 2) ||
        (value >= 0xd800 && value < 0xe000)) {
        error_at_token(parser, "\\%c%0*x is not a character", letter, (int)digits, value);
        return false;
    }
    const Token *token = &parser->token;
    if (outside)
        parser_warn(parser, WARN_CPP, token->pos, token->pos + token->length,
                    "\\%c%0*x is outside the UCS codespace", letter, (int)digits, value);
    *result = (Char){.value = value};
    return true;
}

static bool numeric_escape(Parser *parser, Chars *chars, unsigned base, Char *result) {
    uint64_t value = 0;
    bool wide = false;
    unsigned count = 0;
    for (; chars->at < chars->end && digit_value(*chars->at) < base && (base == 16 || count < 3);
         chars->at++, count++) {
        value = value * base + digit_value(*chars->at);
        wide |= value >> 32 != 0 || value >> (8 * chars->width) != 0;
        value &= UINT32_MAX;
    }
    if (count == 0) {
        error_at_token(parser, "\\x without hexadecimal digits");
        return false;
    }
    const Token *token = &parser->token;
    if (wide)
        parser_warn(parser, WARN_OVERFLOW, token->pos, token->pos + token->length,
                    "%s escape sequence out of range", base == 8 ? "octal" : "hex");
    *result = (Char){.value = (uint32_t)value, .unit = true, .numeric = true};
    return true;
}

static bool escape_sequence(Parser *parser, Chars *chars, Char *result) {
    static const char names[] = "abfnrtveE\\'\"?", values[] = "\a\b\f\n\r\t\v\033\033\\'\"?";
    char c = chars->at < chars->end ? *chars->at : '\0';
    if (c >= '0' && c <= '7') return numeric_escape(parser, chars, 8, result);
    if (chars->at < chars->end) chars->at++;
    if (c == 'x') return numeric_escape(parser, chars, 16, result);
    if (c == 'u' || c == 'U') return universal_name(parser, chars, c == 'u' ? 4 : 8, result);
    const char *known = c ? strchr(names, c) : NULL;
    if (!known) {
        const Token *token = &parser->token;
        parser_warn(parser, WARN_PEDANTIC, token->pos, token->pos + token->length,
                    "unknown escape sequence '\\%c'", c);
    }
    *result = (Char){.value = (unsigned char)(known ? values[known - names] : c), .unit = true};
    return true;
}

// Decodes one character of UTF-8; a byte that starts none stands for itself.
static Char decode(Chars *chars) {
    const unsigned char *at = (const unsigned char *)chars->at;
    size_t left = (size_t)(chars->end - chars->at);
    unsigned length = *at < 0xc0   ? 1
                      : *at < 0xe0 ? 2
                      : *at < 0xf0 ? 3
                      : *at < 0xf8 ? 4
                      : *at < 0xfc ? 5
                                   : 6;
    if (length == 1 || length > left || *at >= 0xfe) {
        chars->at++;
        return (Char){.value = *at, .unit = *at >= 0x80};
    }
    uint32_t value = *at & (0x7fu >> length);
    for (unsigned i = 1; i < length; i++) {
        if ((at[i] & 0xc0) != 0x80) {
            chars->at++;
            return (Char){.value = *at, .unit = true};
        }
        value = value << 6 | (at[i] & 0x3f);
    }
    chars->at += length;
    return (Char){.value = value};
}

// The next character; false after an error.
static bool next_char(Parser *parser, Chars *chars, Char *result) {
    if (*chars->at == '\\') {
        chars->at++;
        return escape_sequence(parser, chars, result);
    }
    if (chars->width == 1) { // bytes stay as they are
        *result = (Char){.value = (unsigned char)*chars->at++, .unit = true};
        return true;
    }
    *result = decode(chars);
    return true;
}

static void put_unit(uint8_t *bytes, size_t *size, unsigned width, uint32_t value) {
    for (unsigned i = 0; i < width; i++) bytes[(*size)++] = (uint8_t)(value >> (8 * i));
}

static void encode_utf8(uint8_t *bytes, size_t *size, uint32_t value) {
    *size += utf8_encode(value, (char *)bytes + *size);
}

// Appends a character in the encoding of elements of a width.
static void encode(uint8_t *bytes, size_t *size, unsigned width, Char c) {
    if (c.unit || width == 4) {
        put_unit(bytes, size, width, c.value);
    } else if (width == 1) {
        encode_utf8(bytes, size, c.value);
    } else if (c.value < 0x10000) {
        put_unit(bytes, size, 2, c.value);
    } else {
        put_unit(bytes, size, 2, 0xd800 + ((c.value - 0x10000) >> 10));
        put_unit(bytes, size, 2, 0xdc00 + (c.value & 0x3ff));
    }
}

typedef enum { PREFIX_NONE, PREFIX_U8, PREFIX_U, PREFIX_UU, PREFIX_L } Prefix;

// The prefix of a character or string token; *start gets the place after the opening quote. The R
// of a raw string is no part of the prefix.
static Prefix literal_prefix(const Token *token, uint32_t *start) {
    const char *text = token->spelling;
    uint32_t quote = 0;
    while (text[quote] != '"' && text[quote] != '\'') quote++;
    *start = quote + 1;
    if (quote == 0 || text[0] == 'R') return PREFIX_NONE;
    if (text[0] == 'L') return PREFIX_L;
    if (text[0] == 'U') return PREFIX_UU;
    return text[1] == '8' ? PREFIX_U8 : PREFIX_U;
}

static CType *element_type(Parser *parser, Prefix prefix) {
    switch (prefix) {
    case PREFIX_L: return parser->types->wchar;
    case PREFIX_U: return parser->types->char16;
    case PREFIX_UU: return parser->types->char32;
    default: return parser->types->basic[CT_CHAR];
    }
}

// ---- Other character sets

// Text on its way to another set of characters: what is to be converted is collected up to an
// escape with a number.
typedef struct {
    Parser *parser;
    struct Charset *charset;
    unsigned width; // of an element
    VEC(char) text;
    VEC(uint8_t) bytes;
    bool failed;
} Translation;

static void translate_text(Translation *t) {
    Arena *arena = t->parser->body_arena;
    size_t size;
    if (!t->text.count) return;
    const uint8_t *bytes = charset_convert(t->charset, arena, t->text.at, t->text.count, &size);
    t->text.count = 0;
    if (!bytes) {
        if (!t->failed)
            error_at_token(t->parser, "converting to execution character set: a character is not "
                                      "in it");
        t->failed = true;
        return;
    }
    for (size_t i = 0; i < size; i++) vec_push(arena, &t->bytes, bytes[i]);
}

static void translate_char(Translation *t, Char c) {
    Arena *arena = t->parser->body_arena;
    uint8_t bytes[UTF8_LONGEST];
    size_t size = 0;
    if (c.numeric) {
        translate_text(t);
        put_unit(bytes, &size, t->width, c.value);
        for (size_t i = 0; i < size; i++) vec_push(arena, &t->bytes, bytes[i]);
        return;
    }
    if (c.unit) // a byte as it stands, or the meaning of a letter
        bytes[size++] = (uint8_t)c.value;
    else
        encode_utf8(bytes, &size, c.value);
    for (size_t i = 0; i < size; i++) vec_push(arena, &t->text, (char)bytes[i]);
}

// The set to which a literal is to be converted; NULL if it stays as it is.
static struct Charset *charset_for(const Parser *parser, Prefix prefix) {
    if (parser->untranslated || (prefix != PREFIX_NONE && prefix != PREFIX_L)) return NULL;
    return pp_exec_charset(parser->pp, prefix == PREFIX_L);
}

static bool translate_chars(Translation *t, Chars *chars, bool raw) {
    while (chars->at < chars->end) {
        Char c;
        if (raw)
            c = decode(chars);
        else if (!next_char(t->parser, chars, &c))
            return false;
        translate_char(t, c);
    }
    translate_text(t);
    return !t->failed;
}

// 'a', or several characters in one int.
static Expr *plain_character(Parser *parser, Chars *chars, const Token *token, Prefix prefix) {
    uint32_t value = 0;
    size_t count = 0;
    struct Charset *charset = charset_for(parser, prefix);
    if (charset) {
        Translation t = {.parser = parser, .charset = charset, .width = 1};
        if (!translate_chars(&t, chars, false)) return literal_error(parser, token);
        for (; count < t.bytes.count; count++) value = value << 8 | t.bytes.at[count];
    }
    while (chars->at < chars->end) {
        Char c;
        if (!next_char(parser, chars, &c)) return literal_error(parser, token);
        uint8_t bytes[UTF8_LONGEST];
        size_t size = 0;
        encode(bytes, &size, 1, c);
        for (size_t i = 0; i < size; i++) value = value << 8 | bytes[i];
        count += size;
    }
    Pos end = token->pos + token->length;
    if (count > 1)
        parser_warn(parser, WARN_MULTICHAR, token->pos, end,
                    count > 4 ? "character constant too long for its type"
                              : "multi-character character constant");
    Expr at = expr_at_token(token);
    parser_next(parser);
    bool one = count == 1 && !parser->types->basic[CT_CHAR]->unsigned_char;
    int64_t wide = one ? (int8_t)value : (int32_t)value;
    return expr_int(parser, parser->types->basic[CT_INT], (uint64_t)wide, &at);
}

Expr *parse_character(Parser *parser) {
    const Token token = parser->token;
    uint32_t start;
    Prefix prefix = literal_prefix(&token, &start);
    CType *type = element_type(parser, prefix);
    Chars chars = {.at = token.spelling + start,
                   .end = token.spelling + token.length - 1,
                   .width = (unsigned)type->size};
    if (chars.at >= chars.end) {
        error_at_token(parser, "empty character constant");
        return literal_error(parser, &token);
    }
    if (prefix == PREFIX_NONE || prefix == PREFIX_U8)
        return plain_character(parser, &chars, &token, prefix);
    Char c = {0};
    struct Charset *charset = charset_for(parser, prefix);
    if (charset) {
        Translation t = {.parser = parser, .charset = charset, .width = chars.width};
        if (!translate_chars(&t, &chars, false)) return literal_error(parser, &token);
        memcpy(&c.value, t.bytes.at, t.bytes.count < chars.width ? t.bytes.count : chars.width);
    }
    while (chars.at < chars.end)
        if (!next_char(parser, &chars, &c)) return literal_error(parser, &token);
    Expr at = expr_at_token(&token);
    parser_next(parser);
    return expr_int(parser, type, c.value, &at);
}

// ---- Strings

static Expr *string_expr(Parser *parser, CString *string, CType *element, const Expr *from) {
    CType *type = type_array(parser->types, element, string->size / string->element);
    Expr *expr = expr_new(parser, EX_STRING, type, from);
    expr->string = string;
    expr->lvalue = true;
    return expr;
}

Expr *expr_string(Parser *parser, const char *text, size_t length, const Expr *from) {
    CString *string = ARENA_NEW(parser->arena, CString);
    struct Charset *charset = charset_for(parser, PREFIX_NONE);
    size_t size;
    const uint8_t *other =
        charset ? charset_convert(charset, parser->body_arena, text, length, &size) : NULL;
    if (other) text = (const char *)other, length = size;
    string->bytes = (const uint8_t *)arena_text(parser->arena, text, length);
    string->size = length + 1;
    string->element = 1;
    return string_expr(parser, string, parser->types->basic[CT_CHAR], from);
}

// Collects adjacent strings and their common prefix: the widest.
static Prefix collect_strings(Parser *parser, Tokens *tokens, size_t *longest) {
    Prefix prefix = PREFIX_NONE;
    for (; parser->token.kind == TOK_STRING; parser_next(parser)) {
        uint32_t start;
        Prefix own = literal_prefix(&parser->token, &start);
        bool clash = own > PREFIX_U8 && prefix > PREFIX_U8 && own != prefix;
        if (clash)
            error_at_token(parser, "strings with different prefixes cannot be joined");
        else if (own > prefix)
            prefix = own;
        *longest += parser->token.length;
        vec_push(parser->body_arena, tokens, parser->token);
    }
    return prefix;
}

// The characters of a string token, without prefix, quotes and the delimiter of a raw string.
static Chars string_text(const Token *token, bool *raw) {
    uint32_t start;
    literal_prefix(token, &start);
    const char *text = token->spelling, *end = text + token->length;
    *raw = raw_string_prefix(text, start - 1);
    if (!*raw) return (Chars){.at = text + start, .end = end - 1};
    RawString found = raw_string_scan(text + start - 1, end, false);
    return (Chars){.at = found.text, .end = found.text_end};
}

// Appends the characters of one string token. The current token serves as the place of errors.
static void append_string(Parser *parser, const Token *token, CString *string, uint8_t *bytes,
                          size_t *size) {
    bool raw;
    Chars chars = string_text(token, &raw);
    chars.width = string->element;
    size_t length = (size_t)(chars.end - chars.at);
    if (string->element == 1 && (raw || !memchr(chars.at, '\\', length))) {
        memcpy(bytes + *size, chars.at, length);
        *size += length;
        return;
    }
    Token current = parser->token;
    parser->token = *token;
    while (chars.at < chars.end) {
        Char c;
        if (raw)
            c = decode(&chars);
        else if (!next_char(parser, &chars, &c))
            break;
        encode(bytes, size, string->element, c);
    }
    parser->token = current;
}

// The characters of all tokens in another set.
static void translate_strings(Parser *parser, struct Charset *charset, const Token *list,
                              uint32_t count, CString *string) {
    Translation t = {.parser = parser, .charset = charset, .width = string->element};
    for (uint32_t i = 0; i < count; i++) {
        bool raw;
        Chars chars = string_text(&list[i], &raw);
        chars.width = string->element;
        Token current = parser->token;
        parser->token = list[i];
        translate_chars(&t, &chars, raw);
        parser->token = current;
    }
    size_t size = t.bytes.count / string->element * string->element;
    uint8_t *bytes = arena_alloc(parser->arena, size + string->element);
    if (size) memcpy(bytes, t.bytes.at, size);
    memset(bytes + size, 0, string->element);
    string->bytes = bytes;
    string->size = size + string->element;
}

Expr *parse_string_literal(Parser *parser) {
    Expr at = expr_at_token(&parser->token);
    Tokens tokens = {0};
    Token only = parser->token;
    size_t longest = 0;
    Prefix prefix = PREFIX_NONE;
    const Token *list = &only;
    uint32_t count = 1, start;
    if (parser_peek(parser, 1)->kind == TOK_STRING) {
        prefix = collect_strings(parser, &tokens, &longest);
        list = tokens.at;
        count = tokens.count;
    } else {
        prefix = literal_prefix(&only, &start);
        longest = only.length;
        parser_next(parser);
    }
    CType *element = element_type(parser, prefix);
    CString *string = ARENA_NEW(parser->arena, CString);
    string->element = (uint32_t)element->size;
    struct Charset *charset = charset_for(parser, prefix);
    if (charset) {
        translate_strings(parser, charset, list, count, string);
        at.end = parser->last_end;
        return string_expr(parser, string, element, &at);
    }
    // A character of the source is at least one byte and becomes at most one element, except for
    // universal character names, which are longer than their encoding.
    uint8_t *bytes = arena_alloc(parser->arena, (longest + 1) * string->element);
    size_t size = 0;
    for (uint32_t i = 0; i < count; i++) append_string(parser, &list[i], string, bytes, &size);
    string->bytes = bytes;
    string->size = size + string->element;
    at.end = parser->last_end;
    return string_expr(parser, string, element, &at);
}

const CString *parse_plain_string(Parser *parser, const char *what) {
    if (!parser_at(parser, TOK_STRING)) {
        syntax_error(parser, "expected a string as %s", what);
        return NULL;
    }
    parser->untranslated++;
    Expr *expr = parse_string_literal(parser);
    parser->untranslated--;
    if (expr->string->element == 1) return expr->string;
    error_at_expr(parser, expr, "%s must be a plain string", what);
    return NULL;
}
