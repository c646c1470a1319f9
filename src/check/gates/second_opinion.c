#include "check/gates/second_opinion.h"

#include "check/gates/check_matrix.h"

// Each with its typed hint, behind one signature.
#define SECOND_OPINION(name, check)                                                                \
    static Verdict ask_about_##name(Arena *arena, const Func *before, const Func *after,           \
                                    const void *hint, Obligations *obligations) {                  \
        return check(arena, before, after, hint, obligations);                                     \
    }
#include "check/passes.def"

SecondOpinion *const second_opinions[PASS_COUNT] = {
#define SECOND_OPINION(name, check) [PASS_##name] = ask_about_##name,
#include "check/passes.def"
};
