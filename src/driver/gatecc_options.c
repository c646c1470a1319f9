// The command line of gatecc: one table of options, each with what to do with its argument.
#include "driver/gatecc_options.h"

#include <stdio.h>
#include <string.h>

// How an option takes its argument.
typedef enum {
    ARGUMENT_NONE,     // -E
    ARGUMENT_JOINED,   // -std=gnu17
    ARGUMENT_EITHER,   // -Idir or -I dir
    ARGUMENT_SEPARATE, // -include file
} ArgumentForm;

typedef struct {
    GateccOptions *options;
    Arena *arena;
    const char *name;
    const char *argument; // NULL if the option has none
} OptionUse;

typedef struct {
    const char *name;
    ArgumentForm form;
    bool (*handle)(OptionUse *use); // false after a message
} OptionRow;

static bool complain(const char *format, const char *what) {
    fprintf(stderr, "gatecc: error: ");
    fprintf(stderr, format, what);
    fputc('\n', stderr);
    return false;
}

const char *make_quoted(Arena *arena, const char *text) {
    Out out = {0};
    for (const char *p = text; *p; p++) {
        if (*p == ' ' || *p == '\t') {
            // make takes backslashes before a blank in pairs.
            for (const char *q = p; q > text && q[-1] == '\\'; q--) out_char(&out, '\\');
            out_char(&out, '\\');
        } else if (*p == '$') {
            out_char(&out, '$');
        } else if (*p == '#') {
            out_char(&out, '\\');
        }
        out_char(&out, *p);
    }
    const char *quoted = arena_text(arena, out.text, out.length);
    out_free(&out);
    return quoted;
}

// ---- What the options do

static bool on_preprocess(OptionUse *use) {
    if (use->options->mode == MODE_NONE) use->options->mode = MODE_PREPROCESS;
    return true;
}

static bool on_no_markers(OptionUse *use) {
    return use->options->no_line_markers = true;
}

static bool on_dump_macros(OptionUse *use) {
    return use->options->dump_macros = true;
}

static bool on_output(OptionUse *use) {
    use->options->output = use->argument;
    return true;
}

// -M, -MM, -MD, -MMD.
static bool on_dependencies(OptionUse *use) {
    GateccOptions *options = use->options;
    options->dependencies = true;
    if (!strchr(use->name, 'D')) options->mode = MODE_DEPENDENCIES;
    if (strncmp(use->name, "-MM", 3) == 0) options->dependencies_skip_system = true;
    return true;
}

static bool on_phony(OptionUse *use) {
    return use->options->dependencies_phony = true;
}

static bool on_dependency_file(OptionUse *use) {
    use->options->dependency_file = use->argument;
    return true;
}

static bool on_target(OptionUse *use) {
    bool quote = use->name[2] == 'Q';
    vec_push(use->arena, &use->options->targets,
             quote ? make_quoted(use->arena, use->argument) : use->argument);
    return true;
}

static bool on_directory(OptionUse *use) {
    static const struct {
        const char *name;
        DirKind kind;
    } kinds[] = {{"-I", DIR_BRACKET},
                 {"-iquote", DIR_QUOTE},
                 {"-isystem", DIR_SYSTEM},
                 {"-idirafter", DIR_AFTER}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(use->name, kinds[i].name) == 0)
            vec_push(use->arena, &use->options->pp.dirs,
                     (struct SearchDir){.path = use->argument, .kind = kinds[i].kind});
    return true;
}

static bool on_macro(OptionUse *use) {
    vec_push(use->arena, &use->options->pp.macros,
             (struct CommandMacro){.text = use->argument, .undefine = use->name[1] == 'U'});
    return true;
}

static bool on_include(OptionUse *use) {
    vec_push(use->arena, &use->options->pp.includes, use->argument);
    return true;
}

static bool on_imacros(OptionUse *use) {
    vec_push(use->arena, &use->options->pp.imacros, use->argument);
    return true;
}

static bool on_no_standard(OptionUse *use) {
    return use->options->pp.no_standard_dirs = true;
}

static bool on_undef(OptionUse *use) {
    return use->options->pp.no_predefined = true;
}

static bool on_standard(OptionUse *use) {
    use->options->pp.standard = use->argument;
    return true;
}

static bool on_ansi(OptionUse *use) {
    use->options->pp.standard = "c90";
    return true;
}

static bool on_pedantic(OptionUse *use) {
    return use->options->pp.pedantic = true;
}

static bool on_no_warnings(OptionUse *use) {
    return use->options->no_warnings = true;
}

static bool on_warning(OptionUse *use) {
    if (strcmp(use->argument, "undef") == 0) use->options->pp.warn_undef = true;
    if (strcmp(use->argument, "error") == 0) use->options->warnings_are_errors = true;
    return true;
}

// ---- Reading

static const OptionRow rows[] = {
    {"-E", ARGUMENT_NONE, on_preprocess},
    {"-P", ARGUMENT_NONE, on_no_markers},
    {"-dM", ARGUMENT_NONE, on_dump_macros},
    {"-o", ARGUMENT_EITHER, on_output},
    {"-M", ARGUMENT_NONE, on_dependencies},
    {"-MM", ARGUMENT_NONE, on_dependencies},
    {"-MD", ARGUMENT_NONE, on_dependencies},
    {"-MMD", ARGUMENT_NONE, on_dependencies},
    {"-MP", ARGUMENT_NONE, on_phony},
    {"-MF", ARGUMENT_EITHER, on_dependency_file},
    {"-MT", ARGUMENT_EITHER, on_target},
    {"-MQ", ARGUMENT_EITHER, on_target},
    {"-I", ARGUMENT_EITHER, on_directory},
    {"-iquote", ARGUMENT_EITHER, on_directory},
    {"-isystem", ARGUMENT_EITHER, on_directory},
    {"-idirafter", ARGUMENT_EITHER, on_directory},
    {"-D", ARGUMENT_EITHER, on_macro},
    {"-U", ARGUMENT_EITHER, on_macro},
    {"-include", ARGUMENT_SEPARATE, on_include},
    {"-imacros", ARGUMENT_SEPARATE, on_imacros},
    {"-nostdinc", ARGUMENT_NONE, on_no_standard},
    {"-undef", ARGUMENT_NONE, on_undef},
    {"-std=", ARGUMENT_JOINED, on_standard},
    {"-ansi", ARGUMENT_NONE, on_ansi},
    {"-pedantic", ARGUMENT_NONE, on_pedantic},
    {"-w", ARGUMENT_NONE, on_no_warnings},
    {"-W", ARGUMENT_JOINED, on_warning},
};

// The row of an option; of several that fit, the one with the longest name.
static const OptionRow *find_row(const char *text) {
    const OptionRow *best = NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t length = strlen(rows[i].name);
        if (strncmp(text, rows[i].name, length) != 0) continue;
        bool joins = rows[i].form == ARGUMENT_JOINED || rows[i].form == ARGUMENT_EITHER;
        if (text[length] && !joins) continue;
        if (!best || length > strlen(best->name)) best = &rows[i];
    }
    return best;
}

static bool read_option(GateccOptions *options, Arena *arena, char **argv, int *at) {
    const char *text = argv[*at];
    const OptionRow *row = find_row(text);
    if (!row) return complain("unknown option '%s'", text);
    OptionUse use = {.options = options, .arena = arena, .name = row->name};
    const char *joined = text + strlen(row->name);
    if (row->form == ARGUMENT_JOINED || (row->form == ARGUMENT_EITHER && *joined)) {
        use.argument = joined;
    } else if (row->form != ARGUMENT_NONE) {
        use.argument = argv[*at + 1];
        if (!use.argument) return complain("option '%s' needs an argument", text);
        ++*at;
    }
    return row->handle(&use);
}

bool gatecc_options(GateccOptions *options, Arena *arena, int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] != '-' || !argv[i][1])
            vec_push(arena, &options->inputs, argv[i]);
        else if (!read_option(options, arena, argv, &i))
            return false;
    }
    if (!options->inputs.count) return complain("no input files%s", "");
    return true;
}
