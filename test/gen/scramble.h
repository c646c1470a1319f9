// SSA that no construction from RTL would yield: uses replaced by other registers that could be
// used in their place, operations by moves. What is live where becomes arbitrary, and phi-blocks
// need real parallelism.
#pragma once

#include "form/program.h"
#include "test/gen/random.h"

// A copy of a function in SSA in which about so many percent of the arguments of phis and operators
// are others, and of the operators are moves. Well-formed; it does not do what the original did.
Func *scramble_ssa(Arena *arena, const Func *func, uint32_t percent, Random *random);
