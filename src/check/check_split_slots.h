#pragma once

#include "cert/split_slots.h"
#include "check/check.h"

// Whether `after` is `before` with registers for the fields of some slots.
Verdict check_split_slots(Arena *arena, const Func *before, const Func *after,
                          const SplitHint *hint);
