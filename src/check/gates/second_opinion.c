#include "check/gates/second_opinion.h"

#include "check/gates/check_matrix.h"

static Verdict ask_about_gsa_build(Arena *arena, const Func *before, const Func *after,
                                   const void *hint, Obligations *obligations) {
    return check_gsa_build_by_matrix(arena, before, after, hint, obligations);
}

SecondOpinion *const second_opinions[PASS_COUNT] = {[PASS_gsa_build] = ask_about_gsa_build};
