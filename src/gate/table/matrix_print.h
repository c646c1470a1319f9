// The predicate matrix of gated functions (Herklotz et al., section 5; see docs/papers.md), for
// people.
#pragma once

#include "form/gsa.h"

// A pair of nodes, by label.
typedef struct {
    uint32_t from, to;
} MatrixPair;

// Writes P[d,n] for every d from which the gates of the function start, and every block n on a way
// from there to the end of the gates. Then, for each pair of nodes the first of which strictly
// dominates the second, writes whether P is locally coherent for the pair (definition 5.2). Takes
// quadratic time and space.
void matrix_print(Out *out, const Func *func, const MatrixPair *pairs, uint32_t pair_count);
