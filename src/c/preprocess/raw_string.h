// Raw strings: R"delimiter(...)delimiter", a GNU extension from gnu99 on. Nothing between the
// parentheses is special: no escape sequence, no line splice, no trigraph, no end of a line.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Whether a word before a double quote makes the string raw: R behind one of the usual prefixes or
// none.
bool raw_string_prefix(const char *word, uint32_t length);
// How many characters before the quote at p, not before `begin`, are such a word; 0 if none are.
uint32_t raw_string_before(const char *begin, const char *p);

typedef enum { RAW_STRING_WHOLE, RAW_STRING_OPEN, RAW_STRING_BAD_DELIMITER } RawStringKind;

typedef struct {
    RawStringKind kind;
    const char *text, *text_end; // between the parentheses, if it is whole
    const char *end; // behind the closing quote; of one that is not whole, behind its line
} RawString;

// The raw string whose opening quote is at p. One that must stay on its line (`one_line`) and does
// not is open.
RawString raw_string_scan(const char *p, const char *end, bool one_line);
