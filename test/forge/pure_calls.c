// Calls of one function that are claimed to be one: the values kernel accepts them if the function
// is pure and the arguments are the same values, and not otherwise. Commands:
// test/gen/forge_values.h.
#include "test/gen/forge_values.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// Two calls of @p, the second with the arguments C and D.
#define CALLS(c, d)                                                                                \
    "function i32 @f(i32 %a.0, i32 %b.0) {\n"                                                      \
    "  0: %c.1 = call @p(%a.0, %b.0)\n"                                                            \
    "  1: %d.1 = call @p(" c ", " d ")\n"                                                          \
    "  2: %e.1 = sub.i32 %c.1, %d.1\n"                                                             \
    "  3: return %e.1\n"                                                                           \
    "}\n"
#define TWICE CALLS("%a.0", "%b.0")
#define P(flags, body)                                                                             \
    "global @h size 4 align 4 static = i32 3\n"                                                    \
    "global @x size 4 align 4\n"                                                                   \
    "function i32 @p(i32 %x.0, i32 %y.0)" flags " {\n" body "}\n"
#define PURE     P(" static", "  0: %r.1 = mul.i32 %x.0, %y.0\n  1: return %r.1\n")
#define MERGED   "C = call @p %a.0 %b.0; set %c.1 C; set %d.1 C;"
#define ONE_CALL "straight 1 0; use 2 1 %c.1"

static const char none[] = "is none";
static const char not_computed[] = "is not computed as claimed";
static const char no_type[] = "has another type";

static void test_pure(void **state) {
    (void)state;
    static const ForgedValues cases[] = {
        {PURE TWICE, "unit;" MERGED, ONE_CALL, NULL},
        {PURE TWICE, "unit;" MERGED, "", NULL},
        {PURE TWICE, "unit; C = call @p %a.0 %b.0; set %c.1 C; D = call @p %a.0 %b.0; set %d.1 D;",
         "", NULL},
        // It may go wrong, and read what nobody writes.
        {P(" static", "  0: %r.1 = divs.i32 %x.0, %y.0\n  1: return %r.1\n") TWICE, "unit;" MERGED,
         ONE_CALL, NULL},
        {P(" static", "  0: %r.1 = load.i32 [@h]\n  1: return %r.1\n") TWICE, "unit;" MERGED,
         ONE_CALL, NULL},
        // Another value, or none.
        {PURE TWICE, "unit; C = call @p %b.0 %a.0; set %c.1 C; set %d.1 C;", ONE_CALL,
         not_computed},
        {PURE CALLS("%b.0", "%a.0"), "unit;" MERGED, ONE_CALL, not_computed},
        {PURE CALLS("%b.0", "%b.0"), "unit;" MERGED, ONE_CALL, not_computed},
        {PURE TWICE, "unit; C = call @f %a.0 %b.0; set %c.1 C; set %d.1 C;", ONE_CALL,
         not_computed},
        {PURE TWICE, "unit; C = call @h %a.0 %b.0; set %c.1 C; set %d.1 C;", ONE_CALL, none},
        {PURE TWICE, "unit; C = call @none %a.0 %b.0; set %c.1 C; set %d.1 C;", ONE_CALL, none},
        {PURE TWICE, "unit; C = call @p %a.0; set %c.1 C; set %d.1 C;", ONE_CALL, none},
        {PURE TWICE, "unit; C = call @p %a.0 !99; set %c.1 C; set %d.1 C;", ONE_CALL, none},
        {PURE TWICE, "unit; C = call @p %a.0 7L; set %c.1 C; set %d.1 C;", ONE_CALL, no_type},
        // The operator is no call.
        {PURE TWICE, "unit; C = call @p %a.0 %b.0; set %e.1 C;", "", not_computed},
        // Nothing is claimed about the unit.
        {PURE TWICE, MERGED, ONE_CALL, none},
    };
    TRY_FORGED(cases);
}

// Functions that are not pure.
static void test_others(void **state) {
    (void)state;
    static const ForgedValues cases[] = {
        {P(" static", "  0: store.i32 [@x], %x.0\n  1: return %y.0\n") TWICE, "unit;" MERGED,
         ONE_CALL, none},
        {P(" static", "  0: %r.1 = load.i32 [@x]\n  1: return %r.1\n") TWICE, "unit;" MERGED,
         ONE_CALL, none},
        {P(" static", "  0: %r.1 = load.i32 [@h]\n  1: store.i32 [@h], %x.0\n  2: return %r.1\n")
             TWICE,
         "unit;" MERGED, ONE_CALL, none},
        {P(" static", "  0: %r.1 = load.i32 [@h]\n  1: return %r.1\n") TWICE
         "function void @w(i32 %x.0) {\n  0: store.i32 [@h], %x.0\n  1: return\n}\n",
         "unit;" MERGED, ONE_CALL, none},
        {P(" static", "  0: check %x.0\n  1: return %y.0\n") TWICE, "unit;" MERGED, ONE_CALL, none},
        {P(" static", "  0: %r.1 = call @p(%y.0, %x.0)\n  1: return %r.1\n") TWICE, "unit;" MERGED,
         ONE_CALL, none},
        {P(" static", "  0: spin\n  1: nop -> 0\n") TWICE, "unit;" MERGED, ONE_CALL, none},
        {P(" weak", "  0: return %x.0\n") TWICE, "unit;" MERGED, ONE_CALL, none},
        {"extern function i32 @p(i32, i32)\n" TWICE, "unit;" MERGED, ONE_CALL, none},
    };
    TRY_FORGED(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pure), cmocka_unit_test(test_others)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
