#pragma once

#include "cert/if_convert.h"
#include "check/check.h"

// Accepts if `after` is `before` with operators added after joins, and a select instead of a gamma only
// where it has the same value. Reasons live in the arena.
Verdict check_if_convert(Arena *arena, const Func *before, const Func *after,
                         const IfConvertHint *hint);
