// Random damage to functions out of SSA and their hints. A mutant that the checker accepts must
// behave as the original; how many were rejected is printed.
//
// The originals are scrambled, so that registers interfere and phi-blocks need copies in the right
// order. A clever forger makes claims agree with the damage, or makes none: registers are merged in
// claims as well, and an eighth of the mutants have no claims at joins at all.
#include "check/checkers.h"
#include "check/passes.h"
#include "pass/pass.h"
#include "test/gen/compare.h"
#include "test/gen/effort.h"
#include "test/gen/random_func.h"
#include "test/gen/scramble.h"
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
    DestructHint hint;
} Mutant;

static uint32_t draw(Mutant *m, uint32_t limit) {
    return random_below(&m->random, limit);
}

static Instr *draw_instr(Mutant *m) {
    return &m->after->nodes.at[draw(m, m->after->nodes.count)];
}

static bool is_move(const Instr *instr) {
    return instr->kind == I_OP && op_is_move((Op)instr->op);
}

static Instr *draw_move(Mutant *m) {
    for (int i = 0; i < 200; i++) {
        Instr *instr = draw_instr(m);
        if (is_move(instr)) return instr;
    }
    return NULL;
}

static bool change_reg(Mutant *m, Reg *reg) {
    Reg old = *reg;
    do reg->i = draw(m, m->after->regs.count);
    while (reg_type(m->after, *reg) != reg_type(m->after, old));
    return reg->i != old.i;
}

static Reg *args_of(Mutant *m, Instr *instr) {
    return instr->arg_count <= INLINE_ARGS ? instr->arg : m->after->reg_pool.at + instr->args_at;
}

// ---- Kinds of damage: each tries once and says whether it changed anything

static bool change_source(Mutant *m) {
    Instr *move = draw_move(m);
    return move && change_reg(m, &move->arg[0]);
}
static bool change_target(Mutant *m) {
    Instr *move = draw_move(m);
    return move && change_reg(m, &move->dest);
}
static bool drop_copy(Mutant *m) {
    Instr *move = draw_move(m);
    if (!move) return false;
    *move = (Instr){.kind = I_NOP, .dest = NO_REG, .succ_count = 1, .succ = {move->succ[0]}};
    return true;
}
static bool swap_copies(Mutant *m) {
    Instr *first = draw_move(m);
    if (!first) return false;
    Instr *second = &m->after->nodes.at[first->succ[0].i];
    if (!is_move(second) || first == second) return false;
    Instr old = *first;
    *first = *second;
    first->succ[0] = old.succ[0];
    old.succ[0] = second->succ[0];
    *second = old;
    return true;
}
static bool turn_copy(Mutant *m) {
    Instr *move = draw_move(m);
    if (!move) return false;
    Reg dest = move->dest;
    move->dest = move->arg[0];
    move->arg[0] = dest;
    return true;
}
static bool change_use(Mutant *m) {
    Instr *instr = draw_instr(m);
    return instr->arg_count && change_reg(m, &args_of(m, instr)[draw(m, instr->arg_count)]);
}
static bool change_destination(Mutant *m) {
    Instr *instr = draw_instr(m);
    return instr->dest.i != NO_ID && change_reg(m, &instr->dest);
}
// Two registers become one, in claims as well.
static bool merge_registers(Mutant *m) {
    Reg from = {draw(m, m->after->regs.count)}, to = from;
    if (!change_reg(m, &to)) return false;
    for (uint32_t i = 0; i < m->after->params.count; i++)
        if (m->after->params.at[i].i == from.i) return false;
    for (uint32_t n = 0; n < m->after->nodes.count; n++) {
        Instr *instr = &m->after->nodes.at[n];
        for (uint32_t i = 0; i < instr->arg_count; i++)
            if (args_of(m, instr)[i].i == from.i) args_of(m, instr)[i] = to;
        if (instr->dest.i == from.i) instr->dest = to;
    }
    for (uint32_t i = 0; i < m->hint.pairs.count; i++)
        if (m->hint.pairs.at[i].home.i == from.i) m->hint.pairs.at[i].home = to;
    return true;
}
static bool swap_branch(Mutant *m) {
    Instr *instr = draw_instr(m);
    if (instr->kind != I_COND) return false;
    Node first = instr->succ[0];
    instr->succ[0] = instr->succ[1];
    instr->succ[1] = first;
    return true;
}
static bool retarget_edge(Mutant *m) {
    uint32_t node = draw(m, m->after->nodes.count), count = m->after->nodes.at[node].succ_count;
    if (!count) return false;
    func_set_succ(m->after, (Node){node}, draw(m, count), (Node){draw(m, m->after->nodes.count)});
    return true;
}
static bool change_immediate(Mutant *m) {
    Instr *instr = draw_instr(m);
    if (!instr->immediate) return false;
    instr->imm = (int32_t)(instr->imm + 1);
    return true;
}
// A copy is passed by, and the hint agrees.
static bool skip_copy(Mutant *m) {
    uint32_t n = draw(m, m->before->nodes.count);
    DestructNode *plan = &m->hint.nodes.at[n];
    if (m->before->nodes.at[n].kind != I_NOP || plan->count < 2) return false;
    Instr *first = &m->after->nodes.at[plan->first.i];
    first->succ[0] = m->after->nodes.at[first->succ[0].i].succ[0];
    plan->count--;
    return true;
}
static bool swap_parameters(Mutant *m) {
    Reg first = m->after->params.at[0];
    if (reg_type(m->after, first) != reg_type(m->after, m->after->params.at[1])) return false;
    m->after->params.at[0] = m->after->params.at[1];
    m->after->params.at[1] = first;
    return true;
}
static bool change_first(Mutant *m) {
    m->hint.nodes.at[draw(m, m->hint.nodes.count)].first.i = draw(m, m->after->nodes.count);
    return true;
}
static bool change_count(Mutant *m) {
    uint32_t *count = &m->hint.nodes.at[draw(m, m->hint.nodes.count)].count, old = *count;
    *count = draw(m, 3);
    return *count != old;
}
static bool change_home(Mutant *m) {
    if (!m->hint.pairs.count) return false;
    return change_reg(m, &m->hint.pairs.at[draw(m, m->hint.pairs.count)].home);
}
static bool change_value(Mutant *m) {
    if (!m->hint.pairs.count) return false;
    Reg *value = &m->hint.pairs.at[draw(m, m->hint.pairs.count)].value;
    uint32_t old = value->i;
    value->i = draw(m, m->before->regs.count);
    return value->i != old;
}
// All claims of a register become claims about another one.
static bool change_claims(Mutant *m) {
    Reg from = {draw(m, m->after->regs.count)}, to = from;
    if (!change_reg(m, &to)) return false;
    bool changed = false;
    for (uint32_t i = 0; i < m->hint.pairs.count; i++) {
        Reg *home = &m->hint.pairs.at[i].home;
        if (home->i != from.i) continue;
        *home = to;
        changed = true;
    }
    return changed;
}

static const struct {
    const char *name;
    bool (*damage)(Mutant *m);
} kinds[] = {
    {"change a copy's source", change_source},
    {"change a copy's target", change_target},
    {"drop a copy", drop_copy},
    {"swap two copies", swap_copies},
    {"turn a copy around", turn_copy},
    {"rename a use", change_use},
    {"rename a destination", change_destination},
    {"merge two registers", merge_registers},
    {"swap a branch", swap_branch},
    {"retarget an edge", retarget_edge},
    {"change an immediate", change_immediate},
    {"lead past a copy", skip_copy},
    {"swap parameters", swap_parameters},
    {"change where a node is", change_first},
    {"change a node's count", change_count},
    {"change a claim's home", change_home},
    {"change a claim's value", change_value},
    {"change a register's claims", change_claims},
};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

typedef struct {
    uint32_t made, rejected, different;
} Score;

static void show_failure(const Mutant *m, uint64_t seed, const char *difference) {
    Out text = {0};
    func_print(&text, m->before, &(PrintOptions){0});
    func_print(&text, m->after, &(PrintOptions){0});
    out_char(&text, '\0');
    fail_msg("seed %llu: accepted, but %s\n%s", (unsigned long long)seed, difference, text.text);
}

static void try_mutant(Arena *arena, const Func *before, uint64_t seed, Score *score) {
    Mutant m = {.arena = arena, .random = random_from(seed), .before = before};
    m.after = ssa_destruct(arena, before, &m.hint);
    int tries = 100;
    while (!kinds[seed % KIND_COUNT].damage(&m))
        if (--tries == 0) return;
    if (draw(&m, 8) == 0) {
        m.hint.pairs.count = 0;
        for (uint32_t i = 0; i < m.hint.pair_at.count; i++) m.hint.pair_at.at[i] = 0;
    }
    Complaints complaints = {.arena = arena};
    if (!verify_func(&complaints, m.after)) return; // the verifier stands before the checker
    Verdict verdict = pass_check(PASS_ssa_destruct, arena, NULL, before, m.after, &m.hint);
    const char *difference = NULL;
    for (uint64_t run = 0; run < 4 && !difference; run++)
        difference = behaviour_difference(arena, before, m.after, seed + run, 2000);
    score->made++;
    score->rejected += !verdict.accepted;
    score->different += difference != NULL;
    if (verdict.accepted && difference) show_failure(&m, seed, difference);
}

static const Func *original(Arena *arena, uint64_t seed) {
    Program *program = program_new(arena);
    Random random = random_from(seed);
    const Func *func = random_func(arena, program, random_options(200, random_next(&random)), seed);
    CopiesHint norm_hint = {0};
    SsaHint hint = {0};
    const Func *ssa = ssa_build(arena, normalize(arena, func, &norm_hint), &hint);
    return scramble_ssa(arena, ssa, random_range(&random, 10, 90), &random);
}

static void test_mutants(void **state) {
    (void)state;
    uint64_t count = effort(1000, 6000, 400000);
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
