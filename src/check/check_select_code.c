// There is no checker for instruction selection yet, so nothing is accepted.
#include "check/check_select_code.h"

Verdict check_select_code(Arena *arena, const Func *before, const Func *after,
                          const SelectHint *hint) {
    (void)before;
    (void)after;
    (void)hint;
    return verdict_rejected(arena, NO_NODE, "no checker yet");
}
