// Runs that are watched: a record has every item that is executed, once and in order, with its
// value and depth; it is bounded and touches nothing; and to be watched changes nothing.
#include "watch/watch_record.h"

#include "verify/verify.h"
#include "watch/watch_items.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static Program *parse(Arena *arena, Form form, const char *text) {
    Diag diag;
    diag_init(&diag, arena, stderr);
    Program *program = program_parse(arena, &diag, form, "text", text, strlen(text));
    assert_non_null(program);
    Complaints complaints = {.arena = arena};
    assert_true(verify_program(&complaints, program));
    diag_free(&diag);
    return program;
}

static const char loop[] = "extern function i32 @putchar(i32)\n"
                           "function i32 @twice(i32 %x) static {\n"
                           "  0: %y = add.i32 %x, %x\n"
                           "  1: return %y\n"
                           "}\n"
                           "function i32 @main() {\n"
                           "  0: %i = const.i32 0\n"
                           "  1: if lt.i32 %i, 3 then 2 else 5\n"
                           "  2: %t = call @twice(%i)\n"
                           "  3: call @putchar(%t)\n"
                           "  4: %i = add.i32 %i, 1 -> 1\n"
                           "  5: return %i\n"
                           "}\n";

static void record(Arena *arena, const Program *program, uint32_t limit, RunRecord *to) {
    char *argv[] = {(char *)"program", NULL};
    watch_record(arena, program, 1, argv, limit, to);
}

static void test_items(void **state) {
    (void)state;
    // node and depth of each item, and what it set
    static const struct {
        uint32_t node, depth;
        const char *value;
    } wanted[] = {{0, 1, "0"}, {1, 1, NULL}, {0, 2, "0"}, {1, 2, NULL}, {2, 1, "0"}, {3, 1, NULL},
                  {4, 1, "1"}, {1, 1, NULL}, {0, 2, "2"}, {1, 2, NULL}, {2, 1, "2"}, {3, 1, NULL},
                  {4, 1, "2"}, {1, 1, NULL}, {0, 2, "4"}, {1, 2, NULL}, {2, 1, "4"}, {3, 1, NULL},
                  {4, 1, "3"}, {1, 1, NULL}, {5, 1, NULL}};
    enum { COUNT = sizeof wanted / sizeof wanted[0] };
    Arena *arena = arena_new("test");
    RunRecord found;
    record(arena, parse(arena, FORM_RTL, loop), 1000, &found);
    assert_int_equal(found.steps.count, COUNT);
    assert_string_equal(found.end, "exit 3");
    assert_false(found.cut);
    uint32_t depth = 0, left = 0;
    for (uint32_t i = 0; i < COUNT; i++, left--) {
        const RecordStep *step = &found.steps.at[i];
        if (!left) left = found.depths.at[depth++].count;
        assert_int_equal(step->item.kind, ITEM_INSTR);
        assert_int_equal(step->item.node, wanted[i].node);
        assert_int_equal(found.depths.at[depth - 1].depth, wanted[i].depth);
        if (wanted[i].value)
            assert_string_equal(found.values.at[step->value], wanted[i].value);
        else
            assert_int_equal(step->value, NO_ID);
    }
    assert_int_equal(depth, found.depths.count);
    for (uint32_t i = 0; i < found.values.count; i++)
        for (uint32_t k = 0; k < i; k++)
            assert_string_not_equal(found.values.at[i], found.values.at[k]);
    assert_true(found.events.count >= 3);
    assert_int_equal(found.events.at[0].step, 5);
    arena_free(arena);
}

static void test_limit(void **state) {
    (void)state;
    Arena *arena = arena_new("test");
    RunRecord found;
    const Program *endless = parse(arena, FORM_RTL,
                                   "function i32 @main() {\n"
                                   "  0: %i = const.i32 0\n"
                                   "  1: %i = add.i32 %i, 1 -> 1\n"
                                   "}\n");
    record(arena, endless, 100, &found);
    assert_true(found.cut);
    assert_true(found.steps.count >= 99 && found.steps.count <= 200);
    // a limit that is met exactly is no cut
    record(arena, parse(arena, FORM_RTL, loop), 21, &found);
    assert_false(found.cut);
    record(arena, parse(arena, FORM_RTL, loop), 20, &found);
    assert_true(found.cut);
    arena_free(arena);
}

// The program cannot make a file, and reads nothing.
static void test_nothing_touched(void **state) {
    (void)state;
    Arena *arena = arena_new("test");
    RunRecord found;
    const Program *program = parse(arena, FORM_RTL,
                                   "extern function i64 @fopen(i64, i64)\n"
                                   "extern function i32 @getchar()\n"
                                   "global @name size 14 align 1 const = \"watch-test-no\\x00\"\n"
                                   "global @mode size 2 align 1 const = \"w\\x00\"\n"
                                   "function i32 @main() {\n"
                                   "  0: %n = addr @name\n"
                                   "  1: %m = addr @mode\n"
                                   "  2: %f = call @fopen(%n, %m)\n"
                                   "  3: %c = call @getchar()\n"
                                   "  4: if eq.i64 %f, 0 then 6 else 5\n"
                                   "  5: %c = const.i32 7\n"
                                   "  6: return %c\n"
                                   "}\n");
    record(arena, program, 100, &found);
    assert_string_equal(found.end, "exit -1");
    assert_int_not_equal(access("watch-test-no", F_OK), 0);
    arena_free(arena);
}

// ---- To be watched changes nothing

static bool see_step(void *context, Interpreter *in) {
    return watch_items_step(context, in);
}

static bool see_value(void *context, Interpreter *in, uint32_t which) {
    return watch_items_value(context, in, which);
}

static void run(Arena *arena, const Program *program, const RunObserver *observer,
                RunResult *result) {
    char *argv[] = {(char *)"program", NULL};
    RunOptions options = {.fuel = 1000, .capture = true, .observer = observer};
    rtl_run(arena, program, 1, argv, &options, result);
}

static void test_same_behaviour(void **state) {
    (void)state;
    Arena *arena = arena_new("test");
    const Program *program = parse(arena, FORM_RTL, loop);
    RunResult plain, watched;
    WatchItems *items = watch_items_new(arena, &(WatchHooks){0});
    RunObserver observer = {.step = see_step, .value = see_value, .context = items};
    run(arena, program, NULL, &plain);
    run(arena, program, &observer, &watched);
    assert_int_equal(plain.behaviour.end, watched.behaviour.end);
    assert_int_equal(plain.behaviour.status, watched.behaviour.status);
    assert_int_equal(plain.behaviour.steps, watched.behaviour.steps);
    assert_int_equal(plain.behaviour.event_hashes.count, watched.behaviour.event_hashes.count);
    assert_int_equal(plain.output.length, watched.output.length);
    const char *difference;
    assert_true(behaviour_refines(arena, &plain.behaviour, &watched.behaviour, &difference));
    out_free(&plain.output);
    out_free(&watched.output);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_items),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_nothing_touched),
        cmocka_unit_test(test_same_behaviour),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
