#pragma once

#include "cert/hints_rtl.h"
#include "check/check.h"

// Accepts if a function has the normal form: loops with one entry, one latch and landing pads; only nops
// before joins; nodes in reverse postorder. Of the hint it reads the loops, which must cover every node.
Verdict check_shape(Arena *arena, const Func *func, const Preds *preds, const NormHint *hint);
