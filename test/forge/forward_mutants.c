// Random damage to forwardings and their hints. A mutant that is well-formed and that the checker
// accepts must behave as the original; how many were rejected is printed.
//
// The most dangerous mutants come from the pass itself: it is given the function without one of its
// writes or calls, or with a write to another place, so that output and hint fit each other, and
// what was taken away is put back afterwards.
#include "check/checkers.h"
#include "check/passes.h"
#include "fact/places.h"
#include "pass/pass.h"
#include "pass/values/values_hint.h"
#include "test/gen/compare.h"
#include "test/gen/effort.h"
#include "test/gen/graphs.h"
#include "test/gen/in_memory.h"
#include "test/gen/random_func.h"
#include "text/text.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct {
    Arena *arena;
    Random random;
    const Func *before;
    Func *after;
    ForwardHint hint;
} Mutant;

static uint32_t draw(Mutant *mutant, uint32_t limit) {
    return random_below(&mutant->random, limit);
}

static uint32_t draw_node(Mutant *mutant) {
    return draw(mutant, mutant->after->nodes.count);
}

static Reg draw_reg(Mutant *mutant, Type type) {
    Reg reg;
    do reg.i = draw(mutant, mutant->after->regs.count);
    while (reg_type(mutant->after, reg) != type);
    return reg;
}

// Whether the pass has made this instruction from a load.
static bool is_forwarded(const Mutant *mutant, uint32_t node) {
    return mutant->before->nodes.at[node].kind == I_LOAD &&
           mutant->after->nodes.at[node].kind == I_OP;
}

// ---- Kinds of damage: each tries once and says whether it changed anything

static bool replace_load(Mutant *mutant) {
    static const Op ops[] = {OP_MOVE_I32, OP_SEXT8_I32, OP_ZEXT8_I32, OP_SEXT16_I32, OP_ZEXT16_I32};
    Instr *load = &mutant->after->nodes.at[draw_node(mutant)];
    if (load->kind != I_LOAD) return false;
    Type type = reg_type(mutant->after, load->dest);
    Op op = type == TYPE_I32 ? ops[draw(mutant, 5)] : op_move(type);
    *load = (Instr){.kind = I_OP,
                    .op = (uint16_t)op,
                    .dest = load->dest,
                    .arg_count = 1,
                    .arg = {draw_reg(mutant, type)},
                    .succ_count = 1,
                    .succ = {load->succ[0]}};
    return true;
}
static bool change_source(Mutant *mutant) {
    uint32_t node = draw_node(mutant);
    if (!is_forwarded(mutant, node)) return false;
    Reg *reg = &mutant->after->nodes.at[node].arg[0], old = *reg;
    *reg = draw_reg(mutant, reg_type(mutant->after, old));
    return reg->i != old.i;
}
static bool change_extension(Mutant *mutant) {
    static const Op ops[] = {OP_MOVE_I32, OP_SEXT8_I32, OP_ZEXT8_I32, OP_SEXT16_I32, OP_ZEXT16_I32};
    uint32_t node = draw_node(mutant);
    Instr *instr = &mutant->after->nodes.at[node];
    if (!is_forwarded(mutant, node) || reg_type(mutant->after, instr->dest) != TYPE_I32)
        return false;
    uint16_t old = instr->op;
    instr->op = (uint16_t)ops[draw(mutant, 5)];
    return instr->op != old;
}
static bool erase_instruction(Mutant *mutant) {
    Instr *instr = &mutant->after->nodes.at[draw_node(mutant)];
    if (instr->kind != I_STORE && (instr->kind != I_CALL || instr->dest.i != NO_ID)) return false;
    *instr = (Instr){.kind = I_NOP, .dest = NO_REG, .succ_count = 1, .succ = {instr->succ[0]}};
    return true;
}
static bool change_displacement(Mutant *mutant) {
    Instr *instr = &mutant->after->nodes.at[draw_node(mutant)];
    if (instr->kind != I_STORE && instr->kind != I_LOAD) return false;
    instr->imm += 8;
    return true;
}
static bool change_argument(Mutant *mutant) {
    Instr *instr = &mutant->after->nodes.at[draw_node(mutant)];
    if (!instr->arg_count || instr->arg_count > INLINE_ARGS) return false;
    Reg *reg = &instr->arg[draw(mutant, instr->arg_count)], old = *reg;
    *reg = draw_reg(mutant, reg_type(mutant->after, old));
    return reg->i != old.i;
}
static bool change_phi_argument(Mutant *mutant) {
    Func *after = mutant->after;
    if (!after->phi_args.count) return false;
    Reg *reg = &after->phi_args.at[draw(mutant, after->phi_args.count)], old = *reg;
    *reg = draw_reg(mutant, reg_type(after, old));
    return reg->i != old.i;
}
static ForwardFact *draw_fact(Mutant *mutant) {
    uint32_t count = mutant->hint.facts.count;
    return count ? &mutant->hint.facts.at[draw(mutant, count)] : NULL;
}
static bool change_fact_register(Mutant *mutant) {
    ForwardFact *fact = draw_fact(mutant);
    if (!fact) return false;
    Reg old = fact->reg;
    fact->reg = draw_reg(mutant, reg_type(mutant->after, old));
    return fact->reg.i != old.i;
}
static bool change_fact_place(Mutant *mutant) {
    ForwardFact *fact = draw_fact(mutant), *other = draw_fact(mutant);
    if (!fact || fact->place == other->place) return false;
    fact->place = other->place;
    return true;
}

// The pass runs on a function that differs in one node, which is put back.
static bool mislead(Mutant *mutant, uint32_t node, Instr lie) {
    Func *func = func_clone(mutant->before, mutant->arena);
    func->nodes.at[node] = lie;
    mutant->hint = (ForwardHint){0};
    Func *after = forward(mutant->arena, func, &mutant->hint);
    if (!after) return false;
    after->nodes.at[node] = mutant->before->nodes.at[node];
    mutant->after = after;
    return true;
}
static bool hide_write(Mutant *mutant) {
    uint32_t node = draw_node(mutant);
    Instr instr = mutant->before->nodes.at[node];
    bool writes = instr.kind == I_STORE || instr.kind == I_BUILTIN;
    if (!writes || instr.dest.i != NO_ID || instr.succ_count != 1) return false;
    return mislead(
        mutant, node,
        (Instr){.kind = I_NOP, .dest = NO_REG, .succ_count = 1, .succ = {instr.succ[0]}});
}
static bool misplace_write(Mutant *mutant) {
    uint32_t node = draw_node(mutant);
    Instr instr = mutant->before->nodes.at[node];
    if (instr.kind != I_STORE) return false;
    instr.imm += 1024;
    return mislead(mutant, node, instr);
}
static bool misread_write(Mutant *mutant) {
    uint32_t node = draw_node(mutant);
    Instr instr = mutant->before->nodes.at[node];
    if (instr.kind != I_STORE) return false;
    Reg *value = &instr.arg[instr.arg_count - 1], old = *value;
    *value = draw_reg(mutant, reg_type(mutant->before, old));
    return value->i != old.i && mislead(mutant, node, instr);
}
// A pointer is taken for the address of another slot than that whose address it holds.
static bool misread_pointer(Mutant *mutant) {
    uint32_t node = draw_node(mutant);
    Instr instr = mutant->before->nodes.at[node];
    if (instr.kind != I_OP || instr.op != OP_ADDR_SLOT) return false;
    uint32_t old = instr.ref;
    instr.ref = draw(mutant, mutant->before->slots.count);
    return instr.ref != old && mislead(mutant, node, instr);
}

static const struct {
    const char *name;
    bool (*damage)(Mutant *mutant);
} kinds[] = {
    {"replace a load", replace_load},
    {"change what is forwarded", change_source},
    {"change an extension", change_extension},
    {"erase an instruction", erase_instruction},
    {"change a displacement", change_displacement},
    {"change an argument", change_argument},
    {"change a phi argument", change_phi_argument},
    {"change a fact's register", change_fact_register},
    {"change a fact's place", change_fact_place},
    {"hide a write from the pass", hide_write},
    {"misplace a write", misplace_write},
    {"misread a write", misread_write},
    {"misread a pointer", misread_pointer},
};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

typedef struct {
    uint32_t made, rejected, different;
} Score;

static bool damage(Mutant *mutant, uint64_t kind) {
    for (int tries = 0; tries < 100; tries++)
        if (kinds[kind].damage(mutant)) return true;
    return false;
}

static void try_mutant(Arena *arena, const Func *before, uint64_t seed, Score *score) {
    Mutant mutant = {.arena = arena, .random = random_from(seed), .before = before};
    Complaints complaints = {.arena = arena};
    for (int tries = 0;; tries++) { // the verifier stands before the checker
        if (tries == 30) return;
        mutant.hint = (ForwardHint){0};
        mutant.after = forward(arena, before, &mutant.hint);
        if (!mutant.after) return;
        if (damage(&mutant, seed % KIND_COUNT) && verify_func(&complaints, mutant.after)) break;
    }
    Verdict verdict = pass_check(PASS_forward, arena, NULL, before, mutant.after,
                                 explain_ForwardHint(arena, before, mutant.after, &mutant.hint));
    const char *difference = NULL;
    for (uint64_t run = 0; run < 4 && !difference; run++)
        difference = behaviour_difference(arena, before, mutant.after, seed + run, 4000);
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

// A function to damage: a graph of a few nodes with its variables in memory, or a random function
// with or without.
static const Func *original(Arena *arena, uint64_t seed) {
    Program *program = program_new(arena);
    Random random = random_from(seed);
    const Func *func;
    bool small = random_chance(&random, 1, 2);
    if (small) {
        uint32_t nodes = 2 + random_below(&random, 9);
        uint8_t succs[16][2], counts[16];
        for (uint32_t i = 0; i < nodes; i++) {
            counts[i] = (uint8_t)(random_chance(&random, 9, 10) ? 1 + random_below(&random, 2) : 0);
            for (uint32_t k = 0; k < 2; k++) succs[i][k] = (uint8_t)random_below(&random, nodes);
        }
        func = func_of_graph(arena, program, nodes, (const uint8_t(*)[2])succs, counts, seed);
    } else {
        func = random_func(arena, program, random_options(200, random_next(&random)), seed);
    }
    if (small || random_chance(&random, 1, 2)) func = func_in_memory(arena, func, seed);
    CopiesHint norm_hint = {0};
    SsaHint ssa_hint = {0};
    Numbering numbering = {0};
    const Func *ssa = ssa_build(arena, normalize(arena, func, &norm_hint), &ssa_hint);
    const Func *numbered = gvn(arena, ssa, &numbering);
    return numbered ? numbered : ssa;
}

static void test_mutants(void **state) {
    (void)state;
    uint64_t count = effort(500, 2000, 400000);
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
    assert_true(total.different > total.made / 10);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mutants)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
