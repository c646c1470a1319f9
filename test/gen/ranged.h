// Functions in which ranges of values tell much, for tests of ranges.
#pragma once

#include "form/program.h"

// A function i32(i32, i32) "f" in RTL: masks, extensions, divisions, loops that count between
// constants, and tests and checks of the same registers again and again, nested. Some registers
// are undefined on some ways; of them only bits count that are defined.
Func *ranged_func(Arena *arena, Program *program, uint64_t seed);
