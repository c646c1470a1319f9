// Literals and names: numbers, floats, strings, registers. See parse.h.
#include "form/value.h"
#include "text/parse/parse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- Integers

static int digit_value(char c) {
    if (char_is_digit(c)) return c - '0';
    c |= 32;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

typedef enum { DIGITS_GOOD, DIGITS_BAD, DIGITS_TOO_MANY } Digits;

// DIGIT { DIGIT } | "0x" HEXDIGIT { HEXDIGIT }
static Digits read_digits(const char *text, size_t length, uint64_t *value) {
    bool hex = length > 2 && text[0] == '0' && text[1] == 'x';
    uint64_t base = hex ? 16 : 10, sum = 0;
    bool overflow = false, harmless = length <= 16; // so few digits
    for (size_t i = hex ? 2 : 0; i < length; i++) {
        uint64_t digit = (uint64_t)digit_value(text[i]);
        if (digit >= base) return DIGITS_BAD;
        overflow = overflow || (!harmless && sum > (UINT64_MAX - digit) / base);
        sum = sum * base + digit;
    }
    *value = sum;
    return overflow ? DIGITS_TOO_MANY : DIGITS_GOOD;
}

// A number token that is at most `max`, which may depend on a sign before it. Mistakes are reported
// at `place`.
static bool magnitude(TextParser *p, uint64_t max, uint32_t place, const char *what,
                      uint64_t *value) {
    if (!parse_at(p, T_NUMBER)) return parse_expected(p, what);
    const char *text = p->lexer.text + p->token.start;
    Digits digits = read_digits(text, p->token.end - p->token.start, value);
    if (digits == DIGITS_BAD) return parse_expected(p, what);
    if (digits == DIGITS_TOO_MANY || *value > max)
        return parse_error(p, place, "%s is out of range", parse_shown(p, p->token.start)), false;
    parse_next(p);
    return true;
}

bool parse_unsigned(TextParser *p, uint64_t max, const char *what, uint64_t *value) {
    return magnitude(p, max, p->token.start, what, value);
}

bool parse_u32(TextParser *p, uint32_t max, const char *what, uint32_t *value) {
    uint64_t wide;
    if (!parse_unsigned(p, max, what, &wide)) return false;
    *value = (uint32_t)wide;
    return true;
}

static int64_t sign_extend(uint64_t value, uint32_t bits) {
    uint64_t sign = (uint64_t)1 << (bits - 1);
    return bits == 64 ? (int64_t)value : (int64_t)((value ^ sign) - sign);
}

bool parse_integer(TextParser *p, uint32_t bits, int64_t *value) {
    uint32_t place = p->token.start;
    bool minus = parse_accept(p, '-');
    uint64_t max = minus ? (uint64_t)1 << (bits - 1) : UINT64_MAX >> (64 - bits), number;
    if (!magnitude(p, max, place, "an integer", &number)) return false;
    *value = sign_extend((minus ? -number : number) & UINT64_MAX >> (64 - bits), bits);
    return true;
}

bool parse_displacement(TextParser *p, int64_t *value) {
    *value = 0;
    if (!parse_at(p, '+') && !parse_at(p, '-')) return true;
    if (parse_at(p, '-')) return parse_integer(p, 64, value);
    parse_next(p);
    uint64_t number;
    if (!parse_unsigned(p, UINT64_MAX, "an integer", &number)) return false;
    *value = (int64_t)number;
    return true;
}

// ---- Floating-point numbers

static bool bits_are_nan(Type type, uint64_t bits) {
    if (type == TYPE_F32) return (bits & 0x7fffffff) > 0x7f800000;
    return (bits & INT64_MAX) > 0x7ff0000000000000;
}

// bits = 0xHHHH ":" 0xBITS, of an f80
static bool float_bits_f80(TextParser *p, Instr *instr) {
    uint32_t high;
    uint64_t bits;
    if (!parse_u32(p, UINT16_MAX, "the sign and exponent", &high) || !parse_expect(p, ':', "':'") ||
        !parse_unsigned(p, UINT64_MAX, "the significand", &bits))
        return false;
    instr->high = (uint16_t)high;
    instr->imm = (int64_t)bits;
    return true;
}

// nan = "nan" ":" bits
static bool float_nan(TextParser *p, Type type, Instr *instr) {
    if (!parse_expect(p, ':', "':' and the bits of the NaN")) return false;
    if (type == TYPE_F80) return float_bits_f80(p, instr);
    uint32_t place = p->token.start;
    uint64_t bits;
    if (!parse_unsigned(p, type_mask(type), "the bits of the NaN", &bits)) return false;
    if (!bits_are_nan(type, bits))
        return parse_error(p, place, "%s are not the bits of a NaN", parse_shown(p, place)), false;
    instr->imm = (int64_t)bits;
    return true;
}

static Value value_of_text(Type type, const char *text, char **rest, bool *infinite) {
    if (type == TYPE_F32) {
        float x = strtof(text, rest);
        *infinite = isinf(x) != 0;
        return value_f32(x);
    }
    if (type == TYPE_F64) {
        double x = strtod(text, rest);
        *infinite = isinf(x) != 0;
        return value_f64(x);
    }
    long double x = strtold(text, rest);
    *infinite = isinf(x) != 0;
    return value_f80(x);
}

static void set_sign(Type type, Value *value) {
    if (type == TYPE_F80)
        value->high |= 0x8000;
    else
        value->bits |= (uint64_t)1 << (type == TYPE_F32 ? 31 : 63);
}

// float = [ "-" ] ( NUMBER | "inf" ) | nan | bits
bool parse_float(TextParser *p, Type type, Instr *instr) {
    if (parse_accept_word(p, "nan")) return float_nan(p, type, instr);
    Lexer ahead = p->lexer;
    if (type == TYPE_F80 && parse_at(p, T_NUMBER) && lex_next(&ahead).kind == ':')
        return float_bits_f80(p, instr);
    bool minus = parse_accept(p, '-');
    bool infinity = parse_at_word(p, "inf");
    if (!infinity && !parse_at(p, T_NUMBER)) return parse_expected(p, "a floating-point number");
    size_t length = p->token.end - p->token.start;
    const char *text = arena_text(p->scratch, p->lexer.text + p->token.start, length);
    char *rest;
    bool infinite;
    Value value = value_of_text(type, text, &rest, &infinite);
    if (rest != text + length) return parse_expected(p, "a floating-point number");
    if (infinite && !infinity) {
        parse_error(p, p->token.start, "%s is too large for %s", parse_shown(p, p->token.start),
                    type_name(type));
        return false;
    }
    if (minus) set_sign(type, &value);
    instr->imm = (int64_t)value.bits;
    instr->high = (uint16_t)value.high;
    parse_next(p);
    return true;
}

// ---- Strings and names

// One character after a backslash; *at moves past it. -1 if it means nothing.
static int escape(const char *text, uint32_t *at, uint32_t end) {
    static const char named[] = "a\ab\bf\fn\nr\rt\tv\v\\\\\"\"";
    char c = text[*at];
    if (c == 'x' && *at + 2 < end) {
        int high = digit_value(text[*at + 1]), low = digit_value(text[*at + 2]);
        *at += 3;
        return high < 16 && low < 16 ? high * 16 + low : -1;
    }
    *at += 1;
    for (size_t i = 0; i + 1 < sizeof named; i += 2)
        if (named[i] == c) return (unsigned char)named[i + 1];
    return -1;
}

// The bytes of the quoted text from the quote at `at` to the one before `end`, into p->bytes.
static bool unquote(TextParser *p, uint32_t at, uint32_t end) {
    const char *text = p->lexer.text;
    vec_clear(&p->bytes);
    for (at++; at < end - 1;) {
        uint32_t start = at;
        int c = (unsigned char)text[at++];
        if (c == '\\') c = escape(text, &at, end - 1);
        if (c < 0) {
            Span span = {.source = p->source, .start = start, .end = at};
            diag_error(p->diag, span,
                       "unknown escape; known are \\a \\b \\f \\n \\r \\t \\v \\\\ \\\" and \\xHH");
            return false;
        }
        vec_push(p->keep, &p->bytes, (char)c);
    }
    return true;
}

bool parse_string(TextParser *p) {
    if (!parse_at(p, T_STRING)) return parse_expected(p, "a string");
    if (!unquote(p, p->token.start, p->token.end)) return false;
    parse_next(p);
    return true;
}

bool parse_text(TextParser *p, Str *text) {
    uint32_t place = p->token.start;
    if (!parse_string(p)) return false;
    if (!p->bytes.count) return parse_error(p, place, "this string must not be empty"), false;
    *text = str_intern(&p->program->strings, p->bytes.at, p->bytes.count);
    return true;
}

// The name inside the current token, after its sigil. Without one, STR_NONE.
static bool token_name(TextParser *p, Str *name) {
    uint32_t start = p->token.start + 1, end = p->token.name_end;
    *name = STR_NONE;
    if (start == end) return true;
    StrTable *strings = &p->program->strings;
    if (p->lexer.text[start] != '"') {
        *name = str_intern(strings, p->lexer.text + start, end - start);
        return true;
    }
    if (!unquote(p, start, end)) return false;
    if (!p->bytes.count) return parse_error(p, p->token.start, "a name must not be empty"), false;
    *name = str_intern(strings, p->bytes.at, p->bytes.count);
    return true;
}

bool parse_name(TextParser *p, Str *name) {
    if (!token_name(p, name)) return false;
    parse_next(p);
    return true;
}

// The number in the current token between two places, at most UINT32_MAX - 1.
static bool token_number(TextParser *p, uint32_t start, uint32_t end, uint32_t *number) {
    uint64_t wide = 0;
    for (; start < end && wide < UINT32_MAX; start++)
        wide = wide * 10 + (uint64_t)digit_value(p->lexer.text[start]);
    *number = (uint32_t)wide;
    if (wide < UINT32_MAX) return true;
    return parse_error(p, p->token.start, "the number of a register is too large"), false;
}

bool parse_register_name(TextParser *p, RegInfo *info) {
    *info = (RegInfo){.type = TYPE_VOID};
    if (!token_name(p, &info->name)) return false;
    const char *text = p->lexer.text;
    uint32_t end = p->token.end, at = p->token.name_end, dot = at;
    while (dot < end && text[dot] != '.') dot++;
    if (at < dot) {
        bool named = text[at] == '\'';
        if (!token_number(p, at + named, dot, &info->number)) return false;
        if (named && !info->number)
            return parse_error(p, p->token.start, "the number after ' is at least 1"), false;
    }
    if (dot < end) {
        if (!token_number(p, dot + 1, end, &info->version)) return false;
        info->version++;
    }
    parse_next(p);
    return true;
}
