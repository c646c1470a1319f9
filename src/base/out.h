// Text output. Everything gatecc writes is collected in a buffer first and then appears whole or
// not at all: a file is written beside its final name and renamed; a full disk ends the run with
// one line.
#pragma once

#include "base/arena.h"

#include <stdarg.h>
#include <stdio.h>

typedef struct {
    char *text;
    size_t length;
    size_t capacity;
} Out;

void out_free(Out *out);
void out_bytes(Out *out, const void *bytes, size_t size);
void out_text(Out *out, const char *text);
void out_char(Out *out, char c);
void out_u64(Out *out, uint64_t n);
void out_i64(Out *out, int64_t n);
void out_printf(Out *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
void out_vprintf(Out *out, const char *format, va_list args);
// A C-like string literal with quotes; bytes outside printable ASCII become \xHH or the usual
// escapes.
void out_quoted(Out *out, const char *text, size_t length);

// The bytes of the UTF-8 character at the start of text[0 .. length), or 0 if what stands there
// must not reach a terminal: control characters and malformed sequences.
size_t shown_size(const char *text, size_t length);
// Text of a file that may hold anything, for a person to read. A tab becomes a blank, and bytes
// that must not reach a terminal become '?'. So the text stays on its line, each character stands
// in one column, and a hostile file cannot drive the terminal.
void out_shown(Out *out, const char *text, size_t length);

// Writes the buffer to a stream and empties it; ends the run if the stream refuses. Output that
// standard error refuses is lost: the rest may still be done.
void out_flush(Out *out, FILE *stream);
// Writes the buffer to a file, whole or not at all. False, with errno set, if that failed.
bool out_commit(Out *out, const char *path);

// Reads a whole file ("-" is standard input). False, with errno set, if that failed; the text is
// NUL-terminated for convenience, the length does not count the NUL.
bool read_file(Arena *arena, const char *path, char **text, size_t *length);
