#pragma once

#include "cert/inline_calls.h"
#include "check/check.h"

// Whether `after` is `before` with some calls replaced by the bodies of the functions that they call:
// those that the symbols have (Symbol.body).
Verdict check_inline_calls(Arena *arena, const Func *before, const Func *after,
                           const InlineHint *hint);
