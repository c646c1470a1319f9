// Normalization: every node reachable, every loop with one entry, one latch and landing pads, only nops
// before joins, nodes numbered in reverse postorder.
#pragma once

#include "cert/normalize.h"

// The normal form of a function and the hint that shows why it is one. Both live in the arena.
Func *normalize(Arena *arena, const Func *func, NormHint *hint);
// The same without nops where the ways of short branches meet for if_convert: no two edges into a join come to
// share one, unless they have to for the normal form.
Func *normalize_edges(Arena *arena, const Func *func, NormHint *hint);
