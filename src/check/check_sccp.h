#pragma once

#include "cert/sccp.h"
#include "check/check.h"

// Accepts if the facts of the hint hold in every execution of `before` and `after` differs from it
// only by what follows from them. Reasons live in the arena.
Verdict check_sccp(Arena *arena, const Func *before, const Func *after, const SccpHint *hint);
