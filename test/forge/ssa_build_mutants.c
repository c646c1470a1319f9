// Random damage to SSA constructions and their hints. A mutant that is well-formed and that the
// checker accepts must behave as the original; how many were rejected is printed.
//
// Half of the mutants get a hint that fits them as a clever forger would make it: what is tracked
// is computed anew from the damaged function, so that the hint does not give them away.
#include "check/checkers.h"
#include "check/passes.h"
#include "pass/pass.h"
#include "test/gen/compare.h"
#include "test/gen/effort.h"
#include "test/gen/graphs.h"
#include "test/gen/random_func.h"
#include "text/text.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct {
    Arena *arena;
    Random random;
    const Func *before; // in normal form
    Func *after;
    SsaHint hint;
} Mutant;

static uint32_t draw(Mutant *mutant, uint32_t limit) {
    return (uint32_t)(random_next(&mutant->random) % limit);
}

static Instr *draw_instr(Mutant *mutant) {
    return &mutant->after->nodes.at[draw(mutant, mutant->after->nodes.count)];
}

static Phi *draw_phi(Mutant *mutant) {
    if (!mutant->after->phis.count) return NULL;
    return &mutant->after->phis.at[draw(mutant, mutant->after->phis.count)];
}

// Puts another register in the place of one: a version of the same old register, or, now and then,
// any of the type.
static bool change_reg(Mutant *mutant, Reg *reg) {
    const Func *after = mutant->after;
    Reg was = *reg;
    bool any = draw(mutant, 4) == 0;
    for (int tries = 0; tries < 50; tries++) {
        Reg other = {draw(mutant, after->regs.count)};
        bool same = mutant->hint.origin.at[other.i].i == mutant->hint.origin.at[was.i].i;
        if (other.i == was.i || !(same || (any && reg_type(after, other) == reg_type(after, was))))
            continue;
        *reg = other;
        return true;
    }
    return false;
}

// ---- Kinds of damage: each tries once and says whether it changed anything

static bool change_argument(Mutant *mutant) {
    Instr *instr = draw_instr(mutant);
    if (!instr->arg_count) return false;
    Reg *args =
        instr->arg_count <= INLINE_ARGS ? instr->arg : mutant->after->reg_pool.at + instr->args_at;
    return change_reg(mutant, &args[draw(mutant, instr->arg_count)]);
}
static bool change_phi_argument(Mutant *mutant) {
    if (!mutant->after->phi_args.count) return false;
    return change_reg(mutant,
                      &mutant->after->phi_args.at[draw(mutant, mutant->after->phi_args.count)]);
}
static bool exchange_phi_arguments(Mutant *mutant) {
    const Phi *phi = draw_phi(mutant);
    if (!phi) return false;
    Reg *args = mutant->after->phi_args.at + phi->args_at, first = args[0];
    args[0] = args[1];
    args[1] = first;
    return args[0].i != args[1].i;
}
static bool exchange_phi_destinations(Mutant *mutant) {
    Phi *phi = draw_phi(mutant), *other = draw_phi(mutant);
    if (!phi || phi->dest.i == other->dest.i ||
        reg_type(mutant->after, phi->dest) != reg_type(mutant->after, other->dest))
        return false;
    Reg first = phi->dest;
    phi->dest = other->dest;
    other->dest = first;
    return true;
}
// The arguments of two phis of one block change places.
static bool exchange_phis(Mutant *mutant) {
    Func *after = mutant->after;
    uint32_t n = draw(mutant, after->nodes.count), count = func_phi_count(after, (Node){n});
    if (count < 2) return false;
    uint32_t at = after->phi_at.at[n] + draw(mutant, count - 1);
    uint32_t arity = after->phis.at[at + 1].args_at - after->phis.at[at].args_at;
    Reg *first = after->phi_args.at + after->phis.at[at].args_at;
    if (reg_type(after, first[0]) != reg_type(after, first[arity])) return false;
    for (uint32_t k = 0; k < arity; k++) {
        Reg swapped = first[k];
        first[k] = first[k + arity];
        first[k + arity] = swapped;
    }
    return true;
}
static void replace_uses(Func *func, Reg from, Reg to) {
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        Instr *instr = &func->nodes.at[n];
        Reg *args =
            instr->arg_count <= INLINE_ARGS ? instr->arg : func->reg_pool.at + instr->args_at;
        for (uint32_t k = 0; k < instr->arg_count; k++)
            if (args[k].i == from.i) args[k] = to;
    }
    for (uint32_t i = 0; i < func->phi_args.count; i++)
        if (func->phi_args.at[i].i == from.i) func->phi_args.at[i] = to;
}
// A phi goes; its uses take one of its arguments instead, or another version.
static bool drop_phi(Mutant *mutant) {
    const Phi *gone = draw_phi(mutant);
    if (!gone) return false;
    Func *after = func_clone(mutant->after, mutant->arena);
    uint32_t index = (uint32_t)(gone - mutant->after->phis.at);
    Preds preds = preds_of(mutant->arena, after);
    vec_clear(&after->phis);
    vec_clear(&after->phi_at);
    vec_clear(&after->phi_args);
    for (uint32_t n = 0; n < after->nodes.count; n++)
        for (uint32_t i = 0; i < func_phi_count(mutant->after, (Node){n}); i++) {
            const Phi *phi = &func_phis(mutant->after, (Node){n})[i];
            if (phi - mutant->after->phis.at == index) continue;
            func_add_phi(after, (Node){n}, phi->dest, phi_args(mutant->after, phi),
                         preds_count(&preds, (Node){n}));
        }
    func_end_phis(after);
    Reg other = phi_args(mutant->after, gone)[draw(mutant, 2)];
    if (draw(mutant, 2) == 0) change_reg(mutant, &other);
    replace_uses(after, gone->dest, other);
    mutant->after = after;
    return true;
}
static bool merge_registers(Mutant *mutant) {
    Reg from = {draw(mutant, mutant->after->regs.count)}, to = from;
    if (!change_reg(mutant, &to)) return false;
    replace_uses(mutant->after, from, to);
    return true;
}
static bool change_destination(Mutant *mutant) {
    Instr *instr = draw_instr(mutant), *other = draw_instr(mutant);
    if (instr->dest.i == NO_ID || other->dest.i == NO_ID || instr == other ||
        reg_type(mutant->after, instr->dest) != reg_type(mutant->after, other->dest))
        return false;
    Reg first = instr->dest;
    instr->dest = other->dest;
    other->dest = first;
    return true;
}
static bool change_immediate(Mutant *mutant) {
    Instr *instr = draw_instr(mutant);
    bool constant = instr->kind == I_OP && (instr->op == OP_CONST_I32 || instr->op == OP_CONST_I64);
    if (!instr->immediate && !constant) return false;
    instr->imm = (int32_t)(instr->imm + 1);
    return true;
}
static bool swap_branch(Mutant *mutant) {
    Instr *instr = draw_instr(mutant);
    if (instr->kind != I_COND || instr->succ[0].i == instr->succ[1].i) return false;
    Node first = instr->succ[0];
    instr->succ[0] = instr->succ[1];
    instr->succ[1] = first;
    return true;
}
static bool erase_instruction(Mutant *mutant) {
    Instr *instr = draw_instr(mutant);
    if (instr->succ_count != 1 || instr->kind == I_NOP) return false;
    if (instr->dest.i != NO_ID) {
        Reg other = instr->dest;
        if (!change_reg(mutant, &other)) return false;
        replace_uses(mutant->after, instr->dest, other);
    }
    *instr = (Instr){.kind = I_NOP, .dest = NO_REG, .succ_count = 1, .succ = {instr->succ[0]}};
    return true;
}
static bool exchange_parameters(Mutant *mutant) {
    Reg *params = mutant->after->params.at, first = params[0];
    params[0] = params[1];
    params[1] = first;
    return true;
}
static bool change_origin(Mutant *mutant) {
    uint32_t reg = draw(mutant, mutant->hint.origin.count);
    Reg was = mutant->hint.origin.at[reg];
    mutant->hint.origin.at[reg].i = draw(mutant, mutant->before->regs.count);
    return mutant->hint.origin.at[reg].i != was.i;
}
static bool change_tracked(Mutant *mutant) {
    if (!mutant->hint.tracked.count) return false;
    uint32_t at = draw(mutant, mutant->hint.tracked.count);
    Reg was = mutant->hint.tracked.at[at];
    mutant->hint.tracked.at[at].i = draw(mutant, mutant->before->regs.count);
    return mutant->hint.tracked.at[at].i != was.i;
}
static bool drop_tracked(Mutant *mutant) {
    SsaHint *hint = &mutant->hint;
    if (!hint->tracked.count) return false;
    uint32_t at = draw(mutant, hint->tracked.count);
    for (uint32_t i = at; i + 1 < hint->tracked.count; i++)
        hint->tracked.at[i] = hint->tracked.at[i + 1];
    hint->tracked.count--;
    for (uint32_t j = 0; j < hint->tracked_at.count; j++)
        if (hint->tracked_at.at[j] > at) hint->tracked_at.at[j]--;
    return true;
}

static const struct {
    const char *name;
    bool (*damage)(Mutant *mutant);
} kinds[] = {
    {"change an argument", change_argument},
    {"change a phi's argument", change_phi_argument},
    {"exchange two phi arguments", exchange_phi_arguments},
    {"exchange phi destinations", exchange_phi_destinations},
    {"exchange two phis", exchange_phis},
    {"drop a phi", drop_phi},
    {"use one version for another", merge_registers},
    {"exchange destinations", change_destination},
    {"change an immediate", change_immediate},
    {"swap a branch", swap_branch},
    {"erase an instruction", erase_instruction},
    {"exchange the parameters", exchange_parameters},
    {"change a register's origin", change_origin},
    {"change what is tracked", change_tracked},
    {"track less", drop_tracked},
};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

// What is tracked by a hint that knows no bounds: at each join all registers of the construction
// that puts phis everywhere it can. The damaged function stays.
static void widen_hint(Mutant *mutant) {
    SsaHint wide = {0};
    ssa_build_semi_pruned(mutant->arena, mutant->before, &wide);
    mutant->hint.tracked.at = wide.tracked.at;
    mutant->hint.tracked.count = wide.tracked.count;
    mutant->hint.tracked_at.at = wide.tracked_at.at;
    mutant->hint.tracked_at.count = wide.tracked_at.count;
}

typedef struct {
    uint32_t made, malformed, rejected, different;
} Score;

static void try_mutant(Arena *arena, const Func *func, uint64_t seed, Score *score) {
    Mutant mutant = {.arena = arena, .random = random_from(seed)};
    CopiesHint norm_hint = {0};
    mutant.before = normalize(arena, func, &norm_hint);
    if (!mutant.before->nodes.count) return;
    bool semi = random_next(&mutant.random) % 4 == 0;
    mutant.after = (semi ? ssa_build_semi_pruned : ssa_build)(arena, mutant.before, &mutant.hint);
    int tries = 100;
    while (!kinds[seed % KIND_COUNT].damage(&mutant))
        if (--tries == 0) return;
    if (random_next(&mutant.random) & 1) widen_hint(&mutant);
    Complaints complaints = {.arena = arena};
    score->made++;
    if (!verify_func(&complaints, mutant.after)) { // the verifier stands before the checker
        pass_check(PASS_ssa_build, arena, NULL, mutant.before, mutant.after, &mutant.hint);
        score->malformed++;
        return;
    }
    Verdict verdict =
        pass_check(PASS_ssa_build, arena, NULL, mutant.before, mutant.after, &mutant.hint);
    const char *difference = NULL;
    for (uint64_t run = 0; run < 4 && !difference; run++)
        difference = behaviour_difference(arena, mutant.before, mutant.after, seed + run, 2000);
    score->rejected += !verdict.accepted;
    score->different += difference != NULL;
    if (!verdict.accepted || !difference) return;
    Out text = {0};
    func_print(&text, mutant.before, &(PrintOptions){0});
    func_print(&text, mutant.after, &(PrintOptions){0});
    out_char(&text, '\0');
    fail_msg("seed %llu: accepted, but %s\n%s", (unsigned long long)seed, difference, text.text);
}

// A function to damage: a graph of a few nodes, all branches, or a random function of some hundred.
static const Func *original(Arena *arena, uint64_t seed) {
    Program *program = program_new(arena);
    Random random = random_from(seed);
    if (random_next(&random) % 2) {
        RandomOptions options = random_options(200, random_next(&random));
        options.variables = 2 + (uint32_t)(seed % 5);
        return random_func(arena, program, options, seed);
    }
    uint32_t nodes = 2 + (uint32_t)(random_next(&random) % 9);
    uint8_t succs[16][2], counts[16];
    for (uint32_t i = 0; i < nodes; i++) {
        counts[i] = (uint8_t)(random_next(&random) % 10 < 8 ? 1 + random_next(&random) % 2 : 0);
        for (uint32_t k = 0; k < 2; k++) succs[i][k] = (uint8_t)(random_next(&random) % nodes);
    }
    return func_of_graph(arena, program, nodes, (const uint8_t(*)[2])succs, counts, seed);
}

static void test_mutants(void **state) {
    (void)state;
    uint64_t count = effort(500, 3000, 300000);
    Arena *arena = arena_new("mutant");
    Score scores[KIND_COUNT] = {0}, total = {0};
    for (uint64_t seed = 1; seed <= count; seed++) {
        try_mutant(arena, original(arena, seed), seed, &scores[seed % KIND_COUNT]);
        arena_reset(arena);
    }
    for (uint32_t i = 0; i < KIND_COUNT; i++) {
        const Score *score = &scores[i];
        print_message("%-28s %6u mutants, %6u malformed, %6u rejected, %6u behave differently\n",
                      kinds[i].name, score->made, score->malformed, score->rejected,
                      score->different);
        total.made += score->made;
        total.malformed += score->malformed;
        total.rejected += score->rejected;
        total.different += score->different;
    }
    print_message("%-28s %6u mutants, %6u malformed, %6u rejected, %6u behave differently, all of "
                  "those rejected\n",
                  "mutation score", total.made, total.malformed, total.rejected, total.different);
    assert_true(total.different > total.made / 20);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mutants)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
