// The command line of gatecc: one table of options, each with what to do with its argument.
#include "driver/gatecc_options.h"

#include <stdio.h>
#include <stdlib.h>
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
    bool front;                     // concerns the reading of C: other programs have it, too
} OptionRow;

static bool complain(const char *format, const char *what) {
    fprintf(stderr, "gatecc: error: ");
    fprintf(stderr, format, what);
    fputc('\n', stderr);
    return false;
}

// An option that is not known is no reason to fail: builds pass many.
static void ignore(const char *format, const char *what) {
    fprintf(stderr, "gatecc: warning: ignoring unknown option '");
    fprintf(stderr, format, what);
    fprintf(stderr, "'\n");
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
            vec_push(use->arena, &use->options->compile.pp.dirs,
                     (struct SearchDir){.path = use->argument, .kind = kinds[i].kind});
    return true;
}

static bool on_macro(OptionUse *use) {
    vec_push(use->arena, &use->options->compile.pp.macros,
             (struct CommandMacro){.text = use->argument, .undefine = use->name[1] == 'U'});
    return true;
}

static bool on_include(OptionUse *use) {
    vec_push(use->arena, &use->options->compile.pp.includes, use->argument);
    return true;
}

static bool on_imacros(OptionUse *use) {
    vec_push(use->arena, &use->options->compile.pp.imacros, use->argument);
    return true;
}

static bool on_no_standard(OptionUse *use) {
    return use->options->compile.pp.no_standard_dirs = true;
}

static bool on_undef(OptionUse *use) {
    return use->options->compile.pp.no_predefined = true;
}

static bool on_standard(OptionUse *use) {
    use->options->compile.standard = use->argument;
    return true;
}

static bool on_ansi(OptionUse *use) {
    use->options->compile.standard = "c90";
    return true;
}

static bool on_trigraphs(OptionUse *use) {
    use->options->compile.pp.trigraphs = true;
    return true;
}

static bool on_pedantic(OptionUse *use) {
    use->options->compile.pp.pedantic = use->options->compile.pedantic = true;
    return warnings_option(&use->options->compile.warnings, "pedantic");
}

static bool on_no_warnings(OptionUse *use) {
    warnings_none(&use->options->compile.warnings);
    return true;
}

// -Wl, -Wa, and -Wp, are for other programs than this one.
static bool on_warning(OptionUse *use) {
    const char *name = use->argument;
    if (name[0] && name[1] == ',') return true;
    if (!warnings_option(&use->options->compile.warnings, name)) ignore("-W%s", name);
    return true;
}

static bool on_syntax_only(OptionUse *use) {
    use->options->mode = MODE_SYNTAX;
    return true;
}

static bool on_emit(OptionUse *use) {
    if (strcmp(use->argument, "rtl") != 0)
        return complain("there is no form '%s' (forms: rtl)", use->argument);
    use->options->mode = MODE_EMIT;
    return true;
}

static bool on_certificate(OptionUse *use) {
    use->options->certificate = use->argument;
    return true;
}

static bool on_locations(OptionUse *use) {
    return use->options->locations = true;
}

static bool on_error_limit(OptionUse *use) {
    char *end;
    unsigned long limit = strtoul(use->argument, &end, 10);
    if (!*use->argument || *end) return complain("'%s' is not a number", use->argument);
    use->options->error_limit = (uint32_t)limit;
    return true;
}

// Options that change nothing for what exists so far.
static bool on_nothing(OptionUse *use) {
    (void)use;
    return true;
}

// ---- Reading

static const OptionRow rows[] = {
    {"-E", ARGUMENT_NONE, on_preprocess, false},
    {"-P", ARGUMENT_NONE, on_no_markers, false},
    {"-dM", ARGUMENT_NONE, on_dump_macros, false},
    {"-o", ARGUMENT_EITHER, on_output, false},
    {"-M", ARGUMENT_NONE, on_dependencies, false},
    {"-MM", ARGUMENT_NONE, on_dependencies, false},
    {"-MD", ARGUMENT_NONE, on_dependencies, false},
    {"-MMD", ARGUMENT_NONE, on_dependencies, false},
    {"-MP", ARGUMENT_NONE, on_phony, false},
    {"-MF", ARGUMENT_EITHER, on_dependency_file, false},
    {"-MT", ARGUMENT_EITHER, on_target, false},
    {"-MQ", ARGUMENT_EITHER, on_target, false},
    {"-I", ARGUMENT_EITHER, on_directory, true},
    {"-iquote", ARGUMENT_EITHER, on_directory, true},
    {"-isystem", ARGUMENT_EITHER, on_directory, true},
    {"-idirafter", ARGUMENT_EITHER, on_directory, true},
    {"-D", ARGUMENT_EITHER, on_macro, true},
    {"-U", ARGUMENT_EITHER, on_macro, true},
    {"-include", ARGUMENT_SEPARATE, on_include, true},
    {"-imacros", ARGUMENT_SEPARATE, on_imacros, true},
    {"-nostdinc", ARGUMENT_NONE, on_no_standard, true},
    {"-undef", ARGUMENT_NONE, on_undef, true},
    {"-std=", ARGUMENT_JOINED, on_standard, true},
    {"-ansi", ARGUMENT_NONE, on_ansi, true},
    {"-trigraphs", ARGUMENT_NONE, on_trigraphs, true},
    {"-pedantic", ARGUMENT_NONE, on_pedantic, true},
    {"-w", ARGUMENT_NONE, on_no_warnings, true},
    {"-W", ARGUMENT_JOINED, on_warning, true},
    {"-fsyntax-only", ARGUMENT_NONE, on_syntax_only, false},
    {"--emit=", ARGUMENT_JOINED, on_emit, false},
    {"--certificate=", ARGUMENT_JOINED, on_certificate, false},
    {"--locations", ARGUMENT_NONE, on_locations, false},
    {"-ferror-limit=", ARGUMENT_JOINED, on_error_limit, false},
    {"-c", ARGUMENT_NONE, on_nothing, false},
    {"-S", ARGUMENT_NONE, on_nothing, false},
    {"-g", ARGUMENT_JOINED, on_nothing, false},
    {"-O", ARGUMENT_JOINED, on_nothing, false},
    {"-f", ARGUMENT_JOINED, on_nothing, false},
    {"-m", ARGUMENT_JOINED, on_nothing, false},
    {"-l", ARGUMENT_EITHER, on_nothing, false},
    {"-L", ARGUMENT_EITHER, on_nothing, false},
    {"-x", ARGUMENT_EITHER, on_nothing, false},
    {"-pipe", ARGUMENT_NONE, on_nothing, false},
    {"-pthread", ARGUMENT_NONE, on_nothing, false},
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

static bool use_row(const OptionRow *row, GateccOptions *options, Arena *arena, char **argv,
                    int *at) {
    const char *text = argv[*at];
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

bool gatecc_front_option(GateccOptions *options, Arena *arena, char **argv, int *at, bool *told) {
    const OptionRow *row = find_row(argv[*at]);
    *told = row && row->front;
    return *told && use_row(row, options, arena, argv, at);
}

void gatecc_defaults(GateccOptions *options) {
    *options = (GateccOptions){.error_limit = 20};
    compile_defaults(&options->compile);
}

bool gatecc_options(GateccOptions *options, Arena *arena, int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        const OptionRow *row = argv[i][0] == '-' && argv[i][1] ? find_row(argv[i]) : NULL;
        if (argv[i][0] != '-' || !argv[i][1])
            vec_push(arena, &options->inputs, argv[i]);
        else if (!row)
            ignore("%s", argv[i]);
        else if (!use_row(row, options, arena, argv, &i))
            return false;
    }
    if (!options->inputs.count) return complain("no input files%s", "");
    return true;
}
