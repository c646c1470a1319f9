#pragma once

#include "cert/ssa_build.h"
#include "check/check.h"

// Accepts if `after`, a well-formed SSA function, does step for step what the RTL function `before`
// does. Reasons live in the arena.
Verdict check_ssa_build(Arena *arena, const Func *before, const Func *after, const SsaHint *hint);

// The typing of the function, inferred from the hint: for each entry of hint->tracked the version
// that holds the register's value at the join, after its phi-block. NULL if the check fails.
const Reg *check_ssa_typing(Arena *arena, const Func *before, const Func *after,
                            const SsaHint *hint);
