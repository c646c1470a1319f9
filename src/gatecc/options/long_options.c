#include "gatecc/options/long_options.h"

#include <stddef.h>
#include <string.h>

// With = behind a long name its value follows; without one it is the next word, if the option has
// one at all.
static const struct {
    const char *name, *usual;
} names[] = {
    {"all-warnings", "-Wall"},
    {"ansi", "-ansi"},
    {"assemble", "-S"},
    {"comments", "-C"},
    {"comments-in-macros", "-CC"},
    {"compile", "-c"},
    {"debug", "-g"},
    {"define-macro", "-D"},
    {"dependencies", "-M"},
    {"dump", "-d"},
    {"entry", "-e"},
    {"extra-warnings", "-Wextra"},
    {"for-assembler", "-Xassembler"},
    {"for-linker", "-Xlinker"},
    {"force-link", "-u"},
    {"imacros", "-imacros"},
    {"include", "-include"},
    {"include-directory", "-I"},
    {"include-directory-after", "-idirafter"},
    {"language", "-x"},
    {"library-directory", "-L"},
    {"machine", "-m"},
    {"no-line-commands", "-P"},
    {"no-standard-includes", "-nostdinc"},
    {"no-standard-libraries", "-nostdlib"},
    {"no-warnings", "-w"},
    {"optimize", "-O"},
    {"output", "-o"},
    {"pedantic", "-pedantic"},
    {"pedantic-errors", "-pedantic-errors"},
    {"pie", "-pie"},
    {"pipe", "-pipe"},
    {"prefix", "-B"},
    {"preprocess", "-E"},
    {"print-missing-file-dependencies", "-MG"},
    {"profile", "-p"},
    {"shared", "-shared"},
    {"specs", "-specs="},
    {"static", "-static"},
    {"static-pie", "-static-pie"},
    {"std", "-std="},
    {"symbolic", "-symbolic"},
    {"trace-includes", "-H"},
    {"traditional", "-traditional"},
    {"traditional-cpp", "-traditional-cpp"},
    {"trigraphs", "-trigraphs"},
    {"undefine-macro", "-U"},
    {"user-dependencies", "-MM"},
    {"warn-", "-W"},
    {"write-dependencies", "-MD"},
    {"write-user-dependencies", "-MMD"},
};

const char *usual_option(Arena *arena, const char *word) {
    if (strncmp(word, "--", 2) != 0) return word;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t length = strlen(names[i].name);
        const char *rest = word + 2 + length;
        if (strncmp(word + 2, names[i].name, length) != 0) continue;
        if (!*rest) return names[i].usual;
        if (*rest == '=') return arena_printf(arena, "%s%s", names[i].usual, rest + 1);
        if (names[i].name[length - 1] == '-')
            return arena_printf(arena, "%s%s", names[i].usual, rest);
    }
    return word;
}

const char *long_option_at(uint32_t index) {
    return index < sizeof names / sizeof *names ? names[index].name : NULL;
}
