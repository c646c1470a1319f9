#include "test/gen/compare.h"

#include "test/gen/random.h"

// The second run gets more fuel, so that it cannot hide behind the lack of it.
const char *behaviour_difference(Arena *arena, const Func *before, const Func *after, uint64_t seed,
                                 uint64_t fuel) {
    Random random = random_from(seed);
    bool wide = reg_type(before, before->params.at[0]) == TYPE_I64;
    uint64_t mask = wide ? UINT64_MAX : UINT32_MAX;
    Value args[2];
    for (int i = 0; i < 2; i++) {
        uint64_t bits = random_next(&random);
        args[i] = (Value){.bits = bits >> (random_next(&random) & 63) & mask};
    }
    RunOptions options = {.fuel = fuel, .capture = true, .no_input = true, .no_files = true};
    RunResult was = {0}, is = {0};
    rtl_run_func(arena, before->program, before, args, 2, &options, &was);
    options.fuel = fuel * 8 + 1000;
    rtl_run_func(arena, before->program, after, args, 2, &options, &is);
    const char *difference = NULL;
    if (behaviour_refines(arena, &was.behaviour, &is.behaviour, &difference)) difference = NULL;
    if (was.behaviour.end == END_RESULT && is.behaviour.end == END_FUEL)
        difference = "the new function does not return";
    out_free(&was.output);
    out_free(&is.output);
    return difference;
}
