// Normalization: every node reachable, every loop with one entry, one latch and landing pads, only nops
// before joins, nodes numbered in reverse postorder.
#pragma once

#include "cert/normalize.h"

// The normal form of a function and the hint that shows why it is one. Both live in the arena.
Func *normalize(Arena *arena, const Func *func, NormHint *hint);
