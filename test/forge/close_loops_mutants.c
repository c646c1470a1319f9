// Random damage to outputs and hints of close_loops: see test/gen/mutants.h.
#include "check/checkers.h"
#include "pass/pass.h"
#include "pipeline/step_check.h"
#include "test/gen/effort.h"
#include "test/gen/mutants.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static Verdict check(Arena *arena, const Func *before, const Func *after, const void *hint) {
    return step_check(PASS_close_loops, arena, NULL, before, after, hint);
}

static bool make(Mutant *mutant) {
    CloseLoopsHint *hint = ARENA_NEW(mutant->arena, CloseLoopsHint);
    mutant->after = close_loops(mutant->arena, mutant->before, hint);
    mutant->hint = hint;
    return mutant->after;
}

static uint32_t draw_node(Mutant *mutant) {
    return mutant_draw(mutant, mutant->after->nodes.count);
}
static Node draw_old(Mutant *mutant) {
    return (Node){mutant_draw(mutant, mutant->before->nodes.count)};
}

static bool change_old(Mutant *mutant) {
    CloseLoopsHint *hint = mutant->hint;
    hint->old.at[draw_node(mutant)] = mutant_draw(mutant, 4) ? draw_old(mutant) : NO_NODE;
    return true;
}
static bool change_original(Mutant *mutant) {
    CloseLoopsHint *hint = mutant->hint;
    hint->original.at[mutant_draw(mutant, hint->original.count)] =
        (Reg){mutant_draw(mutant, mutant->before->regs.count)};
    return true;
}
// Another register as the source of a copy, and what fits to it as the original of its destination.
static bool forge_copy(Mutant *mutant) {
    CloseLoopsHint *hint = mutant->hint;
    uint32_t old = mutant->before->regs.count;
    Instr *instr = mutant_draw_instr(mutant);
    if (instr->kind != I_OP || instr->dest.i < old) return false;
    if (!mutant_change_reg(mutant, &instr->arg[0])) return false;
    Reg source = instr->arg[0];
    hint->original.at[instr->dest.i - old] =
        source.i < old ? source : hint->original.at[source.i - old];
    return true;
}
// A use of one added register becomes one of another of the same original.
static bool exchange_names(Mutant *mutant) {
    CloseLoopsHint *hint = mutant->hint;
    uint32_t old = mutant->before->regs.count;
    Instr *instr = mutant_draw_instr(mutant);
    Reg other = {old + mutant_draw(mutant, hint->original.count)};
    if (!instr->arg_count || instr->arg_count > INLINE_ARGS) return false;
    Reg *arg = &instr->arg[mutant_draw(mutant, instr->arg_count)];
    Reg original = arg->i < old ? *arg : hint->original.at[arg->i - old];
    if (hint->original.at[other.i - old].i != original.i || other.i == arg->i) return false;
    *arg = other;
    return true;
}
// A new, undefined register that claims to be another.
static bool forge_undefined(Mutant *mutant) {
    CloseLoopsHint *hint = mutant->hint;
    Instr *instr = mutant_draw_instr(mutant);
    if (!instr->arg_count || instr->arg_count > INLINE_ARGS) return false;
    Reg *arg = &instr->arg[mutant_draw(mutant, instr->arg_count)];
    if (arg->i >= mutant->before->regs.count) return false;
    RegInfo info = {.number = mutant->after->next_temp++,
                    .version = 1,
                    .type = reg_type(mutant->before, *arg),
                    .name = STR_NONE};
    vec_push(mutant->arena, &hint->original, *arg);
    *arg = func_add_reg(mutant->after, info);
    return true;
}
// An added nop stands in the place of an old node, which is passed by.
static bool forge_added(Mutant *mutant) {
    CloseLoopsHint *hint = mutant->hint;
    uint32_t node = draw_node(mutant);
    Instr *instr = &mutant->after->nodes.at[node];
    if (instr->succ_count != 1) return false;
    *instr = (Instr){.kind = I_NOP, .dest = NO_REG, .succ_count = 1, .succ = {instr->succ[0]}};
    hint->old.at[node] = NO_NODE;
    return true;
}

static void test_mutants(void **state) {
    (void)state;
    static const MutantKind kinds[] = {
        {"change a hint's old node", change_old},
        {"change a hint's original", change_original},
        {"forge a copy and its original", forge_copy},
        {"exchange names", exchange_names},
        {"forge an undefined register", forge_undefined},
        {"pass an old node by", forge_added},
    };
    mutants_try(&(MutantPass){.make = make,
                              .check = check,
                              .kinds = kinds,
                              .kind_count = sizeof kinds / sizeof kinds[0]},
                effort(2000, 12000, 600000));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mutants)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
