// Branches that make no difference.
#pragma once

#include "cert/straighten.h"

// The function with nops instead of branches all of whose ways come to the same node without doing
// anything; NULL if there are none. Code that can no longer be reached stays for tidy to remove.
Func *straighten(Arena *arena, const Func *func, StraightenHint *hint);
