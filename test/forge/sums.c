// Forged claims that two values are equal: as sums, as constants that merge, behind a branch that
// has compared them, as sums of phis of one join. Each must be rejected for the reason that is
// given; beside them stand genuine hints that are accepted. What was accepted must do no harm.
// Commands: test/gen/forge_values.h.
#include "test/gen/forge_values.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const char no_step[] = "is not right";
static const char other_type[] = "changes the type";
static const char not_computed[] = "is not computed as claimed";
static const char no_argument[] = "is another value";
static const char own_join[] = "is claimed to be something of its own join";
static const char unknown_yet[] = "is set where its value is not known yet";

// ---- Sums

static const char sums[] = "function i32 @f(i32 %a.0, i32 %b.0) {\n"
                           "  0: %p.1 = add.i32 %a.0, %b.0\n"
                           "  1: %q.1 = sub.i32 %p.1, %b.0\n"
                           "  2: %s.1 = shl.i32 %a.0, 2\n"
                           "  3: %m.1 = mul.i32 %a.0, 4\n"
                           "  4: if eq.i32 %p.1, %q.1 then 5 else 6\n"
                           "  5: return %q.1\n"
                           "  6: return %s.1\n"
                           "}\n";
#define SUMS                                                                                       \
    "P = add.i32 %a.0 %b.0; form %p.1 P; Q = sub.i32 P %b.0; form %q.1 Q; S = shl.i32 %a.0 2;"     \
    "form %s.1 S; M = mul.i32 %a.0 4; form %m.1 M; T = eq.i32 P Q; test 4 T;"

static void test_sums(void **state) {
    (void)state;
    static const ForgedValues cases[] = {
        {sums, SUMS, "", NULL},
        {sums, SUMS, "step Q sum %a.0; set %q.1 %a.0; copy 1 %a.0; T = eq.i32 P %a.0; test 4 T",
         NULL},
        {sums, SUMS, "step M sum S", NULL},
        {sums, SUMS, "N = add.i32 M %b.0; O = add.i32 S %b.0; step N sum O", NULL},
        {sums, SUMS, "Z = mul.i32 %a.0 0; step Z sum 0", NULL},
        {sums, SUMS, "Z = sub.i32 %a.0 %a.0; step Z sum 0", NULL},
        {sums, SUMS, "Z = neg.i32 M; Y = neg.i32 Z; step Y sum M", NULL},
        {sums, SUMS, "Z = add.i32 %a.0 -1; Y = sub.i32 %a.0 1; step Z sum Y", NULL},
        {sums, SUMS, "Z = add.i32 %a.0 1; E = eq.i32 Z %a.0; step E sum 0", NULL},
        {sums, SUMS, "Z = add.i32 %a.0 1; E = ne.i32 Z %a.0; step E sum 1", NULL},
        // Other sums.
        {sums, SUMS, "step Q sum %b.0; set %q.1 %b.0; use 5 0 %b.0; copy 1 %b.0", no_step},
        {sums, SUMS, "step P sum %a.0", no_step},
        {sums, SUMS, "Z = add.i32 %a.0 1; step Z sum %a.0", no_step},
        {sums, SUMS, "Z = mul.i32 %a.0 5; step Z sum S", no_step},
        {sums, SUMS, "Z = neg.i32 %a.0; Y = sub.i32 %a.0 0; step Z sum Y", no_step},
        {sums, SUMS, "Z = mul.i32 %a.0 %b.0; Y = mul.i32 %a.0 2; step Z sum Y", no_step},
        {sums, SUMS, "Z = mul.i32 %a.0 0x80000001; Y = add.i32 %a.0 0; step Z sum Y", no_step},
        // The first has fewer undefined bits than the second.
        {sums, SUMS, "step %a.0 sum Q", no_step},
        {sums, SUMS, "step S sum M; set %s.1 M; use 6 0 %m.1", no_step},
        {sums, SUMS, "N = add.i32 M %b.0; O = add.i32 S %b.0; step O sum N", no_step},
        {sums, SUMS, "Z = mul.i32 %a.0 0; Y = sub.i32 5 5; step Y sum Z", no_step},
        {sums, SUMS, "Z = sub.i32 %a.0 %a.0; Y = add.i32 %b.0 Z; O = add.i32 %b.0 0; step O sum Y",
         no_step},
        {sums, SUMS, "Z = shl.i32 Q 1; Y = shl.i32 %a.0 1; step Z sum Y", no_step},
        {sums, SUMS, "Z = shl.i32 %a.0 2; Y = shl.i32 %a.0 1; X = shl.i32 Y 1; step Z sum X",
         no_step},
        {sums, SUMS,
         "Z = shl.i32 %a.0 2; X = shl.i32 %a.0 1; Y = add.i32 X X; O = add.i32 Z 0; step O sum Y",
         no_step},
        // Operators that are no sums: counts of shifts are taken modulo the width.
        {sums, SUMS, "Z = shl.i32 %a.0 32; Y = mul.i32 %a.0 0; X = add.i32 Z 0; step X sum Y",
         no_step},
        {sums, SUMS, "Z = shl.i32 %a.0 31; Y = shl.i32 Z 1; X = add.i32 Y 0; step X sum 0",
         no_step},
        {sums, SUMS, "Z = shl.i32 %a.0 -1; Y = mul.i32 %a.0 2; X = add.i32 Z 0; step X sum Y",
         no_step},
        {sums, SUMS, "Z = shl.i32 2 %a.0; Y = mul.i32 %a.0 4; X = add.i32 Z 0; step X sum Y",
         no_step},
        {sums, SUMS, "Z = xor.i32 %a.0 %a.0; step Z sum 0", no_step},
        {sums, SUMS,
         "Z = add.i32 %a.0 1; Y = zext.i64 Z; X = zext.i64 %a.0; W = add.i64 X 1L;"
         "step Y sum W",
         no_step},
        {sums, SUMS, "Z = zext.i64 %a.0; Y = add.i64 Z 0L; step Y sum %a.0", other_type},
        {sums, SUMS, "Z = zext.i64 %a.0; Y = mul.i64 Z 0x100000000L; step Y sum 0L", no_step},
        // Comparisons.
        {sums, SUMS, "Z = add.i32 %a.0 1; E = eq.i32 Z %a.0; step E sum 1", no_step},
        {sums, SUMS, "Z = add.i32 %a.0 1; E = ne.i32 Z %a.0; step E sum 0", no_step},
        {sums, SUMS, "Z = add.i32 %a.0 1; E = ne.i32 Z %a.0; step E sum 1L", other_type},
        {sums, SUMS, "Z = add.i32 %a.0 1; E = gt.i32 Z %a.0; step E sum 1", no_step},
        {sums, SUMS, "step T sum 0; straight 4 1", no_step},
        {sums, SUMS, "step T sum 1; straight 4 0", no_step},
        {sums, SUMS, "E = eq.i32 %a.0 %b.0; step T sum E", no_step},
        // A step that needs a branch does not hold everywhere.
        {sums, SUMS, "step Q equal %a.0", no_step},
    };
    TRY_FORGED(cases);
}

// Addresses are no sums, and no number is equal to itself if it is none.
static const char others[] = "function i32 @f(f64 %a.0, i64 %b.0) {\n"
                             "  slot $s size 16 align 8\n"
                             "  0: if eq.f64 %a.0, %a.0 then 1 else 3\n"
                             "  1: %c.1 = const.i32 1\n"
                             "  2: return %c.1\n"
                             "  3: %d.1 = const.i32 0\n"
                             "  4: return %d.1\n"
                             "}\n";
#define OTHERS                                                                                     \
    "T = eq.f64 %a.0 %a.0; test 0 T; A = slot 0 0; B = slot 0 8; C = add.i64 A 8L;"                \
    "D = sub.i64 B A; E = eq.i64 A B;"

static void test_others(void **state) {
    (void)state;
    static const ForgedValues cases[] = {
        {others, OTHERS, "", NULL},
        {others, OTHERS, "step C fold B", NULL},
        {others, OTHERS, "F = sub.i64 C A; step F sum 8L", NULL},
        {others, OTHERS, "step T sum 1; straight 0 0", no_step},
        {others, OTHERS, "X = add.f64 %a.0 %a.0; Y = sub.f64 X %a.0; step Y sum %a.0", no_step},
        {others, OTHERS, "step C sum B", no_step},
        {others, OTHERS, "step A sum B", no_step},
        {others, OTHERS, "step D sum 0L", no_step},
        {others, OTHERS, "step E sum 0", no_step},
        {others, OTHERS, "step E sum 1", no_step},
        {others, OTHERS, "G = slot 1 0", "is none"},
    };
    TRY_FORGED(cases);
}

// ---- Constants that merge

static const char merges[] = "function i32 @f(i32 %a.0, i32 %b.0) {\n"
                             "  reg i32 %u.0\n"
                             "  0: %c.1 = const.i32 3\n"
                             "  1: %d.1 = const.i32 5\n"
                             "  2: if lt.i32 %a.0, %b.0 then 3 else 4\n"
                             "  3: nop -> 5\n"
                             "  4: nop\n"
                             "  5: %p.1 = phi(3: %c.1, 4: %d.1)\n"
                             "  5: %q.1 = phi(3: %d.1, 4: %c.1)\n"
                             "  5: %s.1 = add.i32 %p.1, %q.1\n"
                             "  6: if lt.i32 %b.0, 0 then 7 else 8\n"
                             "  7: nop -> 9\n"
                             "  8: nop\n"
                             "  9: %r.1 = phi(7: %d.1, 8: %c.1)\n"
                             "  9: %t.1 = add.i32 %p.1, %r.1\n"
                             "  10: if eq.i32 %s.1, 8 then 11 else 12\n"
                             "  11: return %t.1\n"
                             "  12: return %s.1\n"
                             "}\n";
#define MERGES                                                                                     \
    "P = phi 5 %c.1 %d.1; set %p.1 P; Q = phi 5 %d.1 %c.1; set %q.1 Q; S = add.i32 P Q;"           \
    "form %s.1 S; R = phi 9 %d.1 %c.1; set %r.1 R; T = add.i32 P R; form %t.1 T;"                  \
    "U = eq.i32 S 8; test 10 U; N = phi 5 - %c.1;"

static void test_merges(void **state) {
    (void)state;
    static const ForgedValues cases[] = {
        {merges, MERGES, "", NULL},
        {merges, MERGES, "step S merged 8", NULL},
        {merges, MERGES, "step U merged 1; straight 10 0", NULL},
        {merges, MERGES, "O = or.i32 P Q; step O merged 7", NULL},
        {merges, MERGES, "step N merged 3", NULL}, // the other way is undefined
        {merges, MERGES, "A = and.i32 N 4; step A merged 0", NULL},
        {merges, MERGES, "step S merged 9", no_step},
        {merges, MERGES, "step S merged 8L", other_type},
        {merges, MERGES, "step U merged 0; straight 10 1", no_step},
        {merges, MERGES, "step P merged 3", no_step},
        {merges, MERGES, "step P merged 5", no_step},
        {merges, MERGES, "step S merged P", no_step},
        {merges, MERGES, "E = eq.i32 P 3; step E merged 1", no_step},
        // Phis of two joins, registers, constants alone.
        {merges, MERGES, "step T merged 8; set %t.1 8", no_step},
        {merges, MERGES, "A = add.i32 P %b.0; step A merged 3", no_step},
        {merges, MERGES, "A = add.i32 $p.1 $q.1; step A merged 8", no_step},
        {merges, MERGES, "A = add.i32 3 5; step A merged 8", no_step},
        {merges, MERGES, "A = phi 5 $u.0 %c.1; step A merged 3", no_step},
        {merges, MERGES, "A = phi 5 P %c.1; step A merged 3", no_step},
        {merges, MERGES, "A = phi 5 %c.1 3; B = phi 9 A 3; step B merged 3", no_step},
        // Undefined bits are not all undefined.
        {merges, MERGES, "step N merged 4", no_step},
        {merges, MERGES, "A = and.i32 N 4; step A merged 4", no_step},
        {merges, MERGES, "A = and.i32 N 4; B = phi 5 0 4; O = or.i32 A B; step O merged 5",
         no_step},
        {merges, MERGES, "A = phi 5 - -; step A merged 3", other_type},
        {merges, MERGES, "A = phi 5 - -; B = add.i32 A 1; step B merged 3", "has another type"},
        // An operator that goes wrong on one way.
        {merges, MERGES, "A = phi 5 0 %c.1; D = divs.i32 9 A; step D merged 3", no_step},
        {merges, MERGES, "D = divs.i32 9 N; step D merged 3", no_step},
        // More arguments than ways, or fewer.
        {merges, MERGES, "A = phi 5 3 3 3; step A merged 3", "is none"},
        {merges, MERGES, "A = phi 5 3; step A merged 3", "is none"},
        {merges, MERGES, "A = phi 6 3 3; step A merged 3", "is none"},
    };
    TRY_FORGED(cases);
}

// ---- Branches that compare

static const char equal[] = "function i32 @f(i32 %a.0, i32 %b.0) {\n"
                            "  0: %k.1 = const.i32 9\n"
                            "  1: if eq.i32 %a.0, %b.0 then 2 else 7\n"
                            "  2: %x.1 = add.i32 %a.0, 1\n"
                            "  3: %y.1 = add.i32 %b.0, 1\n"
                            "  4: %w.1 = sub.i32 %y.1, %a.0\n"
                            "  5: check %a.0\n"
                            "  6: return %x.1\n"
                            "  7: if ne.i32 %a.0, 9 then 8 else 10\n"
                            "  8: if lt.i32 %a.0, %b.0 then 9 else 13\n"
                            "  9: return %a.0\n"
                            "  10: %z.1 = add.i32 %a.0, 2\n"
                            "  11: check %z.1\n"
                            "  12: return %a.0\n"
                            "  13: %v.1 = add.i32 %b.0, 1\n"
                            "  14: return %v.1\n"
                            "}\n";
#define EQUAL                                                                                      \
    "T = eq.i32 %a.0 %b.0; test 1 T; X = add.i32 %a.0 1; form %x.1 X; Y = add.i32 %b.0 1;"         \
    "form %y.1 Y; W = sub.i32 Y %a.0; form %w.1 W; U = ne.i32 %a.0 9; test 7 U;"                   \
    "Z = add.i32 %a.0 2; form %z.1 Z; V = add.i32 %b.0 1; form %v.1 V; L = lt.i32 %a.0 %b.0;"      \
    "test 8 L;"
// The claims and the changes that go with a step.
#define Y_IS_X "; set %y.1 X; copy 3 %x.1; W = sub.i32 X %a.0; form %w.1 W"
#define NINE   "; use 12 0 %k.1"
#define X_IS_Y "; use 6 0 %y.1"
#define A_IS_B "; use 9 0 %b.0"

static void test_equal(void **state) {
    (void)state;
    static const ForgedValues cases[] = {
        {equal, EQUAL, "", NULL},
        {equal, EQUAL, "local 3 Y equal X 1 0" Y_IS_X, NULL},
        {equal, EQUAL, "local 4 W equal 1 1 0; set %w.1 1; new %w.1 W", NULL},
        {equal, EQUAL, "local 6 X equal Y 1 0" X_IS_Y, NULL},
        {equal, EQUAL, "local 12 %a.0 equal %k.1 7 1" NINE, NULL},
        // Another node, branch or way.
        {equal, EQUAL, "local 2 Y equal X 1 0" Y_IS_X, not_computed},
        {equal, EQUAL, "local 3 Y equal X 1 1" Y_IS_X, not_computed},
        {equal, EQUAL, "local 3 Y equal X 1 2" Y_IS_X, not_computed},
        {equal, EQUAL, "local 3 Y equal X 1 -" Y_IS_X, not_computed},
        {equal, EQUAL, "local 3 Y equal X 7 1" Y_IS_X, not_computed},
        {equal, EQUAL, "local 3 Y equal X 0 0" Y_IS_X, not_computed},
        {equal, EQUAL, "local 3 Y equal X 6 0" Y_IS_X, not_computed},
        {equal, EQUAL, "local 3 Y equal X 15 0" Y_IS_X, not_computed},
        {equal, EQUAL, "local 3 Y equal X - 0" Y_IS_X, not_computed},
        {equal, EQUAL, "local - Y equal X 1 0" Y_IS_X, not_computed},
        {equal, EQUAL, "local 3 Y sum X 1 0" Y_IS_X, not_computed},
        {equal, EQUAL, "local 3 Y sum X - -" Y_IS_X, not_computed},
        {equal, EQUAL, "local 13 V equal X 1 0; set %v.1 X", not_computed},
        {equal, EQUAL, "local 13 V equal X 1 1; set %v.1 X", not_computed},
        {equal, EQUAL, "local 13 V equal X 8 1; set %v.1 X", not_computed},
        {equal, EQUAL, "local 9 %a.0 equal %b.0 8 0" A_IS_B, no_argument},
        {equal, EQUAL, "local 9 %a.0 equal %b.0 1 1" A_IS_B, no_argument},
        {equal, EQUAL, "local 9 %a.0 equal %b.0 7 0" A_IS_B, no_argument},
        {equal, EQUAL, "local 9 %a.0 equal %b.0 1 0" A_IS_B, no_argument},
        {equal, EQUAL, "local 11 %a.0 equal %k.1 7 1" NINE, no_argument},
        {equal, EQUAL, "local 12 %a.0 equal %k.1 7 0" NINE, no_argument},
        {equal, EQUAL, "local 12 %a.0 equal %b.0 7 1; use 12 0 %b.0", no_argument},
        // Checks tell of no equality.
        {equal, EQUAL, "local 12 %a.0 equal %k.1 11 0" NINE, no_argument},
        {equal, EQUAL, "local 6 X equal Y 5 0" X_IS_Y, no_argument},
        // Other sums, in the other direction, of another type.
        {equal, EQUAL, "local 6 Y equal X 1 0" X_IS_Y, no_argument},
        {equal, EQUAL, "local 6 X equal %b.0 1 0; use 6 0 %b.0", no_argument},
        {equal, EQUAL, "local 12 %a.0 equal 8 7 1; new %k.1 8" NINE, "result is another"},
        {equal, EQUAL, "local 4 W equal 0 1 0; set %w.1 0; new %w.1 W", not_computed},
        {equal, EQUAL, "local 4 W equal 1L 1 0; set %w.1 1; new %w.1 W", not_computed},
        {equal, EQUAL, "local 4 W equal !999 1 0; set %w.1 1; new %w.1 W", not_computed},
        {equal, EQUAL, "local 4 !999 equal 1 1 0; set %w.1 1; new %w.1 W", not_computed},
        {equal, EQUAL,
         "A = zext.i64 %a.0; B = zext.i64 %b.0; C = trunc.i32 A; D = trunc.i32 B;"
         "local 6 C equal D 1 0" X_IS_Y,
         no_argument},
        // Out of order, the step is not found.
        {equal, EQUAL, "local 12 Z equal 11 7 1; local 3 Y equal X 1 0" Y_IS_X, not_computed},
        // A value that is not known where the register is set.
        {equal, EQUAL, "A = add.i32 $z.1 0; local 3 Y equal A 1 0; set %y.1 A", unknown_yet},
    };
    TRY_FORGED(cases);
}

// The upper bits of %a.0 are shifted out in front of the branch.
static const char shifted[] = "function i32 @f(i32 %a.0, i32 %b.0) {\n"
                              "  0: %s.1 = shl.i32 %a.0, 3\n"
                              "  1: if eq.i32 %s.1, %b.0 then 2 else 5\n"
                              "  2: %m.1 = mul.i32 %a.0, 8\n"
                              "  3: %t.1 = shl.i32 %b.0, 1\n"
                              "  4: return %b.0\n"
                              "  5: return %a.0\n"
                              "}\n";
#define SHIFTED                                                                                    \
    "S = shl.i32 %a.0 3; form %s.1 S; T = eq.i32 S %b.0; test 1 T; M = mul.i32 %a.0 8;"            \
    "form %m.1 M; U = shl.i32 %b.0 1; form %t.1 U;"

static void test_shifted(void **state) {
    (void)state;
    static const ForgedValues cases[] = {
        {shifted, SHIFTED, "", NULL},
        {shifted, SHIFTED, "local 4 %b.0 equal S 1 0; use 4 0 %s.1", NULL},
        {shifted, SHIFTED, "local 2 M equal S 1 0; set %m.1 S; copy 2 %s.1", NULL},
        {shifted, SHIFTED, "local 2 M equal %b.0 1 0; set %m.1 %b.0; copy 2 %b.0", NULL},
        {shifted, SHIFTED, "A = shl.i32 %a.0 4; local 3 U equal A 1 0; set %t.1 A; new %t.1 U",
         NULL},
        {shifted, SHIFTED, "local 4 %b.0 equal M 1 0; use 4 0 %m.1", no_argument},
        {shifted, SHIFTED, "A = mul.i32 %a.0 16; local 3 U equal A 1 0; set %t.1 A; new %t.1 U",
         not_computed},
        {shifted, SHIFTED, "A = shl.i32 %a.0 2; local 4 %b.0 equal A 1 0; use 4 0 %s.1",
         no_argument},
        {shifted, SHIFTED, "local 5 %a.0 equal %b.0 1 0; use 5 0 %b.0", no_argument},
        {shifted, SHIFTED, "local 5 %a.0 equal %b.0 1 1; use 5 0 %b.0", no_argument},
    };
    TRY_FORGED(cases);
}

// Two cases lead to one node, and the default way to a node of its own.
static const char switches[] = "function i32 @f(i32 %a.0, i32 %b.0) {\n"
                               "  0: %k.1 = const.i32 4\n"
                               "  1: %j.1 = const.i32 5\n"
                               "  2: switch %a.0 { 4: 3, 5: 4, 6: 5, default: 7 }\n"
                               "  3: return %a.0\n"
                               "  4: nop -> 6\n"
                               "  5: nop\n"
                               "  6: return %a.0\n"
                               "  7: return %a.0\n"
                               "}\n";

static void test_switches(void **state) {
    (void)state;
    static const ForgedValues cases[] = {
        {switches, "", "", NULL},
        {switches, "", "local 3 %a.0 equal %k.1 2 1; use 3 0 %k.1", NULL},
        {switches, "", "local 3 %a.0 equal %j.1 2 1; use 3 0 %j.1", no_argument},
        {switches, "", "local 3 %a.0 equal %j.1 2 2; use 3 0 %j.1", no_argument},
        {switches, "", "local 3 %a.0 equal %k.1 2 0; use 3 0 %k.1", no_argument},
        {switches, "", "local 3 %a.0 equal %k.1 2 4; use 3 0 %k.1", no_argument},
        {switches, "", "local 6 %a.0 equal %j.1 2 2; use 6 0 %j.1", no_argument},
        {switches, "", "local 7 %a.0 equal %k.1 2 0; use 7 0 %k.1", no_argument},
        {switches, "", "local 7 %a.0 equal %k.1 2 1; use 7 0 %k.1", no_argument},
    };
    TRY_FORGED(cases);
}

// Edges that two ways share, which the verifier would not let pass.
static void test_shared_edges(void **state) {
    (void)state;
    static const ForgedValues cases[] = {
        {"function i32 @f(i32 %a.0, i32 %b.0) {\n"
         "  0: if eq.i32 %a.0, %b.0 then 1 else 1\n"
         "  1: return %a.0\n"
         "}\n",
         "T = eq.i32 %a.0 %b.0; test 0 T;", "local 1 %a.0 equal %b.0 0 0; use 1 0 %b.0", NULL},
        {"function i32 @f(i32 %a.0, i32 %b.0) {\n"
         "  0: %k.1 = const.i32 4\n"
         "  1: switch %a.0 { 4: 2, 5: 2, default: 3 }\n"
         "  2: return %a.0\n"
         "  3: return %b.0\n"
         "}\n",
         "", "local 2 %a.0 equal %k.1 1 1; use 2 0 %k.1", NULL},
    };
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Arena *arena = arena_new("forgery");
        Verdict verdict = forged_values_verdict(arena, &cases[i]);
        assert_false(verdict.accepted);
        assert_string_equal(verdict.reason, "argument 0 is another value");
        arena_free(arena);
    }
}

// ---- Arguments of phis

static const char ends[] = "function i32 @f(i32 %a.0, i32 %b.0) {\n"
                           "  0: if eq.i32 %a.0, %b.0 then 1 else 2\n"
                           "  1: nop -> 3\n"
                           "  2: nop\n"
                           "  3: %x.1 = phi(1: %a.0, 2: %b.0)\n"
                           "  3: if lt.i32 %a.0, 0 then 4 else 5\n"
                           "  4: return %x.1\n"
                           "  5: return %b.0\n"
                           "}\n";
#define ENDS   "T = eq.i32 %a.0 %b.0; test 0 T; P = phi 3 %a.0 %b.0;"
#define X_IS_B "; set %x.1 %b.0; new %x.1 $x.1; use 4 0 %b.0"
#define X_IS_A "; set %x.1 %a.0; new %x.1 $x.1; use 4 0 %a.0"

static void test_ends(void **state) {
    (void)state;
    static const ForgedValues cases[] = {
        {ends, ENDS, "", NULL},
        {ends, ENDS, "set %x.1 P", NULL},
        {ends, ENDS, "local 1 %a.0 equal %b.0 0 0" X_IS_B, NULL},
        {ends, ENDS, "local 1 %a.0 equal %b.0 0 0; arg P 0 %b.0; set %x.1 P; join %x.1 0 %b.0",
         NULL},
        {ends, ENDS, X_IS_B, no_argument},
        {ends, ENDS, X_IS_A, no_argument},
        {ends, ENDS, "local 0 %a.0 equal %b.0 0 0" X_IS_B, no_argument},
        {ends, ENDS, "local 2 %a.0 equal %b.0 0 0" X_IS_B, no_argument},
        {ends, ENDS, "local 3 %a.0 equal %b.0 0 0" X_IS_B, no_argument},
        {ends, ENDS, "local 1 %a.0 equal %b.0 0 1" X_IS_B, no_argument},
        {ends, ENDS, "local 1 %a.0 equal %b.0 3 0" X_IS_B, no_argument},
        {ends, ENDS, "local 1 %b.0 equal %a.0 0 0" X_IS_B, no_argument},
        {ends, ENDS, "local 1 %b.0 equal %a.0 0 0" X_IS_A, no_argument},
        {ends, ENDS, "local 2 %b.0 equal %a.0 0 0" X_IS_A, no_argument},
        {ends, ENDS, "local 2 %b.0 equal %a.0 0 1" X_IS_A, no_argument},
        {ends, ENDS, "arg P 0 %b.0; set %x.1 P; join %x.1 0 %b.0", no_argument},
        {ends, ENDS, "local 1 %a.0 equal %b.0 0 0; arg P 1 %a.0; set %x.1 P; join %x.1 1 %a.0",
         no_argument},
        {ends, ENDS, "local 1 %a.0 equal %b.0 0 0; join %x.1 0 %b.0", no_argument},
        // Behind the join, the branch has not been passed.
        {ends, ENDS, "local 4 $x.1 equal %b.0 0 0; use 4 0 %b.0", no_argument},
        {ends, ENDS, "local 5 %b.0 equal %a.0 0 0; use 5 0 %a.0", no_argument},
    };
    TRY_FORGED(cases);
}

// The counter is equal to %b.0 in one turn only.
static const char turns[] = "function i32 @f(i32 %a.0, i32 %b.0) {\n"
                            "  0: %z.1 = const.i32 0\n"
                            "  1: nop\n"
                            "  2: %i.1 = phi(1: %z.1, 6: %j.1)\n"
                            "  2: if eq.i32 %i.1, %b.0 then 3 else 4\n"
                            "  3: return %i.1\n"
                            "  4: %j.1 = add.i32 %i.1, 1\n"
                            "  5: if eq.i32 %j.1, 10 then 7 else 6\n"
                            "  6: nop -> 2\n"
                            "  7: return %j.1\n"
                            "}\n";
#define TURNS                                                                                      \
    "I = phi 2 %z.1 -; J = add.i32 I 1; arg I 1 J; set %i.1 I; form %j.1 J; T = eq.i32 I %b.0;"    \
    "test 2 T; U = eq.i32 J 10; test 5 U;"

static void test_turns(void **state) {
    (void)state;
    static const ForgedValues cases[] = {
        {turns, TURNS, "", NULL},
        {turns, TURNS, "local 3 I equal %b.0 2 0; use 3 0 %b.0", NULL},
        {turns, TURNS, "local 4 J equal 10 5 0; arg I 1 10; set %j.1 10", not_computed},
        {turns, TURNS, "local 7 J equal %b.0 2 1; use 7 0 %b.0", no_argument},
        {turns, TURNS, "local 7 J equal %b.0 2 0; use 7 0 %b.0", no_argument},
        {turns, TURNS, "local 7 J equal %i.1 5 0; use 7 0 %i.1", no_argument},
        {turns, TURNS, "local 6 J equal 10 5 0; arg I 1 10; set %i.1 I", no_argument},
        {turns, TURNS, "local 6 J equal %b.0 2 0; arg I 1 %b.0; set %i.1 I; join %i.1 1 %b.0",
         no_argument},
        {turns, TURNS, "step I merged 0", no_step},
        {turns, TURNS, "arg I 1 I; step I merged 0", no_step},
    };
    TRY_FORGED(cases);
}

// ---- Sums of phis

static const char counters[] = "function i32 @f(i32 %a.0, i32 %b.0) {\n"
                               "  0: %z.1 = const.i32 0\n"
                               "  1: %e.1 = add.i32 %b.0, 1\n"
                               "  2: nop\n"
                               "  3: %i.1 = phi(2: %z.1, 8: %j.1)\n"
                               "  3: %t.1 = phi(2: %z.1, 8: %s.1)\n"
                               "  3: %v.1 = phi(2: %e.1, 8: %w.1)\n"
                               "  3: %m.1 = mul.i32 %i.1, 3\n"
                               "  4: if lt.i32 %i.1, 10 then 5 else 9\n"
                               "  5: %j.1 = add.i32 %i.1, 1\n"
                               "  6: %s.1 = add.i32 %t.1, 3\n"
                               "  7: %w.1 = add.i32 %v.1, 3\n"
                               "  8: nop -> 3\n"
                               "  9: %o.1 = add.i32 %m.1, %e.1\n"
                               "  10: check %o.1\n"
                               "  11: return %t.1\n"
                               "}\n";
#define COUNTERS                                                                                   \
    "I = phi 3 %z.1 -; J = add.i32 I 1; arg I 1 J; set %i.1 I; form %j.1 J; T = lt.i32 I 10;"      \
    "test 4 T; M = mul.i32 I 3; form %m.1 M; E = add.i32 %b.0 1; form %e.1 E; O = add.i32 M E;"    \
    "form %o.1 O; A = add.i32 M 3; X = add.i32 O 3;"
#define T_IS(V) "; set %t.1 " V "; new %t.1 $t.1; form %s.1 A; new %s.1 $s.1; use 11 0 %m.1"
#define V_IS(V) "; set %v.1 " V "; new %v.1 $v.1; form %w.1 X; new %w.1 $w.1"
#define BOUNDED                                                                                    \
    "fact I 5 outcome 4 - - -; fact J 5 computed - 0 - -; range I 0 10 0xffffffff - 1;"            \
    "signed 0 10;"

static void test_counters(void **state) {
    (void)state;
    static const ForgedValues cases[] = {
        {counters, COUNTERS, "", NULL},
        {counters, COUNTERS, T_IS("M"), NULL},
        {counters, COUNTERS, V_IS("O"), NULL},
        {counters, COUNTERS, T_IS("M") V_IS("O"), NULL},
        // Another factor, another start, another step.
        {counters, COUNTERS, "arg I 0 %a.0" T_IS("M"), no_argument},
        {counters, COUNTERS, "N = mul.i32 I 4; A = add.i32 N 3" T_IS("N"), own_join},
        {counters, COUNTERS, "N = mul.i32 I 4; A = add.i32 N 4" T_IS("N"), not_computed},
        {counters, COUNTERS, "N = add.i32 M 1; B = add.i32 N 3; A = add.i32 N 3" T_IS("N"),
         own_join},
        {counters, COUNTERS, T_IS("O"), own_join},
        {counters, COUNTERS, V_IS("M"), own_join},
        {counters, COUNTERS, "N = add.i32 M %b.0" V_IS("N"), own_join},
        {counters, COUNTERS, "N = mul.i32 I -3; A = add.i32 N 3" T_IS("N"), own_join},
        {counters, COUNTERS, "N = neg.i32 I; A = add.i32 N 3" T_IS("N"), own_join},
        // No sum, or parts that the join sets and that are no PHIs.
        {counters, COUNTERS, "N = mul.i32 $i.1 3; A = add.i32 N 3" T_IS("N"), own_join},
        {counters, COUNTERS, "N = add.i32 M $v.1; A = add.i32 N 3" T_IS("N"), own_join},
        {counters, COUNTERS, "N = xor.i32 M 0; A = add.i32 N 3" T_IS("N"), own_join},
        {counters, COUNTERS, "N = add.i32 $t.1 0; A = add.i32 N 3" T_IS("N"), own_join},
        {counters, COUNTERS, "N = mul.i32 I I; A = add.i32 N 3" T_IS("N"), own_join},
        {counters, COUNTERS, "N = zext.i64 M" T_IS("N"), "has another type"},
        // Known only below the join.
        {counters, COUNTERS, "N = mul.i32 $j.1 3; A = add.i32 N 3" T_IS("N"), unknown_yet},
        {counters, COUNTERS, "N = add.i32 $m.1 0; A = add.i32 N 3" T_IS("N"), unknown_yet},
        // A PHI that is undefined on one way in.
        {counters, COUNTERS, "H = phi 3 - J; N = mul.i32 H 3; A = add.i32 N 3" T_IS("N"), own_join},
        {counters, COUNTERS, "H = phi 3 %z.1 -; N = mul.i32 H 0; A = add.i32 N 3" T_IS("N"),
         own_join},
        // Beside a shift, all bits of the counter count.
        {counters, COUNTERS,
         "Z = shl.i32 I 1; N = add.i32 I Z; A = add.i32 N 3; step N sum M" T_IS("N"), NULL},
        {counters, COUNTERS,
         "Z = shl.i32 I 2; N = sub.i32 Z I; A = add.i32 N 3; step N sum M" T_IS("N"), NULL},
    };
    TRY_FORGED(cases);
}

// %t.1 is the sum of the numbers below the counter.
static const char triangles[] = "function i32 @f(i32 %a.0, i32 %b.0) {\n"
                                "  0: %z.1 = const.i32 0\n"
                                "  1: nop\n"
                                "  2: %i.1 = phi(1: %z.1, 9: %j.1)\n"
                                "  2: %t.1 = phi(1: %z.1, 9: %s.1)\n"
                                "  2: %h.1 = shr.i32 %i.1, 1\n"
                                "  3: %l.1 = add.i32 %i.1, -1\n"
                                "  4: %o.1 = or.i32 %l.1, 1\n"
                                "  5: %m.1 = mul.i32 %h.1, %o.1\n"
                                "  6: if lt.i32 %i.1, 10 then 7 else 10\n"
                                "  7: %j.1 = add.i32 %i.1, 1\n"
                                "  8: %s.1 = add.i32 %t.1, %i.1\n"
                                "  9: nop -> 2\n"
                                "  10: return %t.1\n"
                                "}\n";
#define TRIANGLES                                                                                  \
    "I = phi 2 %z.1 -; J = add.i32 I 1; arg I 1 J; set %i.1 I; form %j.1 J; T = lt.i32 I 10;"      \
    "test 6 T; H = shr.i32 I 1; form %h.1 H; L = add.i32 I -1; form %l.1 L; O = or.i32 L 1;"       \
    "form %o.1 O; M = mul.i32 H O; form %m.1 M; A = add.i32 M I;"
#define UP_TO_TEN                                                                                  \
    "fact I 7 outcome 6 - - -; fact J 9 computed - 0 - -; range I 0 10 0xffffffff - 1; signed 0 "  \
    "10;"
#define IS_BELOW(V) "; set %t.1 " V "; new %t.1 $t.1; form %s.1 A; new %s.1 $s.1; use 10 0 %m.1"

static void test_triangles(void **state) {
    (void)state;
    static const ForgedValues cases[] = {
        {triangles, TRIANGLES, UP_TO_TEN IS_BELOW("M"), NULL},
        {triangles, TRIANGLES,
         UP_TO_TEN "M = mul.i32 O H; form %m.1 M; A = add.i32 M I" IS_BELOW("M"), NULL},
        // The counter may wrap.
        {triangles, TRIANGLES, IS_BELOW("M"), own_join},
        {triangles, TRIANGLES, "range I 0 0xffffffff 0 - -;" IS_BELOW("M"), own_join},
        // Other products, starts and steps.
        {triangles, TRIANGLES, UP_TO_TEN "M = mul.i32 H L; A = add.i32 M I" IS_BELOW("M"),
         own_join},
        {triangles, TRIANGLES, UP_TO_TEN "M = mul.i32 H I; A = add.i32 M I" IS_BELOW("M"),
         own_join},
        {triangles, TRIANGLES,
         UP_TO_TEN "H = shr.i32 I 2; M = mul.i32 H O; A = add.i32 M I" IS_BELOW("M"), own_join},
        {triangles, TRIANGLES,
         UP_TO_TEN "O = or.i32 L 3; M = mul.i32 H O; A = add.i32 M I" IS_BELOW("M"), own_join},
        {triangles, TRIANGLES,
         UP_TO_TEN "O = or.i32 I 1; M = mul.i32 H O; A = add.i32 M I" IS_BELOW("M"), own_join},
        {triangles, TRIANGLES,
         UP_TO_TEN "H = sar.i32 I 1; M = mul.i32 H O; A = add.i32 M I" IS_BELOW("M"), own_join},
        {triangles, TRIANGLES, UP_TO_TEN "N = add.i32 M 1; A = add.i32 N I" IS_BELOW("N"),
         own_join},
        {triangles, TRIANGLES, UP_TO_TEN "N = add.i32 M I; A = add.i32 N I" IS_BELOW("N"),
         own_join},
        {triangles, TRIANGLES, UP_TO_TEN "N = mul.i32 M 2; A = add.i32 N I" IS_BELOW("N"),
         own_join},
        {triangles, TRIANGLES, UP_TO_TEN "N = neg.i32 M; A = add.i32 N I" IS_BELOW("N"), own_join},
        {triangles, TRIANGLES, UP_TO_TEN "arg I 0 %a.0" IS_BELOW("M"), "outside of its range"},
    };
    TRY_FORGED(cases);
}

// Where %a.0 is 8, the sum of the numbers below is 28.
static const char limits[] = "function i32 @f(i32 %a.0, i32 %b.0) {\n"
                             "  0: %c.1 = const.i32 28\n"
                             "  1: %h.1 = shr.i32 %a.0, 1\n"
                             "  2: %l.1 = add.i32 %a.0, -1\n"
                             "  3: %o.1 = or.i32 %l.1, 1\n"
                             "  4: %m.1 = mul.i32 %h.1, %o.1\n"
                             "  5: if eq.i32 %a.0, 8 then 6 else 8\n"
                             "  6: %r.1 = add.i32 %m.1, 0\n"
                             "  7: return %r.1\n"
                             "  8: return %m.1\n"
                             "}\n";
#define LIMITS(test, odd)                                                                          \
    "T = " test "; test 5 T; H = shr.i32 %a.0 1; form %h.1 H; L = add.i32 %a.0 -1; form %l.1 L;"   \
    "O = or.i32 L " odd "; form %o.1 O; M = mul.i32 H O; form %m.1 M; R = add.i32 M 0;"            \
    "form %r.1 R;"
#define EIGHT LIMITS("eq.i32 %a.0 8", "1")

static void test_limits(void **state) {
    (void)state;
    static const ForgedValues cases[] = {
        {limits, EIGHT, "local %r.1 R equal %c.1 5 0; set %r.1 %c.1; copy 6 %c.1", NULL},
        {limits, EIGHT, "set %r.1 %c.1; copy 6 %c.1", not_computed},
        {limits, EIGHT, "local %r.1 R equal 27 5 0; set %r.1 27; copy 6 %c.1", not_computed},
        {limits, EIGHT, "local %r.1 R equal %c.1 5 1; set %r.1 %c.1; copy 6 %c.1", not_computed},
        {limits, EIGHT,
         "N = mul.i32 H L; form %m.1 M; local %r.1 N equal %c.1 5 0; set %r.1 %c.1; copy 6 %c.1",
         not_computed},
    };
    TRY_FORGED(cases);
}

// %t.1 is twice the counter.
static const char doubles[] = "function i32 @f(i32 %a.0, i32 %b.0) {\n"
                              "  0: %z.1 = const.i32 0\n"
                              "  1: nop\n"
                              "  2: %i.1 = phi(1: %z.1, 6: %j.1)\n"
                              "  2: %t.1 = phi(1: %z.1, 6: %s.1)\n"
                              "  2: %m.1 = shl.i32 %i.1, 1\n"
                              "  3: if lt.i32 %i.1, 10 then 4 else 7\n"
                              "  4: %j.1 = add.i32 %i.1, 1\n"
                              "  5: %s.1 = add.i32 %t.1, 2\n"
                              "  6: nop -> 2\n"
                              "  7: return %t.1\n"
                              "}\n";
#define DOUBLES                                                                                    \
    "I = phi 2 %z.1 -; J = add.i32 I 1; arg I 1 J; set %i.1 I; form %j.1 J; T = lt.i32 I 10;"      \
    "test 3 T; M = shl.i32 I 1; form %m.1 M; A = add.i32 M 2; N = sub.i32 I I; O = add.i32 M N;"
#define TWICE "; set %t.1 M; new %t.1 $t.1; form %s.1 A; new %s.1 $s.1; use 7 0 %m.1"
#define TEN_TURNS(DEFINED)                                                                         \
    "fact I 4 outcome 3 - - -; fact J 6 computed - 0 - -; range I 0 10 " DEFINED " - 1; signed 0 " \
    "10"

static void test_doubles(void **state) {
    (void)state;
    static const ForgedValues cases[] = {
        {doubles, DOUBLES, TEN_TURNS("0xffffffff") TWICE, NULL},
        {doubles, DOUBLES, TWICE, own_join},
        {doubles, DOUBLES, TEN_TURNS("0") TWICE, own_join},
        {doubles, DOUBLES, TEN_TURNS("0x7fffffff") TWICE, own_join},
        {doubles, DOUBLES, "arg I 0 -;" TEN_TURNS("0xffffffff") TWICE, "lies outside of its range"},
    };
    TRY_FORGED(cases);
}

// The PHIs I and K have an argument that mentions U, which has not been set when control comes to
// node 12; U stands at a join that is never reached, so any range may be claimed.
static const char dead[] = "function i32 @f(i32 %a.0, i32 %b.0) {\n"
                           "  reg i32 %u.0\n"
                           "  0: %c.1 = const.i32 5\n"
                           "  1: %s.1 = const.i32 7\n"
                           "  2: %t.1 = const.i32 3\n"
                           "  3: %o.1 = const.i32 1\n"
                           "  4: if ne.i32 %o.1, 0 then 9 else 5\n"
                           "  5: if lt.i32 %a.0, 0 then 6 else 7\n"
                           "  6: nop -> 8\n"
                           "  7: nop\n"
                           "  8: return %a.0\n"
                           "  9: if lt.i32 %a.0, 0 then 10 else 11\n"
                           "  10: nop -> 12\n"
                           "  11: nop\n"
                           "  12: %i.1 = phi(10: %c.1, 11: %u.0)\n"
                           "  12: %k.1 = phi(10: %c.1, 11: %u.0)\n"
                           "  12: %x.1 = phi(10: %c.1, 11: %c.1)\n"
                           "  12: %d.1 = sub.i32 %i.1, %k.1\n"
                           "  13: %y.1 = add.i32 %d.1, 5\n"
                           "  14: return %x.1\n"
                           "}\n";
#define DEAD                                                                                       \
    "O = ne.i32 %o.1 0; test 4 O; step O fold 1; straight 4 0; U = phi 8 %s.1 %s.1;"               \
    "W = add.i32 U 0; range U 3 3 0xffffffff - -; signed 3 3; step U merged %s.1;"                 \
    "step W known %t.1;"

// The same, but that U stands at a join that is never reached because of ranges: %m.1 is not 9.
static const char never[] = "function i32 @f(i32 %a.0, i32 %b.0) {\n"
                            "  reg i32 %u.0\n"
                            "  0: %c.1 = const.i32 5\n"
                            "  1: %s.1 = const.i32 9\n"
                            "  2: %t.1 = const.i32 3\n"
                            "  3: %m.1 = and.i32 %a.0, 3\n"
                            "  4: if eq.i32 %s.1, %m.1 then 5 else 9\n"
                            "  5: if lt.i32 %a.0, 0 then 6 else 7\n"
                            "  6: nop -> 8\n"
                            "  7: nop\n"
                            "  8: return %a.0\n"
                            "  9: if lt.i32 %a.0, 0 then 10 else 11\n"
                            "  10: nop -> 12\n"
                            "  11: nop\n"
                            "  12: %i.1 = phi(10: %c.1, 11: %u.0)\n"
                            "  12: %k.1 = phi(10: %c.1, 11: %u.0)\n"
                            "  12: %x.1 = phi(10: %c.1, 11: %c.1)\n"
                            "  12: %d.1 = sub.i32 %i.1, %k.1\n"
                            "  13: %y.1 = add.i32 %d.1, 5\n"
                            "  14: return %x.1\n"
                            "}\n";
#define NEVER                                                                                      \
    "M = and.i32 %a.0 3; form %m.1 M; O = eq.i32 %s.1 M; test 4 O; U = phi 8 %s.1 %s.1;"           \
    "W = add.i32 U 0; fact %s.1 5 outcome 4 - - -; range U 3 3 0xffffffff 0 0; signed 3 3;"        \
    "step U merged %s.1; step W known %t.1;"
#define TWO_PHIS                                                                                   \
    "I = phi 12 %c.1 U; K = phi 12 %c.1 W; D = sub.i32 I K; Y = add.i32 D 5; set %i.1 I;"          \
    "set %k.1 K; form %d.1 D; form %y.1 Y; join %i.1 1 %s.1; join %k.1 1 %t.1;"
#define X_IS_Y_OF_PHIS "set %x.1 Y; new %x.1 $x.1; use 14 0 %y.1"

static void test_not_set(void **state) {
    (void)state;
    static const ForgedValues cases[] = {
        {dead, DEAD TWO_PHIS, "", NULL},
        {dead, DEAD TWO_PHIS, X_IS_Y_OF_PHIS, own_join},
        {never, NEVER TWO_PHIS, "", NULL},
        {never, NEVER TWO_PHIS, X_IS_Y_OF_PHIS, own_join},
    };
    TRY_FORGED(cases);
}

// ---- Nested loops, and a loop with two entries

static const char nested[] = "function i32 @f(i32 %a.0, i32 %b.0) {\n"
                             "  0: %z.1 = const.i32 0\n"
                             "  1: nop\n"
                             "  2: %i.1 = phi(1: %z.1, 12: %j.1)\n"
                             "  2: %t.1 = phi(1: %z.1, 12: %x.1)\n"
                             "  2: nop\n"
                             "  3: nop\n"
                             "  4: %k.1 = phi(3: %z.1, 8: %l.1)\n"
                             "  4: %x.1 = phi(3: %t.1, 8: %y.1)\n"
                             "  4: %m.1 = add.i32 %k.1, %i.1\n"
                             "  5: if lt.i32 %k.1, 4 then 6 else 9\n"
                             "  6: %l.1 = add.i32 %k.1, 1\n"
                             "  7: %y.1 = add.i32 %x.1, 1\n"
                             "  8: nop -> 4\n"
                             "  9: %j.1 = add.i32 %i.1, 4\n"
                             "  10: if lt.i32 %j.1, 40 then 11 else 13\n"
                             "  11: nop\n"
                             "  12: nop -> 2\n"
                             "  13: return %x.1\n"
                             "}\n";
#define NESTED                                                                                     \
    "I = phi 2 %z.1 -; J = add.i32 I 4; arg I 1 J; set %i.1 I; form %j.1 J; K = phi 4 %z.1 -;"     \
    "L = add.i32 K 1; arg K 1 L; set %k.1 K; form %l.1 L; T = lt.i32 K 4; test 5 T;"               \
    "U = lt.i32 J 40; test 10 U; M = add.i32 K I; form %m.1 M; B = add.i32 M 1;"
#define X_IS(V) "; set %x.1 " V "; new %x.1 $x.1; form %y.1 B; new %y.1 $y.1; use 13 0 %m.1"

static void test_nested(void **state) {
    (void)state;
    static const ForgedValues cases[] = {
        {nested, NESTED, "", NULL},
        // From outside comes %t.1, of which it is not known that it is the outer counter.
        {nested, NESTED, X_IS("M"), own_join},
        {nested, NESTED, "set %t.1 I; new %t.1 $t.1" X_IS("M"), no_argument},
        {nested, NESTED, "N = add.i32 I 0; set %t.1 N; new %t.1 $t.1" X_IS("M"), own_join},
        {nested, NESTED, "N = add.i32 K I; set %t.1 N; new %t.1 $t.1" X_IS("M"), unknown_yet},
        {nested, NESTED, "N = add.i32 K 0; B = add.i32 N 1" X_IS("N"), own_join},
        {nested, NESTED, "N = add.i32 I 0; B = add.i32 N 1" X_IS("N"), no_argument},
    };
    TRY_FORGED(cases);
}

// Node 3 and node 6 are entries of one loop: neither dominates the other.
static const char entries[] = "function i32 @f(i32 %a.0, i32 %b.0) {\n"
                              "  0: %z.1 = const.i32 0\n"
                              "  1: if lt.i32 %a.0, %b.0 then 2 else 5\n"
                              "  2: nop\n"
                              "  3: %i.1 = phi(2: %z.1, 8: %k.1)\n"
                              "  3: %j.1 = add.i32 %i.1, 1\n"
                              "  4: nop -> 6\n"
                              "  5: nop\n"
                              "  6: %k.1 = phi(4: %j.1, 5: %z.1)\n"
                              "  6: %m.1 = add.i32 %k.1, 0\n"
                              "  7: if eq.i32 %k.1, 9 then 9 else 8\n"
                              "  8: nop -> 3\n"
                              "  9: return %k.1\n"
                              "}\n";
#define ENTRIES                                                                                    \
    "I = phi 3 %z.1 -; K = phi 6 - %z.1; J = add.i32 I 1; arg I 1 K; arg K 0 J; set %i.1 I;"       \
    "set %k.1 K; form %j.1 J; M = add.i32 K 0; form %m.1 M; T = eq.i32 K 9; test 7 T;"

static void test_entries(void **state) {
    (void)state;
    static const ForgedValues cases[] = {
        {entries, ENTRIES, "", NULL},
        {entries, ENTRIES, "N = add.i32 I 1; arg I 1 N; set %k.1 N", unknown_yet},
        {entries, ENTRIES, "N = add.i32 K 0; set %i.1 N", unknown_yet},
        {entries, ENTRIES, "N = add.i32 K I; arg I 1 N; set %k.1 N", unknown_yet},
        {entries, ENTRIES, "local 9 K equal 9 7 0", NULL},
        {entries, ENTRIES, "local 8 K equal 9 7 0; arg I 1 9; set %i.1 I", no_argument},
        {entries, ENTRIES, "local 9 K equal %z.1 7 0; use 9 0 %z.1", no_argument},
        {entries, ENTRIES, "local 9 K equal J 7 0; use 9 0 %k.1", NULL},
        {entries, ENTRIES,
         "N = add.i32 K 0; step N sum K; arg I 1 N; set %k.1 N; new %k.1 K; M = add.i32 N 0; form "
         "%m.1 M; T = eq.i32 N 9; test 7 T",
         NULL},
    };
    TRY_FORGED(cases);
}

int main(void) {
    const struct CMUnitTest all[] = {
        cmocka_unit_test(test_sums),         cmocka_unit_test(test_others),
        cmocka_unit_test(test_merges),       cmocka_unit_test(test_equal),
        cmocka_unit_test(test_shifted),      cmocka_unit_test(test_switches),
        cmocka_unit_test(test_shared_edges), cmocka_unit_test(test_ends),
        cmocka_unit_test(test_turns),        cmocka_unit_test(test_counters),
        cmocka_unit_test(test_triangles),    cmocka_unit_test(test_limits),
        cmocka_unit_test(test_doubles),      cmocka_unit_test(test_not_set),
        cmocka_unit_test(test_nested),       cmocka_unit_test(test_entries)};
    return cmocka_run_group_tests(all, NULL, NULL);
}
