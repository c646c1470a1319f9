#pragma once

#include "cert/rewrite.h"
#include "check/check.h"

// Accepts if `after` is what the rules that the hint names make of `before`. Both are in SSA, and `after`
// has been verified.
Verdict check_rewrite(Arena *arena, const Func *before, const Func *after, const RewriteHint *hint);
