// Loops that count, for tests of widen.
#pragma once

#include "form/program.h"

// A function i32(i32, i32) "f" in RTL: a few loops, one after the other, each counting a register
// up or down with a random start, step and test, some near the edges of the type, and storing or
// adding up what the counter or its neighbours are extended to. A loop ends after a few rounds in
// any case.
Func *counter_func(Arena *arena, Program *program, uint64_t seed);
