// Out of SSA: phis become copies on the edges into their joins, and registers that can share one do.
#pragma once

#include "cert/ssa_destruct.h"

// The function in RTL, without unreachable nodes and numbered in reverse postorder, and the hint that
// shows why it does the same. Both live in the arena.
Func *ssa_destruct(Arena *arena, const Func *func, DestructHint *hint);
