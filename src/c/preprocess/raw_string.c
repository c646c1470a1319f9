#include "c/preprocess/raw_string.h"

#include <ctype.h>
#include <string.h>

bool raw_string_prefix(const char *word, uint32_t length) {
    if (length == 0 || word[length - 1] != 'R') return false;
    if (length == 2) return word[0] == 'L' || word[0] == 'u' || word[0] == 'U';
    return length == 1 || (length == 3 && word[0] == 'u' && word[1] == '8');
}

static bool in_word(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

uint32_t raw_string_before(const char *begin, const char *p) {
    enum { LONGEST = 3 };
    uint32_t length = 0;
    while (p - length > begin && in_word(p[-(int)length - 1]) && length <= LONGEST) length++;
    return raw_string_prefix(p - length, length) ? length : 0;
}

static bool in_delimiter(char c) {
    return c > ' ' && c < 0x7f && !strchr("()\\@`$", c); // a quote, too
}

// The newline that ends the line of p, or the end of the text; the line goes on behind a backslash.
static const char *line_end(const char *p, const char *end) {
    for (const char *begin = p; (p = memchr(p, '\n', (size_t)(end - p))) != NULL; p++) {
        const char *back = p;
        while (back > begin && strchr(" \t\r\f\v", back[-1])) back--;
        if (back == begin || back[-1] != '\\') return p;
    }
    return end;
}

RawString raw_string_scan(const char *p, const char *end, bool one_line) {
    enum { LONGEST = 16 };
    const char *delimiter = p + 1, *open = delimiter;
    const char *limit = one_line ? line_end(p, end) : end;
    while (open < limit && in_delimiter(*open)) open++;
    size_t length = (size_t)(open - delimiter);
    if (open >= limit || *open != '(' || length > LONGEST)
        return (RawString){.kind = RAW_STRING_BAD_DELIMITER, .end = line_end(p, end)};
    for (const char *close = open + 1;
         (close = memchr(close, ')', (size_t)(limit - close))) != NULL; close++) {
        const char *quote = close + 1 + length;
        if (quote >= limit || *quote != '"' || memcmp(close + 1, delimiter, length) != 0) continue;
        return (RawString){.text = open + 1, .text_end = close, .end = quote + 1};
    }
    return (RawString){.kind = RAW_STRING_OPEN, .end = limit};
}
