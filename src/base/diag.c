#include "base/diag.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Noreturn void fatal(const char *format, ...) {
    va_list args;
    va_start(args, format);
    fflush(stdout);
    fputs("gatecc: fatal: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(2);
}

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

LinePlace diag_place(Diag *diag, uint32_t source_index, uint32_t offset) {
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
    return (LinePlace){.line = low + 1, .column = offset - source->lines.at[low] + 1};
}

static const char *const severity_names[] = {"note", "warning", "error"};
static const char *const severity_colours[] = {"\033[1;36m", "\033[1;35m", "\033[1;31m"};

static void set_colour(Diag *diag, const char *code) {
    if (diag->colour) out_text(&diag->out, code);
}

// As many copies of a mark as out_shown would use columns.
static void mark_columns(Out *out, const char *text, uint32_t length, char mark) {
    for (uint32_t i = 0, size; i < length; i += size ? size : 1) {
        size = (uint32_t)shown_size(text + i, length - i);
        out_char(out, mark);
    }
}

static bool inside_character(const Source *source, uint32_t offset) {
    return offset < source->length && ((unsigned char)source->text[offset] & 0xc0) == 0x80;
}

// The part of the span's line that is shown: the whole line, or the part of a very long line around
// the span. The span may start at the line's end, but not beyond.
static Span visible_part(const Source *source, Span span, LinePlace place) {
    enum { WIDEST = 160, LEAD = 60 };
    uint32_t start = span.start - (place.column - 1);
    // No more of the line is looked at than may be shown: it may be the whole file.
    uint32_t end = source->length - span.start > WIDEST ? span.start + WIDEST + 1 : source->length;
    const char *text = source->text + span.start;
    const char *newline = end > span.start ? memchr(text, '\n', end - span.start) : NULL;
    if (newline) end = (uint32_t)(newline - source->text);
    if (end > start && source->text[end - 1] == '\r') end--;
    if (end - start > WIDEST) {
        if (span.start - start > LEAD) start = span.start - LEAD;
        for (int i = 0; i < 3 && start < span.start && inside_character(source, start); i++)
            start++;
        if (end - start > WIDEST) end = start + WIDEST;
        for (int i = 0; i < 3 && end > span.start && inside_character(source, end); i++) end--;
    }
    return (Span){.source = span.source, .start = start, .end = end};
}

static void show_line(Diag *diag, const Source *source, Span span, LinePlace place) {
    Span part = visible_part(source, span, place);
    Out *out = &diag->out;
    size_t before = out->length;
    out_printf(out, "%5u", place.line);
    int margin = (int)(out->length - before);
    out_text(out, " | ");
    out_shown(out, source->text + part.start, part.end - part.start);
    out_printf(out, "\n%*s | ", margin, "");
    mark_columns(out, source->text + part.start, span.start - part.start, ' ');
    set_colour(diag, "\033[1;32m");
    out_char(out, '^');
    uint32_t end = span.end < part.end ? span.end : part.end, start = span.start + 1;
    while (start < end && inside_character(source, start)) start++;
    if (start < end) mark_columns(out, source->text + start, end - start, '~');
    set_colour(diag, "\033[0m");
    out_char(out, '\n');
}

static void show(Diag *diag, const DiagMessage *message) {
    Out *out = &diag->out;
    Span span = message->span;
    bool located = span.source != DIAG_NO_SOURCE;
    LinePlace place = {0};
    set_colour(diag, "\033[1m");
    if (located) {
        const Source *source = &diag->sources.at[span.source];
        if (span.start > source->length) span.start = source->length;
        place = diag_place(diag, span.source, span.start);
        out_printf(out, "%s:%u:%u: ", source->name, place.line, place.column);
    } else {
        out_text(out, "gatecc: ");
    }
    set_colour(diag, severity_colours[message->severity]);
    out_printf(out, "%s: ", message->label ? message->label : severity_names[message->severity]);
    set_colour(diag, "\033[0m\033[1m");
    out_shown(out, message->text, strlen(message->text));
    set_colour(diag, "\033[0m");
    out_char(out, '\n');
    if (located && !message->bare) show_line(diag, &diag->sources.at[span.source], span, place);
}

void diag_message(Diag *diag, const DiagMessage *message) {
    DiagMessage too_many = {.severity = DIAG_ERROR,
                            .span = SPAN_NONE,
                            .text = "too many errors; the rest are not shown"};
    if (message->severity == DIAG_ERROR) diag->errors++;
    if (message->severity == DIAG_WARNING) diag->warnings++;
    if (diag->error_limit && diag->errors > diag->error_limit) {
        if (message->severity != DIAG_ERROR || diag->errors != diag->error_limit + 1) return;
        message = &too_many;
    }
    if (diag->sink) {
        diag->sink(diag->sink_context, message);
        return;
    }
    show(diag, message);
    if (diag->stream) out_flush(&diag->out, diag->stream);
}

void diag_report(Diag *diag, Severity severity, Span span, const char *format, ...) {
    bool raised = severity == DIAG_WARNING && diag->warnings_are_errors;
    Out text = {0};
    va_list args;
    va_start(args, format);
    out_vprintf(&text, format, args);
    va_end(args);
    out_char(&text, '\0');
    diag_message(diag, &(DiagMessage){.severity = raised ? DIAG_ERROR : severity,
                                      .span = span,
                                      .text = text.text,
                                      .raised = raised,
                                      .attached = severity == DIAG_NOTE});
    out_free(&text);
}
