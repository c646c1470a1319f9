// Normalization on every graph of up to five nodes and on random functions: the checker accepts,
// the result has the normal form by a naive definition of it, and behaves as before.
#include "pass/normalize.h"
#include "check/check_normalize.h"
#include "ir/run.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "test/gen/graphs.h"
#include "test/gen/random_func.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void fail_with(const Func *before, const Func *after, const char *what) {
    Out text = {0};
    func_print(&text, before, &(PrintOptions){0});
    if (after) func_print(&text, after, &(PrintOptions){0});
    out_char(&text, '\0');
    fail_msg("%s\n%s", what, text.text);
}

static const Func *normalized(Arena *arena, const Func *before) {
    NormHint hint = {0};
    const Func *after = normalize(arena, before, &hint);
    Complaints complaints = {.arena = arena};
    if (!verify_func(&complaints, after)) fail_with(before, after, complaints.list.at[0].message);
    Verdict verdict = check_normalize(arena, before, after, &hint);
    if (!verdict.accepted)
        fail_with(before, after,
                  arena_printf(arena, "node %u: %s", verdict.node.i, verdict.reason));
    return after;
}

// ---- The normal form by its definition, for up to 64 nodes, on sets as bit masks

typedef struct {
    uint32_t count;
    uint64_t preds[64], succs[64];
    uint64_t dominators[64];
    uint64_t loop[64]; // per header, its natural loop; 0 for other nodes
} Naive;

static uint64_t bit(uint32_t i) {
    return (uint64_t)1 << i;
}

static void naive_dominators(Naive *naive) {
    for (uint32_t i = 0; i < naive->count; i++) naive->dominators[i] = i ? ~(uint64_t)0 : 1;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 1; i < naive->count; i++) {
            uint64_t set = ~(uint64_t)0;
            for (uint32_t p = 0; p < naive->count; p++)
                if (naive->preds[i] & bit(p)) set &= naive->dominators[p];
            set |= bit(i);
            changed |= set != naive->dominators[i];
            naive->dominators[i] = set;
        }
    }
}

// The natural loop of a header: what reaches one of its latches without passing it.
static uint64_t natural_loop(const Naive *naive, uint32_t header) {
    uint64_t body = bit(header), todo = 0;
    for (uint32_t u = 0; u < naive->count; u++)
        if (naive->succs[u] & bit(header) && naive->dominators[u] & bit(header)) todo |= bit(u);
    if (!todo) return 0;
    while (todo) {
        uint32_t u = (uint32_t)__builtin_ctzll(todo);
        todo &= todo - 1;
        if (body & bit(u)) continue;
        body |= bit(u);
        todo |= naive->preds[u] & ~body;
    }
    return body;
}

static bool is_nop(const Func *func, uint32_t node) {
    return func->nodes.at[node].kind == I_NOP;
}

static const char *naive_loops(const Naive *naive, const Func *func) {
    for (uint32_t h = 0; h < naive->count; h++) {
        if (!naive->loop[h]) continue;
        if (__builtin_popcountll(naive->preds[h] & naive->loop[h]) != 1) return "latches";
        if (__builtin_popcountll(naive->preds[h] & ~naive->loop[h]) != 1) return "entries";
        for (uint32_t u = 0; u < naive->count; u++)
            if (naive->loop[h] & bit(u) && u != h && naive->preds[u] & ~naive->loop[h])
                return "a loop entered beside its header";
    }
    // one pad for each loop that an edge leaves
    for (uint32_t u = 0; u < naive->count; u++)
        for (uint32_t v = 0; v < naive->count; v++) {
            if (!(naive->succs[u] & bit(v))) continue;
            uint32_t pad = v;
            for (uint32_t h = 0; h < naive->count; h++) {
                if (!(naive->loop[h] & bit(u)) || naive->loop[h] & bit(v)) continue;
                if (!is_nop(func, pad) || __builtin_popcountll(naive->preds[pad]) != 1)
                    return "pads";
                pad = func->nodes.at[pad].succ[0].i;
            }
        }
    return NULL;
}

// NULL if the function has the normal form.
static const char *naive_defect(const Func *func) {
    Naive naive = {.count = func->nodes.count};
    for (uint32_t u = 0; u < naive.count; u++) {
        const Instr *instr = &func->nodes.at[u];
        for (uint32_t k = 0; k < instr->succ_count; k++) {
            uint32_t v = instr_succs(func, instr)[k].i;
            if (naive.succs[u] & bit(v)) return "an edge that occurs twice";
            naive.succs[u] |= bit(v);
            naive.preds[v] |= bit(u);
        }
    }
    if (naive.preds[0]) return "the entry has a predecessor";
    uint64_t reached = 1, before = 0;
    while (reached != before) {
        before = reached;
        for (uint32_t u = 0; u < naive.count; u++)
            if (reached & bit(u)) reached |= naive.succs[u];
    }
    if (naive.count < 64 ? reached != bit(naive.count) - 1 : reached != ~(uint64_t)0)
        return "unreachable nodes";
    naive_dominators(&naive);
    for (uint32_t v = 0; v < naive.count; v++) {
        naive.loop[v] = natural_loop(&naive, v);
        for (uint32_t u = 0; u < naive.count; u++) {
            if (!(naive.preds[v] & bit(u))) continue;
            if (__builtin_popcountll(naive.preds[v]) > 1 && !is_nop(func, u)) return "joins";
            if (u >= v && !(naive.dominators[u] & bit(v))) return "an irreducible edge";
        }
    }
    return naive_loops(&naive, func);
}

// ---- Behaviour

static void same_behaviour(Arena *arena, const Func *before, const Func *after, uint64_t seed,
                           uint64_t fuel) {
    Random random = random_from(seed);
    bool wide = reg_type(before, before->params.at[0]) == TYPE_I64;
    uint64_t mask = wide ? UINT64_MAX : UINT32_MAX;
    Value args[2] = {{.bits = random_next(&random) >> (random_next(&random) & 63) & mask},
                     {.bits = random_next(&random) >> (random_next(&random) & 63) & mask}};
    RunOptions options = {.fuel = fuel, .capture = true, .no_input = true, .no_files = true};
    RunResult was = {0}, is = {0};
    rtl_run_func(arena, before->program, before, args, 2, &options, &was);
    options.fuel = was.behaviour.end == END_FUEL ? fuel : fuel * 8 + 1000;
    rtl_run_func(arena, before->program, after, args, 2, &options, &is);
    const char *difference;
    if (!behaviour_refines(arena, &was.behaviour, &is.behaviour, &difference))
        fail_with(before, after, difference);
    if (was.behaviour.end == END_RESULT && is.behaviour.end != END_RESULT)
        fail_with(before, after, "the new function does not return");
    out_free(&was.output);
    out_free(&is.output);
}

// ---- Small graphs

typedef struct {
    uint32_t nodes;
    uint64_t graphs;
    Arena *arena;
    Program *program;
    uint32_t run_every; // compare behaviour on one graph in so many
} Small;

static void visit_small(void *context, const uint8_t (*succs)[2], const uint8_t *counts) {
    Small *small = context;
    small->graphs++;
    const Func *before =
        func_of_graph(small->arena, small->program, small->nodes, succs, counts, small->graphs);
    const Func *after = normalized(small->arena, before);
    if (after->nodes.count <= 64) {
        const char *defect = naive_defect(after);
        if (defect) fail_with(before, after, defect);
    }
    if (small->graphs % small->run_every == 0)
        same_behaviour(small->arena, before, after, small->graphs, 100);
    arena_reset(small->arena);
}

static void all_graphs(uint32_t nodes, bool with_returns, uint32_t run_every) {
    Arena *lasting = arena_new("program");
    Small small = {.nodes = nodes, .run_every = run_every, .arena = arena_new("graph")};
    small.program = program_new(lasting);
    each_small_graph(nodes, with_returns, visit_small, &small);
    arena_free(small.arena);
    arena_free(lasting);
}

static void test_small_graphs(void **state) {
    (void)state;
    for (uint32_t nodes = 1; nodes <= 4; nodes++)
        for (int with_returns = 0; with_returns < 2; with_returns++)
            all_graphs(nodes, with_returns, 1);
}

static void test_graphs_of_five(void **state) {
    (void)state;
    bool all = getenv("GATE_LONG") != NULL;
    all_graphs(5, false, all ? 1 : 64);
    if (all) all_graphs(5, true, 1);
}

// ---- Random functions

static void test_random(void **state) {
    (void)state;
    Arena *arena = arena_new("function");
    uint32_t dispatched = 0;
    for (uint64_t seed = 1; seed <= 10000; seed++) {
        Program *program = program_new(arena);
        const Func *before = random_func(arena, program, random_options(500, seed), seed);
        const Func *after = normalized(arena, before);
        dispatched += after->regs.count > before->regs.count;
        for (uint64_t run = 0; run < 3; run++)
            same_behaviour(arena, before, after, seed * 3 + run, 20000);
        arena_reset(arena);
    }
    assert_true(dispatched > 100); // both ways out of irreducibility are exercised
    arena_free(arena);
}

// A normal form stays as it is.
static void test_idempotent(void **state) {
    (void)state;
    Arena *arena = arena_new("function");
    for (uint64_t seed = 1; seed <= 500; seed++) {
        Program *program = program_new(arena);
        const Func *once =
            normalized(arena, random_func(arena, program, random_options(300, seed), seed));
        const Func *twice = normalized(arena, once);
        Out first = {0}, second = {0};
        func_print(&first, once, &(PrintOptions){0});
        func_print(&second, twice, &(PrintOptions){0});
        assert_int_equal(first.length, second.length);
        assert_memory_equal(first.text, second.text, first.length);
        out_free(&first);
        out_free(&second);
        arena_reset(arena);
    }
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_graphs),
        cmocka_unit_test(test_graphs_of_five),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_idempotent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
