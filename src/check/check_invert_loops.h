#pragma once

#include "cert/invert_loops.h"
#include "check/check.h"

// Whether every node of `after` does what one of `before` does and goes on to what stands for the
// successors of that.
Verdict check_invert_loops(Arena *arena, const Func *before, const Func *after,
                           const InvertHint *hint);
