#pragma once

#include "cert/gsa_destruct.h"
#include "check/check.h"

// Accepts if the SSA function `after` behaves as the gated function `before`. Reasons live in the arena.
Verdict check_gsa_destruct(Arena *arena, const Func *before, const Func *after,
                           const GsaDestructHint *hint);
