// Counters in 64 bits.
#pragma once

#include "cert/widen.h"

Func *widen(Arena *arena, const Func *func, WidenHint *hint);
