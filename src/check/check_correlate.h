#pragma once

#include "cert/correlate.h"
#include "check/check.h"

// Accepts if `after` is `before` but for branches that the hint decides, and every decision follows from
// conditions that hold wherever its branch is executed. Reasons live in the arena.
Verdict check_correlate(Arena *arena, const Func *before, const Func *after,
                        const CorrelateHint *hint);
