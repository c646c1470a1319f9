#pragma once

#include "cert/normalize.h"
#include "check/check.h"

// Accepts if `after` does step for step what `before` does (nops may stutter, but not forever) and has
// the normal form. Reasons live in the arena.
Verdict check_normalize(Arena *arena, const Func *before, const Func *after, const NormHint *hint);
