// See tokens.h. A file is from anywhere: nothing is read behind its end, and every token takes at
// least a byte of it.
#include "cert/tokens.h"

#include <string.h>

uint64_t tokens_fail(TokenStream *t, const char *problem) {
    if (!t->problem) {
        t->problem = problem;
        t->found_at = t->at;
    }
    t->at = t->end;
    return 0;
}

// ---- Binary

uint64_t take_binary(TokenStream *t) {
    uint64_t value = 0;
    for (uint32_t shift = 0; t->at < t->end; shift += 7) {
        uint64_t byte = (unsigned char)*t->at++;
        if (shift == 63 && byte > 1) return tokens_fail(t, "this number is too large");
        value |= (byte & 127) << shift;
        if (byte < 128) return value;
    }
    return tokens_fail(t, "the certificate ends here");
}

void put_binary(TokenStream *t, uint64_t value) {
    for (; value > 127; value >>= 7) out_char(t->out, (char)(value | 128));
    out_char(t->out, (char)value);
}

// ---- Text

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

// To the next token or line break.
static void skip_blanks(TokenStream *t) {
    while (t->at < t->end && is_blank(*t->at)) t->at++;
    if (t->end - t->at >= 2 && t->at[0] == '/' && t->at[1] == '/')
        while (t->at < t->end && *t->at != '\n') t->at++;
}

static size_t string_length(const char *at, const char *end) {
    const char *from = at++;
    for (; at < end && *at != '"' && *at != '\n'; at++)
        if (*at == '\\' && at + 1 < end) at++;
    return (size_t)(at - from) + (at < end && *at == '"');
}

TokenBytes text_peek(TokenStream *t) {
    skip_blanks(t);
    const char *at = t->at;
    if (at < t->end && *at == '"') return (TokenBytes){at, (uint32_t)string_length(at, t->end)};
    if (at < t->end && (*at == '(' || *at == ')')) return (TokenBytes){at, 1};
    while (at < t->end && !is_blank(*at) && !strchr("\n()\"", *at)) at++;
    return (TokenBytes){t->at, (uint32_t)(at - t->at)};
}

TokenBytes text_take(TokenStream *t) {
    TokenBytes token = text_peek(t);
    t->at += token.length;
    return token;
}

bool text_is(TokenBytes token, const char *word) {
    return token.length == strlen(word) && memcmp(token.at, word, token.length) == 0;
}

uint64_t text_number(TokenStream *t, TokenBytes token, bool is_signed) {
    bool minus = is_signed && token.length && token.at[0] == '-';
    uint64_t value = 0;
    if (token.length == minus) return tokens_fail(t, "a number is expected here");
    for (uint32_t i = minus; i < token.length; i++) {
        uint64_t digit = (uint64_t)(unsigned char)token.at[i] - '0';
        if (digit > 9) return tokens_fail(t, "a number is expected here");
        if (value > (UINT64_MAX - digit) / 10) return tokens_fail(t, "this number is too large");
        value = value * 10 + digit;
    }
    return minus ? 0 - value : value;
}

uint32_t text_word(TokenStream *t, TokenBytes token, WordName *name) {
    for (uint32_t value = 0; name(value); value++)
        if (text_is(token, name(value))) return value;
    return (uint32_t)tokens_fail(t, "this is no word that can stand here");
}

uint32_t text_register(const TokenStream *t, TokenBytes token) {
    uint32_t reg = 0;
    while (reg < t->register_count && !text_is(token, t->registers[reg])) reg++;
    return reg;
}

static void text_space(TokenStream *t) {
    if (t->line_begun) out_char(t->out, ' ');
    t->line_begun = true;
}

void text_put(TokenStream *t, const char *word) {
    text_space(t);
    out_text(t->out, word);
}

void text_put_number(TokenStream *t, uint64_t value, bool is_signed) {
    text_space(t);
    if (is_signed)
        out_i64(t->out, (int64_t)value);
    else
        out_u64(t->out, value);
}

// ---- Both

bool tokens_at_end(TokenStream *t) {
    while (t->text && text_peek(t).length == 0 && t->at < t->end) t->at++;
    return t->at >= t->end;
}

uint32_t token_word(TokenStream *t, uint32_t value, WordName *name) {
    if (t->at && t->text) value = text_word(t, text_take(t), name);
    if (t->at && !t->text) {
        uint64_t number = take_binary(t);
        value = number < NONE ? (uint32_t)number : NONE;
    }
    if (t->at && !name(value)) return (uint32_t)tokens_fail(t, "there is no such word");
    if (t->out && t->out_text)
        text_put(t, name(value));
    else if (t->out)
        put_binary(t, value);
    return value;
}

static int hex_digit(char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// The character behind a backslash; -1 if it means nothing.
static int escaped(const char **at, const char *end) {
    static const char named[] = "a\ab\bf\fn\nr\rt\tv\v\\\\\"\"";
    char c = *(*at)++;
    if (c == 'x' && end - *at >= 2) {
        int high = hex_digit((*at)[0]), low = hex_digit((*at)[1]);
        *at += 2;
        return high < 0 || low < 0 ? -1 : high * 16 + low;
    }
    for (size_t i = 0; i + 1 < sizeof named; i += 2)
        if (named[i] == c) return (unsigned char)named[i + 1];
    return -1;
}

TokenBytes text_take_bytes(TokenStream *t) {
    TokenBytes token = text_take(t);
    const char *at = token.at + 1, *end = token.at + token.length - 1;
    if (token.length < 2 || token.at[0] != '"' || *end != '"')
        return tokens_fail(t, "a string is expected here"), (TokenBytes){0};
    char *to = arena_alloc(t->scratch, token.length);
    TokenBytes bytes = {.at = to};
    while (at < end) {
        int c = (unsigned char)*at++;
        if (c == '\\') c = at < end ? escaped(&at, end) : -1;
        if (c < 0) return tokens_fail(t, "this string has an unknown escape"), (TokenBytes){0};
        to[bytes.length++] = (char)c;
    }
    return bytes;
}

TokenBytes take_string(TokenStream *t) {
    uint64_t length = take_binary(t);
    if (length > (uint64_t)(t->end - t->at))
        return tokens_fail(t, "the certificate ends in this string"), (TokenBytes){0};
    t->at += length;
    return (TokenBytes){t->at - length, (uint32_t)length};
}

void put_binary_bytes(TokenStream *t, TokenBytes bytes) {
    put_binary(t, bytes.length);
    out_bytes(t->out, bytes.at, bytes.length);
}

void text_put_bytes(TokenStream *t, TokenBytes bytes) {
    text_space(t);
    out_quoted(t->out, bytes.at, bytes.length);
}

TokenBytes token_bytes(TokenStream *t, TokenBytes bytes) {
    if (t->at) bytes = t->text ? text_take_bytes(t) : take_string(t);
    if (t->out && t->out_text)
        text_put_bytes(t, bytes);
    else if (t->out)
        put_binary_bytes(t, bytes);
    return bytes;
}

void token_label(TokenStream *t, const char *label) {
    if (t->at && t->text && !text_is(text_take(t), label))
        tokens_fail(t, arena_printf(t->scratch, "'%s' is expected here", label));
    if (t->out && t->out_text) text_put(t, label);
}

void token_line(TokenStream *t) {
    if (t->at && t->text && text_peek(t).length)
        tokens_fail(t, "the end of the line is expected here");
    if (t->at && t->text) tokens_at_end(t);
    if (t->out && t->out_text) out_char(t->out, '\n');
    t->line_begun = false;
}
