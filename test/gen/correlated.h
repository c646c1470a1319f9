// Functions full of branches that depend on one another, for tests of decided branches.
#pragma once

#include "form/program.h"

// The same function, but most conditions compare registers that a branch above has compared
// already, with another operator and nearby immediates.
Func *correlated_func(Arena *arena, const Func *func, uint64_t seed);
