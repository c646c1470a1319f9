#include "test/gen/gated.h"

#include "hint/hints_ssa.h"
#include "pass/pass.h"
#include "test/gen/graphs.h"
#include "test/gen/random.h"
#include "test/gen/random_func.h"
#include "test/gen/twins.h"

GatedFunc gated_func(Arena *arena, const Func *func) {
    GatedFunc result = {0};
    CloseLoopsHint hint = {0};
    const Func *ssa = ssa_of(arena, func);
    result.closed = close_loops(arena, ssa, &hint);
    if (!result.closed) result.closed = ssa;
    result.gated = gsa_build(arena, result.closed, &result.hint);
    return result;
}

static Func *random_graph(Arena *arena, Program *program, Random *random, uint64_t seed) {
    uint32_t nodes = random_range(random, 3, 12);
    uint8_t succs[12][2], counts[12];
    for (uint32_t i = 0; i < nodes; i++) {
        counts[i] = (uint8_t)(random_chance(random, 9, 10) ? random_range(random, 1, 2) : 0);
        for (uint32_t k = 0; k < 2; k++) succs[i][k] = (uint8_t)random_below(random, nodes);
    }
    return func_of_graph(arena, program, nodes, (const uint8_t(*)[2])succs, counts, seed);
}

GatedFunc gated_random(Arena *arena, Program *program, uint32_t max_nodes, uint64_t seed) {
    Random random = random_from(seed);
    return gated_func(
        arena,
        random_chance(&random, 1, 2)
            ? random_graph(arena, program, &random, seed)
            : random_func(arena, program, random_options(max_nodes, random_next(&random)), seed));
}
