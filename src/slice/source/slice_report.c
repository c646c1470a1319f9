#include "slice/source/slice_report.h"

#include "certify/certify_slice.h"
#include "message/json.h"
#include "slice/flow_graph.h"
#include "slice/slice_why.h"
#include "slice/source/slice_assume.h"
#include "slice/source/slice_imp.h"
#include "slice/source/slice_program.h"
#include "slice/transplant.h"

#include <errno.h>
#include <string.h>
#include <time.h>

static bool call_wrong(Diag *diag, const SliceSource *source, const char *function,
                       const char *reason) {
    diag_error(diag, SPAN_NONE, "%s: internal error: the slice of '%s' is wrong: %s", source->path,
               function, reason);
    return false;
}

// ---- Statements

// Parts of a statement are not counted: they go or stay with it for who counts statements.
static bool is_statement(const Unit *unit) {
    return unit->clean && unit->kind != UNIT_FUNCTION && unit->kind != UNIT_INITIALIZER &&
           unit->kind != UNIT_DECLARATOR && unit->kind != UNIT_BLOCK && unit->kind != UNIT_LABELLED;
}

typedef struct {
    uint32_t kept, all;
} Share;

static Share count_statements(const FunctionSlice *slice) {
    const Units *units = &slice->source->units;
    Share share = {0};
    for (uint32_t u = slice->function->root; u <= unit_at(units, slice->function->root)->last;
         u++) {
        if (!is_statement(unit_at(units, u))) continue;
        share.all++;
        share.kept += kept_units_has(slice->kept, u);
    }
    return share;
}

void slice_json_statement(Out *out, const Units *units, uint32_t unit, bool *first) {
    const Unit *at = unit_at(units, unit);
    out_printf(out,
               "%s\n    {\"kind\": \"%s\", \"line\": %u, \"column\": %u, \"end_line\": %u, "
               "\"end_column\": %u}",
               *first ? "" : ",", unit_kind_name((UnitKind)at->kind), at->line, at->column,
               at->end_line, at->end_column);
    *first = false;
}

static void json_list(Out *out, const FunctionSlice *slice, bool kept) {
    const Units *units = &slice->source->units;
    uint32_t last = unit_at(units, slice->function->root)->last;
    bool first = true;
    out_printf(out, "  \"%s\": [", kept ? "kept" : "dropped");
    for (uint32_t u = slice->function->root + 1; u <= last; u++) {
        const Unit *at = unit_at(units, u);
        bool shown = is_statement(at) || at->kind == UNIT_INITIALIZER;
        if (shown && kept_units_has(slice->kept, u) == kept)
            slice_json_statement(out, units, u, &first);
    }
    out_printf(out, "%s]", first ? "" : "\n  ");
}

static void json_text(Out *out, const char *text) {
    json_string(out, text, strlen(text));
}

void slice_json_head(Out *out, const FunctionSlice *slice, const SliceQuestion *question,
                     const char *assume) {
    out_text(out, "{\n  \"file\": ");
    json_text(out, slice->source->path);
    out_text(out, ",\n  \"function\": ");
    json_text(out, slice->function->name);
    out_text(out, ",\n  \"criterion\": {");
    if (question->has_line) out_printf(out, "\"line\": %u", question->line);
    if (!question->has_line) out_text(out, "\"function\": ");
    if (!question->has_line) json_text(out, slice->function->name);
    if (question->variable) out_text(out, ", \"variable\": ");
    if (question->variable) json_text(out, question->variable);
    if (assume) out_text(out, ", \"assume\": ");
    if (assume) json_text(out, assume);
    out_text(out, "},\n");
}

static void json(Out *out, const FunctionSlice *slice, const SliceQuestion *question,
                 const char *assume) {
    slice_json_head(out, slice, question, assume);
    json_list(out, slice, true);
    out_text(out, ",\n");
    json_list(out, slice, false);
    out_text(out, "\n}\n");
}

static void print_lines(Out *out, const FunctionSlice *slice, const SliceText *text,
                        const Bits *functions) {
    const Units *units = &slice->source->units;
    uint32_t count = unit_at(units, slice->function->root)->end_line;
    Bits lines = bits_new(slice->source->arena, count + 1);
    slice_text_lines(text, units, functions, &lines);
    for (uint32_t i = bits_next(&lines, 0); i < lines.size; i = bits_next(&lines, i + 1))
        out_printf(out, "%u\n", i);
}

// ---- The text, and whether it is right

// What went wrong first, in one line.
static const char *first_message(Arena *arena, const Diag *diag) {
    const char *text = diag->out.text ? diag->out.text : "";
    size_t length = diag->out.text ? strcspn(text, "\n") : 0;
    if (length > diag->out.length) length = diag->out.length;
    return arena_printf(arena, "its text does not compile: %.*s", (int)length, text);
}

// Compiles the text of slices again, and has them compared with the originals. NULL, or what is
// wrong.
static const char *check_again(SliceSource *source, const FunctionSlice *slices, uint32_t count,
                               const SliceText *text, SliceSource *after, const SliceHint **hint) {
    Arena *arena = source->arena;
    Diag unheard;
    diag_init(&unheard, arena, NULL);
    const char *reason = slice_source_again(after, source, text, arena, &unheard)
                             ? slice_check(slices, count, after, arena, hint)
                             : first_message(arena, &unheard);
    diag_free(&unheard);
    return reason;
}

static void cut(SliceSource *source, const FunctionSlice *slices, uint32_t count, SliceText *text,
                Bits *functions) {
    Bits kept = bits_new(source->arena, source->units.all.count + 1);
    for (uint32_t i = 0; i < count; i++) {
        slice_function_units(&slices[i], &kept);
        bits_add(functions, (uint32_t)(slices[i].function - source->units.functions.at));
    }
    slice_text_cut(text, &source->units, &kept, functions);
}

// Whether a variable holds something when the function is entered.
static bool is_given(const FunctionSlice *slice, uint32_t variable) {
    const SliceVariables *variables = &slice->variables;
    if (slice_is_piece(variables, variable)) return !slice_piece(variables, variable)->is_slot;
    if (!slice_is_register(variables, variable)) return true;
    for (uint32_t i = 0; i < slice->func->params.count; i++)
        if (slice_register(variables, slice->func->params.at[i]) == variable) return true;
    return false;
}

// Whether what is asked for has nothing to do with anything.
static bool depends_on_nothing(const FunctionSlice *slice, const SliceCriterion *criterion) {
    if (!criterion->unit || !criterion->variables.count) return false;
    const Bits *kept = slice_demand_kept(slice->demand);
    UnitNodes own = kept_units_nodes(slice->kept, criterion->unit);
    for (uint32_t i = 0; i < criterion->variables.count; i++)
        if (slice_demand_from_entry(slice->demand, criterion->variables.at[i]) &&
            is_given(slice, criterion->variables.at[i]))
            return false;
    return bits_count(kept) <= own.count;
}

static bool write_certificate(const SliceSource *source, const SliceSource *after, Diag *diag,
                              const SliceHint *hint, const char *path) {
    Out text = certify_slice(source->program, after->program, hint);
    bool good = out_commit(&text, path);
    if (!good) diag_error(diag, SPAN_NONE, "cannot write %s: %s", path, strerror(errno));
    out_free(&text);
    return good;
}

// The text of the file from a line on.
static const char *text_from_line(void *context, uint32_t file, uint32_t line) {
    const SliceSource *source = context;
    const Program *program = source->program;
    const char *text = source->units.text, *end = text + source->units.length;
    if (strcmp(program_text(program, program->files.at[file]), source->path) != 0) return NULL;
    for (uint32_t i = 1; text && text < end && i < line; i++) {
        text = memchr(text, '\n', (size_t)(end - text));
        if (text) text++;
    }
    return text;
}

// The slice that a line is in; the first if it is in none.
static const FunctionSlice *slice_at_line(const FunctionSlice *slices, uint32_t count,
                                          uint32_t line) {
    for (uint32_t i = 0; i < count; i++) {
        const Unit *root = unit_at(&slices[i].source->units, slices[i].function->root);
        if (root->line <= line && line <= root->end_line) return &slices[i];
    }
    return slices;
}

// The line of the statement that a node belongs to; 0 if it is none's.
static uint32_t line_of_node(const FunctionSlice *slice, uint32_t node) {
    const UnitFunction *function = slice->function;
    for (uint32_t i = 0; i < function->count; i++)
        if (function->nodes[i] == node && function->units[i] != function->root)
            return unit_at(&slice->source->units, function->units[i])->line;
    return 0;
}

// Tells what a jump is for: it has no node of its own. False if there is none at the line.
static bool tell_jump(const FunctionSlice *slice, uint32_t line, Out *out) {
    const Units *units = &slice->source->units;
    const Unit *jump = NULL;
    bool stays = false;
    for (uint32_t u = slice->function->root; u <= unit_at(units, slice->function->root)->last;
         u++) {
        const Unit *at = unit_at(units, u);
        if (!at->clean || at->line != line || at->kind < UNIT_GOTO || at->kind > UNIT_RETURN)
            continue;
        jump = at;
        stays = kept_units_has(slice->kept, u);
    }
    if (!jump) return false;
    uint32_t lead = jump->first < jump->behind ? slice->function->leads[jump->first] : NO_ID;
    const uint32_t *next = slice_demand_next(slice->demand);
    uint32_t to = lead != NO_ID && next ? next[lead] : NO_ID, to_line = 0;
    if (to < slice->func->nodes.count) to_line = line_of_node(slice, to);
    if (!stays)
        out_printf(out, "line %u does not matter: nothing that was asked for depends on it\n",
                   line);
    else if (to_line)
        out_printf(out, "line %u makes line %u come next, and not what follows it\n", line,
                   to_line);
    else
        out_printf(out, "line %u makes control go elsewhere than to what follows it\n", line);
    return true;
}

// The demand of the whole program is there if calls were followed.
static bool tell_why(const FunctionSlice *slice, ProgramDemand *demand, Diag *diag, uint32_t line,
                     Out *out) {
    SliceSource *source = slice->source;
    const Program *program = source->program;
    SourceText text = {.from_line = text_from_line, .context = source};
    SliceWhyRequest request = {.demand = slice->demand,
                               .variables = &slice->variables,
                               .gates = slice_gates_new(source->arena, slice->func, text)};
    while (request.file < program->files.count &&
           strcmp(program_text(program, program->files.at[request.file]), source->path) != 0)
        request.file++;
    if (!slice_why_has_line(&request, line)) {
        if (tell_jump(slice, line, out)) return true;
        diag_error(diag, SPAN_NONE, "%s: there is no code of '%s' at line %u", source->path,
                   slice->function->name, line);
        return false;
    }
    if (demand)
        slice_why_program(out, source->arena, demand, slice->function->symbol, request.file, line,
                          text);
    else
        slice_why(out, &request, line);
    return true;
}

// The first of the slices is the one that was asked for.
static bool write_slice(FunctionSlice *slice, uint32_t count, ProgramDemand *demand, Diag *diag,
                        const SliceQuestion *question, const SliceWanted *wanted, Out *out) {
    SliceSource *source = slice->source, after;
    const SliceHint *hint = NULL;
    SliceText text = {.arena = source->arena};
    Bits functions = bits_new(source->arena, source->units.functions.count + 1);
    cut(source, slice, count, &text, &functions);
    const char *reason = check_again(source, slice, count, &text, &after, &hint);
    bool good = !reason || call_wrong(diag, source, slice->function->name, reason);
    if (good && wanted->certificate)
        good = write_certificate(source, &after, diag, hint, wanted->certificate);
    if (good && wanted->why)
        good = tell_why(slice_at_line(slice, count, wanted->why_line), demand, diag,
                        wanted->why_line, out);
    else if (good && wanted->format == SLICE_SOURCE)
        out_bytes(out, text.text.text, text.text.length);
    else if (good && wanted->format == SLICE_LINES)
        print_lines(out, slice, &text, &functions);
    else if (good && wanted->format == SLICE_IMP)
        good = slice_imp(&after, slice, count, hint, diag, out);
    else if (good)
        json(out, slice, question, wanted->assume);
    slice_text_free(&text);
    return good;
}

static bool find_slice(FunctionSlice *slice, Diag *diag, const SliceQuestion *question,
                       const SliceCriterion *criterion) {
    if (!depends_on_nothing(slice, criterion)) return true;
    diag_error(diag, SPAN_NONE, "%s: no dependence: nothing sets '%s' before line %u",
               slice->source->path, question->variable, question->line);
    return false;
}

// --calls
static bool slice_with_calls(SliceSource *source, Diag *diag, const SliceQuestion *question,
                             const SliceWanted *wanted, SliceCriterion *criterion, Out *out) {
    SliceProgram program;
    FunctionSlice root, *slices;
    uint32_t count;
    const char *name = source->units.functions.at[criterion->function].name;
    slice_program_begin(&program, source);
    if (!slice_program_root(&program, &root, criterion->function)) {
        diag_error(diag, SPAN_NONE, "%s: the function '%s' can be replaced by another, and stays",
                   source->path, name);
        return false;
    }
    if (!slice_find_variable(&root, diag, question, criterion)) return false;
    Sym start = NO_SYM;
    if (wanted->whole_program)
        start = program_find(source->program, str_of(&source->program->strings, "main"));
    if (wanted->whole_program && start.i == NO_ID) {
        diag_error(diag, SPAN_NONE, "%s: there is no function 'main' to start at", source->path);
        return false;
    }
    if (!slice_program_run(&program, &root, criterion, start, &slices, &count)) {
        diag_error(diag, SPAN_NONE, "%s: '%s' is not called on any way from 'main'", source->path,
                   name);
        return false;
    }
    return find_slice(&slices[0], diag, question, criterion) &&
           write_slice(slices, count, program.demand, diag, question, wanted, out);
}

// Whether control comes to what is asked about, if the assumption holds.
static bool is_reached(const FunctionSlice *slice, const SliceCriterion *criterion) {
    if (!criterion->unit) return true;
    const Unit *unit = unit_at(&slice->source->units, criterion->unit);
    Graph graph = flow_graph(slice->source->arena, slice->func, slice->way);
    return graph_reaches(&graph, slice->function->leads[unit->first]);
}

bool slice_one(SliceSource *source, Diag *diag, const SliceQuestion *question,
               const SliceWanted *wanted, Out *out) {
    SliceCriterion criterion;
    FunctionSlice slice;
    if (!slice_find_function(source, diag, question, &criterion)) return false;
    if (wanted->calls) return slice_with_calls(source, diag, question, wanted, &criterion, out);
    slice_function_begin(&slice, source, criterion.function);
    slice.once = wanted->once;
    if (!slice_find_variable(&slice, diag, question, &criterion)) return false;
    bool apart = wanted->assume && slice_is_about_pointers(wanted->assume);
    if (apart && !slice_assume_apart(&slice, diag, wanted->assume)) return false;
    if (wanted->assume && !apart) {
        slice.way = slice_assume(source, diag, criterion.function, wanted->assume);
        if (!slice.way) return false;
        if (!is_reached(&slice, &criterion)) {
            diag_error(diag, SPAN_NONE, "%s: control does not come to line %u if '%s'",
                       source->path, question->line, wanted->assume);
            return false;
        }
    }
    slice_function_run(&slice, &criterion);
    return find_slice(&slice, diag, question, &criterion) &&
           write_slice(&slice, 1, NULL, diag, question, wanted, out);
}

// ---- Every function

static double milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

typedef struct {
    FunctionSlice *slices;
    double *times;         // milliseconds of each
    const char **verdicts; // of each: NULL, or why it is rejected
    uint32_t count;
} EachSlice;

static void find_each(SliceSource *source, const SliceQuestion *question, bool once,
                      EachSlice *each) {
    const Units *units = &source->units;
    uint32_t count = units->functions.count;
    each->slices = ARENA_ARRAY(source->arena, FunctionSlice, (size_t)count + 1);
    each->times = ARENA_ARRAY(source->arena, double, (size_t)count + 1);
    each->verdicts = ARENA_ARRAY(source->arena, const char *, (size_t)count + 1);
    for (uint32_t f = 0; f < count; f++) {
        const UnitFunction *function = &units->functions.at[f];
        if (function->elsewhere || function->symbol.i == NO_ID) continue;
        double start = milliseconds();
        SliceCriterion criterion = {.function = f};
        FunctionSlice *slice = &each->slices[each->count];
        slice_function_begin(slice, source, f);
        slice->once = once;
        const SigInfo *sig = program_sig_info(source->program, slice->func->sig);
        criterion.effects = !question->variable || sig->result.i == PTYPE_VOID.i;
        slice_function_run(slice, &criterion);
        each->verdicts[each->count] = NULL;
        each->times[each->count++] = milliseconds() - start;
    }
}

// Checks each slice in a program in which all other functions are as they were.
static void check_each(SliceSource *source, const SliceSource *after, const SliceHint *hint,
                       EachSlice *each) {
    const Sym *symbols = hint->symbols.symbols.at;
    uint32_t count = source->program->symbols.count;
    Symbol *changed = ARENA_ARRAY(source->arena, Symbol, (size_t)count + 1);
    memcpy(changed, source->program->symbols.at, count * sizeof *changed);
    for (uint32_t i = 0; i < after->program->symbols.count; i++) {
        const Func *func = after->program->symbols.at[i].func;
        uint32_t at = 0;
        while (at < each->count && each->slices[at].function->symbol.i != symbols[i].i) at++;
        if (!func || symbols[i].i == NO_ID || at == each->count) continue;
        double start = milliseconds();
        Arena *arena = arena_new("check of a slice");
        const Func *own = changed[symbols[i].i].func;
        const Func *moved = transplant(arena, source->program, after->program, func, symbols);
        Program hybrid = *source->program;
        hybrid.symbols.at = changed;
        SliceSource there = {.program = &hybrid};
        if (moved) changed[symbols[i].i].func = moved;
        const SliceHint *unused;
        const char *reason = moved ? slice_check(&each->slices[at], 1, &there, arena, &unused)
                                   : "it mentions something new";
        if (reason) each->verdicts[at] = arena_text(source->arena, reason, strlen(reason));
        changed[symbols[i].i].func = own;
        arena_free(arena);
        each->times[at] += milliseconds() - start;
    }
}

// Writes the text of each function in the slice, from the first byte of its definition on.
static bool write_functions(const SliceSource *source, const EachSlice *each, const SliceText *text,
                            Diag *diag, const char *folder) {
    for (uint32_t i = 0; i < each->count; i++) {
        const UnitFunction *function = each->slices[i].function;
        const Unit *root = unit_at(&source->units, function->root);
        Out out = {0};
        for (uint32_t p = 0; p < text->pieces.count; p++) {
            TextPiece piece = text->pieces.at[p];
            if (piece.original + piece.length <= function->definition ||
                piece.original >= root->end)
                continue;
            uint32_t skip =
                piece.original < function->definition ? function->definition - piece.original : 0;
            uint32_t from = piece.from + skip;
            uint32_t to = p + 1 < text->pieces.count ? text->pieces.at[p + 1].from
                                                     : (uint32_t)text->text.length;
            uint32_t most = piece.from + (root->end - piece.original);
            if (piece.original + piece.length >= root->end && to > most) to = most;
            out_bytes(&out, text->text.text + from, to - from);
        }
        out_char(&out, '\n');
        const char *path = arena_printf(source->arena, "%s/%s.c", folder, function->name);
        bool good = out_commit(&out, path);
        if (!good) diag_error(diag, SPAN_NONE, "cannot write %s: %s", path, strerror(errno));
        out_free(&out);
        if (!good) return false;
    }
    return true;
}

bool slice_each(SliceSource *source, Diag *diag, const SliceQuestion *question,
                const SliceWanted *wanted, const char *folder, Out *out) {
    EachSlice each = {0};
    find_each(source, question, wanted->once, &each);
    if (!each.count) {
        diag_error(diag, SPAN_NONE, "%s: there is no function that can be sliced", source->path);
        return false;
    }
    SliceText text = {.arena = source->arena};
    Bits functions = bits_new(source->arena, source->units.functions.count + 1);
    cut(source, each.slices, each.count, &text, &functions);
    SliceSource after;
    const SliceHint *hint = NULL;
    const char *reason = check_again(source, each.slices, each.count, &text, &after, &hint);
    if (reason && hint) {
        check_each(source, &after, hint, &each);
        reason = NULL;
    }
    for (uint32_t i = 0; i < each.count; i++) {
        Share share = count_statements(&each.slices[i]);
        const char *verdict = reason ? reason : each.verdicts[i];
        out_printf(out, "%s\t%u\t%u\t%.3f\t%s%s\n", each.slices[i].function->name, share.kept,
                   share.all, each.times[i], verdict ? "rejected: " : "accepted",
                   verdict ? verdict : "");
    }
    bool good = !folder || write_functions(source, &each, &text, diag, folder);
    slice_text_free(&text);
    return good;
}
