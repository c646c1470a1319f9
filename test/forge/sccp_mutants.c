// Random damage to outputs and hints of sccp: see test/gen/mutants.h.
#include "check/checkers.h"
#include "check/passes.h"
#include "pass/pass.h"
#include "pass/values/values_hint.h"
#include "test/gen/effort.h"
#include "test/gen/mutants.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static Verdict check(Arena *arena, const Func *before, const Func *after, const void *hint) {
    return pass_check(PASS_sccp, arena, NULL, before, after,
                      explain_SccpHint(arena, before, after, hint));
}

// Facts without any rewriting can be damaged as well.
static bool make(Mutant *mutant) {
    SccpHint *hint = ARENA_NEW(mutant->arena, SccpHint);
    Func *after = sccp(mutant->arena, mutant->before, hint);
    mutant->after = after ? after : func_clone(mutant->before, mutant->arena);
    mutant->hint = hint;
    return true;
}

static SccpFact *draw_fact(Mutant *mutant) {
    SccpHint *hint = mutant->hint;
    return &hint->facts.at[mutant_draw(mutant, hint->facts.count)];
}

static bool claim_constant(Mutant *mutant) {
    *draw_fact(mutant) = (SccpFact){.kind = SCCP_CONST, .bits = mutant_draw(mutant, 4)};
    return true;
}
static bool claim_free(Mutant *mutant) {
    *draw_fact(mutant) = (SccpFact){.kind = SCCP_FREE};
    return true;
}
static bool forget_fact(Mutant *mutant) {
    SccpFact *fact = draw_fact(mutant);
    bool known = fact->kind != SCCP_VARIES;
    *fact = (SccpFact){.kind = SCCP_VARIES};
    return known;
}
static bool change_constant(Mutant *mutant) {
    SccpFact *fact = draw_fact(mutant);
    fact->bits ^= 1;
    return fact->kind == SCCP_CONST;
}
static bool claim_unreached(Mutant *mutant) {
    SccpHint *hint = mutant->hint;
    uint32_t node = mutant_draw(mutant, hint->reached.size);
    bool had = bits_has(&hint->reached, node);
    bits_remove(&hint->reached, node);
    return had;
}
static bool claim_reached(Mutant *mutant) {
    SccpHint *hint = mutant->hint;
    return bits_put(&hint->reached, mutant_draw(mutant, hint->reached.size));
}
// A constant in the code and, to go with it, in the facts.
static bool forge_constant(Mutant *mutant) {
    SccpHint *hint = mutant->hint;
    Instr *instr = mutant_draw_instr(mutant);
    if (instr->kind != I_OP || reg_type(mutant->after, instr->dest) != TYPE_I32) return false;
    uint32_t value = mutant_draw(mutant, 4);
    *instr = (Instr){.kind = I_OP,
                     .op = OP_CONST_I32,
                     .dest = instr->dest,
                     .succ_count = 1,
                     .succ = {instr->succ[0]},
                     .imm = value};
    hint->facts.at[instr->dest.i] = (SccpFact){.kind = SCCP_CONST, .bits = value};
    return true;
}
// A branch goes one way, and the first node of the other is said not to be executed.
static bool forge_branch(Mutant *mutant) {
    SccpHint *hint = mutant->hint;
    Instr *instr = mutant_draw_instr(mutant);
    if (instr->kind != I_COND) return false;
    uint32_t way = mutant_draw(mutant, 2);
    bits_remove(&hint->reached, instr->succ[1 - way].i);
    *instr = (Instr){.kind = I_NOP, .dest = NO_REG, .succ_count = 1, .succ = {instr->succ[way]}};
    return true;
}

static void test_mutants(void **state) {
    (void)state;
    static const MutantKind kinds[] = {
        {"claim a constant", claim_constant},
        {"claim that it is undefined", claim_free},
        {"forget a fact", forget_fact},
        {"change a constant", change_constant},
        {"claim that it is not reached", claim_unreached},
        {"claim that it is reached", claim_reached},
        {"forge a constant and its fact", forge_constant},
        {"forge a branch and its edge", forge_branch},
    };
    mutants_try(&(MutantPass){.make = make,
                              .check = check,
                              .kinds = kinds,
                              .kind_count = sizeof kinds / sizeof kinds[0]},
                effort(500, 3000, 200000));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mutants)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
