// Forged removals: wrong functions that check_dead_code must reject, each for the right reason.
// What would leave a register without definition is the verifier's business; those forgeries are at
// the end.
#include "check/checkers.h"
#include "check/passes.h"
#include "pass/pass.h"
#include "pass/values/values_hint.h"
#include "test/gen/forge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Dead are %d, %e, the load %l and the phis %s and %t, which feed each other; all else has an
// effect.
static const char loop[] = "function i32 @f(i32 %n.0, i32 %m.0) {\n"
                           "  slot $s size 8 align 8\n"
                           "  reg i32 %u.0\n"
                           "  0: %i.1 = const.i32 0\n"
                           "  1: %d.1 = add.i32 %n.0, %m.0\n"
                           "  2: %l.1 = load.i32 [$s]\n"
                           "  3: nop\n"
                           "  4: %i.2 = phi(3: %i.1, 12: %i.3)\n"
                           "  4: %s.2 = phi(3: %d.1, 12: %t.2)\n"
                           "  4: %t.2 = phi(3: %u.0, 12: %s.2)\n"
                           "  4: %k.2 = phi(3: %n.0, 12: %i.2)\n"
                           "  4: if lt.i32 %i.2, %n.0 then 5 else 13\n"
                           "  5: %i.3 = add.i32 %i.2, 1\n"
                           "  6: store.i32 [$s], %k.2\n"
                           "  7: %c.1 = call @getchar()\n"
                           "  8: %e.1 = divs.i32 %c.1, %i.2\n"
                           "  9: call @exit(%i.3)\n"
                           "  10: %v.1 = volatile_load.i32 [@g]\n"
                           "  11: check %m.0\n"
                           "  12: nop -> 4\n"
                           "  13: nop\n"
                           "  14: switch %k.2 { 1: 15, 2: 16, default: 17 }\n"
                           "  15: return %i.2\n"
                           "  16: return %k.2\n"
                           "  17: return %m.0\n"
                           "}\n"
                           "global @g size 8 align 8\n"
                           "extern function i32 @getchar()\n"
                           "extern function void @exit(i32)\n";

static Verdict check(Arena *arena, const Func *before, const Func *after, const void *hint) {
    return pass_check(PASS_dead_code, arena, NULL, before, after,
                      explain_DeadCodeHint(arena, before, after, hint));
}

static Forgery start(void) {
    Forgery forgery = {.arena = arena_new("forgery"), .check = check, .by_values = true};
    DeadCodeHint *hint = ARENA_NEW(forgery.arena, DeadCodeHint);
    forgery.before = forge_parse(forgery.arena, FORM_SSA, loop);
    forgery.after = dead_code(forgery.arena, forgery.before, hint);
    forgery.hint = hint;
    assert_non_null(forgery.after);
    return forgery;
}

static const char changed[] = "the instruction has changed";
static const char successors[] = "its successors differ";

static const CodeForgery wrong_code[] = {
    // effects that are gone
    {changed, {{"store.i32 [$s], %k.2", "nop"}}},
    {changed, {{"%c.1 = call @getchar()", "nop"}}},
    {changed, {{"call @exit(%i.3)", "nop"}}},
    {changed, {{"%v.1 = volatile_load.i32 [@g]", "nop"}}},
    {changed, {{"check %m.0", "nop"}}},
    {successors, {{"if lt.i32 %i.2, %n.0 then 5 else 13", "nop"}}},
    {successors, {{"14: switch %k.2 { 1: 15, 2: 16, default: 17 }", "14: nop"}}},
    // instructions that differ
    {changed, {{"%i.1 = const.i32 0", "%i.1 = const.i32 1"}}},
    {changed, {{"add.i32 %i.2, 1", "add.i32 %i.2, 2"}}},
    {changed, {{"add.i32 %i.2, 1", "sub.i32 %i.2, 1"}}},
    {changed, {{"add.i32 %i.2, 1", "add.i32 %k.2, 1"}}},
    {changed, {{"add.i32 %i.2, 1", "add.i32 %i.2, %m.0"}}},
    {changed, {{"store.i32 [$s], %k.2", "store.i32 [$s], %i.2"}}},
    {changed, {{"store.i32 [$s], %k.2", "store.i16 [$s], %k.2"}}},
    {changed, {{"store.i32 [$s], %k.2", "store.i32 [$s + 4], %k.2"}}},
    {changed, {{"store.i32 [$s], %k.2", "store.i32 [@g], %k.2"}}},
    {changed, {{"call @exit(%i.3)", "call @exit(%i.2)"}}},
    {changed, {{"%c.1 = call @getchar()", "%c.1 = load.i32 [$s]"}}},
    {changed, {{"volatile_load.i32 [@g]", "volatile_load.i32 [@g + 4]"}}},
    {changed, {{"%v.1 = volatile_load.i32 [@g]", "%v.1 = load.i32 [@g]"}}},
    {changed, {{"check %m.0", "check %n.0"}}},
    {changed, {{"15: return %i.2", "15: return %k.2"}}},
    {changed, {{"if lt.i32 %i.2, %n.0", "if le.i32 %i.2, %n.0"}}},
    {changed, {{"if lt.i32 %i.2, %n.0", "if lt.i32 %n.0, %i.2"}}},
    {changed, {{"{ 1: 15, 2: 16, default", "{ 1: 15, 3: 16, default"}}},
    {changed, {{"switch %k.2 {", "switch %i.2 {"}}},
    // nops that do something
    {changed, {{"13: nop", "13: %z.1 = const.i32 1"}}},
    {changed, {{"13: nop", "13: store.i32 [$s], %m.0"}}},
    {changed, {{"  1: nop", "  1: %d.1 = sub.i32 %n.0, %m.0"}}},
    {changed, {{"  2: nop", "  2: %l.1 = load.i32 [$s + 4]"}}},
    {changed, {{"  2: nop", "  2: store.i32 [$s], %m.0"}}},
    // edges
    {successors, {{"if lt.i32 %i.2, %n.0 then 5 else 13", "if lt.i32 %i.2, %n.0 then 13 else 5"}}},
    {successors, {{"{ 1: 15, 2: 16, default: 17 }", "{ 1: 16, 2: 15, default: 17 }"}}},
    {successors, {{"{ 1: 15, 2: 16, default: 17 }", "{ 1: 15, 2: 17, default: 16 }"}}},
    // phis
    {"phi 0 has changed", {{"phi(3: %i.1, 12: %i.3)", "phi(3: %n.0, 12: %i.3)"}}},
    {"phi 0 has changed", {{"phi(3: %i.1, 12: %i.3)", "phi(3: %i.1, 12: %i.2)"}}},
    {"phi 1 has changed", {{"phi(3: %n.0, 12: %i.2)", "phi(3: %m.0, 12: %i.2)"}}},
    {"phi 1 has changed", {{"phi(3: %n.0, 12: %i.2)", "phi(3: %n.0, 12: %k.2)"}}},
    {"phi 0 is new", {{"4: %i.2 = phi", "4: %z.2 = phi(3: %n.0, 12: %n.0)\n  4: %i.2 = phi"}}},
    {"phi 2 is new", {{"4: if lt", "4: %z.2 = phi(3: %n.0, 12: %n.0)\n  4: if lt"}}},
    {"phi 1 is new",
     {{"  4: %k.2 = phi(3: %n.0, 12: %i.2)\n", ""},
      {"  4: %i.2 = phi", "  4: %k.2 = phi(3: %n.0, 12: %i.2)\n  4: %i.2 = phi"}}},
    {"phi 1 has changed", {{"4: %k.2 = phi", "4: %s.2 = phi(3: %m.0, 12: %s.2)\n  4: %k.2 = phi"}}},
    {"the number of nodes has changed",
     {{"17: return %m.0", "17: return %m.0\n  18: return %m.0"}}},
};

static void test_wrong_code(void **state) {
    (void)state;
    forge_codes(start, wrong_code, sizeof wrong_code / sizeof wrong_code[0]);
}

static void test_wrong_frame(void **state) {
    (void)state;
    forge_frames(start);
}

// The dead may as well stay, all or some.
static void test_what_stays(void **state) {
    (void)state;
    static const Edit kept[][MAX_EDITS] = {
        {{"  1: nop", "  1: %d.1 = add.i32 %n.0, %m.0"}},
        {{"  8: nop", "  8: %e.1 = divs.i32 %c.1, %i.2"}},
        {{"  1: nop", "  1: %d.1 = add.i32 %n.0, %m.0"},
         {"align 8\n  0:", "align 8\n  reg i32 %u.0\n  0:"},
         {"  4: %k.2", "  4: %s.2 = phi(3: %d.1, 12: %t.2)\n"
                       "  4: %t.2 = phi(3: %u.0, 12: %s.2)\n  4: %k.2"}},
    };
    for (uint32_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        Forgery forgery = start();
        forgery.after = forge_edit(forgery.arena, forgery.after, kept[i]);
        assert_true(forge_is_well_formed(&forgery));
        forge_expect_accepted(&forgery, kept[i][0].to);
        arena_free(forgery.arena);
    }
}

// Removals of what is needed: the checker leaves them to the verifier, which finds each.
static void test_needed(void **state) {
    (void)state;
    static const uint32_t needed[] = {0, 5};
    for (uint32_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        Forgery forgery = start();
        Instr *instr = &forgery.after->nodes.at[needed[i]];
        *instr = (Instr){.kind = I_NOP, .dest = NO_REG, .succ_count = 1, .succ = {instr->succ[0]}};
        assert_false(forge_is_well_formed(&forgery));
        arena_free(forgery.arena);
    }
    Forgery forgery = start();
    for (uint32_t n = 5; n < forgery.after->phi_at.count; n++) forgery.after->phi_at.at[n]--;
    forgery.after->phis.count--;
    forgery.after->phi_args.count -= 2;
    assert_false(forge_is_well_formed(&forgery));
    arena_free(forgery.arena);
}

// As RTL, in which nothing needs a definition, they are well-formed, but another form.
static void test_needed_in_rtl(void **state) {
    (void)state;
    static const char text[] = "function i32 @f(i32 %n.0, i32 %m.0) {\n"
                               "  0: %x.1 = add.i32 %n.0, %m.0\n"
                               "  1: %y.1 = add.i32 %n.0, %m.0\n"
                               "  2: return %x.1\n"
                               "}\n";
    Forgery forgery = {.arena = arena_new("forgery"),
                       .check = check,
                       .by_values = true,
                       .hint = &(DeadCodeHint){2}};
    forgery.before = forge_parse(forgery.arena, FORM_SSA, text);
    forgery.after = func_clone(forgery.before, forgery.arena);
    for (uint32_t n = 0; n < 2; n++)
        forgery.after->nodes.at[n] =
            (Instr){.kind = I_NOP, .dest = NO_REG, .succ_count = 1, .succ = {{n + 1}}};
    assert_false(forge_is_well_formed(&forgery));
    forgery.after->form = FORM_RTL;
    assert_true(forge_is_well_formed(&forgery));
    forge_expect_rejected(&forgery, "RTL", "the forms are not ssa and ssa");
}

static void test_fewer_arguments(void **state) {
    (void)state;
    Forgery forgery = {.arena = arena_new("forgery"),
                       .check = check,
                       .by_values = true,
                       .hint = &(DeadCodeHint){1}};
    forgery.before = forge_parse(forgery.arena, FORM_SSA, forge_three_ways);
    forgery.after = forge_edit(forgery.arena, forgery.before, forge_two_ways);
    assert_true(forge_is_well_formed(&forgery));
    forge_expect_rejected(&forgery, "fewer arguments", successors);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_code),    cmocka_unit_test(test_wrong_frame),
        cmocka_unit_test(test_what_stays),    cmocka_unit_test(test_needed),
        cmocka_unit_test(test_needed_in_rtl), cmocka_unit_test(test_fewer_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
