// Functions full of short branches, for tests of if_convert and straighten.
#pragma once

#include "form/program.h"

// A function i32(i32, i32) "f" in RTL: a loop around a row of branches with small arms, some empty,
// some nested, most with total operators only; at the end of each round and of the function it
// prints.
Func *diamonds_func(Arena *arena, Program *program, uint64_t seed);
