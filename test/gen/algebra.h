// Functions full of what the rules of rules.def look for.
#pragma once

#include "fact/rules.h"
#include "test/gen/random.h"

// A value of a type: often small or at an edge. If it need not be defined, some of its bits, or
// all, may be undefined.
Value random_value(Random *random, Type type, bool defined);

// The function i32(i32, i32) "f": operators in a row, most of them the left-hand sides of rules
// over what was computed before, and some branches on them. It returns a mixture of all.
Func *algebra_func(Arena *arena, Program *program, uint32_t rules, uint64_t seed);
