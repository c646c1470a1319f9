// The checkers of all passes of passes.def. A pass whose kernel is TYPING, MACHINE, OWN or GATES
// has check_NAME, in check_NAME.c, whose head argues why an accepted result is right. Passes with
// the kernel VALUES share one checker, and so do passes with the kernel COPIES.
//
// A checker accepts if it can see, with the help of the hint, that `after` behaves as `before`.
// `before` is the function that the pass was given or, if the pass leads out of an excursion that
// is checked as a whole, the function at the start of the excursion. Both functions are
// well-formed. The hint may be anything of its type; `bodies` are the bodies that the pass may have
// copied. The reason for a rejection lives in the arena.
#pragma once

#include "check/check.h"
#include "fact/bodies.h"
#include "graph/loop_nest.h"
#include "hint/hints_gsa.h"
#include "hint/hints_mach.h"
#include "hint/hints_values.h"

#define PASS(name, from, to, kernel, Hint, sees, ...) BY_##kernel(name, Hint, sees)
#define BY_OWN(name, Hint, sees)                                                                   \
    Verdict check_##name(Arena *arena, SEES_##sees(const Bodies *bodies) const Func *before,       \
                         const Func *after, const Hint *hint);
#define BY_GATES(...) BY_OWN(__VA_ARGS__)
#define BY_VALUES(...)
#define BY_COPIES(...)
#define BY_NONE(...)
#include "check/passes.def"

// For each pass with the kernel VALUES.
Verdict check_values(Arena *arena, const Func *before, const Func *after, const ValuesHint *hint);
// For each pass with the kernel COPIES; `bodies` may be NULL.
Verdict check_copies(Arena *arena, const Bodies *bodies, const Func *before, const Func *after,
                     const CopiesHint *hint);
// For mach0_build, which leads to a side form (pipeline/side_forms.h).
Verdict check_mach0_build(Arena *arena, const Func *before, const Func *after,
                          const Mach0Hint *hint);

// The result of check_ssa_build: for each entry of hint->tracked the version that holds the
// register's value at the join, after its phi-block. NULL if the check fails.
const Reg *check_ssa_typing(Arena *arena, const Func *before, const Func *after,
                            const SsaHint *hint);

// Accepts if a function has the normal form: loops with one entry, one latch and landing pads;
// only nops before joins; nodes in reverse postorder. The loops need not be believed.
Verdict check_shape(Arena *arena, const Func *func, const Preds *preds, const LoopNest *nest);
