// The one checker of the passes that replace registers by equal ones and drop what is then unused.
// Its argument is at the head of check_gvn.c.
#pragma once

#include "cert/numbering.h"
#include "check/check.h"

Verdict check_gvn(Arena *arena, const Func *before, const Func *after, const Numbering *hint);

// Local value numbering and copy propagation are global value numbering with fewer equalities.
static inline Verdict check_lvn(Arena *arena, const Func *before, const Func *after,
                                const Numbering *hint) {
    return check_gvn(arena, before, after, hint);
}
static inline Verdict check_copy_prop(Arena *arena, const Func *before, const Func *after,
                                      const Numbering *hint) {
    return check_gvn(arena, before, after, hint);
}
