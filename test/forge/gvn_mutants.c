// Random damage to value numberings and what was made of them. A mutant that the checker accepts
// must behave as the original; how many were rejected is printed.
//
// Functions have twins (test/gen/twins.h), so that classes are large. Some mutants are those of a
// clever forger, who claims that two registers are equal and replaces one by the other everywhere.
#include "check/checkers.h"
#include "check/passes.h"
#include "pass/pass.h"
#include "pass/substitute.h"
#include "pass/values/values_hint.h"
#include "test/gen/compare.h"
#include "test/gen/effort.h"
#include "test/gen/graphs.h"
#include "test/gen/random_func.h"
#include "test/gen/twins.h"
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
    const Func *before;
    Func *after;
    Numbering hint;
} Mutant;

static uint32_t draw(Mutant *mutant, uint32_t limit) {
    return random_below(&mutant->random, limit);
}

static Reg draw_reg(Mutant *mutant, Type type) {
    Reg reg;
    do reg.i = draw(mutant, mutant->after->regs.count);
    while (reg_type(mutant->after, reg) != type);
    return reg;
}

static Instr *draw_instr(Mutant *mutant) {
    return &mutant->after->nodes.at[draw(mutant, mutant->after->nodes.count)];
}

static bool change_reg(Mutant *mutant, Reg *reg) {
    Reg old = *reg;
    *reg = draw_reg(mutant, reg_type(mutant->after, old));
    return reg->i != old.i;
}

static Reg leader_of(const Mutant *mutant, Reg reg) {
    return mutant->hint.leader.at[reg.i];
}

// ---- Kinds of damage: each tries once and says whether it changed anything

static bool change_argument(Mutant *mutant) {
    Instr *instr = draw_instr(mutant);
    if (!instr->arg_count || instr->arg_count > INLINE_ARGS) return false;
    return change_reg(mutant, &instr->arg[draw(mutant, instr->arg_count)]);
}
static bool change_phi_argument(Mutant *mutant) {
    Func *after = mutant->after;
    return after->phi_args.count &&
           change_reg(mutant, &after->phi_args.at[draw(mutant, after->phi_args.count)]);
}
static bool swap_arguments(Mutant *mutant) {
    Instr *instr = draw_instr(mutant);
    if (instr->arg_count != 2 ||
        reg_type(mutant->after, instr->arg[0]) != reg_type(mutant->after, instr->arg[1]))
        return false;
    Reg first = instr->arg[0];
    instr->arg[0] = instr->arg[1];
    instr->arg[1] = first;
    return instr->arg[0].i != first.i;
}
static bool swap_phi_arguments(Mutant *mutant) {
    Func *after = mutant->after;
    if (!after->phi_args.count) return false;
    uint32_t at = draw(mutant, after->phi_args.count - 1);
    Reg *args = after->phi_args.at, first = args[at];
    if (reg_type(after, first) != reg_type(after, args[at + 1])) return false;
    args[at] = args[at + 1];
    args[at + 1] = first;
    return args[at].i != first.i;
}
static bool erase_instruction(Mutant *mutant) {
    Instr *instr = draw_instr(mutant);
    if (instr->succ_count != 1 || instr->kind == I_NOP) return false;
    *instr = (Instr){.kind = I_NOP, .dest = NO_REG, .succ_count = 1, .succ = {instr->succ[0]}};
    return true;
}
static bool change_immediate(Mutant *mutant) {
    Instr *instr = draw_instr(mutant);
    if (!instr->immediate) return false;
    instr->imm = (int32_t)(instr->imm + 1);
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
static bool change_leader(Mutant *mutant) {
    Reg *leader = mutant->hint.leader.at;
    return change_reg(mutant, &leader[draw(mutant, mutant->hint.leader.count)]);
}
// Another member leads its class.
static bool depose_leader(Mutant *mutant) {
    Reg reg = {draw(mutant, mutant->hint.leader.count)}, old = leader_of(mutant, reg);
    for (uint32_t i = 0; i < mutant->hint.leader.count; i++)
        if (mutant->hint.leader.at[i].i == old.i) mutant->hint.leader.at[i] = reg;
    return reg.i != old.i;
}
static void unite(Mutant *mutant, Reg a, Reg b) {
    Reg from = leader_of(mutant, a), to = leader_of(mutant, b);
    for (uint32_t i = 0; i < mutant->hint.leader.count; i++)
        if (mutant->hint.leader.at[i].i == from.i) mutant->hint.leader.at[i] = to;
}
static bool merge_classes(Mutant *mutant) {
    Reg a = {draw(mutant, mutant->hint.leader.count)};
    Reg b = draw_reg(mutant, reg_type(mutant->after, a));
    bool differ = leader_of(mutant, a).i != leader_of(mutant, b).i;
    unite(mutant, a, b);
    return differ;
}
// One register takes the place of another everywhere.
static void replace(Mutant *mutant, Reg a, Reg b) {
    uint32_t count = mutant->after->regs.count;
    Reg *instead_of = ARENA_ARRAY(mutant->arena, Reg, count);
    for (uint32_t i = 0; i < count; i++) instead_of[i] = (Reg){i};
    instead_of[a.i] = b;
    mutant->after = substitute_registers(mutant->arena, mutant->after, instead_of);
}
static bool replace_and_claim(Mutant *mutant) {
    Reg a = {draw(mutant, mutant->after->regs.count)};
    Reg b = draw_reg(mutant, reg_type(mutant->after, a));
    if (a.i == b.i) return false;
    replace(mutant, a, b);
    mutant->hint.leader.at[a.i] = leader_of(mutant, b);
    return true;
}
static bool replace_and_merge(Mutant *mutant) {
    Reg a = {draw(mutant, mutant->after->regs.count)};
    Reg b = draw_reg(mutant, reg_type(mutant->after, a));
    if (a.i == b.i) return false;
    replace(mutant, a, b);
    unite(mutant, a, b);
    return true;
}
// The arguments of the phis of a join that come from one predecessor change places with those from
// the next.
static bool swap_predecessors(Mutant *mutant) {
    Func *after = mutant->after;
    if (!after->phis.count) return false;
    Node join = {0};
    uint32_t phi = draw(mutant, after->phis.count);
    while (after->phi_at.at[join.i + 1] <= phi) join.i++;
    for (uint32_t i = after->phi_at.at[join.i]; i < after->phi_at.at[join.i + 1]; i++) {
        Reg *args = after->phi_args.at + after->phis.at[i].args_at, first = args[0];
        args[0] = args[1];
        args[1] = first;
    }
    return true;
}

static const struct {
    const char *name;
    bool (*damage)(Mutant *mutant);
} kinds[] = {
    {"change an argument", change_argument},
    {"change a phi's argument", change_phi_argument},
    {"swap arguments", swap_arguments},
    {"swap arguments of phis", swap_phi_arguments},
    {"erase an instruction", erase_instruction},
    {"change an immediate", change_immediate},
    {"exchange destinations", change_destination},
    {"change a leader", change_leader},
    {"depose a leader", depose_leader},
    {"merge two classes", merge_classes},
    {"replace a register", replace_and_claim},
    {"replace, merging classes", replace_and_merge},
    {"swap predecessors", swap_predecessors},
};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

typedef struct {
    uint32_t made, rejected, different;
} Score;

// Damages until the result is well-formed: the verifier stands before the checker.
static bool damage(Mutant *mutant, uint32_t kind) {
    const Func *after = mutant->after;
    Numbering hint = mutant->hint;
    for (int tries = 0; tries < 100; tries++) {
        mutant->after = func_clone(after, mutant->arena);
        mutant->hint = (Numbering){0};
        Reg *leader = vec_extend(mutant->arena, &mutant->hint.leader, hint.leader.count);
        memcpy(leader, hint.leader.at, hint.leader.count * sizeof(Reg));
        Complaints complaints = {.arena = mutant->arena};
        if (kinds[kind].damage(mutant) && verify_func(&complaints, mutant->after)) return true;
    }
    return false;
}

static void try_mutant(Arena *arena, const Func *before, uint64_t seed, Score *score) {
    static Func *(*const passes[])(Arena *, const Func *, Numbering *) = {copy_prop, lvn, gvn, gvn};
    Mutant mutant = {.arena = arena, .random = random_from(seed), .before = before};
    mutant.after = passes[draw(&mutant, 4)](arena, before, &mutant.hint);
    if (!mutant.after || !damage(&mutant, (uint32_t)(seed % KIND_COUNT))) return;
    Verdict verdict = pass_check(PASS_gvn, arena, NULL, before, mutant.after,
                                 explain_Numbering(arena, before, mutant.after, &mutant.hint));
    const char *difference = NULL;
    for (uint64_t run = 0; run < 4 && !difference; run++)
        difference = behaviour_difference(arena, before, mutant.after, seed + run, 2000);
    score->made++;
    score->rejected += !verdict.accepted;
    score->different += difference != NULL;
    if (!verdict.accepted || !difference) return;
    Out text = {0};
    func_print(&text, before, &(PrintOptions){0});
    func_print(&text, mutant.after, &(PrintOptions){0});
    out_char(&text, '\0');
    fail_msg("seed %llu: accepted, but %s\n%s", (unsigned long long)seed, difference, text.text);
}

// A function to damage: a graph of a few nodes or a random function, with twins.
static const Func *original(Arena *arena, uint64_t seed) {
    Program *program = program_new(arena);
    Random random = random_from(seed);
    const Func *func;
    if (random_chance(&random, 1, 2)) {
        func = random_func(arena, program, random_options(200, random_next(&random)), seed);
    } else {
        uint32_t nodes = random_range(&random, 2, 10);
        uint8_t succs[16][2], counts[16];
        for (uint32_t i = 0; i < nodes; i++) {
            counts[i] = (uint8_t)(random_chance(&random, 9, 10) ? random_range(&random, 1, 2) : 0);
            for (uint32_t k = 0; k < 2; k++) succs[i][k] = (uint8_t)random_below(&random, nodes);
        }
        func = func_of_graph(arena, program, nodes, (const uint8_t(*)[2])succs, counts, seed);
    }
    return ssa_of(arena, twin_func(arena, func, 50, seed));
}

static void test_mutants(void **state) {
    (void)state;
    uint64_t count = effort(300, 2000, 200000);
    Arena *arena = arena_new("mutant");
    Score scores[KIND_COUNT] = {0}, total = {0};
    for (uint64_t seed = 1; seed <= count; seed++) {
        try_mutant(arena, original(arena, seed), seed, &scores[seed % KIND_COUNT]);
        arena_reset(arena);
    }
    for (uint32_t i = 0; i < KIND_COUNT; i++) {
        print_message("%-28s %6u mutants, %6u rejected, %6u behave differently\n", kinds[i].name,
                      scores[i].made, scores[i].rejected, scores[i].different);
        assert_true(scores[i].made > 0);
        total.made += scores[i].made;
        total.rejected += scores[i].rejected;
        total.different += scores[i].different;
    }
    print_message(
        "%-28s %6u mutants, %6u rejected, %6u behave differently, all of those rejected\n",
        "mutation score", total.made, total.rejected, total.different);
    assert_true(total.different > total.made / 20);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mutants)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
