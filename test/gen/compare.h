// Running a function of two integers before and after a pass.
#pragma once

#include "run/world/run.h"

// Runs both on two numbers drawn from the seed. NULL if the second may replace the first; otherwise
// how they differ.
const char *behaviour_difference(Arena *arena, const Func *before, const Func *after, uint64_t seed,
                                 uint64_t fuel);
// Whether a run on these numbers ends with a result: if not, little is compared.
bool behaviour_returns(Arena *arena, const Func *func, uint64_t seed, uint64_t fuel);
