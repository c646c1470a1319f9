#include "c/preprocess/pp_number.h"

#include "c/preprocess/pp_private.h"

#include <ctype.h>
#include <string.h>

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

const char *pp_number_end(const Pp *pp, const char *p, const char *end) {
    for (uint32_t code; p < end;) {
        char c = *p;
        unsigned n;
        // A letter behind a separator is a digit, and no exponent follows it.
        bool digit = pp->digit_separators && p[-2] == '\'';
        if ((c == '+' || c == '-') && !digit && strchr(pp->c99 ? "eEpP" : "eE", p[-1]))
            p++;
        else if (is_word(c) || c == '.')
            p++;
        else if (pp->digit_separators && c == '\'' && p + 1 < end &&
                 (is_word(p[1]) || p[1] == '\''))
            p++;
        else if ((c == '\\' || (unsigned char)c >= 0x80) &&
                 (n = ident_extended(p, end, false, &code)))
            p += n;
        else
            break;
    }
    return p;
}

// A separator stands between two digits of one base.
static const char *misplaced(const char *text, uint32_t i, bool hexadecimal) {
    if (text[i + 1] == '\'') return "adjacent digit separators";
    if (i == 2 && text[0] == '0' && strchr("xXbB", text[1]))
        return "digit separator after base indicator";
    int before = (unsigned char)text[i - 1], after = (unsigned char)text[i + 1];
    bool good =
        hexadecimal ? isxdigit(before) && isxdigit(after) : isdigit(before) && isdigit(after);
    return good ? NULL : "digit separator outside digit sequence";
}

const char *pp_number_plain(Arena *arena, const char *text, uint32_t *length, const char **wrong) {
    if (!memchr(text, '\'', *length)) return text;
    bool hexadecimal = *length > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    char *plain = arena_text(arena, text, *length);
    uint32_t count = 0;
    for (uint32_t i = 0; i < *length; i++) {
        if (text[i] != '\'')
            plain[count++] = text[i];
        else if ((*wrong = misplaced(text, i, hexadecimal)))
            return NULL;
    }
    plain[count] = '\0';
    *length = count;
    return plain;
}
