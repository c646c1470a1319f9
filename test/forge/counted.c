// Forged steps from an operator of PHIs to a PHI that counts along, and from comparisons to wider
// ones; and forged limits, at which counters are claimed to end. Each must be rejected for the
// reason that is given; beside them stand genuine hints that are accepted. What was accepted must
// do no harm. Commands: test/gen/forge_values.h.
#include "test/gen/forge_values.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const char no_step[] = "is not right";
static const char no_count[] = "is counted on no ways";
static const char entry[] = "does not count along on way 0";
static const char back[] = "does not count along on way 1";
static const char no_range[] = "lies outside of its range";
static const char no_base[] = "leads to a value that is not known";
static const char unknown[] = "is formed of values that are not known";

// ---- Counters

// %p.1 counts along with %i.1, in 64 bits. The test stands at the end.
static const char twins[] = "function i64 @f(i32 %n.0, i32 %m.0) {\n"
                            "  reg i64 %u.0\n"
                            "  0: %z.1 = const.i32 0\n"
                            "  1: %w.1 = const.i64 0\n"
                            "  2: %e.1 = and.i64 %u.0, 0\n"
                            "  3: nop\n"
                            "  4: %i.1 = phi(3: %z.1, 8: %j.1)\n"
                            "  4: %p.1 = phi(3: %w.1, 8: %q.1)\n"
                            "  4: %x.1 = sext.i64 %i.1\n"
                            "  5: %j.1 = add.i32 %i.1, 1\n"
                            "  6: %q.1 = add.i64 %p.1, 1\n"
                            "  7: if lt.i32 %j.1, %n.0 then 8 else 9\n"
                            "  8: nop -> 4\n"
                            "  9: return %x.1\n"
                            "}\n";
// I is %i.1, P is %p.1, X the extension of I, S of what I is next; Y is S in two parts.
#define TWINS                                                                                      \
    "form %z.1 0; form %w.1 0L; I = phi 4 0 -; J = add.i32 I 1; arg I 1 J; set %i.1 I;"            \
    "form %j.1 J; P = phi 4 0L -; Q = add.i64 P 1L; arg P 1 Q; set %p.1 P; form %q.1 Q;"           \
    "X = sext.i64 I; form %x.1 X; T = lt.i32 J %n.0; test 7 T; Z = sext.i64 0; S = sext.i64 J;"    \
    "Y = add.i64 X 1L;"
#define BOUNDED                                                                                    \
    "fact J 8 outcome 7 - - -; range I 0 0xffffffff 0 - 0; signed -2147483648 2147483646;"
#define FOLDED    "step Z fold 0L;"
#define COUNTED   "step X counted P; counted Z S;"
#define ADVANCED  "step S sext_sum.i64 Y; step Y congruent Q;"
#define EXTENSION "set %x.1 P; copy 4 %p.1"

static void test_twins(void **state) {
    (void)state;
    static const ForgedValues cases[] = {
        {twins, TWINS BOUNDED FOLDED COUNTED ADVANCED, EXTENSION, NULL},
        {twins, TWINS BOUNDED COUNTED FOLDED ADVANCED, EXTENSION, NULL},
        {twins, TWINS BOUNDED FOLDED COUNTED ADVANCED, "", NULL},
        // The reasons.
        {twins, TWINS BOUNDED FOLDED ADVANCED, EXTENSION, no_step},
        {twins, TWINS BOUNDED FOLDED COUNTED, EXTENSION, back},
        {twins, TWINS BOUNDED COUNTED ADVANCED, EXTENSION, entry},
        {twins, TWINS BOUNDED FOLDED "step X counted P;" ADVANCED, EXTENSION, no_step},
        {twins, TWINS BOUNDED FOLDED "step X counted P; counted;" ADVANCED, EXTENSION, no_count},
        {twins, TWINS BOUNDED FOLDED "step X counted P; counted Z;" ADVANCED, EXTENSION, no_count},
        {twins, TWINS BOUNDED FOLDED "step X counted P; counted Z - ;" ADVANCED, EXTENSION, back},
        {twins, TWINS BOUNDED FOLDED "step X counted P; counted - S;" ADVANCED, EXTENSION, entry},
        {twins, TWINS BOUNDED FOLDED "step X counted P; counted Z !99;" ADVANCED, EXTENSION, back},
        {twins, TWINS BOUNDED FOLDED "step X counted P; counted S Z;" ADVANCED, EXTENSION, entry},
        {twins, TWINS BOUNDED FOLDED "step X counted P; counted 0L S;" ADVANCED, EXTENSION, entry},
        {twins, TWINS BOUNDED FOLDED "step X counted P; counted Z Q;" ADVANCED, EXTENSION, back},
        {twins, TWINS BOUNDED FOLDED "step X counted P; counted Z Y;" ADVANCED, EXTENSION, back},
        {twins, TWINS BOUNDED FOLDED COUNTED "counted Z S;" ADVANCED, EXTENSION,
         "reasons for counting without a step"},
        {twins, TWINS BOUNDED FOLDED "counted Z S; step X counted P;" ADVANCED, EXTENSION, no_step},
        // The sum may wrap.
        {twins, TWINS FOLDED COUNTED ADVANCED, EXTENSION, no_step},
        {twins,
         TWINS "range I 0 0xffffffff 0 - -; signed -2147483648 2147483646;" FOLDED COUNTED ADVANCED,
         EXTENSION, no_range},
        {twins,
         TWINS "fact J 8 outcome 7 - - -; range I 0 0xffffffff 0 - 0;" FOLDED COUNTED ADVANCED,
         EXTENSION, no_step},
        // Other counters.
        {twins, TWINS BOUNDED FOLDED "arg P 1 P;" COUNTED ADVANCED, EXTENSION, back},
        {twins, TWINS BOUNDED FOLDED "R = add.i64 P 2L; arg P 1 R;" COUNTED ADVANCED, EXTENSION,
         back},
        {twins, TWINS BOUNDED FOLDED "arg P 0 1L;" COUNTED ADVANCED, EXTENSION, entry},
        {twins, TWINS BOUNDED FOLDED "arg P 0 -;" COUNTED ADVANCED, EXTENSION, entry},
        {twins, TWINS BOUNDED FOLDED "arg P 1 -;" COUNTED ADVANCED, EXTENSION, back},
        {twins, TWINS BOUNDED FOLDED "arg I 0 -;" COUNTED ADVANCED, EXTENSION, entry},
        {twins, TWINS BOUNDED FOLDED "X = zext.i64 I; Z = zext.i64 0; S = zext.i64 J;" COUNTED,
         "set %x.1 P; copy 4 %p.1", entry},
        {twins, TWINS BOUNDED FOLDED "step X counted Q; counted Z S;" ADVANCED, EXTENSION, no_step},
        {twins, TWINS BOUNDED FOLDED "step X counted I; counted Z S;" ADVANCED, EXTENSION,
         "changes the type"},
        // What the join sets beside its PHIs, and what is set below.
        {twins, TWINS BOUNDED FOLDED "X = sext.i64 $i.1;" COUNTED, "", entry},
        {twins, TWINS BOUNDED FOLDED "X = sext.i64 $j.1;" COUNTED, "", entry},
        {twins, TWINS BOUNDED FOLDED "X = add.i64 P $x.1;" COUNTED, "", entry},
        // An argument that is not known when control comes by its way.
        {twins, TWINS BOUNDED "Z = sext.i64 $j.1; arg I 0 $j.1; arg P 0 Z;" FOLDED COUNTED ADVANCED,
         EXTENSION, no_step},
        {twins, TWINS BOUNDED "Z = sext.i64 $j.1; arg I 0 $j.1; arg P 0 Z;" COUNTED ADVANCED,
         EXTENSION, entry},
    };
    TRY_FORGED(cases);
}

// A value that is known above a join is what a PHI of the join is, where the join dominates. A step
// would count above the join, too.
static void test_above(void **state) {
    (void)state;
    static const ForgedValues cases[] = {
        {twins, TWINS, "V = sext.i64 %n.0; R = phi 4 V V; step V counted R; counted V V", no_base},
        {twins, TWINS, "R = phi 4 0L 0L; step 0L counted R; counted 0L 0L", no_base},
        // Beside a PHI, a value from above is a part like others.
        {twins, TWINS,
         "V = sext.i64 %n.0; A = add.i64 P V; B = add.i64 0L V; C = add.i64 Q V; R = phi 4 B C;"
         "step A counted R; counted B C",
         NULL},
        {twins, TWINS,
         "V = sext.i64 %n.0; A = add.i64 P V; B = add.i64 0L V; C = add.i64 Q 1L; R = phi 4 B C;"
         "step A counted R; counted B C",
         back},
        {twins, TWINS,
         "V = sext.i64 %n.0; W = sext.i64 %m.0; A = add.i64 P V; B = add.i64 0L W; R = phi 4 B B;"
         "step A counted R; counted B B",
         entry},
    };
    TRY_FORGED(cases);
}

// A register that nothing sets may be taken for anything, but only for what is known.
static void test_formed(void **state) {
    (void)state;
    static const ForgedValues cases[] = {
        {twins, TWINS,
         "N = and.i64 $u.0 0L; step N and_zero.i64 0L; form %e.1 N; set %e.1 0L; new %e.1 -", NULL},
        {twins, TWINS,
         "N = and.i64 X 0L; step N and_zero.i64 0L; form %e.1 N; set %e.1 0L; new %e.1 -", unknown},
    };
    TRY_FORGED(cases);
}

// Terms of many operators are not looked into.
#define TWICE(to, from) #to " = add.i64 " #from " " #from ";"
#define MANY(last, first)                                                                          \
    TWICE(A, first) TWICE(A, A) TWICE(A, A) TWICE(A, A) TWICE(A, A) #last " = add.i64 A A;"

static void test_many(void **state) {
    (void)state;
    static const ForgedValues cases[] = {
        {twins, TWINS,
         TWICE(A, P) TWICE(A, A) TWICE(B, 0L) TWICE(B, B) TWICE(C, Q) TWICE(C, C) "R = phi 4 B C;"
                                                                                  "step A counted "
                                                                                  "R; counted B C",
         NULL},
        {twins, TWINS,
         MANY(D, P) MANY(B, 0L) MANY(C, Q) "R = phi 4 B C; step D counted R; counted B C", entry},
    };
    TRY_FORGED(cases);
}

// ---- Two loops

// The inner loop counts %p.1 from what %x.1 is.
static const char nested[] = "function i64 @f(i32 %n.0, i32 %m.0) {\n"
                             "  0: %z.1 = const.i32 0\n"
                             "  1: nop\n"
                             "  2: %i.1 = phi(1: %z.1, 10: %j.1)\n"
                             "  2: %x.1 = sext.i64 %i.1\n"
                             "  3: nop\n"
                             "  4: %p.1 = phi(3: %x.1, 6: %q.1)\n"
                             "  4: %q.1 = add.i64 %p.1, 1\n"
                             "  5: if lt.i64 %q.1, 5 then 6 else 7\n"
                             "  6: nop -> 4\n"
                             "  7: nop\n"
                             "  8: %j.1 = add.i32 %i.1, 1\n"
                             "  9: if lt.i32 %j.1, %n.0 then 10 else 11\n"
                             "  10: nop -> 2\n"
                             "  11: return %p.1\n"
                             "}\n";
#define NESTED                                                                                     \
    "form %z.1 0; I = phi 2 0 -; J = add.i32 I 1; arg I 1 J; set %i.1 I; form %j.1 J;"             \
    "X = sext.i64 I; form %x.1 X; P = phi 4 X -; Q = add.i64 P 1L; arg P 1 Q; set %p.1 P;"         \
    "form %q.1 Q; Z = sext.i64 0; S = sext.i64 J;"                                                 \
    "T = lt.i64 Q 5L; test 5 T; T = lt.i32 J %n.0; test 9 T;"

static void test_nested(void **state) {
    (void)state;
    static const ForgedValues cases[] = {
        {nested, NESTED, "", NULL},
        // A PHI of another join.
        {nested, NESTED, "step X counted P; counted X X", no_base},
        {nested, NESTED, "R = phi 4 X X; step X counted R; counted X X", no_base},
        {nested, NESTED,
         "A = add.i64 P X; B = add.i64 X X; C = add.i64 Q X; R = phi 4 B C;"
         "step A counted R; counted B C",
         NULL},
        {nested, NESTED,
         "A = add.i64 P X; B = add.i64 X X; C = add.i64 Q S; R = phi 4 B C;"
         "step A counted R; counted B C",
         back},
        {nested, NESTED, "A = add.i64 P X; R = phi 2 Z S; step A counted R; counted Z S", entry},
    };
    TRY_FORGED(cases);
}

// ---- Comparisons

#define M_IS "M = sext.i64 %n.0;"

static void test_widened(void **state) {
    (void)state;
    static const ForgedValues cases[] = {
        {twins, TWINS, M_IS "C = lt.i64 S M; step T widened C", NULL},
        {twins, TWINS, "A = eq.i32 J %n.0;" M_IS "C = eq.i64 S M; step A widened C", NULL},
        {twins, TWINS, "A = ne.i32 J %n.0;" M_IS "C = ne.i64 M S; step A widened C", NULL},
        {twins, TWINS, "A = ge.i32 J -3; C = ge.i64 S -3L; step A widened C", NULL},
        {twins, TWINS, M_IS "C = lt.i64 M S; step T widened C", no_step},
        {twins, TWINS, M_IS "C = le.i64 S M; step T widened C", no_step},
        {twins, TWINS, M_IS "C = ult.i64 S M; step T widened C", no_step},
        {twins, TWINS, M_IS "C = lt.i64 S S; step T widened C", no_step},
        {twins, TWINS, M_IS "C = lt.i64 X M; step T widened C", no_step},
        {twins, TWINS, "M = zext.i64 %n.0; C = lt.i64 S M; step T widened C", no_step},
        {twins, TWINS, "M = zext.i64 J; N = sext.i64 %n.0; C = lt.i64 M N; step T widened C",
         no_step},
        {twins, TWINS, "A = ult.i32 J %n.0;" M_IS "C = ult.i64 S M; step A widened C", no_step},
        {twins, TWINS, "A = ge.i32 J -3; C = ge.i64 S 4294967293L; step A widened C", no_step},
        {twins, TWINS, "A = ge.i32 J -3; C = ge.i64 S 3L; step A widened C", no_step},
        {twins, TWINS, M_IS "C = lt.i64 S M; step C widened T", no_step},
        {twins, TWINS, M_IS "C = sub.i64 S M; D = sub.i32 J %n.0; step D widened C",
         "changes the type"},
    };
    TRY_FORGED(cases);
}

// ---- Limits

// A loop that counts from START by STEP, as long as TEST holds; GUARD stands in front of the loop.
#define COUNTING(START, GUARD, STEP, TEST)                                                         \
    "function i32 @f(i32 %n.0, i32 %m.0) {\n"                                                      \
    "  slot $s size 4 align 4\n"                                                                   \
    "  0: %z.1 = const.i32 " START "\n"                                                            \
    "  1: if " GUARD " then 2 else 9\n"                                                            \
    "  2: nop\n"                                                                                   \
    "  3: %i.1 = phi(2: %z.1, 7: %j.1)\n"                                                          \
    "  3: %k.1 = mul.i32 %m.0, %i.1\n"                                                             \
    "  4: %j.1 = add.i32 %i.1, " STEP "\n"                                                         \
    "  5: store.i32 [$s], %k.1\n"                                                                  \
    "  6: if " TEST " then 7 else 8\n"                                                             \
    "  7: nop -> 3\n"                                                                              \
    "  8: return %j.1\n"                                                                           \
    "  9: return %m.0\n"                                                                           \
    "}\n"
// I is %i.1, J is %j.1; the return behind the loop gets %n.0.
#define COUNTS(START, STEP)                                                                        \
    "form %z.1 " START "; I = phi 3 " START " -; J = add.i32 I " STEP "; arg I 1 J; set %i.1 I;"   \
    "form %j.1 J; K = mul.i32 %m.0 I; form %k.1 K;"
#define ENDS_AT "use 8 0 %n.0; local 8 J equal %n.0 6 1;"
#define UP      COUNTING("0", "gt.i32 %n.0, 0", "1", "lt.i32 %j.1, %n.0")
#define UP_IS   COUNTS("0", "1") "G = gt.i32 %n.0 0; test 1 G; T = lt.i32 J %n.0; test 6 T;"
#define GATE    "gate 3 1:0 6:0;"

static const char other[] = "argument 0 is another value";

static void test_limits(void **state) {
    (void)state;
    static const ForgedValues cases[] = {
        {UP, UP_IS GATE, ENDS_AT, NULL},
        {UP, UP_IS, ENDS_AT, other},
        {UP, UP_IS "gate 3 1:1 6:0;", ENDS_AT, other},
        {UP, UP_IS "gate 3 1:0 6:1;", ENDS_AT, other},
        {UP, UP_IS "gate 3 6:0 1:0;", ENDS_AT, other},
        {UP, UP_IS "gate 3 1:0 1:0;", ENDS_AT, other},
        {UP, UP_IS "gate 3 1:7 6:0;", ENDS_AT, other},
        {UP, UP_IS "gate 3 1:0 99:0;", ENDS_AT, other},
        {UP, UP_IS "gate 3 5:0 6:0;", ENDS_AT, other},
        {UP, UP_IS "gate 2 1:0 6:0;", ENDS_AT, other},
        {UP, UP_IS "gate 3 1:0;", ENDS_AT, "are none"},
        // Other sums, and another node.
        {UP, UP_IS GATE, "use 8 0 %m.0; local 8 J equal %m.0 6 1", other},
        {UP, UP_IS GATE, "N = add.i32 %n.0 1; use 8 0 %n.0; local 8 J equal N 6 1", other},
        {UP, UP_IS GATE, "use 8 0 %n.0; local 8 I equal %n.0 6 1", other},
        {UP, UP_IS GATE, "use 9 0 %n.0; local 9 %m.0 equal %n.0 6 1", other},
        {UP, UP_IS GATE, "use 8 0 %n.0; local 8 J equal %n.0 6 0", other},
        {UP, UP_IS GATE, "use 8 0 %n.0; local 8 J equal %n.0 1 0", other},
        // An argument of the PHI that is not known.
        {UP, UP_IS GATE "arg I 0 -;", ENDS_AT, "is another value"},
        {UP, UP_IS GATE "arg I 1 -;", ENDS_AT, "is another value"},
        {UP, UP_IS GATE "arg I 0 1;", ENDS_AT, "is another value"},
    };
    TRY_FORGED(cases);
}

// Both ends must fit: where the loop starts, by how much it counts, and what it tests.
#define LOOP(START, GUARD, GUARD_IS, STEP, TEST, TEST_IS)                                          \
    COUNTING(START, GUARD, STEP, TEST),                                                            \
        COUNTS(START, STEP) "G = " GUARD_IS "; test 1 G; T = " TEST_IS "; test 6 T;" GATE

static void test_other_loops(void **state) {
    (void)state;
    static const ForgedValues cases[] = {
        {LOOP("0", "ne.i32 %n.0, 0", "ne.i32 %n.0 0", "1", "ult.i32 %j.1, %n.0", "ult.i32 J %n.0"),
         ENDS_AT, NULL},
        {LOOP("7", "lt.i32 %n.0, 7", "lt.i32 %n.0 7", "-1", "gt.i32 %j.1, %n.0", "gt.i32 J %n.0"),
         ENDS_AT, NULL},
        {LOOP("7", "lt.i32 %n.0, 3", "lt.i32 %n.0 3", "-1", "lt.i32 %n.0, %j.1", "lt.i32 %n.0 J"),
         ENDS_AT, NULL},
        {LOOP("5", "gt.i32 %n.0, 0", "gt.i32 %n.0 0", "1", "lt.i32 %j.1, %n.0", "lt.i32 J %n.0"),
         ENDS_AT, other},
        {LOOP("0", "ge.i32 %n.0, 0", "ge.i32 %n.0 0", "1", "lt.i32 %j.1, %n.0", "lt.i32 J %n.0"),
         ENDS_AT, other},
        {LOOP("0", "ne.i32 %n.0, 0", "ne.i32 %n.0 0", "1", "lt.i32 %j.1, %n.0", "lt.i32 J %n.0"),
         ENDS_AT, other},
        {LOOP("-1", "gt.i32 %n.0, -1", "gt.i32 %n.0 -1", "1", "ult.i32 %j.1, %n.0",
              "ult.i32 J %n.0"),
         ENDS_AT, other},
        {LOOP("0", "gt.i32 %m.0, 0", "gt.i32 %m.0 0", "1", "lt.i32 %j.1, %n.0", "lt.i32 J %n.0"),
         ENDS_AT, other},
        {LOOP("0", "gt.i32 %n.0, 0", "gt.i32 %n.0 0", "2", "lt.i32 %j.1, %n.0", "lt.i32 J %n.0"),
         ENDS_AT, other},
        {LOOP("0", "gt.i32 %n.0, 0", "gt.i32 %n.0 0", "-1", "lt.i32 %j.1, %n.0", "lt.i32 J %n.0"),
         ENDS_AT, other},
        {LOOP("0", "gt.i32 %n.0, 0", "gt.i32 %n.0 0", "1", "le.i32 %j.1, %n.0", "le.i32 J %n.0"),
         ENDS_AT, other},
        {LOOP("0", "gt.i32 %n.0, 0", "gt.i32 %n.0 0", "1", "lt.i32 %i.1, %n.0", "lt.i32 I %n.0"),
         ENDS_AT, other},
        {LOOP("0", "gt.i32 %n.0, 0", "gt.i32 %n.0 0", "1", "lt.i32 %j.1, %m.0", "lt.i32 J %m.0"),
         ENDS_AT, other},
        // A limit that the loop sets.
        {LOOP("0", "gt.i32 %n.0, 0", "gt.i32 %n.0 0", "1", "lt.i32 %j.1, %k.1", "lt.i32 J K"),
         "use 8 0 %k.1; local 8 J equal K 6 1", other},
    };
    TRY_FORGED(cases);
}

// A constant as the limit. A start that is a constant needs no edge.
#define TO_EIGHT(START, TEST)                                                                      \
    "function i32 @f(i32 %n.0, i32 %m.0) {\n"                                                      \
    "  0: %z.1 = const.i32 " START "\n"                                                            \
    "  1: %e.1 = const.i32 8\n"                                                                    \
    "  2: nop\n"                                                                                   \
    "  3: %i.1 = phi(2: %z.1, 6: %j.1)\n"                                                          \
    "  3: %j.1 = add.i32 %i.1, 1\n"                                                                \
    "  4: if ne.i32 %j.1, %n.0 then 5 else 8\n"                                                    \
    "  5: if " TEST " then 6 else 7\n"                                                             \
    "  6: nop -> 3\n"                                                                              \
    "  7: return %j.1\n"                                                                           \
    "  8: return %m.0\n"                                                                           \
    "}\n"
#define EIGHT(START, TEST, TEST_IS)                                                                \
    TO_EIGHT(START, TEST),                                                                         \
        "form %z.1 " START "; form %e.1 8; I = phi 3 " START " -; J = add.i32 I 1; arg I 1 J;"     \
        "set %i.1 I; form %j.1 J; G = ne.i32 J %n.0; test 4 G; T = " TEST_IS "; test 5 T;"

static void test_constant_limits(void **state) {
    (void)state;
    static const ForgedValues cases[] = {
        {EIGHT("0", "lt.i32 %j.1, 8", "lt.i32 J 8"),
         "gate 3 99:0 5:0; use 7 0 %e.1; local 7 J equal 8 5 1", NULL},
        {EIGHT("7", "lt.i32 %j.1, 8", "lt.i32 J 8"),
         "gate 3 99:0 5:0; use 7 0 %e.1; local 7 J equal 8 5 1", NULL},
        {EIGHT("0", "lt.i32 %j.1, 8", "lt.i32 J 8"), "use 7 0 %e.1; local 7 J equal 8 5 1", other},
        {EIGHT("0", "lt.i32 %j.1, 8", "lt.i32 J 8"),
         "gate 3 99:0 4:0; use 7 0 %e.1; local 7 J equal 8 5 1", other},
        {EIGHT("0", "lt.i32 %j.1, 8", "lt.i32 J 8"),
         "gate 3 99:0 5:0; use 8 0 %e.1; local 8 %m.0 equal 8 5 1", other},
        {EIGHT("8", "lt.i32 %j.1, 8", "lt.i32 J 8"),
         "gate 3 99:0 5:0; use 7 0 %e.1; local 7 J equal 8 5 1", other},
        {EIGHT("-1", "ult.i32 %j.1, 8", "ult.i32 J 8"),
         "gate 3 99:0 5:0; use 7 0 %e.1; local 7 J equal 8 5 1", other},
        {EIGHT("0", "lt.i32 %j.1, 7", "lt.i32 J 7"),
         "gate 3 99:0 5:0; use 7 0 %e.1; local 7 J equal 8 5 1", other},
        {EIGHT("0", "le.i32 %j.1, 8", "le.i32 J 8"),
         "gate 3 99:0 5:0; use 7 0 %e.1; local 7 J equal 8 5 1", other},
    };
    TRY_FORGED(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_twins),           cmocka_unit_test(test_above),
        cmocka_unit_test(test_formed),          cmocka_unit_test(test_many),
        cmocka_unit_test(test_nested),          cmocka_unit_test(test_widened),
        cmocka_unit_test(test_limits),          cmocka_unit_test(test_other_loops),
        cmocka_unit_test(test_constant_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
