// What every checker must survive and refuse, whatever its pass: functions of other forms, other
// frames around the right code, and hints in which any number is anything. A hint comes from a file
// that somebody made up; the only thing that a wrong one may lead to is a rejection.
#include "cert/hints.h"
#include "form/gsa.h"
#include "form/mach.h"
#include "pipeline/step_check.h"
#include "pipeline/transforms.h"
#include "test/gen/callers.h"
#include "test/gen/compare.h"
#include "test/gen/counters.h"
#include "test/gen/diamonds.h"
#include "test/gen/effort.h"
#include "test/gen/forge.h"
#include "test/gen/in_memory.h"
#include "test/gen/one_by_one.h"
#include "test/gen/random_func.h"
#include "test/gen/records.h"
#include "test/gen/step_damage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct {
    Arena *arena; // for one function
    const Func *of_form[FORM_COUNT];
    Bodies bodies; // of the functions that it may call
    Random random;
    uint64_t steps[PASS_COUNT];
    uint64_t forms, frames, numbers, refused;
    uint64_t codes, malformed, harmless;
} Test;

static Verdict verdict_on(Arena *arena, const Bodies *bodies, PassId pass, const Func *before,
                          const Func *after, const void *hint) {
    Verdict verdict = pass_verify(pass, arena, before, after);
    return verdict.accepted ? step_check(pass, arena, bodies, before, after, hint) : verdict;
}

// ---- Other forms: the verifier of steps refuses them, and so does the checker on its own if it is
// not about machine code

static void try_pair(Test *test, PassId pass, const Func *before, const Func *after,
                     const void *hint) {
    Arena *arena = arena_new("forms");
    assert_false(pass_verify(pass, arena, before, after).accepted);
    if (!before->mach && !after->mach && pass_table[pass].to != FORM_MACH)
        assert_false(step_check(pass, arena, &test->bodies, before, after, hint).accepted);
    test->forms++;
    arena_free(arena);
}

static void try_forms(Test *test, PassId pass, const Func *before, const Func *after,
                      const void *hint) {
    for (uint32_t form = 0; form < FORM_COUNT; form++) {
        const Func *other = test->of_form[form];
        if (!other) continue;
        if (form != pass_compares(pass)) try_pair(test, pass, other, after, hint);
        if (form != pass_table[pass].to) try_pair(test, pass, before, other, hint);
    }
}

// ---- Other frames

static bool change_sig(Func *after) {
    PType params[] = {PTYPE_OF(TYPE_I32), PTYPE_OF(TYPE_I32), PTYPE_OF(TYPE_I64)};
    SigInfo info = {
        .result = PTYPE_OF(TYPE_I64), .param_count = 3, .fixed_count = 3, .params = params};
    after->sig = program_sig(after->program, info);
    return true;
}
static bool grow_slot(Func *after) {
    if (after->slots.count) after->slots.at[0].size += 8;
    return after->slots.count;
}
static bool align_slot(Func *after) {
    if (after->slots.count) after->slots.at[0].align *= 2;
    return after->slots.count;
}
static bool name_slot(Func *after) {
    if (after->mach) return false; // there it is not compared
    if (after->slots.count)
        after->slots.at[0].name = str_of(&after->program->strings, "another name");
    return after->slots.count;
}
static bool drop_slots(Func *after) {
    bool any = after->slots.count;
    after->slots.count = 0;
    return any;
}
static bool change_symbol(Func *after) {
    after->symbol.i = after->symbol.i ? 0 : 1;
    return after->program->symbols.count > 1;
}

static const struct {
    const char *name;
    bool (*damage)(Func *after);
} frames[] = {
    {"the signature", change_sig},
    {"size of a slot", grow_slot},
    {"alignment of a slot", align_slot},
    {"name of a slot", name_slot},
    {"no slots", drop_slots},
    {"the symbol", change_symbol},
};

static void try_frames(Test *test, PassId pass, const Func *before, const Func *after,
                       const void *hint) {
    for (uint32_t i = 0; i < sizeof frames / sizeof frames[0]; i++) {
        Arena *arena = arena_new("frames");
        Func *changed = func_clone(after, arena);
        bool may_differ = pass == PASS_inline_calls && frames[i].damage == name_slot;
        if (!may_differ && frames[i].damage(changed)) {
            if (verdict_on(arena, &test->bodies, pass, before, changed, hint).accepted)
                fail_msg("%s: %s: accepted", pass_table[pass].name, frames[i].name);
            test->frames++;
        }
        arena_free(arena);
    }
}

// ---- Other hints

static void try_hint(Test *test, Arena *arena, PassId pass, const Func *before, const Func *after,
                     const void *hint) {
    test->refused += !verdict_on(arena, &test->bodies, pass, before, after, hint).accepted;
    test->numbers++;
}

static void try_hints(Test *test, PassId pass, const Func *before, const Func *after,
                      const void *hint) {
    static const uint64_t numbers[] = {0,          1,          2,       UINT32_MAX,
                                       0xfffffffe, 0x7fffffff, 1000003, UINT64_MAX - 7};
    const HintShape *shape = hint_shapes[pass];
    if (!shape) return; // what stands in no certificate has a hint that no file brings
    for (uint32_t f = 0; f < shape->count; f++) {
        for (uint32_t k = 0; k < 2; k++) {
            Arena *arena = arena_new("hint");
            void *copy = hint_copy(arena, pass, hint);
            if (hint_change_length(arena, &shape->fields[f], copy, k))
                try_hint(test, arena, pass, before, after, copy);
            arena_free(arena);
        }
        for (uint32_t k = 0; k < 3 * sizeof numbers / sizeof numbers[0]; k++) {
            Arena *arena = arena_new("hint");
            void *copy = hint_copy(arena, pass, hint);
            if (hint_change_number(&test->random, &shape->fields[f], copy,
                                   numbers[k % (sizeof numbers / sizeof numbers[0])]))
                try_hint(test, arena, pass, before, after, copy);
            arena_free(arena);
        }
    }
    Arena *arena = arena_new("hint"); // an empty one
    void *empty = arena_alloc(arena, shape->size);
    memset(empty, 0, shape->size);
    try_hint(test, arena, pass, before, after, empty);
    arena_free(arena);
}

// ---- Other code: whatever is accepted behaves as before

static void try_code(Test *test, PassId pass, const Func *before, const Func *after,
                     const void *hint) {
    for (uint64_t k = effort(200, 600, 5000); k > 0; k--) {
        Arena *arena = arena_new("code");
        Func *changed = func_clone(after, arena);
        if (code_change_field(&test->random, changed)) {
            test->codes++;
            Verdict verdict = pass_verify(pass, arena, before, changed);
            test->malformed += !verdict.accepted;
            if (verdict.accepted)
                verdict = step_check(pass, arena, &test->bodies, before, changed, hint);
            for (uint64_t run = 0; run < 3 && verdict.accepted; run++) {
                const char *difference = behaviour_difference(arena, before, changed, run, 2000);
                if (difference) fail_msg("%s: accepted, but %s", pass_table[pass].name, difference);
            }
            test->harmless += verdict.accepted;
        }
        arena_free(arena);
    }
}

// ---- All steps of functions

static void observe(void *context, uint32_t step, const Func *before, const Func *after,
                    const void *hint) {
    Test *test = context;
    PassId pass = step_at(step).pass;
    if (!test->of_form[before->form]) test->of_form[before->form] = func_clone(before, test->arena);
    if (test->steps[pass]++ < effort(12, 40, 1000)) {
        Arena *arena = arena_new("honest");
        assert_true(verdict_on(arena, &test->bodies, pass, before, after,
                               hint_shapes[pass] ? hint_copy(arena, pass, hint) : hint)
                        .accepted);
        arena_free(arena);
        try_forms(test, pass, before, after, hint);
        try_frames(test, pass, before, after, hint);
        try_hints(test, pass, before, after, hint);
        try_code(test, pass, before, after, hint);
    }
    if (!test->of_form[after->form]) test->of_form[after->form] = func_clone(after, test->arena);
}

static void run(Test *test, Arena *arena, const Func *func) {
    Diag diag;
    diag_init(&diag, arena, NULL);
    Pipeline pipeline;
    pipeline_init(&pipeline, arena, transform_table, &diag);
    if (random_chance(&test->random, 1, 2)) switch_one_by_one(&pipeline);
    // Passes leave little to do for those behind them: some are left out.
    static const PassId optional[] = {PASS_split_slots, PASS_copy_prop, PASS_sccp, PASS_lvn,
                                      PASS_gvn};
    for (uint32_t i = 0; i < sizeof optional / sizeof optional[0]; i++) {
        pipeline.off[optional[i]] = random_chance(&test->random, 1, 2);
        pipeline.on[optional[i]] &= !pipeline.off[optional[i]];
    }
    pipeline.level = 2;
    pipeline.verify_inside = true;
    pipeline.observe = observe;
    pipeline.context = test;
    test->arena = arena;
    memset(test->of_form, 0, sizeof test->of_form);
    program_at(func->program, func->symbol)->func = func;
    test->bodies = callee_bodies(arena, func->program);
    pipeline.bodies = &test->bodies;
    pipeline_run(&pipeline, func);
    pipeline_free(&pipeline);
    diag_free(&diag);
}

// Two joins of the same values under the same condition.
static const char twice[] = "function i32 @f(i32 %n, i32 %m) {\n"
                            "  0: if lt.i32 %n, %m then 1 else 3\n"
                            "  1: %x = move.i32 %n\n"
                            "  2: nop -> 4\n"
                            "  3: %x = move.i32 %m\n"
                            "  4: call @g(%x)\n"
                            "  5: if lt.i32 %n, %m then 6 else 8\n"
                            "  6: %y = move.i32 %n\n"
                            "  7: nop -> 9\n"
                            "  8: %y = move.i32 %m\n"
                            "  9: %z = sub.i32 %x, %y\n"
                            "  10: return %z\n"
                            "}\n"
                            "extern function void @g(i32)\n";

// Functions for which every pass finds something to do.
static const Func *original(Arena *arena, Program *program, uint64_t seed) {
    switch (seed % 7) {
    case 0: return caller_func(arena, program, seed);
    case 1: return counter_func(arena, program, seed);
    case 2: return diamonds_func(arena, program, seed);
    case 3: return record_func(arena, program, seed);
    case 4:
        return func_in_memory(arena, random_func(arena, program, random_options(60, seed), seed),
                              seed);
    case 5: return forge_parse(arena, FORM_RTL, twice);
    default: return random_func(arena, program, random_options(120, seed), seed);
    }
}

static void test_every_pass(void **state) {
    (void)state;
    Test test = {.random = random_from(1)};
    uint64_t count = effort(140, 400, 7000);
    for (uint64_t seed = 1; seed <= count; seed++) {
        Arena *arena = arena_new("function");
        Program *program = program_new(arena);
        run(&test, arena, original(arena, program, seed));
        arena_free(arena);
    }
    for (uint32_t pass = 0; pass < PASS_COUNT; pass++) {
        print_message("%-14s %u steps\n", pass_table[pass].name, (unsigned)test.steps[pass]);
        assert_true(pass_is_inner(pass) || test.steps[pass] > 0);
    }
    print_message("%u forms, %u frames, %u of %u hints refused\n", (unsigned)test.forms,
                  (unsigned)test.frames, (unsigned)test.refused, (unsigned)test.numbers);
    print_message("%u changes of code: %u malformed, %u harmless\n", (unsigned)test.codes,
                  (unsigned)test.malformed, (unsigned)test.harmless);
    assert_true(test.codes - test.malformed - test.harmless > test.codes / 20);
    assert_true(test.forms > 500 && test.frames > 500);
    assert_true(test.refused > test.numbers / 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_pass)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
