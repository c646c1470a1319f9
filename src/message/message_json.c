// Messages as JSON, in gcc's layout: an array of objects, in which notes are the children of the
// message that they follow.
#include "message/message_private.h"

#include <string.h>

void message_json_text(Out *out, const char *text, size_t length) {
    out_char(out, '"');
    for (size_t i = 0, size; i < length; i += size) {
        uint32_t code, left = length - i > UINT32_MAX ? UINT32_MAX : (uint32_t)(length - i);
        size = message_decode(text + i, left, &code);
        if (code == MALFORMED)
            out_text(out, "\\ufffd"); // JSON is Unicode
        else if (code == '"' || code == '\\')
            out_printf(out, "\\%c", (char)code);
        else if (code == '\n')
            out_text(out, "\\n");
        else if (code == '\t')
            out_text(out, "\\t");
        else if (code == '\r')
            out_text(out, "\\r");
        else if (code < ' ' || code == 0x7f)
            out_printf(out, "\\u%04x", code);
        else
            out_bytes(out, text + i, size);
    }
    out_char(out, '"');
}

static void put_text(Out *out, const char *text) {
    message_json_text(out, text, strlen(text));
}

static void put_place(Messages *messages, Out *out, const char *name, uint32_t source,
                      uint32_t offset) {
    MessagePlace place = message_place(messages, source, offset);
    uint32_t origin = messages->options->column_origin;
    out_printf(out, "\"%s\": {\"file\": ", name);
    put_text(out, place.file);
    out_printf(out, ", \"line\": %u, \"display-column\": %u, \"byte-column\": %u, \"column\": %u}",
               place.line, place.display_column - 1 + origin, place.byte_column - 1 + origin,
               place.column);
}

static void put_locations(Messages *messages, Out *out, Span span) {
    out_text(out, ", \"locations\": [");
    if (span.source != DIAG_NO_SOURCE) {
        out_char(out, '{');
        put_place(messages, out, "caret", span.source, span.start);
        if (span.end > span.start + 1) {
            out_text(out, ", ");
            put_place(messages, out, "finish", span.source, span.end - 1);
        }
        out_char(out, '}');
    }
    out_char(out, ']');
}

static void put_fixits(Messages *messages, Out *out, const DiagMessage *message) {
    if (!message->fixit_count) return;
    out_text(out, ", \"fixits\": [");
    for (uint32_t i = 0; i < message->fixit_count; i++) {
        const Fixit *fixit = &message->fixits[i];
        out_text(out, i ? ", {" : "{");
        put_place(messages, out, "start", fixit->span.source, fixit->span.start);
        out_text(out, ", ");
        put_place(messages, out, "next", fixit->span.source, fixit->span.end);
        out_text(out, ", \"string\": ");
        put_text(out, fixit->text);
        out_char(out, '}');
    }
    out_char(out, ']');
}

static void put_message(Messages *messages, Out *out, const DiagMessage *message) {
    static const char *const kinds[] = {"note", "warning", "error"};
    out_printf(out, "{\"kind\": \"%s\", \"message\": ", kinds[message->severity]);
    put_text(out, message->text);
    if (message->option && message->severity != DIAG_NOTE)
        out_printf(out, ", \"option\": \"-W%s%s\"", message->severity == DIAG_ERROR ? "error=" : "",
                   message->option);
    if (message->label) out_printf(out, ", \"remark\": \"%s\"", message->label);
    put_locations(messages, out, message->span);
    put_fixits(messages, out, message);
    out_text(out, ", \"escape-source\": false");
}

void message_json(Messages *messages, Out *out) {
    out_char(out, '[');
    for (uint32_t i = 0; i < messages->held.count; i++) {
        const Message *message = messages->held.at[i];
        if (i) out_text(out, ", ");
        put_message(messages, out, &message->told);
        out_printf(out, ", \"column-origin\": %u, \"children\": [",
                   messages->options->column_origin);
        for (const Message *note = message->notes; note; note = note->next) {
            put_message(messages, out, &note->told);
            out_text(out, note->next ? "}, " : "}");
        }
        out_text(out, "]}");
    }
    out_text(out, "]\n");
}
