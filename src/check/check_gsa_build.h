#pragma once

#include "cert/gsa_build.h"
#include "check/check.h"
#include "check/obligations.h"

// Accepts if the gated function `after` behaves as the SSA function `before`, each gate being the
// predicate of the paths that it must be. Linear; no solver. Reasons live in the arena.
Verdict check_gsa_build(Arena *arena, const Func *before, const Func *after,
                        const GsaBuildHint *hint);

// The same, but gates are judged by the matrix check (check_matrix.h): any that select as they must will do. If
// it accepts, what is left to show is open in `obligations`, which is initialized here.
Verdict check_gsa_build_by_matrix(Arena *arena, const Func *before, const Func *after,
                                  const GsaBuildHint *hint, Obligations *obligations);
