// The matrix check of gates: the paper's obligations, entry by entry (see check_matrix.c).
#pragma once

#include "check/check_paths.h"
#include "check/obligations.h"

// Whether the gates of a function are right: a gamma selects its k-th argument when control comes from
// the k-th predecessor, the gates of etas, loops and ends are 1 when control comes there. `paths` says what
// the predicates of blocks might be; this is not relied upon. What cannot be settled at once is left open in
// `obligations`, whose table of predicates is that of `paths`.
Verdict matrix_check(Paths *paths, Obligations *obligations);
