// The hints of the passes inside of an excursion, which nobody checks there. The pass that leads
// out of the excursion uses them to say how the function came from the function at the start. They
// do not change the meaning of the function.
#pragma once

#include "check/passes.h"
#include "form/program.h"

typedef struct Trail {
    PassId pass;
    const Func *from;
    const void *hint; // of the pass's type
} Trail;

static inline Func *trail_add(Func *func, PassId pass, const Func *from, const void *hint) {
    Trail *trail = ARENA_NEW(func->arena, Trail);
    *trail = (Trail){pass, from, hint};
    func->trail = trail;
    return func;
}
