// The order in which definitions and assembler text stand in the source, for programs that rely on
// this order (-fno-toplevel-reorder, attribute no_reorder).
#pragma once

#include "form/program.h"

// An entry: a symbol, or, if there is none, a number in Program.file_asms.
typedef struct {
    uint32_t at; // by which they are sorted
    Sym symbol;
    uint32_t file_asm;
} SourcePlace;

typedef struct {
    bool wanted; // the assembly must keep to this order; otherwise the order is free
    VEC(SourcePlace) places;
} SourceOrder;

static inline int source_place_compare(const void *left, const void *right) {
    const SourcePlace *a = left, *b = right;
    return (a->at > b->at) - (a->at < b->at);
}
