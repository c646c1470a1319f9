// Random blocks of up to nine operations, in all orders: the state machine finds as many orders as
// brute force does (test/gen/block_orders.c), and all of them leave the same values and memory.
#include "run/world/run.h"
#include "test/gen/effort.h"
#include "test/gen/small_block.h"
#include "text/text.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

typedef struct {
    uint64_t blocks, operations, orders, enumerated, most, traps, shapes[SMALL_SHAPES];
    uint64_t visits, states, firings; // of the state machine
    uint64_t kinds[SMALL_KINDS];
} Tally;

static const Program *parse(Arena *arena, const char *text, size_t length, uint64_t seed) {
    Diag diag;
    diag_init(&diag, arena, stderr);
    const Program *program = program_parse(arena, &diag, FORM_SSA, "block", text, length);
    Complaints complaints = {.arena = arena};
    if (program && !verify_program(&complaints, program)) program = NULL;
    diag_free(&diag);
    if (!program) fail_msg("seed %ju: not well-formed:\n%s", (uintmax_t)seed, text);
    return program;
}

static void run(Arena *arena, const Program *program, RunWay way, AsmChoice choice,
                RunResult *result) {
    char name[] = "block", *argv[] = {name, NULL};
    RunOptions options = {.fuel = 100000,
                          .capture = true,
                          .no_input = true,
                          .no_files = true,
                          .way = way,
                          .choice = choice};
    rtl_run(arena, program, 1, argv, &options, result);
}

static void expect(const SmallRuns *runs, const RunResult *result, uint64_t seed,
                   const char *text) {
    EndKind end = runs->end == SMALL_TRAPS ? END_TRAP : END_RESULT;
    bool same = result->behaviour.end == end && result->output.length == runs->output.length &&
                memcmp(result->output.text, runs->output.text, runs->output.length) == 0;
    if (same) return;
    fputs(text, stderr); // cmocka cuts long messages
    fail_msg("seed %ju: end %d, expected %d; expected \"%.*s\" but found \"%.*s\"", (uintmax_t)seed,
             (int)result->behaviour.end, (int)end, (int)runs->output.length, runs->output.text,
             (int)result->output.length, result->output.text);
}

static void in_some_orders(Arena *arena, const Program *program, const SmallRuns *runs,
                           uint64_t seed, const char *text) {
    AsmChoice choices[8] = {{.kind = ASM_EAGER}, {.kind = ASM_LAZY}, {.kind = ASM_REVERSE}};
    for (uint64_t i = 0; i < 5; i++)
        choices[3 + i] = (AsmChoice){.kind = ASM_SEED, .seed = 5 * seed + i};
    for (uint32_t i = 0; i < 8; i++) {
        RunResult result = {0};
        run(arena, program, RUN_asm, choices[i], &result);
        expect(runs, &result, seed, text);
        out_free(&result.output);
    }
}

// Every other block of the program has one order, so that what there is more of is of this one.
static void in_all_orders(Arena *arena, const Program *program, const SmallRuns *runs,
                          uint64_t seed, const char *text, Tally *tally) {
    RunResult result = {0};
    run(arena, program, RUN_asm, (AsmChoice){.seed = seed, .visits = 100}, &result);
    expect(runs, &result, seed, text);
    const AsmReport *report = &result.report;
    uint64_t others = report->visits - runs->rounds, orders = runs->rounds * runs->orders,
             sets = runs->rounds * runs->sets;
    bool right = !report->disagreements && !report->too_large && report->visits >= runs->rounds &&
                 report->orders == others + orders && report->runs == others + sets;
    if (!right) {
        fputs(text, stderr);
        fail_msg("seed %ju: %ju visits, %ju orders, %ju runs in sets, %ju disagreements, %ju too "
                 "large; expected of %ju rounds %ju and %ju: %s",
                 (uintmax_t)seed, (uintmax_t)report->visits, (uintmax_t)report->orders,
                 (uintmax_t)report->runs, (uintmax_t)report->disagreements,
                 (uintmax_t)report->too_large, (uintmax_t)runs->rounds, (uintmax_t)orders,
                 (uintmax_t)sets, report->first ? report->first : "");
    }
    tally->visits += report->visits;
    tally->states += report->states;
    tally->firings += report->firings;
    out_free(&result.output);
}

static void one_block(uint64_t seed, Tally *tally) {
    Arena *arena = arena_new("block");
    SmallBlock block = small_block(seed);
    Out text = {0};
    small_print(&text, &block);
    size_t length = text.length;
    out_char(&text, '\0');
    const Program *program = parse(arena, text.text, length, seed);
    SmallRuns runs = small_runs(&block);
    out_char(&runs.output, '\0');
    runs.output.length--;
    if (runs.differ) fail_msg("seed %ju: orders differ\n%s", (uintmax_t)seed, text.text);
    RunResult plain = {0};
    run(arena, program, RUN_PLAIN, (AsmChoice){0}, &plain);
    expect(&runs, &plain, seed, text.text);
    out_free(&plain.output);
    in_some_orders(arena, program, &runs, seed, text.text);
    in_all_orders(arena, program, &runs, seed, text.text, tally);
    tally->blocks++;
    tally->operations += block.count;
    tally->orders += runs.orders;
    tally->enumerated += runs.enumerated;
    if (runs.orders > tally->most) tally->most = runs.orders;
    tally->traps += runs.end == SMALL_TRAPS;
    tally->shapes[block.shape]++;
    for (uint32_t i = 0; i < block.count; i++) tally->kinds[block.ops[i].kind]++;
    out_free(&runs.output);
    out_free(&text);
    arena_free(arena);
}

static void random_blocks(void **state) {
    (void)state;
    Tally tally = {0};
    uint64_t count = effort(60, 1000, 10000);
    const char *text = getenv("GATE_SEED");
    uint64_t first = text ? strtoull(text, NULL, 10) : 1;
    for (uint64_t seed = first; seed < first + count; seed++) one_block(seed, &tally);
    print_message("%ju blocks of %ju operations, %ju orders (at most %ju of a block), %ju runs by "
                  "brute force; %ju end in a trap\n",
                  (uintmax_t)tally.blocks, (uintmax_t)tally.operations, (uintmax_t)tally.orders,
                  (uintmax_t)tally.most, (uintmax_t)tally.enumerated, (uintmax_t)tally.traps);
    print_message("the state machine found the same in %ju visits of blocks, %ju states, %ju "
                  "firings\n",
                  (uintmax_t)tally.visits, (uintmax_t)tally.states, (uintmax_t)tally.firings);
    assert_int_equal(tally.blocks, count);
    for (uint32_t shape = 0; shape < SMALL_SHAPES; shape++)
        assert_true(tally.shapes[shape] > count / 10);
    for (uint32_t kind = 0; kind < SMALL_KINDS; kind++) assert_true(tally.kinds[kind] > 0);
    assert_true(tally.traps > 0 || count < 1000);
    assert_true(tally.orders > 10 * count);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_blocks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
