// The matrix check of gates: the obligations of Herklotz et al., entry by entry (see
// check_matrix.c).
#pragma once

#include "check/clauses/obligations.h"
#include "check/gates/check_paths.h"
#include "hint/hints_gsa.h"

// Whether the gates of a function are right: a gamma selects its k-th argument when control comes
// from the k-th predecessor, the gates of etas, loops and ends are 1 when control comes there.
// `paths` guesses the predicates of blocks; the check does not rely on the guess. Open obligations
// are left in `obligations`, whose table of predicates is the table of `paths`.
Verdict matrix_check(Paths *paths, Obligations *obligations);

// As check_gsa_build, but gates are judged by the matrix check: any that select as they must will
// do. If it accepts, the open obligations are in `obligations`, which is initialized here.
Verdict check_gsa_build_by_matrix(Arena *arena, const Func *before, const Func *after,
                                  const GsaBuildHint *hint, Obligations *obligations);

// As check_gsa_build, in whose file it is, but gates are not looked at. If it accepts, the paths
// have been established.
Verdict check_gsa_build_code(Arena *arena, const Func *before, const Func *after,
                             const GsaBuildHint *hint, Paths *paths);
