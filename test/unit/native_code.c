// Random machine code does on the machine what it does in the interpreter: in frames of every kind,
// with operands by every base, position-independent or not, with frame pointers or without.
#include "assembly/assembly.h"
#include "run/world/run.h"
#include "test/gen/effort.h"
#include "test/gen/mach_code.h"
#include "text/text.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { FUNCTIONS = 60, LENGTH = 40 };

static Program *frame(Arena *arena, Diag *diag) {
    Out text = {0};
    mach_code_frame(&text, FUNCTIONS);
    Program *program = program_parse(arena, diag, FORM_MACH, "frame", text.text, text.length);
    out_free(&text);
    assert_non_null(program);
    return program;
}

static void assert_well_formed(Arena *arena, const Program *program) {
    Complaints complaints = {.arena = arena};
    if (verify_program(&complaints, program)) return;
    Out out = {0};
    complaint_print(&out, program, &complaints.list.at[0]);
    out_char(&out, '\0');
    fail_msg("%s", out.text);
}

static Out interpreted(Arena *arena, const Program *program) {
    RunResult result = {0};
    RunOptions options = {.fuel = 100000000, .capture = true};
    char name[] = "program", *argv[] = {name, NULL};
    rtl_run(arena, program, 1, argv, &options, &result);
    if (result.behaviour.end == END_RESULT) return result.output;
    Out out = {0};
    behaviour_print(&out, program, &result.behaviour);
    out_char(&out, '\0');
    fail_msg("%s", out.text);
    return out;
}

static Out executed(Arena *arena, const Program *program, Diag *diag) {
    Out text = {0}, output = {0};
    AssemblyOptions options = {.diag = diag};
    const char *name = arena_printf(arena, "./code-%d", (int)getpid());
    assert_true(write_assembly(&text, program, &options));
    assert_true(out_commit(&text, arena_printf(arena, "%s.s", name)));
    out_free(&text);
    const char *pie = program->pic == PIC_NONE ? "-no-pie" : "-pie";
    assert_int_equal(system(arena_printf(arena, "cc %s -o %s %s.s", pie, name, name)), 0);
    FILE *pipe = popen(name, "r");
    char buffer[4096];
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) out_bytes(&output, buffer, n);
    if (pclose(pipe) != 0) out_text(&output, "it did not end well\n");
    remove(name);
    remove(arena_printf(arena, "%s.s", name));
    out_char(&output, '\0');
    return output;
}

// Shows the function whose line is the first that differs.
static void assert_same(const Program *program, const char *expected, const char *found) {
    const char *a = expected, *b = found, *line = expected;
    for (; *a && *a == *b; a++, b++)
        if (*a == '\n') line = a + 1;
    if (*a == *b) return;
    const char *name = arena_printf(program->arena, "f%d", atoi(line));
    Sym symbol = program_find(program, str_of((StrTable *)(uintptr_t)&program->strings, name));
    Out out = {0};
    func_print(&out, program_at(program, symbol)->func, &(PrintOptions){0});
    out_char(&out, '\0');
    fail_msg("expected %.30s, found %.30s\ncode %s%s\n%s", line, found + (line - expected),
             pic_name(program->pic), program->frame_pointer ? " frame_pointers" : "", out.text);
}

static void random_code(void **state) {
    (void)state;
    uint64_t seeds = effort(1, 6, 100);
    for (uint64_t seed = 0; seed < seeds; seed++) {
        Arena *arena = arena_new("test");
        Diag diag;
        diag_init(&diag, arena, stderr);
        Random random = random_from(seed);
        Program *program = frame(arena, &diag);
        program->pic = (PicLevel)(seed % PIC_COUNT);
        program->frame_pointer = seed % 2;
        for (uint32_t i = 0; i < FUNCTIONS; i++) {
            Func *func = mach_code_func(arena, program, &random, i, LENGTH);
            program_at(program, func->symbol)->func = func;
        }
        assert_well_formed(arena, program);
        Out expected = interpreted(arena, program), found = executed(arena, program, &diag);
        out_char(&expected, '\0');
        assert_same(program, expected.text, found.text);
        out_free(&expected);
        out_free(&found);
        diag_free(&diag);
        arena_free(arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_code)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
