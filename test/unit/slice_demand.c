// What a slice needs: on every small graph and on random functions, the nodes that are kept satisfy
// what the checker asks for, none of them can be left out, and the graph of the slice yields what
// the function yields.
#include "slice/assume.h"
#include "slice/program_demand.h"
#include "slice/slice_forward.h"
#include "test/gen/callers.h"
#include "test/gen/compare.h"
#include "test/gen/effort.h"
#include "test/gen/graphs.h"
#include "test/gen/in_memory.h"
#include "test/gen/random_func.h"
#include "test/gen/slice_graph.h"
#include "text/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct {
    Arena *arena;
    const Func *func;
    SliceVariables variables;
    SliceDemand *demand;
    VEC(SliceWanted) wanted;
    Bits criterion;
} Trial;

typedef struct {
    uint64_t slices, nodes, kept, rounds, compared;
} Totals;

static void fail_with(const Trial *trial, const char *what) {
    Out text = {0};
    func_print(&text, trial->func, &(PrintOptions){0});
    const Bits *kept = slice_demand_kept(trial->demand);
    out_text(&text, "kept:");
    for (uint32_t n = 0; n < kept->size; n++)
        if (bits_has(kept, n)) out_printf(&text, " %u", n);
    out_char(&text, '\0');
    fail_msg("%s\n%s", what, text.text);
}

static Trial trial_new(Arena *arena, const Func *func) {
    Trial trial = {.arena = arena, .func = func};
    trial.variables = slice_variables_of(arena, func, NULL);
    trial.criterion = bits_new(arena, func->nodes.count);
    return trial;
}

static void want_node(Trial *trial, Node node) {
    slice_demand_node(trial->demand, node);
    bits_add(&trial->criterion, node.i);
}

static void want_variable(Trial *trial, Node node, uint32_t variable) {
    slice_demand_variable(trial->demand, node, variable);
    vec_push(trial->arena, &trial->wanted, (SliceWanted){node, variable});
}

static const char *complaint(const Trial *trial, const Bits *kept, const uint32_t *next) {
    return slice_complaint(trial->arena, &trial->variables, kept, next, trial->wanted.at,
                           trial->wanted.count);
}

static void close_and_check(Trial *trial, Totals *totals) {
    slice_demand_close(trial->demand);
    const Bits *kept = slice_demand_kept(trial->demand);
    const char *wrong = complaint(trial, kept, slice_demand_next(trial->demand));
    if (wrong) fail_with(trial, wrong);
    totals->slices++;
    totals->nodes += kept->size;
    totals->kept += bits_count(kept);
    totals->rounds += slice_demand_rounds(trial->demand);
}

// The next nodes if a kept node is dropped: its own are those of its ways, if they agree.
static bool next_without(const Trial *trial, uint32_t node, uint32_t *next) {
    const uint32_t *old = slice_demand_next(trial->demand);
    const Instr *instr = &trial->func->nodes.at[node];
    uint32_t to = instr->succ_count || instr->kind == I_RETURN ? NO_ID : SLICE_NEXT_ANY;
    for (uint32_t k = 0; k < instr->succ_count; k++) {
        uint32_t other = old[instr_succs(trial->func, instr)[k].i];
        if (other == node || other == SLICE_NEXT_ANY) other = SLICE_NEXT_ANY;
        if (k == 0 || to == SLICE_NEXT_ANY) to = other;
        if (other != SLICE_NEXT_ANY && other != to) return false;
    }
    for (uint32_t n = 0; n < trial->func->nodes.count; n++) next[n] = old[n] == node ? to : old[n];
    return true;
}

static void check_least(Trial *trial) {
    Bits less = bits_new(trial->arena, trial->func->nodes.count);
    uint32_t *next = ARENA_ARRAY(trial->arena, uint32_t, trial->func->nodes.count);
    const Bits *kept = slice_demand_kept(trial->demand);
    for (uint32_t n = bits_next(kept, 0); n < kept->size; n = bits_next(kept, n + 1)) {
        if (bits_has(&trial->criterion, n) || !next_without(trial, n, next)) continue;
        bits_copy(&less, kept);
        bits_remove(&less, n);
        if (!complaint(trial, &less, next))
            fail_with(trial, arena_printf(trial->arena, "node %u is not needed", n));
    }
}

static RunResult run(const Trial *trial, const Func *func, uint64_t seed, uint64_t fuel) {
    Random random = random_from(seed);
    uint64_t mask = type_mask(reg_type(trial->func, trial->func->params.at[0]));
    Value args[2];
    for (int i = 0; i < 2; i++) {
        uint64_t bits = random_next(&random);
        args[i] = (Value){.bits = bits >> (random_next(&random) & 63) & mask};
    }
    RunOptions options = {.fuel = fuel, .capture = true, .no_input = true, .no_files = true};
    RunResult result = {0};
    rtl_run_func(trial->arena, trial->func->program, func, args, 2, &options, &result);
    out_free(&result.output);
    return result;
}

// ---- The result at the returns, and perhaps all that happens

static void slice_at_returns(Arena *arena, const Func *func, uint64_t seed, bool all, bool least,
                             Totals *totals) {
    Trial trial = trial_new(arena, func);
    trial.demand = slice_demand_new(arena, &trial.variables, (SliceOptions){0});
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        if (func->nodes.at[n].kind != I_RETURN) continue;
        want_node(&trial, (Node){n});
        for (uint32_t v = 0; all && v < SLICE_WORLD_COUNT; v++) want_variable(&trial, (Node){n}, v);
    }
    close_and_check(&trial, totals);
    if (least && !trial.variables.whole) check_least(&trial);
    const Func *slice =
        slice_graph(arena, func, slice_demand_kept(trial.demand), slice_demand_next(trial.demand));
    RunResult was = run(&trial, func, seed, 4000), is = run(&trial, slice, seed, 40000);
    if (was.behaviour.end != END_RESULT) return;
    totals->compared++;
    uint32_t i = was.behaviour.event_hashes.count, k = is.behaviour.event_hashes.count;
    if (is.behaviour.end != END_RESULT || i == 0 || k == 0 || (all && i != k) ||
        was.behaviour.event_hashes.at[i - 1] != is.behaviour.event_hashes.at[k - 1])
        fail_with(&trial,
                  arena_printf(arena, "another result, seed %llu", (unsigned long long)seed));
    for (uint32_t e = 0; all && e < i; e++)
        if (was.behaviour.event_hashes.at[e] != is.behaviour.event_hashes.at[e])
            fail_with(&trial, "other events");
}

// ---- With branches that are decided before

// Nothing is assumed, so that the slice has to yield what the function yields.
static void slice_decided(Arena *arena, const Func *func, uint64_t seed, Totals *totals) {
    Trial trial = trial_new(arena, func);
    SliceDecisions decisions = slice_decide(arena, func);
    assert_int_equal(decisions.rejected, 0);
    trial.demand = slice_demand_new(arena, &trial.variables, (SliceOptions){.way = decisions.way});
    for (uint32_t n = 0; n < func->nodes.count; n++)
        if (func->nodes.at[n].kind == I_RETURN) want_node(&trial, (Node){n});
    slice_demand_close(trial.demand);
    totals->slices++;
    totals->rounds += decisions.decided;
    totals->nodes += func->nodes.count;
    totals->kept += bits_count(slice_demand_kept(trial.demand));
    const Func *slice =
        slice_graph(arena, func, slice_demand_kept(trial.demand), slice_demand_next(trial.demand));
    RunResult was = run(&trial, func, seed, 4000), is = run(&trial, slice, seed, 40000);
    if (was.behaviour.end != END_RESULT) return;
    totals->compared++;
    uint32_t i = was.behaviour.event_hashes.count, k = is.behaviour.event_hashes.count;
    if (is.behaviour.end != END_RESULT ||
        was.behaviour.event_hashes.at[i - 1] != is.behaviour.event_hashes.at[k - 1])
        fail_with(&trial, arena_printf(arena, "decided: another result, seed %llu",
                                       (unsigned long long)seed));
}

static void test_decided(void **state) {
    (void)state;
    Arena *arena = arena_new("function");
    uint64_t count = effort(50, 500, 10000);
    Totals totals = {0};
    for (uint64_t seed = 1; seed <= count; seed++) {
        Program *program = program_new(arena);
        RandomOptions options = random_options(120, seed);
        options.variables = 1 + (uint32_t)(seed % 4);
        options.jumps = false;
        const Func *func = random_func(arena, program, options, seed);
        slice_decided(arena, func, seed, &totals);
        arena_reset(arena);
    }
    print_message("%llu slices, %llu compared, %llu branches decided, %.1f %% kept\n",
                  (unsigned long long)totals.slices, (unsigned long long)totals.compared,
                  (unsigned long long)totals.rounds,
                  100.0 * (double)totals.kept / (double)totals.nodes);
    assert_true(totals.compared > count / 3 && totals.rounds > 0);
    arena_free(arena);
}

// ---- A register at a node. The function must have no events.

static void slice_at_node(Arena *arena, const Func *func, Node node, Reg reg, uint64_t seed,
                          bool least, Totals *totals) {
    Trial trial = trial_new(arena, func);
    trial.demand = slice_demand_new(arena, &trial.variables, (SliceOptions){0});
    want_node(&trial, node);
    want_variable(&trial, node, slice_register(&trial.variables, reg));
    close_and_check(&trial, totals);
    if (least && !trial.variables.whole) check_least(&trial);
    Func *slice =
        slice_graph(arena, func, slice_demand_kept(trial.demand), slice_demand_next(trial.demand));
    RunResult was = run(&trial, func_telling(arena, func, node, reg), seed, 4000);
    RunResult is = run(&trial, func_telling(arena, slice, node, reg), seed, 40000);
    uint32_t count = was.behaviour.event_hashes.count - (was.behaviour.end == END_RESULT);
    uint32_t other = is.behaviour.event_hashes.count - (is.behaviour.end == END_RESULT);
    bool whole = was.behaviour.end == END_RESULT && is.behaviour.end == END_RESULT;
    totals->compared += count > 0;
    if ((count > other && is.behaviour.end != END_FUEL) || (whole && count != other))
        fail_with(&trial, "the node is executed less often");
    for (uint32_t e = 0; e < count && e < other; e++)
        if (was.behaviour.event_hashes.at[e] != is.behaviour.event_hashes.at[e])
            fail_with(&trial,
                      arena_printf(arena, "another value, seed %llu", (unsigned long long)seed));
}

static Reg some_register(const Func *func, Random *random) {
    for (;;) {
        Reg reg = {random_below(random, func->regs.count)};
        if (reg_type(func, reg) == TYPE_I32) return reg;
    }
}

static void slice_somewhere(Arena *arena, const Func *func, uint64_t seed, bool least,
                            Totals *totals) {
    Random random = random_from(seed);
    Node node = {random_below(&random, func->nodes.count)};
    slice_at_node(arena, func, node, some_register(func, &random), seed, least, totals);
}

// ---- Small graphs

typedef struct {
    uint32_t nodes;
    uint64_t graphs, every;
    Arena *arena;
    Program *program;
    Totals totals;
} Small;

static void visit_small(void *context, const uint8_t (*succs)[2], const uint8_t *counts) {
    Small *small = context;
    if (++small->graphs % small->every) return;
    const Func *func =
        func_of_graph(small->arena, small->program, small->nodes, succs, counts, small->graphs);
    if (small->graphs & 1) func = func_in_memory(small->arena, func, small->graphs);
    slice_at_returns(small->arena, func, small->graphs, small->graphs & 2, true, &small->totals);
    arena_reset(small->arena);
}

static void test_small_graphs(void **state) {
    (void)state;
    for (uint32_t nodes = 1; nodes <= 4; nodes++) {
        Arena *lasting = arena_new("program");
        Small small = {.nodes = nodes,
                       .every = nodes < 4 ? 1 : effort(64, 3, 1),
                       .arena = arena_new("graph"),
                       .program = program_new(lasting)};
        each_small_graph(nodes, true, visit_small, &small);
        assert_true(small.totals.slices > 0);
        arena_free(small.arena);
        arena_free(lasting);
    }
}

// ---- Random functions

static void test_random(void **state) {
    (void)state;
    Arena *arena = arena_new("function");
    uint64_t count = effort(100, 1500, 20000);
    Totals totals = {0};
    for (uint64_t seed = 1; seed <= count; seed++) {
        Program *program = program_new(arena);
        RandomOptions options = random_options(seed % 4 ? 60 : 300, seed);
        if (seed % 2) options.variables = 1 + (uint32_t)(seed % 7);
        options.jumps = seed % 50 == 0;
        options.ends = seed % 3 == 0;
        const Func *func = random_func(arena, program, options, seed);
        if (seed % 5 == 0) func = func_in_memory(arena, func, seed);
        slice_at_returns(arena, func, seed, false, seed % 4, &totals);
        slice_at_returns(arena, func, seed, true, seed % 4, &totals);
        options.omit = GEN_CALLS | GEN_VOLATILE;
        options.wide = options.jumps = false;
        func = random_func(arena, program, options, seed);
        if (seed % 5 == 1) func = func_in_memory(arena, func, seed);
        for (uint64_t i = 0; i < 3; i++)
            slice_somewhere(arena, func, seed * 3 + i, seed % 4, &totals);
        arena_reset(arena);
    }
    print_message("%llu slices, %llu compared, %.1f %% kept, %.2f rounds\n",
                  (unsigned long long)totals.slices, (unsigned long long)totals.compared,
                  100.0 * (double)totals.kept / (double)totals.nodes,
                  (double)totals.rounds / (double)totals.slices);
    assert_true(totals.compared > count);
    assert_true(totals.kept * 10 < totals.nodes * 9);
    arena_free(arena);
}

// ---- Calls

// The program with the slices of its functions; the slice of one is yielded.
static const Func *slice_program(Arena *arena, Program *program, ProgramDemand *demand, Sym of,
                                 Totals *totals) {
    const Func *slice = NULL;
    totals->slices++;
    for (uint32_t s = 0; s < program->symbols.count; s++) {
        Symbol *symbol = &program->symbols.at[s];
        if (program_demand_extent(demand, (Sym){s}) != SLICE_SLICED) {
            if (s == of.i) slice = symbol->func;
            continue;
        }
        const SliceDemand *single = program_demand_function(demand, (Sym){s});
        totals->nodes += symbol->func->nodes.count;
        totals->kept += bits_count(slice_demand_kept(single));
        Func *sliced =
            slice_graph(arena, symbol->func, slice_demand_kept(single), slice_demand_next(single));
        if (s == of.i) slice = sliced;
        symbol->func = sliced;
    }
    return slice;
}

static void slice_calls(Arena *arena, uint64_t seed, bool all, Totals *totals) {
    Program *program = program_new(arena);
    Func *func = caller_func(arena, program, seed);
    program_at(program, func->symbol)->func = func;
    Trial trial = {.arena = arena, .func = func};
    RunResult was = run(&trial, func, seed, 20000);
    SliceCalls calls = slice_calls_of(arena, program);
    ProgramDemand *demand = program_demand_new(arena, program, &calls, (ProgramDemandHooks){0});
    if (all) {
        program_demand_effects(demand, func->symbol);
    } else {
        trial.demand = program_demand_function(demand, func->symbol);
        for (uint32_t n = 0; n < func->nodes.count; n++)
            if (func->nodes.at[n].kind == I_RETURN) slice_demand_node(trial.demand, (Node){n});
    }
    program_demand_close(demand);
    trial.demand = program_demand_function(demand, func->symbol);
    const Func *slice = slice_program(arena, program, demand, func->symbol, totals);
    if (was.behaviour.end != END_RESULT) return;
    RunResult is = run(&trial, slice, seed, 200000);
    totals->compared++;
    uint32_t i = was.behaviour.event_hashes.count, k = is.behaviour.event_hashes.count;
    if (is.behaviour.end != END_RESULT || i == 0 || k == 0 || (all && i != k) ||
        was.behaviour.event_hashes.at[i - 1] != is.behaviour.event_hashes.at[k - 1])
        fail_with(&trial, arena_printf(arena, "calls: another result, seed %llu",
                                       (unsigned long long)seed));
}

static void test_calls(void **state) {
    (void)state;
    Arena *arena = arena_new("program");
    uint64_t count = effort(50, 1000, 10000);
    Totals totals = {0};
    for (uint64_t seed = 1; seed <= count; seed++) {
        slice_calls(arena, seed, seed & 1, &totals);
        arena_reset(arena);
    }
    print_message("%llu programs, %llu compared, %.1f %% kept\n", (unsigned long long)totals.slices,
                  (unsigned long long)totals.compared,
                  100.0 * (double)totals.kept / (double)totals.nodes);
    assert_true(totals.compared > count / 2);
    arena_free(arena);
}

// ---- Forward

// A node is influenced by another exactly if that one is in its slice. So it is where a return
// follows every node: behind the others, influence goes further than need be.
static void forward_one(Arena *arena, const Func *func, uint64_t seed, Totals *totals) {
    Trial trial = trial_new(arena, func);
    if (trial.variables.whole) return;
    Random random = random_from(seed);
    Node node = {random_below(&random, func->nodes.count)};
    SliceForward *forward = slice_forward_new(arena, &trial.variables, NULL);
    slice_forward_node(forward, node);
    const Bits *influenced = slice_forward_close(forward);
    if (!bits_has(influenced, node.i)) return; // control never comes there
    bool ends = true;
    for (uint32_t m = 0; m < func->nodes.count && ends; m++) {
        const Instr *instr = &func->nodes.at[m];
        ends = instr->succ_count || instr->kind == I_RETURN;
    }
    totals->slices++;
    totals->nodes += func->nodes.count;
    totals->kept += bits_count(influenced);
    for (uint32_t m = 0; m < func->nodes.count; m++) {
        trial.demand = slice_demand_new(arena, &trial.variables, (SliceOptions){0});
        slice_demand_node(trial.demand, (Node){m});
        slice_demand_close(trial.demand);
        bool needs = bits_has(slice_demand_kept(trial.demand), node.i);
        if (needs == bits_has(influenced, m) || (!ends && !needs)) continue;
        fail_with(&trial, arena_printf(arena, "seed %llu: node %u, from %u: forward %d",
                                       (unsigned long long)seed, m, node.i, !needs));
    }
}

static void test_forward(void **state) {
    (void)state;
    Arena *arena = arena_new("function");
    uint64_t count = effort(50, 600, 10000);
    Totals totals = {0};
    for (uint64_t seed = 1; seed <= count; seed++) {
        Program *program = program_new(arena);
        RandomOptions options = random_options(60, seed);
        if (seed % 2) options.variables = 1 + (uint32_t)(seed % 7);
        options.jumps = options.unbounded = false;
        options.ends = seed % 5 == 0;
        const Func *func = random_func(arena, program, options, seed);
        if (seed % 3 == 0) func = func_in_memory(arena, func, seed);
        forward_one(arena, func, seed, &totals);
        arena_reset(arena);
    }
    print_message("%llu forward slices, %.1f %% influenced\n", (unsigned long long)totals.slices,
                  100.0 * (double)totals.kept / (double)totals.nodes);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_graphs), cmocka_unit_test(test_random),
        cmocka_unit_test(test_decided),      cmocka_unit_test(test_calls),
        cmocka_unit_test(test_forward),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
