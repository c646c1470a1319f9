// Second opinions on passes: further arguments that a result is right, which take longer
// (--check=matrix).
#pragma once

#include "check/clauses/obligations.h"
#include "check/passes.h"

// If it accepts, the open obligations are in `obligations`, which is initialized here.
typedef Verdict SecondOpinion(Arena *arena, const Func *before, const Func *after, const void *hint,
                              Obligations *obligations);

// By pass; NULL where there is none.
extern SecondOpinion *const second_opinions[PASS_COUNT];
