#include "message/json.h"

#include <string.h>

// How many bytes the UTF-8 character at a place has; 0 if there is none.
static size_t character_length(const unsigned char *at, size_t left) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = at[0] < 0x80                    ? 1
                    : at[0] >= 0xc2 && at[0] < 0xe0 ? 2
                    : at[0] >= 0xe0 && at[0] < 0xf0 ? 3
                    : at[0] >= 0xf0 && at[0] < 0xf5 ? 4
                                                    : 0;
    if (length < 2) return length;
    if (length > left) return 0;
    uint32_t code = at[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((at[i] & 0xc0) != 0x80) return 0;
        code = code << 6 | (at[i] & 0x3fu);
    }
    bool good = code >= least[length] && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    return good ? length : 0;
}

static void escape(Out *out, unsigned char c) {
    switch (c) {
    case '"': out_text(out, "\\\""); break;
    case '\\': out_text(out, "\\\\"); break;
    case '\n': out_text(out, "\\n"); break;
    case '\t': out_text(out, "\\t"); break;
    default: out_printf(out, "\\u%04x", c); break;
    }
}

void json_string(Out *out, const char *text, size_t length) {
    const unsigned char *at = (const unsigned char *)text;
    out_char(out, '"');
    for (size_t i = 0, plain = 0; i <= length; i++) {
        bool special = i == length || at[i] < ' ' || at[i] == '"' || at[i] == '\\' ||
                       at[i] == '<' || at[i] == 0x7f;
        size_t bytes = special ? 0 : character_length(at + i, length - i);
        if (bytes) {
            i += bytes - 1;
            continue;
        }
        out_bytes(out, text + plain, i - plain);
        plain = i + 1;
        if (i == length) break;
        if (special)
            escape(out, at[i]);
        else
            out_text(out, "\\ufffd");
    }
    out_char(out, '"');
}

void json_comma(Out *out) {
    char last = out->length ? out->text[out->length - 1] : '[';
    if (last != '[' && last != '{') out_char(out, ',');
}

void json_key(Out *out, const char *name) {
    json_comma(out);
    out_char(out, '"');
    out_text(out, name);
    out_text(out, "\":");
}

void json_number(Out *out, uint32_t number) {
    json_comma(out);
    if (number == UINT32_MAX)
        out_text(out, "-1");
    else
        out_u64(out, number);
}
