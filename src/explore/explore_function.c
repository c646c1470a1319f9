// One function of an explorer page: its views, its steps, its assembly.
#include "explore/explore.h"
#include "explore/rows.h"
#include "history/history_assembly.h"
#include "message/json.h"

#include <string.h>

typedef struct {
    Out *out; // the members that come last: views, steps
    Arena *arena;
    ViewRows rows;
    const ExploreContext *context;
    uint32_t views; // so many were written
    Out shape;      // the blocks of the view `shaped`, as they were written
    uint32_t shaped;
} FunctionWriter;

// ---- Views

static void write_numbers(Out *out, const char *name, const uint32_t *numbers, uint32_t count) {
    json_key(out, name);
    out_char(out, '[');
    for (uint32_t i = 0; i < count; i++) json_number(out, numbers[i]);
    out_char(out, ']');
}

static void write_edges(Out *out, const View *view, bool labels) {
    json_key(out, labels ? "how" : "succs");
    out_char(out, '[');
    for (uint32_t b = 0; b < view->block_count; b++) {
        json_comma(out);
        out_char(out, '[');
        for (uint32_t k = view->succ_at[b]; k < view->succ_at[b + 1]; k++) {
            if (!labels) {
                json_number(out, view->succ[k]);
                continue;
            }
            json_comma(out);
            out_char(out, '"');
            view_print_edge(out, view, b, k - view->succ_at[b]);
            out_char(out, '"');
        }
        out_char(out, ']');
    }
    out_char(out, ']');
}

static void write_shape(Out *out, const View *view) {
    out_char(out, '{'); // so that the first member needs no comma; not copied
    write_numbers(out, "blocks", view->block_at, view->block_count);
    json_key(out, "tail");
    out_u64(out, view->tail);
    write_edges(out, view, false);
    write_edges(out, view, true);
    write_numbers(out, "idom", view->idom, view->block_count);
    write_numbers(out, "loop", view->loop, view->block_count);
    write_numbers(out, "depth", view->depth, view->block_count);
}

// The blocks, or the number of a view that has the same ones.
static void write_blocks(FunctionWriter *w, const View *view) {
    Out shape = {0};
    write_shape(&shape, view);
    bool same = w->views && shape.length == w->shape.length &&
                memcmp(shape.text, w->shape.text, shape.length) == 0;
    if (same) {
        json_key(w->out, "like");
        out_u64(w->out, w->shaped);
        out_free(&shape);
        return;
    }
    json_comma(w->out);
    out_bytes(w->out, shape.text + 1, shape.length - 1);
    out_free(&w->shape);
    w->shape = shape;
    w->shaped = w->views;
}

static void write_order(FunctionWriter *w, const View *view, const uint32_t *identity) {
    uint32_t first = 0, count = 0;
    json_key(w->out, "order");
    out_char(w->out, '[');
    for (uint32_t i = 0; i < view->lines.count; i++) {
        uint32_t row = rows_add(&w->rows, view, i, identity);
        if (count && row == first + count) {
            count++;
            continue;
        }
        if (count) {
            json_number(w->out, first);
            json_number(w->out, count);
        }
        first = row;
        count = 1;
    }
    if (count) {
        json_number(w->out, first);
        json_number(w->out, count);
    }
    out_char(w->out, ']');
}

// Yields the number of the view.
static uint32_t write_view(FunctionWriter *w, const Func *func, const FuncItems *items,
                           const uint32_t *identity, uint32_t step, bool rejected) {
    Arena *scratch = arena_new("view");
    View view = view_of(scratch, func, items);
    json_comma(w->out);
    out_char(w->out, '{');
    json_key(w->out, "form");
    json_string(w->out, form_name(func->form), strlen(form_name(func->form)));
    json_key(w->out, "step");
    if (step == NO_ID)
        out_text(w->out, "-1");
    else
        out_u64(w->out, step);
    if (rejected) {
        json_key(w->out, "rejected");
        out_text(w->out, "true");
    }
    write_order(w, &view, identity);
    write_blocks(w, &view);
    view_write_gates(w->out, scratch, &view);
    view_write_regions(w->out, scratch, &view);
    out_char(w->out, '}');
    view_free(&view);
    arena_free(scratch);
    return w->views++;
}

// ---- Steps

static const char *verdict_name(StepVerdict verdict) {
    static const char *const names[] = {[STEP_UNCHANGED] = "unchanged",
                                        [STEP_ACCEPTED] = "accepted",
                                        [STEP_INSIDE] = "inside",
                                        [STEP_REJECTED] = "rejected",
                                        [STEP_UNCHECKED] = "unchecked"};
    return names[verdict];
}

static void write_line(FunctionWriter *w, const char *name, const char *text) {
    if (!text) return;
    json_key(w->out, name);
    out_u64(w->out, rows_text(&w->rows, text, strlen(text)));
}

static void write_id(Out *out, uint32_t item, const uint32_t *identity, uint32_t count) {
    json_number(out, item < count ? identity[item] : NO_ID);
}

static void write_remarks(FunctionWriter *w, const HistoryStep *step, const HistoryState *before) {
    json_key(w->out, "remarks");
    out_char(w->out, '[');
    for (uint32_t i = 0; i < step->remarks.count; i++) {
        const Remark *remark = &step->remarks.at[i];
        json_comma(w->out);
        out_printf(w->out, "[%u", remark->kind);
        write_id(w->out, remark->before, before->identity, before->items->count);
        write_id(w->out, remark->after, step->identity, step->items.count);
        write_id(w->out, remark->other, before->identity, before->items->count);
        json_number(w->out, rows_loc(&w->rows, remark->loc));
        json_number(w->out, rows_text(&w->rows, remark->text, strlen(remark->text)));
        out_char(w->out, ']');
    }
    out_char(w->out, ']');
}

// A step as it is written: those that were given up stand before the first that was not taken then.
typedef struct {
    const HistoryStep *step;
    HistoryState compared;
    bool given_up;
    uint32_t before, after; // views
} WrittenStep;

typedef VEC(WrittenStep) WrittenSteps;

// What a step of the attempt that was given up was compared with.
static HistoryState compared_then(const FunctionHistory *function, uint32_t step) {
    uint32_t before = function->given_up.at[step].before;
    if (before == NO_ID) return history_after(function, NO_ID);
    const HistoryStep *at = &function->given_up.at[before];
    return (HistoryState){.func = at->func, .items = &at->items, .identity = at->identity};
}

static WrittenSteps list_steps(FunctionWriter *w, const FunctionHistory *function) {
    WrittenSteps list = {0};
    uint32_t same = 0, given_up = function->given_up.count, count = function->steps.count;
    while (same < given_up && same < count &&
           function->given_up.at[same].step == function->steps.at[same].step)
        same++;
    for (uint32_t i = 0; i < count || i == same; i++) {
        for (uint32_t k = same; i == same && k < given_up; k++)
            vec_push(w->arena, &list,
                     (WrittenStep){.step = &function->given_up.at[k],
                                   .compared = compared_then(function, k),
                                   .given_up = true});
        if (i < count)
            vec_push(w->arena, &list,
                     (WrittenStep){.step = &function->steps.at[i],
                                   .compared = history_before(function, i)});
    }
    return list;
}

// Views first: they are shared by steps. What was given up leads nowhere: after it the view is
// again what it was before.
static void write_views(FunctionWriter *w, const FunctionHistory *function, WrittenSteps *steps) {
    json_key(w->out, "views");
    out_char(w->out, '[');
    uint32_t now =
        write_view(w, function->start, &function->items, function->identity, NO_ID, false);
    uint32_t then = now;
    for (uint32_t i = 0; i < steps->count; i++) {
        WrittenStep *at = &steps->at[i];
        const HistoryStep *step = at->step;
        bool rejected = step->verdict == STEP_REJECTED;
        if (!at->given_up && i && steps->at[i - 1].given_up) now = then;
        at->before = at->after = now;
        if (step->verdict != STEP_UNCHANGED)
            at->after = write_view(w, step->func, &step->items, step->identity,
                                   w->context->step_of[step->step], rejected);
        if (!rejected) now = at->after;
        if (!at->given_up) then = now;
    }
    out_char(w->out, ']');
}

static void write_step(FunctionWriter *w, const WrittenStep *at) {
    const HistoryStep *step = at->step;
    json_comma(w->out);
    out_printf(w->out, "{\"step\":%u,\"before\":%u,\"view\":%u,\"verdict\":\"%s\"",
               w->context->step_of[step->step], at->before, at->after, verdict_name(step->verdict));
    if (at->given_up) out_text(w->out, ",\"givenUp\":true");
    write_line(w, "reason", step->reason);
    write_line(w, "established", step->established);
    write_line(w, "hint", step->hint);
    out_printf(w->out, ",\"size\":[%llu,%llu]", (unsigned long long)step->size_before,
               (unsigned long long)step->size_after);
    if (w->context->exploration->times)
        out_printf(w->out, ",\"seconds\":[%.6f,%.6f,%.6f]", step->transform_seconds,
                   step->verify_seconds, step->check_seconds);
    write_remarks(w, step, &at->compared);
    out_char(w->out, '}');
}

static void write_steps(FunctionWriter *w, const WrittenSteps *steps) {
    json_key(w->out, "steps");
    out_char(w->out, '[');
    for (uint32_t i = 0; i < steps->count; i++) write_step(w, &steps->at[i]);
    out_char(w->out, ']');
}

// ---- Assembly

static void write_assembly_lines(FunctionWriter *w, const FunctionHistory *function) {
    AssemblyLines all = history_assembly(w->context->assembly, w->arena, function);
    if (!all.lines.count) return;
    json_key(w->out, "asm");
    out_text(w->out, "{\"lines\":[");
    for (uint32_t i = 0; i < all.lines.count; i++) {
        const char *text = all.lines.at[i].text;
        json_number(w->out, rows_text(&w->rows, text, strlen(text)));
    }
    out_text(w->out, "],\"ids\":[");
    for (uint32_t i = 0; i < all.lines.count; i++) json_number(w->out, all.lines.at[i].identity);
    out_text(w->out, "],\"locs\":[");
    for (uint32_t i = 0; i < all.lines.count; i++)
        json_number(w->out, rows_loc(&w->rows, all.lines.at[i].loc));
    out_text(w->out, "]}");
}

// ---- The function

// Where a function is in the source: from its name to the last line that something of it has.
static void write_place(Out *out, const ExploreContext *context, const FunctionHistory *function) {
    const Program *program = context->pipeline->program;
    Loc first = {0};
    const Debug *debug = context->pipeline->debug;
    Str name = program_at(program, function->symbol)->name;
    uint32_t known = debug ? map_get(&debug->func_of_symbol, name.i) : HASH_NONE;
    uint32_t loc = known == HASH_NONE ? 0 : debug->funcs.at[known].loc;
    if (loc && loc < program->locs.count) first = program->locs.at[loc];
    uint32_t last = first.line;
    for (uint32_t i = 0; i < function->items.count; i++) {
        uint32_t at = item_loc(function->start, &function->items.at[i]);
        if (!at || at >= program->locs.count) continue;
        Loc here = program->locs.at[at];
        if (!first.line) first = here;
        if (here.file == first.file && here.line > last) last = here.line;
        if (here.file == first.file && here.line < first.line) first.line = here.line;
    }
    if (!first.line) return;
    out_printf(out, ",\"file\":%u,\"line\":%u,\"endLine\":%u", context->file_of[first.file],
               first.line, last);
}

void explore_write_function(Out *out, const ExploreContext *context,
                            const FunctionHistory *function) {
    Arena *arena = arena_new("explore");
    Out members = {0};
    FunctionWriter w = {.out = &members, .arena = arena, .context = context};
    const Program *program = context->pipeline->program;
    const char *name = program_text(program, program_at(program, function->symbol)->name);
    rows_init(&w.rows, arena, program);
    out_char(&members, ' ');
    WrittenSteps steps = list_steps(&w, function);
    write_views(&w, function, &steps);
    write_steps(&w, &steps);
    write_assembly_lines(&w, function);
    json_comma(out);
    out_char(out, '{');
    json_key(out, "name");
    json_string(out, name, strlen(name));
    write_place(out, context, function);
    rows_write(out, &w.rows, context->file_of);
    out_bytes(out, members.text + 1, members.length - 1);
    out_char(out, '}');
    out_free(&members);
    out_free(&w.shape);
    arena_free(arena);
}
