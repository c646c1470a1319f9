// Random damage to split slots: see test/gen/mutants.h. And the pass itself: what it makes is
// accepted and behaves as before.
#include "check/checkers.h"
#include "check/passes.h"
#include "pass/pass.h"
#include "test/gen/compare.h"
#include "test/gen/effort.h"
#include "test/gen/mutants.h"
#include "test/gen/records.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static Verdict check(Arena *arena, const Func *before, const Func *after, const void *hint) {
    return pass_check(PASS_split_slots, arena, NULL, before, after, hint);
}

static bool make(Mutant *mutant) {
    SplitHint *hint = ARENA_NEW(mutant->arena, SplitHint);
    mutant->before =
        record_func(mutant->arena, program_new(mutant->arena), mutant_draw(mutant, 1u << 30));
    mutant->after = split_slots(mutant->arena, mutant->before, hint);
    mutant->hint = hint;
    return mutant->after != NULL;
}

static SlotField *draw_field(Mutant *mutant) {
    SplitHint *hint = mutant->hint;
    return hint->fields.count ? &hint->fields.at[mutant_draw(mutant, hint->fields.count)] : NULL;
}

static bool move_field(Mutant *mutant) {
    SlotField *field = draw_field(mutant);
    if (!field) return false;
    field->at = mutant_draw(mutant, 24);
    return true;
}
static bool change_chunk(Mutant *mutant) {
    SlotField *field = draw_field(mutant);
    if (!field) return false;
    field->chunk = mutant_draw(mutant, CHUNK_COUNT);
    return true;
}
static bool change_slot(Mutant *mutant) {
    SlotField *field = draw_field(mutant);
    if (!field) return false;
    field->slot.i = mutant_draw(mutant, mutant->before->slots.count);
    return true;
}
static bool drop_slot(Mutant *mutant) {
    SplitHint *hint = mutant->hint;
    if (!hint->slots.count) return false;
    hint->slots.count--;
    return true;
}

// The pass is given another function, in which an access or a copy is another.
static bool mistake_access(Mutant *mutant) {
    Func *lie = func_clone(mutant->before, mutant->arena);
    Instr *instr = &lie->nodes.at[mutant_draw(mutant, lie->nodes.count)];
    if (!instr_names_slot(instr) && !instr_is_memcpy(instr) && !instr_is_memset(instr))
        return false;
    if (instr_names_slot(instr) && mutant_draw(mutant, 2))
        instr->ref = mutant_draw(mutant, lie->slots.count);
    else
        instr->imm = mutant_draw(mutant, 24);
    SplitHint *hint = mutant->hint;
    *hint = (SplitHint){0};
    Func *after = split_slots(mutant->arena, lie, hint);
    if (after) mutant->after = after;
    return after != NULL;
}

static void test_mutants(void **state) {
    (void)state;
    static const MutantKind kinds[] = {
        {"move a field", move_field},          {"change a chunk", change_chunk},
        {"change the slot", change_slot},      {"drop a slot", drop_slot},
        {"mistake an access", mistake_access},
    };
    mutants_try(&(MutantPass){.make = make,
                              .check = check,
                              .kinds = kinds,
                              .kind_count = sizeof kinds / sizeof kinds[0]},
                effort(500, 3000, 200000));
}

// Whether a run takes no wrong step, so that the comparison says something.
static bool ends_well(Arena *arena, const Func *func) {
    RunResult result = {0};
    Value args[2] = {{.bits = 3}, {.bits = 5}};
    RunOptions options = {.fuel = 2000, .capture = true, .no_input = true, .no_files = true};
    rtl_run_func(arena, func->program, func, args, 2, &options, &result);
    out_free(&result.output);
    return result.behaviour.end == END_RESULT;
}

static void test_random(void **state) {
    (void)state;
    Arena *arena = arena_new("function");
    uint64_t count = effort(200, 2000, 100000), split = 0, good = 0;
    for (uint64_t seed = 1; seed <= count; seed++) {
        const Func *before = record_func(arena, program_new(arena), seed);
        SplitHint hint = {0};
        const Func *after = split_slots(arena, before, &hint);
        split += hint.slots.count;
        good += after && ends_well(arena, before);
        if (after) {
            Complaints complaints = {.arena = arena};
            if (!verify_func(&complaints, after)) fail_msg("%s", complaints.list.at[0].message);
            Verdict verdict = pass_check(PASS_split_slots, arena, NULL, before, after, &hint);
            if (!verdict.accepted)
                fail_msg("seed %llu: %s", (unsigned long long)seed, verdict.reason);
            for (uint64_t run = 0; run < 4; run++) {
                const char *difference =
                    behaviour_difference(arena, before, after, seed + run, 2000);
                if (difference) fail_msg("seed %llu: %s", (unsigned long long)seed, difference);
            }
        }
        arena_reset(arena);
    }
    assert_true(split > count);
    assert_true(good > count / 4);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mutants),
                                       cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
