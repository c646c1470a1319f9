// Forged ways out of gated SSA: wrong functions, wrong hints and wrong gates that
// check_gsa_destruct must reject, each for the right reason, and gammas in another shape that it
// must accept.
#include "check/checkers.h"
#include "pass/pass.h"
#include "pipeline/step_check.h"
#include "test/gen/forge.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static Verdict check(Arena *arena, const Func *before, const Func *after, const void *hint) {
    return step_check(PASS_gsa_destruct, arena, NULL, before, after, hint);
}

// The gated function with its text changed, and what becomes of it.
static Forgery start_with(const Edit *edits) {
    Forgery forgery = {.arena = arena_new("forgery"), .check = check};
    GsaBuildHint build = {0};
    GsaDestructHint *hint = ARENA_NEW(forgery.arena, GsaDestructHint);
    const Func *ssa = forge_parse(forgery.arena, FORM_SSA, forge_closed_loop);
    forgery.before = gsa_build(forgery.arena, ssa, &build);
    assert_non_null(forgery.before);
    if (edits) forgery.before = forge_edit(forgery.arena, forgery.before, edits);
    forgery.after = gsa_destruct(forgery.arena, forgery.before, hint);
    forgery.hint = hint;
    return forgery;
}

// In the hint: facts 29: 9 and 10, 30: 9 and 11, 31: 4 and 15, ...; of the joins: 7, 29, 30 (of
// 12), 31, 19 (of 23); choices: 0, 1, 2 for each of the two gammas at 12; 0, 1 for that at 23.
static Forgery start(void) {
    Forgery forgery = start_with(NULL);
    assert_non_null(forgery.after);
    return forgery;
}

// ---- Wrong functions

static const char changed[] = "the instruction has changed";
static const char argument_0[] = "argument 0 of a phi is another value";
static const char argument_1[] = "argument 1 of a phi is another value";
static const char argument_2[] = "argument 2 of a phi is another value";
static const char not_the_merge[] = "is not what the merge was";

static const CodeForgery wrong_code[] = {
    // phis
    {argument_0, {{"phi(8: %q.3, 10: %t.1", "phi(8: %t.1, 10: %t.1"}}},
    {argument_0, {{"phi(8: %q.3, 10: %t.1", "phi(8: %m.0, 10: %t.1"}}},
    {argument_0, {{"phi(8: %q.3, 10: %t.1", "phi(8: %q.2, 10: %t.1"}}},
    {argument_1, {{"10: %t.1, 11: %m.0", "10: %m.0, 11: %t.1"}}},
    {argument_2, {{"11: %m.0", "11: %n.0"}}},
    {argument_1, {{"10: %i.2, 11: %q.2", "10: %q.2, 11: %i.2"}}},
    {argument_0, {{"phi(2: %i.1,", "phi(2: %q.1,"}}},
    {argument_1, {{"14: %i.3)", "14: %i.2)"}}},
    {argument_1, {{"14: %q.5)", "14: %q.2)"}}},
    {argument_1, {{"14: %q.5)", "14: %u.1)"}}},
    {argument_0, {{"phi(18: %t.1,", "phi(18: %i.2,"}}},
    {argument_0, {{"phi(18: %t.1,", "phi(18: %q.2,"}}},
    {argument_1, {{"22: %q.2)", "22: %i.2)"}}},
    {argument_1, {{"22: %q.2)", "22: %q.1)"}}},
    {not_the_merge,
     {{"%q.5 = phi", "%z.3 = phi"}, {"%u.1 = phi", "%q.5 = phi"}, {"%z.3 = phi", "%u.1 = phi"}}},
    {not_the_merge,
     {{"  3: %i.2 = phi(2: %i.1, 14: %i.3)\n  3: %q.2 = phi(2: %q.1, 14: %q.5)\n",
       "  3: %q.2 = phi(2: %q.1, 14: %q.5)\n  3: %i.2 = phi(2: %i.1, 14: %i.3)\n"}}},
    {"argument 0 is another value",
     {{"  12: %u.1 = phi(8: %t.1, 10: %i.2, 11: %q.2)\n", ""}, {"[$s], %u.1", "[$s], %q.5"}}},
    {"the number of phis is not that of the merges",
     {{"  23: %r.1 = phi", "  23: %r.2 = phi(18: %m.0, 22: %n.0)\n  23: %r.1 = phi"}}},
    // instructions
    {changed, {{"%i.1 = const.i32 0", "%i.1 = const.i32 1"}}},
    {changed, {{"mul.i32 %i.2", "add.i32 %i.2"}}},
    {changed, {{"  12: store.i32 [$s], %u.1", "  12: nop"}}},
    {changed, {{"[$s], %u.1", "[$s + 4], %u.1"}}},
    {changed, {{"if lt.i32 %i.2, %n.0", "if le.i32 %i.2, %n.0"}}},
    {changed, {{"  27: nop", "  27: call @abort()"}}},
    {changed, {{"  16: nop", "  16: %t.2 = move.i32 %t.1"}}},
    {changed, {{"  16: nop", "  16: %t.2 = move.i32 %t.1"}, {"18: %t.1", "18: %t.2"}}},
    {changed, {{"{ 1: 24, 2: 25,", "{ 1: 24, 3: 25,"}}},
    {changed,
     {{"%z.1 = sub.i32 %r.1, %m.0", "%z.3 = sub.i32 %r.1, %m.0"}, {"return %z.1", "return %z.3"}}},
    {"argument 0 is another value", {{"mul.i32 %i.2, %m.0", "mul.i32 %q.2, %m.0"}}},
    {"argument 1 is another value", {{"mul.i32 %i.2, %m.0", "mul.i32 %i.2, %n.0"}}},
    {"argument 0 is another value", {{"[$s], %u.1", "[$s], %q.5"}}},
    {"argument 0 is another value", {{"switch %r.1", "switch %m.0"}}},
    {"argument 0 is another value", {{"return %n.0", "return %m.0"}}},
    // edges
    {"successor 0 has changed", {{"then 7 else 9", "then 9 else 7"}}},
    {"successor 0 has changed", {{"then 15 else 6", "then 6 else 15"}}},
    {"successor 1 has changed",
     {{"{ 1: 24, 2: 25, default: 27 }", "{ 1: 25, 2: 24, default: 27 }"}}},
    {"the number of nodes has changed", {{"return %n.0\n", "return %n.0\n  29: return %n.0\n"}}},
};

static void test_wrong_code(void **state) {
    (void)state;
    forge_codes(start, wrong_code, sizeof wrong_code / sizeof wrong_code[0]);
}

static void test_wrong_frame(void **state) {
    (void)state;
    static const char forms[] = "the forms are not gsa and ssa";
    Forgery forgery = start();
    forgery.after->form = FORM_RTL;
    forge_expect_rejected(&forgery, "RTL", forms);
    forgery = start();
    forgery.before = forgery.after;
    forge_expect_rejected(&forgery, "no gates", forms);
    forgery = start();
    forgery.after->slots.at[0].size = 4;
    forge_expect_rejected(&forgery, "a smaller slot", "slot 0 has changed");
    forgery = start();
    forgery.after->params.at[1] = forgery.after->params.at[0];
    forge_expect_rejected(&forgery, "a parameter twice", "parameter 1 has changed");
}

// ---- Wrong hints

static GsaDestructHint *hint_of(Forgery *forgery) {
    return forgery->hint;
}

static const struct {
    uint32_t i, choice;
    const char *reason;
} wrong_choices[] = {
    {0, 1, "gate 1 does not hold on the way from predecessor 0"},
    {0, 2, "gate 2 does not hold on the way from predecessor 0"},
    {1, 0, "gate 0 does not hold on the way from predecessor 1"},
    {1, 2, "gate 2 does not hold on the way from predecessor 1"},
    {2, 1, "gate 1 does not hold on the way from predecessor 2"},
    {5, 0, "gate 0 does not hold on the way from predecessor 2"},
    {6, 1, "gate 1 does not hold on the way from predecessor 0"},
    {7, 0, "gate 0 does not hold on the way from predecessor 1"},
    {0, 3, "argument 3 does not exist"},
    {5, 1000, "argument 1000 does not exist"},
    {7, 2, "argument 2 does not exist"},
    {7, NO_ID, "does not exist"},
};

static void test_wrong_choices(void **state) {
    (void)state;
    for (uint32_t i = 0; i < sizeof wrong_choices / sizeof wrong_choices[0]; i++) {
        Forgery forgery = start();
        forge_expect_accepted(&forgery, "before anything was forged");
        hint_of(&forgery)->choices.at[wrong_choices[i].i] = wrong_choices[i].choice;
        forge_expect_rejected(&forgery, wrong_choices[i].reason, wrong_choices[i].reason);
    }
}

// The phi takes what the hint says, and both are wrong.
static void wrong_choice_and_phi(Forgery *forgery) {
    forgery->after =
        forge_edit(forgery->arena, forgery->after,
                   (Edit[MAX_EDITS]){{"phi(8: %q.3, 10: %t.1", "phi(8: %t.1, 10: %t.1"}});
    hint_of(forgery)->choices.at[0] = 1;
}
static void exits_exchanged(Forgery *forgery) {
    forgery->after =
        forge_edit(forgery->arena, forgery->after,
                   (Edit[MAX_EDITS]){{"phi(8: %t.1, 10: %i.2", "phi(8: %i.2, 10: %t.1"}});
    hint_of(forgery)->choices.at[3] = 1;
    hint_of(forgery)->choices.at[4] = 0;
}
static void choice_less(Forgery *forgery) {
    hint_of(forgery)->choices.count--;
}
static void no_choices(Forgery *forgery) {
    hint_of(forgery)->choices.count = 0;
}
static void join_less(Forgery *forgery) {
    hint_of(forgery)->paths.joins.count--;
}
static void no_facts(Forgery *forgery) {
    hint_of(forgery)->paths.facts.count = 0;
}
static void empty(Forgery *forgery) {
    *hint_of(forgery) = (GsaDestructHint){0};
}
static void joins_exchanged(Forgery *forgery) {
    hint_of(forgery)->paths.joins.at[1] = 30;
    hint_of(forgery)->paths.joins.at[2] = 29;
}
static void fact_of_another_block(Forgery *forgery) {
    hint_of(forgery)->paths.joins.at[3] = 15;
}
static void fact_missing(Forgery *forgery) {
    hint_of(forgery)->paths.joins.at[0] = FACT_NONE;
}
static void fact_out_of_range(Forgery *forgery) {
    hint_of(forgery)->paths.joins.at[0] = NO_ID - 1;
}
static void fact_too_early(Forgery *forgery) {
    hint_of(forgery)->paths.joins.at[0] = 31;
}
static void facts_do_not_join(Forgery *forgery) {
    hint_of(forgery)->paths.facts.at[0].upper = 7;
}
static void fact_of_itself(Forgery *forgery) {
    hint_of(forgery)->paths.facts.at[0].lower = 29;
}
static void condition_set_later(Forgery *forgery) {
    ((Func *)forgery->before)->nodes.at[6].arg[0] = forge_reg(forgery->before, "%q.3");
}
static void gamma_at_header(Forgery *forgery) {
    forgery->before->gsa->merges.at[0].kind = MERGE_GAMMA;
}
// The second gamma of 12, and the phi that it became, stand at 13.
static void gamma_at_no_join(Forgery *forgery) {
    forgery->before->gsa->merge_at.at[13]--;
    forgery->after->phi_at.at[13]--;
}
static void mu_at_join(Forgery *forgery) {
    forgery->before->gsa->merges.at[4].kind = MERGE_MU;
}
static void mu_of_one_argument(Forgery *forgery) {
    forgery->before->gsa->merges.at[0].arg_count = 1;
}

static void test_wrong_hints(void **state) {
    (void)state;
    static const char cover[] = "the hint does not cover every gamma";
    static const char joins[] = "the hint does not cover every join";
    static const char follows[] = "fact 0 does not follow from earlier ones";
    static const HintForgery forgeries[] = {
        {"a choice and its phi", wrong_choice_and_phi, "gate 1 does not hold"},
        {"two choices exchanged", exits_exchanged, "gate 1 does not hold"},
        {"a choice less", choice_less, cover},
        {"no choices", no_choices, cover},
        {"a join less", join_less, joins},
        {"no facts", no_facts, "the hint names a fact that does not exist"},
        {"nothing", empty, joins},
        {"joins exchanged", joins_exchanged, "fact 30 is not about the way from 6 to it"},
        {"a fact of another block", fact_of_another_block,
         "fact 15 is not about the way from 3 to it"},
        {"a fact missing", fact_missing, "a fact about it is missing"},
        {"a fact out of range", fact_out_of_range, "fact 2 does not follow from earlier ones"},
        {"a fact too early", fact_too_early, "fact 2 does not follow from earlier ones"},
        {"facts that do not join", facts_do_not_join, follows},
        {"a fact of itself", fact_of_itself, follows},
        {"a condition that is set later", condition_set_later,
         "its predicate has a register that is set there or later"},
        {"a gamma at a header", gamma_at_header, not_the_merge},
        {"a gamma where there is no join", gamma_at_no_join, not_the_merge},
        {"a mu at a join", mu_at_join, not_the_merge},
        {"a mu of one argument", mu_of_one_argument, not_the_merge},
    };
    forge_hints(start, forgeries, sizeof forgeries / sizeof forgeries[0]);
}

// ---- Gates in another shape

#define LESS  "lt.i32(%q.2, %m.0)"
#define LARGE "gt.i32(%t.1, 50)"
#define GOES  "lt.i32(%i.2, %n.0)"
#define FOUND "eq.i32(%t.1, 42)"

// Gates that do not hold on every way: the pass finds no argument, and a hint that claims one is
// refused.
static const Edit wrong_gates[][MAX_EDITS] = {
    {{LESS ": %q.3", "!" LESS ": %q.3"}},       {{LESS ": %q.3", "undef: %q.3"}},
    {{LESS ": %q.3", "false: %q.3"}},           {{LESS ": %q.3", LESS " & " FOUND ": %q.3"}},
    {{LESS ": %q.3", LARGE ": %q.3"}},          {{LESS ": %q.3", LARGE " | !" LARGE ": %q.3"}},
    {{LESS ": %q.3", "lt.i32(%q.2, 5): %q.3"}}, {{LESS ": %q.3", "le.i32(%q.2, %m.0): %q.3"}},
};

static void test_wrong_gates(void **state) {
    (void)state;
    for (uint32_t i = 0; i < sizeof wrong_gates / sizeof wrong_gates[0]; i++) {
        Forgery wrong = start_with(wrong_gates[i]), honest = start();
        assert_true(forge_is_well_formed(&honest));
        if (wrong.after) fail_msg("%s: an argument was found", wrong_gates[i][0].to);
        wrong.after = func_clone(honest.after, wrong.arena);
        wrong.after->program = wrong.before->program;
        wrong.hint = honest.hint;
        forge_expect_rejected(&wrong, wrong_gates[i][0].to, "gate 0 does not hold on the way");
        arena_free(honest.arena);
    }
}

// The order of arguments means nothing; those with equal registers may be one; gates may be weaker
// than the predicates of the ways, as long as they follow.
static const Edit right_gates[][MAX_EDITS] = {
    {{GOES " & " FOUND ": %t.2, !" GOES ": %q.6", "!" GOES ": %q.6, " GOES " & " FOUND ": %t.2"}},
    {{LESS ": %q.3, !" LESS " & " LARGE ": %t.1", "!" LESS " & " LARGE ": %t.1, " LESS ": %q.3"}},
    {{LESS ": %q.3", LESS " | " LESS " & " LARGE ": %q.3"}},
    {{LESS ": %q.3", LESS " | undef: %q.3"}},
    {{"!" LESS " & " LARGE ": %t.1", LARGE " & !" LESS ": %t.1"}},
    {{GOES " & " FOUND ": %t.2", FOUND ": %t.2"}},
    {{LESS ": %q.3, !" LESS " & " LARGE ": %t.1, !" LESS " & !" LARGE ": %m.0",
      "!" LESS " & !" LARGE " | " LESS ": %m.0, !" LESS " & " LARGE ": %t.1"}},
    {{LESS ": %q.3, !" LESS " & " LARGE ": %t.1, !" LESS " & !" LARGE ": %m.0",
      "!" LESS " & " LARGE " | !" LESS " & !" LARGE ": %m.0, " LESS ": %q.3"}},
    {{LESS ": %q.3, !" LESS " & " LARGE ": %t.1, !" LESS " & !" LARGE ": %m.0",
      LESS " | !" LESS " & " LARGE " | !" LESS " & !" LARGE ": %m.0"}},
    {{LESS ": %q.3, !" LESS " & " LARGE ": %t.1, !" LESS " & !" LARGE ": %m.0", "true: %m.0"}},
};

static void test_right_gates(void **state) {
    (void)state;
    for (uint32_t i = 0; i < sizeof right_gates / sizeof right_gates[0]; i++) {
        Forgery forgery = start_with(right_gates[i]);
        if (!forgery.after) fail_msg("%s: no argument was found", right_gates[i][0].to);
        assert_true(forge_is_well_formed(&forgery));
        forge_expect_accepted(&forgery, right_gates[i][0].to);
        arena_free(forgery.arena);
    }
}

// A join loses a way in, which comes from behind it: nothing may be read past the shorter phi's
// end.
static void test_fewer_ways(void **state) {
    (void)state;
    GsaDestructHint hint = {0};
    Forgery forgery = {.arena = arena_new("forgery"), .check = check, .hint = &hint};
    const Func *three = forge_parse(forgery.arena, FORM_SSA, forge_three_ways);
    Func *before = func_clone(three, forgery.arena);
    before->form = FORM_GSA;
    before->gsa = gsa_new(forgery.arena);
    forgery.before = before;
    forgery.after = forge_edit(forgery.arena, three, forge_two_ways);
    forge_expect_rejected(&forgery, "a way less", "the number of successors has changed");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_code),    cmocka_unit_test(test_wrong_frame),
        cmocka_unit_test(test_wrong_choices), cmocka_unit_test(test_wrong_hints),
        cmocka_unit_test(test_wrong_gates),   cmocka_unit_test(test_right_gates),
        cmocka_unit_test(test_fewer_ways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
