// Instruction selection on random functions, with folding and without: the result is well-formed, the
// checker accepts it and it behaves as before.
#include "x64/select_code.h"
#include "check/check_select_code.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "test/gen/compare.h"
#include "test/gen/effort.h"
#include "test/gen/random_func.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

typedef Func *Way(Arena *arena, const Func *func, SelectHint *hint);

static void try_way(Arena *arena, const Func *rtl, Way *way, uint64_t seed) {
    SelectHint hint = {0};
    Complaints complaints = {.arena = arena};
    Func *mach = way(arena, rtl, &hint);
    if (!verify_func(&complaints, mach))
        fail_msg("seed %ju: %s", (uintmax_t)seed, complaints.list.at[0].message);
    Verdict verdict = check_select_code(arena, rtl, mach, &hint);
    if (!verdict.accepted) fail_msg("seed %ju: %s", (uintmax_t)seed, verdict.reason);
    const char *difference = behaviour_difference(arena, rtl, mach, seed, 20000);
    if (difference) fail_msg("seed %ju: %s", (uintmax_t)seed, difference);
}

static void try_options(Arena *arena, RandomOptions options, uint64_t seed) {
    Program *program = program_new(arena);
    program->pic = (PicLevel)(seed % 3);
    const Func *rtl = random_func(arena, program, options, seed);
    try_way(arena, rtl, select_code, seed);
    try_way(arena, rtl, select_code_plain, seed);
    arena_reset(arena);
}

static void try_seed(Arena *arena, uint32_t max_nodes, uint64_t seed) {
    try_options(arena, random_options(max_nodes, seed), seed);
}

// As functions were when the seed was found.
static void try_old_seed(Arena *arena, uint32_t max_nodes, uint64_t seed) {
    RandomOptions options = random_options(max_nodes, seed);
    options.ends = false;
    try_options(arena, options, seed);
}

static void test_random(void **state) {
    (void)state;
    Arena *arena = arena_new("test");
    for (uint64_t seed = 1; seed <= effort(100, 1000, 20000); seed++)
        try_seed(arena, seed % 2 ? 300 : 40, seed);
    arena_free(arena);
}

// Functions with immediates of more than 32 bits in sums, and with constants in code that is never
// reached.
static void test_once_wrong(void **state) {
    (void)state;
    static const uint64_t seeds[] = {300, 427, 1654, 1712, 3281};
    Arena *arena = arena_new("test");
    for (uint32_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++)
        try_old_seed(arena, 300, seeds[i]);
    try_old_seed(arena, 40, 662);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_once_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
