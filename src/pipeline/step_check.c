// The checkers of passes that stand in no certificate, so that gatecheck does without them.
#include "pipeline/step_check.h"

#include "check/checkers.h"

Verdict step_check(PassId pass, Arena *arena, const Bodies *bodies, const Func *before,
                   const Func *after, const void *hint) {
    Verdict verdict = pass_check_forms(pass, arena, before, after);
    if (!verdict.accepted) return verdict;
    switch (pass) {
#define PASS(name, from, to, kernel, Hint, ...)                                                    \
    case PASS_##name:                                                                              \
        BY_##kernel(name, Hint)
#define BY_GATES(name, Hint) return check_##name(arena, before, after, (const Hint *)hint);
#define BY_COPIES(...)       break;
#define BY_VALUES(...)       break;
#define BY_OWN(...)          break;
#define BY_NONE(...)         break;
#include "check/passes.def"
    case PASS_COUNT: break;
    }
    return pass_check(pass, arena, bodies, before, after, hint);
}
