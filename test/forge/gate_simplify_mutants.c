// Random damage to outputs and hints of gate_simplify: see test/gen/mutants.h. What the pass makes
// undamaged must be accepted, behave as before in both semantics, and come back to SSA.
//
// Conditions are repeated below branches on them, as random functions do not do that.
#include "check/checkers.h"
#include "graph/dominance.h"
#include "pass/pass.h"
#include "pipeline/step_check.h"
#include "run/world/run.h"
#include "test/gen/effort.h"
#include "test/gen/mutants.h"
#include "test/gen/random_func.h"
#include "test/gen/twins.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static Verdict check(Arena *arena, const Func *before, const Func *after, const void *hint) {
    return step_check(PASS_gate_simplify, arena, NULL, before, after, hint);
}

// ---- Functions

static void repeat_conditions(Arena *arena, Random *random, Func *func) {
    Preds preds = preds_of(arena, func);
    Dominance dom = dominance_of(arena, func, &preds);
    for (uint32_t i = 0; i < dom.count; i++) {
        Instr *cond = &func->nodes.at[dom.order[i]];
        const Instr *above = NULL;
        if (cond->kind != I_COND || random_chance(random, 1, 2)) continue;
        for (Node up = dom.idom[dom.order[i]]; up.i != NO_ID && !above; up = dom.idom[up.i])
            if (func_at(func, up)->kind == I_COND && random_chance(random, 1, 2))
                above = func_at(func, up);
        if (!above) continue;
        cond->op = above->op;
        cond->immediate = above->immediate;
        cond->imm = above->imm;
        cond->arg_count = above->arg_count;
        memcpy(cond->arg, above->arg, sizeof cond->arg);
    }
}

static const Func *gated(Arena *arena, Random *random, const Func *ssa) {
    Func *func = func_clone(ssa, arena);
    if (random_chance(random, 1, 2)) repeat_conditions(arena, random, func);
    const Func *closed = close_loops(arena, func, &(CloseLoopsHint){0});
    return gsa_build(arena, closed ? closed : func, &(GsaBuildHint){0});
}

static bool make(Mutant *mutant) {
    GateSimplifyHint *hint = ARENA_NEW(mutant->arena, GateSimplifyHint);
    mutant->before = gated(mutant->arena, &mutant->random, mutant->before);
    mutant->hint = hint;
    mutant->after = mutant->before ? gate_simplify(mutant->arena, mutant->before, hint) : NULL;
    return mutant->after != NULL;
}

// ---- Kinds of damage

static Gsa *gsa_of(Mutant *mutant) {
    return mutant->after->gsa;
}
static Merge *draw_gamma(Mutant *mutant) {
    Gsa *gsa = gsa_of(mutant);
    if (!gsa->merges.count) return NULL;
    Merge *merge = &gsa->merges.at[mutant_draw(mutant, gsa->merges.count)];
    return merge->kind == MERGE_GAMMA ? merge : NULL;
}
static MergeArg *draw_argument(Mutant *mutant) {
    Merge *gamma = draw_gamma(mutant);
    if (!gamma) return NULL;
    return &gsa_of(mutant)->merge_args.at[gamma->args_at + mutant_draw(mutant, gamma->arg_count)];
}
static bool set_gate(Gate *gate, uint32_t other) {
    uint32_t old = gate->i;
    gate->i = other;
    return old != other;
}
static bool change_gate(Mutant *mutant) {
    MergeArg *arg = draw_argument(mutant);
    return arg && set_gate(&arg->gate, mutant_draw(mutant, gsa_of(mutant)->gates.count));
}
static bool drop_operand(Mutant *mutant) {
    MergeArg *arg = draw_argument(mutant);
    if (!arg) return false;
    const GateNode *node = &gsa_of(mutant)->gates.at[arg->gate.i];
    if (node->kind != GK_AND && node->kind != GK_OR) return false;
    return set_gate(&arg->gate, mutant_draw(mutant, 2) ? node->first : node->second);
}
static bool drop_deeper_operand(Mutant *mutant) {
    Gsa *gsa = gsa_of(mutant);
    GateNode *node = &gsa->gates.at[mutant_draw(mutant, gsa->gates.count)];
    if (node->kind != GK_AND && node->kind != GK_OR) return false;
    uint32_t old = node->second;
    node->second = node->first;
    return old != node->first;
}
static bool negate_literal(Mutant *mutant) {
    Gsa *gsa = gsa_of(mutant);
    GateNode *node = &gsa->gates.at[mutant_draw(mutant, gsa->gates.count)];
    if (node->kind != GK_LITERAL) return false;
    node->negated = !node->negated;
    return true;
}
static bool make_constant(Mutant *mutant) {
    MergeArg *arg = draw_argument(mutant);
    return arg && set_gate(&arg->gate, mutant_draw(mutant, 3));
}
static bool exchange_gates(Mutant *mutant) {
    Merge *gamma = draw_gamma(mutant);
    if (!gamma || gamma->arg_count < 2) return false;
    MergeArg *args = gsa_of(mutant)->merge_args.at + gamma->args_at;
    Gate first = args[0].gate;
    args[0].gate = args[1].gate;
    args[1].gate = first;
    return first.i != args[0].gate.i;
}
static bool copy_gate(Mutant *mutant) {
    MergeArg *one = draw_argument(mutant), *other = draw_argument(mutant);
    return one && other && set_gate(&one->gate, other->gate.i);
}
static bool change_argument(Mutant *mutant) {
    MergeArg *arg = draw_argument(mutant);
    return arg && mutant_change_reg(mutant, &arg->reg);
}
static bool change_eta(Mutant *mutant) {
    Gsa *gsa = gsa_of(mutant);
    return gsa->etas.count &&
           mutant_change_reg(mutant, &gsa->etas.at[mutant_draw(mutant, gsa->etas.count)].source);
}
static bool change_fact(Mutant *mutant) {
    GatePaths *paths = &((GateSimplifyHint *)mutant->hint)->paths;
    if (!paths->joins.count) return false;
    paths->joins.at[mutant_draw(mutant, paths->joins.count)] =
        mutant_draw(mutant, mutant->before->nodes.count + paths->facts.count + 1);
    return true;
}

static const MutantKind kinds[] = {
    {"change a gate", change_gate},
    {"drop an operand", drop_operand},
    {"drop a deeper operand", drop_deeper_operand},
    {"negate a literal", negate_literal},
    {"make a gate constant", make_constant},
    {"exchange gates", exchange_gates},
    {"copy a gate", copy_gate},
    {"change an argument", change_argument},
    {"change the source of an eta", change_eta},
    {"change a fact", change_fact},
};

static void test_mutants(void **state) {
    (void)state;
    mutants_try(&(MutantPass){.make = make,
                              .check = check,
                              .kinds = kinds,
                              .kind_count = sizeof kinds / sizeof kinds[0]},
                effort(2000, 12000, 200000));
}

// ---- No damage

static void expect_same(Arena *arena, const Func *before, const Func *after, bool dataflow,
                        uint64_t seed) {
    Random random = random_from(seed);
    Value args[2] = {{.bits = random_below(&random, 100)}, {.bits = random_below(&random, 100)}};
    RunOptions options = {.fuel = 2000,
                          .capture = true,
                          .no_input = true,
                          .no_files = true,
                          .way = dataflow ? RUN_dataflow : RUN_PLAIN};
    RunResult was = {0}, is = {0};
    const char *difference;
    rtl_run_func(arena, before->program, before, args, 2, &options, &was);
    rtl_run_func(arena, before->program, after, args, 2, &options, &is);
    if (!behaviour_refines(arena, &was.behaviour, &is.behaviour, &difference))
        fail_msg("seed %ju, %s: %s", (uintmax_t)seed, dataflow ? "on demand" : "in order",
                 difference);
    out_free(&was.output);
    out_free(&is.output);
}

// Whether the pass changed a function.
static bool try_honest(Arena *arena, uint64_t seed) {
    Random random = random_from(seed);
    Program *program = program_new(arena);
    const Func *ssa = ssa_of(arena, random_func(arena, program, random_options(120, seed), seed));
    const Func *before = gated(arena, &random, ssa);
    GateSimplifyHint hint = {0};
    Func *after = before ? gate_simplify(arena, before, &hint) : NULL;
    if (!after) return false;
    Complaints complaints = {.arena = arena};
    if (!verify_func(&complaints, after))
        fail_msg("seed %ju: %s", (uintmax_t)seed, complaints.list.at[0].message);
    Verdict verdict = step_check(PASS_gate_simplify, arena, NULL, before, after, &hint);
    if (!verdict.accepted) fail_msg("seed %ju: %s", (uintmax_t)seed, verdict.reason);
    for (uint64_t run = 0; run < 4; run++) expect_same(arena, before, after, run % 2, seed + run);
    GsaDestructHint back = {0};
    assert_non_null(gsa_destruct(arena, after, &back));
    assert_true(back.simplified);
    return true;
}

static void test_honest(void **state) {
    (void)state;
    uint64_t count = effort(300, 1500, 50000), changed = 0;
    Arena *arena = arena_new("honest");
    for (uint64_t seed = 1; seed <= count; seed++) {
        changed += try_honest(arena, seed);
        arena_reset(arena);
    }
    print_message("%ju of %ju functions changed\n", (uintmax_t)changed, (uintmax_t)count);
    assert_true(changed > count / 20);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mutants),
                                       cmocka_unit_test(test_honest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
