// Tells which registers of SSA and of gated SSA are undefined.
//
// No node sets a register of version 0: it is a parameter, or it holds the undefined value at every
// node. Every other register that is used has one definition, which dominates its uses; the
// verifier ensures both (ssa_verify.c). In RTL and in machine code, a register that is no parameter
// is undefined until it is set. Reading an undefined register is not a wrong step; effects.h says
// which uses of the undefined value are.
#pragma once

#include "form/program.h"

// RegInfo.version of a register that is set at no node, and the least that a definition has.
enum { VERSION_NEVER_SET = 1, VERSION_FIRST_SET = 2 };

static inline bool reg_is_never_set(const Func *func, Reg reg) {
    return func->regs.at[reg.i].version == VERSION_NEVER_SET;
}
