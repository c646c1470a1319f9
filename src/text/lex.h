// The tokens of the text forms, for their parsers, printers and verifiers.
//
// A line break is a token, because one line holds one item. A sign is a token of its own, so that
// `[%p - 8]` and `-8` need no context. A token is only a kind and its bytes; the parser reads a
// number or a name out of the bytes when it knows which of the two it needs.
//
// Printer, parser and verifier also share here which names need no quotes and which words follow
// the header of a symbol.
#pragma once

#include "form/program.h"

// A punctuation character is its own kind; the line break is '\n'.
typedef enum {
    T_END = 0,
    T_LINE = '\n',
    T_WORD = 128, // [A-Za-z_][A-Za-z0-9_.$]*: keywords, operators, types
    T_NUMBER,     // anything that starts with a digit: 12, 0x1f, 0x1.8p+1, 1.5e-3
    T_STRING,     // "..." with escapes, within one line
    T_REGISTER,   // %name, %name'2, %12, each with .version; in mach0 also R12
    T_SYMBOL,     // @name
    T_SLOT,       // $name, $3
    T_ARROW,      // ->
    T_ELLIPSIS,   // ...
    T_BAD         // not a token; `problem` says why
} TextTokenKind;

typedef struct {
    uint32_t kind;
    uint32_t start;      // first byte
    uint32_t end;        // one past the last byte
    uint32_t name_end;   // registers, symbols, slots: one past the name, quotes included
    const char *problem; // T_BAD
} TextToken;

typedef struct {
    const char *text;
    uint32_t at;          // where the next token is looked for
    uint32_t end;         // where the text ends
    bool plain_registers; // R12 is the register %12
} Lexer;

TextToken lex_next(Lexer *lexer);
// Moves to the line break that ends the current line, or to the end.
void lex_skip_line(Lexer *lexer);

// Kinds of characters, as bits.
enum {
    CHAR_DIGIT = 1,
    CHAR_LETTER = 2, // or '_'
    CHAR_DOLLAR = 4,
    CHAR_DOT = 8,
    CHAR_MARK = 16,  // a token of its own
    CHAR_BLANK = 32, // between tokens
};
extern const uint8_t char_kinds[256];

static inline bool char_is(char c, uint32_t kinds) {
    return char_kinds[(unsigned char)c] & kinds;
}
static inline bool char_is_digit(char c) {
    return c >= '0' && c <= '9';
}
// The characters that start a register's name and that it consists of.
static inline bool char_is_letter(char c) {
    return char_is(c, CHAR_LETTER);
}
static inline bool char_in_register(char c) {
    return char_is(c, CHAR_LETTER | CHAR_DIGIT | CHAR_DOLLAR);
}
// The characters that start a symbol's or slot's name and that it consists of.
static inline bool char_starts_symbol(char c) {
    return char_is(c, CHAR_LETTER | CHAR_DOT | CHAR_DOLLAR);
}
static inline bool char_in_symbol(char c) {
    return char_is(c, CHAR_LETTER | CHAR_DIGIT | CHAR_DOT | CHAR_DOLLAR);
}

// A word after the header of a symbol. The table is in the order in which they are printed.
typedef enum {
    ATTR_LINKAGE,
    ATTR_VISIBILITY,
    ATTR_FLAG,
    ATTR_SECTION,     // a string follows
    ATTR_ALIGN,       // an alignment follows
    ATTR_CONSTRUCTOR, // a priority follows, as it does here:
    ATTR_DESTRUCTOR
} AttributeKind;

enum { ON_DATA = 1, ON_FUNCTION = 2, ON_ALIAS = 4 };

typedef struct {
    const char *word;
    AttributeKind kind;
    uint32_t value; // Linkage, Visibility or flag
    uint32_t where; // which symbols may have it
} Attribute;

extern const Attribute attribute_table[];
extern const uint32_t attribute_count;
