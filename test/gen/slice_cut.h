// Slices as programs of their own, for tests of the checker: made from the nodes that are kept,
// with other numbers for everything, and run so that each kept node tells what it reads.
#pragma once

#include "check/check.h"
#include "hint/hints_slice.h"
#include "test/gen/random.h"

// Another program with the same text.
Program *program_twin(Arena *arena, const Program *program);

// The function "f" of a twin, cut down to the kept nodes: nodes, registers and slots are shuffled,
// nops come in between, where no kept node follows it ends. It takes the place of the twin's
// function.
void slice_cut(Arena *arena, Random *random, Program *twin, Sym symbol, const uint32_t *next);

// The function with an event in front of each node that has a number, and one for each i32 that it
// reads, and one for what it sets. Other nodes have no events: their calls must be of putchar.
Func *func_logged(Arena *arena, const Func *func, const uint32_t *numbers);

// NULL if the events of the original are a beginning of those of the slice, and all if it returns;
// otherwise how they differ. Both are run on two numbers drawn from the seed.
const char *slice_difference(Arena *arena, const Program *before, const Program *after,
                             const SliceFunctionHint *hint, uint64_t seed, uint64_t *events);
