// Where split values change their places.
#pragma once

#include "mach/allocate_private.h"

// A part of a split value's range in a register.
typedef struct {
    uint32_t start, end, piece;
} Located;

// A move of a split value before or after an instruction, or on an edge.
typedef struct {
    uint32_t at; // 2 * instruction, + 1 if after it; or the edge: index in Mach.succs
    uint32_t value;
    uint32_t from, to; // pieces; NO_ID: memory
} SplitMove;

typedef VEC(SplitMove) ChangeList;

typedef struct {
    Allocator *a;
    uint32_t *located_at; // value -> its first entry in `located`; only of split values
    uint32_t *located_end;
    VEC(Located) located;
    bool *reads_memory;           // value -> whether its spill is ever read
    uint32_t *edge_of;            // entry of preds.list -> the edge
    ChangeList in_block, on_edge; // by `at`
} Resolution;

// Spills are numbered from 0; the first wide_spills ones have 16 bytes.
Resolution allocate_resolve(Allocator *a, uint32_t *wide_spills, uint32_t *spill_count);
// The piece that holds a value at a position; NO_ID: memory.
uint32_t resolved_piece(const Resolution *r, uint32_t value, uint32_t position);
