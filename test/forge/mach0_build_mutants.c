// Random damage to outputs of code generation to mach0: see test/gen/mutants.h. What it makes with
// any seed is accepted.
#include "check/checkers.h"
#include "form/mach0.h"
#include "pass/pass.h"
#include "test/gen/effort.h"
#include "test/gen/mutants.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static Verdict check(Arena *arena, const Func *before, const Func *after, const void *hint) {
    return check_mach0_build(arena, before, after, hint);
}

static bool make(Mutant *mutant) {
    Mach0Hint *hint = ARENA_NEW(mutant->arena, Mach0Hint);
    AsideOptions options = {.seed = mutant_draw(mutant, 5)};
    mutant->hint = hint;
    mutant->after = mach0_build(mutant->arena, mutant->before, &options, hint);
    Verdict verdict = check(mutant->arena, mutant->before, mutant->after, hint);
    if (!verdict.accepted) fail_msg("refused as it was made: %s", verdict.reason);
    return true;
}

// An instruction that goes on to the next one, and the next, which is no end.
static bool exchange(Mutant *mutant, uint32_t at) {
    Mach0Hint *hint = mutant->hint;
    Instr *nodes = mutant->after->nodes.at;
    if (at + 2 >= mutant->after->nodes.count || mach0_is_label(&nodes[at]) ||
        nodes[at].succ_count != 1 || nodes[at + 1].succ_count != 1 || mach0_is_jump(&nodes[at]) ||
        mach0_is_jump(&nodes[at + 1]))
        return false;
    Instr first = nodes[at];
    nodes[at] = nodes[at + 1];
    nodes[at + 1] = first;
    func_set_succ(mutant->after, (Node){at}, 0, (Node){at + 1});
    func_set_succ(mutant->after, (Node){at + 1}, 0, (Node){at + 2});
    Mach0Origin origin = hint->origins.at[at];
    hint->origins.at[at] = hint->origins.at[at + 1];
    hint->origins.at[at + 1] = origin;
    return true;
}

static bool exchange_neighbours(Mutant *mutant) {
    return exchange(mutant, mutant_draw(mutant, mutant->after->nodes.count));
}

static bool move_far(Mutant *mutant) {
    uint32_t at = mutant_draw(mutant, mutant->after->nodes.count), steps = 0;
    while (exchange(mutant, at + steps)) steps++;
    return steps > 1;
}

static bool change_register(Mutant *mutant) {
    Mach0Hint *hint = mutant->hint;
    uint32_t *reg = &hint->register_of.at[mutant_draw(mutant, hint->register_of.count)], old = *reg;
    *reg = mutant_draw(mutant, mutant->after->regs.count);
    return *reg != old;
}

// The code goes with the hint: one register in the place of another everywhere.
static bool share_register(Mutant *mutant) {
    Mach0Hint *hint = mutant->hint;
    uint32_t from = mutant_draw(mutant, mutant->after->regs.count);
    Reg to = {from};
    if (!mutant_change_reg(mutant, &to)) return false;
    for (uint32_t i = 0; i < hint->register_of.count; i++)
        if (hint->register_of.at[i] == from) hint->register_of.at[i] = to.i;
    for (uint32_t i = 0; i < hint->carrier_of.count; i++)
        if (hint->carrier_of.at[i] == from) hint->carrier_of.at[i] = to.i;
    for (uint32_t n = 0; n < mutant->after->nodes.count; n++) {
        Instr *instr = &mutant->after->nodes.at[n];
        if (instr->dest.i == from) instr->dest = to;
        for (uint32_t k = 0; k < instr->arg_count && instr->arg_count <= INLINE_ARGS; k++)
            if (instr->arg[k].i == from) instr->arg[k] = to;
    }
    return true;
}

static bool change_carrier(Mutant *mutant) {
    Mach0Hint *hint = mutant->hint;
    if (!hint->carrier_of.count) return false;
    uint32_t *reg = &hint->carrier_of.at[mutant_draw(mutant, hint->carrier_of.count)], old = *reg;
    *reg = mutant_draw(mutant, mutant->after->regs.count);
    return *reg != old;
}

static bool change_origin(Mutant *mutant) {
    Mach0Hint *hint = mutant->hint;
    Mach0Origin *origin = &hint->origins.at[mutant_draw(mutant, hint->origins.count)],
                old = *origin;
    switch (mutant_draw(mutant, 3)) {
    case 0: origin->role = mutant_draw(mutant, MACH0_ROLE_COUNT); break;
    case 1: origin->node = mutant_draw(mutant, mutant->before->nodes.count); break;
    default: origin->phi = mutant_draw(mutant, mutant->before->phis.count + 1); break;
    }
    return origin->role != old.role || origin->node != old.node || origin->phi != old.phi;
}

static bool exchange_targets(Mutant *mutant) {
    Instr *a = mutant_draw_instr(mutant), *b = mutant_draw_instr(mutant);
    if (!mach0_is_jump(a) || !mach0_is_jump(b) || a->succ[0].i == b->succ[0].i) return false;
    Node first = a->succ[0];
    a->succ[0] = b->succ[0];
    b->succ[0] = first;
    return true;
}

static const MutantKind kinds[] = {
    {"exchange neighbours", exchange_neighbours},
    {"move an instruction far", move_far},
    {"change a register of the hint", change_register},
    {"share a register", share_register},
    {"change a carrier", change_carrier},
    {"change an origin", change_origin},
    {"exchange targets of jumps", exchange_targets},
};

static void test_mutants(void **state) {
    (void)state;
    MutantPass pass = {
        .make = make, .check = check, .kinds = kinds, .kind_count = sizeof kinds / sizeof kinds[0]};
    mutants_try(&pass, effort(2000, 20000, 200000));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mutants)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
