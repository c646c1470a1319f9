// gatecc: the compiler's driver. Each input is taken as far as the command says, and what comes out
// is linked.
#include "base/version.h"
#include "gatecc/certificate_file.h"
#include "gatecc/compile_unit.h"
#include "gatecc/gatecc_command.h"
#include "gatecc/options/completion.h"
#include "gatecc/options/inputs.h"
#include "gatecc/options/missing_options.h"
#include "gatecc/options/option_help.h"
#include "gatecc/time_report.h"
#include "gatecc/toolchain.h"
#include "system/cleanup.h"
#include "system/output_file.h"
#include "system/response_file.h"
#include "target/target.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_GOOD = 0, EXIT_BAD = 1 };

#define GCC      "12.2.0" // the compiler that the predefined macros tell of
#define GCC_MAIN "12"

typedef struct {
    Arena *arena;
    const GateccOptions *options;
    Compiler compiler;
    Toolchain toolchain;
    const char **objects; // what the linker is given for each input
} Driver;

// ---- Objects

// Makes a file with one of the next functions; it appears in its place only if that went well.
typedef bool Maker(Driver *driver, const Input *input, const char *path);

static bool make_from_assembly(Driver *driver, const Input *input, const char *path) {
    return assemble_file(&driver->toolchain, input->path, path);
}

static bool make_from_cpp_assembly(Driver *driver, const Input *input, const char *path) {
    return preprocess_assembly(&driver->toolchain, input->path, path);
}

static bool begin_file(Driver *driver, OutputFile *file, const char *path, const char *name) {
    return path ? output_begin(file, driver->arena, path)
                : output_temporary(file, driver->arena, name);
}

// Puts a file into its place, or leaves it where it is if that is NULL; yields where it is. NULL
// after a message, or if it was not good.
static const char *end_file(OutputFile *file, const char *path, bool good) {
    if (good && !path) return file->path;
    // The linker makes nothing if it is asked for its version.
    bool made = access(file->path, F_OK) == 0;
    if (good && made) return output_commit(file) ? path : NULL;
    output_drop(file);
    return good ? path : NULL;
}

// What -### shows for a file.
static const char *shown_path(Driver *driver, const char *path, const char *name) {
    return path ? path : arena_printf(driver->arena, "/tmp/gatecc-XXXXXX/%s", name);
}

// Makes a file at a path of its own or, if that is NULL, a temporary one; yields where it is, or
// NULL after a message.
static const char *make_file(Driver *driver, const Input *input, Maker *maker, const char *path,
                             const char *name) {
    if (driver->options->dry) {
        path = shown_path(driver, path, name);
        return maker(driver, input, path) ? path : NULL;
    }
    OutputFile file;
    if (!begin_file(driver, &file, path, name)) return NULL;
    return end_file(&file, path, maker(driver, input, file.path));
}

static const char *output_path(const Driver *driver, const char *otherwise) {
    const char *path = driver->options->output;
    if (!path) return otherwise;
    return strcmp(path, "-") == 0 ? "/dev/stdout" : path;
}

static const char *object_name(Driver *driver, const Input *input) {
    return name_with_ending(driver->arena, input->path, ".o");
}

// Where the object of an input belongs; NULL if it is needed for the linker only.
static const char *object_path(Driver *driver, const Input *input) {
    const char *name = object_name(driver, input);
    if (driver->options->mode == MODE_OBJECT) return output_path(driver, name);
    if (!driver->options->save_temporaries) return NULL;
    return kept_path(driver->arena, driver->options, input->path, ".o");
}

static bool make_object(Driver *driver, uint32_t index, Maker *maker) {
    const Input *input = &driver->options->inputs.at[index];
    driver->objects[index] =
        make_file(driver, input, maker, object_path(driver, input), object_name(driver, input));
    return driver->objects[index] != NULL;
}

// ---- Objects of C

// An object on its way. The assembler is started when there is something for it to do.
typedef struct {
    Driver *driver;
    uint32_t index; // of the input
    const char *path;
    OutputFile file;
    Assembler assembler;
    bool begun;
    Out certificate; // without its end; empty if there is none
} ObjectWork;

static bool begin_object(ObjectWork *work) {
    Driver *driver = work->driver;
    const Input *input = &driver->options->inputs.at[work->index];
    const char *name = object_name(driver, input);
    work->path = object_path(driver, input);
    if (driver->options->dry)
        work->file.path = shown_path(driver, work->path, name);
    else if (!begin_file(driver, &work->file, work->path, name))
        return false;
    work->begun = true;
    return assembler_start(&work->assembler, &driver->toolchain, input->path, work->file.path);
}

static bool feed_object(void *context, Out *text) {
    ObjectWork *work = context;
    if (!work->begun && !begin_object(work)) return false;
    bool good = assembler_feed(&work->assembler, text);
    text->length = 0;
    return good;
}

// Completes or drops the object.
static bool end_object(ObjectWork *work, bool good) {
    if (!work->begun) return false;
    if (good)
        good = assembler_finish(&work->assembler);
    else
        assembler_stop(&work->assembler);
    const char *path = work->file.path, *certificate = work->driver->options->certificate;
    if (good && work->certificate.length)
        good = certificate_write(work->driver->arena, &work->certificate, certificate, path);
    if (!work->driver->options->dry) path = end_file(&work->file, work->path, good);
    work->driver->objects[work->index] = path;
    return path != NULL;
}

// -save-temps
static bool keep_preprocessed(Driver *driver, const Input *input) {
    const char *path = kept_path(driver->arena, driver->options, input->path, ".i");
    return preprocess_unit(&driver->compiler, input, path);
}

// Text that is kept is not fed to the assembler before it is complete.
static bool make_object_of_c(Driver *driver, uint32_t index) {
    const GateccOptions *options = driver->options;
    const Input *input = &options->inputs.at[index];
    bool kept = options->save_temporaries && !options->dry;
    ObjectWork work = {.driver = driver, .index = index};
    AssemblySink sink = {.drain = kept ? NULL : feed_object, .context = &work};
    bool good = true;
    if (kept) good = keep_preprocessed(driver, input);
    if (!options->dry) good = good && compile_unit(&driver->compiler, input, &sink);
    if (kept && good) {
        Out copy = {0};
        out_bytes(&copy, sink.text.text, sink.text.length);
        good = output_write(driver->arena, &copy,
                            kept_path(driver->arena, options, input->path, ".s"));
    }
    good = good && feed_object(&work, &sink.text);
    out_free(&sink.text);
    work.certificate = sink.certificate;
    good = end_object(&work, good);
    out_free(&work.certificate);
    return good;
}

// ---- Inputs

static bool unused(const Input *input) {
    if (strcmp(input->path, "-") != 0)
        fprintf(stderr, "gatecc: warning: '%s' is not used: the command ends before its turn\n",
                input->path);
    return true;
}

static bool write_assembly_file(Driver *driver, const Input *input) {
    AssemblySink sink = {0};
    bool good = !driver->options->save_temporaries || keep_preprocessed(driver, input);
    good = good && compile_unit(&driver->compiler, input, &sink);
    const char *path = driver->options->output;
    if (!path) path = name_with_ending(driver->arena, input->path, ".s");
    if (good) good = output_write(driver->arena, &sink.text, path);
    out_free(&sink.text);
    return good;
}

static bool c_input(Driver *driver, uint32_t index) {
    const Input *input = &driver->options->inputs.at[index];
    GateccMode mode = driver->options->mode;
    const WordSize *word_size = driver->options->word_size;
    if (word_size &&
        option_refused(driver->options->compile.pp.target->language, word_size->option))
        return false;
    if (input->language == LANGUAGE_HEADER && mode >= MODE_ASSEMBLY) {
        fprintf(stderr, "gatecc: error: '%s' is a header: there are no precompiled headers\n",
                input->path);
        return false;
    }
    if (mode >= MODE_OBJECT) return make_object_of_c(driver, index);
    if (driver->options->dry) return true;
    if (mode <= MODE_PREPROCESS)
        return preprocess_unit(&driver->compiler, input, driver->options->output);
    if (mode == MODE_ASSEMBLY) return write_assembly_file(driver, input);
    return compile_unit(&driver->compiler, input, NULL);
}

static bool cpp_assembly_input(Driver *driver, uint32_t index) {
    const Input *input = &driver->options->inputs.at[index];
    GateccMode mode = driver->options->mode;
    if (mode >= MODE_OBJECT) return make_object(driver, index, make_from_cpp_assembly);
    if (mode == MODE_SYNTAX || mode == MODE_EMIT) return unused(input);
    const char *name = name_with_ending(driver->arena, input->path, ".s");
    const char *path = output_path(driver, mode == MODE_ASSEMBLY ? name : NULL);
    if (!path) return preprocess_assembly(&driver->toolchain, input->path, NULL);
    return make_file(driver, input, make_from_cpp_assembly, path, name) != NULL;
}

static bool one_input(Driver *driver, uint32_t index) {
    const Input *input = &driver->options->inputs.at[index];
    if (strcmp(input->path, "-") != 0 && access(input->path, F_OK) != 0) {
        fprintf(stderr, "gatecc: error: cannot read '%s': %s\n", input->path, strerror(errno));
        return false;
    }
    switch (input->language) {
    case LANGUAGE_C:
    case LANGUAGE_PREPROCESSED:
    case LANGUAGE_HEADER: return c_input(driver, index);
    case LANGUAGE_ASSEMBLY:
        if (driver->options->mode < MODE_OBJECT) return unused(input);
        return make_object(driver, index, make_from_assembly);
    case LANGUAGE_ASSEMBLY_CPP: return cpp_assembly_input(driver, index);
    case LANGUAGE_OBJECT:
        driver->objects[index] = input->path;
        return driver->options->mode == MODE_LINK || unused(input);
    case LANGUAGE_OTHER: break;
    }
    fprintf(stderr, "gatecc: error: '%s' is in a language other than C\n", input->path);
    return false;
}

// ---- Linking

static bool make_program(Driver *driver, const Input *input, const char *path) {
    (void)input;
    return link_objects(&driver->toolchain, driver->objects, path);
}

// The linker may write down what its output is called: then it has to have its final name from the
// start.
static bool tells_its_name(const GateccOptions *options) {
    for (uint32_t i = 0; i < options->link.count; i++)
        if (options->link.at[i].text && strstr(options->link.at[i].text, "--dependency-file"))
            return true;
    return false;
}

static bool all_inputs(Driver *driver) {
    const GateccOptions *options = driver->options;
    bool good = true;
    driver->objects = ARENA_ARRAY(driver->arena, const char *, options->inputs.count);
    for (uint32_t i = 0; i < options->inputs.count; i++) good = one_input(driver, i) && good;
    if (!good || options->mode != MODE_LINK) return good;
    if (!options->inputs.count && !options->something_to_link) return true;
    const char *path = output_path(driver, "a.out");
    if (tells_its_name(options)) return make_program(driver, NULL, path);
    return make_file(driver, NULL, make_program, path, "a.out") != NULL;
}

// ---- Answers

static const char help[] =
    "usage: gatecc [OPTIONS] FILE...\n"
    "\n"
    "FILE is C (.c .i), assembler text (.s .S), or for the linker (.o .a .so ...).\n"
    "\n"
    "  -c -S -E -fsyntax-only   stop after assembling, compiling, preprocessing,\n"
    "                           checking\n"
    "  -o FILE                  write there; - is standard output\n"
    "  -O0 -O1 -O2              how much to optimize (default -O1)\n"
    "  -g                       with lines, types and variables for the debugger\n"
    "  -D -U -I -include -std=  how C is read\n"
    "  -M -MM -MD -MMD -MF -MT  rules for make\n"
    "  -W... -w -Werror         warnings\n"
    "  -fPIC -fvisibility= ...  what code is made; -fno-PASS leaves a pass out\n"
    "  -l -L -shared -static -pthread -Wl,...   for the linker, cc\n"
    "  -Wa,...                  for the assembler, as\n"
    "  -x LANGUAGE, @FILE, -v, -###, -print-..., -save-temps: as gcc has them\n"
    "\n"
    "  --certificate=FILE       write what every pass did, for gatecheck\n"
    "  --check=fast|steps|matrix|off  how passes are checked (default fast)\n"
    "  --emit=FORM              write that form: rtl, ssa, ... (--locations with places)\n"
    "  --time-report, --stats   where the time goes; what the passes do\n"
    "  -fopt-info, -Rpass=RE    remarks: what passes did with each line, and why\n"
    "  --help, --help=options (what becomes of each option of gcc, and why),\n"
    "  --help=warnings (which there are, and which names do nothing), --version\n"
    "\n"
    "exit status: 0 good, 1 not\n";

static void print_answer(void (*print)(Out *)) {
    Out out = {0};
    print(&out);
    out_flush(&out, stdout);
    out_free(&out);
}

static void print_options(const Driver *driver) {
    Out out = {0};
    option_help(&out, driver->options->compile.pp.target->language);
    out_flush(&out, stdout);
    out_free(&out);
}

static void print_completions(const Driver *driver) {
    Out out = {0};
    completion_print(driver->arena, &out, driver->options->compile.pp.target->language,
                     driver->options->completed);
    out_flush(&out, stdout);
    out_free(&out);
}

static bool answer(Driver *driver) {
    switch (driver->options->question) {
    case QUESTION_NONE: break;
    case QUESTION_PRINT: return ask_system_compiler(&driver->toolchain);
    case QUESTION_HELP: fputs(help, stdout); break;
    case QUESTION_OPTIONS: print_options(driver); break;
    case QUESTION_WARNINGS: print_answer(option_warnings); break;
    case QUESTION_COMPLETION: print_completions(driver); break;
    case QUESTION_VERSION:
        // Build systems look for the name of the foundation to learn which options a compiler
        // takes.
        puts("gatecc " GATECC_VERSION "\n"
             "A C compiler that checks its own work. It takes the place of gcc " GCC
             ", the compiler\n"
             "of the Free Software Foundation: it has its options and its extensions of C.");
        break;
    case QUESTION_DUMP_MACHINE: puts(driver->options->compile.pp.target->model->triplet); break;
    case QUESTION_DUMP_VERSION: puts(GCC_MAIN); break;
    case QUESTION_DUMP_FULL_VERSION: puts(GCC); break;
    }
    if (fflush(stdout) == 0) return true;
    fprintf(stderr, "gatecc: error: cannot write output: %s\n", strerror(errno));
    return false;
}

static void report(const Driver *driver) {
    Out out = {0};
    if (driver->options->stats) pipeline_print_stats(&out, &driver->compiler.pipeline);
    if (driver->options->timed) time_report_print(&out, &driver->compiler, &driver->toolchain);
    if (out.length) out_flush(&out, stderr);
    out_free(&out);
}

static bool run(Arena *arena, const GateccOptions *options) {
    Driver driver = {.arena = arena, .options = options};
    driver.toolchain = (Toolchain){.arena = arena, .options = options};
    if (options->question != QUESTION_NONE) return answer(&driver);
    if (options->verbose || options->dry)
        // The last line as gcc has it: configure scripts look for one that starts with its name.
        fprintf(stderr,
                "gatecc version " GATECC_VERSION "\nTarget: %s\nThread model: posix\n"
                "gcc version " GCC " (gatecc " GATECC_VERSION ")\n",
                options->compile.pp.target->model->triplet);
    compiler_init(&driver.compiler, arena, options);
    bool good = all_inputs(&driver);
    report(&driver);
    compiler_free(&driver.compiler);
    return good;
}

int main(int argc, char **argv) {
    standard_streams();
    cleanup_start();
    Arena *arena = arena_new("options");
    GateccOptions options;
    gatecc_defaults(&options);
    Words words = {0};
    bool good = expand_response_files(arena, &words, argc, argv) &&
                gatecc_command(&options, arena, &words) && run(arena, &options);
    arena_free(arena);
    return good ? EXIT_GOOD : EXIT_BAD;
}
