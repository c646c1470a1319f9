// What is established, for now: the function is the one at which the excursion started.
#include "check/checkers.h"

Verdict check_son_schedule(Arena *arena, const Func *before, const Func *after,
                           const SonHint *hint) {
    (void)hint;
    Verdict verdict = check_same_frame(arena, before, after);
    if (verdict.accepted) verdict = check_same_graph(arena, before, after);
    if (!verdict.accepted) return verdict;
    Preds preds = preds_of(arena, before);
    for (uint32_t n = 0; n < before->nodes.count; n++) {
        if (!instr_same(before, &before->nodes.at[n], after, &after->nodes.at[n]))
            return verdict_rejected(arena, (Site){n}, "the instruction has changed");
        if (!check_same_phis(before, after, (Node){n}, preds_count(&preds, (Node){n})))
            return verdict_rejected(arena, (Site){n}, "the phis have changed");
    }
    return VERDICT_ACCEPTED;
}
