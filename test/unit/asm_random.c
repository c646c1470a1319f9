// Random functions, run by the state machine under several choices and as code for mach0 in several
// orders, behave as the same function run in order: wrong steps, traps, endless loops and calls
// that return twice included. Code for mach0 is accepted by its checker.
#include "check/checkers.h"
#include "pass/pass.h"
#include "run/world/run.h"
#include "test/gen/effort.h"
#include "test/gen/in_memory.h"
#include "test/gen/random_func.h"
#include "test/gen/scramble.h"
#include "test/gen/twins.h"
#include "text/text.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { SEEDS = 5, CHOICES = SEEDS + 3, FUEL = 20000 };

typedef struct {
    uint64_t ends[END_FUEL + 1];         // of runs in order
    uint64_t runs, operations;           // of the state machine
    uint64_t codes, instructions, steps; // of mach0
} Tally;

typedef struct {
    Arena *arena;
    const Func *func; // SSA
    Value args[2];
    uint64_t seed;
} Subject;

static void fail_with(const Subject *subject, const Func *func, const char *how, const char *what) {
    Out text = {0};
    func_print(&text, subject->func, &(PrintOptions){0});
    if (func != subject->func) func_print(&text, func, &(PrintOptions){0});
    out_char(&text, '\0');
    fputs(text.text, stderr);
    fail_msg("seed %ju, %s: %s", (uintmax_t)subject->seed, how, what);
}

static Behaviour run(const Subject *subject, const Func *func, uint64_t fuel, RunWay way,
                     AsmChoice choice) {
    RunOptions options = {.fuel = fuel,
                          .capture = true,
                          .no_input = true,
                          .no_files = true,
                          .way = way,
                          .choice = choice};
    RunResult result = {0};
    rtl_run_func(subject->arena, func->program, func, subject->args, 2, &options, &result);
    if (result.refused) fail_with(subject, func, "refused", result.behaviour.reason);
    out_free(&result.output);
    return result.behaviour;
}

// In both directions where neither goes wrong.
static void expect_same(const Subject *subject, const Func *func, const char *how,
                        const Behaviour *in_order, const Behaviour *other) {
    const char *difference = NULL;
    if (!behaviour_refines(subject->arena, in_order, other, &difference) ||
        (in_order->end != END_WRONG &&
         !behaviour_refines(subject->arena, other, in_order, &difference)))
        fail_with(subject, func, how, difference);
    if (in_order->end != END_FUEL && in_order->end != END_WRONG && other->end == END_FUEL)
        fail_with(subject, func, how, "ends in order only");
}

static void by_state_machine(const Subject *subject, const Behaviour *in_order, Tally *tally) {
    static const char *const names[] = {"eager", "lazy", "reverse"};
    for (uint32_t i = 0; i < CHOICES; i++) {
        AsmChoice choice = {.kind = ASM_SEED, .seed = subject->seed + i};
        if (i < 3) choice.kind = i == 0 ? ASM_EAGER : i == 1 ? ASM_LAZY : ASM_REVERSE;
        Behaviour other = run(subject, subject->func, 4 * FUEL, RUN_asm, choice);
        const char *how =
            i < 3 ? names[i] : arena_printf(subject->arena, "choice %ju", (uintmax_t)choice.seed);
        expect_same(subject, subject->func, how, in_order, &other);
        tally->runs++;
        tally->operations += other.steps;
    }
}

static void by_mach0(const Subject *subject, const Behaviour *in_order, uint32_t order,
                     Tally *tally) {
    AsideOptions options = {.seed = order ? subject->seed + order : 0};
    Mach0Hint hint = {0};
    const Func *code = mach0_build(subject->arena, subject->func, &options, &hint);
    const char *how = arena_printf(subject->arena, "mach0, seed %ju", (uintmax_t)options.seed);
    if (!code) fail_with(subject, subject->func, how, "not made");
    Complaints complaints = {.arena = subject->arena};
    if (!verify_func(&complaints, code))
        fail_with(subject, code, how, complaints.list.at[0].message);
    Verdict verdict = check_mach0_build(subject->arena, subject->func, code, &hint);
    if (!verdict.accepted) fail_with(subject, code, how, verdict.reason);
    Behaviour other = run(subject, code, 8 * FUEL, RUN_PLAIN, (AsmChoice){0});
    expect_same(subject, code, how, in_order, &other);
    tally->codes++;
    tally->instructions += code->nodes.count;
    tally->steps += other.steps;
}

static const Func *random_ssa(Arena *arena, uint64_t seed) {
    RandomOptions options = random_options(seed % 4 ? 60 : 300, seed);
    options.jumps |= seed % 7 == 2 && !(options.omit & (GEN_CALLS | GEN_MEMORY));
    const Func *func = random_func(arena, program_new(arena), options, seed);
    if (seed % 3 == 1) func = func_in_memory(arena, func, seed);
    func = ssa_of(arena, func);
    Random random = random_from(seed);
    if (seed % 5 == 1) func = scramble_ssa(arena, func, random_range(&random, 10, 60), &random);
    return func;
}

static void one_function(uint64_t seed, Tally *tally) {
    Arena *arena = arena_new("random");
    Subject subject = {.arena = arena, .func = random_ssa(arena, seed), .seed = seed};
    Random random = random_from(seed);
    bool wide = reg_type(subject.func, subject.func->params.at[0]) == TYPE_I64;
    for (int i = 0; i < 2; i++) {
        uint64_t bits = random_next(&random);
        subject.args[i].bits =
            bits >> (random_next(&random) & 63) & (wide ? UINT64_MAX : UINT32_MAX);
    }
    Behaviour in_order = run(&subject, subject.func, FUEL, RUN_PLAIN, (AsmChoice){0});
    tally->ends[in_order.end]++;
    by_state_machine(&subject, &in_order, tally);
    for (uint32_t order = 0; order < SEEDS; order++) by_mach0(&subject, &in_order, order, tally);
    arena_free(arena);
}

static void random_functions(void **state) {
    (void)state;
    Tally tally = {0};
    uint64_t count = effort(40, 800, 20000);
    const char *text = getenv("GATE_SEED");
    uint64_t first = text ? strtoull(text, NULL, 10) : 1;
    for (uint64_t seed = first; seed < first + count; seed++) one_function(seed, &tally);
    print_message("%ju functions: %ju return, %ju trap, %ju go wrong, %ju go on; "
                  "%ju runs of the state machine, %ju operations; "
                  "%ju codes for mach0 of %ju instructions, %ju executed\n",
                  (uintmax_t)count, (uintmax_t)tally.ends[END_RESULT],
                  (uintmax_t)tally.ends[END_TRAP], (uintmax_t)tally.ends[END_WRONG],
                  (uintmax_t)tally.ends[END_FUEL], (uintmax_t)tally.runs,
                  (uintmax_t)tally.operations, (uintmax_t)tally.codes,
                  (uintmax_t)tally.instructions, (uintmax_t)tally.steps);
    assert_int_equal(tally.runs, count * CHOICES);
    assert_int_equal(tally.codes, count * SEEDS);
    assert_true(tally.ends[END_RESULT] > count / 3);
    assert_true(tally.ends[END_WRONG] > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_functions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
