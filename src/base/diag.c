#include "base/diag.h"

#include <stdarg.h>
#include <string.h>
#include <unistd.h>

void diag_init(Diag *diag, Arena *arena, FILE *stream) {
    *diag = (Diag){.arena = arena, .stream = stream, .error_limit = 20};
    diag->colour = stream && isatty(fileno(stream));
}

void diag_free(Diag *diag) {
    out_free(&diag->out);
}

uint32_t diag_source(Diag *diag, const char *name, const char *text, size_t length) {
    Source source = {.name = name, .text = text};
    source.length = size_to_u32(length, "bytes in one source file");
    vec_push(diag->arena, &diag->sources, source);
    return diag->sources.count - 1;
}

static void find_lines(Arena *arena, Source *source) {
    vec_push(arena, &source->lines, 0);
    const char *at = source->text, *end = at + source->length;
    while (at < end && (at = memchr(at, '\n', (size_t)(end - at)))) {
        at++;
        vec_push(arena, &source->lines, (uint32_t)(at - source->text));
    }
}

Place diag_place(Diag *diag, uint32_t source_index, uint32_t offset) {
    Source *source = &diag->sources.at[source_index];
    if (!source->lines.count) find_lines(diag->arena, source);
    uint32_t low = 0, high = source->lines.count; // the line is in [low, high)
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (source->lines.at[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return (Place){.line = low + 1, .column = offset - source->lines.at[low] + 1};
}

static const char *const severity_names[] = {"note", "warning", "error"};
static const char *const severity_colours[] = {"\033[1;36m", "\033[1;35m", "\033[1;31m"};

static void set_colour(Diag *diag, const char *code) {
    if (diag->colour) out_text(&diag->out, code);
}

// Copies source text to the message, a tab as one blank and anything unprintable as '?', so that a
// hostile file cannot drive the terminal and carets stay aligned.
static void show_text(Out *out, const char *text, uint32_t length) {
    for (uint32_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        out_char(out, c == '\t' ? ' ' : c < ' ' || c == 127 ? '?' : (char)c);
    }
}

// The source line and a caret under the span. A very long line is shown around the span only.
static void show_line(Diag *diag, const Source *source, Span span, Place place) {
    enum { WIDEST = 160, LEAD = 60 };
    uint32_t start = span.start - (place.column - 1), end = start;
    while (end < source->length && source->text[end] != '\n' && source->text[end] != '\r') end++;
    if (end - start > WIDEST && span.start - start > LEAD) start = span.start - LEAD;
    if (end - start > WIDEST) end = start + WIDEST;
    Out *out = &diag->out;
    out_printf(out, "%5u | ", place.line);
    show_text(out, source->text + start, end - start);
    out_text(out, "\n      | ");
    for (uint32_t i = start; i < span.start; i++)
        if (((unsigned char)source->text[i] & 0xc0) != 0x80) out_char(out, ' ');
    set_colour(diag, "\033[1;32m");
    out_char(out, '^');
    for (uint32_t i = span.start + 1; i < span.end && i < end; i++)
        if (((unsigned char)source->text[i] & 0xc0) != 0x80) out_char(out, '~');
    set_colour(diag, "\033[0m");
    out_char(out, '\n');
}

static void show(Diag *diag, Severity severity, Span span, const char *message) {
    Out *out = &diag->out;
    bool located = span.source != DIAG_NO_SOURCE;
    Place place = {0};
    set_colour(diag, "\033[1m");
    if (located) {
        const Source *source = &diag->sources.at[span.source];
        if (span.start > source->length) span.start = source->length;
        place = diag_place(diag, span.source, span.start);
        out_printf(out, "%s:%u:%u: ", source->name, place.line, place.column);
    } else {
        out_text(out, "gatecc: ");
    }
    set_colour(diag, severity_colours[severity]);
    out_printf(out, "%s: ", severity_names[severity]);
    set_colour(diag, "\033[0m\033[1m");
    out_text(out, message);
    set_colour(diag, "\033[0m");
    out_char(out, '\n');
    if (located) show_line(diag, &diag->sources.at[span.source], span, place);
}

void diag_report(Diag *diag, Severity severity, Span span, const char *format, ...) {
    if (severity == DIAG_WARNING && diag->warnings_are_errors) severity = DIAG_ERROR;
    if (severity == DIAG_ERROR) diag->errors++;
    if (severity == DIAG_WARNING) diag->warnings++;
    if (diag->error_limit && diag->errors > diag->error_limit) {
        bool first = severity == DIAG_ERROR && diag->errors == diag->error_limit + 1;
        if (!first) return;
        show(diag, DIAG_ERROR, SPAN_NONE, "too many errors; the rest are not shown");
    } else {
        va_list args;
        va_start(args, format);
        Out message = {0};
        out_vprintf(&message, format, args);
        va_end(args);
        out_char(&message, '\0');
        show(diag, severity, span, message.text);
        out_free(&message);
    }
    if (diag->stream) out_flush(&diag->out, diag->stream);
}
