// Messages with their place: which file included which, and through which macros a token came.
//
// A token that came out of a macro is reported where the outermost macro's name stands; notes then
// lead into the macros. A token of an argument is reported where it is written.
#include "c/pp_private.h"

#include <string.h>

enum { MOST_NOTES = 8, LARGEST_MARK = 1000000 };

// The chain of #include above an inclusion, outermost last, once per change of file.
static void show_inclusions(Pp *pp, uint32_t inclusion) {
    if (inclusion == pp->reported_inclusion) return;
    pp->reported_inclusion = inclusion;
    Diag *diag = pp->diag;
    if (diag->error_limit && diag->errors >= diag->error_limit) return;
    uint32_t length = 0, shown = 0;
    for (Pos at = pp->inclusions.at[inclusion].included_at; at; length++)
        at = pp_inclusion(pp, at)->included_at;
    for (Pos at = pp->inclusions.at[inclusion].included_at; at; shown++) {
        Presumed presumed = pp_presumed(pp, at);
        if (shown < MOST_NOTES || shown + 1 == length)
            out_printf(&diag->out, "In file included from %s:%u:\n", presumed.file, presumed.line);
        else if (shown == MOST_NOTES)
            out_printf(&diag->out, "  (%u more)\n", length - MOST_NOTES - 1);
        at = pp_inclusion(pp, at)->included_at;
    }
}

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

// Notes from the outermost macro inwards.
static void show_expansions(Pp *pp, Pos pos, uint32_t length, uint32_t expansion) {
    VEC(uint32_t) chain = {0};
    for (uint32_t i = expansion; i; i = pp->expansions.at[i].parent)
        vec_push(pp->scratch, &chain, i);
    for (uint32_t i = chain.count; i--;) {
        if (i >= MOST_NOTES / 2 && i < chain.count - MOST_NOTES / 2) {
            if (i == MOST_NOTES / 2)
                diag_note(pp->diag, SPAN_NONE, "%u expansions are not shown",
                          chain.count - MOST_NOTES);
            continue;
        }
        // In the body of this macro stands the next one's name, or at last the token itself.
        Pos at = i ? pp->expansions.at[chain.at[i - 1]].at : pos;
        const char *name = str_text(pp->strings, pp->expansions.at[chain.at[i]].macro);
        diag_note(pp->diag, span_of(pp, at, i ? name_length(pp, chain.at[i - 1]) : length),
                  "expanded from macro '%s'", name);
    }
}

typedef struct {
    Severity severity;
    bool of_value;      // about what is done with a value
    const char *option; // the name behind -W, or NULL
    Pos pos;
    uint32_t length, expansion;
} Report;

// Whether to show it at all; a warning may turn out to be an error. What stands in a system header is
// not warned of, nor what a macro from there does where a program calls it; but what the program
// does with the value of such a macro is.
static bool wanted(Pp *pp, Report *report, Pos file_pos, const WarningSet *warnings) {
    if (pp->stopped) return false;
    // A note without a name of its own belongs to what it follows.
    if (report->severity == DIAG_NOTE) return report->option || pp->report_shown;
    if (report->severity != DIAG_WARNING) return true;
    const WarningSet *set = warnings ? warnings : pp_set_at(pp, file_pos);
    WarningLevel level = set ? warnings_level(set, report->option) : LEVEL_WARNING;
    if (level == LEVEL_IGNORED) return false;
    if (level == LEVEL_ERROR) report->severity = DIAG_ERROR;
    if (set && set->system_headers) return true;
    if (file_pos && pp_presumed(pp, file_pos).system) return false;
    return report->of_value || !report->pos || !pp_presumed(pp, report->pos).system;
}

static void show(Pp *pp, Report report, const char *format, va_list args) {
    Spelled spelled = pp_spelled(pp, report.pos, report.expansion);
    report.pos = spelled.pos;
    report.expansion = spelled.expansion;
    Pos file_pos = pp_file_pos(pp, &(Token){.pos = report.pos, .expansion = report.expansion});
    pp->report_shown = wanted(pp, &report, file_pos, spelled.warnings);
    if (!pp->report_shown) return;
    uint32_t outermost = 0;
    for (uint32_t i = report.expansion; i; i = pp->expansions.at[i].parent) outermost = i;
    if (file_pos && report.severity != DIAG_NOTE)
        show_inclusions(pp, (uint32_t)(pp_inclusion(pp, file_pos) - pp->inclusions.at));
    Out text = {0};
    out_vprintf(&text, format, args);
    if (report.option && report.severity == DIAG_WARNING)
        out_printf(&text, " [-W%s]", report.option);
    if (report.option && report.severity == DIAG_ERROR)
        out_printf(&text, " [-Werror=%s]", report.option);
    out_char(&text, '\0');
    Span span = span_of(pp, file_pos, outermost ? name_length(pp, outermost) : report.length);
    bool all_errors = pp->diag->warnings_are_errors;
    pp->diag->warnings_are_errors = false; // that is decided
    diag_report(pp->diag, report.severity, span, "%s", text.text);
    pp->diag->warnings_are_errors = all_errors;
    out_free(&text);
    if (report.expansion) show_expansions(pp, report.pos, report.length, report.expansion);
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

void pp_note(Pp *pp, Pos pos, uint32_t length, const char *format, ...) {
    va_list args;
    va_start(args, format);
    show(pp, (Report){.severity = DIAG_NOTE, .pos = pos, .length = length}, format, args);
    va_end(args);
}
