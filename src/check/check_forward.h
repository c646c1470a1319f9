#pragma once

#include "cert/forward.h"
#include "check/check.h"

// Accepts if `after` is `before` but for loads whose value a register is shown to hold: these have become
// moves or extensions of that register. Reasons live in the arena.
Verdict check_forward(Arena *arena, const Func *before, const Func *after, const ForwardHint *hint);
