#include "gatecc/dependency_rule.h"

#include "gatecc/options/inputs.h"
#include "gatecc/options/make_quote.h"
#include "system/output_file.h"

#include <string.h>

enum { LONGEST_LINE = 72 }; // as gcc has it

// Text that make reads as one name; `column` is where the line has got to.
static void print_name(Out *out, const char *quoted, size_t *column) {
    size_t length = strlen(quoted);
    if (*column) {
        bool full = *column + length > LONGEST_LINE;
        if (full) out_text(out, " \\\n");
        out_char(out, ' ');
        *column = full ? 1 : *column + 1;
    }
    out_text(out, quoted);
    *column += length;
}

static const char *plain_path(const char *path) {
    while (path[0] == '.' && path[1] == '/') {
        path += 2;
        while (*path == '/') path++;
    }
    return path;
}

// What is made of the input, as far as the command tells: preprocessed text is not what make wants
// to have.
const char *dependency_target(Arena *arena, const GateccOptions *options, const char *input) {
    bool made = options->output && options->mode >= MODE_ASSEMBLY;
    return made ? options->output : name_with_ending(arena, input, ".o");
}

// One rule for make: the targets depend on the files that were read.
static void print_dependencies(Pp *pp, Arena *arena, const GateccOptions *options,
                               const char *input, Out *out) {
    uint32_t count;
    const Dependency *files = pp_dependencies(pp, &count);
    size_t column = 0;
    for (uint32_t i = 0; i < options->targets.count; i++)
        print_name(out, options->targets.at[i], &column);
    if (!options->targets.count)
        print_name(out, make_quoted(arena, dependency_target(arena, options, input)), &column);
    out_char(out, ':');
    column++;
    for (uint32_t i = 0; i < count; i++)
        if (!files[i].system || !options->dependencies_skip_system)
            print_name(out, make_quoted(arena, plain_path(files[i].path)), &column);
    out_char(out, '\n');
    for (uint32_t i = 1; options->dependencies_phony && i < count; i++)
        if (!files[i].system || !options->dependencies_skip_system)
            out_printf(out, "%s:\n", make_quoted(arena, plain_path(files[i].path)));
}

// Where gcc puts it, too: beside the output; if several files are linked at once, with their names
// in it.
const char *dependency_file(Arena *arena, const GateccOptions *options, const char *input) {
    if (options->dependency_file) return options->dependency_file;
    if (options->mode == MODE_DEPENDENCIES) return options->output;
    if (options->mode != MODE_LINK)
        return options->output ? path_with_ending(arena, options->output, ".d")
                               : name_with_ending(arena, input, ".d");
    const char *program = options->output ? options->output : "a.out";
    if (options->output && options->inputs.count == 1)
        return path_with_ending(arena, program, ".d");
    return arena_printf(arena, "%s-%s", path_with_ending(arena, program, ""),
                        name_with_ending(arena, input, ".d"));
}

bool write_dependencies(Pp *pp, Arena *arena, const GateccOptions *options, const char *input) {
    Out out = {0};
    print_dependencies(pp, arena, options, input, &out);
    return output_write(arena, &out, dependency_file(arena, options, input));
}
