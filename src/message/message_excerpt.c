// The source line of a message, with a mark below and the changes that would mend the mistake:
//
//      3 | return x
//        |         ^
//        |         ;
//
// Columns are those of a terminal: tabs become blanks, wide characters take two columns, and bytes
// that must not reach a terminal are shown as <XX> or <U+XXXX>. A long line is shown only around
// the mark, and only this part of the line is read, since the line may be the whole file.
#include "message/message_private.h"

#include <string.h>

// ---- Characters

uint32_t message_put_character(const MessageOptions *options, Out *out, const Source *source,
                               uint32_t at, uint32_t *column) {
    const char *text = source->text + at;
    uint32_t code, size = message_decode(text, source->length - at, &code);
    if (code == '\t') {
        uint32_t blanks = options->tabstop - *column % options->tabstop;
        *column += blanks;
        while (out && blanks--) out_char(out, ' ');
    } else if (!message_must_escape(code)) {
        *column += message_width(code);
        if (out) out_bytes(out, text, size);
    } else {
        Out shown = {0};
        bool bytes = options->escape_bytes || code < 0x80 || code == MALFORMED;
        for (uint32_t i = 0; i < size && bytes; i++)
            out_printf(&shown, "<%02x>", (unsigned char)text[i]);
        if (!bytes) out_printf(&shown, "<U+%04X>", code);
        *column += (uint32_t)shown.length;
        if (out) out_bytes(out, shown.text, shown.length);
        out_free(&shown);
    }
    return size;
}

static bool inside_character(const Source *source, uint32_t offset) {
    return offset < source->length && ((unsigned char)source->text[offset] & 0xc0) == 0x80;
}

// ---- The part of a line that is shown

typedef struct {
    Messages *messages;
    const Source *source;
    uint32_t line;       // its number
    uint32_t start, end; // what is shown of it
    int margin;
    uint32_t column; // while fix-its are shown: where the line below the mark is
} Excerpt;

// The end of a line, or of what may be shown from a place on.
static uint32_t end_of_line(const Source *source, uint32_t from, uint32_t most) {
    uint32_t end = source->length - from > most ? from + most : source->length;
    const char *newline = memchr(source->text + from, '\n', end - from);
    if (newline) end = (uint32_t)(newline - source->text);
    if (end > from && source->text[end - 1] == '\r') end--;
    return end;
}

static uint32_t columns_between(const Excerpt *excerpt, uint32_t start, uint32_t end,
                                uint32_t column) {
    while (start < end)
        start += message_put_character(excerpt->messages->options, NULL, excerpt->source, start,
                                       &column);
    return column;
}

// Cuts what is shown of a line that starts at `start` to the width, around a place.
static void choose_part(Excerpt *excerpt, uint32_t start, uint32_t place) {
    uint32_t width = excerpt->messages->width, lead = width / 8 * 3;
    const Source *source = excerpt->source;
    uint32_t end = end_of_line(source, place, 4 * width + 4), column = 0;
    if (end < place) end = place; // a '\r' at the end
    bool whole = place - start <= 4 * width && columns_between(excerpt, start, end, 0) <= width;
    if (!whole && place - start > lead) {
        start = place - lead;
        for (int i = 0; i < 3 && start < place && inside_character(source, start); i++) start++;
    }
    excerpt->start = excerpt->end = start;
    while (excerpt->end < end) {
        uint32_t size =
            message_put_character(excerpt->messages->options, NULL, source, excerpt->end, &column);
        if (column > width && excerpt->end >= place) break;
        excerpt->end += size;
    }
}

// ---- Lines

static void put_margin(Excerpt *excerpt, const char *text) {
    Out *out = &excerpt->messages->diag->out;
    if (!excerpt->messages->options->no_line_numbers)
        out_printf(out, "%*s |", excerpt->margin, text);
    excerpt->column = 0;
}

// A line of the source; the bytes of a span in it are coloured.
static void put_line(Excerpt *excerpt, uint32_t line, Span span, const char *colour) {
    Messages *messages = excerpt->messages;
    Out *out = &messages->diag->out;
    char number[16];
    snprintf(number, sizeof number, "%u", line);
    put_margin(excerpt, number);
    out_char(out, ' ');
    bool inside = false;
    for (uint32_t at = excerpt->start, column = 0; at < excerpt->end;) {
        if (colour && at == span.start && span.end > span.start) {
            message_start_colour(messages, out, colour);
            inside = true;
        }
        if (inside && at >= span.end) {
            message_stop_colour(messages, out, colour);
            inside = false;
        }
        at += message_put_character(messages->options, out, excerpt->source, at, &column);
    }
    if (inside) message_stop_colour(messages, out, colour);
    out_char(out, '\n');
}

static void put_repeated(Out *out, char c, uint32_t count) {
    while (count--) out_char(out, c);
}

static void put_mark(Excerpt *excerpt, Span span, const char *colour) {
    Messages *messages = excerpt->messages;
    Out *out = &messages->diag->out;
    uint32_t column = columns_between(excerpt, excerpt->start, span.start, 0), behind = column;
    uint32_t end = span.end < excerpt->end ? span.end : excerpt->end;
    if (span.start < end) behind = columns_between(excerpt, span.start, end, column);
    put_margin(excerpt, "");
    put_repeated(out, ' ', column + 1);
    message_start_colour(messages, out, colour);
    out_char(out, '^');
    if (behind > column + 1) put_repeated(out, '~', behind - column - 1);
    message_stop_colour(messages, out, colour);
    out_char(out, '\n');
}

// ---- Changes

static bool is_whole_line(const Fixit *fixit) {
    size_t length = strlen(fixit->text);
    return fixit->span.start == fixit->span.end && length && fixit->text[length - 1] == '\n';
}

// A line that is to be put in front of the one shown.
static void put_new_line(Excerpt *excerpt, const Fixit *fixit) {
    Messages *messages = excerpt->messages;
    Out *out = &messages->diag->out;
    const char *colour = messages->colours.insert;
    put_margin(excerpt, "+++");
    message_start_colour(messages, out, colour);
    out_char(out, '+');
    message_safe_text(out, fixit->text, strlen(fixit->text) - 1);
    message_stop_colour(messages, out, colour);
    out_char(out, '\n');
}

static void move_to(Excerpt *excerpt, bool *open, uint32_t column) {
    Out *out = &excerpt->messages->diag->out;
    if (*open && excerpt->column > column) {
        out_char(out, '\n');
        *open = false;
    }
    if (!*open) {
        put_margin(excerpt, "");
        out_char(out, ' ');
        *open = true;
    }
    put_repeated(out, ' ', column - excerpt->column);
    excerpt->column = column;
}

static void put_change(Excerpt *excerpt, const Fixit *fixit, Span marked, bool *open) {
    Messages *messages = excerpt->messages;
    Out *out = &messages->diag->out;
    uint32_t column = columns_between(excerpt, excerpt->start, fixit->span.start, 0);
    uint32_t behind = columns_between(excerpt, fixit->span.start, fixit->span.end, column);
    bool told = fixit->span.start == marked.start && fixit->span.end == marked.end;
    if (behind > column && (!told || !*fixit->text)) {
        move_to(excerpt, open, column);
        message_start_colour(messages, out, messages->colours.remove);
        put_repeated(out, '-', behind - column);
        message_stop_colour(messages, out, messages->colours.remove);
        excerpt->column = behind;
    }
    if (!*fixit->text) return;
    move_to(excerpt, open, column);
    message_start_colour(messages, out, messages->colours.insert);
    message_safe_text(out, fixit->text, strlen(fixit->text));
    message_stop_colour(messages, out, messages->colours.insert);
    excerpt->column = column + (uint32_t)strlen(fixit->text);
}

static void put_changes(Excerpt *excerpt, const DiagMessage *message) {
    bool open = false;
    for (uint32_t i = 0; i < message->fixit_count; i++) {
        const Fixit *fixit = &message->fixits[i];
        bool here = fixit->span.source == message->span.source &&
                    fixit->span.start >= excerpt->start && fixit->span.end <= excerpt->end;
        if (here && !is_whole_line(fixit)) put_change(excerpt, fixit, message->span, &open);
    }
    if (open) out_char(&excerpt->messages->diag->out, '\n');
}

// ---- All of it

// The lines to put in, below the line before theirs.
static bool put_new_lines(Excerpt *excerpt, const DiagMessage *message) {
    bool any = false;
    for (uint32_t i = 0; i < message->fixit_count; i++) {
        const Fixit *fixit = &message->fixits[i];
        if (!is_whole_line(fixit) || fixit->span.source != message->span.source ||
            fixit->span.start != message->span.start)
            continue;
        const Source *source = excerpt->source;
        if (!any && excerpt->line > 1 && excerpt->line <= source->lines.count) {
            Excerpt before = *excerpt;
            uint32_t start = source->lines.at[excerpt->line - 2];
            choose_part(&before, start, start);
            put_line(&before, excerpt->line - 1, SPAN_NONE, NULL);
        }
        put_new_line(excerpt, fixit);
        any = true;
    }
    return any;
}

void message_show_excerpt(Messages *messages, const DiagMessage *message) {
    Span span = message->span;
    bool same =
        span.source == messages->last_shown.source && span.start == messages->last_shown.start;
    if (message->severity == DIAG_NOTE && same && !message->fixit_count) return;
    messages->last_shown = span;
    const Source *source = message_source(messages, span);
    if (span.start > source->length) span.start = source->length;
    LinePlace place = diag_place(messages->diag, span.source, span.start);
    Excerpt excerpt = {.messages = messages, .source = source, .line = place.line};
    char number[16];
    int digits = snprintf(number, sizeof number, "%u", place.line);
    excerpt.margin = (int)messages->options->margin - 1;
    if (excerpt.margin < digits) excerpt.margin = digits;
    choose_part(&excerpt, span.start - (place.column - 1), span.start);
    const char *colour = message_colour_of(messages, message->severity);
    bool added = put_new_lines(&excerpt, message);
    put_line(&excerpt, place.line, span, added ? NULL : colour);
    if (added) return;
    put_mark(&excerpt, span, colour);
    put_changes(&excerpt, message);
}
