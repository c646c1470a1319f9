// The checker of slices on random functions and random sets of kept nodes: what is closed under
// demand is accepted; of what else is accepted, the kept nodes read what they read in the original,
// in the same order.
#include "check/slice/check_slice.h"
#include "slice/slice.h"
#include "slice/slice_hint.h"
#include "test/gen/effort.h"
#include "test/gen/graphs.h"
#include "test/gen/in_memory.h"
#include "test/gen/random_func.h"
#include "test/gen/slice_cut.h"
#include "text/text.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct {
    uint64_t closed, tried, accepted, compared, events, kept, nodes;
} Totals;

typedef struct {
    Arena *arena;
    Random random;
    Program *before, *after;
    const Func *func;
    SliceVariables variables;
    VEC(SlicePoint) points;
    VEC(uint32_t) exits;
    uint32_t *way; // NULL: nothing is assumed
    SliceWorldSet outputs;
    Bits kept;
} Trial;

static void fail_with(Trial *trial, const char *what, uint64_t seed) {
    Out text = {0};
    func_print(&text, trial->func, &(PrintOptions){0});
    func_print(&text, program_at(trial->after, trial->func->symbol)->func, &(PrintOptions){0});
    out_char(&text, '\0');
    fprintf(stderr, "%s", text.text);
    fail_msg("seed %llu: %s\n%s", (unsigned long long)seed, what, text.text);
}

// One way of some branches.
static void assume(Trial *trial) {
    const Func *func = trial->func;
    trial->way = ARENA_ARRAY(trial->arena, uint32_t, func->nodes.count);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        bool some = instr->succ_count > 1 && random_chance(&trial->random, 1, 3);
        trial->way[n] = some ? random_below(&trial->random, instr->succ_count) : NO_ID;
    }
}

// What is asked for: a register at a node, or what happens at the returns.
static void ask(Trial *trial, SliceDemand *demand) {
    const Func *func = trial->func;
    bool at_returns = random_chance(&trial->random, 1, 2);
    if (!at_returns && random_chance(&trial->random, 1, 3))
        vec_push(trial->arena, &trial->exits, random_below(&trial->random, trial->variables.count));
    if (at_returns) trial->outputs = (SliceWorldSet)random_next(&trial->random) & SLICE_EVERYTHING;
    if (at_returns && random_chance(&trial->random, 1, 2)) trial->outputs |= SLICE_RESULT;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        if (func->nodes.at[n].kind != I_RETURN) continue;
        for (uint32_t i = 0; i < trial->exits.count; i++)
            slice_demand_variable(demand, (Node){n}, trial->exits.at[i]);
        if (trial->outputs & SLICE_RESULT) slice_demand_node(demand, (Node){n});
        for (uint32_t v = 0; v < SLICE_WORLD_COUNT; v++)
            if (trial->outputs >> v & 1) slice_demand_variable(demand, (Node){n}, v);
        if (trial->outputs) slice_demand_node(demand, (Node){n});
    }
    if (at_returns) return;
    for (uint32_t count = random_range(&trial->random, 1, 2); count-- > 0;) {
        SlicePoint point = {{random_below(&trial->random, func->nodes.count)},
                            random_below(&trial->random, trial->variables.count)};
        if (func->nodes.at[point.node.i].kind == I_NOP) continue; // compiling makes other ones
        slice_demand_node(demand, point.node);
        slice_demand_variable(demand, point.node, point.variable);
        vec_push(trial->arena, &trial->points, point);
    }
}

// The nodes to keep: as they are demanded, some more or less, or any.
static bool choose(Trial *trial, uint32_t how, const Bits *demanded) {
    trial->kept = bits_new(trial->arena, trial->func->nodes.count);
    bits_copy(&trial->kept, demanded);
    if (how == 0) return true;
    uint32_t changes = how < 6 ? 1 : random_range(&trial->random, 1, 1 + trial->kept.size / 2);
    bool changed = false;
    while (changes-- > 0) {
        uint32_t node = random_below(&trial->random, trial->kept.size);
        bool point = false;
        for (uint32_t i = 0; i < trial->points.count; i++)
            point |= trial->points.at[i].node.i == node;
        if (point) continue;
        if (bits_has(&trial->kept, node))
            bits_remove(&trial->kept, node);
        else
            bits_add(&trial->kept, node);
        changed = true;
    }
    return changed;
}

// The slice of the kept nodes, as slice_hint_make understands them.
static SliceHint *make_slice(Trial *trial) {
    SliceRequest request = {.symbol = trial->func->symbol,
                            .kept = &trial->kept,
                            .points = trial->points.at,
                            .point_count = trial->points.count,
                            .exits = trial->exits.at,
                            .exit_count = trial->exits.count,
                            .way = trial->way,
                            .outputs = trial->outputs};
    trial->after = program_twin(trial->arena, trial->before);
    // Nexts are found without the slice; the first hint is for these alone.
    SliceHint *first = slice_hint_make(trial->arena, trial->before, trial->after, &request, 1);
    slice_cut(trial->arena, &trial->random, trial->after, trial->func->symbol,
              first->functions.at[0].next.at);
    return slice_hint_make(trial->arena, trial->before, trial->after, &request, 1);
}

static void try_slice(Trial *trial, uint32_t how, uint64_t seed, Totals *totals) {
    SliceHint *hint = make_slice(trial);
    Complaints complaints = {.arena = trial->arena};
    if (!verify_program(&complaints, trial->after))
        fail_with(trial, complaints.list.at[0].message, seed);
    Verdict verdict = check_slice(trial->arena, trial->before, trial->after, hint);
    totals->tried++;
    if (how == 0) {
        totals->closed++;
        totals->kept += bits_count(&trial->kept);
        totals->nodes += trial->kept.size;
        if (!verdict.accepted) fail_with(trial, verdict.reason, seed);
    }
    if (!verdict.accepted) return;
    totals->accepted++;
    for (uint64_t run = 0; run < 2; run++) {
        const char *difference =
            slice_difference(trial->arena, trial->before, trial->after, &hint->functions.at[0],
                             seed + run, &totals->events);
        totals->compared++;
        if (difference) fail_with(trial, difference, seed);
    }
}

static void try_function(Arena *arena, Program *program, const Func *func, uint64_t seed,
                         Totals *totals) {
    Trial base = {.arena = arena, .random = random_from(seed)};
    program_at(program, func->symbol)->func = func;
    base.before = program_twin(arena, program);
    base.func = program_at(base.before, func->symbol)->func;
    SliceCalls calls = slice_calls_of(arena, base.before);
    base.variables = slice_variables_of(arena, base.func, &calls);
    if (seed % 6 == 0) assume(&base);
    SliceDemand *demand = slice_demand_new(arena, &base.variables, (SliceOptions){.way = base.way});
    ask(&base, demand);
    slice_demand_close(demand);
    for (uint32_t how = 0; how < 8; how++) {
        Trial trial = base;
        trial.random = random_from(seed * 8 + how);
        if (choose(&trial, how, slice_demand_kept(demand))) try_slice(&trial, how, seed, totals);
    }
}

static void test_random(void **state) {
    (void)state;
    Arena *arena = arena_new("function");
    Totals totals = {0};
    uint64_t count = effort(50, 1500, 20000);
    for (uint64_t seed = 1; seed <= count; seed++) {
        Program *program = program_new(arena);
        RandomOptions options = random_options(seed % 4 ? 40 : 150, seed);
        if (seed % 2) options.variables = 1 + (uint32_t)(seed % 7);
        options.ends = seed % 3 == 0;
        options.unbounded = seed % 5 == 0;
        options.undefined = 0;
        options.wide = false;
        options.distances = options.jumps = false;
        const Func *func = random_func(arena, program, options, seed);
        if (seed % 3 == 1) func = func_in_memory(arena, func, seed);
        try_function(arena, program, func, seed, &totals);
        arena_reset(arena);
    }
    print_message("%llu slices, %llu of them closed (%.1f %% kept), %llu accepted, %llu runs with "
                  "%llu events\n",
                  (unsigned long long)totals.tried, (unsigned long long)totals.closed,
                  100.0 * (double)totals.kept / (double)totals.nodes,
                  (unsigned long long)totals.accepted, (unsigned long long)totals.compared,
                  (unsigned long long)totals.events);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
