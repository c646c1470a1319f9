// Slices of large functions, of the shapes that break what is quadratic or recursive: on their
// results alone, and with all that they do. What is counted is steps of the demand, which do not
// depend on the machine; times and their growth are printed.
#include "bench/shapes.h"
#include "slice/slice.h"
#include "test/gen/effort.h"
#include "test/gen/in_memory.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

typedef struct {
    uint32_t nodes, kept, rounds, pieces;
    uint64_t steps;
    double seconds;
} Sample;

static Sample measure(Shape shape, uint32_t nodes, bool all, bool memory) {
    Arena *arena = arena_new("scale");
    const Func *func = shape_func(arena, program_new(arena), shape, nodes, 1);
    if (memory) func = func_in_memory(arena, func, 1);
    SliceVariables variables = slice_variables_of(arena, func, NULL);
    double start = (double)clock() / CLOCKS_PER_SEC;
    SliceDemand *demand = slice_demand_new(arena, &variables, (SliceOptions){0});
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        if (func->nodes.at[n].kind != I_RETURN) continue;
        slice_demand_node(demand, (Node){n});
        for (uint32_t v = 0; all && v < SLICE_WORLD_COUNT; v++)
            slice_demand_variable(demand, (Node){n}, v);
    }
    slice_demand_close(demand);
    Sample sample = {.nodes = func->nodes.count,
                     .kept = bits_count(slice_demand_kept(demand)),
                     .pieces = variables.pieces.count,
                     .rounds = slice_demand_rounds(demand),
                     .steps = slice_demand_steps(demand),
                     .seconds = (double)clock() / CLOCKS_PER_SEC - start};
    arena_free(arena);
    return sample;
}

static void grow(Shape shape, bool all, bool memory) {
    uint32_t nodes = (uint32_t)effort(3000, 20000, 1000000);
    Sample small = measure(shape, nodes / 10, all, memory);
    Sample large = measure(shape, nodes, all, memory);
    double by = log((double)large.nodes / small.nodes);
    double growth = log((double)large.steps / (double)small.steps) / by;
    print_message(
        "%-9s%s%s %7u nodes, %u pieces, %5.1f %% kept, %u rounds, %.1f steps per node (%.2f), "
        "%.1f ms (%.2f)\n",
        shape_name(shape), all ? " all" : "", memory ? " memory" : "", large.nodes, large.pieces,
        100.0 * large.kept / large.nodes, large.rounds, (double)large.steps / large.nodes, growth,
        large.seconds * 1e3, log(large.seconds / fmax(small.seconds, 1e-6)) / by);
    // On a ladder each piece of an object meets at each join, and pieces are many in large ones.
    uint32_t meet = shape == SHAPE_LADDER && !memory ? large.pieces / 4 : 0;
    assert_true(large.steps < (uint64_t)large.nodes * (70 + meet));
}

static void test_shapes(void **state) {
    (void)state;
    for (Shape shape = 0; shape < SHAPE_COUNT; shape++)
        for (int how = 0; how < 4; how++) grow(shape, how & 1, how & 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shapes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
