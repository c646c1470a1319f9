// The matrix check of gates: agrees with the fast one on random functions, small graphs and C
// programs; and other solvers agree with it about each single obligation, true ones and false ones.
#include "check/checkers.h"
#include "check/gates/check_matrix.h"
#include "gate/load.h"
#include "solve/cadical.h"
#include "solve/obligations_smt.h"
#include "test/gen/effort.h"
#include "test/gen/gated.h"
#include "test/gen/graphs.h"
#include "test/gen/random.h"
#include "text/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void fail_with(const Func *func, const char *what) {
    Out text = {0};
    func_print(&text, func, &(PrintOptions){0});
    out_char(&text, '\0');
    fail_msg("%s\n%s", what, text.text);
}

// ---- Agreement with the fast check

typedef struct {
    uint64_t functions, settled[SETTLED_COUNT];
} Tally;

static void both_accept(Arena *arena, const GatedFunc *func, Tally *tally) {
    Obligations obligations;
    if (!func->gated) return;
    tally->functions++;
    Verdict fast = check_gsa_build(arena, func->closed, func->gated, &func->hint);
    if (!fast.accepted) fail_with(func->gated, fast.reason);
    Verdict matrix =
        check_gsa_build_by_matrix(arena, func->closed, func->gated, &func->hint, &obligations);
    if (matrix.accepted) matrix = obligations_settle(&obligations, &cadical);
    if (!matrix.accepted) fail_with(func->gated, matrix.reason);
    for (uint32_t i = 0; i < SETTLED_COUNT; i++) tally->settled[i] += obligations.settled[i];
}

static void print_tally(const Tally *tally) {
    print_message("%ju functions; obligations settled: %ju equal, %ju by structure, %ju by "
                  "propagation, %ju by the solver\n",
                  (uintmax_t)tally->functions, (uintmax_t)tally->settled[SETTLED_EQUAL],
                  (uintmax_t)tally->settled[SETTLED_STRUCTURE],
                  (uintmax_t)tally->settled[SETTLED_PROPAGATION],
                  (uintmax_t)tally->settled[SETTLED_SOLVER]);
}

static void test_random(void **state) {
    (void)state;
    Arena *arena = arena_new("matrix");
    uint64_t count = effort(50, 400, 20000);
    Tally tally = {0};
    for (uint64_t seed = 1; seed <= count; seed++) {
        GatedFunc func = gated_random(arena, program_new(arena), 300, seed);
        both_accept(arena, &func, &tally);
        arena_reset(arena);
    }
    print_tally(&tally);
    assert_true(tally.functions > count * 9 / 10);
    assert_true(tally.settled[SETTLED_SOLVER] > 0);
    arena_free(arena);
}

typedef struct {
    Arena *arena;
    uint32_t nodes;
    uint64_t graphs, every;
    Tally tally;
} Small;

static void visit_small(void *context, const uint8_t (*succs)[2], const uint8_t *counts) {
    Small *small = context;
    if (!small_graph_is_canonical(small->nodes, succs, counts)) return;
    if (++small->graphs % small->every) return;
    Program *program = program_new(small->arena);
    GatedFunc func = gated_func(small->arena, func_of_graph(small->arena, program, small->nodes,
                                                            succs, counts, small->graphs));
    both_accept(small->arena, &func, &small->tally);
    arena_reset(small->arena);
}

static void test_small_graphs(void **state) {
    (void)state;
    Small small = {.arena = arena_new("matrix")};
    for (small.nodes = 1; small.nodes <= 5; small.nodes++) {
        small.every = small.nodes < 4 ? 1 : effort(1000, small.nodes == 4 ? 10 : 200, 1);
        each_small_graph(small.nodes, true, visit_small, &small);
    }
    print_tally(&small.tally);
    arena_free(small.arena);
}

// ---- Other solvers

typedef struct {
    Arena *arena;
    VEC(Obligation) list;
    VEC(bool) holds;
} Collection;

static void collect(void *context, const Obligation *obligation, Settled how) {
    Collection *collection = context;
    vec_push(collection->arena, &collection->list, *obligation);
    vec_push(collection->arena, &collection->holds, how != SETTLED_SOLVER);
}

// Whether an obligation holds, as we see it.
static bool holds(Arena *arena, const Gsa *gsa, const Obligation *obligation) {
    Obligations alone;
    obligations_init(&alone, arena, gsa);
    vec_push(arena, &alone.open, *obligation);
    return obligations_settle(&alone, &cadical).accepted;
}

// The obligations of a function, and for each whether it holds; the questions for other solvers.
static void collect_from(Arena *arena, Collection *collection, const GatedFunc *func, Out *two_rail,
                         Out *lukasiewicz) {
    Paths paths;
    Obligations obligations;
    uint32_t first = collection->list.count;
    if (!paths_check(&paths, arena, func->gated, &func->hint.paths)) fail_msg("no paths");
    obligations_init(&obligations, arena, paths.gsa);
    obligations.observe = collect;
    obligations.context = collection;
    (void)matrix_check(&paths, &obligations);
    const Obligation *list = collection->list.at + first;
    uint32_t count = collection->list.count - first;
    for (uint32_t i = first; i < collection->list.count; i++)
        if (!collection->holds.at[i])
            collection->holds.at[i] = holds(arena, paths.gsa, &collection->list.at[i]);
    smt_print(two_rail, paths.gsa, list, count, SMT_TWO_RAIL);
    smt_print(lukasiewicz, paths.gsa, list, count, SMT_LUKASIEWICZ);
}

// Gates of a gamma change places, so that there are false obligations, too.
static void rotate_gates(Gsa *gsa, uint64_t seed) {
    Random random = random_from(seed);
    for (uint32_t i = 0; i < gsa->merges.count; i++) {
        const Merge *merge = &gsa->merges.at[i];
        MergeArg *args = gsa->merge_args.at + merge->args_at;
        if (merge->kind != MERGE_GAMMA || random_chance(&random, 1, 2)) continue;
        Gate first = args[0].gate;
        for (uint32_t k = 1; k < merge->arg_count; k++) args[k - 1].gate = args[k].gate;
        args[merge->arg_count - 1].gate = random_chance(&random, 1, 4) ? GATE_TRUE : first;
    }
}

// The answers of a solver, one for each obligation: true for unsat. NULL if the program is missing.
static bool *answers_of(Arena *arena, const char *command, Out *questions, uint32_t count) {
    bool *answers = ARENA_ARRAY(arena, bool, count);
    char line[64];
    assert_true(out_commit(questions, "questions.smt2"));
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    uint32_t found = 0;
    while (fgets(line, sizeof line, pipe)) {
        bool unsat = strcmp(line, "unsat\n") == 0;
        if (!unsat && strcmp(line, "sat\n") != 0) fail_msg("%s answers %s", command, line);
        assert_true(found < count);
        answers[found++] = unsat;
    }
    assert_int_equal(pclose(pipe), 0);
    assert_int_equal(found, count);
    return answers;
}

static const char *const solvers[] = {"z3 -smt2 questions.smt2",
                                      "cvc5 --incremental --lang=smt2 questions.smt2"};

static void ask_others(Collection *collection, Out *two_rail, Out *lukasiewicz) {
    uint32_t count = collection->list.count, hold = 0, refused = 0;
    for (uint32_t i = 0; i < count; i++) hold += collection->holds.at[i];
    Out texts[2] = {*two_rail, *lukasiewicz};
    bool *stronger[2];
    for (uint32_t s = 0; s < 2; s++) {
        Out copy = {0};
        out_bytes(&copy, texts[0].text, texts[0].length);
        const bool *same = answers_of(collection->arena, solvers[s], &copy, count);
        for (uint32_t i = 0; i < count; i++)
            if (same[i] != collection->holds.at[i]) fail_msg("%s: obligation %u", solvers[s], i);
        copy.length = 0;
        out_bytes(&copy, texts[1].text, texts[1].length);
        stronger[s] = answers_of(collection->arena, solvers[s], &copy, count);
        out_free(&copy);
    }
    for (uint32_t i = 0; i < count; i++) {
        assert_true(stronger[0][i] == stronger[1][i]);
        if (stronger[0][i]) assert_true(collection->holds.at[i]);
        refused += collection->holds.at[i] && !stronger[0][i];
    }
    print_message(
        "%u obligations, %u hold: z3 and cvc5 agree on each; in Lukasiewicz's logic %u of "
        "those that hold are refused, no others accepted\n",
        count, hold, refused);
    assert_true(hold > 0);
}

static void test_second_opinions(void **state) {
    (void)state;
    Arena *arena = arena_new("matrix");
    Collection collection = {.arena = arena};
    Out two_rail = {0}, lukasiewicz = {0};
    smt_print_start(&two_rail);
    smt_print_start(&lukasiewicz);
    for (uint64_t seed = 1; seed <= effort(5, 120, 1000); seed++) {
        GatedFunc func = gated_random(arena, program_new(arena), 60, seed);
        if (!func.gated) continue;
        if (seed % 2 == 0) rotate_gates(func.gated->gsa, seed);
        collect_from(arena, &collection, &func, &two_rail, &lukasiewicz);
    }
    ask_others(&collection, &two_rail, &lukasiewicz);
    arena_free(arena);
    out_free(&two_rail);
    out_free(&lukasiewicz);
}

// ---- Random predicates, whose truth is found by trying all valuations

enum { ATOMS = 4, WAYS = 2 }; // the last ones are ways of one switch

static Gate random_predicate(Arena *arena, Gsa *gsa, Random *random) {
    Gate gates[12];
    uint32_t count = random_range(random, 3, 12);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t a = random_below(random, ATOMS), kind = random_below(random, i < 3 ? 1 : 5);
        bool way = a >= ATOMS - WAYS;
        GateAtom atom = {
            .op = way ? OP_COUNT : 1, .arg_count = 1, .arg = {{way ? 9 : a}}, .way = a};
        Gate first = gates[random_below(random, i ? i : 1)],
             second = gates[random_below(random, i ? i : 1)];
        gates[i] = kind == 0 ? gate_literal(arena, gsa, &atom, !way && random_chance(random, 1, 2))
                   : kind == 4 ? (Gate){random_below(random, 3)}
                               : (kind == 1 ? gate_or : gate_and)(arena, gsa, first, second);
    }
    return gates[count - 1];
}

// The value of a predicate, doubled: 0, 1 or 2; `values` has those of the atoms in base three.
static uint32_t evaluate(const Gsa *gsa, uint32_t gate, const uint32_t *values) {
    const GateNode *node = &gsa->gates.at[gate];
    if (node->kind == GK_FALSE) return 0;
    if (node->kind == GK_TRUE) return 2;
    if (node->kind == GK_UNDEF) return 1;
    if (node->kind == GK_LITERAL) {
        uint32_t value = values[node->first];
        return node->negated ? 2 - value : value;
    }
    uint32_t a = evaluate(gsa, node->first, values), b = evaluate(gsa, node->second, values);
    return (node->kind == GK_AND) == (a < b) ? a : b;
}

static bool is_true(const Gsa *gsa, const Obligation *obligation) {
    for (uint32_t code = 0; code < 81; code++) {
        uint32_t values[ATOMS], taken = 0;
        for (uint32_t i = 0, rest = code; i < gsa->atoms.count; i++, rest /= 3) {
            values[i] = rest % 3;
            taken += values[i] == 2 && gsa->atoms.at[i].op == OP_COUNT;
        }
        bool first = evaluate(gsa, obligation->first.i, values) == 2,
             second = evaluate(gsa, obligation->second.i, values) == 2;
        if (taken < 2 && first && second == (obligation->kind == MUST_EXCLUDE)) return false;
    }
    return true;
}

static void test_predicates(void **state) {
    (void)state;
    Arena *arena = arena_new("matrix");
    Collection collection = {.arena = arena};
    Out two_rail = {0}, lukasiewicz = {0};
    smt_print_start(&two_rail);
    smt_print_start(&lukasiewicz);
    for (uint64_t seed = 1; seed <= effort(50, 300, 10000); seed++) {
        Random random = random_from(seed);
        Gsa *gsa = gsa_new(arena);
        Obligation obligation = {.kind = seed % 2 ? MUST_IMPLY : MUST_EXCLUDE,
                                 .first = random_predicate(arena, gsa, &random),
                                 .second = random_predicate(arena, gsa, &random)};
        bool truth = is_true(gsa, &obligation);
        Obligations obligations;
        obligations_init(&obligations, arena, gsa);
        if ((seed % 2 ? gate_implies : gate_excludes)(&obligations, NO_NODE, obligation.first,
                                                      obligation.second))
            assert_true(truth);
        assert_true(holds(arena, gsa, &obligation) == truth);
        vec_push(arena, &collection.list, obligation);
        vec_push(arena, &collection.holds, truth);
        smt_print(&two_rail, gsa, &obligation, 1, SMT_TWO_RAIL);
        smt_print(&lukasiewicz, gsa, &obligation, 1, SMT_LUKASIEWICZ);
    }
    ask_others(&collection, &two_rail, &lukasiewicz);
    arena_free(arena);
    out_free(&two_rail);
    out_free(&lukasiewicz);
}

// ---- C programs

static void test_programs(void **state) {
    (void)state;
    static const char *const files[] = {"hello.c", "lowering.c", "machine.c", "motivating.c",
                                        "sort.c"};
    const char *root = getenv("ROOT");
    Arena *arena = arena_new("matrix");
    Collection collection = {.arena = arena};
    Out two_rail = {0}, lukasiewicz = {0};
    CompileOptions options;
    Tally tally = {0};
    smt_print_start(&two_rail);
    smt_print_start(&lukasiewicz);
    for (uint32_t f = 0; f < sizeof files / sizeof files[0]; f++) {
        Diag diag;
        bool unreadable;
        diag_init(&diag, arena, stderr);
        compile_defaults(&options);
        Program *program = load_program(
            arena, &diag, arena_printf(arena, "%s/examples/%s", root ? root : ".", files[f]),
            &options, &unreadable);
        assert_non_null(program);
        for (uint32_t i = 0; i < program->symbols.count; i++) {
            if (!program->symbols.at[i].func) continue;
            GatedFunc func = gated_func(arena, program->symbols.at[i].func);
            if (!func.gated) continue;
            both_accept(arena, &func, &tally);
            collect_from(arena, &collection, &func, &two_rail, &lukasiewicz);
        }
        diag_free(&diag);
    }
    for (uint32_t i = 0; i < collection.list.count; i++) assert_true(collection.holds.at[i]);
    ask_others(&collection, &two_rail, &lukasiewicz);
    arena_free(arena);
    out_free(&two_rail);
    out_free(&lukasiewicz);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),          cmocka_unit_test(test_small_graphs),
        cmocka_unit_test(test_second_opinions), cmocka_unit_test(test_predicates),
        cmocka_unit_test(test_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
