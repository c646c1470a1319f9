// if_convert on random functions: the checker accepts what it does, and behaviour stays. Then
// random damage to its results and hints: a mutant that the checker accepts must behave as the
// original; how many were rejected is printed.
#include "check/checkers.h"
#include "pass/pass.h"
#include "pipeline/step_check.h"
#include "test/gen/compare.h"
#include "test/gen/diamonds.h"
#include "test/gen/effort.h"
#include "test/gen/random.h"
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
    IfConvertHint hint;
} Mutant;

static uint32_t draw(Mutant *mutant, uint32_t limit) {
    return random_below(&mutant->random, limit);
}

// One of the operators that were added.
static Instr *draw_added(Mutant *mutant) {
    uint32_t which = draw(mutant, mutant->hint.conversions.count), before = 0;
    for (uint32_t i = 0; i < which; i++) before += mutant->hint.conversions.at[i].count + 1;
    const IfConversion *conversion = &mutant->hint.conversions.at[which];
    uint32_t first = conversion->join.i + before + 1;
    return &mutant->after->nodes.at[first + draw(mutant, conversion->count)];
}

static Reg draw_reg(Mutant *mutant, Type type) {
    Reg reg;
    do reg.i = draw(mutant, mutant->after->regs.count);
    while (reg_type(mutant->after, reg) != type);
    return reg;
}

// ---- Kinds of damage: each tries once and says whether it changed anything

static bool change_argument(Mutant *mutant) {
    Instr *instr = draw_added(mutant);
    if (!instr->arg_count) return false;
    Reg *arg = &instr->arg[draw(mutant, instr->arg_count)], old = *arg;
    *arg = draw_reg(mutant, reg_type(mutant->after, old));
    return arg->i != old.i;
}
static bool swap_values(Mutant *mutant) {
    Instr *instr = draw_added(mutant);
    if (instr->arg_count != 3) return false;
    Reg first = instr->arg[1];
    instr->arg[1] = instr->arg[2];
    instr->arg[2] = first;
    return instr->arg[1].i != first.i;
}
static bool change_immediate(Mutant *mutant) {
    Instr *instr = draw_added(mutant);
    if (!instr->immediate && op_info(instr->op)->arity) return false;
    instr->imm = (int32_t)(instr->imm + 1);
    return true;
}
static bool change_operator(Mutant *mutant) {
    Instr *instr = draw_added(mutant);
    uint16_t old = instr->op;
    const OpInfo *was = op_info(old), *is;
    if (!was->arity || was->arity > 2) return false;
    do is = op_info(instr->op = (uint16_t)draw(mutant, OP_COUNT));
    while (is->arity != was->arity || is->result != was->result ||
           memcmp(is->operand, was->operand, sizeof is->operand) != 0);
    return instr->op != old;
}
// As if something else had been copied.
static bool change_copy(Mutant *mutant) {
    Reg *copy = &mutant->hint.copy_of.at[draw(mutant, mutant->hint.copy_of.count)], old = *copy;
    *copy = (Reg){draw(mutant, mutant->before->regs.count)};
    return copy->i != old.i;
}
static bool change_branch(Mutant *mutant) {
    uint32_t which = draw(mutant, mutant->hint.conversions.count);
    Node *branch = &mutant->hint.conversions.at[which].branch, old = *branch;
    branch->i = draw(mutant, mutant->before->nodes.count);
    return branch->i != old.i;
}
// The gates of a gamma change places in what was.
static bool swap_gates(Mutant *mutant) {
    Func *before = func_clone(mutant->before, mutant->arena);
    Merge *merge = &before->gsa->merges.at[draw(mutant, before->gsa->merges.count)];
    if (merge->kind != MERGE_GAMMA || merge->arg_count != 2) return false;
    MergeArg *args = &before->gsa->merge_args.at[merge->args_at];
    Gate first = args[0].gate;
    args[0].gate = args[1].gate;
    args[1].gate = first;
    mutant->before = before;
    return args[0].gate.i != args[1].gate.i;
}
static bool change_rest(Mutant *mutant) {
    Instr *instr = &mutant->after->nodes.at[draw(mutant, mutant->after->nodes.count)];
    if (instr->kind != I_COND) return false;
    Node first = instr->succ[0];
    instr->succ[0] = instr->succ[1];
    instr->succ[1] = first;
    return true;
}

static const struct {
    const char *name;
    bool (*damage)(Mutant *mutant);
} kinds[] = {
    {"change an argument", change_argument},
    {"swap a select's values", swap_values},
    {"change an immediate", change_immediate},
    {"change an operator", change_operator},
    {"copy something else", change_copy},
    {"name another branch", change_branch},
    {"swap gates", swap_gates},
    {"swap ways", change_rest},
};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

typedef struct {
    uint32_t made, rejected, different;
} Score;

static void fail_with(const Func *before, const Func *after, uint64_t seed, const char *what) {
    Out text = {0};
    func_print(&text, before, &(PrintOptions){0});
    func_print(&text, after, &(PrintOptions){0});
    out_char(&text, '\0');
    fail_msg("seed %llu: %s\n%s", (unsigned long long)seed, what, text.text);
}

static const char *difference_of(const Mutant *mutant, uint64_t seed, uint64_t runs) {
    const char *difference = NULL;
    for (uint64_t run = 0; run < runs && !difference; run++)
        difference =
            behaviour_difference(mutant->arena, mutant->before, mutant->after, seed + run, 2000);
    return difference;
}

static const Func *gated(Arena *arena, const Func *func) {
    Numbering numbering = {0};
    CloseLoopsHint close_hint = {0};
    GsaBuildHint build_hint = {0};
    const Func *ssa = ssa_of(arena, func), *copied = copy_prop(arena, ssa, &numbering);
    if (copied) ssa = copied;
    const Func *closed = close_loops(arena, ssa, &close_hint);
    return gsa_build(arena, closed ? closed : ssa, &build_hint);
}

// What the pass makes of a function is accepted and behaves the same.
static bool pass_function(Mutant *mutant, uint64_t seed) {
    mutant->after = if_convert(mutant->arena, mutant->before, &mutant->hint);
    if (!mutant->after) return false;
    Complaints complaints = {.arena = mutant->arena};
    if (!verify_func(&complaints, mutant->after))
        fail_with(mutant->before, mutant->after, seed, complaints.list.at[0].message);
    Verdict verdict = step_check(PASS_if_convert, mutant->arena, NULL, mutant->before,
                                 mutant->after, &mutant->hint);
    if (!verdict.accepted) fail_with(mutant->before, mutant->after, seed, verdict.reason);
    const char *difference = difference_of(mutant, seed, 2);
    if (difference) fail_with(mutant->before, mutant->after, seed, difference);
    return true;
}

static bool damage(Mutant *mutant, uint32_t kind) {
    const Mutant original = *mutant;
    for (int tries = 0; tries < 50; tries++) {
        Random random = mutant->random;
        *mutant = original;
        mutant->random = random;
        mutant->hint = (IfConvertHint){0};
        uint32_t conversions = original.hint.conversions.count,
                 copies = original.hint.copy_of.count;
        memcpy(vec_extend(mutant->arena, &mutant->hint.conversions, conversions),
               original.hint.conversions.at, conversions * sizeof(IfConversion));
        memcpy(vec_extend(mutant->arena, &mutant->hint.copy_of, copies), original.hint.copy_of.at,
               copies * sizeof(Reg));
        mutant->after = func_clone(original.after, mutant->arena);
        Complaints complaints = {.arena = mutant->arena};
        if (kinds[kind].damage(mutant) && verify_func(&complaints, mutant->after) &&
            verify_func(&complaints, mutant->before))
            return true;
    }
    return false;
}

static void try_mutant(Arena *arena, uint64_t seed, Score *scores, uint32_t *converted) {
    Program *program = program_new(arena);
    Mutant mutant = {.arena = arena,
                     .random = random_from(seed),
                     .before = gated(arena, diamonds_func(arena, program, seed))};
    if (!pass_function(&mutant, seed)) return;
    *converted += mutant.hint.conversions.count;
    Score *score = &scores[seed % KIND_COUNT];
    if (!damage(&mutant, (uint32_t)(seed % KIND_COUNT))) return;
    Verdict verdict =
        step_check(PASS_if_convert, arena, NULL, mutant.before, mutant.after, &mutant.hint);
    const char *difference = difference_of(&mutant, seed, 4);
    score->made++;
    score->rejected += !verdict.accepted;
    score->different += difference != NULL;
    if (verdict.accepted && difference) fail_with(mutant.before, mutant.after, seed, difference);
}

static void test_mutants(void **state) {
    (void)state;
    uint64_t count = effort(300, 4000, 200000);
    Arena *arena = arena_new("mutant");
    Score scores[KIND_COUNT] = {0}, total = {0};
    uint32_t converted = 0;
    for (uint64_t seed = 1; seed <= count; seed++) {
        try_mutant(arena, seed, scores, &converted);
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
    print_message("%u joins converted in %u functions\n", converted, (uint32_t)count);
    assert_true(converted > count / 2);
    assert_true(total.different > total.made / 20);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mutants)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
