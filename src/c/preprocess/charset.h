// Character sets other than UTF-8, by the C library's iconv.
#pragma once

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

// A conversion from one set to another. NULL stands for one that changes nothing.
typedef struct Charset Charset;

enum { UTF8_LONGEST = 6 };
// A character in UTF-8, beyond Unicode too, as UTF-8 was first: up to 31 bits. Yields how many
// bytes it takes.
size_t utf8_encode(uint32_t value, char bytes[UTF8_LONGEST]);

// Whether a name is one of UTF-8.
bool charset_is_utf8(const char *name);
// NULL if iconv does not know a set, or has no conversion between the two.
Charset *charset_open(Arena *arena, const char *to, const char *from);
void charset_close(Charset *charset);
// The text in the other set, in the arena, with a zero behind it; the text begins and ends in the
// initial state. NULL if a character is not in the set.
uint8_t *charset_convert(Charset *charset, Arena *arena, const char *text, size_t length,
                         size_t *size);
