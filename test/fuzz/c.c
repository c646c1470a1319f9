// libFuzzer target: any bytes as a C file in memory through preprocessor, parser, lowering, the
// verifier, normalization and its checker. Nothing may crash or hang, every error must have a
// place, what compiles must verify, and the checker must accept every normalized function.
#include "c/compile/compile.h"
#include "check/checkers.h"
#include "pass/pass.h"
#include "verify/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *text;
    size_t length;
} Input;

static bool read_input(void *context, Arena *arena, const char *path, char **text, size_t *length) {
    const Input *input = context;
    if (strcmp(path, "main.c") != 0) return false;
    *text = arena_text(arena, input->text, input->length);
    *length = input->length;
    return true;
}

static void fail(const char *what) {
    fprintf(stderr, "%s\n", what);
    abort();
}

// A message without a place, as an internal error is, starts with the program's name.
static void check_messages(Diag *diag) {
    out_char(&diag->out, '\0');
    const char *limit = "gatecc: error: too many errors";
    for (const char *line = diag->out.text; *line;) {
        if (strncmp(line, "gatecc: ", 8) == 0 && strncmp(line, limit, strlen(limit)) != 0)
            fail(line);
        const char *end = strchr(line, '\n');
        if (!end) break;
        line = end + 1;
    }
}

static void check_function(const Func *before) {
    Arena *arena = arena_new("normalize");
    CopiesHint hint = {0};
    const Func *after = normalize(arena, before, &hint);
    Complaints complaints = {.arena = arena};
    if (!verify_func(&complaints, after)) fail(complaints.list.at[0].message);
    Verdict verdict = check_copies(arena, NULL, before, after, &hint);
    if (!verdict.accepted) fail(verdict.reason);
    arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Input input = {.text = (const char *)data, .length = size};
    Arena *arena = arena_new("fuzz");
    Diag diag;
    diag_init(&diag, arena, NULL);
    CompileOptions options;
    compile_defaults(&options);
    warnings_option(&options.warnings, "everything");
    options.pp.no_standard_dirs = true;
    options.pp.read = read_input;
    options.pp.context = &input;
    options.pp.expansion_limit = 20000;
    const Program *program = compile_c(arena, &diag, "main.c", &options);
    if (!program && !diag.errors) fail("no program and no error");
    check_messages(&diag);
    for (uint32_t i = 0; program && i < program->symbols.count; i++)
        if (program->symbols.at[i].func) check_function(program->symbols.at[i].func);
    diag_free(&diag);
    arena_free(arena);
    return 0;
}
