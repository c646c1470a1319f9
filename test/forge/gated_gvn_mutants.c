// Random damage to outputs and hints of gated_gvn: see test/gen/mutants.h.
//
// Random functions hardly ever branch twice on the same condition, so there are functions of a kind
// of their own here. What the pass makes of them undamaged must be accepted and behave as before.
#include "analysis/gate_paths.h"
#include "check/checkers.h"
#include "form/gsa.h"
#include "pass/pass.h"
#include "pass/substitute.h"
#include "pipeline/step_check.h"
#include "test/gen/compare.h"
#include "test/gen/effort.h"
#include "test/gen/forge.h"
#include "test/gen/mutants.h"
#include "test/gen/twins.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static Verdict check(Arena *arena, const Func *before, const Func *after, const void *hint) {
    return step_check(PASS_gated_gvn, arena, NULL, before, after, hint);
}

// ---- Functions that branch on the same conditions

static void add_arm(Mutant *mutant, Out *out, uint32_t node, char variable, uint32_t join) {
    static const char *const values[] = {"const.i32 0", "add.i32 %a, 1", "move.i32 %s"};
    out_printf(out, "  %u: %%%c = %s -> %u\n", node, variable, values[mutant_draw(mutant, 3)],
               join);
}

// Diamonds in a row, with few conditions and values; some close loops.
static const Func *repetitive(Mutant *mutant) {
    static const char *const conditions[] = {"%a, 3", "%a, 3", "%a, %b", "%s, 9"};
    uint32_t count = 3 + mutant_draw(mutant, 6), node = 3;
    Out out = {0};
    out_text(&out, "function i32 @f(i32 %a, i32 %b) {\n  0: %s = const.i32 0\n"
                   "  1: %x = const.i32 0\n  2: %y = const.i32 1\n");
    for (uint32_t i = 0; i < count; i++, node += 6) {
        out_printf(&out, "  %u: if lt.i32 %s then %u else %u\n", node,
                   conditions[mutant_draw(mutant, 4)], node + 1, node + 2);
        char variable = mutant_draw(mutant, 2) ? 'x' : 'y';
        add_arm(mutant, &out, node + 1, variable, node + 3);
        add_arm(mutant, &out, node + 2, variable, node + 3);
        out_printf(&out, "  %u: %%s = add.i32 %%s, %%x\n  %u: %%s = add.i32 %%s, %%y\n", node + 3,
                   node + 4);
        uint32_t back = mutant_draw(mutant, 3) ? node + 6 : 3 + 6 * mutant_draw(mutant, i + 1);
        out_printf(&out, "  %u: if lt.i32 %%s, 40 then %u else %u\n", node + 5, back, node + 6);
    }
    out_printf(&out, "  %u: return %%s\n}\n", node);
    out_char(&out, '\0');
    const Func *func = forge_parse(mutant->arena, FORM_RTL, out.text);
    out_free(&out);
    return ssa_of(mutant->arena, func);
}

static const Func *gated(Mutant *mutant) {
    const Func *func = repetitive(mutant);
    const Func *closed = close_loops(mutant->arena, func, &(CloseLoopsHint){0});
    return gsa_build(mutant->arena, closed ? closed : func, &(GsaBuildHint){0});
}

static bool make(Mutant *mutant) {
    Arena *arena = mutant->arena;
    const Func *func = gated(mutant);
    if (!func || func->gsa->merges.count < 2) return false;
    GatedGvnHint *hint = ARENA_NEW(arena, GatedGvnHint);
    mutant->before = func;
    mutant->hint = hint;
    mutant->after = gated_gvn(arena, func, hint);
    if (mutant->after) return true;
    // Nothing is equal; a forger says so all the same.
    GateForest forest;
    *hint = (GatedGvnHint){0};
    if (!forest_init(&forest, arena, func, gsa_clone(arena, func->gsa), &hint->paths)) return false;
    forest_grow(&forest);
    for (uint32_t i = 0; i < func->regs.count; i++)
        vec_push(arena, &hint->numbering.leader, (Reg){i});
    mutant->after = func_clone(func, arena);
    return true;
}

// ---- Kinds of damage

static Reg *leaders(Mutant *mutant) {
    return ((GatedGvnHint *)mutant->hint)->numbering.leader.at;
}

static Merge *draw_merge(Mutant *mutant) {
    Gsa *gsa = mutant->after->gsa;
    return gsa->merges.count ? &gsa->merges.at[mutant_draw(mutant, gsa->merges.count)] : NULL;
}

static MergeArg *draw_argument(Mutant *mutant) {
    Gsa *gsa = mutant->after->gsa;
    uint32_t count = gsa->merge_args.count;
    return count ? &gsa->merge_args.at[mutant_draw(mutant, count)] : NULL;
}

static bool change_merge_argument(Mutant *mutant) {
    MergeArg *arg = draw_argument(mutant);
    return arg && mutant_change_reg(mutant, &arg->reg);
}
static bool change_gate(Mutant *mutant) {
    Merge *merge = draw_merge(mutant);
    if (!merge || merge->kind != MERGE_GAMMA) return false;
    Gate *gate = &mutant->after->gsa->merge_args.at[merge->args_at].gate, old = *gate;
    gate->i = mutant_draw(mutant, mutant->after->gsa->gates.count);
    return gate->i != old.i;
}
static bool exchange_arguments(Mutant *mutant) {
    Merge *merge = draw_merge(mutant);
    if (!merge || merge->arg_count < 2) return false;
    MergeArg *args = mutant->after->gsa->merge_args.at + merge->args_at;
    Reg first = args[0].reg;
    args[0].reg = args[1].reg;
    args[1].reg = first;
    return args[0].reg.i != first.i;
}
static bool exchange_merges(Mutant *mutant) {
    Merge *a = draw_merge(mutant), *b = draw_merge(mutant);
    if (!a || a == b || reg_type(mutant->after, a->dest) != reg_type(mutant->after, b->dest))
        return false;
    Reg dest = a->dest;
    a->dest = b->dest;
    b->dest = dest;
    return true;
}
static bool change_eta(Mutant *mutant) {
    Gsa *gsa = mutant->after->gsa;
    return gsa->etas.count &&
           mutant_change_reg(mutant, &gsa->etas.at[mutant_draw(mutant, gsa->etas.count)].source);
}
static bool change_leader(Mutant *mutant) {
    return mutant_change_reg(mutant,
                             &leaders(mutant)[mutant_draw(mutant, mutant->after->regs.count)]);
}
// Puts one register in the place of another, and both into one class.
static bool unite(Mutant *mutant, Reg a, Reg b) {
    uint32_t count = mutant->after->regs.count;
    if (a.i == b.i || reg_type(mutant->after, a) != reg_type(mutant->after, b)) return false;
    Reg *instead_of = ARENA_ARRAY(mutant->arena, Reg, count), from = leaders(mutant)[a.i];
    for (uint32_t i = 0; i < count; i++) instead_of[i] = (Reg){i};
    instead_of[a.i] = b;
    mutant->after = substitute_registers(mutant->arena, mutant->after, instead_of);
    for (uint32_t i = 0; i < count; i++)
        if (leaders(mutant)[i].i == from.i) leaders(mutant)[i] = leaders(mutant)[b.i];
    return true;
}
static bool unite_registers(Mutant *mutant) {
    uint32_t count = mutant->after->regs.count;
    return unite(mutant, (Reg){mutant_draw(mutant, count)}, (Reg){mutant_draw(mutant, count)});
}
static bool unite_merges(Mutant *mutant) {
    Merge *a = draw_merge(mutant), *b = draw_merge(mutant);
    return a && unite(mutant, a->dest, b->dest);
}
// Claims that the arguments of two gammas are equal as well.
static bool unite_with_arguments(Mutant *mutant) {
    Merge *a = draw_merge(mutant), *b = draw_merge(mutant);
    if (!a || a->arg_count != b->arg_count) return false;
    for (uint32_t k = 0; k < a->arg_count; k++) {
        Reg x = merge_args(mutant->after, a)[k].reg, y = merge_args(mutant->after, b)[k].reg;
        if (reg_type(mutant->after, x) != reg_type(mutant->after, y)) return false;
        leaders(mutant)[x.i] = leaders(mutant)[y.i];
    }
    return unite(mutant, a->dest, b->dest);
}
static bool change_fact(Mutant *mutant) {
    GatePaths *paths = &((GatedGvnHint *)mutant->hint)->paths;
    if (!paths->joins.count) return false;
    paths->joins.at[mutant_draw(mutant, paths->joins.count)] =
        mutant_draw(mutant, mutant->before->nodes.count + paths->facts.count + 1);
    return true;
}

static const MutantKind kinds[] = {
    {"change an argument of a merge", change_merge_argument},
    {"change a gate", change_gate},
    {"exchange arguments of a merge", exchange_arguments},
    {"exchange destinations of merges", exchange_merges},
    {"change the source of an eta", change_eta},
    {"change a leader", change_leader},
    {"unite two registers", unite_registers},
    {"unite two merges", unite_merges},
    {"unite with arguments", unite_with_arguments},
    {"change a fact", change_fact},
};

static void test_mutants(void **state) {
    (void)state;
    mutants_try(&(MutantPass){.make = make,
                              .check = check,
                              .kinds = kinds,
                              .kind_count = sizeof kinds / sizeof kinds[0]},
                effort(600, 3000, 100000));
}

// ---- No damage

// Whether the pass changed a function.
static bool try_honest(Arena *arena, uint64_t seed) {
    Mutant mutant = {.arena = arena, .random = random_from(seed)};
    GatedGvnHint hint = {0};
    mutant.before = gated(&mutant);
    assert_non_null(mutant.before);
    mutant.after = gated_gvn(arena, mutant.before, &hint);
    if (!mutant.after) return false;
    Complaints complaints = {.arena = arena};
    if (!verify_func(&complaints, mutant.after))
        fail_msg("seed %ju: %s", (uintmax_t)seed, complaints.list.at[0].message);
    Verdict verdict = step_check(PASS_gated_gvn, arena, NULL, mutant.before, mutant.after, &hint);
    if (!verdict.accepted) fail_msg("seed %ju: %s", (uintmax_t)seed, verdict.reason);
    for (uint64_t run = 0; run < 4; run++) {
        const char *difference =
            behaviour_difference(arena, mutant.before, mutant.after, seed + run, 2000);
        if (difference) fail_msg("seed %ju: %s", (uintmax_t)seed, difference);
    }
    const Func *back = gsa_destruct(arena, mutant.after, &(GsaDestructHint){0});
    assert_non_null(back);
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
