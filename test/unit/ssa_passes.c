// All steps of the pipeline in order, with checks, on every small graph and on random functions
// with many redefinitions: no pass is rejected, no form is missed, and every form behaves as the
// function did. The same with the passes on SSA that run on request instead of Sea of Nodes, and
// with each optimization alone.
#include "pipeline/pipeline.h"
#include "pipeline/transforms.h"
#include "test/gen/compare.h"
#include "test/gen/correlated.h"
#include "test/gen/effort.h"
#include "test/gen/graphs.h"
#include "test/gen/one_by_one.h"
#include "test/gen/random_func.h"
#include "text/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct {
    Arena *lasting; // the program and the pipeline
    Arena *arena;   // one function and its runs
    Program *program;
    Diag diag;
    Pipeline pipeline;
    const Func *original; // of the run at hand
    uint64_t seed, runs, fuel;
    uint64_t functions, compared;
} World;

// Every form that was committed is run against the original.
static void compare(void *context, uint32_t step, const Func *before, const Func *func,
                    const void *hint) {
    World *world = context;
    (void)before, (void)hint;
    for (uint64_t run = 0; run < world->runs; run++) {
        const char *difference = behaviour_difference(world->arena, world->original, func,
                                                      world->seed * 8 + run, world->fuel);
        world->compared++;
        if (!difference) continue;
        Out text = {0};
        func_print(&text, world->original, &(PrintOptions){0});
        func_print(&text, func, &(PrintOptions){0});
        out_char(&text, '\0');
        fail_msg("seed %llu, after %s: %s\n%s", (unsigned long long)world->seed,
                 step_name(world->arena, step), difference, text.text);
    }
}

static void begin(World *world) {
    *world = (World){.lasting = arena_new("lasting"), .arena = arena_new("function")};
    world->program = program_new(world->lasting);
    diag_init(&world->diag, world->lasting, NULL);
    pipeline_init(&world->pipeline, world->lasting, transform_table, &world->diag);
    world->pipeline.level = 2;
    world->pipeline.observe = compare;
    world->pipeline.context = world;
}

static void end(World *world) {
    for (uint32_t step = 0; step < step_count; step++) {
        const PassStats *stats = &world->pipeline.stats[step];
        if (stats->changed)
            print_message("%-14s %8llu functions, %8llu changed, %llu rejected\n",
                          step_name(world->lasting, step), (unsigned long long)stats->functions,
                          (unsigned long long)stats->changed, (unsigned long long)stats->rejected);
    }
    print_message("%llu functions, %llu comparisons\n", (unsigned long long)world->functions,
                  (unsigned long long)world->compared);
    pipeline_free(&world->pipeline);
    diag_free(&world->diag);
    arena_free(world->arena);
    arena_free(world->lasting);
}

static void run(World *world, const Func *func, uint64_t seed, uint64_t runs, uint64_t fuel) {
    world->original = func;
    world->seed = seed;
    world->runs = runs;
    world->fuel = fuel;
    world->functions++;
    pipeline_run(&world->pipeline, func);
    for (uint32_t step = 0; step < step_count; step++) {
        if (!world->pipeline.stats[step].rejected) continue;
        Out text = {0};
        func_print(&text, func, &(PrintOptions){0});
        out_char(&text, '\0');
        fail_msg("seed %llu: %s rejected: %.*s\n%s", (unsigned long long)seed,
                 step_name(world->arena, step), (int)world->diag.out.length, world->diag.out.text,
                 text.text);
    }
    for (Form form = 0; form < FORM_COUNT; form++)
        if (world->pipeline.missed[form])
            fail_msg("seed %llu: %.*s", (unsigned long long)seed, (int)world->diag.out.length,
                     world->diag.out.text);
    for (uint32_t step = 0; step < step_count; step++)
        if (world->pipeline.stats[step].left_out)
            fail_msg("seed %llu: %s left out", (unsigned long long)seed,
                     step_name(world->arena, step));
}

// Leaves out every optimization but one; what comes before SSA and after it stays.
static void only(Pipeline *pipeline, PassId kept) {
    for (uint32_t pass = 0; pass < PASS_COUNT; pass++) {
        bool optimizes = pass_table[pass].from == FORM_SSA && pass_table[pass].to == FORM_SSA &&
                         !pass_table[pass].gives; // which gsa_build needs
        pipeline->off[pass] = optimizes && pass != (uint32_t)kept;
        pipeline->on[pass] = pass == (uint32_t)kept;
    }
    pipeline->off[PASS_son_build] = true;
}

// ---- Small graphs

typedef struct {
    World world;
    uint32_t nodes;
    uint64_t graphs, every, run_every;
} Small;

static void visit_small(void *context, const uint8_t (*succs)[2], const uint8_t *counts) {
    Small *small = context;
    World *world = &small->world;
    if (++small->graphs % small->every) return;
    const Func *func =
        func_of_graph(world->arena, world->program, small->nodes, succs, counts, small->graphs);
    run(world, func, small->graphs, small->graphs % small->run_every == 0, 100);
    arena_reset(world->arena);
}

static void all_graphs(uint32_t nodes, bool with_returns, uint64_t every, uint64_t run_every) {
    for (int one_by_one = 0; one_by_one < 2; one_by_one++) {
        Small small = {.nodes = nodes, .every = every, .run_every = run_every};
        begin(&small.world);
        if (one_by_one) switch_one_by_one(&small.world.pipeline);
        each_small_graph(nodes, with_returns, visit_small, &small);
        end(&small.world);
    }
}

static void test_small_graphs(void **state) {
    (void)state;
    for (uint32_t nodes = 1; nodes <= 4; nodes++)
        for (int with_returns = 0; with_returns < 2; with_returns++)
            all_graphs(nodes, with_returns, nodes < 4 ? 1 : effort(256, 32, 1), effort(8, 4, 1));
}

static void test_graphs_of_five(void **state) {
    (void)state;
    all_graphs(5, true, effort(16384, 2048, 1), effort(16, 4, 4));
}

// ---- Random functions

// Some of the edges that go back, with a spin: loops there may run for ever, others must end.
static const Func *with_spins(Arena *arena, const Func *func, uint64_t seed) {
    Random random = random_from(seed);
    Func *result = func_clone(func, arena);
    for (uint32_t n = 0; n < func->nodes.count; n++)
        for (uint32_t k = 0; k < func->nodes.at[n].succ_count; k++) {
            Node succ = instr_succs(func, &func->nodes.at[n])[k];
            if (succ.i > n || random_chance(&random, 1, 2)) continue;
            Node spin = func_add(result, (Instr){.kind = I_BUILTIN,
                                                 .op = BI_SPIN,
                                                 .dest = NO_REG,
                                                 .succ_count = 1,
                                                 .succ = {succ}});
            func_set_succ(result, (Node){n}, k, spin);
        }
    return result;
}

// Few variables, each set again and again; some undefined, some wrong steps; in every other one
// branches of which those above decide many.
static const Func *random_one(World *world, uint64_t seed) {
    RandomOptions options = random_options(seed % 4 ? 60 : 500, seed);
    options.variables = 1 + (uint32_t)(seed % 7);
    options.undefined = seed % 5 == 0 ? 30 : options.undefined;
    const Func *func = random_func(world->arena, world->program, options, seed);
    if (seed % 2 == 0) func = correlated_func(world->arena, func, seed);
    return seed % 3 ? func : with_spins(world->arena, func, seed);
}

// The first functions by which mistakes were found:
//   316  tidy took a copy of a phi, which stands for a join, for that join
//   580  branches go one way and another again and again while values are numbered
static const uint64_t telling[] = {316, 580};

static void random_functions(World *world, uint64_t first, uint64_t count, uint64_t runs) {
    for (uint64_t seed = first; seed < first + count; seed++) {
        run(world, random_one(world, seed), seed, runs, 2000);
        arena_reset(world->arena);
    }
    for (uint32_t i = 0; i < sizeof telling / sizeof *telling; i++) {
        run(world, random_one(world, telling[i]), telling[i], runs, 2000);
        arena_reset(world->arena);
    }
}

static void test_random(void **state) {
    (void)state;
    World world;
    begin(&world);
    random_functions(&world, 1, effort(30, 200, 20000), 2);
    for (uint32_t step = 0; step < step_count; step++)
        if (step_at(step).level != LEVEL_REQUEST)
            assert_true(world.pipeline.stats[step].functions > 0);
    end(&world);
}

static void test_one_by_one(void **state) {
    (void)state;
    World world;
    begin(&world);
    switch_one_by_one(&world.pipeline);
    random_functions(&world, 1, effort(30, 200, 20000), 2);
    for (uint32_t step = 0; step < step_count; step++)
        if (step_at(step).level == LEVEL_REQUEST)
            assert_true(world.pipeline.stats[step].functions > 0);
    end(&world);
}

// With excursions verified step by step.
static void test_excursions(void **state) {
    (void)state;
    World world;
    begin(&world);
    world.pipeline.verify_inside = true;
    for (uint32_t step = 0; step < step_count; step++)
        excursion_switch_on(step, world.pipeline.on, world.pipeline.off);
    random_functions(&world, 1, effort(30, 200, 20000), 2);
    for (uint32_t step = 0; step < step_count; step++)
        if (pass_is_inner(step_at(step).pass))
            assert_true(world.pipeline.stats[step].functions > 0);
    end(&world);
}

// Large ones, with every shape of control flow.
static void test_random_large(void **state) {
    (void)state;
    World world;
    begin(&world);
    for (uint64_t seed = 1; seed <= effort(1, 4, 300); seed++) {
        const Func *func =
            random_func(world.arena, world.program, random_options(6000, seed), seed);
        run(&world, func, seed, 1, 20000);
        arena_reset(world.arena);
    }
    end(&world);
}

static void test_each_alone(void **state) {
    (void)state;
    for (uint32_t pass = 0; pass < PASS_COUNT; pass++) {
        if (pass_table[pass].from != FORM_SSA || pass_table[pass].to != FORM_SSA) continue;
        World world;
        begin(&world);
        only(&world.pipeline, (PassId)pass);
        random_functions(&world, 1000 * (uint64_t)pass, effort(10, 40, 3000), 1);
        end(&world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_graphs), cmocka_unit_test(test_graphs_of_five),
        cmocka_unit_test(test_excursions),   cmocka_unit_test(test_random),
        cmocka_unit_test(test_one_by_one),   cmocka_unit_test(test_random_large),
        cmocka_unit_test(test_each_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
