// gatecc: the compiler's driver.
#include "driver/certify.h"
#include "driver/gatecc_options.h"
#include "driver/inline_plan.h"
#include "driver/transforms.h"
#include "ir/text.h"

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
    Arena *arena = options->compile.pp.arena;
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
        path =
            object_name(options->compile.pp.arena, options->output ? options->output : input, ".d");
    bool good = write_output(&out, path);
    out_free(&out);
    return good;
}

// ---- One input

static bool preprocess(const GateccOptions *options, const char *input) {
    Pp *pp = pp_new(&options->compile.pp);
    bool good = pp_open(pp, input);
    Out out = {0};
    if (good) pp_print(pp, &out, !options->no_line_markers);
    if (options->dump_macros || options->mode == MODE_DEPENDENCIES) out.length = 0;
    if (options->dump_macros) pp_print_macros(pp, &out);
    good = good && !options->compile.pp.diag->errors;
    if (options->mode == MODE_PREPROCESS) good = write_output(&out, options->output) && good;
    if (options->dependencies && good) good = write_dependencies(pp, options, input);
    out_free(&out);
    pp_free(pp);
    return good;
}

typedef struct {
    const GateccOptions *options;
    const char *input;
    bool good;
} DependencyUse;

static void dependencies_after(void *context, Pp *pp) {
    DependencyUse *use = context;
    if (use->options->dependencies) use->good = write_dependencies(pp, use->options, use->input);
}

// Takes a program through the pipeline, which changes it, and writes down what happens.
static bool write_certificate(const GateccOptions *options, Arena *arena, Diag *diag,
                              const char *input, Program *program) {
    Pipeline pipeline;
    pipeline_init(&pipeline, arena, transform_table, diag);
    pipeline.plan = plan_inlining;
    Certifier *certifier = certifier_new(arena, program, input, &pipeline);
    pipeline_run_program(&pipeline, program);
    pipeline_free(&pipeline);
    Out *out = certifier_finish(certifier);
    bool good = write_output(out, options->certificate);
    out_free(out);
    return good && !diag->errors;
}

// Compiles to RTL, which is verified in any case and printed if that was asked for.
static bool compile(const GateccOptions *options, Arena *arena, Diag *diag, const char *input) {
    DependencyUse use = {.options = options, .input = input, .good = true};
    CompileOptions compile = options->compile;
    compile.after = dependencies_after;
    compile.context = &use;
    Program *program = compile_c(arena, diag, input, &compile);
    if (!program || !use.good) return false;
    bool good = true;
    if (options->mode == MODE_EMIT) {
        Out out = {0};
        program_print(&out, program, &(PrintOptions){.locations = options->locations});
        const char *path = options->output ? options->output : object_name(arena, input, ".rtl");
        good = write_output(&out, path);
        out_free(&out);
    }
    if (options->certificate)
        good = write_certificate(options, arena, diag, input, program) && good;
    return good;
}

static bool one_input(GateccOptions *options, const char *input) {
    Arena *arena = arena_new("program");
    Diag diag;
    StrTable strings;
    diag_init(&diag, arena, stderr);
    diag.error_limit = options->error_limit;
    diag.warnings_are_errors = options->compile.warnings.all_errors;
    str_init(&strings, arena);
    PpOptions *pp = &options->compile.pp;
    pp->diag = &diag;
    pp->warnings = &options->compile.warnings;
    bool good;
    if (options->mode == MODE_SYNTAX || options->mode == MODE_EMIT) {
        good = compile(options, arena, &diag, input);
    } else {
        pp->arena = arena;
        pp->strings = &strings;
        pp->keep_lines = true;
        pp->standard = options->compile.standard;
        good = preprocess(options, input);
    }
    diag_free(&diag);
    arena_free(arena);
    return good;
}

static const char help[] =
    "usage: gatecc [OPTIONS] FILE...\n"
    "\n"
    "There is no code generator yet. What gatecc does with C files:\n"
    "  -E                     preprocess (-P without line markers, -dM macros only)\n"
    "  -M -MM -MD -MMD        dependencies for make (-MF -MT -MQ -MP)\n"
    "  -fsyntax-only          parse, lower to RTL and verify\n"
    "  --emit=rtl             the same, and write FILE.rtl (--locations with places)\n"
    "\n"
    "With -fsyntax-only or --emit:\n"
    "  --certificate=FILE     write what every pass did, for gatecheck\n"
    "\n"
    "options:\n"
    "  -o FILE                write there; - is standard output\n"
    "  -D -U -include -imacros -I -iquote -isystem -idirafter -nostdinc -undef -std=\n"
    "  -W... -w -pedantic     warnings; -Werror makes them errors\n"
    "  -ferror-limit=N        stop showing errors after N (0: never; default 20)\n"
    "  --help, --version\n"
    "\n"
    "exit status: 0 good, 1 mistakes in the input, 2 usage\n";

// Whether the command line asks for help or the version, which is given.
static bool asked(int argc, char **argv) {
    if (argc != 2) return false;
    if (strcmp(argv[1], "--help") == 0)
        fputs(help, stdout);
    else if (strcmp(argv[1], "--version") == 0)
        puts("gatecc 0.1");
    else
        return false;
    if (fflush(stdout) != 0) fatal("cannot write output: %s", strerror(errno));
    return true;
}

static int all_inputs(GateccOptions *options) {
    if (options->mode == MODE_NONE) {
        fprintf(stderr, "gatecc: error: there is no code generator yet; what works is -E, -M, "
                        "-fsyntax-only and --emit=rtl\n");
        return EXIT_USAGE;
    }
    if (options->certificate && options->inputs.count > 1) {
        fprintf(stderr, "gatecc: error: --certificate is for one input, not several\n");
        return EXIT_USAGE;
    }
    bool good = true;
    for (uint32_t i = 0; i < options->inputs.count; i++)
        good = one_input(options, options->inputs.at[i]) && good;
    return good ? EXIT_GOOD : EXIT_BAD;
}

int main(int argc, char **argv) {
    if (asked(argc, argv)) return EXIT_GOOD;
    Arena *arena = arena_new("options");
    GateccOptions options;
    gatecc_defaults(&options);
    int status = EXIT_USAGE;
    if (gatecc_options(&options, arena, argc, argv)) status = all_inputs(&options);
    arena_free(arena);
    return status;
}
