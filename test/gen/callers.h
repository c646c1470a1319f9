// Functions that call others, for tests of inline_calls.
#pragma once

#include "form/program.h"

// A function i32(i32, i32) "f" in RTL: a loop with a few calls of the random functions "g0", "g1" and
// "g2", among them some of the form i32(i32, i32) that are called with what others returned. All are
// offered for inlining.
Func *caller_func(Arena *arena, Program *program, uint64_t seed);
