// gate slice: the command line and the request. slice_source.h finds slices, and slice_report.h
// writes all output.
#include "gate/gate_slice.h"

#include "gatecc/options/gatecc_options.h"
#include "slice/source/slice_influence.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { EXIT_GOOD = 0, EXIT_BAD = 1, EXIT_USAGE = 2 };

static const char help[] =
    "usage: gate slice FILE.c (--line L | --function F | --each-function) [OPTIONS]\n"
    "\n"
    "Writes the C file without the statements of a function that do not matter for\n"
    "what is asked for. The slice is compiled again, and a checker compares it with\n"
    "the file.\n"
    "\n"
    "what is asked for:\n"
    "  --line L               what the statement at line L reads, whenever control\n"
    "                         comes to it\n"
    "  --line L --variable V  what V holds there\n"
    "  --function F           what F returns, and what it does that can be seen\n"
    "  --function F --variable V\n"
    "                         what V holds when F returns; `return` is its result\n"
    "  --each-function        --function for each function of the file: a line with\n"
    "                         its name, statements kept, statements, milliseconds\n"
    "                         and whether the slice was accepted\n"
    "\n"
    "options:\n"
    "  --format=source        the whole file (the default)\n"
    "  --format=lines         the numbers of the lines that stay in the function\n"
    "  --format=imp           what is left of the function, as a program of Imp\n"
    "  --format=json          what stays and what does not, with lines and columns\n"
    "  --calls                slice the functions that are called, too\n"
    "  --whole-program        --calls, with what leads to the function from main\n"
    "  --once                 take it that the function is not called again while it\n"
    "                         runs; else what calls it may rely on all that it does\n"
    "  --assume C             take the condition C to hold when the function is entered;\n"
    "                         'p and q are apart': no byte is accessed through both\n"
    "  --forward              what is influenced instead; as lines or json\n"
    "  --why LINE             instead: how what is asked for depends on LINE\n"
    "  --certificate=FILE     write down what must hold, for gatecheck\n"
    "  --folder DIR           --each-function: the sliced functions, as DIR/NAME.c\n"
    "  -o FILE                write there instead of to standard output\n"
    "  -D -U -I -include ...  how C is read: as for gatecc, with -std=, -w, -W, -O0 to -O3\n"
    "                         (-O2 or -fstrict-aliasing: a store does not change what\n"
    "                         loads of another type find)\n"
    "  --help\n"
    "\n"
    "exit status: 0 good, 1 mistakes in the input, 2 usage\n";

__attribute__((format(printf, 1, 2))) static bool usage(const char *format, ...) {
    va_list args;
    va_start(args, format);
    fprintf(stderr, "gate: ");
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, "\nTry 'gate slice --help'.\n");
    return false;
}

// ---- Options

typedef struct {
    Arena *arena;
    const char *file, *output, *folder;
    SliceQuestion question;
    SliceWanted wanted;
    bool each;
    bool formatted; // something else than the source is asked for
    uint32_t given; // a bit for each option with a value (ValueOption)
    GateccOptions front;
} SliceCommand;

static bool parse_line_number(const char *text, uint32_t *number, bool *given) {
    char *end;
    errno = 0;
    unsigned long line = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || line > UINT32_MAX)
        return usage("'%s' is not the number of a line", text);
    *number = (uint32_t)line;
    *given = true;
    return true;
}

static bool parse_format(SliceCommand *options, const char *name) {
    static const char *const names[] = {[SLICE_SOURCE] = "source",
                                        [SLICE_LINES] = "lines",
                                        [SLICE_IMP] = "imp",
                                        [SLICE_JSON] = "json"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i], name) != 0) continue;
        options->wanted.format = (SliceFormat)i;
        options->formatted = i != SLICE_SOURCE;
        return true;
    }
    return usage("there is no format '%s'", name);
}

typedef enum {
    WITH_LINE,
    WITH_WHY,
    WITH_FUNCTION,
    WITH_VARIABLE,
    WITH_FORMAT,
    WITH_CERTIFICATE,
    WITH_ASSUME,
    WITH_FOLDER,
    WITH_OUTPUT,
    WITH_COUNT
} ValueOption;

static const char *const value_options[WITH_COUNT] = {
    [WITH_LINE] = "--line",         [WITH_WHY] = "--why",
    [WITH_FUNCTION] = "--function", [WITH_VARIABLE] = "--variable",
    [WITH_FORMAT] = "--format",     [WITH_CERTIFICATE] = "--certificate",
    [WITH_ASSUME] = "--assume",     [WITH_FOLDER] = "--folder",
    [WITH_OUTPUT] = "-o",
};

static bool take_value(SliceCommand *options, ValueOption option, const char *value) {
    SliceQuestion *question = &options->question;
    SliceWanted *wanted = &options->wanted;
    switch (option) {
    case WITH_LINE: return parse_line_number(value, &question->line, &question->has_line);
    case WITH_WHY: return parse_line_number(value, &wanted->why_line, &wanted->why);
    case WITH_FUNCTION: question->function = value; break;
    case WITH_VARIABLE: question->variable = value; break;
    case WITH_FORMAT: return parse_format(options, value);
    case WITH_CERTIFICATE: wanted->certificate = value; break;
    case WITH_ASSUME: wanted->assume = value; break;
    case WITH_FOLDER: options->folder = value; break;
    case WITH_OUTPUT: options->output = value; break;
    case WITH_COUNT: break;
    }
    return true;
}

// An option that is written --name=value or --name value. False if it is none, or after a message,
// which `told` tells.
static bool parse_value_option(SliceCommand *options, char **argv, int *at, bool *told) {
    const char *argument = argv[*at];
    for (uint32_t i = 0; i < WITH_COUNT; i++) {
        const char *name = value_options[i];
        size_t length = strlen(name);
        if (strncmp(argument, name, length) != 0) continue;
        bool joined = argument[length] == '=' && i != WITH_OUTPUT;
        if (argument[length] && !joined) continue;
        *told = true;
        if (!joined && !argv[*at + 1])
            return usage("%s needs a %s", name, i == WITH_OUTPUT ? "file name" : "value");
        if (options->given >> i & 1) return usage("%s is given twice", name);
        options->given |= 1u << i;
        return take_value(options, (ValueOption)i, joined ? argument + length + 1 : argv[++*at]);
    }
    return false;
}

// A level of optimization, as for gatecc: the source may ask for it, and from -O2 on types tell
// objects apart.
static bool parse_level(SliceCommand *options, const char *argument) {
    bool level = strncmp(argument, "-O", 2) == 0 && argument[2] >= '0' && argument[2] <= '3';
    if (!level || argument[3]) return false;
    options->front.compile.pp.optimize = (uint8_t)(argument[2] - '0');
    options->front.compile.pp.inlines = argument[2] > '0';
    return true;
}

static bool parse_option(SliceCommand *options, char **argv, int *at) {
    bool told = false;
    if (parse_value_option(options, argv, at, &told)) return true;
    if (told) return false;
    if (parse_level(options, argv[*at])) return true;
    if (strcmp(argv[*at], "--each-function") == 0)
        options->each = true;
    else if (strcmp(argv[*at], "--once") == 0)
        options->wanted.once = true;
    else if (strcmp(argv[*at], "--calls") == 0)
        options->wanted.calls = true;
    else if (strcmp(argv[*at], "--whole-program") == 0)
        options->wanted.calls = options->wanted.whole_program = true;
    else if (strcmp(argv[*at], "--forward") == 0)
        options->wanted.forward = true;
    else if (!gatecc_front_option(&options->front, options->arena, argv, at, &told))
        return told ? false : usage("unknown option '%s'", argv[*at]);
    return true;
}

// Options that do not go together.
static bool check_together(const SliceCommand *options) {
    const SliceWanted *wanted = &options->wanted;
    bool more = wanted->calls || wanted->assume || wanted->why || wanted->certificate;
    if (options->each && (more || wanted->forward || wanted->format != SLICE_SOURCE))
        return usage("--each-function goes with --variable return, --once and --folder only");
    const char *variable = options->question.variable;
    if (options->each && variable && strcmp(variable, "return") != 0)
        return usage("--each-function goes with --variable return, --once and --folder only");
    if (wanted->why && options->formatted) return usage("--why does not go with --format");
    if (wanted->once && wanted->forward) return usage("--once does not go with --forward");
    if (wanted->once && wanted->calls) return usage("--once does not go with --calls");
    if (wanted->assume && wanted->calls) return usage("--assume does not go with --calls");
    if (wanted->forward && more)
        return usage("--forward does not go with --calls, --assume, --why and --certificate");
    if (wanted->forward && (!options->formatted || wanted->format == SLICE_IMP))
        return usage("--forward yields no program: it needs --format=lines or --format=json");
    return true;
}

static bool same_file(const char *a, const char *b) {
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static bool parse_options(SliceCommand *options, int argc, char **argv) {
    for (int at = 2; at < argc; at++) {
        if (argv[at][0] == '-' && argv[at][1]) {
            if (!parse_option(options, argv, &at)) return false;
        } else if (options->file) {
            return usage("'%s' is one argument too many", argv[at]);
        } else {
            options->file = argv[at];
        }
    }
    const SliceQuestion *question = &options->question;
    CompileOptions *compile = &options->front.compile;
    if (compile->aliasing == ALIASING_BY_LEVEL && compile->pp.optimize >= 2)
        compile->aliasing = ALIASING_STRICT;
    if (!options->file) return usage("%s needs a file", "slice");
    if (question->has_line + (question->function != NULL) + options->each != 1)
        return usage("slice needs one of --line, --function and --each-function");
    if (options->output && same_file(options->output, options->file))
        return usage("'%s' is what is sliced, and is not written over", options->file);
    if (options->folder && !options->each) return usage("--folder goes with --each-function only");
    return check_together(options);
}

// ---- The command

static bool ends_in_c(const char *path) {
    size_t length = strlen(path);
    return length > 2 && strcmp(path + length - 2, ".c") == 0;
}

static int write_output(const SliceCommand *options, Out *out) {
    int status = EXIT_GOOD;
    if (!options->output) {
        out_flush(out, stdout);
    } else if (!out_commit(out, options->output)) {
        fprintf(stderr, "gate: cannot write %s: %s\n", options->output, strerror(errno));
        status = EXIT_USAGE;
    }
    out_free(out);
    return status;
}

static int run(const SliceCommand *options, Diag *diag) {
    if (!ends_in_c(options->file)) {
        diag_error(diag, SPAN_NONE, "%s: only C files (.c) can be sliced", options->file);
        return EXIT_BAD;
    }
    if (access(options->file, R_OK) != 0) {
        diag_error(diag, SPAN_NONE, "cannot read %s: %s", options->file, strerror(errno));
        return EXIT_BAD;
    }
    SliceSource source;
    if (!slice_source_read(&source, options->arena, diag, options->file, &options->front.compile))
        return EXIT_BAD;
    Out out = {0};
    bool good =
        options->wanted.forward
            ? slice_influence(&source, diag, &options->question, &options->wanted, &out)
        : options->each
            ? slice_each(&source, diag, &options->question, &options->wanted, options->folder, &out)
            : slice_one(&source, diag, &options->question, &options->wanted, &out);
    if (!good) {
        out_free(&out);
        return EXIT_BAD;
    }
    return write_output(options, &out);
}

int gate_slice(int argc, char **argv) {
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], "--help") != 0 && strcmp(argv[i], "-h") != 0) continue;
        fputs(help, stdout);
        return fflush(stdout) == 0 ? EXIT_GOOD : EXIT_USAGE;
    }
    SliceCommand options = {.arena = arena_new("slice")};
    gatecc_defaults(&options.front);
    int status = EXIT_USAGE;
    if (parse_options(&options, argc, argv)) {
        Diag diag;
        diag_init(&diag, options.arena, stderr);
        status = run(&options, &diag);
        diag_free(&diag);
    }
    arena_free(options.arena);
    return status;
}
