// Random damage to rewritten functions and their hints. A mutant that the checker accepts must
// behave as the original; how many were rejected is printed.
//
// Some are those of a clever forger, who changes the constant that a rule leaves open in the hint
// and in the function alike, or applies a rule of his choice by hand.
#include "check/checkers.h"
#include "check/passes.h"
#include "check/values/derivation.h"
#include "pass/magic.h"
#include "pass/pass.h"
#include "test/gen/algebra.h"
#include "test/gen/compare.h"
#include "test/gen/effort.h"
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
    RewriteHint hint;
} Mutant;

static uint32_t draw(Mutant *mutant, uint32_t limit) {
    return random_below(&mutant->random, limit);
}
static Instr *draw_instr(Mutant *mutant) {
    return &mutant->after->nodes.at[draw(mutant, mutant->after->nodes.count)];
}
static RewriteStep *draw_step(Mutant *mutant) {
    return &mutant->hint.steps.at[draw(mutant, mutant->hint.steps.count)];
}
static bool change_reg(Mutant *mutant, Reg *reg) {
    Reg old = *reg;
    do reg->i = draw(mutant, mutant->after->regs.count);
    while (reg_type(mutant->after, *reg) != reg_type(mutant->after, old));
    return reg->i != old.i;
}

// ---- Kinds of damage: each tries once and says whether it changed anything

static bool change_argument(Mutant *mutant) {
    Instr *instr = draw_instr(mutant);
    if (!instr->arg_count || instr->arg_count > INLINE_ARGS) return false;
    return change_reg(mutant, &instr->arg[draw(mutant, instr->arg_count)]);
}
static bool swap_arguments(Mutant *mutant) {
    Instr *instr = draw_instr(mutant);
    if (instr->arg_count < 2 || instr->arg_count > INLINE_ARGS) return false;
    Reg first = instr->arg[0];
    if (reg_type(mutant->after, first) != reg_type(mutant->after, instr->arg[1])) return false;
    instr->arg[0] = instr->arg[1];
    instr->arg[1] = first;
    return instr->arg[0].i != first.i;
}
static bool change_immediate(Mutant *mutant) {
    Instr *instr = draw_instr(mutant);
    bool constant = instr->kind == I_OP && (instr->op == OP_CONST_I32 || instr->op == OP_CONST_I64);
    if (!instr->immediate && !constant) return false;
    instr->imm = (int32_t)(instr->imm ^ (int64_t)1 << draw(mutant, 31));
    return true;
}
static bool change_operator(Mutant *mutant) {
    Instr *instr = draw_instr(mutant);
    Op op = draw(mutant, OP_COUNT);
    if ((instr->kind != I_OP && instr->kind != I_COND) || instr->op == op) return false;
    const OpInfo *old = op_info(instr->op), *fresh = op_info(op);
    if (old->arity == 0 || old->arity != fresh->arity || old->result != fresh->result ||
        memcmp(old->operand, fresh->operand, sizeof old->operand) != 0 ||
        (instr->kind == I_COND && !(fresh->flags & OPF_COND)))
        return false;
    instr->op = (uint16_t)op;
    return true;
}
static bool exchange_destinations(Mutant *mutant) {
    Instr *instr = draw_instr(mutant), *other = draw_instr(mutant);
    if (instr->dest.i == NO_ID || other->dest.i == NO_ID || instr == other ||
        reg_type(mutant->after, instr->dest) != reg_type(mutant->after, other->dest))
        return false;
    Reg first = instr->dest;
    instr->dest = other->dest;
    other->dest = first;
    return true;
}
static bool exchange_instructions(Mutant *mutant) {
    Instr *instr = draw_instr(mutant), *next = &mutant->after->nodes.at[instr->succ[0].i];
    if (instr->kind != I_OP || next->kind != I_OP) return false;
    Instr first = *instr;
    Node a = instr->succ[0], b = next->succ[0];
    *instr = *next;
    *next = first;
    instr->succ[0] = a;
    next->succ[0] = b;
    return true;
}
static bool swap_branch(Mutant *mutant) {
    Instr *instr = draw_instr(mutant);
    if (instr->kind != I_COND) return false;
    Node first = instr->succ[0];
    instr->succ[0] = instr->succ[1];
    instr->succ[1] = first;
    return true;
}
static bool change_rule(Mutant *mutant) {
    draw_step(mutant)->rule = (uint16_t)draw(mutant, RULE_KIND_COUNT);
    return true;
}
static bool change_item(Mutant *mutant) {
    draw_step(mutant)->item = draw(mutant, mutant->after->nodes.count);
    return true;
}
static bool change_choice(Mutant *mutant) {
    RewriteStep *step = draw_step(mutant);
    if (!magic_wanted(step->rule)) return false;
    step->choice[draw(mutant, 2)] += draw(mutant, 2) ? 1 : -1;
    return true;
}
static bool drop_step(Mutant *mutant) {
    uint32_t which = draw(mutant, mutant->hint.steps.count);
    for (uint32_t i = which; i + 1 < mutant->hint.steps.count; i++)
        mutant->hint.steps.at[i] = mutant->hint.steps.at[i + 1];
    mutant->hint.steps.count--;
    return true;
}
static bool exchange_steps(Mutant *mutant) {
    RewriteStep *a = draw_step(mutant), *b = draw_step(mutant), first = *a;
    *a = *b;
    *b = first;
    return a != b;
}
// The multiplier in the function, and in the hint.
static bool change_multiplier(Mutant *mutant) {
    RewriteStep *step = draw_step(mutant);
    if (!magic_wanted(step->rule)) return false;
    uint32_t which = draw(mutant, 2);
    int64_t old = step->choice[which], fresh = old + (draw(mutant, 2) ? 1 : -1);
    bool found = false;
    for (uint32_t n = 0; n < mutant->after->nodes.count; n++) {
        Instr *instr = &mutant->after->nodes.at[n];
        if (instr->kind != I_OP || !instr->immediate || instr->imm != old) continue;
        instr->imm = fresh;
        found = true;
        break;
    }
    step->choice[which] = fresh;
    return found;
}
// The right-hand side of a rule with one operator over two variables, put where it does not belong.
static bool apply_by_hand(Mutant *mutant) {
    const RuleInfo *rule = &rule_table[draw(mutant, RULE_COUNT)];
    Instr *instr = draw_instr(mutant);
    if (instr->kind != I_OP || rule->from[0] != instr->op || !instr->arg_count) return false;
    bool constant = term_is_literal(rule->to[0]);
    if (constant && !type_is_int(op_info(instr->op)->result)) return false;
    Type type = op_info(instr->op)->result;
    if (!constant && reg_type(mutant->after, instr->arg[0]) != type) return false;
    Instr fresh = {.kind = I_OP, .dest = instr->dest, .succ_count = 1, .succ = {instr->succ[0]}};
    fresh.op = (uint16_t)(constant ? op_const(type) : op_move(type));
    fresh.arg_count = constant ? 0 : 1;
    if (!constant) fresh.arg[0] = instr->arg[0];
    fresh.loc = instr->loc;
    *instr = fresh;
    RewriteStep step = {.rule = (uint16_t)(rule - rule_table),
                        .item = draw(mutant, mutant->before->nodes.count)};
    vec_push(mutant->arena, &mutant->hint.steps, step);
    return true;
}

static const struct {
    const char *name;
    bool (*damage)(Mutant *mutant);
} kinds[] = {
    {"change an argument", change_argument},
    {"swap arguments", swap_arguments},
    {"change an immediate", change_immediate},
    {"change an operator", change_operator},
    {"exchange destinations", exchange_destinations},
    {"exchange instructions", exchange_instructions},
    {"swap a branch", swap_branch},
    {"change a step's rule", change_rule},
    {"change a step's item", change_item},
    {"change a step's choice", change_choice},
    {"drop a step", drop_step},
    {"exchange steps", exchange_steps},
    {"change a multiplier", change_multiplier},
    {"apply a rule by hand", apply_by_hand},
};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

typedef struct {
    uint32_t made, rejected, different;
} Score;

// Damages until the result is well-formed: the verifier stands before the checker.
static bool damage(Mutant *mutant, const Func *before, uint64_t seed) {
    for (int tries = 0; tries < 50; tries++) {
        mutant->hint = (RewriteHint){0};
        mutant->after = rewrite(mutant->arena, before, &mutant->hint);
        if (!mutant->after) return false;
        Complaints complaints = {.arena = mutant->arena};
        if (kinds[seed % KIND_COUNT].damage(mutant) && verify_func(&complaints, mutant->after))
            return true;
    }
    return false;
}

static void try_mutant(Arena *arena, const Func *before, uint64_t seed, Score *score) {
    Mutant mutant = {.arena = arena, .random = random_from(seed), .before = before};
    if (!damage(&mutant, before, seed)) return;
    Verdict verdict = pass_check(PASS_rewrite, arena, NULL, before, mutant.after, &mutant.hint);
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

static const Func *original(Arena *arena, uint64_t seed) {
    Program *program = program_new(arena);
    const Func *func = seed % 4 ? algebra_func(arena, program, 20, seed)
                                : random_func(arena, program, random_options(200, seed), seed);
    return ssa_of(arena, func);
}

static void test_mutants(void **state) {
    (void)state;
    Arena *arena = arena_new("mutant");
    Score scores[KIND_COUNT] = {0}, total = {0};
    for (uint64_t seed = 1; seed <= effort(600, 4000, 300000); seed++) {
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
