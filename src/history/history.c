// Watching the pipeline: what functions were after each step, and the identities of their items.
#include "history/history_private.h"

#include <string.h>

typedef struct {
    FunctionHistory told; // first, so that a pointer to it is one to the whole
    Arena *arena;         // of what is kept of it
    uint32_t first_loc;   // the least of the function as it began; NO_ID if none is known
    uint32_t
        resumed; // steps that it had taken when it went on from the form in which it was offered; NO_ID: it did not
    // Of the run at hand, as the pipeline knows them: the function as it is, and where the
    // excursion started that it is on, NULL if it is on none. Both live until the next step.
    const Func *now, *start;
    uint32_t now_step, start_step; // steps after which it was so; NO_ID: none
} Watched;

struct History {
    Arena *arena, *scratch;
    Arena *kept; // for what is kept of the function at hand
    bool brief;
    const Program *program;
    const char *only;
    VEC(Watched *) functions; // in the order of the source
    Map of_symbol;            // -> index in by_symbol
    VEC(Watched *) by_symbol; // in the order in which they began
    const Pipeline *pipeline; // that is watched, or NULL
    Inlining *inlining;       // NULL: not asked for yet
    Watched *at_hand;         // NULL: nobody wants to know
};

// ---- States

HistoryState history_after(const FunctionHistory *told, uint32_t step) {
    if (step == NO_ID) return (HistoryState){told->start, &told->items, told->identity};
    const HistoryStep *it = &told->steps.at[step];
    return (HistoryState){it->func, &it->items, it->identity};
}

HistoryState history_before(const FunctionHistory *told, uint32_t step) {
    return history_after(told, told->steps.at[step].before);
}

// A copy of which nobody else knows, with nothing that leads elsewhere.
static const Func *keep(History *history, const Func *func) {
    Func *copy = func_clone(func, history->kept);
    copy->trail = NULL;
    if (copy->son) copy->son->trail = NULL;
    return copy;
}

// ---- Beginnings

static uint32_t least_loc(const Func *func, const FuncItems *items) {
    uint32_t least = NO_ID;
    for (uint32_t i = 0; i < items->count; i++) {
        uint32_t loc = item_loc(func, &items->at[i]);
        if (loc && loc < least) least = loc;
    }
    return least;
}

static bool comes_before(const Watched *a, const Watched *b) {
    return a->first_loc != b->first_loc ? a->first_loc < b->first_loc
                                        : a->told.symbol.i < b->told.symbol.i;
}

static Watched *find(const History *history, Sym symbol) {
    uint32_t index = map_get(&history->of_symbol, symbol.i);
    return index == HASH_NONE ? NULL : history->by_symbol.at[index];
}

static Watched *add_function(History *history, const Func *func) {
    Watched *watched = ARENA_NEW(history->arena, Watched);
    FunctionHistory *told = &watched->told;
    watched->arena = history->brief ? arena_new("function") : history->arena;
    history->kept = watched->arena;
    told->symbol = func->symbol;
    told->start = keep(history, func);
    told->items = items_of(history->kept, told->start);
    uint32_t *identity = ARENA_ARRAY(history->kept, uint32_t, (size_t)told->items.count + 1);
    for (uint32_t i = 0; i < told->items.count; i++) identity[i] = i;
    told->identity = identity;
    watched->first_loc = least_loc(told->start, &told->items);
    watched->resumed = NO_ID;
    map_set(history->arena, &history->of_symbol, func->symbol.i, history->by_symbol.count);
    vec_push(history->arena, &history->by_symbol, watched);
    uint32_t at = history->functions.count;
    vec_push(history->arena, &history->functions, watched);
    for (; at && comes_before(watched, history->functions.at[at - 1]); at--)
        history->functions.at[at] = history->functions.at[at - 1];
    history->functions.at[at] = watched;
    return watched;
}

// What was read in a form from which nothing leads on has no history.
static bool is_wanted(const History *history, const Func *func) {
    bool leads_on = func->form == finish_info.from;
    for (PassId pass = 0; pass < PASS_COUNT; pass++)
        leads_on |= pass_table[pass].from == func->form;
    return leads_on && (!history->only || strcmp(history->only, func_name(func)) == 0);
}

static void give_up(Arena *arena, FunctionHistory *told) {
    bool rejected = false;
    for (uint32_t i = 0; i < told->steps.count; i++)
        rejected |= told->steps.at[i].verdict == STEP_REJECTED;
    if (!rejected) return;
    told->given_up.count = 0;
    for (uint32_t i = 0; i < told->steps.count; i++)
        vec_push(arena, &told->given_up, told->steps.at[i]);
}

// A function that has to start anew has no history but where it starts.
static void begin(History *history, const StepReport *report) {
    Watched *watched = find(history, report->given->symbol);
    history->at_hand = NULL;
    if (!history->inlining && history->pipeline->plan)
        history->inlining =
            inlining_of(history->arena, history->program,
                        &(PlanOptions){.level = history->pipeline->level,
                                       .small = history->pipeline->small,
                                       .marked_only = history->pipeline->marked_only});
    if (!is_wanted(history, report->given)) return;
    if (!watched) watched = add_function(history, report->given);
    history->kept = watched->arena;
    FunctionHistory *told = &watched->told;
    if (report->resumed && watched->resumed == NO_ID) watched->resumed = told->steps.count;
    uint32_t kept = report->resumed ? watched->resumed : 0;
    if (told->steps.count > kept) give_up(history->arena, told);
    told->steps.count = kept;
    if (!kept && !told->given_up.count) told->identities = told->items.count;
    watched->now = report->given;
    watched->start = NULL;
    watched->now_step = told->steps.count ? told->steps.count - 1 : NO_ID;
    history->at_hand = watched;
}

// ---- Notes

bool history_is_idle(const Func *func, const Item *item) {
    return item->kind == ITEM_INSTR && func->nodes.at[item->node].kind == I_NOP;
}

uint32_t *history_table(Arena *arena, uint32_t count) {
    uint32_t *table = ARENA_ARRAY(arena, uint32_t, (size_t)count + 1);
    memset(table, 0xff, sizeof *table * ((size_t)count + 1));
    return table;
}

void history_same(StepNotes *notes, uint32_t after, uint32_t before) {
    if (after < notes->items->count && before < notes->then_items->count)
        notes->then[after] = before;
}

void history_part(StepNotes *notes, uint32_t after, uint32_t before) {
    history_same(notes, after, before);
    if (after < notes->items->count) bits_add(&notes->parts, after);
}

void history_remark(StepNotes *notes, RemarkKind kind, uint32_t before, uint32_t after,
                    uint32_t other, const char *format, ...) {
    va_list args;
    Out out = {0};
    va_start(args, format);
    out_vprintf(&out, format, args);
    va_end(args);
    uint32_t loc = 0;
    if (before != NO_ID) loc = item_loc(notes->before, &notes->then_items->at[before]);
    if (!loc && after != NO_ID) loc = item_loc(notes->after, &notes->items->at[after]);
    if (!loc && other != NO_ID) loc = item_loc(notes->before, &notes->then_items->at[other]);
    if (before != NO_ID) bits_add(&notes->remarked_before, before);
    if (after != NO_ID) bits_add(&notes->remarked_after, after);
    vec_push(notes->arena, &notes->step->remarks,
             (Remark){.kind = (uint8_t)kind,
                      .before = before,
                      .after = after,
                      .other = other,
                      .loc = loc,
                      .text = arena_text(notes->arena, out.text, out.length)});
    out_free(&out);
}

void history_establish(StepNotes *notes, const char *format, ...) {
    va_list args;
    Out out = {0};
    va_start(args, format);
    out_vprintf(&out, format, args);
    va_end(args);
    notes->step->established = arena_text(notes->arena, out.text, out.length);
    out_free(&out);
}

static const char *taken(const StepNotes *notes, Out *out) {
    const char *text = arena_text(notes->scratch, out->text, out->length);
    out_free(out);
    return text;
}

const char *history_reg(const StepNotes *notes, const Func *func, Reg reg) {
    Out out = {0};
    reg_print(&out, func, reg);
    return taken(notes, &out);
}

const char *history_node(const StepNotes *notes, const Func *func, Node node) {
    return arena_printf(notes->scratch, "node %u", func_label(func, node));
}

const char *history_place(const StepNotes *notes, const Func *func, const Item *item) {
    if (item->kind == ITEM_FLOATING) return "a floating operator";
    if (item->kind == ITEM_MACH) return arena_printf(notes->scratch, "instruction %u", item->index);
    return history_node(notes, func, (Node){item->node});
}

// ---- Identities

// What a pass has not said to be one of before is new. If the step leads out of an excursion, what
// was new inside of that is known there: by its register.
static uint32_t *identify(StepNotes *notes, HistoryState before, FunctionHistory *told) {
    uint32_t count = notes->items->count;
    uint32_t *identity = ARENA_ARRAY(notes->arena, uint32_t, (size_t)count + 1);
    Bits used = bits_new(notes->scratch, told->identities);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t then = notes->then[i];
        uint32_t it = then == NO_ID || bits_has(&notes->parts, i) ? NO_ID : before.identity[then];
        identity[i] = it != NO_ID && bits_put(&used, it) ? it : NO_ID;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (identity[i] != NO_ID) continue;
        Reg dest = item_dest(notes->after, &notes->items->at[i]);
        uint32_t inner = NO_ID;
        if (notes->given.func != before.func && dest.i < notes->given.func->regs.count)
            inner = notes->given.items->of_reg[dest.i];
        if (inner != NO_ID && bits_put(&used, notes->given.identity[inner]))
            identity[i] = notes->given.identity[inner];
        else
            identity[i] = told->identities++;
    }
    return identity;
}

// ---- Steps

static void look(StepNotes *notes, const StepReport *report) {
    const void *hint = report->hint;
    if (!report->verdict.accepted) {
        history_same_names(notes);
        return;
    }
    switch (notes->pass) {
#define PASS(name, from, to, kernel, Hint, ...)                                                    \
    case PASS_##name:                                                                              \
        BY_##kernel(name, Hint);                                                                   \
        break;
#define BY_OWN(name, Hint)   history_##name(notes, (const Hint *)hint)
#define BY_GATES(name, Hint) BY_OWN(name, Hint)
#define BY_COPIES(...)       history_copies(notes, hint)
#define BY_VALUES(...)       history_values(notes, hint)
#define BY_NONE(...)         history_inner(notes)
#include "check/passes.def"
    case PASS_COUNT: break;
    }
}

static StepVerdict verdict_of(const StepReport *report) {
    if (!report->after) return STEP_UNCHANGED;
    if (!report->verdict.accepted) return STEP_REJECTED;
    if (!report->checked) return STEP_UNCHECKED;
    return report->inside ? STEP_INSIDE : STEP_ACCEPTED;
}

static const char *reason_of(History *history, const StepReport *report) {
    Out out = {0};
    if (report->verdict.site.i != NO_ID) {
        func_print_site(&out, report->after, report->verdict.site);
        out_text(&out, ": ");
    }
    out_text(&out, report->verdict.reason);
    const char *text = arena_text(history->kept, out.text, out.length);
    out_free(&out);
    return text;
}

static const char *hint_of(History *history, PassId pass, const StepReport *report) {
    Out out = {0};
    if (!report->hint || !report->verdict.accepted || history->brief) return NULL;
    history_hint_print(&out, pass, report->compared, report->after, report->hint);
    const char *text = out.length ? arena_text(history->kept, out.text, out.length) : NULL;
    out_free(&out);
    return text;
}

static StepNotes notes_on(History *history, const StepReport *report, HistoryStep *step,
                          HistoryState before, HistoryState given) {
    Arena *arena = history->kept, *scratch = history->scratch;
    arena_reset(scratch);
    return (StepNotes){.arena = arena,
                       .scratch = scratch,
                       .pass = step_at(report->step).pass,
                       .report = report,
                       .given = given,
                       .before = before.func,
                       .after = step->func,
                       .then_items = before.items,
                       .items = &step->items,
                       .then = history_table(arena, step->items.count),
                       .step = step,
                       .remarked_before = bits_new(scratch, before.items->count),
                       .remarked_after = bits_new(scratch, step->items.count),
                       .parts = bits_new(scratch, step->items.count)};
}

// A step that has made something.
static void note_change(History *history, const StepReport *report, HistoryStep *step,
                        HistoryState before, HistoryState given) {
    step->func = keep(history, report->after);
    step->items = items_of(history->kept, step->func);
    StepNotes notes = notes_on(history, report, step, before, given);
    if (step->verdict == STEP_REJECTED) step->reason = reason_of(history, report);
    look(&notes, report);
    if (report->verdict.accepted) history_refusals(&notes, history->inlining);
    if (step->verdict != STEP_ACCEPTED)
        step->established = NULL;
    else if (!step->established)
        step->established = history_established(notes.pass);
    step->hint = hint_of(history, notes.pass, report);
    step->then = notes.then;
    step->identity = identify(&notes, before, &history->at_hand->told);
}

// A step that had nothing to do: all is what it was.
static void note_nothing(History *history, const StepReport *report, HistoryStep *step,
                         HistoryState given) {
    StepNotes notes = notes_on(history, report, step, given, given);
    for (uint32_t i = 0; i < step->items.count; i++) notes.then[i] = i;
    history_refusals(&notes, history->inlining);
    step->then = notes.then;
}

// Where the function is that a step was given: where the last one has led, or, if the excursion
// that it was on has come to nothing, at the start of that.
static void find_way(Watched *watched, const StepReport *report) {
    if (report->given == watched->start) {
        watched->now = watched->start;
        watched->now_step = watched->start_step;
        watched->start = NULL;
    }
}

static void note_step(History *history, const StepReport *report) {
    Watched *watched = history->at_hand;
    find_way(watched, report);
    bool leads_out = report->after && report->compared == watched->start;
    uint32_t compared = leads_out ? watched->start_step : watched->now_step;
    HistoryState given = history_after(&watched->told, watched->now_step);
    HistoryState before = history_after(&watched->told, compared);
    HistoryStep step = {.step = report->step,
                        .before = compared,
                        .verdict = verdict_of(report),
                        .func = given.func,
                        .items = *given.items,
                        .identity = given.identity,
                        .size_before = func_size(report->given),
                        .size_after = func_size(report->after ? report->after : report->given),
                        .transform_seconds = report->transform_seconds,
                        .verify_seconds = report->verify_seconds,
                        .check_seconds = report->check_seconds};
    if (report->after)
        note_change(history, report, &step, before, given);
    else
        note_nothing(history, report, &step, given);
    vec_push(history->kept, &watched->told.steps, step);
    if (step.verdict == STEP_UNCHANGED || step.verdict == STEP_REJECTED) return;
    if (leads_out)
        history_fill_inside(history->kept, history->scratch, &watched->told,
                            watched->told.steps.count - 1);
    if (report->inside && !watched->start) {
        watched->start = watched->now;
        watched->start_step = watched->now_step;
    }
    if (!report->inside) watched->start = NULL;
    watched->now = report->after;
    watched->now_step = watched->told.steps.count - 1;
}

static void report(void *reporter, const StepReport *it) {
    History *history = reporter;
    if (it->step == step_count)
        begin(history, it);
    else if (history->at_hand)
        note_step(history, it);
}

// ---- For those who ask

History *history_new(Arena *arena, const Program *program, const char *only) {
    History *history = ARENA_NEW(arena, History);
    *history = (History){
        .arena = arena, .scratch = arena_new("history"), .program = program, .only = only};
    return history;
}

void history_watch(History *history, Pipeline *pipeline) {
    pipeline->report = report;
    pipeline->reporter = history;
    history->pipeline = pipeline;
}

void history_be_brief(History *history) {
    history->brief = true;
}

void history_forget(History *history, Sym symbol) {
    Watched *watched = find(history, symbol);
    if (!history->brief || !watched || !watched->arena) return;
    arena_free(watched->arena);
    watched->arena = NULL;
    watched->told = (FunctionHistory){.symbol = symbol};
    if (history->at_hand == watched) history->at_hand = NULL;
}

void history_free(History *history) {
    for (uint32_t i = 0; history->brief && i < history->by_symbol.count; i++)
        history_forget(history, history->by_symbol.at[i]->told.symbol);
    arena_free(history->scratch);
}

uint32_t history_count(const History *history) {
    return history->functions.count;
}

const FunctionHistory *history_at(const History *history, uint32_t function) {
    return &history->functions.at[function]->told;
}

const FunctionHistory *history_of(const History *history, Sym symbol) {
    const Watched *watched = find(history, symbol);
    return watched ? &watched->told : NULL;
}

const char *remark_kind_name(RemarkKind kind) {
    static const char *const names[REMARK_KIND_COUNT] = {
        "removed", "merged",  "folded", "replaced", "moved",  "copied", "added",
        "decided", "inlined", "split",  "form",     "placed", "kept",   "spilled"};
    return names[kind];
}
