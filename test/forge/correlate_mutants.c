// correlate on functions full of related branches: the checker accepts what it does, and behaviour
// stays. Then random damage to its hints and results: a mutant that the checker accepts must behave
// as the original; how many were rejected is printed. Most damage is that of a forger who decides
// branches as he likes and names edges that make it look right.
#include "check/checkers.h"
#include "check/passes.h"
#include "pass/pass.h"
#include "pass/values/values_hint.h"
#include "test/gen/compare.h"
#include "test/gen/correlated.h"
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
    CorrelateHint hint;
    Func *after; // made from the hint, then perhaps damaged
} Mutant;

static uint32_t draw(Mutant *mutant, uint32_t limit) {
    return random_below(&mutant->random, limit);
}

static void straighten_all(Mutant *mutant) {
    mutant->after = func_clone(mutant->before, mutant->arena);
    for (uint32_t i = 0; i < mutant->hint.decisions.count; i++) {
        BranchEdge edge = mutant->hint.decisions.at[i].edge;
        const Instr *branch = func_at(mutant->before, edge.branch);
        Node succ = instr_succs(mutant->before, branch)[edge.way];
        mutant->after->nodes.at[edge.branch.i] =
            (Instr){.kind = I_NOP, .dest = NO_REG, .succ_count = 1, .succ = {succ}};
    }
}

static Decision *draw_decision(Mutant *mutant) {
    return &mutant->hint.decisions.at[draw(mutant, mutant->hint.decisions.count)];
}

static BranchEdge draw_edge(Mutant *mutant) {
    BranchEdge edge;
    do edge.branch.i = draw(mutant, mutant->before->nodes.count);
    while (func_at(mutant->before, edge.branch)->kind != I_COND);
    edge.way = draw(mutant, 2);
    return edge;
}

// ---- Kinds of damage: each tries once and says whether it changed anything

static bool other_way(Mutant *mutant) {
    Decision *decision = draw_decision(mutant);
    if (func_at(mutant->before, decision->edge.branch)->kind != I_COND) return false;
    decision->edge.way ^= 1;
    straighten_all(mutant);
    return true;
}
// One branch more is decided, for the reasons of the one before or for some edges.
static bool add_decision(Mutant *mutant) {
    CorrelateHint *hint = &mutant->hint;
    Decision extra = {.edge = draw_edge(mutant), .first = hint->edges.count, .count = 2};
    for (int i = 0; i < 2; i++) {
        BranchEdge reason = draw_edge(mutant);
        vec_push(mutant->arena, &hint->edges, reason);
    }
    uint32_t at = 0;
    while (at < hint->decisions.count && hint->decisions.at[at].edge.branch.i < extra.edge.branch.i)
        at++;
    if (at < hint->decisions.count && hint->decisions.at[at].edge.branch.i == extra.edge.branch.i)
        return false;
    vec_push(mutant->arena, &hint->decisions, extra);
    memmove(hint->decisions.at + at + 1, hint->decisions.at + at,
            (hint->decisions.count - 1 - at) * sizeof(Decision));
    hint->decisions.at[at] = extra;
    straighten_all(mutant);
    return true;
}
static bool move_decision(Mutant *mutant) {
    Decision *decision = draw_decision(mutant);
    if (mutant->hint.decisions.count != 1) return false;
    decision->edge = draw_edge(mutant);
    straighten_all(mutant);
    return true;
}
static bool change_reason(Mutant *mutant) {
    if (!mutant->hint.edges.count) return false;
    mutant->hint.edges.at[draw(mutant, mutant->hint.edges.count)] = draw_edge(mutant);
    return true;
}
static bool drop_reason(Mutant *mutant) {
    Decision *decision = draw_decision(mutant);
    return decision->count && decision->count--;
}
// The condition of a branch changes, in what was and in what is, and its decision stays.
static bool change_condition(Mutant *mutant) {
    Func *before = func_clone(mutant->before, mutant->arena);
    Instr *branch = &before->nodes.at[draw_decision(mutant)->edge.branch.i];
    if (branch->kind != I_COND || !branch->immediate) return false;
    branch->imm = (int32_t)(branch->imm + 40 - (int32_t)draw(mutant, 80));
    mutant->before = before;
    return true;
}
static bool change_dominating_condition(Mutant *mutant) {
    if (!mutant->hint.edges.count) return false;
    Func *before = func_clone(mutant->before, mutant->arena);
    uint32_t edge = draw(mutant, mutant->hint.edges.count);
    Instr *branch = &before->nodes.at[mutant->hint.edges.at[edge].branch.i];
    Node first = branch->succ[0];
    if (branch->kind != I_COND) return false;
    branch->succ[0] = branch->succ[1];
    branch->succ[1] = first;
    mutant->before = before;
    straighten_all(mutant);
    return true;
}
static bool change_result(Mutant *mutant) {
    Instr *branch = &mutant->after->nodes.at[draw_edge(mutant).branch.i];
    if (branch->kind != I_COND) return false;
    Node succ = branch->succ[draw(mutant, 2)];
    *branch = (Instr){.kind = I_NOP, .dest = NO_REG, .succ_count = 1, .succ = {succ}};
    return true;
}

static const struct {
    const char *name;
    bool (*damage)(Mutant *mutant);
} kinds[] = {
    {"the other way", other_way},
    {"one decision more", add_decision},
    {"another branch decided", move_decision},
    {"another reason", change_reason},
    {"a reason less", drop_reason},
    {"another condition", change_condition},
    {"ways above exchanged", change_dominating_condition},
    {"a branch gone", change_result},
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

// What the pass makes of a function is accepted and behaves the same.
static bool pass_function(Mutant *mutant, uint64_t seed) {
    mutant->after = correlate(mutant->arena, mutant->before, &mutant->hint);
    if (!mutant->after) return false;
    Complaints complaints = {.arena = mutant->arena};
    if (!verify_func(&complaints, mutant->after))
        fail_with(mutant->before, mutant->after, seed, complaints.list.at[0].message);
    Verdict verdict = pass_check(
        PASS_correlate, mutant->arena, NULL, mutant->before, mutant->after,
        explain_CorrelateHint(mutant->arena, mutant->before, mutant->after, &mutant->hint));
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
        mutant->hint = (CorrelateHint){0};
        for (uint32_t i = 0; i < original.hint.decisions.count; i++)
            vec_push(mutant->arena, &mutant->hint.decisions, original.hint.decisions.at[i]);
        for (uint32_t i = 0; i < original.hint.edges.count; i++)
            vec_push(mutant->arena, &mutant->hint.edges, original.hint.edges.at[i]);
        mutant->after = func_clone(original.after, mutant->arena);
        Complaints complaints = {.arena = mutant->arena};
        if (kinds[kind].damage(mutant) && verify_func(&complaints, mutant->after)) return true;
    }
    return false;
}

static void try_mutant(Arena *arena, uint64_t seed, Score *scores, uint32_t *decided) {
    Program *program = program_new(arena);
    const Func *func = random_func(arena, program, random_options(150, seed), seed);
    Mutant mutant = {.arena = arena,
                     .random = random_from(seed),
                     .before = correlated_func(arena, ssa_of(arena, func), seed)};
    if (!pass_function(&mutant, seed)) return;
    *decided += mutant.hint.decisions.count;
    Score *score = &scores[seed % KIND_COUNT];
    if (!damage(&mutant, (uint32_t)(seed % KIND_COUNT))) return;
    Verdict verdict =
        pass_check(PASS_correlate, arena, NULL, mutant.before, mutant.after,
                   explain_CorrelateHint(arena, mutant.before, mutant.after, &mutant.hint));
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
    uint32_t decided = 0;
    for (uint64_t seed = 1; seed <= count; seed++) {
        try_mutant(arena, seed, scores, &decided);
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
    print_message("%u branches decided in %u functions\n", decided, (uint32_t)count);
    assert_true(decided > count * 2 / 5);
    assert_true(total.different > total.made / 20);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mutants)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
