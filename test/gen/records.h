// Functions that keep what they compute with in frame slots, for tests of split_slots.
#pragma once

#include "form/program.h"

// A function i32(i32, i32) "f" in RTL: a loop that loads and stores parts of slots, by name and
// through registers, copies slots to each other and to memory and back, whole or in part, and fills
// them. Most accesses agree on what the parts of a slot are; some slots escape.
Func *record_func(Arena *arena, Program *program, uint64_t seed);
