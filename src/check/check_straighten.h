#pragma once

#include "cert/straighten.h"
#include "check/check.h"

// Accepts if `after` is `before` but for branches that became nops to one of their successors, and all of
// those led to the same node without effect. Reasons live in the arena.
Verdict check_straighten(Arena *arena, const Func *before, const Func *after,
                         const StraightenHint *hint);
