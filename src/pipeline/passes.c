#include "pipeline/passes.h"

#include "check/checkers.h"
#include "form/verify.h"

const PassInfo pass_table[PASS_COUNT] = {
#define PASS(id, Hint, f, t, s, n, g, k, m)                                                        \
    [PASS_##id] = {.name = #id,                                                                    \
                   .meaning = m,                                                                   \
                   .from = FORM_##f,                                                               \
                   .to = FORM_##t,                                                                 \
                   .sees = PASS_SEES_##s,                                                          \
                   .needs = PROPERTY_##n,                                                          \
                   .gives = PROPERTY_##g,                                                          \
                   .keeps = PROPERTY_##k},
#include "pipeline/passes.def"
};

// The form decides what the verifier has asked for: what a checker relies on.
static Verdict check_forms(PassId pass, Arena *arena, const Func *before, const Func *after) {
    const PassInfo *info = &pass_table[pass];
    if (before->form == info->from && after->form == info->to) return VERDICT_ACCEPTED;
    return verdict_rejected(arena, NO_SITE, "the forms are not %s and %s", form_name(info->from),
                            form_name(info->to));
}

Verdict pass_verify(PassId pass, Arena *arena, const Func *before, const Func *after) {
    Verdict verdict = check_forms(pass, arena, before, after);
    if (!verdict.accepted) return verdict;
    Complaints complaints = {.arena = arena, .most = 1};
    if (verify_func_after(&complaints, before, after)) return VERDICT_ACCEPTED;
    const Complaint *first = &complaints.list.at[0];
    return verdict_rejected(arena, first->site, "not well-formed: %s: %s", first->rule,
                            first->message);
}

Verdict pass_check(PassId pass, Arena *arena, const Bodies *bodies, const Func *before,
                   const Func *after, const void *hint) {
    Verdict verdict = check_forms(pass, arena, before, after);
    if (!verdict.accepted) return verdict;
    switch (pass) {
#define PASS(name, Hint, from, to, sees, ...)                                                      \
    case PASS_##name:                                                                              \
        return check_##name(arena, SEES_##sees(bodies) before, after, (const Hint *)hint);
#include "pipeline/passes.def"
    case PASS_COUNT: break;
    }
    return verdict_rejected(arena, NO_SITE, "the pass has no checker");
}
