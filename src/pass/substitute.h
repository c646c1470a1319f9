// Replaces registers by others in a function, for copy_prop, lvn, gvn and gated_gvn.
#pragma once

#include "form/program.h"

// The function with every use of a register x replaced by that of instead_of[x], and without the
// operators, phis, merges and etas that define a register with another in its stead. Gates stay as
// they are, so registers that they read must stand for themselves. NULL if each register stands for
// itself.
Func *substitute_registers(Arena *arena, const Func *func, const Reg *instead_of);
