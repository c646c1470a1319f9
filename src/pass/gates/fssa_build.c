// Functional SSA from gated SSA: the equations that the function stands for. Their meaning on
// demand is also that of gated SSA, so that is where they are made (fact/gate/fssa_of_gsa.c).
#include "fact/gate/fssa_of_gsa.h"
#include "pass/pass.h"

Func *fssa_build(Arena *arena, const Func *func) {
    return fssa_of_gsa(arena, func, NULL);
}
