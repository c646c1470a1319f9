// The text of a C file cut into pieces without preprocessing, for code that cuts parts out of the
// text.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef enum {
    RAW_END,
    RAW_TOKEN,     // a name, number, literal or single character of anything else
    RAW_COMMENT,   // without the newline behind // ...
    RAW_DIRECTIVE, // from its # up to the newline, continued lines included
} RawKind;

typedef struct {
    RawKind kind;
    uint32_t begin, end;
} RawPiece;

typedef struct {
    const char *text;
    uint32_t at, end;
    bool fresh; // nothing but white space and comments so far in this line
} RawText;

// The next piece; white space is skipped.
RawPiece raw_next(RawText *raw);
