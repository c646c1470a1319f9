// Gated SSA evaluated on demand behaves as the same function run in order: on every graph of up to
// four nodes and on random functions, wrong steps, traps and endless loops included.
#include "pass/pass.h"
#include "run/world/run.h"
#include "test/gen/effort.h"
#include "test/gen/graphs.h"
#include "test/gen/random_func.h"
#include "text/text.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void fail_with(const Func *gsa, const char *what) {
    Out text = {0};
    func_print(&text, gsa, &(PrintOptions){0});
    out_char(&text, '\0');
    fail_msg("%s\n%s", what, text.text);
}

static const Func *gsa_of(Arena *arena, const Func *func, bool minimal) {
    CopiesHint norm = {0};
    SsaHint ssa = {0};
    CloseLoopsHint closed = {0};
    GsaBuildHint built = {0};
    const Func *normal = normalize(arena, func, &norm);
    func = (minimal ? ssa_build_minimal : ssa_build)(arena, normal, &ssa);
    const Func *loop_closed = close_loops(arena, func, &closed);
    if (loop_closed) func = loop_closed;
    const Func *gsa = gsa_build(arena, func, &built);
    Complaints complaints = {.arena = arena};
    if (!gsa) fail_with(func, "no gated form");
    if (!verify_func(&complaints, gsa)) fail_with(gsa, complaints.list.at[0].message);
    return gsa;
}

typedef struct {
    Arena *arena;
    const Func *func;
    Value args[2];
} Subject;

static Behaviour run(const Subject *subject, uint64_t fuel, bool dataflow) {
    RunOptions options = {.fuel = fuel,
                          .capture = true,
                          .no_input = true,
                          .no_files = true,
                          .way = dataflow ? RUN_dataflow : RUN_PLAIN};
    RunResult result = {0};
    rtl_run_func(subject->arena, subject->func->program, subject->func, subject->args, 2, &options,
                 &result);
    assert_false(result.refused);
    out_free(&result.output);
    return result.behaviour;
}

// On demand, at least one thing is done in each iteration of each loop: so what returns on demand
// returns in order within as many rounds through all nodes.
static void must_return(const Subject *subject, const Behaviour *on_demand) {
    uint64_t rounds = on_demand->steps + 2, nodes = subject->func->nodes.count;
    if (run(subject, rounds * nodes, false).end == END_FUEL)
        fail_with(subject->func, "returns on demand, but not in order");
}

// Behaviours are compared in both directions where neither goes wrong.
static EndKind compare(const Subject *subject, uint64_t fuel) {
    Behaviour in_order = run(subject, fuel, false),
              on_demand = run(subject, fuel * 20 + 1000, true);
    const char *difference = NULL;
    if (!behaviour_refines(subject->arena, &in_order, &on_demand, &difference))
        fail_with(subject->func, difference);
    if (in_order.end != END_WRONG &&
        !behaviour_refines(subject->arena, &on_demand, &in_order, &difference))
        fail_with(subject->func, difference);
    if (in_order.end != END_FUEL && on_demand.end == END_FUEL)
        fail_with(subject->func, "returns in order, but not on demand");
    if (in_order.end == END_FUEL && on_demand.end != END_FUEL) must_return(subject, &on_demand);
    return in_order.end;
}

static void draw_arguments(Subject *subject, Random *random) {
    bool wide = reg_type(subject->func, subject->func->params.at[0]) == TYPE_I64;
    uint64_t mask = wide ? UINT64_MAX : UINT32_MAX;
    for (int i = 0; i < 2; i++) {
        uint64_t bits = random_next(random);
        subject->args[i] = (Value){.bits = bits >> (random_next(random) & 63) & mask};
    }
}

// ---- All small graphs

typedef struct {
    uint32_t nodes;
    uint64_t graphs, every;
} Small;

static void visit_small(void *context, const uint8_t (*succs)[2], const uint8_t *counts) {
    Small *small = context;
    if (!small_graph_is_canonical(small->nodes, succs, counts)) return;
    if (small->graphs++ % small->every) return;
    Arena *arena = arena_new("graph");
    Program *program = program_new(arena);
    const Func *func = func_of_graph(arena, program, small->nodes, succs, counts, small->graphs);
    Random random = random_from(small->graphs);
    Subject subject = {.arena = arena, .func = gsa_of(arena, func, small->graphs & 1)};
    for (int i = 0; i < 3; i++) {
        draw_arguments(&subject, &random);
        compare(&subject, 200);
    }
    arena_free(arena);
}

static void all_small_graphs(void **state) {
    (void)state;
    uint64_t total = 0;
    for (uint32_t nodes = 1; nodes <= 5; nodes++) {
        uint64_t every = nodes < 5 ? effort(20, 1, 1) : effort(20000, 200, 1);
        Small small = {.nodes = nodes, .every = every};
        each_small_graph(nodes, true, visit_small, &small);
        total += small.graphs / every;
    }
    print_message("%ju graphs\n", (uintmax_t)total);
    assert_true(total > 50);
}

// ---- Random functions

static void one_random(uint64_t seed, RandomOptions options, uint64_t *found) {
    Arena *arena = arena_new("random");
    Program *program = program_new(arena);
    const Func *func = random_func(arena, program, options, seed);
    Random random = random_from(seed);
    Subject subject = {.arena = arena, .func = gsa_of(arena, func, seed & 1)};
    for (int i = 0; i < 3; i++) {
        draw_arguments(&subject, &random);
        found[compare(&subject, 20000)]++;
    }
    arena_free(arena);
}

static void random_functions(void **state) {
    (void)state;
    uint64_t found[END_FUEL + 1] = {0}, count = effort(40, 800, 20000);
    for (uint64_t seed = 1; seed <= count; seed++)
        one_random(seed, random_options(300, seed), found);
    print_message("runs: %ju returned, %ju trapped, %ju went wrong, %ju went on\n",
                  (uintmax_t)found[END_RESULT], (uintmax_t)found[END_TRAP],
                  (uintmax_t)found[END_WRONG], (uintmax_t)found[END_FUEL]);
    assert_true(found[END_RESULT] > count && found[END_WRONG] && found[END_FUEL]);
}

// Where much is undefined, wrong and without end.
static void random_mistakes(void **state) {
    (void)state;
    uint64_t found[END_FUEL + 1] = {0}, count = effort(40, 500, 10000);
    for (uint64_t seed = 1; seed <= count; seed++) {
        RandomOptions options = random_options(200, seed);
        options.undefined = 20;
        options.wrong = 100;
        options.unbounded = seed & 1;
        one_random(seed, options, found);
    }
    assert_true(found[END_WRONG] > count / 2);
    assert_true(count < 500 || (found[END_TRAP] && found[END_FUEL]));
}

// A function without gates is refused, not run in another way.
static void other_forms(void **state) {
    (void)state;
    Arena *arena = arena_new("form");
    Program *program = program_new(arena);
    const Func *func = random_func(arena, program, random_options(20, 1), 1);
    RunResult result = {0};
    rtl_run_func(arena, program, func, (Value[2]){{0}, {0}}, 2, &(RunOptions){.way = RUN_dataflow},
                 &result);
    assert_true(result.refused && result.behaviour.end == END_WRONG);
    assert_string_equal(result.behaviour.reason, "function 'f' is not in gated SSA");
    out_free(&result.output);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_small_graphs),
        cmocka_unit_test(random_functions),
        cmocka_unit_test(random_mistakes),
        cmocka_unit_test(other_forms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
