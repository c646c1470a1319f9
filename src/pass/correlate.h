// Correlated branches: a branch whose outcome follows from those by which control came to it.
#pragma once

#include "cert/correlate.h"

// The function with branches gone straight whose outcome the conditions of dominating branches decide;
// NULL if there are none. Code that can no longer be reached stays for tidy to remove.
Func *correlate(Arena *arena, const Func *func, CorrelateHint *hint);
