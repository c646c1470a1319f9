// Structures as columns of numbers, by the shapes of hints.h: hints, and what a form has besides
// its instructions.
#pragma once

#include "cert/hints.h"
#include "cert/tokens.h"

// Reads or writes all columns of a structure. Columns that were read live in the arena. `budget`:
// so many values may yet come from repetitions.
void columns_code(TokenStream *t, Arena *arena, const HintShape *shape, void *structure,
                  uint64_t *budget);
