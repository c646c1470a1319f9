// Messages come, wait, and are shown in order.
#include "message/message_private.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { USUAL_WIDTH = 160, NARROWEST = 40 };

void message_defaults(MessageOptions *options) {
    *options = (MessageOptions){.column_origin = 1, .tabstop = 8, .margin = 6};
}

// ---- Places

const Source *message_source(const Messages *messages, Span span) {
    return &messages->diag->sources.at[span.source];
}

// The display column, from 0, of an offset: how far the text before it in its line reaches.
static uint32_t display_column(Messages *messages, uint32_t index, uint32_t line_start,
                               uint32_t offset) {
    const Source *source = &messages->diag->sources.at[index];
    ColumnCache *cache = &messages->cache;
    if (cache->source != index || cache->line_start != line_start || cache->offset > offset)
        *cache = (ColumnCache){.source = index, .line_start = line_start, .offset = line_start};
    while (cache->offset < offset) {
        uint32_t code, tabstop = messages->options->tabstop;
        uint32_t size =
            message_decode(source->text + cache->offset, source->length - cache->offset, &code);
        if (cache->offset + size > offset) break; // inside of a character
        cache->column += code == '\t' ? tabstop - cache->column % tabstop : message_width(code);
        cache->offset += size;
    }
    return cache->column;
}

MessagePlace message_place(Messages *messages, uint32_t source, uint32_t offset) {
    if (offset > messages->diag->sources.at[source].length)
        offset = messages->diag->sources.at[source].length;
    LinePlace place = diag_place(messages->diag, source, offset);
    MessagePlace found = {.file = messages->diag->sources.at[source].name,
                          .line = place.line,
                          .byte_column = place.column};
    found.display_column =
        display_column(messages, source, offset - (place.column - 1), offset) + 1;
    found.column = messages->options->byte_columns ? found.byte_column : found.display_column;
    found.column = found.column - 1 + messages->options->column_origin;
    return found;
}

// ---- What waits

static void *copied(Messages *messages, const void *from, size_t element, uint32_t count) {
    return count ? arena_copy(messages->arena, from, size_mul(element, count)) : NULL;
}

static Message *keep(Messages *messages, const DiagMessage *told) {
    Arena *arena = messages->arena;
    Message *message = ARENA_NEW(arena, Message);
    message->told = *told;
    DiagMessage *mine = &message->told;
    mine->text = arena_text(arena, told->text, strlen(told->text));
    mine->inclusions =
        copied(messages, told->inclusions, sizeof *told->inclusions, told->inclusion_count);
    mine->order = copied(messages, told->order, sizeof *told->order, told->order_count);
    Fixit *fixits = copied(messages, told->fixits, sizeof *told->fixits, told->fixit_count);
    for (uint32_t i = 0; i < told->fixit_count; i++)
        fixits[i].text = arena_text(messages->diag->arena, fixits[i].text, strlen(fixits[i].text));
    mine->fixits = fixits;
    message->number = messages->number++;
    return message;
}

// A message without a place stays behind what came before it.
static void take_order(Messages *messages, Message *message) {
    if (message->told.order_count || !messages->held.count) return;
    const Message *before = messages->held.at[messages->held.count - 1];
    message->told.order = before->told.order;
    message->told.order_count = before->told.order_count;
}

static int compare(const void *a, const void *b) {
    const Message *left = *(Message *const *)a, *right = *(Message *const *)b;
    uint32_t n = left->told.order_count, m = right->told.order_count;
    for (uint32_t i = 0; i < n && i < m; i++) {
        uint32_t x = left->told.order[i], y = right->told.order[i];
        if (x != y) return x < y ? -1 : 1;
    }
    if (n != m) return n < m ? -1 : 1;
    return left->number < right->number ? -1 : left->number > right->number;
}

static void sort(Messages *messages) {
    if (messages->held.count)
        qsort(messages->held.at, messages->held.count, sizeof *messages->held.at, compare);
}

static void note_fixits(Messages *messages, const DiagMessage *told) {
    for (uint32_t i = 0; i < told->fixit_count && messages->options->patch; i++)
        vec_push(messages->diag->arena, &messages->fixits, told->fixits[i]);
}

static void show_held(Messages *messages) {
    if (messages->options->format != MESSAGES_TEXT) return;
    Diag *diag = messages->diag;
    sort(messages);
    for (uint32_t i = 0; i < messages->held.count; i++) {
        message_show_text(messages, messages->held.at[i]);
        note_fixits(messages, &messages->held.at[i]->told);
        for (const Message *note = messages->held.at[i]->notes; note; note = note->next)
            note_fixits(messages, &note->told);
        if (diag->stream) out_flush(&diag->out, diag->stream);
    }
    messages->held.at = NULL;
    messages->held.count = messages->held.capacity = 0;
    arena_reset(messages->arena);
}

// Behind the last error that is shown, in gcc's words if the limit was asked for.
static void tell_limit(Messages *messages) {
    const MessageOptions *options = messages->options;
    Diag *diag = messages->diag;
    show_held(messages);
    if (options->format != MESSAGES_TEXT) return;
    if (options->fatal_errors)
        out_text(&diag->out, "compilation terminated due to -Wfatal-errors.\n");
    else if (options->limit_given)
        out_printf(&diag->out, "compilation terminated due to -fmax-errors=%u.\n",
                   diag->error_limit);
    else
        out_text(&diag->out, "gatecc: error: too many errors; the rest are not shown\n");
    if (diag->stream) out_flush(&diag->out, diag->stream);
}

static void receive(void *context, const DiagMessage *told) {
    Messages *messages = context;
    const Diag *diag = messages->diag;
    if (messages->stopped) return;
    if (diag->error_limit && diag->errors > diag->error_limit) {
        messages->stopped = true;
        tell_limit(messages);
        return;
    }
    Message *message = keep(messages, told);
    Message *last = messages->held.count ? messages->held.at[messages->held.count - 1] : NULL;
    if (told->attached && last) {
        if (last->last_note)
            last->last_note->next = message;
        else
            last->notes = message;
        last->last_note = message;
        return;
    }
    take_order(messages, message);
    vec_push(messages->arena, &messages->held, message);
}

static Messages *messages_of(Diag *diag) {
    return diag->sink == receive ? diag->sink_context : NULL;
}

void messages_settle(Diag *diag) {
    Messages *messages = messages_of(diag);
    if (messages && diag->errors) show_held(messages);
}

void messages_flush(Diag *diag) {
    Messages *messages = messages_of(diag);
    if (messages) show_held(messages);
}

// ---- Beginning and end

// A terminal is not to break lines of the source; what is no terminal should not be flooded.
static uint32_t find_width(const Diag *diag, const MessageOptions *options) {
    if (options->message_length) return options->message_length;
    if (!diag->stream || !isatty(fileno(diag->stream))) return USUAL_WIDTH;
    const char *columns = getenv("COLUMNS");
    unsigned long given = columns ? strtoul(columns, NULL, 10) : 0;
    struct winsize size = {0};
    if (!given && ioctl(fileno(diag->stream), TIOCGWINSZ, &size) == 0) given = size.ws_col;
    if (!given || given > 100000) return USUAL_WIDTH;
    return given < NARROWEST ? NARROWEST : (uint32_t)given - 1;
}

Messages *messages_open(Diag *diag, const MessageOptions *options, const char *main_file) {
    Messages *messages = ARENA_NEW(diag->arena, Messages);
    *messages = (Messages){.diag = diag,
                           .options = options,
                           .main_file = main_file,
                           .arena = arena_new("messages"),
                           .last_shown = SPAN_NONE,
                           .cache = {.source = DIAG_NO_SOURCE},
                           .width = find_width(diag, options),
                           .sink = diag->sink,
                           .sink_context = diag->sink_context};
    message_colours(messages);
    diag->sink = receive;
    diag->sink_context = messages;
    return messages;
}

// JSON and SARIF appear whole, at the end, even if there is nothing to tell.
static void show_whole(Messages *messages) {
    bool json = messages->options->format == MESSAGES_JSON;
    Out out = {0};
    sort(messages);
    (json ? message_json : message_sarif)(messages, &out);
    if (messages->options->to_file) {
        const char *path = arena_printf(messages->arena, "%s%s", messages->main_file,
                                        json ? ".gcc.json" : ".sarif");
        if (!out_commit(&out, path)) {
            fprintf(stderr, "gatecc: error: cannot write '%s'\n", path);
            messages->diag->errors++;
        }
    } else if (messages->diag->stream) {
        out_flush(&out, messages->diag->stream);
    } else {
        out_bytes(&messages->diag->out, out.text, out.length);
    }
    out_free(&out);
}

void messages_close(Messages *messages) {
    Diag *diag = messages->diag;
    if (messages->options->format == MESSAGES_TEXT) {
        const MessageOptions *options = messages->options;
        bool reached = diag->error_limit && diag->errors >= diag->error_limit;
        show_held(messages);
        if (reached && !messages->stopped && (options->limit_given || options->fatal_errors))
            tell_limit(messages);
        message_show_patch(messages);
        if (diag->stream) out_flush(&diag->out, diag->stream);
    } else {
        show_whole(messages);
    }
    diag->sink = messages->sink;
    diag->sink_context = messages->sink_context;
    arena_free(messages->arena);
}
