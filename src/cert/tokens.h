// A certificate is a stream of tokens: numbers, words out of tables, strings. There are two
// encodings of the same content.
//
//   binary    numbers in seven bits a byte, the lowest first; a word is its number; there are no
//             names of fields, because the reader knows the next field
//   text      numbers in decimal, words by name, strings in quotes; names of fields, and lines, for
//             people. Text between "//" and the end of a line is not read
//
// Each function here takes the value that is to be written and yields the value that was read: the
// source and the destination of the tokens decide which of the two happens. So one description of
// the content serves to read both encodings, to write both, and to turn one into the other. After
// the first mistake every further token is read as 0, up to the end.
#pragma once

#include "base/out.h"
#include "base/vec.h"

#define NONE UINT32_MAX // of ids: as NO_ID

typedef struct {
    // The input; NULL if values come from memory.
    const char *start, *at, *end;
    bool text;
    // The output; NULL if nothing is written.
    Out *out;
    bool out_text;
    bool line_begun;
    Arena *
        scratch; // for strings of texts; the reader resets it where none of them is needed any more
    // The names of the machine's registers, from 0 on. The declarations say which machine.
    const char *const *registers;
    uint32_t register_count;
    const char *problem;  // the first mistake; NULL if there is none yet
    const char *found_at; // where it is
} TokenStream;

// The names of the values of a word, from 0 on; NULL behind the last.
typedef const char *WordName(uint32_t value);

// The name of a machine register; NULL if there is none.
static inline const char *token_register(const TokenStream *t, uint64_t reg) {
    return reg < t->register_count ? t->registers[reg] : NULL;
}

static inline bool tokens_good(const TokenStream *t) {
    return !t->problem;
}
// Reports a mistake at what was read last; yields 0.
uint64_t tokens_fail(TokenStream *t, const char *problem);
// Whether everything was read.
bool tokens_at_end(TokenStream *t);

uint32_t token_word(TokenStream *t, uint32_t value, WordName *name);
// Any bytes. Bytes that were read live as long as the file, or until `scratch` is reset.
typedef struct {
    const char *at;
    uint32_t length;
} TokenBytes;
TokenBytes token_bytes(TokenStream *t, TokenBytes bytes);

// Only texts have labels and lines: a word at the start of a line or in it; the end of a line.
void token_label(TokenStream *t, const char *label);
void token_line(TokenStream *t);

// ---- Parts, for records.c and columns.c

// Of binary encodings.
uint64_t take_binary(TokenStream *t);
TokenBytes take_string(TokenStream *t);
void put_binary(TokenStream *t, uint64_t value);
void put_binary_bytes(TokenStream *t, TokenBytes bytes);
static inline uint64_t zigzag(uint64_t difference) {
    return difference << 1 ^ (0 - (difference >> 63));
}
static inline uint64_t from_zigzag(uint64_t coded) {
    return coded >> 1 ^ (0 - (coded & 1));
}
// Of texts: the next token, which ends before a blank, a line break or a parenthesis; empty at the
// end of a line. A parenthesis is a token of its own.
TokenBytes text_peek(TokenStream *t);
TokenBytes text_take(TokenStream *t);
bool text_is(TokenBytes token, const char *word);
TokenBytes text_take_bytes(TokenStream *t);
uint64_t text_number(TokenStream *t, TokenBytes token, bool is_signed);
uint32_t text_word(TokenStream *t, TokenBytes token, WordName *name);
// The machine register of that name; register_count if there is none.
uint32_t text_register(const TokenStream *t, TokenBytes token);
void text_put(TokenStream *t, const char *word);
void text_put_bytes(TokenStream *t, TokenBytes bytes);
void text_put_number(TokenStream *t, uint64_t value, bool is_signed);
