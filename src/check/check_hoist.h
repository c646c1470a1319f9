#pragma once

#include "cert/hoist.h"
#include "check/check.h"

// Whether `after` is `before` with total operators in other places, and loads added that do no harm.
Verdict check_hoist(Arena *arena, const Func *before, const Func *after, const HoistHint *hint);
