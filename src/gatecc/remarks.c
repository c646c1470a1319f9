#include "gatecc/remarks.h"

#include "history/explanation.h"

#include <errno.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

// Something to be told.
typedef struct {
    uint32_t loc, number;
    Loc place; // the same
    ExplainEvent event;
    const char *function;
    RemarkGroup group;
} Told;

struct Remarks {
    Arena *arena;
    const RemarkOptions *options;
    const Program *program;
    History *history;
    // Who is told of steps is asked when a function is done, before the next one begins.
    void (*report)(void *reporter, const StepReport *report);
    Sym at_hand;
    bool ends;                  // no function goes on
    bool wanted[3][PASS_COUNT]; // by -Rpass, -Rpass-missed, -Rpass-analysis
    VEC(Told) told;
    Map source_of; // file of the program -> source of the messages, for those that were looked for
};

// ---- What there is

static RemarkGroup group_of(const ExplainEvent *event, bool loose) {
    if (event_is_missed(event)) return REMARKS_MISSED;
    return event_is_quiet(event) || (loose && !explain_is_told(event)) ? REMARKS_NOTE
                                                                       : REMARKS_OPTIMIZED;
}

static RemarkPasses passes_of(PassId pass) {
    switch (pass) {
    case PASS_inline_calls: return REMARKS_INLINE;
    case PASS_invert_loops:
    case PASS_unroll_loops:
    case PASS_widen: return REMARKS_LOOP;
    default: return REMARKS_REST;
    }
}

// -Rpass= and its kin. The expressions were tried when the command line was read.
static void find_passes(const char *expression, bool *wanted) {
    regex_t regex;
    if (!expression || regcomp(&regex, expression, REG_EXTENDED | REG_NOSUB)) return;
    for (PassId pass = 0; pass < PASS_COUNT; pass++)
        wanted[pass] = regexec(&regex, pass_table[pass].name, 0, NULL, 0) == 0;
    regfree(&regex);
}

static bool is_info(const RemarkOptions *options, PassId pass, RemarkGroup group) {
    return options->info & group && (!options->passes || options->passes & passes_of(pass));
}

static uint32_t option_of(RemarkGroup group) {
    return group == REMARKS_OPTIMIZED ? 0 : group == REMARKS_MISSED ? 1 : 2;
}

static void add(Remarks *remarks, uint32_t loc, const ExplainEvent *event, const char *function,
                bool loose) {
    RemarkGroup group = group_of(event, loose);
    PassId pass = step_at(event->step).pass;
    if (!is_info(remarks->options, pass, group) && !remarks->wanted[option_of(group)][pass]) return;
    Told told = {.loc = loc,
                 .place = remarks->program->locs.at[loc],
                 .number = remarks->told.count,
                 .event = *event,
                 .group = group,
                 .function = function};
    told.event.text = arena_text(remarks->arena, event->text, strlen(event->text));
    vec_push(remarks->arena, &remarks->told, told);
}

// What there is to tell of a function, which is then forgotten. One that has not come to machine
// code may go on later.
static void collect(Remarks *remarks, Sym symbol) {
    const FunctionHistory *function =
        symbol.i == NO_ID ? NULL : history_of(remarks->history, symbol);
    if (!function || !function->start) return;
    Arena *arena = arena_new("remarks");
    const Explanation *it = explain_function(arena, function, NULL);
    const char *name = func_name(function->start);
    bool done = it->end.func->mach || remarks->ends;
    for (uint32_t i = 0; done && i < it->operations.count; i++) {
        const ExplainedOperation *operation = &it->operations.at[i];
        for (uint32_t k = 0; k < operation->events.count; k++)
            add(remarks, operation->loc, &operation->events.at[k], name, false);
    }
    for (uint32_t i = 0; done && i < it->loose.count; i++)
        add(remarks, it->loose.at[i].loc, &it->loose.at[i].event, name, true);
    arena_free(arena);
    if (done) history_forget(remarks->history, symbol);
}

// ---- The pipeline

static void report(void *reporter, const StepReport *it) {
    Remarks *remarks = reporter;
    bool begins = it->step == step_count;
    if (begins && remarks->at_hand.i != it->given->symbol.i) collect(remarks, remarks->at_hand);
    if (begins) remarks->at_hand = it->given->symbol;
    remarks->report(remarks->history, it);
}

Remarks *remarks_begin(Arena *arena, const RemarkOptions *options, const Program *program,
                       Pipeline *pipeline) {
    Remarks *remarks = ARENA_NEW(arena, Remarks);
    *remarks = (Remarks){.arena = arena,
                         .options = options,
                         .program = program,
                         .at_hand = NO_SYM,
                         .history = history_new(arena, program, NULL)};
    find_passes(options->optimized, remarks->wanted[0]);
    find_passes(options->missed, remarks->wanted[1]);
    find_passes(options->analysis, remarks->wanted[2]);
    history_be_brief(remarks->history);
    history_watch(remarks->history, pipeline);
    remarks->report = pipeline->report;
    pipeline->report = report;
    pipeline->reporter = remarks;
    return remarks;
}

// ---- Where they go

// The place in the sources of the messages; none if lines are numbered by somebody else than the
// file itself.
static Span span_of(Remarks *remarks, Diag *diag, uint32_t loc) {
    const Loc *place = &remarks->program->locs.at[loc];
    const char *name = program_text(remarks->program, remarks->program->files.at[place->file]);
    uint32_t source = map_get(&remarks->source_of, place->file);
    if (source == HASH_NONE) {
        for (source = 0; source < diag->sources.count; source++)
            if (strcmp(diag->sources.at[source].name, name) == 0) break;
        map_set(remarks->arena, &remarks->source_of, place->file, source);
    }
    if (source >= diag->sources.count) return SPAN_NONE;
    (void)diag_place(diag, source, 0); // finds the lines
    const Source *text = &diag->sources.at[source];
    if (!place->line || place->line > text->lines.count) return SPAN_NONE;
    uint32_t start = text->lines.at[place->line - 1] + (place->column ? place->column - 1 : 0);
    if (start > text->length) return SPAN_NONE;
    return (Span){.source = source, .start = start, .end = start + 1};
}

static void print_place(Out *out, const Program *program, uint32_t loc) {
    const Loc *place = &program->locs.at[loc];
    out_printf(out, "%s:%u:%u: ", program_text(program, program->files.at[place->file]),
               place->line, place->column);
}

static const char *label_of(RemarkGroup group) {
    return group == REMARKS_OPTIMIZED ? "optimized" : group == REMARKS_MISSED ? "missed" : "note";
}

// As gcc has it: a line without the source. As clang has it: a remark that names the option.
static void tell(Remarks *remarks, Diag *diag, const Told *told, const char *option) {
    Span span = span_of(remarks, diag, told->loc);
    Out text = {0};
    if (span.source == DIAG_NO_SOURCE) print_place(&text, remarks->program, told->loc);
    event_print(&text, remarks->program, &told->event, told->loc);
    if (option)
        out_printf(&text, " [%s=%s]", option, pass_table[step_at(told->event.step).pass].name);
    out_char(&text, '\0');
    diag_message(diag, &(DiagMessage){.severity = DIAG_NOTE,
                                      .span = span,
                                      .text = text.text,
                                      .label = option ? "remark" : label_of(told->group),
                                      .bare = !option,
                                      .function = option ? told->function : NULL});
    out_free(&text);
}

static void add_line(const Remarks *remarks, Out *lines, const Told *told) {
    print_place(lines, remarks->program, told->loc);
    out_printf(lines, "%s: ", label_of(told->group));
    event_print(lines, remarks->program, &told->event, told->loc);
    out_char(lines, '\n');
}

// ---- The end

// By place, then as they came.
static int compare(const void *a, const void *b) {
    const Told *x = a, *y = b;
    const Loc *left = &x->place, *right = &y->place;
    if (left->file != right->file) return left->file < right->file ? -1 : 1;
    if (left->line != right->line) return left->line < right->line ? -1 : 1;
    if (left->column != right->column) return left->column < right->column ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

// What came with bodies is told once for each place and reason.
static bool is_again(const Told *told, const Told *before) {
    return told->loc == before->loc && told->event.step == before->event.step &&
           told->event.kind == before->event.kind && told->event.times == before->event.times &&
           told->event.other_loc == before->event.other_loc &&
           strcmp(told->event.text, before->event.text) == 0;
}

static bool write_lines(const char *path, const Out *lines) {
    Out copy = {0};
    out_bytes(&copy, lines->text, lines->length);
    bool good = true;
    if (strcmp(path, "-") == 0 || strcmp(path, "stdout") == 0)
        out_flush(&copy, stdout);
    else if (!out_commit(&copy, path))
        good = false;
    if (!good) fprintf(stderr, "gatecc: error: cannot write %s: %s\n", path, strerror(errno));
    out_free(&copy);
    return good;
}

// Functions that have not come to machine code by now will not.
static void collect_rest(Remarks *remarks) {
    remarks->ends = true;
    for (uint32_t i = 0; i < history_count(remarks->history); i++)
        collect(remarks, history_at(remarks->history, i)->symbol);
    if (remarks->told.count)
        qsort(remarks->told.at, remarks->told.count, sizeof *remarks->told.at, compare);
}

bool remarks_end(Remarks *remarks, Diag *diag, Pipeline *pipeline, Out *lines) {
    static const char *const names[] = {"-Rpass", "-Rpass-missed", "-Rpass-analysis"};
    const char *path = remarks->options->file;
    pipeline->report = NULL;
    pipeline->reporter = NULL;
    collect_rest(remarks);
    if (path && (strcmp(path, "-") == 0 || strcmp(path, "stdout") == 0)) lines->length = 0;
    for (uint32_t i = 0; i < remarks->told.count; i++) {
        const Told *told = &remarks->told.at[i];
        PassId pass = step_at(told->event.step).pass;
        uint32_t option = option_of(told->group);
        if (i && is_again(told, told - 1)) continue;
        if (is_info(remarks->options, pass, told->group)) {
            if (path)
                add_line(remarks, lines, told);
            else
                tell(remarks, diag, told, NULL);
        }
        if (remarks->wanted[option][pass]) tell(remarks, diag, told, names[option]);
    }
    history_free(remarks->history);
    return !path || write_lines(path, lines);
}
