// The checker of mach0_build.
//
// So far it looks at the outline only: signature, number of parameters, slots.
#include "check/checkers.h"

Verdict check_mach0_build(Arena *arena, const Func *before, const Func *after,
                          const Mach0Hint *hint) {
    (void)hint;
    return check_same_outline(arena, before, after);
}
