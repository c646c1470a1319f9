#include "gatecc/options/profile_options.h"

#include <regex.h>
#include <stdio.h>
#include <string.h>

// The value of NAME=VALUE if that is the option; NULL otherwise.
static const char *value_of(const char *text, const char *name) {
    size_t length = strlen(name);
    return strncmp(text, name, length) == 0 && text[length] == '=' ? text + length + 1 : NULL;
}

static bool on_update(ProfileOptions *options, const char *how) {
    options->coverage.atomic = strcmp(how, "atomic") == 0;
    options->prefers_atomic = strcmp(how, "prefer-atomic") == 0;
    if (options->coverage.atomic || options->prefers_atomic || strcmp(how, "single") == 0)
        return true;
    fprintf(stderr,
            "gatecc: error: unknown profile update method '%s' (single, atomic, prefer-atomic)\n",
            how);
    return false;
}

// Regular expressions with semicolons between them.
static bool on_files(Arena *arena, CoveragePatterns *patterns, const char *option,
                     const char *list) {
    for (size_t length; *list; list += length + (list[length] == ';')) {
        length = strcspn(list, ";");
        if (!length) continue;
        const char *pattern = arena_text(arena, list, length);
        regex_t regex;
        if (regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB) != 0) {
            fprintf(stderr, "gatecc: error: invalid regular expression '%s' in '%s'\n", pattern,
                    option);
            return false;
        }
        regfree(&regex);
        vec_push(arena, patterns, pattern);
    }
    return true;
}

// -finstrument-functions-exclude-...=: parts of names with commas between them, in which a comma is
// written \\,.
static bool on_parts(Arena *arena, NameParts *parts, const char *list) {
    while (*list) {
        Out part = {0};
        for (; *list && *list != ','; list++) {
            if (list[0] == '\\' && list[1] == ',') list++;
            out_char(&part, *list);
        }
        if (part.length) vec_push(arena, parts, arena_text(arena, part.text, part.length));
        out_free(&part);
        if (*list) list++;
    }
    return true;
}

// Options that a word switches on or off.
static bool switch_option(ProfileOptions *options, const char *name, bool on) {
    CoverageOptions *coverage = &options->coverage;
    if (strcmp(name, "profile-arcs") == 0 || strcmp(name, "profile-generate") == 0)
        coverage->counts = on;
    else if (strcmp(name, "test-coverage") == 0)
        coverage->notes = on;
    else if (strcmp(name, "profile-use") == 0 || strcmp(name, "branch-probabilities") == 0)
        coverage->uses = on;
    else if (strcmp(name, "profile-abs-path") == 0)
        coverage->absolute = on;
    else if (strcmp(name, "instrument-functions") == 0)
        options->instrument.functions = on;
    else if (strcmp(name, "profile") == 0)
        options->entry_calls = on;
    else
        return false;
    return true;
}

static bool value_option(ProfileOptions *options, Arena *arena, const char *text) {
    CoverageOptions *coverage = &options->coverage;
    const char *value;
    if ((value = value_of(text, "-fprofile-update"))) return on_update(options, value);
    if ((value = value_of(text, "-fprofile-filter-files")))
        return on_files(arena, &coverage->only, "-fprofile-filter-files", value);
    if ((value = value_of(text, "-fprofile-exclude-files")))
        return on_files(arena, &coverage->never, "-fprofile-exclude-files", value);
    if ((value = value_of(text, "-finstrument-functions-exclude-file-list")))
        return on_parts(arena, &options->instrument.not_files, value);
    if ((value = value_of(text, "-finstrument-functions-exclude-function-list")))
        return on_parts(arena, &options->instrument.not_functions, value);
    if ((value = value_of(text, "-fprofile-dir"))) options->directory = value;
    if ((value = value_of(text, "-fprofile-prefix-path"))) options->prefix = value;
    if ((value = value_of(text, "-fprofile-note"))) options->note = value;
    if ((value = value_of(text, "-fprofile-use"))) {
        options->used = value;
        coverage->uses = true;
    }
    if ((value = value_of(text, "-fprofile-generate"))) {
        options->directory = value;
        coverage->counts = true;
    }
    return true;
}

bool profile_option(ProfileOptions *options, Arena *arena, const char *text) {
    if (strcmp(text, "--coverage") == 0 || strcmp(text, "-coverage") == 0) {
        options->coverage.counts = options->coverage.notes = true;
        return true;
    }
    if (strcmp(text, "-pg") == 0 || strcmp(text, "-p") == 0) return options->entry_calls = true;
    if (strchr(text, '=')) return value_option(options, arena, text);
    bool off = strncmp(text + 2, "no-", 3) == 0;
    return switch_option(options, text + (off ? 5 : 2), !off);
}
