// C is compiled to a text that goes to as through a pipe. Programs are linked by the system's
// compiler, which knows where the C library and its start files are; assembler text with directives
// is its business, too, since such text is not made of the tokens of C. It must not be gatecc
// itself under another name: a variable in the environment tells a gatecc that was started in this
// way.
#include "gatecc/toolchain.h"

#include "gatecc/dependency_rule.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define INSIDE_VARIABLE "GATECC_INSIDE"

// -v and -###: shows a command, behind what feeds it.
static void show_command(const Toolchain *toolchain, const char *before, const Words *command) {
    if (!toolchain->options->verbose && !toolchain->options->dry) return;
    Out line = {0};
    out_char(&line, ' ');
    out_text(&line, before);
    words_print(&line, command);
    out_char(&line, '\n');
    out_flush(&line, stderr);
    out_free(&line);
}

static bool run(Toolchain *toolchain, const Words *command, double *seconds) {
    show_command(toolchain, "", command);
    if (toolchain->options->dry) return true;
    Process process;
    return process_start(&process, command, NULL) && process_wait(&process, seconds);
}

const char *system_compiler(Arena *arena) {
    static const char *const names[] = {"cc", "gcc", "clang"};
    if (getenv(INSIDE_VARIABLE)) {
        fprintf(stderr,
                "gatecc: error: the system's compiler leads back to gatecc; set GATECC_LINKER "
                "to one that does not\n");
        return NULL;
    }
    const char *given = getenv("GATECC_LINKER");
    if (given && *given) return given;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *path = executable_find(arena, names[i]);
        if (path) return path;
    }
    fprintf(stderr, "gatecc: error: no compiler of the system is found along PATH that could link; "
                    "set GATECC_LINKER\n");
    return NULL;
}

// A command that starts with the system's compiler.
static bool start_command(Toolchain *toolchain, Words *command) {
    if (!toolchain->compiler) toolchain->compiler = system_compiler(toolchain->arena);
    if (!toolchain->compiler) return false;
    setenv(INSIDE_VARIABLE, "1", 1);
    words_add(toolchain->arena, command, toolchain->compiler);
    return true;
}

// ---- Assembling

static void add_assembler(Toolchain *toolchain, Words *command, const char *object) {
    words_add(toolchain->arena, command, "as");
    const WordSize *size = toolchain->options->word_size;
    words_add(toolchain->arena, command,
              size ? size->assembler : toolchain->options->compile.pp.target->code->assembler);
    words_append(toolchain->arena, command, &toolchain->options->to_assemble);
    words_add(toolchain->arena, command, "-o");
    words_add(toolchain->arena, command, object);
}

static void show_compilation(Toolchain *toolchain, const char *source, const Words *command) {
    Words name = {0};
    words_add(toolchain->arena, &name, source);
    Out before = {0};
    out_text(&before, "gatecc -S -o - ");
    words_print(&before, &name);
    out_text(&before, " | ");
    out_char(&before, '\0');
    show_command(toolchain, before.text, command);
    out_free(&before);
}

bool assembler_start(Assembler *assembler, Toolchain *toolchain, const char *source,
                     const char *object) {
    Words command = {0};
    *assembler = (Assembler){.toolchain = toolchain};
    add_assembler(toolchain, &command, object);
    show_compilation(toolchain, source, &command);
    if (toolchain->options->dry) return true;
    assembler->started = process_start(&assembler->process, &command, &assembler->input);
    return assembler->started;
}

// An assembler that does not read to the end tells why itself.
bool assembler_feed(Assembler *assembler, const Out *text) {
    if (!assembler->started || assembler->gone) return true;
    if (write_to(assembler->input, text->text, text->length)) return true;
    assembler->gone = errno == EPIPE;
    if (!assembler->gone)
        fprintf(stderr, "gatecc: error: cannot write to as: %s\n", strerror(errno));
    return assembler->gone;
}

bool assembler_finish(Assembler *assembler) {
    if (!assembler->started) return true;
    close(assembler->input);
    return process_wait(&assembler->process, &assembler->toolchain->assembler_seconds);
}

void assembler_stop(Assembler *assembler) {
    if (!assembler->started) return;
    process_stop(&assembler->process);
    close(assembler->input);
}

bool assemble_file(Toolchain *toolchain, const char *file, const char *object) {
    Arena *arena = toolchain->arena;
    Words command = {0};
    add_assembler(toolchain, &command, object);
    if (toolchain->options->debug) words_add(arena, &command, "-g");
    if (strcmp(file, "-") != 0) words_add(arena, &command, file);
    return run(toolchain, &command, &toolchain->assembler_seconds);
}

// The rule that -MD writes is about the final file and belongs beside it.
static void add_rule_options(Toolchain *toolchain, Words *command, const char *file) {
    Arena *arena = toolchain->arena;
    const GateccOptions *options = toolchain->options;
    words_add(arena, command, "-MF");
    words_add(arena, command, dependency_file(arena, options, file));
    if (options->targets.count) return;
    words_add(arena, command, "-MQ");
    words_add(arena, command, dependency_target(arena, options, file));
}

bool preprocess_assembly(Toolchain *toolchain, const char *file, const char *output) {
    Arena *arena = toolchain->arena;
    const GateccOptions *options = toolchain->options;
    Words command = {0};
    if (!start_command(toolchain, &command)) return false;
    bool assembled = options->mode >= MODE_OBJECT;
    words_add(arena, &command, assembled ? "-c" : "-E");
    words_append(arena, &command, &options->to_preprocess);
    for (uint32_t i = 0; i < options->to_assemble.count; i++) {
        words_add(arena, &command, "-Xassembler");
        words_add(arena, &command, options->to_assemble.at[i]);
    }
    if (options->dependencies && options->mode != MODE_DEPENDENCIES)
        add_rule_options(toolchain, &command, file);
    if (output) {
        words_add(arena, &command, "-o");
        words_add(arena, &command, output);
    }
    words_add(arena, &command, "-x");
    words_add(arena, &command, "assembler-with-cpp");
    words_add(arena, &command, file);
    return run(toolchain, &command, &toolchain->assembler_seconds);
}

// ---- Linking

bool link_objects(Toolchain *toolchain, const char *const *objects, const char *output) {
    Arena *arena = toolchain->arena;
    const GateccOptions *options = toolchain->options;
    Words command = {0};
    if (!start_command(toolchain, &command)) return false;
    words_add(arena, &command, "-o");
    words_add(arena, &command, output);
    for (uint32_t i = 0; i < options->link.count; i++) {
        const LinkWord *word = &options->link.at[i];
        words_add(arena, &command, word->text ? word->text : objects[word->input]);
    }
    const SanitizeOptions *sanitize = &options->compile.sanitize;
    bool handlers = sanitize->on & ~sanitize->trap;
    // The compiler knows where the library with the handlers is, and what else that needs.
    if (handlers) words_add(arena, &command, "-fsanitize=undefined");
    if (run(toolchain, &command, &toolchain->linker_seconds)) return true;
    if (handlers)
        fprintf(stderr, "gatecc: note: failed checks call handlers of libubsan, which comes with "
                        "the system's compiler; with -fsanitize-trap they need none\n");
    return false;
}

bool ask_system_compiler(Toolchain *toolchain) {
    Words command = {0};
    if (!start_command(toolchain, &command)) return false;
    for (uint32_t i = 0; i < toolchain->options->link.count; i++)
        if (toolchain->options->link.at[i].text)
            words_add(toolchain->arena, &command, toolchain->options->link.at[i].text);
    return run(toolchain, &command, &toolchain->linker_seconds);
}
