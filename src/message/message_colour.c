// Colours, as the environment variable GCC_COLORS gives them: NAME=SGR:NAME=SGR... An empty one
// means none.
#include "message/message_private.h"

#include <stdlib.h>
#include <string.h>

// SGR parameters are digits and semicolons; anything else could drive a terminal.
static const char *value_of(const char *settings, const char *name, const char *usual, char *room,
                            size_t size) {
    size_t length = strlen(name);
    for (const char *at = settings; at && *at; at += strcspn(at, ":"), at += *at == ':') {
        if (strncmp(at, name, length) != 0 || at[length] != '=') continue;
        size_t digits = strspn(at + length + 1, "0123456789;");
        const char *end = at + length + 1 + digits;
        if ((*end && *end != ':') || digits >= size) continue;
        memcpy(room, at + length + 1, digits);
        room[digits] = '\0';
        return room;
    }
    return usual;
}

void message_colours(Messages *messages) {
    Colours *colours = &messages->colours;
    const char *settings = getenv("GCC_COLORS");
    const struct {
        const char *name, *usual;
        const char **place;
    } rows[] = {
        {"error", "01;31", &colours->error},      {"warning", "01;35", &colours->warning},
        {"note", "01;36", &colours->note},        {"locus", "01", &colours->locus},
        {"quote", "01", &colours->quote},         {"fixit-insert", "32", &colours->insert},
        {"fixit-delete", "31", &colours->remove}, {"diff-filename", "01", &colours->file},
        {"diff-hunk", "32", &colours->hunk},      {"diff-insert", "32", &colours->added},
        {"diff-delete", "31", &colours->gone},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char room[32];
        const char *value = value_of(settings, rows[i].name, rows[i].usual, room, sizeof room);
        *rows[i].place =
            value == room ? arena_text(messages->diag->arena, room, strlen(room)) : value;
    }
}

bool messages_no_colours(bool asked_for) {
    const char *none = getenv("NO_COLOR"), *settings = getenv("GCC_COLORS");
    return (none && *none && !asked_for) || (settings && !*settings);
}

void message_start_colour(Messages *messages, Out *out, const char *colour) {
    if (messages->diag->colour && *colour) out_printf(out, "\033[%sm\033[K", colour);
}

void message_stop_colour(Messages *messages, Out *out, const char *colour) {
    if (messages->diag->colour && *colour) out_text(out, "\033[m\033[K");
}
