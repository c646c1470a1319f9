#include "check/passes.h"

#include "check/checkers.h"
#include "verify/verify.h"

#define ROW(id, f, t, s, n, g, k, m, ...)                                                          \
    [PASS_##id] = {.name = #id,                                                                    \
                   .meaning = m,                                                                   \
                   .from = FORM_##f,                                                               \
                   .to = FORM_##t,                                                                 \
                   .sees = PASS_SEES_##s,                                                          \
                   .needs = PROPERTY_##n,                                                          \
                   .gives = PROPERTY_##g,                                                          \
                   .keeps = PROPERTY_##k,                                                          \
                   __VA_ARGS__},

const PassInfo pass_table[PASS_COUNT] = {
#define PASS(id, Hint, f, t, s, n, g, k, m)    ROW(id, f, t, s, n, g, k, m, .inner = false)
#define STEPPED(id, Hint, f, t, s, n, g, k, m) ROW(id, f, t, s, n, g, k, m, .stepped = true)
#define INNER(id, f, t, n, m)                  ROW(id, f, t, FUNCTION, n, NOTHING, NOTHING, m, .inner = true)
#include "check/passes.def"
};

const Excursion excursion_table[] = {
#define EXCURSION(in, out) {.way_in = PASS_##in, .way_out = PASS_##out},
#define WHOLE(in, out)     {.way_in = PASS_##in, .way_out = PASS_##out, .whole = true},
#include "check/passes.def"
};
const uint32_t excursion_count = sizeof excursion_table / sizeof excursion_table[0];

// An excursion that is checked as one starts with a pass that is not checked and ends with one that
// is: the compiler names the row that is missing.
#define PASS(name, ...)    extern const char a_PASS_row_for_##name;
#define INNER(name, ...)   extern const char an_INNER_row_for_##name;
#define STEPPED(name, ...) INNER(name, )
#include "check/passes.def"
#define WHOLE(in, out)                                                                             \
    _Static_assert(sizeof an_INNER_row_for_##in, #in);                                             \
    _Static_assert(sizeof a_PASS_row_for_##out, #out);
#include "check/passes.def"

const Excursion *excursion_left_by(PassId way_out) {
    for (uint32_t i = 0; i < excursion_count; i++)
        if (excursion_table[i].way_out == way_out) return &excursion_table[i];
    return NULL;
}

const Excursion *excursion_entered_by(PassId way_in) {
    for (uint32_t i = 0; i < excursion_count; i++)
        if (excursion_table[i].whole && excursion_table[i].way_in == way_in)
            return &excursion_table[i];
    return NULL;
}

bool pass_leads_out(PassId pass) {
    const Excursion *excursion = excursion_left_by(pass);
    return excursion && excursion->whole;
}

bool form_is_inner(Form form) {
    for (uint32_t i = 0; i < excursion_count; i++)
        if (excursion_table[i].whole && pass_table[excursion_table[i].way_in].inner &&
            pass_table[excursion_table[i].way_in].to == form)
            return true;
    return false;
}

bool form_is_stepped(Form form) {
    bool made = false;
    for (PassId pass = 0; pass < PASS_COUNT; pass++) {
        if (pass_table[pass].to != form) continue;
        if (!pass_table[pass].stepped) return false;
        made = true;
    }
    return made;
}

Form pass_compares(PassId pass) {
    return pass_table[pass_leads_out(pass) ? excursion_left_by(pass)->way_in : pass].from;
}

// The form decides what the verifier has asked for: what a checker relies on.
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
    // clang-format off
    switch (pass) {
// clang-format off
#define INNER(name, ...)   case PASS_##name:
#define STEPPED(name, ...) case PASS_##name:
#define VALUES(name, ...)  case PASS_##name: return check_values(arena, before, after, hint);
#define COPIES(name, ...)  case PASS_##name: return check_copies(arena, bodies, before, after, hint);
// clang-format on
#define PASS(name, Hint, from, to, sees, ...)                                                      \
    case PASS_##name:                                                                              \
        return check_##name(arena, SEES_##sees(bodies) before, after, (const Hint *)hint);
#include "check/passes.def"
    case PASS_COUNT: break;
    }
    // clang-format on
    return verdict_rejected(arena, NO_SITE, "the pass has no checker");
}
