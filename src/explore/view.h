// A function as a reader sees it: the lines of its text, the meaning of each line, and the blocks
// that the lines form.
//
// The form's own printer writes the text, which is cut into lines; so the page shows nothing that
// gate show does not show. Blocks are runs of lines that follow each other in the text and are
// always executed together. A block of the graph that does not lie together in the text is several
// blocks here, with plain edges between them.
#pragma once

#include "history/history.h"

typedef struct {
    uint32_t text, length; // without indentation and label, in View.text
    char kind;             // see docs/explore.md: h l i m f p e
    uint32_t item;         // NO_ID: it does nothing
    uint32_t label;        // number in the text, or of the machine instruction; NO_ID
    uint32_t block;        // NO_ID before the first and behind the last
} ViewLine;

typedef struct {
    const Func *func;
    const FuncItems *items;
    Out text;
    VEC(ViewLine) lines;
    uint32_t block_count;
    uint32_t *block_at;       // line at which each starts
    uint32_t tail;            // first line behind the last block
    uint32_t *node_block;     // of each node, or each machine block
    uint32_t *succ_at, *succ; // rows of blocks
    uint32_t *idom, *loop, *depth;
    uint32_t *height; // distance from the entry in the tree of dominators
} View;

// Functions of forms beside the pipeline have other bodies, and no views.
static inline bool view_is_machine(const Func *func) {
    return func->mach != NULL;
}

// Everything but `text` lives in the arena; view_free releases that. If the function is so damaged
// that successors lead nowhere, it has no blocks.
View view_of(Arena *arena, const Func *func, const FuncItems *items);
void view_free(View *view);

// The member "how" of an edge: T and F, values of cases, default; nothing for a plain one.
void view_print_edge(Out *out, const View *view, uint32_t block, uint32_t successor);

// Idom, loop and depth of the blocks (view_blocks.c).
void view_analyse(Arena *arena, View *view);

// Members of the JSON that only some forms have (view_gates.c): the arguments of gates and the
// edges that they select; where floating operators could stand at the latest. Nothing if there are
// none.
void view_write_gates(Out *out, Arena *arena, const View *view);
void view_write_regions(Out *out, Arena *arena, const View *view);
