// Functions whose variables live in memory, for tests of what is done about loads and stores.
#pragma once

#include "form/program.h"

// The same function with most of its registers kept in memory: each instruction loads its arguments
// to new registers and stores its result. Some registers live in a slot that nobody else sees, some
// in one whose address is known to others; the latter are accessed as bytes of the slot, or through
// a pointer, as the seed decides for each access.
Func *func_in_memory(Arena *arena, const Func *func, uint64_t seed);
