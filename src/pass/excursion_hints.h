// How a function came from the one at which its excursion started: the hints of the passes in
// between, which nobody checks there, for the one that leads out. Nothing of it counts for what the
// function means.
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
