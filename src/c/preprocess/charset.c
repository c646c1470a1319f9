// Character sets: see charset.h.
#include "c/preprocess/charset.h"

#include <errno.h>
#include <iconv.h>
#include <strings.h>

struct Charset {
    iconv_t conversion;
};

size_t utf8_encode(uint32_t value, char bytes[UTF8_LONGEST]) {
    if (value < 0x80) {
        bytes[0] = (char)value;
        return 1;
    }
    unsigned tail = 1; // each holds 6 bits, and the first byte one less than the one before could
    while (tail < 5 && value >> (6 * tail + 6 - tail)) tail++;
    bytes[0] = (char)((0x3f80u >> tail & 0xff) | value >> (6 * tail));
    for (unsigned i = 1; i <= tail; i++)
        bytes[i] = (char)(0x80 | (value >> (6 * (tail - i)) & 0x3f));
    return tail + 1;
}

bool charset_is_utf8(const char *name) {
    return strcasecmp(name, "UTF-8") == 0 || strcasecmp(name, "UTF8") == 0;
}

Charset *charset_open(Arena *arena, const char *to, const char *from) {
    iconv_t conversion = iconv_open(to, from);
    if (conversion == (iconv_t)-1) return NULL;
    Charset *charset = ARENA_NEW(arena, Charset);
    charset->conversion = conversion;
    return charset;
}

void charset_close(Charset *charset) {
    if (charset) iconv_close(charset->conversion);
}

uint8_t *charset_convert(Charset *charset, Arena *arena, const char *text, size_t length,
                         size_t *size) {
    size_t room =
        4 * length + 16; // no set needs more for a byte of UTF-8, but for changes of state
    for (;; room *= 2) {
        uint8_t *bytes = arena_alloc(arena, room + 1);
        char *from = (char *)text, *to = (char *)bytes;
        size_t left = length, free = room;
        iconv(charset->conversion, NULL, NULL, NULL, NULL);
        bool good = iconv(charset->conversion, &from, &left, &to, &free) != (size_t)-1 &&
                    iconv(charset->conversion, NULL, NULL, &to, &free) != (size_t)-1;
        if (!good && errno == E2BIG) continue;
        *size = room - free;
        bytes[*size] = 0;
        return good ? bytes : NULL;
    }
}
