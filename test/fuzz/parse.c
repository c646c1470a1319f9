// Fuzzes the parser, the printer and the verifier of the text form with libFuzzer.
//
// Whatever parses must print to a text that parses and prints the same. The verifier may say what
// it likes about the program, as long as it survives it. Pictures are drawn for the same reason. A
// text is read in each form: what is wrong in one is mostly wrong in the other, so that costs
// little.
#include "text/print/draw.h"
#include "text/text.h"
#include "verify/verify.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static Program *parse(Arena *arena, Form form, const char *text, size_t length) {
    Diag diag;
    diag_init(&diag, arena, NULL);
    Program *program = program_parse(arena, &diag, form, "fuzz", text, length);
    if (!program != (diag.errors > 0)) abort();
    diag_free(&diag);
    return program;
}

static void inspect(Arena *arena, const Program *program) {
    Complaints complaints = {.arena = arena};
    verify_program(&complaints, program);
    Out picture = {0};
    program_dot(&picture, program);
    out_free(&picture);
}

static bool same(const Out *a, const Out *b) {
    return a->length == b->length && (!a->length || memcmp(a->text, b->text, a->length) == 0);
}

static void try_form(Form form, const char *text, size_t length) {
    Arena *arena = arena_new("fuzz");
    const PrintOptions options = {.locations = true};
    const Program *program = parse(arena, form, text, length);
    if (program) {
        Out once = {0}, twice = {0};
        program_print(&once, program, &options);
        const Program *again = parse(arena, form, once.text, once.length);
        if (!again) abort();
        program_print(&twice, again, &options);
        if (!same(&once, &twice)) abort();
        inspect(arena, program);
        out_free(&once);
        out_free(&twice);
    }
    arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    for (Form form = 0; form < FORM_COUNT; form++) try_form(form, (const char *)data, size);
    return 0;
}
