// gate slice: the command line, what it asks for, and what is written. How slices are found is in slice_source.h.
#include "driver/gate_slice.h"

#include "driver/gatecc_options.h"
#include "driver/slice_influence.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
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
    "  --format=json          what stays and what does not, with lines and columns\n"
    "  --calls                slice the functions that are called, too\n"
    "  --whole-program        --calls, with what leads to the function from main\n"
    "  --assume C             take the condition C to hold when the function is entered\n"
    "  --forward              what is influenced instead; as lines or json\n"
    "  --why LINE             instead: how what is asked for depends on LINE\n"
    "  --certificate=FILE     write down what must hold, for gatecheck\n"
    "  --folder DIR           --each-function: the sliced functions, as DIR/NAME.c\n"
    "  -o FILE                write there instead of to standard output\n"
    "  -D -U -I -include ...  how C is read: as for gatecc, with -std=, -w and -W\n"
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
    bool formatted;      // something else than the source is asked for
    const char *missing; // an option that there is not yet
    GateccOptions front;
} SliceCommand;

// The value of an option that is written --name=value or --name value.
static const char *value_of(char **argv, int *at, const char *name) {
    size_t length = strlen(name);
    const char *argument = argv[*at];
    if (strncmp(argument, name, length) != 0) return NULL;
    if (argument[length] == '=') return argument + length + 1;
    if (argument[length] || !argv[*at + 1]) return NULL;
    return argv[++*at];
}

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
    static const char *const names[] = {
        [SLICE_SOURCE] = "source", [SLICE_LINES] = "lines", [SLICE_JSON] = "json"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i], name) != 0) continue;
        options->wanted.format = (SliceFormat)i;
        options->formatted = i != SLICE_SOURCE;
        return true;
    }
    if (strcmp(name, "imp") != 0) return usage("there is no format '%s'", name);
    options->missing = "--format=imp";
    return true;
}

static bool parse_option(SliceCommand *options, char **argv, int *at) {
    SliceQuestion *question = &options->question;
    const char *value;
    if ((value = value_of(argv, at, "--line")))
        return parse_line_number(value, &question->line, &question->has_line);
    if ((value = value_of(argv, at, "--why")))
        return parse_line_number(value, &options->wanted.why_line, &options->wanted.why);
    if ((value = value_of(argv, at, "--function")))
        question->function = value;
    else if ((value = value_of(argv, at, "--variable")))
        question->variable = value;
    else if ((value = value_of(argv, at, "--format")))
        return parse_format(options, value);
    else if ((value = value_of(argv, at, "--certificate")))
        options->wanted.certificate = value;
    else if ((value = value_of(argv, at, "--assume")))
        options->wanted.assume = value;
    else if ((value = value_of(argv, at, "--folder")))
        options->folder = value;
    else if (strcmp(argv[*at], "--each-function") == 0)
        options->each = true;
    else if (strcmp(argv[*at], "--calls") == 0)
        options->wanted.calls = true;
    else if (strcmp(argv[*at], "--whole-program") == 0)
        options->wanted.calls = options->wanted.whole_program = true;
    else if (strcmp(argv[*at], "-o") == 0) {
        if (!argv[*at + 1]) return usage("%s needs a file name", "-o");
        options->output = argv[++*at];
    } else if (strcmp(argv[*at], "--forward") == 0) {
        options->wanted.forward = true;
    } else {
        bool told = false;
        if (gatecc_front_option(&options->front, options->arena, argv, at, &told)) return true;
        return told ? false : usage("unknown option '%s'", argv[*at]);
    }
    return true;
}

// Options that do not go together.
static bool check_together(const SliceCommand *options) {
    const SliceWanted *wanted = &options->wanted;
    bool more = wanted->calls || wanted->assume || wanted->why || wanted->certificate;
    if (options->each && (more || wanted->forward || wanted->format != SLICE_SOURCE))
        return usage("--each-function goes with --variable return and --folder only");
    const char *variable = options->question.variable;
    if (options->each && variable && strcmp(variable, "return") != 0)
        return usage("--each-function goes with --variable return and --folder only");
    if (wanted->assume && wanted->calls) return usage("--assume does not go with --calls");
    if (wanted->forward && more)
        return usage("--forward does not go with --calls, --assume, --why and --certificate");
    if (wanted->forward && !options->formatted)
        return usage("--forward yields no program: it needs --format=lines or --format=json");
    return true;
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
    if (!options->file) return usage("%s needs a file", "slice");
    if (question->has_line + (question->function != NULL) + options->each != 1)
        return usage("slice needs one of --line, --function and --each-function");
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
    if (options->missing) {
        fprintf(stderr, "gate: %s is not there yet\n", options->missing);
        return EXIT_BAD;
    }
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
    bool good = options->wanted.forward
                    ? slice_influence(&source, diag, &options->question, &options->wanted, &out)
                : options->each
                    ? slice_each(&source, diag, &options->question, options->folder, &out)
                    : slice_one(&source, diag, &options->question, &options->wanted, &out);
    if (!good) {
        out_free(&out);
        return EXIT_BAD;
    }
    return write_output(options, &out);
}

int gate_slice(int argc, char **argv) {
    if (argc >= 3 && (strcmp(argv[2], "--help") == 0 || strcmp(argv[2], "-h") == 0)) {
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
