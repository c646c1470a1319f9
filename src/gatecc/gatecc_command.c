#include "gatecc/gatecc_command.h"

#include "gatecc/options/missing_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// ---- Environment

// The directories of an environment variable, searched after those of the same kind on the command
// line. An empty one is the working directory.
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

// ---- Options that nobody knows, or that are not for C

// In gcc's words, in which build systems recognize that an option does not work.
static bool report_unknown(const GateccOptions *options, Arena *arena) {
    const Words *unknown = &options->unknown;
    for (uint32_t i = 0; i < unknown->count; i++) {
        bool again = false;
        for (uint32_t k = 0; k < i && !again; k++)
            again = strcmp(unknown->at[k], unknown->at[i]) == 0;
        if (again) continue;
        const char *nearest =
            option_nearest(arena, options->compile.pp.target->language, unknown->at[i]);
        fprintf(stderr, "gatecc: error: unrecognized command-line option '%s'%s%s%s\n",
                unknown->at[i], nearest ? "; did you mean '" : "", nearest ? nearest : "",
                nearest ? "'?" : "");
    }
    return unknown->count == 0;
}

static bool reads_c(const GateccOptions *options) {
    for (uint32_t i = 0; i < options->inputs.count; i++)
        if (options->inputs.at[i].language <= LANGUAGE_HEADER) return true;
    return false;
}

// In gcc's words, which build systems look for.
static bool report_foreign(const GateccOptions *options) {
    const WarningSet *warnings = &options->compile.warnings;
    if (warnings->none || !reads_c(options)) return true;
    for (uint32_t i = 0; i < options->foreign.count; i++)
        fprintf(stderr, "gatecc: %s: command-line option '%s' is valid for %s but not for C%s\n",
                warnings->all_errors ? "error" : "warning", options->foreign.at[i],
                option_language(options->foreign.at[i]), warnings->all_errors ? " [-Werror]" : "");
    return !options->foreign.count || !warnings->all_errors;
}

// ---- Sense

static bool command_error(const char *message) {
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
        return options->verbose || options->dry || command_error("no input files");
    if (options->output && compiled > 1 && options->mode != MODE_LINK)
        return command_error("-o is for one file, and there are several");
    if (overwrites_input(options)) return command_error("-o names an input");
    const char *mistake = gatecc_entry_call(options).mistake;
    if (mistake) return command_error(mistake);
    if (options->certificate && in_c != 1)
        return command_error("--certificate is for one C file, no more and no less");
    if (options->guessed_standard_input && options->mode >= MODE_ASSEMBLY)
        return command_error("standard input needs -x LANGUAGE or -E to tell what it is");
    return true;
}

bool gatecc_command(GateccOptions *options, Arena *arena, const Words *words) {
    if (!gatecc_options(options, arena, words)) return false;
    if (options->question != QUESTION_NONE) return true;
    options->compile.pp.inlines = options->level > 0 && !options->no_inline;
    options->compile.pp.optimize = (uint8_t)options->level;
    read_directories(options, arena, "CPATH", DIR_BRACKET);
    read_directories(options, arena, "C_INCLUDE_PATH", DIR_SYSTEM);
    return report_unknown(options, arena) && is_sensible(options) && report_foreign(options) &&
           code_settle(&options->code, &options->compile, options->pic, options->debug);
}
