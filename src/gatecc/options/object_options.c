#include "gatecc/options/object_options.h"

#include <string.h>

void object_option(GateccOptions *options, const char *text) {
    bool on = strncmp(text, "-fno-", 5) != 0;
    const char *name = text + (on ? 2 : 5);
    if (strcmp(name, "ident") == 0) options->no_ident = !on;
    if (strcmp(name, "record-gcc-switches") == 0) options->record_switches = on;
    if (strcmp(name, "keep-static-functions") == 0) options->compile.symbols.keep_static = on;
    if (strcmp(name, "keep-inline-functions") == 0) options->compile.symbols.keep_inline = on;
}

const char *recorded_switches(const GateccOptions *options, Arena *arena) {
    if (!options->record_switches) return NULL;
    Out line = {0};
    out_text(&line, "gatecc ");
    words_print(&line, options->words);
    const char *text = arena_text(arena, line.text, line.length);
    out_free(&line);
    return text;
}
