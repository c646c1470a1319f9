// gatecc: the compiler's driver.
#include "driver/gatecc_options.h"

#include <errno.h>
#include <string.h>

enum { EXIT_GOOD = 0, EXIT_BAD = 1, EXIT_USAGE = 2 };

// ---- Output

// Writes to the file, or to standard output where it is NULL or "-".
static bool write_output(Out *out, const char *path) {
    if (!path || strcmp(path, "-") == 0) {
        if (out->length) out_flush(out, stdout);
        return true;
    }
    if (out_commit(out, path)) return true;
    fprintf(stderr, "gatecc: error: cannot write '%s': %s\n", path, strerror(errno));
    return false;
}

// The name of the input's object file in the working directory, or with another ending.
static const char *object_name(Arena *arena, const char *input, const char *ending) {
    const char *slash = strrchr(input, '/');
    const char *base = slash ? slash + 1 : input;
    const char *dot = strrchr(base, '.');
    size_t length = dot ? (size_t)(dot - base) : strlen(base);
    return arena_printf(arena, "%.*s%s", (int)length, base, ending);
}

static void print_name(Out *out, Arena *arena, const char *name, size_t *column) {
    const char *quoted = make_quoted(arena, name);
    size_t length = strlen(quoted);
    if (*column && *column + length > 76) {
        out_text(out, " \\\n ");
        *column = 1;
    }
    if (*column) out_char(out, ' ');
    out_text(out, quoted);
    *column += length + 1;
}

static const char *plain_path(const char *path) {
    while (path[0] == '.' && path[1] == '/') {
        path += 2;
        while (*path == '/') path++;
    }
    return path;
}

// One rule for make: the targets depend on the files that were read.
static void print_dependencies(Pp *pp, const GateccOptions *options, const char *input, Out *out) {
    Arena *arena = options->pp.arena;
    uint32_t count;
    const Dependency *files = pp_dependencies(pp, &count);
    for (uint32_t i = 0; i < options->targets.count; i++)
        out_printf(out, "%s%s", i ? " " : "", options->targets.at[i]);
    if (!options->targets.count) out_text(out, make_quoted(arena, object_name(arena, input, ".o")));
    out_char(out, ':');
    size_t column = out->length;
    for (uint32_t i = 0; i < count; i++)
        if (!files[i].system || !options->dependencies_skip_system)
            print_name(out, arena, plain_path(files[i].path), &column);
    out_char(out, '\n');
    for (uint32_t i = 1; options->dependencies_phony && i < count; i++)
        if (!files[i].system || !options->dependencies_skip_system)
            out_printf(out, "%s:\n", make_quoted(arena, plain_path(files[i].path)));
}

static bool write_dependencies(Pp *pp, const GateccOptions *options, const char *input) {
    Out out = {0};
    print_dependencies(pp, options, input, &out);
    const char *path = options->dependency_file;
    if (!path && options->mode == MODE_DEPENDENCIES)
        path = options->output;
    else if (!path)
        path = object_name(options->pp.arena, options->output ? options->output : input, ".d");
    bool good = write_output(&out, path);
    out_free(&out);
    return good;
}

// ---- One input

static bool preprocess(const GateccOptions *options, const char *input) {
    Pp *pp = pp_new(&options->pp);
    bool good = pp_open(pp, input);
    Out out = {0};
    if (good) pp_print(pp, &out, !options->no_line_markers);
    if (options->dump_macros || options->mode == MODE_DEPENDENCIES) out.length = 0;
    if (options->dump_macros) pp_print_macros(pp, &out);
    good = good && !options->pp.diag->errors;
    if (options->mode == MODE_PREPROCESS) good = write_output(&out, options->output) && good;
    if (options->dependencies && good) good = write_dependencies(pp, options, input);
    out_free(&out);
    pp_free(pp);
    return good;
}

static bool no_warnings(void *context, const char *option) {
    (void)context;
    (void)option;
    return false;
}

int main(int argc, char **argv) {
    Arena *arena = arena_new("program");
    GateccOptions options = {0};
    if (!gatecc_options(&options, arena, argc, argv)) return EXIT_USAGE;
    if (options.mode == MODE_NONE) {
        fprintf(stderr, "gatecc: error: only -E, -M and -MM are supported so far\n");
        return EXIT_USAGE;
    }
    bool good = true;
    for (uint32_t i = 0; i < options.inputs.count; i++) {
        Diag diag;
        StrTable strings;
        diag_init(&diag, arena, stderr);
        diag.warnings_are_errors = options.warnings_are_errors;
        str_init(&strings, arena);
        options.pp.arena = arena;
        options.pp.diag = &diag;
        options.pp.strings = &strings;
        options.pp.keep_lines = true;
        if (options.no_warnings) options.pp.wants_warning = no_warnings;
        good = preprocess(&options, options.inputs.at[i]) && good;
        diag_free(&diag);
    }
    arena_free(arena);
    return good ? EXIT_GOOD : EXIT_BAD;
}
