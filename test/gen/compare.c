#include "test/gen/compare.h"

#include "test/gen/random.h"

static void run(Arena *arena, const Func *like, const Func *func, uint64_t seed, uint64_t fuel,
                RunResult *result) {
    Random random = random_from(seed);
    bool wide = reg_type(like, like->params.at[0]) == TYPE_I64;
    uint64_t mask = wide ? UINT64_MAX : UINT32_MAX;
    Value args[2];
    for (int i = 0; i < 2; i++) {
        uint64_t bits = random_next(&random);
        args[i] = (Value){.bits = bits >> (random_next(&random) & 63) & mask};
    }
    RunOptions options = {.fuel = fuel, .capture = true, .no_input = true, .no_files = true};
    rtl_run_func(arena, like->program, func, args, 2, &options, result);
}

bool behaviour_returns(Arena *arena, const Func *func, uint64_t seed, uint64_t fuel) {
    RunResult result = {0};
    run(arena, func, func, seed, fuel, &result);
    out_free(&result.output);
    return result.behaviour.end == END_RESULT;
}

// The second run gets more fuel, so that it cannot hide behind the lack of it.
const char *behaviour_difference(Arena *arena, const Func *before, const Func *after, uint64_t seed,
                                 uint64_t fuel) {
    RunResult was = {0}, is = {0};
    run(arena, before, before, seed, fuel, &was);
    run(arena, before, after, seed, fuel * 8 + 1000, &is);
    const char *difference = NULL;
    if (behaviour_refines(arena, &was.behaviour, &is.behaviour, &difference)) difference = NULL;
    if (was.behaviour.end == END_RESULT && is.behaviour.end == END_FUEL)
        difference = "the new function does not return";
    out_free(&was.output);
    out_free(&is.output);
    return difference;
}
