// Hints in words.
#include "history/history_private.h"

void history_hint_print(Out *out, PassId pass, const Func *before, const Func *after,
                        const void *hint) {
    (void)out, (void)pass, (void)before, (void)after, (void)hint;
}
