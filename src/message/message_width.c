// How many columns a character takes on a terminal.
#include "message/message_private.h"

typedef struct {
    uint32_t first, last;
} WidthRange;

static const WidthRange wide[] = {
#define WIDE(first, last) {first, last},
#include "message/message_width.def"
};

static const WidthRange zero[] = {
#define ZERO(first, last) {first, last},
#include "message/message_width.def"
};

static bool is_in(uint32_t code, const WidthRange *ranges, size_t count) {
    size_t low = 0, high = count; // those below low end before it
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ranges[middle].last < code)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && ranges[low].first <= code;
}

uint32_t message_width(uint32_t code) {
    if (code < 0x300 || code == MALFORMED) return 1;
    if (is_in(code, zero, sizeof zero / sizeof *zero)) return 0;
    return is_in(code, wide, sizeof wide / sizeof *wide) ? 2 : 1;
}

uint32_t message_decode(const char *text, uint32_t length, uint32_t *code) {
    const unsigned char *c = (const unsigned char *)text;
    *code = c[0];
    if (c[0] < 0x80) return 1;
    *code = MALFORMED;
    uint32_t size = c[0] < 0xc2 ? 0 : c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : c[0] < 0xf5 ? 4 : 0;
    if (!size || size > length) return 1;
    uint32_t value = c[0] & (0x7fu >> size);
    for (uint32_t i = 1; i < size; i++) {
        if ((c[i] & 0xc0) != 0x80) return 1;
        value = value << 6 | (c[i] & 0x3fu);
    }
    bool overlong = value < (size == 2 ? 0x80u : size == 3 ? 0x800u : 0x10000u);
    if (overlong || value > 0x10ffff || (value >= 0xd800 && value < 0xe000)) return 1;
    *code = value;
    return size;
}

// Control characters; what changes the direction of text, behind which code can be hidden; what is
// no character.
bool message_must_escape(uint32_t code) {
    return code < ' ' || (code >= 0x7f && code < 0xa0) || code == MALFORMED || code == 0x200e ||
           code == 0x200f || (code >= 0x202a && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069) || code == 0x2028 || code == 0x2029;
}
