// Properties of functions, found from the functions alone: they agree with what the passes that
// give them make, and with a definition word by word; a function that lacks one is told so, with
// the reason.
#include "check/properties.h"
#include "pass/pass.h"
#include "test/gen/effort.h"
#include "test/gen/normal_form.h"
#include "test/gen/random_func.h"
#include "text/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bool has(Arena *arena, const Func *func, uint32_t properties) {
    return check_properties(arena, func, properties).accepted;
}

static void test_random(void **state) {
    (void)state;
    uint64_t normal_before = 0, open_before = 0;
    for (uint64_t seed = 1; seed <= effort(100, 600, 20000); seed++) {
        Arena *arena = arena_new("test");
        Program *program = program_new(arena);
        const Func *func =
            random_func(arena, program, random_options(seed % 3 ? 40 : 300, seed), seed);
        CopiesHint norm = {0};
        SsaHint built = {0};
        CloseLoopsHint closed = {0};
        if (has(arena, func, PROPERTY_NORMAL)) {
            normal_before++;
            if (func->nodes.count <= 64) assert_null(normal_form_defect(func));
        }
        const Func *normal = normalize(arena, func, &norm);
        Verdict verdict = check_properties(arena, normal, PROPERTY_NORMAL);
        if (!verdict.accepted) fail_msg("seed %ju: %s", (uintmax_t)seed, verdict.reason);
        assert_int_equal(properties_kept(normal, normal, PROPERTY_NORMAL), PROPERTY_NORMAL);
        const Func *ssa = ssa_build(arena, normal, &built);
        assert_int_equal(properties_kept(normal, ssa, PROPERTY_CLOSED), PROPERTY_NORMAL);
        const Func *copied = close_loops(arena, ssa, &closed);
        open_before += copied != NULL;
        assert_int_equal(has(arena, ssa, PROPERTY_CLOSED), copied == NULL);
        verdict = check_properties(arena, copied ? copied : ssa, PROPERTY_CLOSED);
        if (!verdict.accepted) fail_msg("seed %ju: %s", (uintmax_t)seed, verdict.reason);
        arena_free(arena);
    }
    print_message("%ju were in normal form, %ju were not closed\n", (uintmax_t)normal_before,
                  (uintmax_t)open_before);
    assert_true(normal_before > 0 && open_before > 0);
}

// ---- Functions that lack something

static const struct {
    uint32_t properties;
    Form form;
    const char *reason;
    const char *text;
} lacking[] = {
    {PROPERTY_NORMAL, FORM_RTL, "nodes cannot be reached",
     "function i32 @f(i32 %n) {\n"
     "  0: nop -> 2\n"
     "  1: nop\n"
     "  2: return %n\n"
     "}\n"},
    {PROPERTY_NORMAL, FORM_RTL, "the numbering is not a reverse postorder",
     "function i32 @f(i32 %n) {\n"
     "  0: nop -> 2\n"
     "  1: return %n\n"
     "  2: nop -> 1\n"
     "}\n"},
    {PROPERTY_NORMAL, FORM_RTL, "an instruction other than nop leads to join 2",
     "function i32 @f(i32 %n) {\n"
     "  0: if lt.i32 %n, 0 then 1 else 2\n"
     "  1: nop\n"
     "  2: return %n\n"
     "}\n"},
    {PROPERTY_NORMAL, FORM_RTL, "its loop has no header",
     "function i32 @f(i32 %n) {\n"
     "  0: if lt.i32 %n, 0 then 1 else 2\n"
     "  1: nop -> 4\n"
     "  2: nop -> 3\n"
     "  3: nop -> 4\n"
     "  4: nop -> 3\n"
     "}\n"},
    {PROPERTY_NORMAL, FORM_RTL, "the loop has 2 latches",
     "function i32 @f(i32 %n) {\n"
     "  0: nop\n"
     "  1: if lt.i32 %n, 0 then 2 else 3\n"
     "  2: nop -> 1\n"
     "  3: nop -> 1\n"
     "}\n"},
    {PROPERTY_NORMAL, FORM_RTL, "leaves a loop without a landing pad",
     "function i32 @f(i32 %n) {\n"
     "  0: nop\n"
     "  1: if lt.i32 %n, 0 then 2 else 3\n"
     "  2: nop -> 1\n"
     "  3: return %n\n"
     "}\n"},
    // The same with a pad, and with copies between two: normal.
    {PROPERTY_NORMAL, FORM_RTL, NULL,
     "function i32 @f(i32 %n) {\n"
     "  0: nop\n"
     "  1: if lt.i32 %n, 0 then 2 else 3\n"
     "  2: nop -> 1\n"
     "  3: nop\n"
     "  4: return %n\n"
     "}\n"},
#define TWO_LOOPS(between)                                                                         \
    "function i32 @f(i32 %n.0) {\n"                                                                \
    "  0: nop\n"                                                                                   \
    "  1: %i.1 = phi(0: %n.0, 7: %k.1)\n"                                                          \
    "  1: nop\n"                                                                                   \
    "  2: %k.1 = phi(1: %i.1, 5: %m.1)\n"                                                          \
    "  2: %m.1 = add.i32 %k.1, 1\n"                                                                \
    "  3: if lt.i32 %m.1, 7 then 4 else 8\n"                                                       \
    "  4: if gt.i32 %m.1, 3 then 5 else 6\n"                                                       \
    "  5: nop -> 2\n"                                                                              \
    "  6: nop\n"                                                                                   \
    "  7: nop -> 1\n"                                                                              \
    "  8: nop\n" between
    {PROPERTY_NORMAL, FORM_SSA, NULL,
     TWO_LOOPS("  9: %r.1 = move.i32 %m.1\n"
               "  10: nop\n"
               "  11: return %r.1\n}\n")},
    {PROPERTY_NORMAL, FORM_SSA, "leaves a loop without a landing pad",
     TWO_LOOPS("  9: %r.1 = add.i32 %m.1, 1\n"
               "  10: nop\n"
               "  11: return %r.1\n}\n")},
    // 7 brings what the inner loop sets to the header of the outer one, from outside of the inner
    // one.
    {PROPERTY_CLOSED, FORM_SSA, "it reads what the loop of 2 sets, and is no copy behind a pad",
     TWO_LOOPS("  9: %r.1 = move.i32 %m.1\n"
               "  10: nop\n"
               "  11: return %r.1\n}\n")},
#define ONE_LOOP(behind)                                                                           \
    "function i32 @f(i32 %n.0) {\n"                                                                \
    "  0: nop\n"                                                                                   \
    "  1: %i.1 = phi(0: %n.0, 3: %i.2)\n"                                                          \
    "  1: %i.2 = add.i32 %i.1, 1\n"                                                                \
    "  2: if lt.i32 %i.2, 7 then 3 else 4\n"                                                       \
    "  3: nop -> 1\n"                                                                              \
    "  4: nop\n" behind
    {PROPERTY_CLOSED, FORM_SSA, NULL,
     ONE_LOOP("  5: %a.1 = move.i32 %i.1\n  6: %b.1 = move.i32 %i.2\n  7: return %b.1\n}\n")},
    {PROPERTY_CLOSED, FORM_SSA, "it reads what the loop of 1 sets",
     ONE_LOOP("  5: return %i.2\n}\n")},
    {PROPERTY_CLOSED, FORM_SSA, "it reads what the loop of 1 sets",
     ONE_LOOP("  5: %a.1 = add.i32 %i.2, 1\n  6: return %a.1\n}\n")},
    // Not behind the pad: something else is between.
    {PROPERTY_CLOSED, FORM_SSA, "it reads what the loop of 1 sets",
     ONE_LOOP("  5: %a.1 = const.i32 1\n  6: %b.1 = move.i32 %i.2\n  7: return %b.1\n}\n")},
};

static void test_lacking(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof lacking / sizeof lacking[0]; i++) {
        Arena *arena = arena_new("test");
        Diag diag;
        diag_init(&diag, arena, NULL);
        Program *program = program_parse(arena, &diag, lacking[i].form, "f", lacking[i].text,
                                         strlen(lacking[i].text));
        if (!program) fail_msg("%zu: %.*s", i, (int)diag.out.length, diag.out.text);
        Verdict verdict =
            check_properties(arena, program->symbols.at[0].func, lacking[i].properties);
        if (verdict.accepted != !lacking[i].reason ||
            (lacking[i].reason && !strstr(verdict.reason, lacking[i].reason)))
            fail_msg("%zu: %s", i, verdict.accepted ? "accepted" : verdict.reason);
        diag_free(&diag);
        arena_free(arena);
    }
}

// Another edge, another node, or something in the place of a nop: nothing is known to be kept.
static void test_kept(void **state) {
    (void)state;
    Arena *arena = arena_new("test");
    Program *program = program_new(arena);
    CopiesHint hint = {0};
    const Func *before =
        normalize(arena, random_func(arena, program, (RandomOptions){.nodes = 100}, 5), &hint);
    uint32_t nop = 0, branch = 0;
    while (before->nodes.at[nop].kind != I_NOP) nop++;
    while (before->nodes.at[branch].kind != I_COND) branch++;
    Func *after = func_clone(before, arena);
    assert_int_equal(properties_kept(before, after, PROPERTY_NORMAL), PROPERTY_NORMAL);
    assert_int_equal(properties_kept(before, after, PROPERTY_NOTHING), PROPERTY_NOTHING);
    after->nodes.at[nop].kind = I_OP;
    assert_int_equal(properties_kept(before, after, PROPERTY_NORMAL), PROPERTY_NOTHING);
    assert_int_equal(properties_kept(after, before, PROPERTY_NORMAL), PROPERTY_NORMAL);
    after = func_clone(before, arena);
    after->nodes.at[branch].succ[0] = after->nodes.at[branch].succ[1];
    assert_int_equal(properties_kept(before, after, PROPERTY_NORMAL), PROPERTY_NOTHING);
    after = func_clone(before, arena);
    func_nop(after, (Node){0});
    assert_int_equal(properties_kept(before, after, PROPERTY_NORMAL), PROPERTY_NOTHING);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_lacking),
        cmocka_unit_test(test_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
