// Every mistake that one token can make in the text of a form: each token of the examples in
// test/form is left out, doubled, or replaced by another, and the first message about the result,
// of the parser or the verifier, is counted. The counts are in test/form/mistakes.txt: a mistake
// that is suddenly taken, or told otherwise, changes them. What is taken is printed and parsed
// again, which must give the same text.
//
// If messages have changed on purpose: GATE_UPDATE=1 build/unit/mistakes, and read the difference.
#include "test/gen/tokens.h"
#include "text/text.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct {
    Form form;
    const char *name;
} files[] = {
    {FORM_RTL, "rtl/asm.rtl"},          {FORM_RTL, "rtl/atomics.rtl"},
    {FORM_RTL, "rtl/calls.rtl"},        {FORM_RTL, "rtl/control.rtl"},
    {FORM_RTL, "rtl/globals.rtl"},      {FORM_RTL, "rtl/locations.rtl"},
    {FORM_RTL, "rtl/memory.rtl"},       {FORM_RTL, "rtl/names.rtl"},
    {FORM_RTL, "rtl/operators.rtl"},    {FORM_RTL, "rtl/varargs_and_stack.rtl"},
    {FORM_SSA, "ssa/loops.ssa"},        {FORM_SON, "son/memory.son"},
    {FORM_SON, "son/figure5.son"},      {FORM_GSA, "gsa/loops.gsa"},
    {FORM_MACH, "mach/unbounded.mach"}, {FORM_MACH, "mach/allocated.mach"},
};

// ---- One changed text

static void assert_round_trip(Arena *arena, Form form, const Program *program) {
    Out first = {0}, second = {0};
    Diag diag;
    diag_init(&diag, arena, NULL);
    program_print(&first, program, &(PrintOptions){.locations = true});
    Program *again = program_parse(arena, &diag, form, "again", first.text, first.length);
    if (!again) fail_msg("what was printed is not read: %s\n%s", diag.out.text, first.text);
    program_print(&second, again, &(PrintOptions){.locations = true});
    assert_int_equal(first.length, second.length);
    assert_memory_equal(first.text, second.text, first.length);
    out_free(&first);
    out_free(&second);
    diag_free(&diag);
}

static const char *outcome(Arena *arena, Form form, const char *text, size_t length) {
    Diag diag;
    diag_init(&diag, arena, NULL);
    Program *program = program_parse(arena, &diag, form, "text", text, length);
    const char *result = "taken";
    Complaints complaints = {.arena = arena};
    if (!program) {
        out_char(&diag.out, '\0');
        const char *message = strstr(diag.out.text, "error: ");
        assert_non_null(message);
        result = tokens_outline(arena, message);
    } else if (!verify_program(&complaints, program)) {
        result = arena_printf(arena, "verifier: %s: %s", complaints.list.at[0].rule,
                              tokens_outline(arena, complaints.list.at[0].message));
    } else {
        assert_round_trip(arena, form, program);
    }
    diag_free(&diag);
    return result;
}

static Form form; // of the file at hand

static const char *answer(Arena *arena, const char *text, size_t length) {
    return outcome(arena, form, text, length);
}

static void test_one_token(void **state) {
    (void)state;
    Arena *arena = arena_new("test");
    Out report = {0};
    for (uint32_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        const char *name = arena_printf(arena, "form/%s", files[i].name);
        const char *text = tokens_read(arena, name);
        form = files[i].form;
        assert_string_equal(answer(arena, text, strlen(text)), "taken");
        tokens_try(&report, files[i].name, text, 1, answer);
    }
    tokens_expect(arena, &report, "form/mistakes.txt");
    out_free(&report);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_token)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
