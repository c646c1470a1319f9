// Loads that are done earlier than they were: on the way to a load of the same text, where a
// register of the address is set in between, round a loop, so that it is another address; and in
// front of a branch, where the load may be wrong that the branch guards.
#include "check/checkers.h"
#include "test/gen/forge.h"
#include "test/gen/plain_values.h"

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

// The node of `after` that is new performs nothing: it is a load of the old function, with the same
// address or else with any, in front of the next.
static Verdict judge(Arena *arena, const Func *before, const Func *after, uint32_t place) {
    ValuesHint *hint = plain_values(arena, before, after);
    const Instr *added = &after->nodes.at[place];
    uint32_t load = NO_ID;
    for (uint32_t k = 0; k < 2; k++)
        for (uint32_t n = 0; n < before->nodes.count; n++) {
            const Instr *it = &before->nodes.at[n];
            bool address = k || !it->arg_count || it->arg[0].i == added->arg[0].i;
            if (load == NO_ID && it->kind == I_LOAD && address &&
                instr_alike(before, it, after, added))
                load = n;
        }
    assert_int_not_equal(load, NO_ID);
    for (uint32_t n = place + 1; n < after->nodes.count; n++) hint->old.at[n].i = n - 1;
    hint->old.at[place] = NO_NODE;
    HintValue early = {.kind = VALUE_LOAD, .ref = place, .imm = load};
    hint->value_of_new.at[added->dest.i] = plain_add(arena, hint, early, NULL);
    return check_values(arena, before, after, hint);
}

static void test_ways(void **state) {
    (void)state;
    for (uint32_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        Arena *arena = arena_new("way");
        const Func *before = forge_parse(arena, FORM_SSA, ways[i].before);
        Func *after = forge_read(arena, before, FORM_SSA, ways[i].after);
        Verdict verdict = judge(arena, before, after, ways[i].added);
        if (!ways[i].reason != verdict.accepted) fail_msg("way %u: %s", i, verdict.reason);
        // In one of them no load of the old function has that address.
        if (ways[i].reason && !strstr(verdict.reason, "its address is another"))
            assert_string_equal(verdict.reason, ways[i].reason);
        arena_free(arena);
    }
}

// ---- In front of a branch

#define GUARDED(added, zero, one, two, three)                                                      \
    "global @g size 16 align 8\n"                                                                  \
    "global @w size 16 align 8 weak\n"                                                             \
    "global @r size 16 align 8 replaceable\n"                                                      \
    "extern global @e size 16 align 8\n"                                                           \
    "extern function void @call(i32)\n"                                                            \
    "function i32 @f(i64 %%p.0, i32 %%n.0) {\n"                                                    \
    "  slot $s size 8 align 8\n" added "  " zero ": if lt.i32 %%n.0, 9 then " one " else " three   \
    "\n"                                                                                           \
    "  " one ": %%a.1 = load.i32 [%s]\n"                                                           \
    "  " two ": return %%a.1\n"                                                                    \
    "  " three ": return %%n.0\n"                                                                  \
    "}\n"

static void test_guarded(void **state) {
    (void)state;
    static const struct {
        const char *place;
        bool is_inside;
    } places[] = {{"@g", true},      {"@g + 12", true}, {"$s + 4", true}, {"@g + 13", false},
                  {"@g - 4", false}, {"$s + 5", false}, {"@w", false},    {"@r", false},
                  {"@e", false},     {"@call", false},  {"%p.0", false},  {"@g + %p.0*1", false}};
    for (uint32_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        Arena *arena = arena_new("guarded");
        const char *place = places[i].place;
        const Func *before = forge_parse(
            arena, FORM_SSA, arena_printf(arena, GUARDED("", "0", "1", "2", "3"), place));
        Func *after = forge_read(
            arena, before, FORM_SSA,
            arena_printf(arena, GUARDED("  0: %%i.9 = load.i32 [%s]\n", "1", "2", "3", "4"), place,
                         place));
        Verdict verdict = judge(arena, before, after, 0);
        if (verdict.accepted != places[i].is_inside)
            fail_msg("%s: %s", place, verdict.accepted ? "accepted" : verdict.reason);
        if (!verdict.accepted) assert_string_equal(verdict.reason, "it may go wrong");
        arena_free(arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ways), cmocka_unit_test(test_guarded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
