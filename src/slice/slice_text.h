// The text of a C file with some of its units cut out.
//
// The remaining text keeps its layout and comments. A line that becomes empty goes, and with it a
// comment that would be alone on the line. A comment in lines of its own goes with the statements
// that follow it, up to the next blank line, comment or brace, if none of these statements stays.
// Directives always stay. Where the grammar wants a statement, a statement stands: `;` in place of
// a controlled statement (the braces of a block stay), and behind a label that is last in its block
// or in front of a declaration. `else` goes with its statement, unless another else would take its
// place. #line is written where a macro's value depends on the line.
#pragma once

#include "base/out.h"
#include "c/parse/units.h"

// A stretch of the slice's text that is one of the original's.
typedef struct {
    uint32_t from, original, length;
} TextPiece;

typedef struct {
    Arena *arena;
    Out text;
    VEC(TextPiece) pieces; // ascending in both
} SliceText;

// `kept` tells, for each unit that can be cut, whether it stays; `functions`, by index, which
// functions are sliced.
void slice_text_cut(SliceText *slice, const Units *units, const Bits *kept, const Bits *functions);
// The byte of the original that a byte of the slice is; NO_ID if it was written for the slice.
uint32_t slice_text_original(const SliceText *slice, uint32_t offset);
// The numbers of the lines of the original, from 1, of which something stays, in the functions that
// are sliced.
void slice_text_lines(const SliceText *slice, const Units *units, const Bits *functions,
                      Bits *lines);
void slice_text_free(SliceText *slice);
