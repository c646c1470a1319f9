// Records of runs, through which the page steps. To run a form, each function is taken as it was
// when it last had that form. A function that never had the form is taken in the nearest earlier
// form. Identities of the history name the executed items.
#include "explore/explore_run.h"

#include "form/gsa.h"
#include "form/mach.h"
#include "form/son.h"
#include "message/json.h"
#include "watch/watch_record.h"

#include <string.h>

// ---- Which function a form has

// The forms in the order of the pipeline; machine code twice.
typedef struct {
    const char *name;
    Form form;
    bool allocated;
    bool start; // as the front end made it, not later
} RecordForm;

static const RecordForm record_forms[] = {
    {.name = "rtl", .form = FORM_RTL, .start = true},
    {.name = "rtl", .form = FORM_RTL},
    {.name = "ssa", .form = FORM_SSA},
    {.name = "son", .form = FORM_SON},
    {.name = "gsa", .form = FORM_GSA},
    {.name = "mach", .form = FORM_MACH},
    {.name = "mach", .form = FORM_MACH, .allocated = true},
};
enum { RECORD_FORMS = sizeof record_forms / sizeof record_forms[0] };

// A function as it was, with what its items are.
typedef struct {
    const Func *func;
    const uint32_t *identity;
    uint32_t step;       // of the pipeline, NO_ID for the start
    uint32_t shown;      // its number on the page, or NO_ID
    bool numbered;       // the next is known
    ItemNumbers numbers; // of its items
} RecordFunction;

static bool has_form(const Func *func, const RecordForm *wanted) {
    return func->form == wanted->form &&
           (!has_mach_items(func) || func->mach->allocated == wanted->allocated);
}

// Whether a step is one that the function went on from.
static bool is_taken(const HistoryStep *step) {
    return step->func && step->verdict != STEP_REJECTED;
}

// The last time that the function had the form, or the form before it that it had last; false if it
// never had this one.
static bool choose_state(const FunctionHistory *function, const RecordForm *wanted,
                         RecordFunction *chosen) {
    bool found = has_form(function->start, wanted);
    chosen->func = function->start;
    chosen->identity = function->identity;
    chosen->step = NO_ID;
    for (uint32_t i = 0; i < function->steps.count && !wanted->start; i++) {
        const HistoryStep *step = &function->steps.at[i];
        if (!is_taken(step)) continue;
        bool fits = has_form(step->func, wanted);
        if (!fits && (found || step->func->form > wanted->form)) continue;
        found |= fits;
        chosen->func = step->func;
        chosen->identity = step->identity;
        chosen->step = step->step;
    }
    return found;
}

// ---- Identities

static uint32_t identity_of(Arena *arena, RecordFunction *f, const Item *item) {
    if (!f->numbered) {
        FuncItems items = items_of(arena, f->func);
        f->numbers = item_numbers(arena, &items);
        f->numbered = true;
    }
    uint32_t number = item_number(&f->numbers, (FuncItemKind)item->kind, item->index);
    return number == NO_ID ? NO_ID : f->identity[number];
}

// ---- Programs

typedef struct {
    Arena *arena;
    Program program;           // with its functions as they were
    RecordFunction *functions; // by symbol
    const RecordForm *form;
    uint32_t step; // of main
} RecordProgram;

static bool is_main(const Program *program, uint32_t symbol) {
    return strcmp(program_text(program, program->symbols.at[symbol].name), "main") == 0;
}

static bool is_shown(const ExplorePipeline *pipeline, uint32_t symbol) {
    const Program *program = pipeline->program;
    for (uint32_t i = 0; i < pipeline->only_count; i++)
        if (strcmp(pipeline->only[i], program_text(program, program->symbols.at[symbol].name)) == 0)
            return true;
    return !pipeline->only_count;
}

// False if main does not have the form, or is not there.
static bool take_program(RecordProgram *p, const ExplorePipeline *pipeline) {
    const Program *program = pipeline->program;
    uint32_t count = program->symbols.count, shown = 0;
    bool runs = false;
    p->program = *program;
    p->program.symbols.at = ARENA_ARRAY(p->arena, Symbol, count);
    memcpy(p->program.symbols.at, program->symbols.at, count * sizeof(Symbol));
    p->functions = ARENA_ARRAY(p->arena, RecordFunction, count);
    for (uint32_t i = 0; i < history_count(pipeline->history); i++) {
        const FunctionHistory *function = history_at(pipeline->history, i);
        uint32_t symbol = function->symbol.i;
        RecordFunction *f = &p->functions[symbol];
        bool has = choose_state(function, p->form, f);
        f->shown = is_shown(pipeline, symbol) ? shown++ : NO_ID;
        p->program.symbols.at[symbol].func = f->func;
        if (!is_main(program, symbol)) continue;
        runs = has;
        p->step = f->step;
    }
    return runs;
}

// ---- Text

static void write_values(Out *out, const RunRecord *record) {
    json_key(out, "values");
    out_char(out, '[');
    for (uint32_t i = 0; i < record->values.count; i++) {
        json_comma(out);
        json_string(out, record->values.at[i], strlen(record->values.at[i]));
    }
    out_char(out, ']');
}

// Steps in functions that are not shown are left out; so depths and events count what is there.
static void write_steps_of(Out *out, RecordProgram *p, const RunRecord *record) {
    uint32_t *number = ARENA_ARRAY(p->arena, uint32_t, record->steps.count + 1);
    uint32_t kept = 0, step = 0;
    json_key(out, "steps");
    out_char(out, '[');
    for (uint32_t i = 0; i < record->steps.count; i++) {
        const RecordStep *at = &record->steps.at[i];
        RecordFunction *f = &p->functions[at->func->symbol.i];
        uint32_t identity =
            f->func == at->func && f->shown != NO_ID ? identity_of(p->arena, f, &at->item) : NO_ID;
        number[i] = kept;
        if (identity == NO_ID) continue;
        json_number(out, f->shown);
        json_number(out, identity);
        json_number(out, at->value);
        kept++;
    }
    number[record->steps.count] = kept;
    out_char(out, ']');
    json_key(out, "depth");
    out_char(out, '[');
    for (uint32_t i = 0; i < record->depths.count; i++) {
        uint32_t end = step + record->depths.at[i].count, count = number[end] - number[step];
        step = end;
        if (!count) continue;
        json_number(out, record->depths.at[i].depth);
        json_number(out, count);
    }
    out_char(out, ']');
    json_key(out, "events");
    out_char(out, '[');
    for (uint32_t i = 0; i < record->events.count; i++) {
        const RecordEvent *event = &record->events.at[i];
        json_comma(out);
        out_char(out, '[');
        json_number(out, number[event->step]);
        json_comma(out);
        json_string(out, event->text, strlen(event->text));
        out_char(out, ']');
    }
    out_char(out, ']');
}

static void write_record(Out *out, RecordProgram *p, uint32_t pipeline, const RunRecord *record) {
    const char *step = p->step == NO_ID ? "" : step_name(p->arena, p->step);
    json_comma(out);
    out_char(out, '{');
    json_key(out, "form");
    json_string(out, p->form->name, strlen(p->form->name));
    json_key(out, "step");
    json_string(out, step, strlen(step));
    json_key(out, "pipeline");
    out_u64(out, pipeline);
    write_values(out, record);
    write_steps_of(out, p, record);
    json_key(out, "end");
    json_string(out, record->end, strlen(record->end));
    if (record->cut) {
        json_key(out, "cut");
        out_text(out, "true");
    }
    out_char(out, '}');
}

static void write_head(Out *out, int argc, char **argv, uint32_t limit) {
    out_char(out, '{');
    json_key(out, "args");
    out_char(out, '[');
    for (int i = 1; i < argc; i++) {
        json_comma(out);
        json_string(out, argv[i], strlen(argv[i]));
    }
    out_char(out, ']');
    json_key(out, "limit");
    out_u64(out, limit);
    json_key(out, "records");
    out_char(out, '[');
}

bool explore_write_run(Out *out, const ExplorePipeline *pipelines, uint32_t pipeline_count,
                       int argc, char **argv, uint32_t limit) {
    uint32_t written = 0;
    Out text = {0};
    write_head(&text, argc, argv, limit);
    for (uint32_t k = 0; k < pipeline_count * RECORD_FORMS; k++) {
        Arena *arena = arena_new("record");
        RecordProgram program = {.arena = arena, .form = &record_forms[k % RECORD_FORMS]};
        if (take_program(&program, &pipelines[k / RECORD_FORMS])) {
            RunRecord record;
            watch_record(arena, &program.program, argc, argv, limit, &record);
            write_record(&text, &program, k / RECORD_FORMS, &record);
            written++;
        }
        arena_free(arena);
    }
    out_text(&text, "]}");
    if (written) out_bytes(out, text.text, text.length);
    out_free(&text);
    return written;
}
