// What does not change in a loop, computed before it.
#pragma once

#include "cert/hoist.h"

Func *hoist(Arena *arena, const Func *func, HoistHint *hint);
