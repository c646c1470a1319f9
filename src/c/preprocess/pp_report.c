// Messages with their place: the chain of inclusions, and the macros through which a token came.
//
// A token that came out of a macro is reported where the macro's definition spells it; notes then
// lead outwards to the place in the file. Nobody wants to read the macros of system headers: a
// token from such a macro is reported where the program calls the macro. A token of an argument is
// reported where the argument is written.
#include "c/preprocess/pp_private.h"

#include <string.h>

enum { MOST_NOTES = 8, LARGEST_MARK = 1000000 };

// A source for Diag in which the lines behind a mark, up to the next, have the numbers it gives.
static uint32_t numbered_source(Pp *pp, CFile *file, const LineMark *mark, uint32_t end) {
    Diag *diag = pp->diag;
    uint32_t index = diag_source(diag, mark->file, file->text, file->length);
    Source *source = &diag->sources.at[index];
    for (uint32_t i = 1; i < mark->line; i++) vec_push(diag->arena, &source->lines, 0);
    for (uint32_t i = mark->physical - 1; i < file->lines.count && file->lines.at[i] < end; i++)
        vec_push(diag->arena, &source->lines, file->lines.at[i]);
    if (!source->lines.count) vec_push(diag->arena, &source->lines, 0);
    return index;
}

static Span span_of(Pp *pp, Pos pos, uint32_t length) {
    if (!pos) return SPAN_NONE;
    pp_presumed(pp, pos); // so that the file's lines are known
    uint32_t index = (uint32_t)(pp_inclusion(pp, pos) - pp->inclusions.at);
    Inclusion *inclusion = &pp->inclusions.at[index];
    uint32_t start = pos - inclusion->start, i = inclusion->marks.count;
    Span span = {.source = inclusion->diag_source, .start = start, .end = start + length};
    while (i && inclusion->marks.at[i - 1].offset > start) i--;
    if (!i) return span;
    LineMark *mark = &inclusion->marks.at[i - 1];
    // Line 0 and absurdly large numbers are not worth the table they would need.
    if (!mark->line || mark->line > LARGEST_MARK) return span;
    uint32_t end = i < inclusion->marks.count ? mark[1].offset : UINT32_MAX;
    if (!mark->diag_source) mark->diag_source = numbered_source(pp, inclusion->file, mark, end) + 1;
    span.source = mark->diag_source - 1;
    return span;
}

static uint32_t name_length(Pp *pp, uint32_t expansion) {
    return str_length(pp->strings, pp->expansions.at[expansion].macro);
}

// ---- Macros

// Where a report is to be shown: where its token is spelled, or the nearest place outside of system
// headers from which the macros lead there.
typedef struct {
    Pos pos;
    uint32_t length;
    uint32_t expansion; // the innermost one that notes are to tell of; 0: none
} Shown;

// Nobody wants to be led to a system header, or to a macro without a file.
static bool is_hidden(Pp *pp, Pos pos) {
    if (!pos) return true;
    Presumed presumed = pp_presumed(pp, pos);
    return presumed.system || presumed.file[0] == '<';
}

static Shown shown_place(Pp *pp, Pos pos, uint32_t length, uint32_t expansion) {
    Shown shown = {.pos = pos, .length = length, .expansion = expansion};
    while (shown.expansion && is_hidden(pp, shown.pos)) {
        shown.pos = pp->expansions.at[shown.expansion].at;
        shown.length = name_length(pp, shown.expansion);
        shown.expansion = pp->expansions.at[shown.expansion].parent;
    }
    return shown;
}

static void tell(Pp *pp, DiagMessage *message, Pos file_pos);

// Notes from the innermost macro outwards. Macros of system headers are passed over.
static void show_expansions(Pp *pp, uint32_t expansion, Pos file_pos) {
    uint32_t length = 0, i = 0;
    for (uint32_t at = expansion; at; at = pp->expansions.at[at].parent) length++;
    for (uint32_t at = expansion; at; at = pp->expansions.at[at].parent, i++) {
        bool left_out = i >= MOST_NOTES / 2 && i < length - MOST_NOTES / 2 && length > MOST_NOTES;
        if (left_out && i != MOST_NOTES / 2) continue;
        Pos pos = pp->expansions.at[at].at;
        if (!left_out && is_hidden(pp, pos)) continue;
        const char *name = str_text(pp->strings, pp->expansions.at[at].macro);
        const char *text =
            left_out ? arena_printf(pp->arena, "%u expansions are not shown", length - MOST_NOTES)
                     : arena_printf(pp->arena, "in expansion of macro '%s'", name);
        DiagMessage note = {.severity = DIAG_NOTE,
                            .span = left_out ? SPAN_NONE : span_of(pp, pos, name_length(pp, at)),
                            .text = text,
                            .attached = true};
        tell(pp, &note, file_pos);
    }
}

// ---- Reports

typedef struct {
    Severity severity;
    bool of_value;      // about what is done with a value
    bool of_author;     // a message of the author of a header to its includers
    const char *option; // the name behind -W, or NULL
    Pos pos;
    uint32_t length, expansion;
} Report;

// Whether to show it at all; a warning may turn out to be an error. There is no warning about text
// in a system header, nor about a macro from there in the place where a program calls it; but there
// is about the program's use of the value of such a macro.
static bool wanted(Pp *pp, Report *report, Pos file_pos, const WarningSet *warnings) {
    if (pp->stopped) return false;
    // A note without a name of its own belongs to the message that it follows.
    if (report->severity == DIAG_NOTE) return report->option || pp->report_shown;
    if (report->severity != DIAG_WARNING) return true;
    const WarningSet *set = warnings ? warnings : pp_set_at(pp, file_pos);
    WarningLevel level = set ? warnings_level(set, report->option) : LEVEL_WARNING;
    if (level == LEVEL_IGNORED) return false;
    if (level == LEVEL_ERROR) report->severity = DIAG_ERROR;
    if (report->of_author || (set && set->system_headers)) return true;
    if (file_pos && pp_presumed(pp, file_pos).system) return false;
    return report->of_value || !report->pos || !pp_presumed(pp, report->pos).system;
}

// Sends a message on its way with the facts that only the preprocessor knows: the files through
// which its place was reached, and its position in the order of the unit.
static void tell(Pp *pp, DiagMessage *message, Pos file_pos) {
    VEC(Span) inclusions = {0};
    VEC(uint32_t) order = {0};
    if (file_pos) vec_push(pp->scratch, &order, file_pos);
    const Inclusion *inclusion = file_pos ? pp_inclusion(pp, file_pos) : NULL;
    Pos at = inclusion ? inclusion->included_at : 0;
    for (; at; at = pp_inclusion(pp, at)->included_at) {
        vec_push(pp->scratch, &order, at);
        vec_push(pp->scratch, &inclusions, span_of(pp, at, 0));
    }
    for (uint32_t i = 0; i < order.count / 2; i++) { // the main file first
        uint32_t swapped = order.at[i];
        order.at[i] = order.at[order.count - 1 - i];
        order.at[order.count - 1 - i] = swapped;
    }
    message->function = pp->function;
    message->inclusions = inclusions.at;
    message->inclusion_count = inclusions.count;
    message->order = order.at;
    message->order_count = order.count;
    diag_message(pp->diag, message);
}

void pp_fixit(Pp *pp, Pos pos, uint32_t length, const char *text) {
    bool expanded = is_expanded(pos) || !pos || (length && is_expanded(pos + length - 1));
    if (expanded) pp->fixits_spoilt = true;
    if (pp->fixits_spoilt) return;
    vec_push(pp->arena, &pp->fixits,
             (Fixit){.span = span_of(pp, pos, length),
                     .text = arena_text(pp->arena, text, strlen(text))});
}

void pp_set_function(Pp *pp, const char *name) {
    pp->function = name;
}

Pos pp_last_include(Pp *pp, const Inclusion *inclusion) {
    uint32_t number = (uint32_t)(inclusion - pp->inclusions.at);
    Pos last = 0;
    for (uint32_t i = 0; i < pp->inclusions.count; i++) {
        Pos at = pp->inclusions.at[i].included_at;
        if (at > last && pp_inclusion(pp, at) == &pp->inclusions.at[number]) last = at;
    }
    return last;
}

void pp_drop_fixits(Pp *pp) {
    vec_clear(&pp->fixits);
    pp->fixits_spoilt = false;
}

static void show(Pp *pp, Report report, const char *format, va_list args) {
    Spelled spelled = pp_spelled(pp, report.pos, report.expansion);
    report.pos = spelled.pos;
    report.expansion = spelled.expansion;
    Pos file_pos = pp_file_pos(pp, &(Token){.pos = report.pos, .expansion = report.expansion});
    pp->report_shown = wanted(pp, &report, file_pos, spelled.warnings);
    bool spoilt = pp->fixits_spoilt;
    uint32_t fixits = spoilt ? 0 : pp->fixits.count;
    pp_drop_fixits(pp);
    if (!pp->report_shown) return;
    Out text = {0};
    out_vprintf(&text, format, args);
    out_char(&text, '\0');
    Shown shown = shown_place(pp, report.pos, report.length, report.expansion);
    DiagMessage message = {.severity = report.severity,
                           .span = span_of(pp, shown.pos, shown.length),
                           .text = text.text,
                           .option = report.option,
                           .raised = report.option && report.severity == DIAG_ERROR,
                           .attached = report.severity == DIAG_NOTE && !report.option,
                           .fixits = pp->fixits.at,
                           .fixit_count = fixits};
    tell(pp, &message, file_pos);
    out_free(&text);
    // A note about the place of its message needs no second way there.
    if (report.severity != DIAG_NOTE || report.pos != pp->reported)
        show_expansions(pp, shown.expansion, file_pos);
    pp->reported = report.pos;
}

static void show_one(Pp *pp, Report report, const char *format, ...) {
    va_list args;
    va_start(args, format);
    show(pp, report, format, args);
    va_end(args);
}

void pp_report(Pp *pp, Severity severity, const char *option, Pos pos, uint32_t length,
               const char *format, ...) {
    Report report = {.severity = severity, .option = option, .pos = pos, .length = length};
    va_list args;
    va_start(args, format);
    show(pp, report, format, args);
    va_end(args);
}

void pp_report_value(Pp *pp, const char *option, Pos pos, uint32_t length, const char *format,
                     ...) {
    Report report = {
        .severity = DIAG_WARNING, .of_value = true, .option = option, .pos = pos, .length = length};
    va_list args;
    va_start(args, format);
    show(pp, report, format, args);
    va_end(args);
}

static Report report_at(const Token *token, Severity severity) {
    return (Report){.severity = severity,
                    .pos = token->pos,
                    .length = token->length,
                    .expansion = token->expansion};
}

void pp_error(Pp *pp, const Token *token, const char *format, ...) {
    va_list args;
    va_start(args, format);
    show(pp, report_at(token, DIAG_ERROR), format, args);
    va_end(args);
}

void pp_warn(Pp *pp, const char *option, const Token *token, const char *format, ...) {
    Report report = report_at(token, DIAG_WARNING);
    report.option = option;
    va_list args;
    va_start(args, format);
    show(pp, report, format, args);
    va_end(args);
}

void pp_author_warns(Pp *pp, const Token *name, const char *text) {
    Report report = report_at(name, DIAG_WARNING);
    report.option = warning_name(WARN_CPP);
    report.of_author = true;
    show_one(pp, report, "#warning %s", text);
}

void pp_note(Pp *pp, Pos pos, uint32_t length, const char *format, ...) {
    va_list args;
    va_start(args, format);
    show(pp, (Report){.severity = DIAG_NOTE, .pos = pos, .length = length}, format, args);
    va_end(args);
}
