// The rows of a function's views: each line once, however many views have it, and each text and
// place once.
#pragma once

#include "base/hash.h"
#include "explore/view.h"

typedef struct {
    uint32_t id, text, loc, node;
    char kind;
} Row;

typedef struct {
    Arena *arena;
    const Program *program;
    VEC(Row) rows;
    Table row_table;
    struct RowTexts {
        VEC(const char *) at;
        VEC(uint32_t) length;
        Table table;
    } texts;
    VEC(Loc) locs; // locs[0] is unknown
    Map loc_of;    // place, as a number -> index
} ViewRows;

void rows_init(ViewRows *rows, Arena *arena, const Program *program);
uint32_t rows_text(ViewRows *rows, const char *text, size_t length);
// A location of the program.
uint32_t rows_loc(ViewRows *rows, uint32_t loc);
// The row of a line of a view; `identity` is that of items.
uint32_t rows_add(ViewRows *rows, const View *view, uint32_t line, const uint32_t *identity);
// The members texts, locs and rows. File numbers are those of `file_of`, by file of the program.
void rows_write(Out *out, const ViewRows *rows, const uint32_t *file_of);
