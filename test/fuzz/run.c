// libFuzzer target for the interpreter: whatever text the parser and the verifier accept, in any
// form, must run to some end, within bounds, without touching the host.
//   clang -fsanitize=fuzzer,address,undefined
#include "run/world/run.h"
#include "text/text.h"
#include "verify/verify.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void run(Arena *arena, const Program *program) {
    char name[] = "fuzz", *argv[] = {name, NULL};
    RunOptions options = {.fuel = 100000,
                          .max_depth = 10000,
                          .capture = true,
                          .no_input = true,
                          .no_files = true,
                          .memory_limit = (uint64_t)64 << 20};
    RunResult result;
    Out out = {0};
    rtl_run(arena, program, 1, argv, &options, &result);
    behaviour_print(&out, program, &result.behaviour);
    out_free(&out);
    out_free(&result.output);
}

static void try_form(Form form, const char *text, size_t length) {
    Arena *arena = arena_new("fuzz");
    Diag diag;
    diag_init(&diag, arena, NULL);
    const Program *program = program_parse(arena, &diag, form, "fuzz", text, length);
    Complaints complaints = {.arena = arena};
    if (program && verify_program(&complaints, program)) run(arena, program);
    diag_free(&diag);
    arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    for (Form form = 0; form < FORM_COUNT; form++) try_form(form, (const char *)data, size);
    return 0;
}
