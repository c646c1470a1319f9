// Functions that call others, for tests of inline_calls.
#pragma once

#include "fact/bodies.h"

// A function i32(i32, i32) "f" in RTL: a loop with a few calls of the random functions "g0", "g1"
// and "g2", among them some of the form i32(i32, i32) that are called with what others returned.
// All of these are static.
Func *caller_func(Arena *arena, Program *program, uint64_t seed);

// The bodies of the static functions of a program.
Bodies callee_bodies(Arena *arena, const Program *program);
