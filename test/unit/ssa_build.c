// SSA construction in its three flavours on every graph of up to five nodes and on random functions
// with many redefinitions: the checker accepts, the phis stand where the definitions of the
// flavours say (computed naively), and the function behaves as before.
#include "base/bits.h"
#include "check/checkers.h"
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

typedef Func *Construction(Arena *arena, const Func *func, SsaHint *hint);

enum { PRUNED, SEMI_PRUNED, MINIMAL, FLAVOURS };

static Construction *const constructions[FLAVOURS] = {ssa_build, ssa_build_semi_pruned,
                                                      ssa_build_minimal};

static void fail_with(const Func *before, const Func *after, const char *what) {
    Out text = {0};
    func_print(&text, before, &(PrintOptions){0});
    func_print(&text, after, &(PrintOptions){0});
    out_char(&text, '\0');
    fail_msg("%s\n%s", what, text.text);
}

static const Func *built(Arena *arena, const Func *normal, uint32_t flavour, SsaHint *hint) {
    const Func *ssa = constructions[flavour](arena, normal, hint);
    Complaints complaints = {.arena = arena};
    if (!verify_func(&complaints, ssa)) fail_with(normal, ssa, complaints.list.at[0].message);
    Verdict verdict = check_ssa_build(arena, normal, ssa, hint);
    if (!verdict.accepted)
        fail_with(normal, ssa, arena_printf(arena, "node %u: %s", verdict.site.i, verdict.reason));
    return ssa;
}

static void same_behaviour(Arena *arena, const Func *before, const Func *after, uint64_t seed,
                           uint64_t fuel) {
    const char *difference = behaviour_difference(arena, before, after, seed, fuel);
    if (difference) fail_with(before, after, difference);
}

// ---- Where phis belong, by the definitions

typedef struct {
    Arena *arena;
    const Func *func;
    Preds preds;
    Bits *dominators; // of each node
} Naive;

static Naive naive_of(Arena *arena, const Func *func) {
    uint32_t count = func->nodes.count;
    Naive naive = {.arena = arena, .func = func, .preds = preds_of(arena, func)};
    naive.dominators = ARENA_ARRAY(arena, Bits, count);
    Bits meet = bits_new(arena, count);
    for (uint32_t n = 0; n < count; n++) {
        naive.dominators[n] = bits_new(arena, count);
        for (uint32_t i = 0; i < count && n; i++) bits_add(&naive.dominators[n], i);
    }
    bits_add(&naive.dominators[0], 0);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t n = 1; n < count; n++) {
            const Node *preds = preds_at(&naive.preds, (Node){n});
            bits_copy(&meet, &naive.dominators[preds[0].i]);
            for (uint32_t k = 1; k < preds_count(&naive.preds, (Node){n}); k++)
                bits_intersect(&meet, &naive.dominators[preds[k].i]);
            bits_add(&meet, n);
            if (bits_equal(&meet, &naive.dominators[n])) continue;
            bits_copy(&naive.dominators[n], &meet);
            changed = true;
        }
    }
    return naive;
}

static bool in_frontier(const Naive *naive, uint32_t node, uint32_t join) {
    if (node != join && bits_has(&naive->dominators[join], node)) return false;
    const Node *preds = preds_at(&naive->preds, (Node){join});
    for (uint32_t k = 0; k < preds_count(&naive->preds, (Node){join}); k++)
        if (bits_has(&naive->dominators[preds[k].i], node)) return true;
    return false;
}

static bool sets(const Func *func, uint32_t node, uint32_t reg) {
    return func->nodes.at[node].dest.i == reg;
}

static bool uses(const Func *func, uint32_t node, uint32_t reg) {
    const Instr *instr = &func->nodes.at[node];
    for (uint32_t k = 0; k < instr->arg_count; k++)
        if (instr_args(func, instr)[k].i == reg) return true;
    return false;
}

// The iterated frontier of the nodes that set a register.
static Bits iterated_frontier(const Naive *naive, uint32_t reg) {
    uint32_t count = naive->func->nodes.count;
    Bits found = bits_new(naive->arena, count);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t n = 0; n < count; n++) {
            if (!sets(naive->func, n, reg) && !bits_has(&found, n)) continue;
            for (uint32_t join = 1; join < count; join++)
                if (in_frontier(naive, n, join)) changed |= bits_put(&found, join);
        }
    }
    return found;
}

// The nodes before which a register is live.
static Bits live_nodes(const Naive *naive, uint32_t reg) {
    const Func *func = naive->func;
    Bits live = bits_new(naive->arena, func->nodes.count);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t n = func->nodes.count; n-- > 0;) {
            const Instr *instr = &func->nodes.at[n];
            bool is_live = uses(func, n, reg);
            for (uint32_t k = 0; k < instr->succ_count && !sets(func, n, reg); k++)
                is_live |= bits_has(&live, instr_succs(func, instr)[k].i);
            if (is_live) changed |= bits_put(&live, n);
        }
    }
    return live;
}

// Whether a register is used in a run of nodes (each the only way to the next) before that sets it.
static bool is_global(const Naive *naive, uint32_t reg) {
    const Func *func = naive->func;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        if (!uses(func, n, reg)) continue;
        for (uint32_t at = n;;) {
            if (at == 0 || preds_count(&naive->preds, (Node){at}) != 1) return true;
            at = preds_at(&naive->preds, (Node){at})->i;
            if (func->nodes.at[at].succ_count != 1) return true;
            if (sets(func, at, reg)) break;
        }
    }
    return false;
}

static bool has_phi(const Func *ssa, const SsaHint *hint, uint32_t join, uint32_t reg) {
    for (uint32_t i = 0; i < func_phi_count(ssa, (Node){join}); i++)
        if (hint->origin.at[func_phis(ssa, (Node){join})[i].dest.i].i == reg) return true;
    return false;
}

static void phis_are_right(Arena *arena, const Func *normal, const Func *const *ssa,
                           const SsaHint *hints) {
    Naive naive = naive_of(arena, normal);
    for (uint32_t reg = 0; reg < normal->regs.count; reg++) {
        Bits frontier = iterated_frontier(&naive, reg), live = live_nodes(&naive, reg);
        bool global = is_global(&naive, reg);
        for (uint32_t n = 0; n < normal->nodes.count; n++) {
            bool expected[FLAVOURS] = {[MINIMAL] = bits_has(&frontier, n)};
            expected[SEMI_PRUNED] = expected[MINIMAL] && global;
            expected[PRUNED] = expected[MINIMAL] && bits_has(&live, n);
            for (uint32_t f = 0; f < FLAVOURS; f++)
                if (has_phi(ssa[f], &hints[f], n, reg) != expected[f])
                    fail_with(normal, ssa[f],
                              arena_printf(arena, "flavour %u, node %u, register %u: a phi %s", f,
                                           n, reg, expected[f] ? "is missing" : "is too much"));
        }
    }
}

// All flavours of one function.
static void construct_all(Arena *arena, const Func *func, bool naively, uint64_t seed,
                          uint64_t runs, uint64_t fuel) {
    CopiesHint norm_hint = {0};
    const Func *normal = normalize(arena, func, &norm_hint);
    SsaHint hints[FLAVOURS] = {0};
    const Func *ssa[FLAVOURS];
    for (uint32_t f = 0; f < FLAVOURS; f++) {
        ssa[f] = built(arena, normal, f, &hints[f]);
        for (uint64_t run = 0; run < runs; run++)
            same_behaviour(arena, func, ssa[f], seed * runs + run, fuel);
    }
    if (naively) phis_are_right(arena, normal, ssa, hints);
}

// ---- Small graphs

typedef struct {
    uint32_t nodes;
    uint64_t graphs;
    Arena *arena;
    Program *program;
    uint64_t every;     // look at one graph in so many
    uint64_t run_every; // compare behaviour and phis on one in so many
} Small;

static void visit_small(void *context, const uint8_t (*succs)[2], const uint8_t *counts) {
    Small *small = context;
    if (++small->graphs % small->every) return;
    const Func *func =
        func_of_graph(small->arena, small->program, small->nodes, succs, counts, small->graphs);
    bool closely = small->graphs % small->run_every == 0;
    construct_all(small->arena, func, closely, small->graphs, closely, 100);
    arena_reset(small->arena);
}

static void all_graphs(uint32_t nodes, bool with_returns, uint64_t every, uint64_t run_every) {
    Arena *lasting = arena_new("program");
    Small small = {
        .nodes = nodes, .every = every, .run_every = run_every, .arena = arena_new("graph")};
    small.program = program_new(lasting);
    each_small_graph(nodes, with_returns, visit_small, &small);
    arena_free(small.arena);
    arena_free(lasting);
}

static void test_small_graphs(void **state) {
    (void)state;
    for (uint32_t nodes = 1; nodes <= 4; nodes++)
        for (int with_returns = 0; with_returns < 2; with_returns++)
            all_graphs(nodes, with_returns, nodes < 4 ? 1 : effort(64, 4, 1), effort(64, 32, 1));
}

static void test_graphs_of_five(void **state) {
    (void)state;
    all_graphs(5, false, effort(4096, 128, 1), effort(4096, 4096, 8));
    all_graphs(5, true, effort(65536, 4096, 1), effort(65536, 65536, 8));
}

// ---- Random functions

static void test_random(void **state) {
    (void)state;
    Arena *arena = arena_new("function");
    uint64_t count = effort(50, 300, 20000);
    for (uint64_t seed = 1; seed <= count; seed++) {
        Program *program = program_new(arena);
        RandomOptions options = random_options(seed % 4 ? 60 : 500, seed);
        options.variables = 1 + (uint32_t)(seed % 7); // few: each is set again and again
        const Func *func = random_func(arena, program, options, seed);
        construct_all(arena, func, func->nodes.count < 40, seed, 2, 2000);
        arena_reset(arena);
    }
    arena_free(arena);
}

// Registers that are used undefined get a version 0, and no others do.
static void test_undefined(void **state) {
    (void)state;
    Arena *arena = arena_new("function");
    uint32_t undefined = 0;
    for (uint64_t seed = 1; seed <= effort(20, 150, 3000); seed++) {
        Program *program = program_new(arena);
        RandomOptions options = random_options(80, seed);
        options.undefined = 50;
        CopiesHint norm_hint = {0};
        const Func *normal =
            normalize(arena, random_func(arena, program, options, seed), &norm_hint);
        SsaHint hint = {0};
        const Func *ssa = built(arena, normal, PRUNED, &hint);
        Naive naive = {.arena = arena, .func = normal};
        Bits zero = bits_new(arena, normal->regs.count);
        for (uint32_t i = 0; i < ssa->regs.count; i++)
            if (ssa->regs.at[i].version == 1) bits_add(&zero, hint.origin.at[i].i);
        for (uint32_t reg = 0; reg < normal->regs.count; reg++) {
            Bits live = live_nodes(&naive, reg);
            bool is_param = false;
            for (uint32_t i = 0; i < normal->params.count; i++)
                is_param |= normal->params.at[i].i == reg;
            assert_int_equal(bits_has(&zero, reg), is_param || bits_has(&live, 0));
            undefined += !is_param && bits_has(&live, 0);
        }
        arena_reset(arena);
    }
    assert_true(undefined > 10);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_graphs),
        cmocka_unit_test(test_graphs_of_five),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_undefined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
