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

// Whether to show it at all; a warning may turn out to be an error.
static bool wanted(Pp *pp, Severity *severity, const char *option, Pos file_pos, Pos pos) {
    if (pp->stopped) return false;
    // A note without a name of its own belongs to what it follows.
    if (*severity == DIAG_NOTE) return option || pp->report_shown;
    if (*severity != DIAG_WARNING) return true;
    WarningLevel level = pp_warning_level(pp, option, file_pos);
    if (level == LEVEL_IGNORED) return false;
    if (level == LEVEL_ERROR) *severity = DIAG_ERROR;
    if (file_pos && pp_presumed(pp, file_pos).system) return false;
    return !pos || !pp_presumed(pp, pos).system;
}

void pp_vreport(Pp *pp, Severity severity, const char *option, Pos pos, uint32_t length,
                uint32_t expansion, const char *format, va_list args) {
    Token token = {.pos = pos, .expansion = expansion};
    Pos file_pos = pp_file_pos(pp, &token);
    pp->report_shown = wanted(pp, &severity, option, file_pos, pos);
    if (!pp->report_shown) return;
    uint32_t outermost = 0;
    for (uint32_t i = expansion; i; i = pp->expansions.at[i].parent) outermost = i;
    if (file_pos && severity != DIAG_NOTE)
        show_inclusions(pp, (uint32_t)(pp_inclusion(pp, file_pos) - pp->inclusions.at));
    Out text = {0};
    out_vprintf(&text, format, args);
    if (option && severity == DIAG_WARNING) out_printf(&text, " [-W%s]", option);
    if (option && severity == DIAG_ERROR) out_printf(&text, " [-Werror=%s]", option);
    out_char(&text, '\0');
    Span span = span_of(pp, file_pos, outermost ? name_length(pp, outermost) : length);
    bool all_errors = pp->diag->warnings_are_errors;
    pp->diag->warnings_are_errors = false; // that is decided
    diag_report(pp->diag, severity, span, "%s", text.text);
    pp->diag->warnings_are_errors = all_errors;
    out_free(&text);
    if (expansion) show_expansions(pp, pos, length, expansion);
}

void pp_report(Pp *pp, Severity severity, const char *option, Pos pos, uint32_t length,
               uint32_t expansion, const char *format, ...) {
    va_list args;
    va_start(args, format);
    pp_vreport(pp, severity, option, pos, length, expansion, format, args);
    va_end(args);
}

void pp_error(Pp *pp, const Token *token, const char *format, ...) {
    va_list args;
    va_start(args, format);
    pp_vreport(pp, DIAG_ERROR, NULL, token->pos, token->length, token->expansion, format, args);
    va_end(args);
}

void pp_warn(Pp *pp, const char *option, const Token *token, const char *format, ...) {
    va_list args;
    va_start(args, format);
    pp_vreport(pp, DIAG_WARNING, option, token->pos, token->length, token->expansion, format, args);
    va_end(args);
}

void pp_note(Pp *pp, Pos pos, uint32_t length, const char *format, ...) {
    va_list args;
    va_start(args, format);
    pp_vreport(pp, DIAG_NOTE, NULL, pos, length, 0, format, args);
    va_end(args);
}
