// Whoever asks commit.c to take something wrong is refused, whatever the order of questions.
#include "pipeline/commit.h"
#include "pass/pass.h"
#include "text/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct {
    Arena *arena, *tables;
    Diag diag;
    Program *program;
    const Func *f, *g;
    Commit *commit;
    uint32_t finished;
} World;

static World world(void) {
    static const char text[] = "function i32 @f(i32 %n) {\n"
                               "  0: %x = const.i32 1\n"
                               "  1: if lt.i32 %x, %n then 2 else 3\n"
                               "  2: %x = add.i32 %x, %x -> 1\n"
                               "  3: return %x\n"
                               "}\n"
                               "function i32 @g(i32 %n) {\n"
                               "  0: return %n\n"
                               "}\n";
    World w = {.arena = arena_new("world"), .tables = arena_new("tables")};
    diag_init(&w.diag, w.arena, NULL);
    w.program = program_parse(w.arena, &w.diag, FORM_RTL, "f.rtl", text, strlen(text));
    assert_non_null(w.program);
    w.f = w.program->symbols.at[0].func;
    w.g = w.program->symbols.at[1].func;
    w.commit = commit_new(w.arena);
    return w;
}

static void end(World *w) {
    commit_free(w->commit);
    diag_free(&w->diag);
    arena_free(w->tables);
    arena_free(w->arena);
}

static void begin(World *w, const Func *func, CheckMode check) {
    commit_begin(w->commit, &(CommitRules){.check = check}, func);
}

// The normal form of a function, with another constant if that is asked for.
static Verdict take_normal(World *w, const Func *func, bool lie) {
    uint32_t room = commit_room(w->commit, COMMIT_ROOMS);
    CopiesHint *hint = ARENA_NEW(commit_arena(w->commit, room), CopiesHint);
    Func *after = normalize(commit_arena(w->commit, room), func, hint);
    after->nodes.at[0].imm += lie;
    return commit_take(w->commit, PASS_normalize, room, after, hint, NULL);
}

// An output that is not where the loop says could be emptied while it counts.
static void test_wrong_room(void **state) {
    (void)state;
    World w = world();
    begin(&w, w.f, CHECK_FAST);
    uint32_t room = commit_room(w.commit, COMMIT_ROOMS), other = commit_room(w.commit, room);
    CopiesHint *hint = ARENA_NEW(w.arena, CopiesHint);
    Func *after = normalize(commit_arena(w.commit, room), w.f, hint);
    assert_false(commit_take(w.commit, PASS_normalize, other, after, hint, NULL).accepted);
    assert_false(commit_take(w.commit, PASS_normalize, COMMIT_ROOMS, after, hint, NULL).accepted);
    assert_ptr_equal(commit_accepted(w.commit), w.f);
    assert_true(commit_take(w.commit, PASS_normalize, room, after, hint, NULL).accepted);
    // Who begins with an accepted function does not lose it.
    begin(&w, after, CHECK_FAST);
    assert_int_not_equal(commit_room(w.commit, COMMIT_ROOMS), room);
    end(&w);
}

static void test_take(void **state) {
    (void)state;
    World w = world();
    begin(&w, w.f, CHECK_FAST);
    assert_false(take_normal(&w, w.f, true).accepted);
    assert_ptr_equal(commit_accepted(w.commit), w.f);
    assert_true(take_normal(&w, w.f, false).accepted);
    const Func *normal = commit_accepted(w.commit);
    assert_ptr_not_equal(normal, w.f);
    // What was accepted is what counts, not what the transform was given.
    begin(&w, w.g, CHECK_FAST);
    assert_false(take_normal(&w, w.f, false).accepted);
    assert_ptr_equal(commit_accepted(w.commit), w.g);
    begin(&w, w.f, CHECK_OFF);
    assert_true(take_normal(&w, w.f, true).accepted);
    end(&w);
}

// A pass without a checker is never taken, and no pass between other forms.
static void test_no_kernel(void **state) {
    (void)state;
    static const CheckMode modes[] = {CHECK_STEPS, CHECK_MATRIX, CHECK_FAST};
    World w = world();
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        for (PassId pass = 0; pass < PASS_COUNT; pass++) {
            begin(&w, w.f, modes[i]);
            if (!pass_is_inner(pass) && pass_compares(pass) == FORM_RTL &&
                pass_table[pass].to == FORM_RTL)
                continue;
            uint32_t room = commit_room(w.commit, COMMIT_ROOMS);
            const Func *after = func_clone(w.f, commit_arena(w.commit, room));
            assert_false(commit_take(w.commit, pass, room, after, NULL, NULL).accepted);
            assert_ptr_equal(commit_accepted(w.commit), w.f);
        }
    end(&w);
}

// The accepted function is in no room that somebody gets.
static void test_rooms(void **state) {
    (void)state;
    World w = world();
    begin(&w, w.f, CHECK_FAST);
    assert_true(take_normal(&w, w.f, false).accepted);
    const Func *normal = commit_accepted(w.commit);
    for (uint32_t other = 0; other <= COMMIT_ROOMS; other++) {
        uint32_t room = commit_room(w.commit, other);
        assert_true(room < COMMIT_ROOMS);
        assert_int_not_equal(room, other);
        assert_ptr_not_equal(commit_arena(w.commit, room), normal->arena);
    }
    end(&w);
}

static void note(void *finisher, const Func *func) {
    World *w = finisher;
    assert_ptr_equal(func, commit_accepted(w->commit));
    w->finished++;
}

// Nothing is offered or finished but what comes from the program.
static void test_origin(void **state) {
    (void)state;
    World w = world();
    begin(&w, w.f, CHECK_FAST);
    assert_false(commit_finish(w.commit, note, &w)); // no program is open
    assert_false(commit_offer(w.commit, false));
    commit_open(w.commit, w.program, true, w.tables);
    begin(&w, func_clone(w.f, w.arena), CHECK_FAST);
    assert_false(commit_finish(w.commit, note, &w));
    assert_false(commit_offer(w.commit, false));
    assert_int_equal(w.finished, 0);
    begin(&w, w.f, CHECK_FAST);
    assert_true(take_normal(&w, w.f, false).accepted);
    assert_true(commit_offer(w.commit, false));
    assert_false(commit_offer(w.commit, false)); // once and for all
    const Func *body = body_of(commit_bodies(w.commit), w.f->symbol).rtl;
    assert_ptr_not_equal(body, commit_accepted(w.commit));
    begin(&w, body, CHECK_FAST);
    assert_true(commit_finish(w.commit, note, &w));
    assert_int_equal(w.finished, 1);
    assert_int_equal(commit_missing(w.commit).i, w.g->symbol.i);
    commit_close(w.commit);
    end(&w);
}

// What somebody looks at is not finished.
static void test_keep(void **state) {
    (void)state;
    World w = world();
    commit_open(w.commit, w.program, true, w.tables);
    begin(&w, w.f, CHECK_FAST);
    Func *other = func_clone(w.f, w.arena);
    other->nodes.at[0].imm++;
    commit_keep(w.commit, other);
    const Func *kept = w.program->symbols.at[0].func;
    assert_int_equal(kept->nodes.at[0].imm, 2);
    begin(&w, kept, CHECK_FAST);
    assert_false(commit_finish(w.commit, note, &w));
    assert_false(commit_offer(w.commit, false));
    begin(&w, w.g, CHECK_FAST);
    assert_true(commit_finish(w.commit, note, &w));
    assert_int_equal(w.finished, 1);
    commit_close(w.commit);
    end(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_take),      cmocka_unit_test(test_wrong_room),
        cmocka_unit_test(test_no_kernel), cmocka_unit_test(test_rooms),
        cmocka_unit_test(test_origin),    cmocka_unit_test(test_keep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
