// Reasons for steps inside of an excursion that is checked as a whole. Such steps have no reasons
// of their own until the step that leads out describes the end of each item of the function at the
// start. An item that was removed, added or replaced gets that reason at the step where the change
// happened.
#include "history/history_private.h"

#include <string.h>

typedef struct {
    Arena *arena, *scratch;
    FunctionHistory *told;
    uint32_t way_out;
    HistoryState start, end;
    uint32_t *of_start,
        *of_end; // per identity: the remark of the way out on the item that was there, or that is there now
    uint32_t *moved; // per identity: that by which the item of the start is elsewhere
} Inside;

static uint32_t *items_by_identity(Arena *arena, HistoryState state, uint32_t identities) {
    uint32_t *result = history_table(arena, identities);
    for (uint32_t i = 0; i < state.items->count; i++) result[state.identity[i]] = i;
    return result;
}

static void find_reasons(Inside *in) {
    const HistoryStep *out = &in->told->steps.at[in->way_out];
    in->of_start = history_table(in->scratch, in->told->identities);
    in->of_end = history_table(in->scratch, in->told->identities);
    in->moved = history_table(in->scratch, in->told->identities);
    for (uint32_t i = 0; i < out->remarks.count; i++) {
        const Remark *remark = &out->remarks.at[i];
        if (remark->before != NO_ID && remark->kind != REMARK_MOVED)
            in->of_start[in->start.identity[remark->before]] = i;
        else if (remark->before != NO_ID)
            in->moved[in->start.identity[remark->before]] = i;
        else if (remark->after != NO_ID && remark->before == NO_ID)
            in->of_end[in->end.identity[remark->after]] = i;
    }
}

static void add(Inside *in, HistoryStep *step, uint32_t reason, RemarkKind otherwise,
                const char *text, uint32_t before, uint32_t after, const uint32_t *then) {
    Remark remark = {.kind = (uint8_t)otherwise, .other = NO_ID, .text = text};
    if (reason != NO_ID) {
        remark = in->told->steps.at[in->way_out].remarks.at[reason];
        if (remark.other != NO_ID) remark.other = then[in->start.identity[remark.other]];
    }
    remark.before = before;
    remark.after = after;
    vec_push(in->arena, &step->remarks, remark);
}

static bool is_other_operator(const Instr *was, const Instr *is) {
    return was && is &&
           (was->kind != is->kind || was->op != is->op || was->immediate != is->immediate ||
            was->imm != is->imm || was->arg_count != is->arg_count);
}

static void fill(Inside *in, uint32_t at) {
    HistoryStep *step = &in->told->steps.at[at];
    HistoryState before = history_before(in->told, at), after = history_after(in->told, at);
    uint32_t *then = items_by_identity(in->scratch, before, in->told->identities);
    uint32_t *now = items_by_identity(in->scratch, after, in->told->identities);
    Bits gone = bits_new(in->scratch, before.items->count);
    Bits came = bits_new(in->scratch, after.items->count);
    for (uint32_t i = 0; i < step->remarks.count; i++) {
        const Remark *remark = &step->remarks.at[i];
        if (remark->before != NO_ID) bits_add(&gone, remark->before);
        if (remark->after != NO_ID) bits_add(&came, remark->after);
    }
    for (uint32_t i = 0; i < before.items->count; i++) {
        uint32_t identity = before.identity[i], reason = in->of_start[identity], is = now[identity];
        if (bits_has(&gone, i)) continue;
        // What does not float is made anew by the pass that moves it: loads.
        if (reason == NO_ID && is == NO_ID) reason = in->moved[identity];
        if (is == NO_ID && !history_is_idle(before.func, &before.items->at[i]))
            add(in, step, reason, REMARK_REMOVED, "it was needed on the way only", i, NO_ID, then);
        else if (is != NO_ID && reason != NO_ID &&
                 is_other_operator(item_instr(before.func, &before.items->at[i]),
                                   item_instr(after.func, &after.items->at[is])))
            add(in, step, reason, REMARK_REPLACED, NULL, i, is, then);
    }
    for (uint32_t i = 0; i < after.items->count; i++)
        if (then[after.identity[i]] == NO_ID && !bits_has(&came, i) &&
            !history_is_idle(after.func, &after.items->at[i]))
            add(in, step, in->of_end[after.identity[i]], REMARK_ADDED, "made on the way", NO_ID, i,
                then);
}

void history_fill_inside(Arena *arena, Arena *scratch, FunctionHistory *told, uint32_t way_out) {
    Inside in = {.arena = arena,
                 .scratch = scratch,
                 .told = told,
                 .way_out = way_out,
                 .start = history_before(told, way_out),
                 .end = history_after(told, way_out)};
    uint32_t first = told->steps.at[way_out].before;
    find_reasons(&in);
    for (uint32_t i = first == NO_ID ? 0 : first + 1; i < way_out; i++) {
        StepVerdict verdict = told->steps.at[i].verdict;
        if (verdict == STEP_INSIDE || verdict == STEP_UNCHECKED) fill(&in, i);
    }
}
