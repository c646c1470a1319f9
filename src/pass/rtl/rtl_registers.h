// The registers of RTL that classes of SSA registers live in, with names a reader knows: a class
// whose members are all versions of %x becomes %x again, as far as there is only one such class;
// parameters come first.
#pragma once

#include "pass/rtl/coalesce.h"

// Numbers the names of registers, versions aside, so that equal ones have equal numbers.
uint32_t *origins_of(Arena *arena, const Func *func);

// Adds registers to `rtl`, a function without any, and yields for each SSA register its RTL
// register: for each register that is needed or set by an instruction other than a move, and for
// needed undefined registers. NO_REG for the rest.
Reg *rtl_registers_of(Arena *scratch, Func *rtl, const SsaRanges *ranges, const Coalescing *classes,
                      const uint32_t *origin);
