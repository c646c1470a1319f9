#pragma once

#include "cert/widen.h"
#include "check/check.h"

// Whether `after` is `before` with 64-bit counters beside, or in the place of, 32-bit ones.
Verdict check_widen(Arena *arena, const Func *before, const Func *after, const WidenHint *hint);
