#include "gatecc/options/certified_options.h"

#include "base/deep_stack.h"

#include <string.h>

// ---- The source

typedef struct {
    PpOptions options;
    const char *path;
    Out text;
} SecondReading;

static void read_again(void *context) {
    SecondReading *reading = context;
    Pp *pp = pp_new(&reading->options);
    if (pp_open(pp, reading->path)) pp_print(pp, &reading->text, false);
    pp_free(pp);
}

Digest source_digest(Pp *pp, const CompileOptions *options) {
    const CFile *file = pp_main_file(pp);
    Arena *arena = arena_new("source");
    StrTable strings;
    Diag diag;
    str_init(&strings, arena);
    diag_init(&diag, arena, NULL); // whatever there is to say has been said
    SecondReading reading = {.options = options->pp, .path = file->path};
    reading.options.arena = arena;
    reading.options.strings = &strings;
    reading.options.diag = &diag;
    reading.options.warnings = &options->warnings;
    reading.options.keep_lines = true;
    reading.options.keep_comments = reading.options.keep_includes = false;
    reading.options.show_includes = false;
    reading.options.definitions = DEFINITIONS_DROPPED;
    reading.options.main_text = file->text;
    reading.options.main_length = file->length;
    if (!reading.options.standard) reading.options.standard = options->standard;
    stack_run(read_again, &reading);
    Digest digest = sha256_of(reading.text.text, reading.text.length);
    out_free(&reading.text);
    diag_free(&diag);
    arena_free(arena);
    return digest;
}

// ---- The options

// How options start that can change the code. Of the others some change what the preprocessor makes
// of the source, which has a digest of its own, and the rest is about messages, files and the
// linker.
static const char *const matter[] = {
    "-O", "-f",         "-m",      "-std=", "-ansi",       "-g",
    "-p", "--coverage", "--param", "-Wa,",  "-Xassembler", "--plain"};
static const char *const do_not[] = {"-fdiagnostics-",
                                     "-fno-diagnostics-",
                                     "-fmessage-length=",
                                     "-fmax-errors=",
                                     "-ferror-limit=",
                                     "-fopt-info",
                                     "-fsyntax-only",
                                     "-fcolor-",
                                     "-fno-color-",
                                     "-fdebug-prefix-map",
                                     "-ffile-prefix-map=",
                                     "-fmacro-prefix-map=",
                                     "-pedantic",
                                     "-pipe",
                                     "-print-",
                                     "-pthread",
                                     "-pie"};

static bool starts_with_one(const char *word, const char *const *starts, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strncmp(word, starts[i], strlen(starts[i])) == 0) return true;
    return false;
}

void note_option(Arena *arena, Words *words, const char *option, const char *argument) {
    if (!starts_with_one(option, matter, sizeof matter / sizeof *matter) ||
        starts_with_one(option, do_not, sizeof do_not / sizeof *do_not))
        return;
    words_add(arena, words, option);
    if (argument) words_add(arena, words, argument);
}

const char *options_that_matter(Arena *arena, const Words *words) {
    Words kept = {0};
    words_add(arena, &kept, "-O1");
    for (uint32_t i = 0; i < words->count; i++)
        if (strncmp(words->at[i], "-O", 2) == 0)
            kept.at[0] = words->at[i];
        else
            words_add(arena, &kept, words->at[i]);
    Out line = {0};
    words_print(&line, &kept);
    const char *text = arena_text(arena, line.text, line.length);
    out_free(&line);
    return text;
}
