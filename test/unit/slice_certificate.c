// Certificates of slices: those of random slices are valid; with every mistake that one token can
// make, and with random damage, they are told to be unreadable, found wrong, or show something that
// is right; and they are none of compilations.
//
// test/cert/slice.gcert is what gate slice test/cert/slice.c --function f --variable return
// --certificate makes. If the format has changed, make it again; then GATE_UPDATE=1
// build/unit/slice_certificate, and read the difference of test/cert/slice_mistakes.txt.
#include "certify/certify_slice.h"
#include "check/replay/replay_slice.h"
#include "slice/slice.h"
#include "slice/slice_hint.h"
#include "test/gen/damage.h"
#include "test/gen/effort.h"
#include "test/gen/random_func.h"
#include "test/gen/slice_cut.h"
#include "test/gen/tokens.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static ReplayStatus replay(Arena *arena, const char *text, size_t length, const char **message) {
    Diag diag;
    diag_init(&diag, arena, NULL);
    diag.error_limit = 1;
    SliceReplay replay = {.arena = arena, .diag = &diag};
    ReplayStatus status = replay_slice(&replay, "f.gcert", text, length);
    out_char(&diag.out, '\0');
    const char *error = strstr(diag.out.text, "error: ");
    *message = error ? arena_text(arena, error + 7, strlen(error + 7)) : "";
    assert_int_equal(status == REPLAY_VALID, diag.errors == 0);
    if (status == REPLAY_VALID) {
        Out report = {0};
        slice_report(&report, &replay);
        assert_true(report.length > 0);
        out_free(&report);
    }
    diag_free(&diag);
    return status;
}

// ---- One token

static const char *answer(Arena *arena, const char *text, size_t length) {
    Out whole = {0};
    out_bytes(&whole, text, length);
    if (length > 25) damage_rehash(&whole);
    const char *message;
    ReplayStatus status = replay(arena, whole.text, whole.length, &message);
    out_free(&whole);
    if (status == REPLAY_VALID) return "valid";
    return arena_printf(arena, "%s: %s", status == REPLAY_INVALID ? "invalid" : "unreadable",
                        tokens_outline(arena, message));
}

static void test_one_token(void **state) {
    (void)state;
    Arena *arena = arena_new("test");
    Out report = {0};
    const char *text = tokens_read(arena, "cert/slice.gcert");
    assert_string_equal(answer(arena, text, strlen(text)), "valid");
    tokens_try(&report, "slice.gcert", text, 1, answer);
    tokens_expect(arena, &report, "cert/slice_mistakes.txt");
    out_free(&report);
    arena_free(arena);
}

// ---- Random ones

static Out random_certificate(Arena *arena, uint64_t seed) {
    Random random = random_from(seed);
    Program *program = program_new(arena);
    RandomOptions options = random_options(60, seed);
    const Func *func = random_func(arena, program, options, seed);
    program_at(program, func->symbol)->func = func;
    Program *before = program_twin(arena, program), *after = program_twin(arena, before);
    func = program_at(before, func->symbol)->func;
    SliceCalls calls = slice_calls_of(arena, before);
    SliceVariables variables = slice_variables_of(arena, func, &calls);
    SliceDemand *demand = slice_demand_new(arena, &variables, (SliceOptions){0});
    SlicePoint point = {.node = {random_below(&random, func->nodes.count)}};
    while (func->nodes.at[point.node.i].kind == I_NOP)
        point.node.i = random_below(&random, func->nodes.count);
    point.variable = seed % 3 ? random_below(&random, variables.count) : NO_ID;
    slice_demand_node(demand, point.node);
    if (point.variable != NO_ID) slice_demand_variable(demand, point.node, point.variable);
    slice_demand_close(demand);
    SliceRequest request = {.symbol = func->symbol,
                            .kept = slice_demand_kept(demand),
                            .points = &point,
                            .point_count = 1};
    SliceHint *first = slice_hint_make(arena, before, after, &request, 1);
    slice_cut(arena, &random, after, func->symbol, first->functions.at[0].next.at);
    return certify_slice(before, after, slice_hint_make(arena, before, after, &request, 1));
}

static void test_random(void **state) {
    (void)state;
    Arena *arena = arena_new("certificate");
    uint64_t count = effort(20, 300, 5000), counts[3] = {0};
    for (uint64_t seed = 1; seed <= count; seed++) {
        Out text = random_certificate(arena, seed);
        const char *message;
        if (replay(arena, text.text, text.length, &message) != REPLAY_VALID)
            fail_msg("seed %llu: %s", (unsigned long long)seed, message);
        Random random = random_from(seed);
        for (uint32_t i = 0; i < 8; i++) {
            Out damaged = {0};
            out_bytes(&damaged, text.text, text.length);
            damage_text(&random, &damaged);
            damage_rehash(&damaged);
            counts[replay(arena, damaged.text, damaged.length, &message)]++;
            out_free(&damaged);
        }
        out_free(&text);
        arena_reset(arena);
    }
    print_message("%llu valid; of damaged ones, %llu valid, %llu invalid, %llu unreadable\n",
                  (unsigned long long)count, (unsigned long long)counts[REPLAY_VALID],
                  (unsigned long long)counts[REPLAY_INVALID],
                  (unsigned long long)counts[REPLAY_UNREADABLE]);
    assert_true(counts[REPLAY_INVALID] > count && counts[REPLAY_UNREADABLE] > count);
    arena_free(arena);
}

// ---- What it is none of

static ReplayStatus replay_compiled(Arena *arena, const char *text) {
    Diag diag;
    diag_init(&diag, arena, NULL);
    Replay replay = {.diag = &diag};
    ReplayStatus status = replay_certificate(&replay, "f.gcert", text, strlen(text));
    diag_free(&diag);
    return status;
}

static void test_kinds(void **state) {
    (void)state;
    Arena *arena = arena_new("test");
    const char *slice = tokens_read(arena, "cert/slice.gcert");
    const char *compiled = tokens_read(arena, "cert/sample.gcert"), *message;
    assert_true(is_slice_certificate(slice, strlen(slice)));
    assert_false(is_slice_certificate(compiled, strlen(compiled)));
    assert_int_equal(replay_compiled(arena, slice), REPLAY_UNREADABLE);
    assert_int_equal(replay(arena, compiled, strlen(compiled), &message), REPLAY_UNREADABLE);
    for (size_t length = 0; length < strlen(slice); length++)
        assert_int_equal(replay(arena, slice, length, &message), REPLAY_UNREADABLE);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_token),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
