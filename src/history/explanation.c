#include "history/explanation.h"

#include "text/text.h"

#include <stdlib.h>
#include <string.h>

// Who has become an item: a list for each identity, as several operations may be one instruction in
// the end.
typedef struct {
    uint32_t operation;
    uint32_t next; // NO_ID: none
} Owner;

typedef struct {
    Arena *arena;
    const FunctionHistory *function;
    Explanation *to;
    bool texts; // of items, too
    uint32_t
        excursion; // the first step inside of the excursion that the step at hand leads out of; NO_ID: none
    VEC(Owner) owners;
    VEC(uint32_t) first_owner; // by identity
    uint32_t *seen;            // by operation: the last step after which something of it was there
    bool *told;                // by operation: the step at hand has said something of it
} Explainer;

static uint32_t first_owner(const Explainer *e, uint32_t identity) {
    return identity < e->first_owner.count ? e->first_owner.at[identity] : NO_ID;
}

static void add_owner(Explainer *e, uint32_t identity, uint32_t operation) {
    while (e->first_owner.count <= identity) vec_push(e->arena, &e->first_owner, NO_ID);
    for (uint32_t o = e->first_owner.at[identity]; o != NO_ID; o = e->owners.at[o].next)
        if (e->owners.at[o].operation == operation) return;
    vec_push(e->arena, &e->owners,
             (Owner){.operation = operation, .next = e->first_owner.at[identity]});
    e->first_owner.at[identity] = e->owners.count - 1;
}

static void share_owners(Explainer *e, uint32_t from, uint32_t to) {
    if (from == to) return;
    for (uint32_t o = first_owner(e, from); o != NO_ID; o = e->owners.at[o].next)
        add_owner(e, to, e->owners.at[o].operation);
}

// ---- Operations

// Instructions that only lead on are nobody's.
static bool does_something(const Func *func, const Item *item) {
    const Instr *instr = item_instr(func, item);
    return instr && instr->kind != I_NOP;
}

static void add_operation(Explainer *e, HistoryState state, uint32_t item, bool copied_in) {
    uint32_t loc = item_loc(state.func, &state.items->at[item]);
    if (!loc) return;
    Out out = {0};
    instr_print(&out, state.func, item_instr(state.func, &state.items->at[item]));
    const char *text = arena_text(e->arena, out.text, out.length);
    out_free(&out);
    add_owner(e, state.identity[item], e->to->operations.count);
    vec_push(
        e->arena, &e->to->operations,
        (ExplainedOperation){
            .loc = loc, .text = text, .copied_in = copied_in, .from = NO_SYM, .fate = FATE_COUNT});
}

static void add_operations(Explainer *e, HistoryState state, bool copied_in) {
    for (uint32_t i = 0; i < state.items->count; i++) {
        if (!does_something(state.func, &state.items->at[i])) continue;
        if (copied_in && first_owner(e, state.identity[i]) != NO_ID) continue;
        if (copied_in && state.identity[i] < e->function->items.count) continue;
        add_operation(e, state, i, copied_in);
    }
}

// ---- Events

static Fate fate_of(RemarkKind kind) {
    switch (kind) {
    case REMARK_MERGED: return FATE_MERGED;
    case REMARK_FOLDED: return FATE_FOLDED;
    case REMARK_DECIDED: return FATE_DECIDED;
    case REMARK_REMOVED: return FATE_REMOVED;
    case REMARK_INLINED: return FATE_INLINED;
    default: return FATE_COUNT;
    }
}

// What was copied to another place inside of an excursion, and is not needed where it was, has
// moved for who sees only the ends.
static bool tells_again(uint8_t inside, uint8_t behind) {
    return inside == behind || (inside == REMARK_COPIED && behind == REMARK_MOVED);
}

static void add_event(Explainer *e, ExplainedOperation *operation, const ExplainEvent *event) {
    ExplainEvent mine = *event;
    for (uint32_t i = 0; i < operation->events.count; i++) {
        ExplainEvent *it = &operation->events.at[i];
        if (!tells_again(it->kind, event->kind)) continue;
        // What a step inside of an excursion did is told again by the way out of that.
        mine.aside |= it->step >= e->excursion && it->step != event->step;
        if (it->kind != event->kind || strcmp(it->text, event->text) != 0) continue;
        it->times += it->step == event->step;
        return;
    }
    if (operation->copied_in && event->kind == REMARK_INLINED) {
        if (!operation->call) operation->call = event->other_loc;
        mine.aside = true;
    }
    vec_push(e->arena, &operation->events, mine);
}

// Something that has the place of the item: what the operation is from now on. What is merged into
// a machine instruction is done by that.
static bool goes_on(RemarkKind kind, const Func *after) {
    return kind == REMARK_REPLACED || kind == REMARK_MOVED || kind == REMARK_COPIED ||
           kind == REMARK_SPLIT || kind == REMARK_FORM || kind == REMARK_PLACED ||
           (kind == REMARK_MERGED && after->mach);
}

// Where an item comes from: passes give what they move other places in the source.
static uint32_t origin_of(const Explainer *e, HistoryState state, uint32_t item) {
    uint32_t owner = item < state.items->count ? first_owner(e, state.identity[item]) : NO_ID;
    return owner == NO_ID ? 0 : e->to->operations.at[e->owners.at[owner].operation].loc;
}

static ExplainEvent event_of(const Explainer *e, HistoryState before, const char *const *texts,
                             uint32_t step, const Remark *remark) {
    ExplainEvent event = {.step = step, .kind = remark->kind, .text = remark->text, .times = 1};
    if (remark->other < before.items->count) {
        event.other = texts ? texts[remark->other] : NULL;
        event.other_loc = origin_of(e, before, remark->other);
    }
    return event;
}

static void look_at_remark(Explainer *e, HistoryState before, HistoryState after,
                           const char *const *before_texts, const char *const *after_texts,
                           uint32_t step, const Remark *remark) {
    ExplainEvent event = event_of(e, before, before_texts, step, remark);
    // What is added for something else, or computed once more, is part of what became of that. What
    // is added to machine code only stands near it.
    bool beside =
        (remark->kind == REMARK_ADDED || remark->kind == REMARK_COPIED) && !before.func->mach;
    uint32_t item = remark->before == NO_ID && beside ? remark->other : remark->before;
    uint32_t from = item < before.items->count ? before.identity[item] : NO_ID;
    uint32_t to = remark->after == NO_ID ? NO_ID : after.identity[remark->after];
    uint32_t owner = from != NO_ID ? first_owner(e, from) : NO_ID;
    if (owner == NO_ID && to != NO_ID && remark->kind != REMARK_ADDED) owner = first_owner(e, to);
    // A select stands for the branch whose ways it chooses from.
    if (owner == NO_ID && remark->kind == REMARK_REPLACED && remark->other < before.items->count) {
        from = before.identity[remark->other];
        owner = first_owner(e, from);
    }
    if (owner == NO_ID) {
        uint32_t loc = event.other_loc ? event.other_loc : remark->loc;
        if (loc)
            vec_push(e->arena, &e->to->loose,
                     (LooseEvent){.loc = loc,
                                  .event = event,
                                  .item = remark->after == NO_ID || !after_texts
                                              ? NULL
                                              : after_texts[remark->after]});
        return;
    }
    for (; owner != NO_ID; owner = e->owners.at[owner].next) {
        add_event(e, &e->to->operations.at[e->owners.at[owner].operation], &event);
        e->told[e->owners.at[owner].operation] = true;
    }
    if (from != NO_ID && to != NO_ID && (beside || goes_on(remark->kind, after.func)))
        share_owners(e, from, to);
}

// ---- Steps

// Items that a step says to be copies of others have the same owners.
static void follow_copies(Explainer *e, const HistoryStep *step, HistoryState before) {
    for (uint32_t i = 0; i < step->items.count; i++)
        if (step->then[i] != NO_ID)
            share_owners(e, before.identity[step->then[i]], step->identity[i]);
}

static void note_what_is_there(Explainer *e, HistoryState state, uint32_t step) {
    for (uint32_t i = 0; i < state.items->count; i++)
        for (uint32_t o = first_owner(e, state.identity[i]); o != NO_ID; o = e->owners.at[o].next)
            e->seen[e->owners.at[o].operation] = step;
}

static void settle_fate(ExplainedOperation *operation) {
    bool replaced = false;
    for (uint32_t i = 0; i < operation->events.count && operation->fate == FATE_COUNT; i++) {
        if (event_is_quiet(&operation->events.at[i])) continue;
        if (operation->events.at[i].kind == REMARK_INLINED && operation->copied_in) continue;
        operation->fate = (uint8_t)fate_of(operation->events.at[i].kind);
        replaced = operation->events.at[i].kind == REMARK_REPLACED;
    }
    if (operation->fate == FATE_COUNT && replaced) operation->fate = FATE_REPLACED;
}

// An operation that the step lost without a remark is gone.
static void find_lost(Explainer *e, uint32_t step, uint32_t pass_step) {
    for (uint32_t i = 0; i < e->to->operations.count; i++) {
        ExplainedOperation *operation = &e->to->operations.at[i];
        if (e->seen[i] == step || operation->fate != FATE_COUNT) continue;
        settle_fate(operation);
        if (operation->fate != FATE_COUNT) continue;
        operation->fate = FATE_UNKNOWN;
        if (e->told[i]) {
            operation->fate = FATE_CODELESS;
            continue;
        }
        add_event(e, operation,
                  &(ExplainEvent){.step = pass_step,
                                  .kind = REMARK_REMOVED,
                                  .text = "no reason is on record",
                                  .times = 1});
    }
}

static void make_room(Explainer *e, uint32_t known) {
    uint32_t count = e->to->operations.count;
    uint32_t *seen = ARENA_ARRAY(e->arena, uint32_t, (size_t)count + 1);
    if (known) memcpy(seen, e->seen, known * sizeof *seen);
    e->seen = seen;
    e->told = ARENA_ARRAY(e->arena, bool, (size_t)count + 1);
}

static const char *const *texts_of(const Explainer *e, HistoryState state) {
    return e->texts ? item_texts(e->arena, state.func, state.items) : NULL;
}

// The first step of the pipeline that was taken inside of the excursion out of which a step of the
// history leads.
static uint32_t first_inside(const Explainer *e, uint32_t from, uint32_t to) {
    for (; from < to; from++)
        if (e->function->steps.at[from].verdict == STEP_INSIDE)
            return e->function->steps.at[from].step;
    return NO_ID;
}

static void look_at_step(Explainer *e, uint32_t index) {
    const HistoryStep *step = &e->function->steps.at[index];
    HistoryState before = history_before(e->function, index);
    HistoryState after = {step->func, &step->items, step->identity};
    bool inside = step->verdict == STEP_INSIDE;
    if (step->verdict == STEP_REJECTED) return;
    uint32_t known = e->to->operations.count;
    if (step_at(step->step).pass == PASS_inline_calls && step->verdict != STEP_UNCHANGED) {
        add_operations(e, after, true);
        make_room(e, known);
    }
    uint32_t after_start = step->before == NO_ID ? 0 : step->before + 1;
    e->excursion = !inside && after_start < index ? first_inside(e, after_start, index) : NO_ID;
    if (!inside) memset(e->told, 0, e->to->operations.count);
    if (step->verdict != STEP_UNCHANGED || step->remarks.count) {
        const char *const *then = texts_of(e, before), *const *now = texts_of(e, after);
        for (uint32_t i = 0; i < step->remarks.count; i++)
            look_at_remark(e, before, after, then, now, step->step, &step->remarks.at[i]);
        if (step->verdict != STEP_UNCHANGED) follow_copies(e, step, before);
    }
    if (inside || step->verdict == STEP_UNCHANGED) return;
    note_what_is_there(e, after, index + 1);
    find_lost(e, index + 1, step->step);
}

// ---- The end

static bool is_partial(Fate fate) {
    return fate == FATE_MERGED || fate == FATE_REMOVED || fate == FATE_DECIDED ||
           fate == FATE_REPLACED;
}

// What is left in the machine code. An operation that is done in several places lives on if one of
// them does.
static void find_code(Explainer *e) {
    Explanation *to = e->to;
    bool code = to->end.func->mach != NULL;
    if (code && e->texts) to->end_texts = item_texts(e->arena, to->end.func, to->end.items);
    for (uint32_t i = 0; code && i < to->end.items->count; i++)
        for (uint32_t o = first_owner(e, to->end.identity[i]); o != NO_ID; o = e->owners.at[o].next)
            vec_push(e->arena, &to->operations.at[e->owners.at[o].operation].code, i);
    for (uint32_t i = 0; i < to->operations.count; i++) {
        ExplainedOperation *operation = &to->operations.at[i];
        bool lost = operation->fate != FATE_COUNT;
        if (!lost) settle_fate(operation);
        if (!lost && operation->code.count && is_partial(operation->fate))
            operation->fate = FATE_LIVES;
        if (operation->fate == FATE_COUNT)
            operation->fate = (uint8_t)(code ? FATE_LIVES : FATE_WAITS);
    }
}

static int compare_locs(const Program *program, uint32_t a, uint32_t b) {
    const Loc *x = &program->locs.at[a], *y = &program->locs.at[b];
    if (x->file != y->file) return x->file < y->file ? -1 : 1;
    if (x->line != y->line) return x->line < y->line ? -1 : 1;
    return x->column < y->column ? -1 : x->column > y->column;
}

// Operations in the order of the source; those of one place, and bodies that came in, in the order
// of the program. The sort is stable.
static void sort_operations(Explainer *e, const Program *program) {
    uint32_t count = e->to->operations.count;
    ExplainedOperation *from = e->to->operations.at,
                       *to = ARENA_ARRAY(e->arena, ExplainedOperation, (size_t)count + 1);
    for (uint32_t width = 1; width < count; width *= 2) {
        for (uint32_t start = 0, at = 0; start < count; start += 2 * width) {
            uint32_t a = start, middle = start + width < count ? start + width : count;
            uint32_t b = middle, end = start + 2 * width < count ? start + 2 * width : count;
            while (a < middle || b < end) {
                bool second =
                    a == middle || (b < end && compare_locs(program, from[b].loc, from[a].loc) < 0);
                to[at++] = second ? from[b++] : from[a++];
            }
        }
        ExplainedOperation *swap = from;
        from = to;
        to = swap;
    }
    e->to->operations.at = from;
}

const uint32_t *explain_bodies(Arena *arena, const History *history, const Program *program) {
    uint32_t *of_loc = ARENA_ARRAY(arena, uint32_t, (size_t)program->locs.count + 1);
    memset(of_loc, 0xff, sizeof *of_loc * ((size_t)program->locs.count + 1));
    for (uint32_t i = 0; i < history_count(history); i++) {
        const FunctionHistory *function = history_at(history, i);
        for (uint32_t k = 0; k < function->items.count; k++)
            of_loc[item_loc(function->start, &function->items.at[k])] = function->symbol.i;
    }
    return of_loc;
}

// Whose body an operation came with: the function that has one at the same place from the start.
static void find_bodies(Explainer *e, const uint32_t *bodies) {
    for (uint32_t i = 0; bodies && i < e->to->operations.count; i++) {
        ExplainedOperation *operation = &e->to->operations.at[i];
        if (operation->copied_in) operation->from = (Sym){bodies[operation->loc]};
    }
}

Explanation *explain_function(Arena *arena, const FunctionHistory *function,
                              const uint32_t *bodies) {
    Explainer e = {
        .arena = arena, .function = function, .texts = bodies, .to = ARENA_NEW(arena, Explanation)};
    uint32_t steps = function->steps.count, last = NO_ID;
    *e.to = (Explanation){.history = function};
    add_operations(&e, history_after(function, NO_ID), false);
    make_room(&e, 0);
    for (uint32_t i = 0; i < steps; i++) {
        look_at_step(&e, i);
        if (function->steps.at[i].verdict != STEP_REJECTED) last = i;
    }
    e.to->end = history_after(function, last);
    find_code(&e);
    find_bodies(&e, bodies);
    sort_operations(&e, function->start->program);
    return e.to;
}

void event_print(Out *out, const Program *program, const ExplainEvent *event, uint32_t loc) {
    Step step = step_at(event->step);
    out_text(out, pass_table[step.pass].name);
    if (step.run > 1) out_printf(out, ".%u", step.run);
    out_printf(out, ": %s", remark_kind_name((RemarkKind)event->kind));
    if (*event->text) out_printf(out, ": %s", event->text);
    if (event->times > 1) out_printf(out, " (%u times)", event->times);
    const Loc *here = &program->locs.at[loc], *other = &program->locs.at[event->other_loc];
    if (event->other_loc && other->file != here->file)
        out_printf(out, " (%s, line %u)", program_text(program, program->files.at[other->file]),
                   other->line);
    else if (event->other_loc && other->line != here->line)
        out_printf(out, " (line %u)", other->line);
}

// Steps that only make another form. What the Sea of Nodes has only once is merged as it is built.
static bool is_of_form(PassId pass) {
    return pass == PASS_normalize || pass == PASS_ssa_build || pass == PASS_close_loops ||
           pass == PASS_gsa_build || pass == PASS_gsa_destruct;
}

bool event_is_quiet(const ExplainEvent *event) {
    PassId pass = step_at(event->step).pass;
    if (event->aside) return true;
    switch ((RemarkKind)event->kind) {
    case REMARK_FORM:
    case REMARK_PLACED: return true;
    case REMARK_MOVED: return pass == PASS_schedule || is_of_form(pass);
    case REMARK_ADDED:
        return pass == PASS_select_code || pass == PASS_if_convert || is_of_form(pass) ||
               pass == PASS_allocate;
    case REMARK_MERGED:
    case REMARK_REPLACED:
    case REMARK_COPIED: return is_of_form(pass);
    default: return false;
    }
}

bool event_is_missed(const ExplainEvent *event) {
    return event->kind == REMARK_KEPT || event->kind == REMARK_SPILLED;
}

bool explain_is_told(const ExplainEvent *event) {
    return event_is_missed(event) ||
           (event->kind == REMARK_MERGED && step_at(event->step).pass == PASS_gated_gvn);
}

const char *fate_name(Fate fate) {
    static const char *const names[FATE_COUNT] = {[FATE_LIVES] = "lives",
                                                  [FATE_MERGED] = "merged",
                                                  [FATE_FOLDED] = "constant",
                                                  [FATE_DECIDED] = "decided",
                                                  [FATE_REMOVED] = "removed",
                                                  [FATE_INLINED] = "inlined",
                                                  [FATE_REPLACED] = "replaced",
                                                  [FATE_CODELESS] = "part of others",
                                                  [FATE_WAITS] =
                                                      "only where the function was called",
                                                  [FATE_UNKNOWN] = "gone"};
    return names[fate];
}
