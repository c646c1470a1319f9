#include "driver/gatecc_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "driver/known_options.h"

// ---- Environment

// The directories of an environment variable, searched after those of the same kind on the command line. An empty
// one is the working directory.
static void read_directories(GateccOptions *options, Arena *arena, const char *variable,
                             DirKind kind) {
    const char *list = getenv(variable);
    if (!list || !*list) return;
    for (size_t length;; list += length + 1) {
        length = strcspn(list, ":");
        const char *path = length ? arena_text(arena, list, length) : ".";
        vec_push(arena, &options->compile.pp.dirs, (struct SearchDir){.path = path, .kind = kind});
        if (!list[length]) return;
    }
}

// ---- Options that nobody knows

// The words about another language are gcc's, which CMake and Meson look for.
static void complain_of_ignored(const char *option, bool error) {
    const char *kind = error ? "error" : "warning";
    const char *end = error ? " [-Werror]" : "";
    if (option_is_foreign(option))
        fprintf(stderr,
                "gatecc: %s: command-line option '%s' is valid for C++/ObjC++ but not for C%s\n",
                kind, option, end);
    else
        fprintf(stderr, "gatecc: %s: %sunknown option '%s'%s\n", kind, error ? "" : "ignoring ",
                option, end);
}

static bool report_ignored(const GateccOptions *options) {
    const WarningSet *warnings = &options->compile.warnings;
    if (warnings->none) return true;
    for (uint32_t i = 0; i < options->ignored.count; i++) {
        bool again = false;
        for (uint32_t j = 0; j < i && !again; j++)
            again = strcmp(options->ignored.at[i], options->ignored.at[j]) == 0;
        if (!again) complain_of_ignored(options->ignored.at[i], warnings->all_errors);
    }
    return !options->ignored.count || !warnings->all_errors;
}

// ---- Sense

static bool complain(const char *message) {
    fprintf(stderr, "gatecc: error: %s\n", message);
    return false;
}

static bool overwrites_input(const GateccOptions *options) {
    struct stat info;
    if (!options->output || stat(options->output, &info) != 0 || !S_ISREG(info.st_mode))
        return false;
    for (uint32_t i = 0; i < options->inputs.count; i++)
        if (strcmp(options->inputs.at[i].path, options->output) == 0) return true;
    return false;
}

// Whether the command makes sense as a whole.
static bool is_sensible(const GateccOptions *options) {
    uint32_t compiled = 0, in_c = 0;
    for (uint32_t i = 0; i < options->inputs.count; i++) {
        compiled += options->inputs.at[i].language < LANGUAGE_OBJECT;
        in_c += options->inputs.at[i].language <= LANGUAGE_HEADER;
    }
    if (!options->inputs.count && !options->something_to_link)
        return options->verbose || options->dry || complain("no input files");
    if (options->output && compiled > 1 && options->mode != MODE_LINK)
        return complain("-o is for one file, and there are several");
    if (overwrites_input(options)) return complain("-o names an input");
    if (options->certificate && in_c != 1)
        return complain("--certificate is for one C file, no more and no less");
    if (options->guessed_standard_input && options->mode >= MODE_ASSEMBLY)
        return complain("standard input needs -x LANGUAGE or -E to tell what it is");
    return true;
}

bool gatecc_command(GateccOptions *options, Arena *arena, const Words *words) {
    if (!gatecc_options(options, arena, words)) return false;
    if (options->question != QUESTION_NONE) return true;
    read_directories(options, arena, "CPATH", DIR_BRACKET);
    read_directories(options, arena, "C_INCLUDE_PATH", DIR_SYSTEM);
    return report_ignored(options) && is_sensible(options);
}
