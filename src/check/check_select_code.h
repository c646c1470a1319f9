#pragma once

#include "cert/select.h"
#include "check/check.h"

// Accepts if the blocks of `after`, machine code, do what the nodes of `before` do. Reasons live in
// the arena.
Verdict check_select_code(Arena *arena, const Func *before, const Func *after,
                          const SelectHint *hint);
