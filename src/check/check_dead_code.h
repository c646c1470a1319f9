#pragma once

#include "cert/dead_code.h"
#include "check/check.h"

// Accepts if `after` is `before` without some definitions that have no effect but to set a register.
// Reasons live in the arena.
Verdict check_dead_code(Arena *arena, const Func *before, const Func *after,
                        const DeadCodeHint *hint);
