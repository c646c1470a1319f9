// Forged ranges of values: ranges that do not follow, facts used where they do not count, steps and
// decisions that rest on them. Each must be rejected for the reason that is given; beside them
// stand genuine hints that are accepted. What was accepted must do no harm.
// Commands:
// test/gen/forge_values.h.
#include "test/gen/forge_values.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char about_none[] = "is about no value that is known";
static const char no_consequence[] = "does not follow";
static const char no_step[] = "is not right";
static const char not_computed[] = "is not computed as claimed";
static const char outside[] = "lies outside of its range";
static const char not_in_order[] = "the ranges of phis are not in order";
static const char no_range[] = "cannot have the range";
static const char undecided[] = "does not decide it";

// ---- Masks: ranges that hold everywhere

static const char mask[] = "function i32 @f(i32 %a.0, i32 %b.0) {\n"
                           "  0: %m.1 = and.i32 %a.0, 15\n"
                           "  1: %n.1 = and.i32 %m.1, 31\n"
                           "  2: %d.1 = divs.i32 %m.1, 3\n"
                           "  3: if lt.i32 %m.1, 16 then 4 else 5\n"
                           "  4: return %n.1\n"
                           "  5: return %d.1\n"
                           "}\n";
#define MASK                                                                                       \
    "M = and.i32 %a.0 15; form %m.1 M; T = lt.i32 M 16; test 3 T; N = and.i32 M 31; form %n.1 N;"  \
    "D = divs.i32 M 3; form %d.1 D; E = divu.i32 M 3; A = and.i32 %a.0 31;"

static void test_masks(void **state) {
    (void)state;
    static const ForgedValues cases[] = {
        {mask, MASK, "", NULL},
        {mask, MASK, "step T known 1; straight 3 0", NULL},
        {mask, MASK, "step D divs_not_negative.i32 E", NULL},
        {mask, MASK, "fact T 3 computed - - - -; decide 3 0 0", NULL},
        // The upper bits of a mask are defined, whatever it masks.
        {mask, MASK, "step N and_needless.i32 M; set %n.1 M; copy 1 %m.1", NULL},
        {mask, MASK, "step T known 0; straight 3 1", no_step},
        {mask, MASK, "step T known 1L; straight 3 0", "changes the type"},
        {mask, MASK, "step M known 15", no_step},
        {mask, MASK, "step $a.0 known 0", no_step},
        {mask, MASK, "step D known 0", no_step},
        {mask, MASK, "step T known M", no_step},
        {mask, MASK, "step A and_needless.i32 %a.0", no_step},
        {mask, MASK, "step M and_needless.i32 %a.0; set %m.1 %a.0; copy 0 %a.0", no_step},
        {mask, MASK, "F = divs.i32 %a.0 3; G = divu.i32 %a.0 3; step F divs_not_negative.i32 G",
         no_step},
        {mask, MASK, "step D divs_not_negative.i64 E", no_step},
        {mask, MASK, "F = divs.i32 M -3; G = divu.i32 M -3; step F divs_not_negative.i32 G",
         no_step},
        {mask, MASK, "F = modu.i32 M 15; step F modu_less.i32 M", no_step},
        {mask, MASK, "F = modu.i32 M 16; step F modu_less.i32 M", NULL},
        {mask, MASK, "F = sext8.i32 M; step F sext8_needless.i32 M", NULL}, // bits 7 to 31 are
        {mask, MASK, "F = sext8.i32 %b.0; step F sext8_needless.i32 %b.0", no_step},
        {mask, MASK, "F = zext8.i32 M; step F zext8_needless.i32 M", NULL},
        {mask, MASK, "F = zext8.i32 %b.0; step F zext8_needless.i32 %b.0", no_step},
        {mask, MASK, "F = sar.i32 M 2; G = shr.i32 M 2; step F sar_not_negative.i32 G", NULL},
        {mask, MASK, "F = sar.i32 %b.0 2; G = shr.i32 %b.0 2; step F sar_not_negative.i32 G",
         no_step},
    };
    TRY_FORGED(cases);
}

// ---- Facts at places

// Node 8 is a join behind both ways of node 1.
static const char tests[] = "function i32 @f(i32 %a.0, i32 %b.0) {\n"
                            "  0: %p.1 = and.i32 %a.0, 1\n"
                            "  1: if ult.i32 %a.0, 10 then 2 else 3\n"
                            "  2: if ult.i32 %a.0, 20 then 4 else 6\n"
                            "  3: if eq.i32 %p.1, 0 then 7 else 11\n"
                            "  4: %s.1 = add.i32 %a.0, 5\n"
                            "  5: nop -> 8\n"
                            "  6: return %a.0\n"
                            "  7: nop\n"
                            "  8: %d.1 = divs.i32 %a.0, 3\n"
                            "  9: %m.1 = and.i32 %a.0, 15\n"
                            "  10: return %d.1\n"
                            "  11: %x.1 = sext8.i32 %a.0\n"
                            "  12: return %x.1\n"
                            "}\n";
#define TESTS                                                                                      \
    "P = and.i32 %a.0 1; form %p.1 P; T = ult.i32 %a.0 10; test 1 T; U = ult.i32 %a.0 20;"         \
    "test 2 U; V = eq.i32 P 0; test 3 V; S = add.i32 %a.0 5; form %s.1 S;"                         \
    "D = divs.i32 %a.0 3; form %d.1 D; E = divu.i32 %a.0 3; M = and.i32 %a.0 15; form %m.1 M;"     \
    "X = sext8.i32 %a.0; form %x.1 X;"
#define TEN "fact %a.0 2 outcome 1 - - -;"

static void test_places(void **state) {
    (void)state;
    static const ForgedValues cases[] = {
        {tests, TESTS, "", NULL},
        {tests, TESTS TEN, "", NULL},
        {tests, TESTS TEN, "fact U 2 computed - 0 - -; decide 2 0 1", NULL},
        {tests, TESTS TEN, "fact S 4 computed - 0 - -", NULL},
        {tests, TESTS TEN, "fact %a.0 4 operand S 0 - -", NULL},
        {tests, TESTS TEN, "fact U 2 computed - 0 - -; decide 2 1 1", undecided},
        {tests, TESTS TEN, "decide 2 0 0", undecided},          // about another value
        {tests, TESTS TEN, "decide 2 0 1", undecided},          // about none
        {tests, TESTS TEN, "decide 2 0 0xfffffffd", undecided}, // about none
        {tests, TESTS TEN, "fact U 2 computed - - - -; decide 2 0 1", undecided},
        {tests, TESTS TEN, "fact U 4 computed - 0 - -; decide 2 0 1", undecided}, // below
        {tests, TESTS TEN, "fact V 3 computed - - - -; decide 3 0 1", undecided},
        {tests, TESTS TEN, "fact T 2 computed - 0 - -; decide 1 0 1", undecided}, // above
        // Facts that justify each other, or themselves.
        {tests, TESTS, "fact U 2 computed - 1 - -; fact %a.0 2 outcome 1 - - -", no_consequence},
        {tests, TESTS, "fact %a.0 2 operand S - - 1; fact S 2 computed - 0 - -", no_consequence},
        {tests, TESTS, "fact S 2 computed - 0 - -", no_consequence},
        {tests, TESTS, "fact %a.0 2 outcome 1 0 - -", no_consequence},
        {tests, TESTS, "fact %a.0 2 operand S 0 - -", no_consequence},
        // Places: a join, the other way, above, beside, none.
        {tests, TESTS, "fact %a.0 8 outcome 1 - - -", no_consequence},
        {tests, TESTS, "fact %a.0 4 outcome 1 - - -", no_consequence},
        {tests, TESTS, "fact %a.0 1 outcome 1 - - -", no_consequence},
        {tests, TESTS, "fact %a.0 0 outcome 1 - - -", no_consequence},
        {tests, TESTS TEN, "fact S 3 computed - 0 - -", no_consequence},
        {tests, TESTS TEN, "fact S 8 computed - 0 - -", no_consequence},
        {tests, TESTS TEN, "fact S 1 computed - 0 - -", no_consequence},
        {tests, TESTS, "fact %a.0 13 outcome 1 - - -", about_none},
        {tests, TESTS, "fact %a.0 - outcome 1 - - -", about_none},
        // Values that are not known, or none.
        {tests, TESTS, "fact $s.1 2 computed - - - -", about_none},
        {tests, TESTS, "fact $d.1 8 computed - - - -", about_none},
        {tests, TESTS, "fact !999 2 outcome 1 - - -", about_none},
        {tests, TESTS, "fact - 2 outcome 1 - - -", about_none},
        // Reasons of another kind, of another node, with facts about another value.
        {tests, TESTS, "fact %b.0 2 outcome 1 - - -", no_consequence},
        {tests, TESTS, "fact %a.0 2 outcome 2 - - -", no_consequence},
        {tests, TESTS, "fact %a.0 2 outcome 99 - - -", no_consequence},
        {tests, TESTS, "fact %a.0 2 outcome - - - -", no_consequence},
        {tests, TESTS, "fact %a.0 2 4 1 - - -", no_consequence},
        {tests, TESTS, "fact %a.0 2 255 1 - - -", no_consequence},
        {tests, TESTS, "fact %a.0 2 access 1 - - -", no_consequence},
        {tests, TESTS, "fact %a.0 2 computed 1 - - -", no_consequence},
        {tests, TESTS, "fact %a.0 5 outcome 4 - - -", no_consequence},
        {tests, TESTS TEN, "fact %a.0 4 outcome 2 - 0 -", NULL}, // the bound is an immediate
        {tests, TESTS TEN, "fact P 2 computed - 0 - -; fact S 2 computed - 1 - -", no_consequence},
        {tests, TESTS TEN, "fact S 2 computed - 0 0 -", no_consequence},
        {tests, TESTS TEN, "fact S 2 computed - 7 - -", no_consequence},
        // Operands.
        {tests, TESTS TEN, "fact %b.0 2 operand S 0 - -", no_consequence},
        {tests, TESTS TEN, "fact %a.0 2 operand !999 0 - -", no_consequence},
        {tests, TESTS TEN, "fact %a.0 2 operand - 0 - -", no_consequence},
        {tests, TESTS TEN, "fact %a.0 2 operand $b.0 0 - -", no_consequence},
        {tests, TESTS TEN, "fact %a.0 2 operand %a.0 0 - -", no_consequence},
        {tests, TESTS TEN, "fact %a.0 2 operand S 0 - 0", no_consequence},
        // Steps at places.
        {tests, TESTS, "local %d.1 D divs_not_negative.i32 E - -; set %d.1 E", not_computed},
        {tests, TESTS TEN, "local %d.1 D divs_not_negative.i32 E 0 -; set %d.1 E", not_computed},
        {tests, TESTS TEN, "local %d.1 D divs_not_negative.i32 E - 9; set %d.1 E", not_computed},
        {tests, TESTS TEN, "local %m.1 M and_needless.i32 %a.0 0 -; set %m.1 %a.0; copy 9 %a.0",
         not_computed},
        // After a branch on its last bit, the others are not defined.
        {tests, TESTS, "fact P 11 outcome 3 - - -", NULL},
        {tests, TESTS,
         "fact P 11 outcome 3 - - -; fact %a.0 11 operand P - - 0;"
         "local %x.1 X sext8_needless.i32 %a.0 1 -; set %x.1 %a.0; copy 11 %a.0",
         not_computed},
    };
    TRY_FORGED(cases);
}

// ---- Steps at places

static const char divide[] = "function i32 @f(i32 %a.0, i32 %b.0) {\n"
                             "  0: if ult.i32 %a.0, 10 then 1 else 4\n"
                             "  1: %m.1 = and.i32 %a.0, 15\n"
                             "  2: %s.1 = sub.i32 %a.0, 9\n"
                             "  3: return %m.1\n"
                             "  4: if eq.i32 %a.0, 77 then 5 else 7\n"
                             "  5: %x.1 = xor.i32 %a.0, 1\n"
                             "  6: return %x.1\n"
                             "  7: return %b.0\n"
                             "}\n";
#define DIVIDE                                                                                     \
    "T = ult.i32 %a.0 10; test 0 T; M = and.i32 %a.0 15; form %m.1 M; S = sub.i32 %a.0 9;"         \
    "form %s.1 S; U = eq.i32 %a.0 77; test 4 U; X = xor.i32 %a.0 1; form %x.1 X;"                  \
    "fact %a.0 1 outcome 0 - - -; fact %a.0 5 outcome 4 - - -; fact X 5 computed - 1 - -;"

static void test_local(void **state) {
    (void)state;
    static const ForgedValues cases[] = {
        {divide, DIVIDE, "", NULL},
        {divide, DIVIDE, "local %m.1 M and_needless.i32 %a.0 0 -; set %m.1 %a.0; copy 1 %a.0",
         NULL},
        {divide, DIVIDE, "local %m.1 M and_needless.i32 %a.0 - 0; set %m.1 %a.0; copy 1 %a.0",
         NULL},
        {divide, DIVIDE, "local %x.1 X known 76 2 -; set %x.1 X", NULL},
        // The guard does not hold, or only by a fact that does not count.
        {divide, DIVIDE, "local %m.1 M and_needless.i32 %a.0 - -; set %m.1 %a.0; copy 1 %a.0",
         not_computed},
        {divide, DIVIDE, "local %m.1 M and_needless.i32 %a.0 1 -; set %m.1 %a.0; copy 1 %a.0",
         not_computed},
        {divide, DIVIDE, "local %m.1 M and_needless.i32 %a.0 0 3; set %m.1 %a.0; copy 1 %a.0",
         not_computed},
        {divide, DIVIDE, "local %x.1 X and_needless.i32 %a.0 1 -; set %x.1 %a.0; copy 5 %a.0",
         not_computed},
        {divide, DIVIDE, "local %m.1 M and_needless.i32 %b.0 0 -; set %m.1 %b.0; copy 1 %b.0",
         not_computed},
        {divide, DIVIDE, "local %m.1 M and_needless.i64 %a.0 0 -; set %m.1 %a.0; copy 1 %a.0",
         not_computed},
        {divide, DIVIDE, "local %m.1 M congruent %a.0 0 -; set %m.1 %a.0; copy 1 %a.0",
         not_computed},
        {divide, DIVIDE, "local %m.1 M extended %a.0 0 -; set %m.1 %a.0; copy 1 %a.0",
         not_computed},
        {divide, DIVIDE, "local %m.1 M !65535 %a.0 0 -; set %m.1 %a.0; copy 1 %a.0", not_computed},
        {divide, DIVIDE, "local %m.1 M known %a.0 0 -; set %m.1 %a.0; copy 1 %a.0", not_computed},
        {divide, DIVIDE, "local %m.1 !999 and_needless.i32 %a.0 0 -; set %m.1 %a.0; copy 1 %a.0",
         not_computed},
        {divide, DIVIDE, "local %m.1 M and_needless.i32 !999 0 -; set %m.1 %a.0; copy 1 %a.0",
         not_computed},
        {divide, DIVIDE, "local %m.1 S and_needless.i32 %a.0 0 -; set %m.1 %a.0; copy 1 %a.0",
         not_computed},
        {divide, DIVIDE, "local %s.1 M and_needless.i32 %a.0 0 -; set %m.1 %a.0; copy 1 %a.0",
         not_computed},
        // Another type.
        {divide, DIVIDE, "local %x.1 X known 76L 2 -; set %x.1 76L", "has another type"},
        {divide, DIVIDE, "local %x.1 X known 76L 2 -; set %x.1 76", not_computed},
        {divide, DIVIDE, "local %x.1 X known 77 2 -; set %x.1 77", not_computed},
        // What a range at a place leaves does not hold everywhere.
        {divide, DIVIDE, "step X known 76", no_step},
        {divide, DIVIDE, "step M and_needless.i32 %a.0; set %m.1 %a.0; copy 1 %a.0", no_step},
        // Out of order, the second is not found.
        {divide, DIVIDE,
         "local %x.1 X known 76 2 -; local %m.1 M and_needless.i32 %a.0 0 -; set %m.1 %a.0;"
         "copy 1 %a.0",
         not_computed},
    };
    TRY_FORGED(cases);
}

// Both ways of a branch are one, which the verifier would not let pass.
static void test_one_way(void **state) {
    (void)state;
    static const ForgedValues it = {"function i32 @f(i32 %a.0, i32 %b.0) {\n"
                                    "  0: if lt.i32 %a.0, 9 then 1 else 1\n"
                                    "  1: return %a.0\n"
                                    "}\n",
                                    "T = lt.i32 %a.0 9; test 0 T;", "fact %a.0 1 outcome 0 - - -",
                                    NULL};
    Arena *arena = arena_new("forgery");
    Verdict verdict = forged_values_verdict(arena, &it);
    assert_false(verdict.accepted);
    assert_string_equal(verdict.reason, "range 0 does not follow");
    arena_free(arena);
}

// ---- Switches and checks

static const char cases_text[] = "function i32 @f(i32 %a.0, i32 %b.0) {\n"
                                 "  0: %m.1 = and.i32 %a.0, 3\n"
                                 "  1: switch %m.1 { 1: 2, 9: 4, default: 5 }\n"
                                 "  2: %x.1 = add.i32 %m.1, 1\n"
                                 "  3: return %x.1\n"
                                 "  4: return %a.0\n"
                                 "  5: check %m.1\n"
                                 "  6: %y.1 = and.i32 %m.1, 1\n"
                                 "  7: return %y.1\n"
                                 "}\n";
#define CASES                                                                                      \
    "M = and.i32 %a.0 3; form %m.1 M; X = add.i32 M 1; form %x.1 X; Y = and.i32 M 1; form %y.1 Y;"

static void test_switches(void **state) {
    (void)state;
    static const ForgedValues cases[] = {
        {cases_text, CASES, "", NULL},
        {cases_text, CASES, "fact M 2 outcome 1 - - -", NULL},
        {cases_text, CASES, "fact M 2 outcome 1 - - -; fact X 2 computed - 0 - -", NULL},
        {cases_text, CASES, "fact M 4 outcome 1 - - -", NULL}, // empty: it is never reached
        {cases_text, CASES, "fact M 5 outcome 1 - - -", NULL},
        {cases_text, CASES, "fact M 6 outcome 5 - - -", NULL},
        {cases_text, CASES, "fact M 6 outcome 1 - - -", no_consequence},
        {cases_text, CASES, "fact M 5 outcome 5 - - -", no_consequence},
        {cases_text, CASES, "fact M 1 computed - - - -; decide 1 1 0", undecided},
        {cases_text, CASES, "fact M 1 computed - - - -; decide 1 0 0", undecided},
        {cases_text, CASES, "fact M 5 computed - - - -; decide 5 0 0", undecided},
        {cases_text, CASES, "fact M 6 outcome 5 - - -; decide 5 0 0", undecided},
    };
    TRY_FORGED(cases);
}

// ---- PHIs

static const char loop[] = "function i32 @f(i32 %a.0, i32 %b.0) {\n"
                           "  0: %c.1 = const.i32 0\n"
                           "  1: nop\n"
                           "  2: %i.1 = phi(1: %c.1, 5: %j.1)\n"
                           "  2: if lt.i32 %i.1, 10 then 3 else 6\n"
                           "  3: %m.1 = and.i32 %i.1, 15\n"
                           "  4: %j.1 = add.i32 %i.1, 1\n"
                           "  5: nop -> 2\n"
                           "  6: %d.1 = divs.i32 %i.1, 3\n"
                           "  7: if gt.i32 %i.1, 10 then 8 else 9\n"
                           "  8: return %b.0\n"
                           "  9: return %d.1\n"
                           "}\n";
#define LOOP                                                                                       \
    "I = phi 2 %c.1 -; J = add.i32 I 1; arg I 1 J; set %i.1 I; form %j.1 J; T = lt.i32 I 10;"      \
    "test 2 T; M = and.i32 I 15; form %m.1 M; D = divs.i32 I 3; form %d.1 D; E = divu.i32 I 3;"    \
    "U = gt.i32 I 10; test 7 U;"
#define FACTS     "fact I 3 outcome 2 - - -; fact J 5 computed - 0 - -;"
#define TEN_TIMES FACTS "range I 0 10 0xffffffff - 1; signed 0 10;"

static void test_loop(void **state) {
    (void)state;
    static const ForgedValues cases[] = {
        {loop, LOOP, "", NULL},
        {loop, LOOP, TEN_TIMES, NULL},
        {loop, LOOP, TEN_TIMES "bits 0xfffffff0 0", NULL},
        {loop, LOOP, TEN_TIMES "step D divs_not_negative.i32 E", NULL},
        {loop, LOOP, TEN_TIMES "step M and_needless.i32 I; set %m.1 I; copy 3 %i.1", NULL},
        {loop, LOOP, TEN_TIMES "step U known 0; straight 7 1", NULL},
        {loop, LOOP, TEN_TIMES "fact I 6 outcome 2 - - -; step U known 0; straight 7 1", NULL},
        {loop, LOOP, TEN_TIMES "step U known 1; straight 7 0", no_step},
        {loop, LOOP, TEN_TIMES "step T known 1; straight 2 0", no_step},
        {loop, LOOP, TEN_TIMES "step I known 10", no_step},
        {loop, LOOP, "step D divs_not_negative.i32 E", no_step},
        // What the back edge brings is left out, or not what is known at its end.
        {loop, LOOP, FACTS "range I 0 9 0xffffffff - 1; signed 0 9;", outside},
        {loop, LOOP, FACTS "range I 0 0 0xffffffff - 1; signed 0 0;", outside},
        {loop, LOOP, FACTS "range I 1 10 0xffffffff - 1; signed 1 10;", outside},
        {loop, LOOP, FACTS "range I 0 10 0xffffffff - -; signed 0 10;", outside},
        {loop, LOOP, FACTS "range I 0 10 0xffffffff - 0; signed 0 10;", outside},
        {loop, LOOP, FACTS "range I 0 10 0xffffffff - 2; signed 0 10;", outside},
        {loop, LOOP, FACTS "range I 0 10 0xffffffff 1 1; signed 0 10;", outside},
        {loop, LOOP, FACTS "range I 0 10 0xffffffff 1 -; signed 0 10;", outside},
        {loop, LOOP, FACTS "range I 0 10 0xffffffff - 1; signed 0 9;", outside},
        {loop, LOOP, FACTS "range I 0 10 0xffffffff - 1; bits 1 0", outside},
        {loop, LOOP, FACTS "range I 0 10 0xffffffff - 1; bits 0xfffffff8 0", outside},
        {loop, LOOP, FACTS "range I 1 10 0xffffffff - 1; bits 0 1", outside},
        // No ranges.
        {loop, LOOP, FACTS "range I 10 0 0xffffffff - 1", no_range},
        {loop, LOOP, FACTS "range I 0 10 0xffffffff - 1; signed 10 0", no_range},
        {loop, LOOP, FACTS "range I 0 10 0xffffffff - 1; bits 4 4", no_range},
        {loop, LOOP, FACTS "range I 5 5 0xffffffff - 1; bits 0 2", no_range},
        {loop, LOOP, FACTS "range I 6 9 0xffffffff - 1; bits 3 4", no_range},
        {loop, LOOP, FACTS "range I 6 9 0xffffffff - 1; signed -9 -6", no_range},
        {loop, LOOP, FACTS "range I 0 0x100000000 0xffffffff - 1", no_range},
        {loop, LOOP, FACTS "range I 0 10 0x1ffffffff - 1", no_range},
        {loop, LOOP, FACTS "range I 0 10 0xffffffff - 1; bits 0x100000000 0", no_range},
        {loop, LOOP, FACTS "range I 0 10 0xffffffff - 1; bits 0 0x100000000", no_range},
        {loop, LOOP, FACTS "range I 0 10 0xffffffff - 1; signed 0 0x80000000", no_range},
        {loop, LOOP, FACTS "range I 0 10 0xffffffff - 1; signed -0x80000001 10", no_range},
        {loop, LOOP, FACTS "range I 0 10 0xffffffff -", no_range},
        {loop, LOOP, TEN_TIMES "first 1", no_range},
        {loop, LOOP, TEN_TIMES "first 3", no_range},
        {loop, LOOP, TEN_TIMES "first -", no_range},
        // Of what is no PHI, or twice.
        {loop, LOOP, FACTS "range J 0 10 0xffffffff - 1", no_range},
        {loop, LOOP, FACTS "range $i.1 0 10 0xffffffff - 1", no_range},
        {loop, LOOP, FACTS "range !999 0 10 0xffffffff - 1", not_in_order},
        {loop, LOOP, TEN_TIMES "range I 0 10 0 - 1", not_in_order},
        {loop, LOOP, FACTS "K = phi 2 %c.1 J; range K 0 10 0 - 1; range I 0 10 0 - 1",
         not_in_order},
    };
    TRY_FORGED(cases);
}

// The first argument of q is undefined.
static const char undefined[] = "function i32 @f(i32 %a.0, i32 %b.0) {\n"
                                "  reg i32 %u.0\n"
                                "  0: %c.1 = const.i32 5\n"
                                "  1: if lt.i32 %a.0, 0 then 2 else 3\n"
                                "  2: nop -> 4\n"
                                "  3: nop\n"
                                "  4: %q.1 = phi(2: %u.0, 3: %c.1)\n"
                                "  4: %m.1 = and.i32 %q.1, 15\n"
                                "  5: %s.1 = shr.i32 %m.1, 4\n"
                                "  6: return %s.1\n"
                                "}\n";
#define UNDEFINED                                                                                  \
    "Q = phi 4 $u.0 %c.1; set %q.1 Q; M = and.i32 Q 15; form %m.1 M; S = shr.i32 M 4;"             \
    "form %s.1 S; W = and.i32 $m.1 15; R = phi 4 W %c.1;"

// So is p, and q has it as an argument.
static const char nothing[] = "function i32 @f(i32 %a.0, i32 %b.0) {\n"
                              "  reg i32 %u.0\n"
                              "  0: %c.1 = const.i32 5\n"
                              "  1: if lt.i32 %a.0, 0 then 2 else 3\n"
                              "  2: nop -> 4\n"
                              "  3: nop\n"
                              "  4: %p.1 = phi(2: %u.0, 3: %u.0)\n"
                              "  4: if lt.i32 %a.0, 50 then 5 else 6\n"
                              "  5: nop -> 7\n"
                              "  6: nop\n"
                              "  7: %q.1 = phi(5: %p.1, 6: %c.1)\n"
                              "  7: %m.1 = and.i32 %q.1, 15\n"
                              "  8: %s.1 = shr.i32 %m.1, 4\n"
                              "  9: return %s.1\n"
                              "}\n";
#define NOTHING                                                                                    \
    "P = phi 4 $u.0 $u.0; S = add.i32 P 0; Q = phi 7 P %c.1; set %p.1 P; set %q.1 Q;"              \
    "M = and.i32 Q 15; form %m.1 M;"
#define NEEDLESS "step M and_needless.i32 Q; set %m.1 Q; copy "

static void test_undefined(void **state) {
    (void)state;
    static const ForgedValues cases[] = {
        {undefined, UNDEFINED, "", NULL},
        {undefined, UNDEFINED, "range Q 5 5 0 - -", NULL},
        {undefined, UNDEFINED, "range Q 5 5 0 - -; bits 0xfffffffa 5; step M known 5", NULL},
        {undefined, UNDEFINED, "range Q 5 5 0xffffffff - -", outside},
        {undefined, UNDEFINED, "range Q 5 5 0x80000000 - -", outside},
        {undefined, UNDEFINED, "arg Q 0 -; range Q 5 5 0xffffffff - -", outside},
        {undefined, UNDEFINED, "range Q 5 5 0xffffffff - -;" NEEDLESS "4 %q.1", outside},
        {undefined, UNDEFINED, "range Q 5 5 0 - -;" NEEDLESS "4 %q.1", no_step},
        {undefined, UNDEFINED, "range Q 6 6 0 - -", outside},
        // An argument that is not known at the end of its way.
        {undefined, UNDEFINED, "range R 0 15 0 - -", NULL},
        {undefined, UNDEFINED, "range R 0 15 0xfffffff0 - -", outside},
        {undefined, UNDEFINED, "range R 0 14 0 - -", outside},
        // A range without values says that control does not come here.
        {nothing, NOTHING, "range P 5 5 0 - -; range Q 5 5 0 - -", NULL},
        {nothing, NOTHING, "range P 5 5 0 - -; fact P 4 operand S - - -; range Q 5 5 0 0 -", NULL},
        {nothing, NOTHING,
         "range P 5 5 0 - -; bits 0 2; fact P 4 operand S - - -; range Q 5 5 0xffffffff 0 "
         "-;" NEEDLESS "7 %q.1",
         no_range},
        {nothing, NOTHING,
         "range P 6 9 0 - -; bits 3 4; fact P 4 operand S - - -; range Q 5 5 0xffffffff 0 "
         "-;" NEEDLESS "7 %q.1",
         no_range},
        {nothing, NOTHING, "range P 5 5 0 - -; range Q 5 5 0xffffffff - -;" NEEDLESS "7 %q.1",
         outside},
    };
    TRY_FORGED(cases);
}

// ---- Ways of switches

// Two cases lead to one join; the value is at most 7.
static const char ways[] = "function i32 @f(i32 %a.0, i32 %b.0) {\n"
                           "  0: %m.1 = and.i32 %a.0, 7\n"
                           "  1: switch %m.1 { 1: 2, 4: 3, 8: 5, default: 7 }\n"
                           "  2: nop -> 4\n"
                           "  3: nop\n"
                           "  4: if ule.i32 %m.1, 4 then 8 else 9\n"
                           "  5: %x.1 = xor.i32 %m.1, 8\n"
                           "  6: return %x.1\n"
                           "  7: return %a.0\n"
                           "  8: return %b.0\n"
                           "  9: return %m.1\n"
                           "}\n";
#define WAYS                                                                                       \
    "M = and.i32 %a.0 7; form %m.1 M; T = ule.i32 M 4; test 4 T; X = xor.i32 M 8; form %x.1 X;"
#define PADS   "fact M 2 outcome 1 - - -; fact M 3 outcome 1 - - -;"
#define MERGED PADS "ends 0 1; fact M 4 merged 0 - - -;"

// The default is never gone.
static const char bits[] = "function i32 @f(i32 %a.0, i32 %b.0) {\n"
                           "  0: %m.1 = and.i32 %a.0, 2\n"
                           "  1: switch %m.1 { 0: 2, 2: 3, default: 4 }\n"
                           "  2: return %a.0\n"
                           "  3: return %b.0\n"
                           "  4: if lt.i32 %m.1, 9 then 5 else 6\n"
                           "  5: return %m.1\n"
                           "  6: return %a.0\n"
                           "}\n";
#define BITS_ "M = and.i32 %a.0 2; form %m.1 M; T = lt.i32 M 9; test 4 T;"

static const char not_excluded[] = "does not exclude way";
static const char elsewhere[] = "leads elsewhere";
static const char no_way[] = "is none, or not in order";

static void test_ways(void **state) {
    (void)state;
    static const ForgedValues cases[] = {
        {ways, WAYS, "", NULL},
        {ways, WAYS, "shut 1 3 -", "performs no node"},
        {ways, WAYS, "shut 1 3 -; ways 1 0 1:1 4:2", NULL},
        {ways, WAYS, "fact M 1 computed - - - -; shut 1 3 0; ways 1 0 1:1 4:2", NULL},
        {ways, WAYS, "shut 1 1 -; ways 1 0 4:2 8:3", not_excluded},
        {ways, WAYS, "shut 1 2 -; ways 1 0 1:1 8:3", not_excluded},
        {ways, WAYS, "shut 1 0 -; ways 1 3 1:1 4:2", not_excluded},
        {ways, WAYS, "shut 1 0 -; shut 1 1 -; shut 1 2 -; shut 1 3 -", not_excluded},
        // By another fact, one below, one of another value, by none.
        {ways, WAYS "fact T 1 computed - - - -;", "shut 1 3 0; ways 1 0 1:1 4:2", not_excluded},
        {ways, WAYS "fact M 2 outcome 1 - - -;", "shut 1 3 0; ways 1 0 1:1 4:2", not_excluded},
        {ways, WAYS, "shut 1 3 0; ways 1 0 1:1 4:2", not_excluded},
        // No switch, no way, not in order, twice.
        {ways, WAYS, "shut 4 1 -", no_way},
        {ways, WAYS, "shut 1 4 -", no_way},
        {ways, WAYS, "shut 99 0 -", no_way},
        {ways, WAYS, "shut - 0 -", no_way},
        {ways, WAYS, "shut 1 3 -; shut 1 3 -", no_way},
        {ways, WAYS, "shut 1 3 -; shut 1 1 -", no_way},
        // Cases are gone, exchanged, new, or go another way.
        {ways, WAYS, "ways 1 0 1:1 4:2", "is not performed"},
        {ways, WAYS, "shut 1 3 -; ways 1 0 1:1", elsewhere},
        {ways, WAYS, "shut 1 3 -; ways 1 0 1:2 4:1", elsewhere},
        {ways, WAYS, "shut 1 3 -; ways 1 0 2:1 4:2", elsewhere},
        // Another case takes the place of the default.
        {bits, BITS_, "shut 1 0 -", "performs no node"},
        {bits, BITS_, "shut 1 0 -; ways 1 2 0:1", NULL},
        {bits, BITS_, "shut 1 0 -; ways 1 1 2:2", NULL},
        {bits, BITS_, "shut 1 0 -; ways 1 0 0:1", "performs no node"},
        {bits, BITS_, "ways 1 2 0:1", "is not performed"},
    };
    TRY_FORGED(cases);
}

// The same where two ways of the new switch lead to one node, which the verifier would refuse.
static void test_equal_ways(void **state) {
    (void)state;
    static const ForgedValues cases[] = {
        // A way that is shut may lead anywhere.
        {ways, WAYS, "shut 1 3 -; ways 1 0 1:1 4:2 8:1", NULL},
        {ways, WAYS, "shut 1 3 -; ways 1 1 1:1 4:2", "is not performed"},
        {ways, WAYS, "shut 1 3 -; ways 1 0 1:1 3:0 4:2", elsewhere},
        {ways, WAYS, "ways 1 0 1:1 4:2 8:3 9:0", "more cases"},
        {ways, WAYS, "ways 1 0 0:0 1:1 4:2 8:3", elsewhere},
        {bits, BITS_, "shut 1 0 -; ways 1 1 0:1", "is not performed"},
    };
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Arena *arena = arena_new("forgery");
        Verdict verdict = forged_values_verdict(arena, &cases[i]);
        assert_int_equal(verdict.accepted, !cases[i].reason);
        if (cases[i].reason && !strstr(verdict.reason, cases[i].reason))
            fail_msg("%s: rejected, but because %s", cases[i].more, verdict.reason);
        arena_free(arena);
    }
}

static void test_merged(void **state) {
    (void)state;
    static const ForgedValues cases[] = {
        {ways, WAYS, MERGED, NULL},
        {ways, WAYS, MERGED "fact T 4 computed - 2 - -; decide 4 0 3", NULL},
        {ways, WAYS, MERGED "fact T 4 computed - 2 - -; decide 4 1 3", undecided},
        {ways, WAYS,
         PADS "ends 0 -; fact M 4 merged 0 - - -; fact T 4 computed - 2 - -;"
              "decide 4 0 3",
         undecided},
        // The fact of another way, of another value, of none, a later fact; too few.
        {ways, WAYS, PADS "ends 0 0; fact M 4 merged 0 - - -", no_consequence},
        {ways, WAYS, PADS "ends 1 0; fact M 4 merged 0 - - -", no_consequence},
        {ways, WAYS, PADS "ends 0 1; fact %a.0 4 merged 0 - - -", no_consequence},
        {ways, WAYS, PADS "ends 0 2; fact M 4 merged 0 - - -", no_consequence},
        {ways, WAYS, PADS "ends 0 9; fact M 4 merged 0 - - -", no_consequence},
        {ways, WAYS, PADS "ends 0; fact M 4 merged 0 - - -", no_consequence},
        {ways, WAYS, PADS "ends 0 1; fact M 4 merged 1 - - -", no_consequence},
        {ways, WAYS, PADS "ends 0 1; fact M 4 merged - - - -", no_consequence},
        // The join itself sets the value; the fact of a round before does not count.
        {loop, LOOP, "fact I 3 outcome 2 - - -; ends - 0; fact I 2 merged 0 - - -", no_consequence},
        // The outcome is that of both ways, not of one; nothing is known at the join itself.
        {ways, WAYS, "fact M 4 outcome 1 - - -", no_consequence},
        // By default, the value is no case; but only its ends tell.
        {ways, WAYS, "fact M 7 outcome 1 - - -", NULL},
        {bits, BITS_, "fact M 4 outcome 1 - - -", NULL}, // empty: it is never reached
        {bits, BITS_, "fact M 4 outcome 1 - - -; fact M 3 outcome 1 0 - -", no_consequence},
        {ways, WAYS, "fact M 2 outcome 1 - - -; fact M 3 outcome 1 0 - -", no_consequence},
        {ways, WAYS, "fact %a.0 2 outcome 1 - - -", no_consequence},
        {ways, WAYS, "fact M 8 outcome 1 - - -", no_consequence},
    };
    TRY_FORGED(cases);
}

// ---- Divisions

static const char division[] = "function i32 @f(i32 %a.0, i32 %b.0) {\n"
                               "  0: %q.1 = divs.i32 %a.0, %b.0\n"
                               "  1: %r.1 = modu.i32 %b.0, 3\n"
                               "  2: if eq.i32 %b.0, 0 then 3 else 4\n"
                               "  3: return %r.1\n"
                               "  4: if eq.i32 %a.0, 0 then 5 else 6\n"
                               "  5: return %q.1\n"
                               "  6: %s.1 = add.i32 %a.0, 1\n"
                               "  7: return %s.1\n"
                               "}\n";
#define DIVISION                                                                                   \
    "T = eq.i32 %b.0 0; test 2 T; U = eq.i32 %a.0 0; test 4 U; S = add.i32 %a.0 1; form %s.1 S;"

static void test_divisions(void **state) {
    (void)state;
    static const ForgedValues cases[] = {
        {division, DIVISION, "", NULL},
        {division, DIVISION, "fact %b.0 1 divided 0 - - -", NULL},
        {division, DIVISION, "fact %b.0 1 divided 0 - - -; fact T 2 computed - 0 - -; decide 2 1 1",
         NULL},
        {division, DIVISION, "fact %b.0 1 divided 0 - - -; fact T 2 computed - 0 - -; decide 2 0 1",
         undecided},
        // The dividend, also beside a constant divisor, is defined and may be zero.
        {division, DIVISION, "fact %a.0 1 divided 0 - - -; fact U 4 computed - 0 - -; decide 4 1 1",
         undecided},
        {division, DIVISION, "fact %b.0 2 divided 1 - - -; fact T 2 computed - 0 - -; decide 2 1 1",
         undecided},
        // At the division, farther below, behind something else, of another value.
        {division, DIVISION, "fact %b.0 0 divided 0 - - -", no_consequence},
        {division, DIVISION, "fact %b.0 2 divided 0 - - -", no_consequence},
        {division, DIVISION, "fact %a.0 7 divided 6 - - -", no_consequence},
        {division, DIVISION, "fact %b.0 3 divided 2 - - -", no_consequence},
        {division, DIVISION, "fact %b.0 1 divided 99 - - -", no_consequence},
        {division, DIVISION, "fact %b.0 1 divided - - - -", no_consequence},
        {division, DIVISION, "fact %a.0 2 divided 1 - - -", no_consequence},
        {division, DIVISION, "fact %q.1 1 divided 0 - - -", no_consequence},
        {division, DIVISION, "fact S 1 divided 0 - - -", no_consequence},
        {division, DIVISION, "fact %b.0 1 access 0 - - -", no_consequence},
    };
    TRY_FORGED(cases);
}

// ---- Accesses

static const char accesses[] = "function i64 @f(i64 %a.0, i64 %b.0) {\n"
                               "  0: %v.1 = const.i32 1\n"
                               "  1: store.i32 [%a.0 + 8], %v.1\n"
                               "  2: %w.1 = load.i32 [%b.0 + %a.0*4]\n"
                               "  3: store.i32 [%b.0 + 4096], %v.1\n"
                               "  4: store.i32 [%b.0 - 8], %v.1\n"
                               "  5: if eq.i64 %a.0, 0 then 6 else 7\n"
                               "  6: return %a.0\n"
                               "  7: if eq.i64 %b.0, 0 then 8 else 9\n"
                               "  8: return %a.0\n"
                               "  9: return %b.0\n"
                               "}\n";
#define ACCESSES "T = eq.i64 %a.0 0L; test 5 T; U = eq.i64 %b.0 0L; test 7 U;"

static void test_accesses(void **state) {
    (void)state;
    static const ForgedValues cases[] = {
        {accesses, ACCESSES, "", NULL},
        {accesses, ACCESSES, "fact %a.0 2 access 1 - - -; fact T 5 computed - 0 - -; decide 5 1 1",
         NULL},
        {accesses, ACCESSES, "fact %b.0 4 access 3 - - -; fact %b.0 5 access 4 - - -", NULL},
        {accesses, ACCESSES, "fact %a.0 2 access 1 - - -; fact T 5 computed - 0 - -; decide 5 0 1",
         undecided},
        // An offset that is large or negative.
        {accesses, ACCESSES, "fact %b.0 4 access 3 - - -; fact U 7 computed - 0 - -; decide 7 1 1",
         undecided},
        {accesses, ACCESSES, "fact %b.0 5 access 4 - - -; fact U 7 computed - 0 - -; decide 7 1 1",
         undecided},
        // With an index, nothing follows.
        {accesses, ACCESSES, "fact %b.0 3 access 2 - - -", no_consequence},
        {accesses, ACCESSES, "fact %a.0 3 access 2 - - -", no_consequence},
        // Above the access, farther below, of another register, of no access.
        {accesses, ACCESSES, "fact %a.0 1 access 1 - - -", no_consequence},
        {accesses, ACCESSES, "fact %a.0 0 access 1 - - -", no_consequence},
        {accesses, ACCESSES, "fact %a.0 3 access 1 - - -", no_consequence},
        {accesses, ACCESSES, "fact %b.0 2 access 1 - - -", no_consequence},
        {accesses, ACCESSES, "fact %v.1 2 access 1 - - -", no_consequence},
        {accesses, ACCESSES, "fact T 2 access 1 - - -", no_consequence},
        {accesses, ACCESSES, "fact %a.0 1 access 0 - - -", no_consequence},
        {accesses, ACCESSES, "fact %a.0 7 access 5 - - -", no_consequence},
        {accesses, ACCESSES, "fact %a.0 2 access 99 - - -", no_consequence},
        {accesses, ACCESSES, "fact %a.0 2 outcome 1 - - -", no_consequence},
    };
    TRY_FORGED(cases);
}

int main(void) {
    const struct CMUnitTest all[] = {
        cmocka_unit_test(test_masks),     cmocka_unit_test(test_places),
        cmocka_unit_test(test_local),     cmocka_unit_test(test_one_way),
        cmocka_unit_test(test_switches),  cmocka_unit_test(test_loop),
        cmocka_unit_test(test_undefined), cmocka_unit_test(test_accesses),
        cmocka_unit_test(test_ways),      cmocka_unit_test(test_merged),
        cmocka_unit_test(test_divisions), cmocka_unit_test(test_equal_ways)};
    return cmocka_run_group_tests(all, NULL, NULL);
}
