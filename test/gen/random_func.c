#include "test/gen/random_func.h"

#include "test/gen/control.h"

static void emit_control(Body *body, const RandomOptions *options) {
    // In a small function the definitions at the entry must not be all there is.
    uint32_t least = body_count(body) + options->nodes / 2 + 2;
    uint32_t nodes = options->nodes > least ? options->nodes : least;
    if (options->shape == RANDOM_GOTOS) {
        emit_gotos(body, &(GotoOptions){.nodes = nodes,
                                        .branches = random_range(&body->random, 15, 50),
                                        .reducible = options->reducible,
                                        .unbounded = options->unbounded});
        return;
    }
    emit_structured(body,
                    &(StructuredOptions){.nodes = nodes,
                                         .max_depth = options->max_depth ? options->max_depth : 6,
                                         .gotos = options->shape == RANDOM_MIXED,
                                         .unbounded = options->unbounded});
}

Func *random_func(Arena *arena, Program *program, RandomOptions options, uint64_t seed) {
    Body body = body_begin(arena, program,
                           (BodyOptions){.name = options.name ? options.name : "f",
                                         .wide = options.wide,
                                         .omit = options.omit,
                                         .wrong = options.wrong,
                                         .reuse = options.reuse,
                                         .ends = options.ends,
                                         .jumps = options.jumps,
                                         .distances = options.distances,
                                         .seed = seed});
    uint32_t variables = options.variables;
    if (!variables && options.reuse) variables = random_range(&body.random, 3, 8);
    if (!variables) variables = random_range(&body.random, 3, 8 + options.nodes / 16);
    body_add_variables(&body, variables, options.undefined);
    body_clear_slots(&body, options.undefined);
    emit_control(&body, &options);
    return body_end(&body);
}

RandomOptions random_options(uint32_t max_nodes, uint64_t seed) {
    Random random = random_from(seed ^ 0x6f7074696f6e73);
    RandomOptions options = {.shape = (RandomShape)random_below(&random, RANDOM_SHAPE_COUNT)};
    // Small functions find small counterexamples.
    uint32_t limit = max_nodes >> random_below(&random, 5);
    options.nodes = random_range(&random, 1, limit ? limit : 1);
    options.max_depth = random_range(&random, 1, 10);
    options.omit = random_chance(&random, 1, 3) ? random_below(&random, 64) : 0;
    options.undefined = random_chance(&random, 1, 8) ? random_range(&random, 1, 30) : 0;
    options.wrong = random_chance(&random, 1, 4) ? random_range(&random, 1, 200) : 10;
    options.wide = random_chance(&random, 1, 3);
    options.reducible = random_chance(&random, 1, 2);
    options.unbounded = random_chance(&random, 1, 10);
    options.reuse = random_chance(&random, 1, 3);
    options.ends = random_chance(&random, 1, 3);
    options.jumps = !(options.omit & (GEN_CALLS | GEN_MEMORY)) && random_chance(&random, 1, 6);
    options.distances = random_chance(&random, 1, 3);
    return options;
}
