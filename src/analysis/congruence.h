// The congruence of registers of a function in SSA, after Alpern, Wegman and Zadeck (1988): the
// coarsest partition in which two registers are together only if the same operator computes both,
// or both are phis of the same join, and their arguments are together pairwise. A move is together
// with its source.
#pragma once

#include "form/program.h"

typedef struct {
    uint32_t *class_of; // per register; NO_ID if nothing defines or needs it
    uint32_t count;     // of classes
    Reg *source;        // per register: where the chain of moves that leads to it starts
} Congruence;

// In time O(n log n) for n registers and arguments. `preds` are those of the function.
Congruence congruence_of(Arena *arena, const Func *func, const Preds *preds);
