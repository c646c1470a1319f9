#pragma once

#include "cert/ssa_destruct.h"
#include "check/check.h"

// Accepts if `after`, in RTL, does what `before`, in SSA, does. Both are well-formed. Reasons live in the
// arena.
Verdict check_ssa_destruct(Arena *arena, const Func *before, const Func *after,
                           const DestructHint *hint);
