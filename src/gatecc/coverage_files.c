// Files are named as gcc 12 names them: notes and data after the object, both beside it; where a
// program is linked at once, after program and source. With -fprofile-dir= the data file has the
// whole path of the object in its name.
#include "gatecc/coverage_files.h"

#include "gatecc/options/inputs.h"
#include "gatecc/toolchain.h"
#include "system/output_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// What the names of files beside an object start with.
static const char *stem_of(Arena *arena, const GateccOptions *options, const char *input) {
    const ProfileOptions *profile = &options->profile;
    if (!profile->dump_base && !profile->dump_directory)
        return kept_path(arena, options, input, "");
    const char *base = profile->dump_base && *profile->dump_base ? profile->dump_base : input;
    const char *ending = profile->dump_ending ? profile->dump_ending : "";
    size_t length = strlen(base), tail = strlen(ending);
    bool ends = tail && length > tail && strcmp(base + length - tail, ending) == 0;
    const char *name = ends ? arena_text(arena, base, length - tail) : base;
    if (strchr(name, '/')) return name;
    const char *directory = profile->dump_directory ? profile->dump_directory : "";
    return arena_printf(arena, "%s%s", directory, name);
}

// A path as one name: # for /, nothing for ".", ^ for "..".
static const char *mangled(Arena *arena, const char *path) {
    Out out = {0};
    while (*path) {
        size_t length = strcspn(path, "/");
        if (length == 2 && strncmp(path, "..", 2) == 0)
            out_char(&out, '^');
        else if (!(length == 1 && *path == '.'))
            out_bytes(&out, path, length);
        bool dropped = length == 1 && *path == '.';
        path += length;
        if (*path && !dropped) out_char(&out, '#');
        if (*path) path++;
    }
    const char *name = arena_text(arena, out.text ? out.text : "", out.length);
    out_free(&out);
    return name;
}

// Without the start that -fprofile-prefix-path= names.
static const char *without_prefix(const ProfileOptions *profile, const char *path) {
    if (!profile->prefix) return path;
    size_t length = strlen(profile->prefix);
    if (strncmp(path, profile->prefix, length) != 0) {
        fprintf(stderr, "gatecc: warning: filename '%s' does not start with profile prefix '%s'\n",
                path, profile->prefix);
        return path;
    }
    path += length;
    while (*path == '/') path++;
    return path;
}

// The file of counts of a unit; `into` is the directory that was asked for, or NULL.
static const char *data_file(Arena *arena, const ProfileOptions *profile, const char *into,
                             const char *directory, const char *stem) {
    bool absolute = stem[0] == '/';
    const char *path = absolute ? stem : arena_printf(arena, "%s/%s", directory, stem);
    if (!into) return arena_printf(arena, "%s.gcda", path);
    if (!absolute) path = mangled(arena, without_prefix(profile, path));
    return arena_printf(arena, "%s/%s.gcda", into, path);
}

// The counts that advise: beside the object, in a directory, or in a file that is named.
static const char *counts_file(Arena *arena, const ProfileOptions *profile, const char *directory,
                               const char *stem) {
    struct stat found;
    if (profile->used && stat(profile->used, &found) == 0 && S_ISREG(found.st_mode))
        return profile->used;
    return data_file(arena, profile, profile->used ? profile->used : profile->directory, directory,
                     stem);
}

// The version of the files that the system's libgcov knows: that of its compiler, as 'B22*'.
static bool find_version(Arena *arena, uint32_t *version) {
    const char *compiler = system_compiler(arena);
    if (!compiler) return false;
    Words command = {0};
    words_add(arena, &command, compiler);
    words_add(arena, &command, "-dumpfullversion");
    Out line = {0};
    words_print(&line, &command);
    FILE *answer = popen(arena_text(arena, line.text, line.length), "r");
    out_free(&line);
    unsigned major = 0, minor = 0;
    int count = answer ? fscanf(answer, "%u.%u", &major, &minor) : 0;
    if (answer) pclose(answer);
    if (count == 2 && (major == 12 || major == 13)) {
        *version = ('A' + major / 10) << 24 | ('0' + major % 10) << 16 | ('0' + minor) << 8 | '*';
        return true;
    }
    fprintf(stderr,
            "gatecc: error: counting needs the libgcov of gcc 12 or 13, which '%s' does not have\n",
            compiler);
    return false;
}

bool coverage_files_begin(CoverageData *coverage, Arena *arena, const GateccOptions *options,
                          const Input *input) {
    const ProfileOptions *profile = &options->profile;
    *coverage = (CoverageData){.arena = arena, .options = profile->coverage};
    if (profile->prefers_atomic) coverage->options.atomic = profile->threads;
    char *here = getcwd(NULL, 0);
    coverage->directory = here ? arena_text(arena, here, strlen(here)) : ".";
    free(here);
    const char *stem = stem_of(arena, options, input->path);
    if (coverage->options.uses)
        coverage->counts_file = counts_file(arena, profile, coverage->directory, stem);
    if (!coverage->options.counts && !coverage->options.notes) return true;
    coverage->data_file = data_file(arena, profile, profile->directory, coverage->directory, stem);
    return find_version(arena, &coverage->version);
}

// The same notes have the same stamp: old counts would be taken for those of the new program.
static void remove_counts(const CoverageData *coverage) {
    if (coverage->options.counts && coverage->options.notes) unlink(coverage->data_file);
}

bool coverage_files_end(const CoverageData *coverage, Arena *arena, const GateccOptions *options,
                        const Input *input) {
    if (!coverage->options.notes) return true;
    Out notes = {0};
    coverage_print_notes(coverage, &notes);
    const char *path = options->profile.note;
    if (!path) path = arena_printf(arena, "%s.gcno", stem_of(arena, options, input->path));
    remove_counts(coverage);
    return output_write(arena, &notes, path);
}
