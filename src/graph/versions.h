// Which registers of SSA and of gated SSA are undefined.
//
// A register of version 0 is set at no node. It is a parameter, or it holds the undefined value at
// every node. All others that are used have one definition, which dominates their uses: the
// verifier sees to both (ssa_verify.c). In RTL and in machine code, what is no parameter is
// undefined until it is set. To read a register that is undefined is no wrong step; what may not be
// done with the value is in effects.h.
#pragma once

#include "form/program.h"

// RegInfo.version of a register that is set at no node, and the least that a definition has.
enum { VERSION_NEVER_SET = 1, VERSION_FIRST_SET = 2 };

static inline bool reg_is_never_set(const Func *func, Reg reg) {
    return func->regs.at[reg.i].version == VERSION_NEVER_SET;
}
