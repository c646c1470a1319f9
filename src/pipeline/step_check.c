// The checkers of passes that stand in no certificate, so that gatecheck does without them.
#include "pipeline/step_check.h"

#include "check/checkers.h"

Verdict step_check(PassId pass, Arena *arena, const Bodies *bodies, const Func *before,
                   const Func *after, const void *hint) {
    Verdict verdict = pass_check_forms(pass, arena, before, after);
    if (!verdict.accepted) return verdict;
    switch (pass) {
#define STEPPED(name, Hint, ...)                                                                   \
    case PASS_##name:                                                                              \
        return check_##name(arena, before, after, (const Hint *)hint);
#include "check/passes.def"
    default: return pass_check(pass, arena, bodies, before, after, hint);
    }
}
