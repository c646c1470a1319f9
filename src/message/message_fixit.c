// Changes that would mend the source, for programs that make them: one line for each behind its
// message, and a patch at the end.
#include "message/message_private.h"

#include <stdlib.h>
#include <string.h>

static void put_string(Out *out, const char *text) {
    out_char(out, '"');
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '\n')
            out_text(out, "\\n");
        else if (c == '\t')
            out_text(out, "\\t");
        else if (c == '"' || c == '\\')
            out_printf(out, "\\%c", c);
        else if (c < ' ' || c >= 0x7f)
            out_printf(out, "\\%03o", c);
        else
            out_char(out, (char)c);
    }
    out_char(out, '"');
}

// fix-it:"FILE":{LINE:COLUMN-LINE:COLUMN}:"TEXT", with columns in bytes.
void message_show_fixits(Messages *messages, const DiagMessage *message) {
    Out *out = &messages->diag->out;
    for (uint32_t i = 0; i < message->fixit_count; i++) {
        const Fixit *fixit = &message->fixits[i];
        MessagePlace start = message_place(messages, fixit->span.source, fixit->span.start);
        MessagePlace end = message_place(messages, fixit->span.source, fixit->span.end);
        out_text(out, "fix-it:");
        put_string(out, start.file);
        out_printf(out, ":{%u:%u-%u:%u}:", start.line, start.byte_column, end.line,
                   end.byte_column);
        put_string(out, fixit->text);
        out_char(out, '\n');
    }
}

// ---- A patch

enum { CONTEXT = 3 };

// Lines [first, last) of a source, counted from 0, and what becomes of them.
typedef struct {
    uint32_t first, last;
    const char *text;
    uint32_t length, lines; // of the new text
} Edit;

typedef VEC(Edit) Edits;

static int compare_fixits(const void *a, const void *b) {
    const Fixit *left = a, *right = b;
    if (left->span.source != right->span.source)
        return left->span.source < right->span.source ? -1 : 1;
    if (left->span.start != right->span.start) return left->span.start < right->span.start ? -1 : 1;
    if (left->span.end != right->span.end) return left->span.end < right->span.end ? -1 : 1;
    return strcmp(left->text, right->text);
}

static uint32_t line_start(const Source *source, uint32_t line) {
    return line < source->lines.count ? source->lines.at[line] : source->length;
}

static uint32_t count_lines(const char *text, size_t length) {
    uint32_t lines = 0;
    for (size_t i = 0; i < length; i++) lines += text[i] == '\n';
    return lines + (length && text[length - 1] != '\n');
}

// Applies the changes [*at, ...) of a source that touch the same lines; those that overlap earlier
// ones are left out.
static Edit next_edit(Messages *messages, const Fixit *fixits, uint32_t count, uint32_t *at) {
    uint32_t index = fixits[*at].span.source;
    const Source *source = &messages->diag->sources.at[index];
    Edit edit = {.first = diag_place(messages->diag, index, fixits[*at].span.start).line - 1};
    edit.last = edit.first;
    uint32_t done = line_start(source, edit.first);
    Out text = {0};
    for (; *at < count && fixits[*at].span.source == index; ++*at) {
        const Fixit *fixit = &fixits[*at];
        uint32_t line = diag_place(messages->diag, index, fixit->span.start).line - 1;
        bool whole = fixit->span.start == fixit->span.end &&
                     fixit->span.start == line_start(source, line) && strchr(fixit->text, '\n');
        if (line > edit.first && line >= edit.last) break;
        if (fixit->span.start < done) continue;
        if (*at && compare_fixits(fixit, fixit - 1) == 0) continue;
        out_bytes(&text, source->text + done, fixit->span.start - done);
        out_text(&text, fixit->text);
        done = fixit->span.end;
        uint32_t behind = diag_place(messages->diag, index, done).line - (whole ? 1 : 0);
        if (behind > edit.last) edit.last = behind;
    }
    uint32_t end = line_start(source, edit.last);
    if (end > done) out_bytes(&text, source->text + done, end - done);
    edit.text = arena_text(messages->arena, text.text ? text.text : "", text.length);
    edit.length = (uint32_t)text.length;
    edit.lines = count_lines(edit.text, edit.length);
    out_free(&text);
    return edit;
}

static void put_lines(Messages *messages, char sign, const char *text, size_t length,
                      const char *colour) {
    Out *out = &messages->diag->out;
    while (length) {
        const char *newline = memchr(text, '\n', length);
        size_t part = newline ? (size_t)(newline - text) : length;
        message_start_colour(messages, out, colour);
        out_char(out, sign);
        out_bytes(out, text, part);
        message_stop_colour(messages, out, colour);
        out_char(out, '\n');
        if (!newline) out_text(out, "\\ No newline at end of file\n");
        text += part + (newline != NULL);
        length -= part + (newline != NULL);
    }
}

static void put_source_lines(Messages *messages, const Source *source, uint32_t first,
                             uint32_t last, char sign, const char *colour) {
    uint32_t start = line_start(source, first), end = line_start(source, last);
    put_lines(messages, sign, source->text + start, end - start, colour);
}

// One hunk: edits [first, last) with the lines around them.
static void put_hunk(Messages *messages, const Source *source, const Edit *edits, uint32_t count,
                     int64_t shift) {
    uint32_t all = count_lines(source->text, source->length);
    uint32_t from = edits->first > CONTEXT ? edits->first - CONTEXT : 0, before = 0, after = 0;
    uint32_t to = edits[count - 1].last + CONTEXT;
    if (to > all) to = all;
    before = after = to - from;
    for (uint32_t i = 0; i < count; i++) after += edits[i].lines - (edits[i].last - edits[i].first);
    Out *out = &messages->diag->out;
    const Colours *colours = &messages->colours;
    message_start_colour(messages, out, colours->hunk);
    out_printf(out, "@@ -%u,%u +%lld,%u @@", from + 1, before, (long long)from + 1 + shift, after);
    message_stop_colour(messages, out, colours->hunk);
    out_char(out, '\n');
    for (uint32_t i = 0; i < count; i++) {
        put_source_lines(messages, source, from, edits[i].first, ' ', "");
        put_source_lines(messages, source, edits[i].first, edits[i].last, '-', colours->gone);
        put_lines(messages, '+', edits[i].text, edits[i].length, colours->added);
        from = edits[i].last;
    }
    put_source_lines(messages, source, from, to, ' ', "");
}

static void put_file(Messages *messages, const Source *source, const Edits *edits) {
    Out *out = &messages->diag->out;
    for (int i = 0; i < 2; i++) {
        message_start_colour(messages, out, messages->colours.file);
        out_printf(out, "%s %s", i ? "+++" : "---", source->name);
        message_stop_colour(messages, out, messages->colours.file);
        out_char(out, '\n');
    }
    int64_t shift = 0;
    for (uint32_t i = 0, next; i < edits->count; i = next) {
        next = i + 1;
        while (next < edits->count &&
               edits->at[next].first - edits->at[next - 1].last <= 2 * CONTEXT)
            next++;
        put_hunk(messages, source, &edits->at[i], next - i, shift);
        for (uint32_t k = i; k < next; k++)
            shift += (int64_t)edits->at[k].lines - (edits->at[k].last - edits->at[k].first);
    }
}

void message_show_patch(Messages *messages) {
    uint32_t count = messages->fixits.count;
    Fixit *fixits = messages->fixits.at;
    if (!count) return;
    qsort(fixits, count, sizeof *fixits, compare_fixits);
    for (uint32_t at = 0; at < count;) {
        uint32_t index = fixits[at].span.source;
        Edits edits = {0};
        while (at < count && fixits[at].span.source == index) {
            Edit edit = next_edit(messages, fixits, count, &at);
            vec_push(messages->arena, &edits, edit);
        }
        put_file(messages, &messages->diag->sources.at[index], &edits);
    }
}
