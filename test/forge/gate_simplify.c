// Forged outputs of gate_simplify that check_gate_simplify must reject, each for the right reason:
// gates that say too much or too little, and everything around them that the pass must leave alone.
// Gates that only look decided are the interesting ones: a join that is not reached on all ways, a
// loop with two exits, a condition that was decided beside and not above.
#include "analysis/gate_paths.h"
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

// An inner diamond; a loop with one exit; a return; then a join that is not reached on all ways
// from the branch above it.
static const char nested[] =
    "function i32 @f(i32 %a.0, i32 %n.0) {\n"
    "  p1 = !gt.i32(%a.0, 3) & !lt.i32(%i.3, %n.0) & !eq.i32(%n.0, 7)\n"
    "  p2 = ne.i32(%h.1, 0) & (ne.i32(%h.2, 0) | !ne.i32(%h.2, 0) & !eq.i32(%a.0, %x.3)) | "
    "!ne.i32(%h.1, 0)\n"
    "  0: %y.1 = const.i32 0\n"
    "  1: if gt.i32 %a.0, 3 then 2 else 6\n"
    "  2: if gt.i32 %n.0, 1 then 3 else 4\n"
    "  3: nop -> 5\n"
    "  4: nop\n"
    "  5: nop -> 14\n"
    "  6: nop\n"
    "  7: %i.2 = mu(%y.1, %i.3)\n"
    "  7: %i.3 = add.i32 %i.2, 3\n"
    "  8: if lt.i32 %i.3, %n.0 then 9 else 10\n"
    "  9: nop -> 7\n"
    "  10: %i.4 = eta(!lt.i32(%i.3, %n.0), %i.3)\n"
    "  10: nop\n"
    "  11: if eq.i32 %n.0, 7 then 12 else 13\n"
    "  12: return %i.4\n"
    "  13: nop\n"
    "  14: %x.3 = gamma(gt.i32(%a.0, 3) & (gt.i32(%n.0, 1) | !gt.i32(%n.0, 1)): %n.0, p1: %i.4)\n"
    "  14: %w.3 = gamma(gt.i32(%a.0, 3) & (gt.i32(%n.0, 1) | !gt.i32(%n.0, 1)): %a.0, p1: %n.0)\n"
    "  14: %h.1 = call @g(%x.3)\n"
    "  15: if ne.i32 %h.1, 0 then 16 else 23\n"
    "  16: %h.2 = call @g(%w.3)\n"
    "  17: if ne.i32 %h.2, 0 then 18 else 19\n"
    "  18: nop -> 22\n"
    "  19: if eq.i32 %a.0, %x.3 then 20 else 21\n"
    "  20: nop -> 26\n"
    "  21: nop\n"
    "  22: %y.3 = gamma(ne.i32(%h.2, 0): %n.0, !ne.i32(%h.2, 0) & !eq.i32(%a.0, %x.3): %y.1)\n"
    "  22: nop -> 24\n"
    "  23: nop\n"
    "  24: %y.4 = gamma(ne.i32(%h.1, 0) & (ne.i32(%h.2, 0) | !ne.i32(%h.2, 0) & !eq.i32(%a.0, "
    "%x.3)): %y.3, !ne.i32(%h.1, 0): %y.1)\n"
    "  24: %y.5 = add.i32 %x.3, %y.4\n"
    "  25: nop\n"
    "  26: %y.6 = gamma(ne.i32(%h.1, 0) & !ne.i32(%h.2, 0) & eq.i32(%a.0, %x.3): %y.1, p2: %y.5)\n"
    "  26: return %y.6\n"
    "  loop 7: leaves !lt.i32(%i.3, %n.0), goes on lt.i32(%i.3, %n.0)\n"
    "  end 12: !gt.i32(%a.0, 3) & !lt.i32(%i.3, %n.0) & eq.i32(%n.0, 7)\n"
    "  end 26: (gt.i32(%a.0, 3) & (gt.i32(%n.0, 1) | !gt.i32(%n.0, 1)) | p1) & (ne.i32(%h.1, 0) & "
    "!ne.i32(%h.2, 0) & eq.i32(%a.0, %x.3) | p2)\n"
    "}\n"
    "extern function i32 @g(i32)\n";

// The same condition again above and beside a join, and a loop with two exits between which a join
// chooses.
static const char repeated[] =
    "function i32 @f(i32 %a.0, i32 %n.0) {\n"
    "  0: if gt.i32 %a.0, 3 then 1 else 11\n"
    "  1: if gt.i32 %n.0, 1 then 2 else 9\n"
    "  2: if gt.i32 %a.0, 3 then 3 else 6\n"
    "  3: if lt.i32 %n.0, 9 then 4 else 5\n"
    "  4: nop -> 7\n"
    "  5: nop -> 7\n"
    "  6: nop\n"
    "  7: %x.3 = gamma(gt.i32(%a.0, 3) & lt.i32(%n.0, 9): %n.0, gt.i32(%a.0, 3) & !lt.i32(%n.0, "
    "9): %a.0, !gt.i32(%a.0, 3): %n.0)\n"
    "  7: call @h(%x.3)\n"
    "  8: nop -> 10\n"
    "  9: nop\n"
    "  10: nop -> 22\n"
    "  11: nop\n"
    "  12: %i.2 = mu(%n.0, %i.3)\n"
    "  12: if gt.i32 %i.2, 50 then 13 else 14\n"
    "  13: nop -> 18\n"
    "  14: %i.3 = add.i32 %i.2, 1\n"
    "  15: if eq.i32 %i.3, %a.0 then 16 else 17\n"
    "  16: nop -> 19\n"
    "  17: nop -> 12\n"
    "  18: nop -> 20\n"
    "  19: nop\n"
    "  20: %y.3 = gamma(gt.i32(%i.2, 50): %n.0, !gt.i32(%i.2, 50) & eq.i32(%i.3, %a.0): %a.0)\n"
    "  20: call @h(%y.3)\n"
    "  21: nop\n"
    "  22: %z.3 = gamma(gt.i32(%a.0, 3) & (gt.i32(%n.0, 1) & (gt.i32(%a.0, 3) & lt.i32(%n.0, 9) | "
    "gt.i32(%a.0, 3) & !lt.i32(%n.0, 9) | !gt.i32(%a.0, 3)) | !gt.i32(%n.0, 1)): %n.0, "
    "!gt.i32(%a.0, 3) & (gt.i32(%i.2, 50) | !gt.i32(%i.2, 50) & eq.i32(%i.3, %a.0)): %a.0)\n"
    "  22: return %z.3\n"
    "  loop 12: leaves gt.i32(%i.2, 50) | !gt.i32(%i.2, 50) & eq.i32(%i.3, %a.0), goes on "
    "!gt.i32(%i.2, 50) & !eq.i32(%i.3, %a.0)\n"
    "  end 22: true\n"
    "}\n"
    "extern function void @h(i32)\n";

static Verdict check(Arena *arena, const Func *before, const Func *after, const void *hint) {
    return step_check(PASS_gate_simplify, arena, NULL, before, after, hint);
}

static Forgery simplified(const char *text, const Edit *base) {
    Arena *arena = arena_new("forgery");
    GateSimplifyHint *hint = ARENA_NEW(arena, GateSimplifyHint);
    Complaints complaints = {.arena = arena};
    const Func *before = forge_edit(arena, forge_parse(arena, FORM_GSA, text), base);
    if (!verify_func(&complaints, before)) fail_msg("%s", complaints.list.at[0].message);
    Func *after = gate_simplify(arena, before, hint);
    assert_non_null(after);
    return (Forgery){
        .arena = arena, .before = before, .after = after, .hint = hint, .check = check};
}

static Forgery start_nested(void) {
    return simplified(nested, (const Edit[MAX_EDITS]){{0}});
}
static Forgery start_repeated(void) {
    return simplified(repeated, (const Edit[MAX_EDITS]){{0}});
}

static void test_accepted(void **state) {
    (void)state;
    Forgery one = start_nested(), two = start_repeated();
    forge_expect_accepted(&one, "nested");
    forge_expect_accepted(&two, "repeated");
    arena_free(one.arena);
    arena_free(two.arena);
}

// ---- Gates

#define X3        "%x.3 = gamma(gt.i32(%a.0, 3): %n.0, !gt.i32(%a.0, 3): %i.4)"
#define Y3        "%y.3 = gamma(ne.i32(%h.2, 0): %n.0, !ne.i32(%h.2, 0) & !eq.i32(%a.0, %x.3): %y.1)"
#define NOT_RULES "is not simplified by the rules"
#define Y6_FIRST  "%y.6 = gamma(ne.i32(%h.1, 0) & !ne.i32(%h.2, 0) & eq.i32(%a.0, %x.3): %y.1"
#define Y6_SECOND ", p1: %y.5)"

static const CodeForgery wrong_gates[] = {
    {NOT_RULES, {{X3, "%x.3 = gamma(!gt.i32(%a.0, 3): %n.0, gt.i32(%a.0, 3): %i.4)"}}},
    {NOT_RULES, {{X3, "%x.3 = gamma(true: %n.0, !gt.i32(%a.0, 3): %i.4)"}}},
    {NOT_RULES, {{X3, "%x.3 = gamma(gt.i32(%a.0, 3): %n.0, true: %i.4)"}}},
    {NOT_RULES, {{X3, "%x.3 = gamma(gt.i32(%a.0, 3): %n.0, false: %i.4)"}}},
    {NOT_RULES, {{X3, "%x.3 = gamma(undef: %n.0, !gt.i32(%a.0, 3): %i.4)"}}},
    {NOT_RULES, {{X3, "%x.3 = gamma(gt.i32(%a.0, 4): %n.0, !gt.i32(%a.0, 3): %i.4)"}}},
    {NOT_RULES, {{X3, "%x.3 = gamma(gt.i32(%n.0, 3): %n.0, !gt.i32(%a.0, 3): %i.4)"}}},
    // One arm only of the inner diamond; what a loop did, and the return, on the other side.
    {NOT_RULES,
     {{X3, "%x.3 = gamma(gt.i32(%a.0, 3) & gt.i32(%n.0, 1): %n.0, !gt.i32(%a.0, 3): %i.4)"}}},
    {NOT_RULES,
     {{X3, "%x.3 = gamma(gt.i32(%a.0, 3): %n.0, !gt.i32(%a.0, 3) & lt.i32(%i.3, %n.0): %i.4)"}}},
    {NOT_RULES,
     {{X3, "%x.3 = gamma(gt.i32(%a.0, 3): %n.0, !gt.i32(%a.0, 3) & eq.i32(%n.0, 7): %i.4)"}}},
    {NOT_RULES, {{X3, "%x.3 = gamma(gt.i32(%n.0, 1): %n.0, !gt.i32(%n.0, 1): %i.4)"}}},
    // Half simplified: the rules say exactly what goes.
    {NOT_RULES,
     {{X3, "%x.3 = gamma(gt.i32(%a.0, 3): %n.0, !gt.i32(%a.0, 3) & !eq.i32(%n.0, 7): %i.4)"}}},
    // The join at 22 is not reached on all ways from 17, nor is 24 from 15.
    {NOT_RULES, {{Y3, "%y.3 = gamma(ne.i32(%h.2, 0): %n.0, !ne.i32(%h.2, 0): %y.1)"}}},
    {NOT_RULES, {{Y3, "%y.3 = gamma(ne.i32(%h.2, 0): %n.0, !eq.i32(%a.0, %x.3): %y.1)"}}},
    {NOT_RULES, {{Y6_FIRST, "%y.6 = gamma(ne.i32(%h.1, 0) & eq.i32(%a.0, %x.3): %y.1"}}},
    {NOT_RULES, {{Y6_FIRST, "%y.6 = gamma(ne.i32(%h.1, 0) & !ne.i32(%h.2, 0): %y.1"}}},
    {NOT_RULES, {{Y6_FIRST, "%y.6 = gamma(!ne.i32(%h.2, 0) & eq.i32(%a.0, %x.3): %y.1"}}},
    {NOT_RULES, {{Y6_SECOND, ", !ne.i32(%h.1, 0): %y.5)"}}},
    {NOT_RULES, {{Y6_SECOND, ", true: %y.5)"}}},
    {NOT_RULES, {{Y6_SECOND, ", ne.i32(%h.1, 0) | !ne.i32(%h.1, 0): %y.5)"}}},
};

#define AGAIN "%x.3 = gamma(lt.i32(%n.0, 9): %n.0, !lt.i32(%n.0, 9): %a.0, false: %n.0)"
#define EXITS "%y.3 = gamma(gt.i32(%i.2, 50): %n.0, !gt.i32(%i.2, 50): %a.0)"
#define OUTER "%z.3 = gamma(gt.i32(%a.0, 3): %n.0, !gt.i32(%a.0, 3): %a.0)"

static const CodeForgery wrong_decisions[] = {
    {NOT_RULES,
     {{AGAIN, "%x.3 = gamma(lt.i32(%n.0, 9): %n.0, !lt.i32(%n.0, 9): %a.0, true: %n.0)"}}},
    {NOT_RULES, {{AGAIN, "%x.3 = gamma(false: %n.0, !lt.i32(%n.0, 9): %a.0, false: %n.0)"}}},
    {NOT_RULES,
     {{AGAIN,
       "%x.3 = gamma(lt.i32(%n.0, 9): %n.0, !lt.i32(%n.0, 9): %a.0, gt.i32(%a.0, 3): %n.0)"}}},
    {NOT_RULES,
     {{AGAIN, "%x.3 = gamma(!lt.i32(%n.0, 9): %n.0, lt.i32(%n.0, 9): %a.0, false: %n.0)"}}},
    {NOT_RULES, {{EXITS, "%y.3 = gamma(gt.i32(%i.2, 50): %n.0, eq.i32(%i.3, %a.0): %a.0)"}}},
    {NOT_RULES, {{EXITS, "%y.3 = gamma(gt.i32(%i.2, 50): %n.0, true: %a.0)"}}},
    {NOT_RULES, {{EXITS, "%y.3 = gamma(true: %n.0, !gt.i32(%i.2, 50): %a.0)"}}},
    {NOT_RULES, {{EXITS, "%y.3 = gamma(gt.i32(%i.3, 50): %n.0, !gt.i32(%i.3, 50): %a.0)"}}},
    {NOT_RULES, {{OUTER, "%z.3 = gamma(gt.i32(%n.0, 1): %n.0, !gt.i32(%a.0, 3): %a.0)"}}},
    {NOT_RULES,
     {{OUTER, "%z.3 = gamma(gt.i32(%a.0, 3): %n.0, !gt.i32(%a.0, 3) & gt.i32(%i.2, 50): %a.0)"}}},
};

static void test_gates(void **state) {
    (void)state;
    forge_codes(start_nested, wrong_gates, sizeof wrong_gates / sizeof wrong_gates[0]);
    forge_codes(start_repeated, wrong_decisions,
                sizeof wrong_decisions / sizeof wrong_decisions[0]);
}

// ---- What is to stay

#define SECOND "!gt.i32(%a.0, 3) & !lt.i32(%i.3, %n.0) & !eq.i32(%n.0, 7): %n.0)"
#define W3     "%w.3 = gamma(gt.i32(%a.0, 3): %a.0, !gt.i32(%a.0, 3): %n.0)"

static const CodeForgery other_changes[] = {
    {"argument 0 of a merge has changed",
     {{X3, "%x.3 = gamma(gt.i32(%a.0, 3): %a.0, !gt.i32(%a.0, 3): %i.4)"}}},
    {"argument 0 of a merge has changed",
     {{X3, "%x.3 = gamma(gt.i32(%a.0, 3): %i.4, !gt.i32(%a.0, 3): %n.0)"}}},
    {"argument 1 of a merge has changed", {{"mu(%y.1, %i.3)", "mu(%y.1, %i.2)"}}},
    {"a merge has changed", {{X3, "%x.3 = gamma(gt.i32(%a.0, 3): %n.0)"}}},
    {"a merge has changed",
     {{X3, "%w.3 = gamma(gt.i32(%a.0, 3): %n.0, !gt.i32(%a.0, 3): %i.4)"},
      {W3, "%x.3 = gamma(gt.i32(%a.0, 3): %a.0, !gt.i32(%a.0, 3): %n.0)"}}},
    {"the number of merges has changed",
     {{"  14: " W3 "\n", ""}, {"call @g(%w.3)", "call @g(%x.3)"}}},
    {"the instruction has changed", {{"%y.5 = add.i32", "%y.5 = sub.i32"}}},
    {"the instruction has changed", {{"11: if eq.i32 %n.0, 7", "11: if eq.i32 %n.0, 8"}}},
    {"the etas have changed", {{"eta(!lt.i32(%i.3, %n.0), %i.3)", "eta(true, %i.3)"}}},
    {"the etas have changed",
     {{"eta(!lt.i32(%i.3, %n.0), %i.3)", "eta(!lt.i32(%i.3, %n.0), %i.2)"}}},
    {"the gates of a loop", {{"leaves !lt.i32(%i.3, %n.0)", "leaves lt.i32(%i.3, %n.0)"}}},
    {"the gates of a loop", {{"goes on lt.i32(%i.3, %n.0)", "goes on true"}}},
    {"the gate of an end", {{"end 12: !gt.i32(%a.0, 3) & ", "end 12: "}}},
    {"successor 0 has changed",
     {{"1: if gt.i32 %a.0, 3 then 2 else 6", "1: if gt.i32 %a.0, 3 then 6 else 2"}}},
};

static void test_other_changes(void **state) {
    (void)state;
    forge_codes(start_nested, other_changes, sizeof other_changes / sizeof other_changes[0]);
}

// ---- Gates that were something else before

static void test_irregular(void **state) {
    (void)state;
    static const struct {
        Edit base[MAX_EDITS];
        Edit code[MAX_EDITS];
        const char *reason;
    } cases[] = {
        // Not even before was it the way.
        {{{"%w.3 = gamma(gt.i32(%a.0, 3) & (gt.i32(%n.0, 1) | !gt.i32(%n.0, 1)): %a.0",
           "%w.3 = gamma(gt.i32(%a.0, 3) & !gt.i32(%n.0, 1): %a.0"}},
         {{"%w.3 = gamma(gt.i32(%a.0, 3) & !gt.i32(%n.0, 1): %a.0, " SECOND, W3}},
         "was not that of the way"},
        // In another order.
        {{{"(gt.i32(%n.0, 1) | !gt.i32(%n.0, 1)): %a.0, " SECOND,
           "(!gt.i32(%n.0, 1) | gt.i32(%n.0, 1)): %a.0, " SECOND}},
         {{"%w.3 = gamma(gt.i32(%a.0, 3) & (!gt.i32(%n.0, 1) | gt.i32(%n.0, 1)): %a.0, " SECOND,
           W3}},
         "was not that of the way"},
        // A single argument.
        {{{"%w.3 = gamma(gt.i32(%a.0, 3) & (gt.i32(%n.0, 1) | !gt.i32(%n.0, 1)): %a.0, " SECOND,
           "%w.3 = gamma(true: %n.0)"}},
         {{"%w.3 = gamma(true: %n.0)", "%w.3 = gamma(gt.i32(%a.0, 3): %n.0)"}},
         "where there is not one for each way in"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Forgery forgery = simplified(nested, cases[i].base);
        forge_expect_accepted(&forgery, cases[i].reason);
        forgery.after = forge_edit(forgery.arena, forgery.after, cases[i].code);
        assert_true(forge_is_well_formed(&forgery));
        forge_expect_rejected(&forgery, cases[i].reason, cases[i].reason);
    }
}

// ---- Hints

static GatePaths *paths_of(Forgery *forgery) {
    return &((GateSimplifyHint *)forgery->hint)->paths;
}
static void drop_join(Forgery *forgery) {
    paths_of(forgery)->joins.count--;
}
static void drop_facts(Forgery *forgery) {
    paths_of(forgery)->facts.count = 0;
}
static void exchange_joins(Forgery *forgery) {
    uint32_t *joins = paths_of(forgery)->joins.at, first = joins[0];
    joins[0] = joins[1];
    joins[1] = first;
}
static void exchange_parts(Forgery *forgery) {
    GateFact *fact = &paths_of(forgery)->facts.at[0];
    *fact = (GateFact){.upper = fact->lower, .lower = fact->upper};
}
static void name_itself(Forgery *forgery) {
    paths_of(forgery)->facts.at[0].upper = forgery->before->nodes.count;
}
static void change_form(Forgery *forgery) {
    forgery->after->form = FORM_SSA;
}

static const HintForgery wrong_hints[] = {
    {"a join without facts", drop_join, "the hint does not cover every join"},
    {"no facts", drop_facts, "the hint names a fact that does not exist"},
    {"facts of other ways", exchange_joins, "is not about the way from"},
    {"parts in the wrong order", exchange_parts, "does not follow from earlier ones"},
    {"a fact that is its own part", name_itself, "does not follow from earlier ones"},
    {"another form", change_form, "the forms are not gsa and gsa"},
};

static void test_hints(void **state) {
    (void)state;
    forge_hints(start_nested, wrong_hints, sizeof wrong_hints / sizeof wrong_hints[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accepted),      cmocka_unit_test(test_gates),
        cmocka_unit_test(test_other_changes), cmocka_unit_test(test_irregular),
        cmocka_unit_test(test_hints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
