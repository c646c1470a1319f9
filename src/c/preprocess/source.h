// Source files and locations of the C front end.
//
// Every inclusion of a file gets its own range of one 32-bit position space, so a position alone
// tells the file, the line, the column and the chain of #include that led there. Tokens that come
// out of macros have positions in the upper half of the space, which tell the Expansion as well,
// from which the whole chain of macros follows (place.c).
#pragma once

#include "base/diag.h"
#include "base/str.h"

// A position in the source: an offset into the position space; 0 is "nowhere".
typedef uint32_t Pos;
#define FIRST_EXPANDED 0x80000000u // from here on: tokens out of macros
static inline bool is_expanded(Pos pos) {
    return pos >= FIRST_EXPANDED;
}

// A file's text, read once however often it is included.
typedef struct CFile {
    const char *path; // as opened
    const char *text; // NUL-terminated
    uint32_t length;
    Str guard;   // macro that guards the whole file, read by this path; or STR_NONE
    bool once;   // #pragma once
    bool system; // found in a system directory: warnings about it are not shown
    struct CFile
        *origin; // the first file opened that is the same one under another path, or itself
    uint32_t diag_source; // index in Diag.sources
    VEC(uint32_t) lines;  // offset of the first byte of each line; filled on first use
} CFile;

// The contents of a #line directive, about the lines that follow it.
typedef struct {
    uint32_t offset;   // first byte of the line after the directive
    uint32_t physical; // the number of that line in the file
    uint32_t line;     // the number it is given
    const char *file;  // the name it is given
    bool system;
    uint32_t diag_source; // the file with these numbers as a source of Diag plus one; 0: none yet
} LineMark;

// Which warnings are on from an offset on.
typedef struct {
    uint32_t offset;
    const struct WarningSet *set;
} WarningMark;

// One inclusion: the range [start, start + file->length] of positions.
typedef struct {
    CFile *file;
    Pos start;
    Pos included_at;      // 0 for the main file
    uint32_t diag_source; // index in Diag.sources
    bool system;
    VEC(LineMark) marks;       // in order of offset
    VEC(WarningMark) warnings; // likewise
} Inclusion;

// One expansion of a macro.
typedef struct {
    Str macro;
    Pos at;          // where its name stood
    uint32_t parent; // the expansion that `at` came from, 0 if it stood in a file
} Expansion;

// The text of an invocation of a macro in a file, arguments included.
typedef struct {
    Pos at, end;
} Invocation;
