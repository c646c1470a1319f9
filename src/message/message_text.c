// A message as text:
//
//   In file included from a.c:1:
//   a.h: In function 'f':
//   a.h:3:5: warning: what is wrong [-Wname]
//       3 |     the line
//         |     ^~~
#include "message/message_private.h"

#include <ctype.h>
#include <string.h>

void message_safe_text(Out *out, const char *text, size_t length) {
    uint32_t left = size_to_u32(length, "characters in one message"), size;
    for (; left; text += size, left -= size) {
        uint32_t code;
        size = message_decode(text, left, &code);
        if (code == '\t')
            out_char(out, ' ');
        else if (code == MALFORMED || code < 0x80 || !message_must_escape(code))
            message_must_escape(code) ? out_printf(out, "<%02x>", (unsigned char)*text)
                                      : out_bytes(out, text, size);
        else
            out_printf(out, "<U+%04X>", code);
    }
}

const char *message_colour_of(const Messages *messages, Severity severity) {
    const Colours *colours = &messages->colours;
    return severity == DIAG_NOTE      ? colours->note
           : severity == DIAG_WARNING ? colours->warning
                                      : colours->error;
}

static void coloured(Messages *messages, Out *out, const char *colour, const char *text,
                     size_t length) {
    message_start_colour(messages, out, colour);
    message_safe_text(out, text, length);
    message_stop_colour(messages, out, colour);
}

// ---- Where it is

static bool was_seen(Messages *messages, Span directive) {
    for (uint32_t i = 0; i < messages->seen.count; i++)
        if (memcmp(&messages->seen.at[i], &directive, sizeof directive) == 0) return true;
    vec_push(messages->diag->arena, &messages->seen, directive);
    return false;
}

// The #include lines that led to a file, up to one that has been told before.
static void show_inclusions(Messages *messages, const DiagMessage *message) {
    enum { MOST = 8 };
    Out *out = &messages->diag->out;
    uint32_t shown = 0;
    for (uint32_t i = 0; i < message->inclusion_count; i++) {
        if (was_seen(messages, message->inclusions[i])) break;
        if (shown >= MOST && i + 1 < message->inclusion_count) continue;
        MessagePlace place =
            message_place(messages, message->inclusions[i].source, message->inclusions[i].start);
        if (shown && i != shown) out_printf(out, ",\n                 (%u more)", i - shown);
        out_text(out, shown++ ? ",\n                 from " : "In file included from ");
        message_start_colour(messages, out, messages->colours.locus);
        message_safe_text(out, place.file, strlen(place.file));
        out_printf(out, ":%u", place.line);
        message_stop_colour(messages, out, messages->colours.locus);
    }
    if (shown) out_text(out, ":\n");
}

static void show_function(Messages *messages, const DiagMessage *message) {
    if (message->severity == DIAG_NOTE && message->attached) return;
    if (message->function == messages->function || message->span.source == DIAG_NO_SOURCE) return;
    Out *out = &messages->diag->out;
    messages->function = message->function;
    const char *file = message_source(messages, message->span)->name;
    message_start_colour(messages, out, messages->colours.locus);
    message_safe_text(out, file, strlen(file));
    out_char(out, ':');
    message_stop_colour(messages, out, messages->colours.locus);
    if (message->function) {
        out_text(out, " In function '");
        coloured(messages, out, messages->colours.quote, message->function,
                 strlen(message->function));
        out_text(out, "':\n");
    } else {
        out_text(out, " At top level:\n");
    }
}

static void put_prefix(Messages *messages, Out *out, const DiagMessage *message) {
    static const char *const names[] = {"note: ", "warning: ", "error: "};
    message_start_colour(messages, out, messages->colours.locus);
    if (message->span.source == DIAG_NO_SOURCE) {
        out_text(out, "gatecc:");
    } else {
        MessagePlace place = message_place(messages, message->span.source, message->span.start);
        message_safe_text(out, place.file, strlen(place.file));
        out_printf(out, ":%u:", place.line);
        if (!messages->options->no_column) out_printf(out, "%u:", place.column);
    }
    message_stop_colour(messages, out, messages->colours.locus);
    out_char(out, ' ');
    const char *colour = message_colour_of(messages, message->severity);
    message_start_colour(messages, out, colour);
    if (message->label)
        out_printf(out, "%s: ", message->label);
    else
        out_text(out, names[message->severity]);
    message_stop_colour(messages, out, colour);
}

// ---- What it says

// The next quote that opens something: an apostrophe within a word is none.
static const char *opening_quote(const char *text, const char *end) {
    for (const char *at = text; at < end; at++)
        if (*at == '\'' && (at == text || !isalnum((unsigned char)at[-1]))) return at;
    return NULL;
}

// Text with what is quoted in it shown as such.
static void put_quoting(Messages *messages, Out *out, const char *text, size_t length) {
    const char *end = text + length;
    while (text < end) {
        const char *open = opening_quote(text, end);
        const char *close = open ? memchr(open + 1, '\'', (size_t)(end - open - 1)) : NULL;
        if (!close || !messages->diag->colour) break;
        message_safe_text(out, text, (size_t)(open + 1 - text));
        coloured(messages, out, messages->colours.quote, open + 1, (size_t)(close - open - 1));
        out_char(out, '\'');
        text = close + 1;
    }
    message_safe_text(out, text, (size_t)(end - text));
}

static void put_option(Messages *messages, Out *out, const DiagMessage *message) {
    if (!message->option || message->severity == DIAG_NOTE || messages->options->no_option) return;
    const char *colour = message_colour_of(messages, message->severity);
    out_text(out, " [");
    message_start_colour(messages, out, colour);
    out_printf(out, "-W%s%s", message->severity == DIAG_ERROR ? "error=" : "", message->option);
    message_stop_colour(messages, out, colour);
    out_char(out, ']');
}

// The columns of text that holds colours.
static uint32_t columns_of(const char *text, size_t length) {
    uint32_t columns = 0;
    for (size_t i = 0; i < length;) {
        if (text[i] == '\033') {
            i += 2;
            while (i < length && text[i] != 'm' && text[i] != 'K') i++;
            i++;
            continue;
        }
        uint32_t code;
        i += message_decode(text + i, (uint32_t)(length - i), &code);
        columns += message_width(code);
    }
    return columns;
}

// -fmessage-length=: breaks what follows the prefix at blanks.
static void put_broken(Messages *messages, Out *out, const Out *prefix, const Out *body) {
    static const char indent[] = "   ";
    bool every = messages->options->every_line;
    uint32_t limit = messages->options->message_length;
    uint32_t column = columns_of(prefix->text, prefix->length), start = column;
    out_bytes(out, prefix->text, prefix->length);
    for (size_t at = 0; at < body->length;) {
        const char *word = body->text + at;
        const char *blank = memchr(word, ' ', body->length - at);
        size_t length = blank ? (size_t)(blank - word) : body->length - at;
        uint32_t width = columns_of(word, length);
        if (at && column + width > limit) {
            out_char(out, '\n');
            out_bytes(out, every ? prefix->text : indent, every ? prefix->length : 3);
            column = every ? start : 3;
        }
        out_bytes(out, word, length);
        if (blank) out_char(out, ' ');
        column += width + 1;
        at += length + (blank != NULL);
    }
}

static void show_one(Messages *messages, const DiagMessage *message) {
    Out *out = &messages->diag->out, prefix = {0}, body = {0};
    if (message->severity != DIAG_NOTE) show_inclusions(messages, message);
    show_function(messages, message);
    put_prefix(messages, &prefix, message);
    put_quoting(messages, &body, message->text, strlen(message->text));
    put_option(messages, &body, message);
    if (messages->options->message_length) {
        put_broken(messages, out, &prefix, &body);
    } else {
        out_bytes(out, prefix.text, prefix.length);
        out_bytes(out, body.text, body.length);
    }
    out_char(out, '\n');
    out_free(&prefix);
    out_free(&body);
    if (message->span.source != DIAG_NO_SOURCE && !messages->options->no_caret && !message->bare)
        message_show_excerpt(messages, message);
    if (messages->options->parseable_fixits) message_show_fixits(messages, message);
}

void message_show_text(Messages *messages, const Message *message) {
    show_one(messages, &message->told);
    for (const Message *note = message->notes; note; note = note->next)
        show_one(messages, &note->told);
}
