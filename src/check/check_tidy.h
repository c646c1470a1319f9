#pragma once

#include "cert/tidy.h"
#include "check/check.h"

// Accepts if `after` does step for step what `before` does, up to nops, and has the normal form.
// Reasons live in the arena.
Verdict check_tidy(Arena *arena, const Func *before, const Func *after, const TidyHint *hint);
