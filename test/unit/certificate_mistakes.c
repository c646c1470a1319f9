// Every mistake that one token can make in a certificate, with its hash made right: what cannot be
// read is told, and what can be read is found wrong, or is right. The counts are in
// test/cert/mistakes.txt; see test/unit/mistakes.c.
//
// test/cert/sample.gcert is what gate certify makes of test/cert/sample.c;
// test/cert/one_by_one.gcert with --off=son_build and
// --on=copy_prop,sccp,lvn,gvn; test/cert/schedule.gcert is made of
// test/cert/schedule.c. If the format has changed, make them again; then GATE_UPDATE=1
// build/unit/certificate_mistakes, and read the difference.
#include "check/replay/replay.h"
#include "test/gen/damage.h"
#include "test/gen/tokens.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Of what is wrong only the step is named: reasons are the matter of test/forge.
static const char *answer(Arena *arena, const char *text, size_t length) {
    Out whole = {0};
    out_bytes(&whole, text, length);
    if (length > 25) damage_rehash(&whole);
    Diag diag;
    diag_init(&diag, arena, NULL);
    Replay replay = {.diag = &diag};
    ReplayStatus status = replay_certificate(&replay, "f.gcert", whole.text, whole.length);
    out_char(&diag.out, '\0');
    const char *result = "valid";
    const char *message = strstr(diag.out.text, "error: ");
    if (status == REPLAY_UNREADABLE)
        result = arena_printf(arena, "unreadable: %s", tokens_outline(arena, message + 7));
    if (status == REPLAY_INVALID) {
        const char *step = strstr(message, ", ");
        step = step ? step + 2 : message;
        result = arena_printf(arena, "invalid: %.*s", (int)strcspn(step, ":"), step);
    }
    assert_int_equal(status == REPLAY_VALID, diag.errors == 0);
    diag_free(&diag);
    out_free(&whole);
    return result;
}

static void test_one_token(void **state) {
    (void)state;
    Arena *arena = arena_new("test");
    Out report = {0};
    static const char *const names[] = {"sample.gcert", "one_by_one.gcert", "schedule.gcert"};
    for (uint32_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *text = tokens_read(arena, arena_printf(arena, "cert/%s", names[i]));
        assert_string_equal(answer(arena, text, strlen(text)), "valid");
        tokens_try(&report, names[i], text, 1, answer);
    }
    tokens_expect(arena, &report, "cert/mistakes.txt");
    out_free(&report);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_token)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
