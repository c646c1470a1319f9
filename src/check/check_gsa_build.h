#pragma once

#include "cert/gsa_build.h"
#include "check/check_paths.h"

// Accepts if the gated function `after` behaves as the SSA function `before`, each gate being the
// predicate of the paths that it must be. Linear; no solver. Reasons live in the arena.
Verdict check_gsa_build(Arena *arena, const Func *before, const Func *after,
                        const GsaBuildHint *hint);

// The same, but gates are not looked at: they are somebody else's business (check_matrix.h). If it accepts,
// the paths have been established.
Verdict check_gsa_build_code(Arena *arena, const Func *before, const Func *after,
                             const GsaBuildHint *hint, Paths *paths);
