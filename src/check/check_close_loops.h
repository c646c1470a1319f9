#pragma once

#include "cert/close_loops.h"
#include "check/check.h"

// Accepts if `after` is `before` with copies and phis added that give other names to the same values.
// Reasons live in the arena.
Verdict check_close_loops(Arena *arena, const Func *before, const Func *after,
                          const CloseLoopsHint *hint);
