#include "history/explain_print.h"

#include "base/bits.h"

#include "history/explain_json.h"
#include "history/history_assembly.h"

#include <stdlib.h>
#include <string.h>

// ---- Lines

// Whether a file is the one that was named: by its path, or by the end of that.
static bool is_named(const char *file, const char *given) {
    size_t length = strlen(file), end = strlen(given);
    return length >= end && strcmp(file + length - end, given) == 0 &&
           (length == end || file[length - end - 1] == '/');
}

// A file that instructions come from, besides the one that is compiled.
static const char *find_file(ExplainRequest *request) {
    const Program *program = request->program;
    const char *given = request->place.given, *found = NULL;
    for (uint32_t i = 0; i < program->files.count; i++) {
        const char *file = program_text(program, program->files.at[i]);
        if (!is_named(file, given)) continue;
        if (found && strcmp(found, file) != 0)
            return arena_printf(request->arena, "'%s' may be %s or %s", given, found, file);
        found = file;
    }
    if (!found)
        return arena_printf(request->arena, "no code of %s comes from '%s'", request->place.file,
                            given);
    request->place.file = found;
    return NULL;
}

const char *explain_find_lines(ExplainRequest *request) {
    char *text;
    size_t length;
    const char *mistake = request->place.given ? find_file(request) : NULL;
    if (mistake) return mistake;
    if (!read_file(request->arena, request->place.file, &text, &length)) length = 0;
    for (size_t at = 0; at < length;) {
        size_t size = strcspn(text + at, "\n");
        vec_push(request->arena, &request->lines, arena_text(request->arena, text + at, size));
        at += size + 1;
    }
    if (request->place.first > request->lines.count)
        return arena_printf(request->arena, "%s has %u lines only", request->place.file,
                            request->lines.count);
    if (request->place.last > request->lines.count) request->place.last = request->lines.count;
    return NULL;
}

static bool is_of_file(const ExplainRequest *request, uint32_t loc) {
    const Program *program = request->program;
    return loc && strcmp(program_text(program, program->files.at[program->locs.at[loc].file]),
                         request->place.file) == 0;
}

static uint32_t line_of(const ExplainRequest *request, uint32_t loc) {
    return request->program->locs.at[loc].line;
}

// The column whose operations are asked about: the last at or before the one that was given, or
// else the first.
static uint32_t find_column(const ExplainRequest *request, const ExplainedFunction *functions,
                            uint32_t count) {
    uint32_t best = 0, first = UINT32_MAX, wanted = request->place.column;
    for (uint32_t f = 0; wanted && f < count; f++) {
        for (uint32_t i = 0; i < functions[f].explanation->operations.count; i++) {
            uint32_t loc = functions[f].explanation->operations.at[i].loc;
            if (!is_of_file(request, loc) || line_of(request, loc) != request->place.first)
                continue;
            uint32_t column = request->program->locs.at[loc].column;
            if (column <= wanted && column > best) best = column;
            if (column < first) first = column;
        }
    }
    return best || !wanted || first == UINT32_MAX ? best : first;
}

// ---- What is to be told: parts, each about one line in one function

static int compare_parts(const void *a, const void *b) {
    const ExplainPart *x = a, *y = b;
    if (x->line != y->line) return x->line < y->line ? -1 : 1;
    if (x->copied_in != y->copied_in) return x->copied_in ? 1 : -1;
    return x->function->number < y->function->number ? -1
                                                     : x->function->number > y->function->number;
}

static void add_parts(const ExplainRequest *request, const ExplainedFunction *function,
                      uint32_t column, ExplainParts *parts) {
    const Explanation *it = function->explanation;
    const Loc *locs = request->program->locs.at;
    for (uint32_t i = 0; i < it->operations.count;) {
        const ExplainedOperation *first = &it->operations.at[i];
        uint32_t from = i, line = locs[first->loc].line;
        bool good = is_of_file(request, first->loc) && line >= request->place.first &&
                    line <= request->place.last;
        for (; i < it->operations.count && locs[it->operations.at[i].loc].line == line &&
               locs[it->operations.at[i].loc].file == locs[first->loc].file;
             i++)
            ;
        for (; column && from < i && locs[it->operations.at[from].loc].column < column; from++)
            ;
        uint32_t end = from;
        while (end < i && (!column || locs[it->operations.at[end].loc].column == column)) end++;
        if (!good || from == end) continue;
        vec_push(request->arena, parts,
                 (ExplainPart){.line = line,
                               .function = function,
                               .copied_in = first->copied_in,
                               .operations = &it->operations.at[from],
                               .count = end - from});
    }
}

bool explain_shows(const ExplainRequest *request, const LooseEvent *loose) {
    uint32_t line = line_of(request, loose->loc);
    return (explain_is_told(&loose->event) || request->verbose) &&
           is_of_file(request, loose->loc) && line >= request->place.first &&
           line <= request->place.last && !request->place.column;
}

// Lines about which there is nothing else to tell than what is part of no operation.
static void add_loose_parts(const ExplainRequest *request, const ExplainedFunction *function,
                            uint32_t first, ExplainParts *parts) {
    const Explanation *it = function->explanation;
    Bits there = bits_new(request->arena, request->lines.count + 1);
    for (uint32_t i = first; i < parts->count; i++) bits_add(&there, parts->at[i].line);
    for (uint32_t i = 0; i < it->loose.count; i++) {
        if (!explain_shows(request, &it->loose.at[i])) continue;
        uint32_t line = line_of(request, it->loose.at[i].loc);
        if (bits_put(&there, line))
            vec_push(request->arena, parts, (ExplainPart){.line = line, .function = function});
    }
}

// ---- Text

static uint32_t count_fate(const ExplainPart *part, Fate fate) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < part->count; i++) count += part->operations[i].fate == fate;
    return count;
}

// Lines of assembler text in which operations of a part are.
static uint32_t count_code(Arena *arena, const ExplainPart *part) {
    uint32_t count = 0;
    const ExplainedFunction *function = part->function;
    Bits seen = bits_new(arena, function->assembly.lines.count);
    for (uint32_t i = 0; i < part->count; i++)
        for (uint32_t k = 0; k < part->operations[i].code.count; k++)
            for (uint32_t l = explain_first_line(function, part->operations[i].code.at[k]);
                 l != NO_ID; l = function->next_line[l])
                count += bits_put(&seen, l);
    return count;
}

static void print_summary(const ExplainRequest *request, Out *out, const ExplainPart *part) {
    const Program *program = request->program;
    out_printf(out, "  in %s", func_name(part->function->explanation->history->start));
    if (!part->count) {
        out_text(out, ": no operation\n");
        return;
    }
    if (part->copied_in && part->operations[0].from.i != NO_ID)
        out_printf(out, ", into which '%s' was inlined",
                   program_text(program, program_at(program, part->operations[0].from)->name));
    out_printf(out, ": %u operation%s: ", part->count, part->count == 1 ? "" : "s");
    bool first = true;
    for (Fate fate = FATE_LIVES + 1; fate < FATE_COUNT; fate++) {
        uint32_t count = count_fate(part, fate);
        if (count) out_printf(out, "%s%u %s", first ? "" : ", ", count, fate_name(fate));
        if (count) first = false;
    }
    uint32_t lives = count_fate(part, FATE_LIVES), code = count_code(request->arena, part);
    if (lives)
        out_printf(out, "%s%u in %u instruction%s", first ? "" : ", ", lives, code,
                   code == 1 ? "" : "s");
    out_char(out, '\n');
}

static void print_event(const ExplainRequest *request, Out *out,
                        const ExplainedOperation *operation, const ExplainEvent *event) {
    if (event_is_quiet(event) && !request->verbose) return;
    out_text(out, "      ");
    event_print(out, request->program, event, operation->loc);
    out_char(out, '\n');
}

static void print_code(const ExplainRequest *request, Out *out, const ExplainedFunction *function,
                       const ExplainedOperation *operation) {
    for (uint32_t k = 0; k < operation->code.count; k++) {
        uint32_t item = operation->code.at[k], line = explain_first_line(function, item);
        if (request->verbose || line == NO_ID)
            out_printf(out, "      -> %s%s\n", function->explanation->end_texts[item],
                       line == NO_ID ? " (no instruction)" : "");
        for (; line != NO_ID; line = function->next_line[line]) {
            out_text(out, "      -> ");
            for (const char *at = function->assembly.lines.at[line].text; *at; at++)
                if (*at != '\t' || at > function->assembly.lines.at[line].text)
                    out_char(out, *at == '\t' ? ' ' : *at);
            out_char(out, '\n');
        }
    }
}

// Whether there is something to tell of an operation besides that it is where its function was
// called.
static bool is_news(const ExplainRequest *request, const ExplainedOperation *operation) {
    bool news = operation->fate != FATE_WAITS || request->verbose;
    for (uint32_t k = 0; k < operation->events.count; k++)
        news |= !event_is_quiet(&operation->events.at[k]);
    return news;
}

static void print_operations(const ExplainRequest *request, Out *out, const ExplainPart *part) {
    for (uint32_t i = 0; i < part->count; i++) {
        const ExplainedOperation *operation = &part->operations[i];
        const Loc *loc = &request->program->locs.at[operation->loc];
        if (!is_news(request, operation)) continue;
        out_printf(out, "    %u:%u %s", loc->line, loc->column, operation->text);
        if (operation->call) {
            const Loc *call = &request->program->locs.at[operation->call];
            out_text(out, " (called in ");
            if (call->file != loc->file)
                out_printf(out, "%s, ",
                           program_text(request->program, request->program->files.at[call->file]));
            out_printf(out, "line %u)", call->line);
        }
        out_char(out, '\n');
        for (uint32_t k = 0; k < operation->events.count; k++)
            print_event(request, out, operation, &operation->events.at[k]);
        print_code(request, out, part->function, operation);
    }
}

// What steps have put there or left undone that is part of no operation.
static void print_loose(const ExplainRequest *request, Out *out, const ExplainedFunction *function,
                        uint32_t line) {
    const Explanation *it = function->explanation;
    for (uint32_t i = 0; i < it->loose.count; i++) {
        const LooseEvent *loose = &it->loose.at[i];
        if (!explain_shows(request, loose) || line_of(request, loose->loc) != line) continue;
        out_text(out, "    ");
        event_print(out, request->program, &loose->event, loose->loc);
        if (loose->item && request->verbose) out_printf(out, ": %s", loose->item);
        out_char(out, '\n');
    }
}

static const char *source_line(const ExplainRequest *request, uint32_t line) {
    const char *text = request->lines.at[line - 1];
    return text + strspn(text, " \t");
}

// A line may be in the bodies of many callers: the first few are told of, the others only counted,
// unless they are asked for.
static void print_text(const ExplainRequest *request, Out *out, const ExplainParts *parts) {
    enum { MOST_CALLERS = 4 };
    bool all = request->verbose || request->functions->names.count;
    uint32_t callers = 0, left_out = 0;
    for (uint32_t i = 0; i < parts->count; i++) {
        const ExplainPart *part = &parts->at[i];
        bool last = i + 1 == parts->count || parts->at[i + 1].line != part->line;
        if (!i || part->line != parts->at[i - 1].line) {
            callers = left_out = 0;
            out_printf(out, "%s%s:%u: %s\n", i ? "\n" : "", request->place.file, part->line,
                       source_line(request, part->line));
        }
        callers += part->copied_in;
        if (all || callers <= MOST_CALLERS) {
            print_summary(request, out, part);
            print_operations(request, out, part);
            print_loose(request, out, part->function, part->line);
        } else {
            left_out++;
        }
        if (last && left_out)
            out_printf(out, "  and in %u other function%s: --function=NAME or --verbose tells\n",
                       left_out, left_out == 1 ? "" : "s");
    }
}

// ---- Lines without code

// The nearest line that has an operation.
static uint32_t nearest_line(const ExplainRequest *request, const ExplainedFunction *functions,
                             uint32_t count) {
    uint32_t nearest = 0, distance = UINT32_MAX, wanted = request->place.first;
    for (uint32_t f = 0; f < count; f++)
        for (uint32_t i = 0; i < functions[f].explanation->operations.count; i++) {
            uint32_t loc = functions[f].explanation->operations.at[i].loc;
            if (!is_of_file(request, loc)) continue;
            uint32_t line = line_of(request, loc);
            uint32_t away = line > wanted ? line - wanted : wanted - line;
            if (away < distance) {
                distance = away;
                nearest = line;
            }
        }
    return nearest;
}

static void print_nothing(const ExplainRequest *request, Out *out,
                          const ExplainedFunction *functions, uint32_t count) {
    uint32_t nearest = nearest_line(request, functions, count);
    bool one = request->place.first == request->place.last;
    if (one)
        out_printf(out, "%s:%u: %s\n  no code", request->place.file, request->place.first,
                   source_line(request, request->place.first));
    else
        out_printf(out, "%s:%u-%u: no code", request->place.file, request->place.first,
                   request->place.last);
    if (request->functions->names.count)
        out_printf(out, " in th%s function%s", count == 1 ? "is" : "ese", count == 1 ? "" : "s");
    else if (one)
        out_text(out, ": a declaration, a comment, a label or the rest of a statement");
    if (nearest) out_printf(out, "; the nearest line that has code is %u", nearest);
    out_char(out, '\n');
}

// ---- All of it

// The lines of assembler text of each machine instruction, as lists.
static void index_assembly(Arena *arena, ExplainedFunction *function) {
    uint32_t lines = function->assembly.lines.count,
             items = function->explanation->end.items->count;
    function->first_line = ARENA_ARRAY(arena, uint32_t, (size_t)items + 1);
    function->next_line = ARENA_ARRAY(arena, uint32_t, (size_t)lines + 1);
    uint32_t *last = ARENA_ARRAY(arena, uint32_t, (size_t)items + 1);
    memset(function->first_line, 0xff, sizeof(uint32_t) * ((size_t)items + 1));
    memset(function->next_line, 0xff, sizeof(uint32_t) * ((size_t)lines + 1));
    uint32_t *item_of = NULL;
    const Func *end = function->explanation->end.func;
    if (!end->mach) return;
    uint32_t code = 0;
    for (uint32_t i = 0; i < items; i++) {
        uint32_t at = function->explanation->end.items->at[i].index;
        if (at >= code) code = at + 1;
    }
    item_of = ARENA_ARRAY(arena, uint32_t, (size_t)code + 1);
    for (uint32_t i = 0; i < items; i++) item_of[function->explanation->end.items->at[i].index] = i;
    for (uint32_t l = 0; l < lines; l++) {
        const AssemblyLine *line = &function->assembly.lines.at[l];
        if (line->kind != LINE_CODE || line->instr >= code) continue;
        uint32_t item = item_of[line->instr];
        if (function->first_line[item] == NO_ID)
            function->first_line[item] = l;
        else
            function->next_line[last[item]] = l;
        last[item] = l;
    }
}

uint32_t explain_first_line(const ExplainedFunction *function, uint32_t item) {
    return function->first_line[item];
}

void explain_print(const ExplainRequest *request, const History *history, Out *out) {
    Arena *arena = request->arena;
    uint32_t count = 0, most = history_count(history);
    ExplainedFunction *functions = ARENA_ARRAY(arena, ExplainedFunction, (size_t)most + 1);
    const uint32_t *bodies = explain_bodies(arena, history, request->program);
    Diag unheard;
    diag_init(&unheard, arena, NULL);
    AssemblyOptions options = {.diag = &unheard};
    AssemblyWriter *writer = assembly_writer_new(request->program, &options);
    for (uint32_t i = 0; i < most; i++) {
        const FunctionHistory *function = history_at(history, i);
        if (!functions_have(request->functions, function->start)) continue;
        functions[count] =
            (ExplainedFunction){.number = i,
                                .explanation = explain_function(arena, function, bodies),
                                .assembly = history_assembly(writer, arena, function)};
        index_assembly(arena, &functions[count++]);
    }
    ExplainParts parts = {0};
    uint32_t column = find_column(request, functions, count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t first = parts.count;
        add_parts(request, &functions[i], column, &parts);
        add_loose_parts(request, &functions[i], first, &parts);
    }
    if (parts.count) qsort(parts.at, parts.count, sizeof *parts.at, compare_parts);
    if (request->json)
        explain_json(request, &parts, out);
    else if (parts.count)
        print_text(request, out, &parts);
    else
        print_nothing(request, out, functions, count);
    assembly_writer_free(writer);
    diag_free(&unheard);
}
