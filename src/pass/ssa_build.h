// SSA construction: one register for each definition, phis where definitions meet.
#pragma once

#include "cert/ssa_build.h"

// The SSA form of a normalized function, and the hint that shows why it does the same; both live in
// the arena. Nodes keep their numbers. The three differ in how many phis there are:
//   pruned       where the register is live (used later on)
//   semi-pruned  for registers that are used in another block than the one that sets them
//   minimal      wherever two definitions meet
Func *ssa_build(Arena *arena, const Func *func, SsaHint *hint);
Func *ssa_build_semi_pruned(Arena *arena, const Func *func, SsaHint *hint);
Func *ssa_build_minimal(Arena *arena, const Func *func, SsaHint *hint);
