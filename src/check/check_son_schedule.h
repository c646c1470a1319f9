// The checker of an excursion into Sea of Nodes, until passes.def has the row that declares it in checkers.h.
#pragma once

#include "cert/hints_son.h"
#include "check/check.h"

Verdict check_son_schedule(Arena *arena, const Func *before, const Func *after,
                           const SonHint *hint);
