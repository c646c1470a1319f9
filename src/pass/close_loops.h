// Loop-closed SSA: what a loop computes is used outside of it under other names only.
#pragma once

#include "cert/close_loops.h"

// The function with copies behind landing pads for every register that is set in the loop left there and
// used outside, and phis where several copies meet; NULL if there is nothing to do, or if the function is
// not in normal form.
Func *close_loops(Arena *arena, const Func *func, CloseLoopsHint *hint);
