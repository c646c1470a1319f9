// Tidying up an SSA function: what cannot be reached and nops that do nothing go, and the normal form
// is restored.
#pragma once

#include "cert/tidy.h"

// The function in normal form, without unreachable nodes; a phi with one argument left becomes a copy.
// NULL if there is nothing to do, or if the function never had a normal form, as text may bring it, and would need
// phis of its own for that.
Func *tidy(Arena *arena, const Func *func, TidyHint *hint);
