#include "pipeline/passes.h"

#include "check/check_allocate.h"
#include "check/check_close_loops.h"
#include "check/check_correlate.h"
#include "check/check_dead_code.h"
#include "check/check_forward.h"
#include "check/check_gate_simplify.h"
#include "check/check_gated_gvn.h"
#include "check/check_gsa_build.h"
#include "check/check_gsa_destruct.h"
#include "check/check_gvn.h"
#include "check/check_hoist.h"
#include "check/check_if_convert.h"
#include "check/check_inline_calls.h"
#include "check/check_invert_loops.h"
#include "check/check_normalize.h"
#include "check/check_rewrite.h"
#include "check/check_sccp.h"
#include "check/check_select_code.h"
#include "check/check_split_slots.h"
#include "check/check_ssa_build.h"
#include "check/check_ssa_destruct.h"
#include "check/check_straighten.h"
#include "check/check_tidy.h"
#include "check/check_widen.h"
#include "form/verify.h"

#include <string.h>

const PassInfo pass_table[PASS_COUNT] = {
#define PASS(id, hint, f, t, n, g, k, m)                                                           \
    [PASS_##id] = {.name = #id,                                                                    \
                   .meaning = m,                                                                   \
                   .from = FORM_##f,                                                               \
                   .to = FORM_##t,                                                                 \
                   .needs = PROPERTY_##n,                                                          \
                   .gives = PROPERTY_##g,                                                          \
                   .keeps = PROPERTY_##k},
#include "pipeline/passes.def"
};

PassId pass_named(const char *name) {
    PassId pass = 0;
    while (pass < PASS_COUNT && strcmp(pass_table[pass].name, name) != 0) pass++;
    return pass;
}

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

Verdict pass_check(PassId pass, Arena *arena, const Func *before, const Func *after,
                   const void *hint) {
    Verdict verdict = check_forms(pass, arena, before, after);
    if (!verdict.accepted) return verdict;
    switch (pass) {
#define PASS(name, Hint, from, to, needs, gives, keeps, meaning)                                   \
    case PASS_##name:                                                                              \
        return check_##name(arena, before, after, (const Hint *)hint);
#include "pipeline/passes.def"
    case PASS_COUNT: break;
    }
    return verdict_rejected(arena, NO_SITE, "the pass has no checker");
}
