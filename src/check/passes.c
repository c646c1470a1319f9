#include "check/passes.h"

#include "check/checkers.h"
#include "verify/verify.h"

const PassInfo pass_table[PASS_COUNT] = {
#define PASS(id, f, t, k, Hint, s, n, g, kept, m)                                                  \
    [PASS_##id] = {.name = #id,                                                                    \
                   .meaning = m,                                                                   \
                   .from = FORM_##f,                                                               \
                   .to = FORM_##t,                                                                 \
                   .kernel = KERNEL_##k,                                                           \
                   .sees = PASS_SEES_##s,                                                          \
                   .needs = PROPERTY_##n,                                                          \
                   .gives = PROPERTY_##g,                                                          \
                   .keeps = PROPERTY_##kept},
#include "check/passes.def"
};

// The kernel of each pass, for the compiler.
enum {
#define PASS(name, from, to, kernel, ...) KERNEL_OF_##name = KERNEL_##kernel,
#include "check/passes.def"
};
#define HAS_KERNEL(name, kernel) ((int)KERNEL_OF_##name == (int)KERNEL_##kernel)
#define IS_CERTIFIED(name)       (!HAS_KERNEL(name, GATES) && !HAS_KERNEL(name, NONE))

const Excursion excursion_table[] = {
#define EXCURSION(in, out)                                                                         \
    {.way_in = PASS_##in, .way_out = PASS_##out, .as_one = !IS_CERTIFIED(in) && IS_CERTIFIED(out)},
#include "check/passes.def"
};
const uint32_t excursion_count = sizeof excursion_table / sizeof excursion_table[0];

// Somebody checks what leads out of an excursion: the compiler names the pass without a kernel.
#define EXCURSION(in, out) _Static_assert(!HAS_KERNEL(out, NONE), "no kernel checks " #out);
#include "check/passes.def"

const Excursion *excursion_left_by(PassId way_out) {
    for (uint32_t i = 0; i < excursion_count; i++)
        if (excursion_table[i].way_out == way_out) return &excursion_table[i];
    return NULL;
}

const Excursion *excursion_entered_by(PassId way_in) {
    for (uint32_t i = 0; i < excursion_count; i++)
        if (excursion_table[i].as_one && excursion_table[i].way_in == way_in)
            return &excursion_table[i];
    return NULL;
}

bool pass_leads_out(PassId pass) {
    const Excursion *excursion = excursion_left_by(pass);
    return excursion && excursion->as_one;
}

bool form_is_inner(Form form) {
    for (uint32_t i = 0; i < excursion_count; i++)
        if (excursion_table[i].as_one && pass_is_inner(excursion_table[i].way_in) &&
            pass_table[excursion_table[i].way_in].to == form)
            return true;
    return false;
}

bool form_is_stepped(Form form) {
    bool made = false;
    for (PassId pass = 0; pass < PASS_COUNT; pass++) {
        if (pass_table[pass].to != form) continue;
        if (!pass_is_stepped(pass)) return false;
        made = true;
    }
    return made;
}

Form pass_compares(PassId pass) {
    return pass_table[pass_leads_out(pass) ? excursion_left_by(pass)->way_in : pass].from;
}

// The form decides which rules the verifier has checked; a checker relies on these rules.
Verdict pass_check_forms(PassId pass, Arena *arena, const Func *before, const Func *after) {
    Form from = pass_compares(pass), to = pass_table[pass].to;
    if (before->form == from && after->form == to) return VERDICT_ACCEPTED;
    return verdict_rejected(arena, NO_SITE, "the forms are not %s and %s", form_name(from),
                            form_name(to));
}

Verdict pass_verify(PassId pass, Arena *arena, const Func *before, const Func *after) {
    Verdict verdict = pass_check_forms(pass, arena, before, after);
    if (!verdict.accepted) return verdict;
    Complaints complaints = {.arena = arena, .most = 1};
    if (verify_func_after(&complaints, before, after)) return VERDICT_ACCEPTED;
    const Complaint *first = &complaints.list.at[0];
    return verdict_rejected(arena, first->site, "not well-formed: %s: %s", first->rule,
                            first->message);
}

Verdict pass_check(PassId pass, Arena *arena, const Bodies *bodies, const Func *before,
                   const Func *after, const void *hint) {
    Verdict verdict = pass_check_forms(pass, arena, before, after);
    if (!verdict.accepted) return verdict;
    switch (pass) {
#define PASS(name, from, to, kernel, Hint, sees, ...)                                              \
    case PASS_##name:                                                                              \
        BY_##kernel(name, Hint, sees)
#define BY_COPIES(...) return check_copies(arena, bodies, before, after, hint);
#define BY_VALUES(...) return check_values(arena, before, after, hint);
#define BY_GATES(...)  break;
#define BY_NONE(...)   break;
#define BY_OWN(name, Hint, sees)                                                                   \
    return check_##name(arena, SEES_##sees(bodies) before, after, (const Hint *)hint);
#include "check/passes.def"
    case PASS_COUNT: break;
    }
    return verdict_rejected(arena, NO_SITE, "the pass has no checker");
}
