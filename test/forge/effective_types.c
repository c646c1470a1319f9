// Loads that leave a loop past stores by another effective type: the values kernel accepts such a
// load, and must reject the load once the store may have stored what the load reads.
#include "test/gen/hinted.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const Excursion counted = {
    "function i32 @f(i64 %p.0, i64 %q.0, f32 %x.0) {\n"
    "  0: %i.1 = const.i32 0\n"
    "  1: nop\n"
    "  2: %i.2 = phi(1: %i.1, 6: %i.3)\n"
    "  2: %n.1 = load.i32 [%p.0] as int\n"
    "  3: store.f32 [%q.0] as float, %x.0\n"
    "  4: %i.3 = add.i32 %i.2, %n.1\n"
    "  5: if lt.i32 %i.3, %n.1 then 6 else 7\n"
    "  6: nop -> 2\n"
    "  7: return %i.3\n"
    "}\n"
    "extern function void @call(f32)\n"
    "global @g size 8 align 8\n",
    "function i32 @f(i64 %p.0, i64 %q.0, f32 %x.0) {\n"
    "  0: %i.1 = const.i32 0\n"
    "  1: %m.1 = load.i32 [%p.0] as int\n"
    "  8: nop\n"
    "  2: %i.2 = phi(8: %i.1, 6: %i.3)\n"
    "  2: nop\n"
    "  3: store.f32 [%q.0] as float, %x.0\n"
    "  4: %i.3 = add.i32 %i.2, %m.1\n"
    "  5: if lt.i32 %i.3, %m.1 then 6 else 7\n"
    "  6: nop -> 2\n"
    "  7: return %i.3\n"
    "}\n"
    "extern function void @call(f32)\n"
    "global @g size 8 align 8\n",
    "value old %p.0\n"      // 0
    "value old %q.0\n"      // 1
    "value old %x.0\n"      // 2
    "value load 1 2\n"      // 3
    "value const.i32 = 0\n" // 4
    "value phi 2 4 6\n"     // 5
    "value add.i32 5 3\n"   // 6
    "value lt.i32 6 3\n"    // 7
    "claim %p.0 0 NO\n"
    "claim %q.0 1 NO\n"
    "claim %x.0 2 NO\n"
    "claim %i.1 4 4\n"
    "claim %i.2 5 NO\n"
    "claim %n.1 3 NO\n"
    "claim %i.3 6 6\n"
    "test 7\n"
    "row\n"
    "fact 0 3\n"
    "perform 0 - 1 2 3 4 5 6 7\n"
    "new %p.0 0\nnew %q.0 1\nnew %x.0 2\nnew %i.1 4\nnew %m.1 3\nnew %i.2 5\nnew %i.3 6\n"};

// Fragments of the function, as it was and as it is, that are others.
typedef struct {
    const char *reason; // NULL: it is right
    Edit edits[MAX_EDITS];
} OtherFunction;

#define FLOAT_STORE "store.f32 [%q.0] as float, %x.0"
#define INT_LOAD    "load.i32 [%p.0] as int"

static const OtherFunction others[] = {
    // The types of the load and the store only have to differ; the bytes may even be the same.
    {NULL, {{FLOAT_STORE, "store.f32 [%q.0] as double, %x.0"}}},
    {NULL, {{FLOAT_STORE, "store.f32 [%p.0] as float, %x.0"}}},
    {NULL, {{FLOAT_STORE, "store.i64 [%p.0 - 4] as pointer, %q.0"}}},
    {NULL, {{FLOAT_STORE, "store.f32 [@g] as float, %x.0"}}},
    // A store by the same type, or by none.
    {"does not hold", {{FLOAT_STORE, "store.f32 [%q.0] as int, %x.0"}}},
    {"does not hold", {{FLOAT_STORE, "store.f32 [%q.0], %x.0"}}},
    {"does not hold", {{FLOAT_STORE, "volatile_store.f32 [%q.0], %x.0"}}},
    {"does not hold", {{FLOAT_STORE, "memcpy %q.0, %p.0, 4"}}},
    {"does not hold", {{FLOAT_STORE, "call @call(%x.0)"}}},
    {"does not hold", {{FLOAT_STORE, "fence seq_cst"}}},
    // A load of any bytes.
    {"does not hold", {{INT_LOAD, "load.i32 [%p.0]"}}},
};

static void test_functions(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        Arena *arena = arena_new("forgery");
        const OtherFunction *other = &others[i];
        Excursion it = counted;
        it.before = forge_text(arena, it.before, other->edits);
        it.after = forge_text(arena, it.after, other->edits);
        Verdict verdict = judge_excursion(arena, &it, other->edits[0].to);
        if (verdict.accepted != !other->reason ||
            (other->reason && !strstr(verdict.reason, other->reason)))
            fail_msg("%s: %s; expected: %s", other->edits[0].to,
                     verdict.accepted ? "accepted" : verdict.reason,
                     other->reason ? other->reason : "accepted");
        arena_free(arena);
    }
}

static void test_results(void **state) {
    (void)state;
    static const HintedForgery forgeries[] = {
        {"it loads something else", {{INT_LOAD, "load.i32 [%p.0]"}}, {{0}}},
        {"it loads something else", {{INT_LOAD, "load.i32 [%p.0] as long"}}, {{0}}},
        {"the instruction differs", {{FLOAT_STORE, "store.f32 [%q.0], %x.0"}}, {{0}}},
        {"the instruction differs", {{FLOAT_STORE, "store.f32 [%q.0] as int, %x.0"}}, {{0}}},
    };
    TRY(&counted, forgeries);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_functions),
                                       cmocka_unit_test(test_results)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
