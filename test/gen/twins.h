// Functions full of values that are computed twice, for tests of value numberings.
#pragma once

#include "form/program.h"

// A function in RTL that does what another one does, but with a twin for every register: what an
// operator computes is computed again into the twin, from twins or originals as chance will have
// it, commutative operands in either order; what a load or call yields is moved there. Uses read
// one or the other. Some registers are moved to themselves now and then. With noise, that many
// twins in a thousand are computed wrongly.
Func *twin_func(Arena *arena, const Func *func, uint32_t noise, uint64_t seed);

// The SSA form of a function in RTL, after normalize.
Func *ssa_of(Arena *arena, const Func *func);

// The same function in SSA with its nodes renumbered at random, but for the entry.
Func *shuffle_nodes(Arena *arena, const Func *func, uint64_t seed);

// How many operators a function has.
uint32_t count_ops(const Func *func);
