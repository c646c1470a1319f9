// Random damage to outputs of register allocation: see test/gen/mutants.h.
#include "check/checkers.h"
#include "check/passes.h"
#include "fact/calls.h"
#include "mach/allocate_private.h"
#include "pass/pass.h"
#include "target/x64/model/constraints.h"
#include "test/gen/effort.h"
#include "test/gen/mutants.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static Verdict check(Arena *arena, const Func *before, const Func *after, const void *hint) {
    return pass_check(PASS_allocate, arena, NULL, before, after, hint);
}

// With all registers, with few, which puts more in, or plainly, as must be where calls return
// twice.
static bool make(Mutant *mutant) {
    static const MachineRegSet few = {
        {X64_BIT(M_RAX) | X64_BIT(M_RCX) | X64_BIT(M_RBX) | X64_BIT(M_RDI) | X64_BIT(M_XMM0)}};
    AllocateHint *hint = ARENA_NEW(mutant->arena, AllocateHint);
    mutant->before = select_code(mutant->arena, mutant->before, &(SelectHint){0});
    mutant->hint = hint;
    uint32_t way = mutant_draw(mutant, 8);
    if (way == 0 || func_returns_twice(mutant->before))
        mutant->after = allocate_plain(mutant->arena, mutant->before, hint);
    else if (way < 4)
        mutant->after = allocate_within(mutant->arena, mutant->before, few, hint);
    else
        mutant->after = allocate(mutant->arena, mutant->before, hint);
    return true;
}

static bool change_origin(Mutant *mutant) {
    AllocateHint *hint = mutant->hint;
    uint32_t *origin = &hint->origin.at[mutant_draw(mutant, hint->origin.count)], old = *origin;
    *origin = mutant_draw(mutant, 3) ? old + mutant_draw(mutant, 3) - 1 : NO_ID;
    return *origin != old;
}

static bool change_block_origin(Mutant *mutant) {
    AllocateHint *hint = mutant->hint;
    uint32_t *origin = &hint->block_origin.at[mutant_draw(mutant, hint->block_origin.count)];
    uint32_t old = *origin, count = mutant->before->mach->blocks.count;
    *origin = mutant_draw(mutant, 3) ? mutant_draw(mutant, count) : NO_ID;
    return *origin != old;
}

static MachInstr *draw_put_in(Mutant *mutant) {
    Mach *mach = mutant->after->mach;
    uint32_t at = mutant_draw(mutant, mach->code.count);
    return ((AllocateHint *)mutant->hint)->origin.at[at] == NO_ID ? &mach->code.at[at] : NULL;
}

static bool change_move(Mutant *mutant) {
    static const Op moves[] = {OP_MOVE_I32, OP_MOVE_I64, OP_MOVE_F32, OP_MOVE_F64};
    MachInstr *instr = draw_put_in(mutant);
    if (!instr || instr->kind != MK_MOVE) return false;
    Op op = moves[mutant_draw(mutant, 4)];
    bool changed = instr->op != op;
    instr->op = (uint16_t)op;
    return changed;
}

static bool turn_move(Mutant *mutant) {
    MachInstr *instr = draw_put_in(mutant);
    if (!instr || instr->kind != MK_MOVE) return false;
    Place dest = instr->dest;
    instr->dest = instr->src[0];
    instr->src[0] = dest;
    return true;
}

static bool exchange_instead(Mutant *mutant) {
    MachInstr *instr = draw_put_in(mutant);
    if (!instr || instr->kind != MK_MOVE) return false;
    instr->kind = MK_EXCHANGE;
    instr->op = 0;
    return true;
}

static bool change_constant(Mutant *mutant) {
    MachInstr *instr = draw_put_in(mutant);
    if (!instr || instr->kind != MK_OP) return false;
    instr->imm ^= 1;
    return true;
}

static const MutantKind kinds[] = {
    {"change an origin", change_origin},
    {"change the origin of a block", change_block_origin},
    {"change the type of a move", change_move},
    {"turn a move round", turn_move},
    {"exchange instead of moving", exchange_instead},
    {"change a constant put in", change_constant},
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
