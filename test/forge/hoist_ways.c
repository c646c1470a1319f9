// Loads that hoist might put on the way to a load of the same text: a register of the address is
// set in between, round a loop, so that it is another address.
#include "check/checkers.h"
#include "check/passes.h"
#include "pass/values/values_hint.h"
#include "test/gen/forge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct {
    const char *reason; // NULL: it is right
    const char *before, *after;
    uint32_t added; // the node of `after` that is new
} Way;

// A pointer that walks, and an address that is computed in the loop.
#define WALK_START                                                                                 \
    "function i32 @f(i64 %p.0, i64 %q.0) {\n"                                                      \
    "  0: %i.1 = const.i64 0\n"                                                                    \
    "  1: nop\n"                                                                                   \
    "  2: %p.2 = phi(1: %p.0, "
#define WALK_BODY                                                                                  \
    "  2: %a.1 = load.i32 [%p.2]\n"                                                                \
    "  3: %p.3 = add.i64 %p.2, 4\n"                                                                \
    "  4: if ult.i64 %p.3, %q.0 then 5 else "
static const char walk[] = WALK_START "5: %p.3)\n" WALK_BODY "6\n"
                                      "  5: nop -> 2\n"
                                      "  6: return %a.1\n"
                                      "}\n";

#define SUM_START                                                                                  \
    "function i32 @f(i64 %p.0, i64 %q.0) {\n"                                                      \
    "  0: %i.1 = const.i64 0\n"                                                                    \
    "  1: nop\n"                                                                                   \
    "  2: %i.2 = phi(1: %i.1, "
#define SUM_BODY                                                                                   \
    "  2: %x.1 = add.i64 %p.0, %i.2\n"                                                             \
    "  3: %a.1 = load.i32 [%x.1]\n"                                                                \
    "  4: %i.3 = add.i64 %i.2, 4\n"                                                                \
    "  5: if ult.i64 %i.3, %q.0 then 6 else "
static const char sum[] = SUM_START "6: %i.3)\n" SUM_BODY "7\n"
                                    "  6: nop -> 2\n"
                                    "  7: return %a.1\n"
                                    "}\n";

// An address that stays.
#define SAME(added, entry, header, test, latch, end)                                               \
    "function i32 @f(i64 %p.0, i64 %q.0) {\n"                                                      \
    "  0: %i.1 = const.i64 0\n" added "  " entry ": nop\n"                                         \
    "  " header ": %p.2 = phi(" entry ": %p.0, " latch ": %i.1)\n"                                 \
    "  " header ": %a.1 = load.i32 [%q.0]\n"                                                       \
    "  " test ": if ult.i64 %p.2, %q.0 then " latch " else " end "\n"                              \
    "  " latch ": nop -> " header "\n"                                                             \
    "  " end ": return %a.1\n"                                                                     \
    "}\n"
static const char same[] = SAME("", "1", "2", "3", "4", "5");

static const Way ways[] = {
    {NULL, same, SAME("  1: %i.9 = load.i32 [%q.0]\n", "2", "3", "4", "5", "6"), 1},
    {"it may go wrong", walk,
     WALK_START "6: %p.3)\n" WALK_BODY "7\n"
                "  5: %i.9 = load.i32 [%p.2]\n"
                "  6: nop -> 2\n"
                "  7: return %a.1\n"
                "}\n",
     5},
    {"it may go wrong", walk,
     WALK_START "6: %p.3)\n" WALK_BODY "7\n"
                "  5: %i.9 = load.i32 [%p.3]\n"
                "  6: nop -> 2\n"
                "  7: return %a.1\n"
                "}\n",
     5},
    {"it may go wrong", sum,
     SUM_START "7: %i.3)\n" SUM_BODY "8\n"
               "  6: %i.9 = load.i32 [%x.1]\n"
               "  7: nop -> 2\n"
               "  8: return %a.1\n"
               "}\n",
     6},
};

static void test_ways(void **state) {
    (void)state;
    for (uint32_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        Arena *arena = arena_new("way");
        const Func *before = forge_parse(arena, FORM_SSA, ways[i].before);
        Func *after = forge_read(arena, before, FORM_SSA, ways[i].after);
        HoistHint hint = {0};
        for (uint32_t n = 0; n < after->nodes.count; n++) {
            Node old = n < ways[i].added ? (Node){n} : (Node){n - 1};
            vec_push(arena, &hint.old, n == ways[i].added ? NO_NODE : old);
        }
        const Instr *added = &after->nodes.at[ways[i].added];
        for (uint32_t k = 0; k < 2; k++) // with the same address, or else any
            for (uint32_t n = 0; n < before->nodes.count; n++) {
                const Instr *load = &before->nodes.at[n];
                if (load->kind == I_LOAD && !hint.loads.count &&
                    instr_alike(before, load, after, added) &&
                    (k || load->arg[0].i == added->arg[0].i))
                    vec_push(arena, &hint.loads, (Node){n});
            }
        Verdict verdict = pass_check(PASS_hoist, arena, NULL, before, after,
                                     explain_HoistHint(arena, before, after, &hint));
        if (!ways[i].reason != verdict.accepted) fail_msg("way %u: %s", i, verdict.reason);
        // In one of them no load of the old function has that address.
        if (ways[i].reason && !strstr(verdict.reason, "its address is another"))
            assert_string_equal(verdict.reason, ways[i].reason);
        arena_free(arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ways)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
