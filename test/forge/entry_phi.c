// Forged hints with a PHI of the entry. Unreachable nodes may lead to the entry, so its PHIs have
// as many arguments as other PHIs; but control comes to the entry from outside. A PHI of the entry
// is never set, and nothing that "each remaining way in" is asked for is ever asked.
#include "check/checkers.h"
#include "test/gen/forge_values.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char zero[] = "function i32 @f(i32 %n.0, i32 %m.0) {\n"
                           "  reg i32 %u.0\n"
                           "  0: %s.1 = const.i32 7\n"
                           "  1: %y.1 = and.i32 %u.0, 0\n"
                           "  2: return %y.1\n"
                           "  3: nop -> 0\n"
                           "  4: nop -> 0\n"
                           "}\n";

static const char sums[] = "function i32 @f(i32 %n.0, i32 %m.0) {\n"
                           "  0: %a.1 = add.i32 %n.0, 1\n"
                           "  1: %b.1 = add.i32 %m.0, 1\n"
                           "  2: if lt.i32 %n.0, %m.0 then 3 else 4\n"
                           "  3: nop -> 5\n"
                           "  4: nop -> 5\n"
                           "  5: %x.1 = phi(3: %a.1, 4: %b.1)\n"
                           "  5: %w.1 = phi(3: %a.1, 4: %b.1)\n"
                           "  5: %q.1 = add.i32 %w.1, -7\n"
                           "  6: return %x.1\n"
                           "  7: nop -> 0\n"
                           "  8: nop -> 0\n"
                           "}\n";

static const char least[] = "function i32 @f(i32 %n.0, i32 %m.0) {\n"
                            "  0: %s.1 = const.i32 7\n"
                            "  1: if lt.i32 %n.0, %m.0 then 2 else 3\n"
                            "  2: nop -> 4\n"
                            "  3: nop -> 4\n"
                            "  4: %x.1 = phi(2: %n.0, 3: %m.0)\n"
                            "  4: nop\n"
                            "  5: return %x.1\n"
                            "  6: nop -> 0\n"
                            "  7: nop -> 0\n"
                            "}\n";

static void test_entry_phis(void **state) {
    (void)state;
    static const ForgedValues cases[] = {
        // A counted step, whose ways nobody goes.
        {zero,
         "form %s.1 7; A = phi 0 0 0; B = phi 0 0 0; T = and.i32 A 0; form %y.1 T; set %y.1 7; "
         "range B 7 7 0 - -;",
         "step T counted B; counted - -; step B known 7; new %y.1 -; use 2 0 %s.1", NULL},
        // A range that no argument is asked for.
        {sums,
         "F = add.i32 %n.0 1; G = add.i32 %m.0 1; form %a.1 F; form %b.1 G; A = phi 0 0 0; "
         "range A 7 7 0xffffffff - -; P = phi 5 F G; D = sub.i32 A 7; E = sub.i32 7 A; "
         "Q = add.i32 P -7; W = add.i32 P D; V = add.i32 W E; R = add.i32 Q 0; set %w.1 P; "
         "form %q.1 Q; set %q.1 Q; set %x.1 V; new %x.1 P;",
         "step D merged -7; step E known 0; step W congruent Q; step V congruent R; "
         "step R add_zero.i32 Q; use 6 0 %q.1",
         NULL},
        // A phi above, none of whose arguments counts.
        {least,
         "T = lt.i32 %n.0 %m.0; test 1 T; form %s.1 7; A = phi 0 7 7; gate 4 1:0 1:1; set %x.1 A; "
         "new %x.1 -;",
         "step A merged 7; use 5 0 %s.1", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Arena *arena = arena_new("forged");
        Verdict verdict = forged_values_verdict(arena, &cases[i]);
        assert_false(verdict.accepted);
        assert_non_null(strstr(verdict.reason, "is none"));
        arena_free(arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_entry_phis)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
