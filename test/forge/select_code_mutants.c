// Random damage to outputs of instruction selection: see test/gen/mutants.h.
#include "check/checkers.h"
#include "check/passes.h"
#include "form/mach.h"
#include "pass/pass.h"
#include "test/gen/effort.h"
#include "test/gen/mutants.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static Verdict check(Arena *arena, const Func *before, const Func *after, const void *hint) {
    return pass_check(PASS_select_code, arena, NULL, before, after, hint);
}

static bool make(Mutant *mutant) {
    SelectHint *hint = ARENA_NEW(mutant->arena, SelectHint);
    mutant->hint = hint;
    bool plain = mutant_draw(mutant, 4) == 0;
    mutant->after = (plain ? select_code_plain : select_code)(mutant->arena, mutant->before, hint);
    return true;
}

static bool change_start(Mutant *mutant) {
    SelectHint *hint = mutant->hint;
    uint32_t *node = &hint->node_of_block.at[mutant_draw(mutant, hint->node_of_block.count)];
    uint32_t other = mutant_draw(mutant, mutant->before->nodes.count), old = *node;
    *node = other;
    return other != old;
}

// A block that starts where another does and goes there.
static bool skip_block(Mutant *mutant) {
    SelectHint *hint = mutant->hint;
    Mach *mach = mutant->after->mach;
    uint32_t count = mach->blocks.count;
    if (count < 3) return false;
    uint32_t from = 1 + mutant_draw(mutant, count - 1), to = 1 + mutant_draw(mutant, count - 1);
    hint->node_of_block.at[from] = hint->node_of_block.at[to];
    const MachBlock *block = &mach->blocks.at[from];
    if (from == to || block->succ_count != 1) return false;
    mach->succs.at[block->succs] = to;
    return true;
}

static const MutantKind kinds[] = {
    {"change where a block starts", change_start},
    {"make a block do nothing", skip_block},
};

static void test_mutants(void **state) {
    (void)state;
    MutantPass pass = {.make = make,
                       .check = check,
                       .kinds = kinds,
                       .kind_count = sizeof kinds / sizeof kinds[0],
                       .machine = true};
    mutants_try(&pass, effort(3000, 30000, 300000));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mutants)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
