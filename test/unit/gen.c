// The generators themselves: what they make is well-formed, repeatable, of the kinds and shapes
// promised.
#include "base/bits.h"
#include "bench/shapes.h"
#include "run/world/run.h"
#include "test/gen/graphs.h"
#include "test/gen/random_func.h"
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

// ---- Helpers

static void assert_verified(const Func *func, uint64_t seed) {
    Arena *arena = arena_new("complaints");
    Complaints complaints = {.arena = arena};
    if (!verify_program(&complaints, func->program) || !verify_func(&complaints, func)) {
        Out out = {0};
        complaint_print(&out, func->program, &complaints.list.at[0]);
        fail_msg("seed %ju: %.*s", (uintmax_t)seed, (int)out.length, out.text);
    }
    arena_free(arena);
}

static uint64_t hash_instr(const Func *func, const Instr *instr) {
    uint64_t h = hash_add(instr->kind, instr->op);
    h = hash_add(h, (uint64_t)instr->base << 24 | (uint64_t)instr->scale << 16 |
                        (uint64_t)instr->chunk << 8 | instr->immediate);
    h = hash_add(hash_add(h, instr->dest.i), (uint64_t)instr->imm);
    h = hash_add(hash_add(h, instr->ref), instr->aux);
    for (uint32_t i = 0; i < instr->arg_count; i++) h = hash_add(h, instr_args(func, instr)[i].i);
    for (uint32_t i = 0; i < instr->succ_count; i++) h = hash_add(h, instr_succs(func, instr)[i].i);
    for (uint32_t i = 0; instr->kind == I_SWITCH && i + 1 < instr->succ_count; i++)
        h = hash_add(h, (uint64_t)instr_cases(func, instr)[i]);
    return h;
}

static uint64_t hash_func(const Func *func) {
    uint64_t h = func->nodes.count;
    for (uint32_t n = 0; n < func->nodes.count; n++)
        h = hash_add(h, hash_instr(func, &func->nodes.at[n]));
    for (uint32_t r = 0; r < func->regs.count; r++)
        h = hash_add(h, (uint64_t)func->regs.at[r].type << 32 | func->regs.at[r].number);
    return h;
}

// The nodes that dominate each node, by the definition: the greatest solution of the equations.
// Sets of unreachable nodes stay full.
static Bits *dominator_sets(Arena *arena, const Func *func) {
    uint32_t count = func->nodes.count;
    Preds preds = preds_of(arena, func);
    Bits *dom = ARENA_ARRAY(arena, Bits, count);
    for (uint32_t n = 0; n < count; n++) {
        dom[n] = bits_new(arena, count);
        for (uint32_t m = 0; m < count; m++)
            if (n != 0 || m == 0) bits_add(&dom[n], m);
    }
    Bits meet = bits_new(arena, count);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t n = 1; n < count; n++) {
            if (!preds_count(&preds, (Node){n})) continue;
            bits_copy(&meet, &dom[preds_at(&preds, (Node){n})[0].i]);
            for (uint32_t k = 1; k < preds_count(&preds, (Node){n}); k++)
                bits_intersect(&meet, &dom[preds_at(&preds, (Node){n})[k].i]);
            bits_add(&meet, n);
            if (bits_equal(&meet, &dom[n])) continue;
            bits_copy(&dom[n], &meet);
            changed = true;
        }
    }
    return dom;
}

static Bits reachable_nodes(Arena *arena, const Func *func) {
    Bits reached = bits_new(arena, func->nodes.count);
    VEC(uint32_t) work = {0};
    bits_add(&reached, 0);
    vec_push(arena, &work, 0);
    while (work.count) {
        uint32_t node = vec_pop(&work);
        const Instr *instr = &func->nodes.at[node];
        for (uint32_t k = 0; k < instr->succ_count; k++) {
            uint32_t succ = instr_succs(func, instr)[k].i;
            if (bits_put(&reached, succ)) vec_push(arena, &work, succ);
        }
    }
    return reached;
}

// Reducible: without the edges whose target dominates their source, no cycle is left. Nodes without
// such predecessors are taken away until none is left, or all that remain are on or behind cycles.
static bool is_reducible(const Func *func) {
    Arena *arena = arena_new("reducible");
    uint32_t count = func->nodes.count, left = 0;
    Bits *dom = dominator_sets(arena, func);
    Bits reached = reachable_nodes(arena, func);
    uint32_t *incoming = ARENA_ARRAY(arena, uint32_t, count);
    VEC(uint32_t) work = {0};
    for (uint32_t n = 0; n < count; n++)
        for (uint32_t k = 0; bits_has(&reached, n) && k < func->nodes.at[n].succ_count; k++) {
            uint32_t succ = instr_succs(func, &func->nodes.at[n])[k].i;
            if (!bits_has(&dom[n], succ)) incoming[succ]++;
        }
    for (uint32_t n = 0; n < count; n++) {
        if (!bits_has(&reached, n)) continue;
        left++;
        if (!incoming[n]) vec_push(arena, &work, n);
    }
    while (work.count) {
        uint32_t n = vec_pop(&work);
        left--;
        for (uint32_t k = 0; k < func->nodes.at[n].succ_count; k++) {
            uint32_t succ = instr_succs(func, &func->nodes.at[n])[k].i;
            if (!bits_has(&dom[n], succ) && --incoming[succ] == 0) vec_push(arena, &work, succ);
        }
    }
    arena_free(arena);
    return left == 0;
}

// ---- Random numbers

// The published first outputs of both generators.
static void test_random_numbers(void **state) {
    (void)state;
    uint64_t seed = 1234567;
    assert_int_equal(random_split(&seed), 6457827717110365317u);
    assert_int_equal(random_split(&seed), 3203168211198807973u);
    Random random = {.state = {1, 2, 3, 4}};
    assert_int_equal(random_next(&random), 11520);
    assert_int_equal(random_next(&random), 0);
    assert_int_equal(random_next(&random), 1509978240);
    assert_int_equal(random_next(&random), 1215971899390074240);
    uint32_t seen[5] = {0};
    for (int i = 0; i < 5000; i++) seen[random_range(&random, 3, 7) - 3]++;
    for (int i = 0; i < 5; i++) assert_in_range(seen[i], 800, 1200);
}

// ---- Random functions

static void test_random_verified(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 1500; seed++) {
        Arena *arena = arena_new("test");
        Program *program = program_new(arena);
        RandomOptions options = random_options(400, seed);
        const Func *func = random_func(arena, program, options, seed);
        assert_verified(func, seed);
        assert_in_range(func->nodes.count, options.nodes, options.nodes + 200);
        arena_free(arena);
    }
}

static void test_random_large(void **state) {
    (void)state;
    for (RandomShape shape = 0; shape < RANDOM_SHAPE_COUNT; shape++) {
        Arena *arena = arena_new("test");
        RandomOptions options = {.shape = shape, .nodes = 20000, .variables = 1000};
        const Func *func = random_func(arena, program_new(arena), options, 7);
        assert_verified(func, 7);
        assert_in_range(func->nodes.count, 20000, 20500);
        arena_free(arena);
    }
}

static void test_random_repeatable(void **state) {
    (void)state;
    Arena *arena = arena_new("test");
    uint64_t last = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        RandomOptions options = random_options(300, seed);
        // The first program is new, the second has been used: that makes no difference either.
        Program *program = program_new(arena);
        uint64_t first = hash_func(random_func(arena, program, options, seed));
        uint64_t second = hash_func(random_func(arena, program, options, seed));
        assert_int_equal(first, second);
        assert_int_not_equal(first, last);
        last = first;
    }
    arena_free(arena);
}

typedef struct {
    uint32_t kinds[INSTR_KIND_COUNT], ops[OP_COUNT], conditions[OP_COUNT], builtins[BI_COUNT];
    uint32_t bases[BASE_SLOT + 1], loads[CHUNK_COUNT], stores[CHUNK_COUNT];
    uint32_t immediates, indexed, indirect, dense, sparse, dropped, total;
} Histogram;

static void count_switch(Histogram *h, const Func *func, const Instr *instr) {
    const int64_t *cases = instr_cases(func, instr);
    uint32_t last = instr->succ_count - 2;
    if (instr->succ_count < 3) return;
    if (cases[last] - cases[0] == last)
        h->dense++;
    else
        h->sparse++;
}

static void count_instr(Histogram *h, const Func *func, const Instr *instr) {
    h->total++;
    h->kinds[instr->kind]++;
    if (instr->kind == I_OP) h->ops[instr->op]++;
    if (instr->kind == I_COND) h->conditions[instr->op]++;
    if (instr->kind == I_BUILTIN) h->builtins[instr->op]++;
    if (instr->kind == I_LOAD) h->loads[instr->chunk]++;
    if (instr->kind == I_STORE) h->stores[instr->chunk]++;
    if (instr_has_address(instr)) {
        h->bases[instr->base]++;
        if (instr->scale) h->indexed++;
    }
    if (instr->immediate) h->immediates++;
    if (instr->kind == I_CALL && instr->ref == NO_ID) h->indirect++;
    if (instr->kind == I_CALL && instr->dest.i == NO_ID) h->dropped++;
    if (instr->kind == I_SWITCH) count_switch(h, func, instr);
}

// Operators that computations draw from: all but those of f80.
static bool op_expected(Op op) {
    const OpInfo *info = op_info(op);
    if (info->result == TYPE_F80) return false;
    for (uint32_t i = 0; i < info->arity; i++)
        if (info->operand[i] == TYPE_F80) return false;
    return true;
}

static void assert_share(uint32_t count, uint32_t total, uint32_t low, uint32_t high) {
    assert_in_range((uint64_t)count * 1000 / total, low, high);
}

static void assert_coverage(const Histogram *h) {
    for (Op op = 0; op < OP_COUNT; op++) {
        if (op_expected(op) != (h->ops[op] > 0)) fail_msg("operator %s", op_info(op)->name);
        if (op_expected(op) && op_info(op)->flags & OPF_COND && !h->conditions[op])
            fail_msg("condition %s", op_info(op)->name);
    }
    for (Chunk chunk = 0; chunk < CHUNK_F80; chunk++) {
        assert_true(h->loads[chunk]);
        assert_true(h->stores[chunk] || chunk == CHUNK_U8 || chunk == CHUNK_U16);
    }
    assert_true(h->builtins[BI_MEMSET] && h->builtins[BI_MEMCPY]);
    assert_true(h->builtins[BI_VOLATILE_LOAD] && h->builtins[BI_VOLATILE_STORE]);
    assert_true(h->bases[BASE_REG] && h->bases[BASE_SYMBOL] && h->bases[BASE_SLOT]);
    assert_true(h->immediates && h->indexed && h->indirect && h->dropped);
    assert_true(h->dense && h->sparse);
    // In per mille: mostly computation, with a good part of everything else.
    assert_share(h->kinds[I_OP], h->total, 500, 850);
    assert_share(h->kinds[I_COND], h->total, 40, 200);
    assert_share(h->kinds[I_LOAD], h->total, 15, 100);
    assert_share(h->kinds[I_STORE], h->total, 15, 100);
    assert_share(h->kinds[I_CALL], h->total, 8, 60);
    assert_share(h->kinds[I_NOP], h->total, 2, 100);
    assert_share(h->kinds[I_SWITCH], h->total, 1, 30);
    assert_share(h->kinds[I_CHECK], h->total, 2, 30);
    assert_share(h->kinds[I_RETURN], h->total, 1, 30);
    assert_share(h->kinds[I_BUILTIN], h->total, 2, 40);
}

static void test_random_coverage(void **state) {
    (void)state;
    Arena *arena = arena_new("test");
    Histogram *h = ARENA_NEW(arena, Histogram);
    for (uint64_t seed = 0; seed < 300; seed++) {
        RandomOptions options = {.shape = (RandomShape)(seed % RANDOM_SHAPE_COUNT), .nodes = 500};
        const Func *func = random_func(arena, program_new(arena), options, seed);
        for (uint32_t n = 0; n < func->nodes.count; n++) count_instr(h, func, &func->nodes.at[n]);
    }
    assert_coverage(h);
    arena_free(arena);
}

static void test_random_omit(void **state) {
    (void)state;
    Arena *arena = arena_new("test");
    Histogram *h = ARENA_NEW(arena, Histogram);
    for (uint64_t seed = 0; seed < 60; seed++) {
        RandomOptions options = {.shape = (RandomShape)(seed % RANDOM_SHAPE_COUNT),
                                 .nodes = 300,
                                 .omit = GEN_MEMORY | GEN_CALLS | GEN_FLOATS | GEN_CHECKS |
                                         GEN_DIVISIONS | GEN_VOLATILE};
        const Func *func = random_func(arena, program_new(arena), options, seed);
        for (uint32_t n = 0; n < func->nodes.count; n++) count_instr(h, func, &func->nodes.at[n]);
        for (uint32_t r = 0; r < func->regs.count; r++)
            assert_true(type_is_int(func->regs.at[r].type));
        assert_int_equal(func->slots.count, 0);
    }
    assert_int_equal(h->kinds[I_LOAD] + h->kinds[I_STORE] + h->kinds[I_BUILTIN], 0);
    assert_int_equal(h->kinds[I_CALL] + h->kinds[I_CHECK] + h->ops[OP_DIVS_I32], 0);
    assert_true(h->kinds[I_OP] > 0);
    arena_free(arena);
}

// With `reuse` a few registers get all the definitions, and runs end as well as others.
static void test_random_reuse(void **state) {
    (void)state;
    uint32_t results = 0;
    for (uint64_t seed = 0; seed < 150; seed++) {
        Arena *arena = arena_new("test");
        Program *program = program_new(arena);
        RandomOptions options = {
            .shape = (RandomShape)(seed % RANDOM_SHAPE_COUNT), .nodes = 600, .reuse = true};
        const Func *func = random_func(arena, program, options, seed);
        assert_verified(func, seed);
        uint32_t definitions = 0;
        for (uint32_t n = 0; n < func->nodes.count; n++)
            definitions += func->nodes.at[n].dest.i != NO_ID;
        assert_in_range(func->regs.count, 5, 60);
        assert_true(definitions > 5 * func->regs.count);
        Value args[2] = {value_i32((uint32_t)seed * 77), value_i32(5)};
        RunOptions run = {.fuel = 100000, .capture = true, .no_input = true};
        RunResult result = {0};
        rtl_run_func(arena, program, func, args, 2, &run, &result);
        results += result.behaviour.end == END_RESULT;
        out_free(&result.output);
        arena_free(arena);
    }
    assert_true(results > 130);
}

static void test_random_reducible(void **state) {
    (void)state;
    uint32_t irreducible[RANDOM_SHAPE_COUNT] = {0};
    for (uint64_t seed = 0; seed < 150; seed++) {
        Arena *arena = arena_new("test");
        RandomOptions options = {.shape = (RandomShape)(seed % RANDOM_SHAPE_COUNT), .nodes = 150};
        const Func *func = random_func(arena, program_new(arena), options, seed);
        if (!is_reducible(func)) irreducible[options.shape]++;
        options = (RandomOptions){.shape = RANDOM_GOTOS, .nodes = 150, .reducible = true};
        func = random_func(arena, program_new(arena), options, seed);
        if (!is_reducible(func)) fail_msg("seed %ju is irreducible", (uintmax_t)seed);
        arena_free(arena);
    }
    assert_int_equal(irreducible[RANDOM_STRUCTURED], 0);
    assert_true(irreducible[RANDOM_GOTOS] > 30);
    assert_true(irreducible[RANDOM_MIXED] > 15);
}

// Most runs end well and have something to show for it.
static void test_random_runs(void **state) {
    (void)state;
    uint32_t ends[END_FUEL + 1] = {0}, silent = 0, runs = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        Arena *arena = arena_new("test");
        Program *program = program_new(arena);
        RandomOptions options = {
            .shape = (RandomShape)(seed % RANDOM_SHAPE_COUNT), .nodes = 300, .wrong = 10};
        const Func *func = random_func(arena, program, options, seed);
        Value args[2] = {value_i32((uint32_t)seed * 77), value_i32(5)};
        RunOptions run = {.fuel = 100000, .capture = true, .no_input = true};
        RunResult result = {0};
        rtl_run_func(arena, program, func, args, 2, &run, &result);
        ends[result.behaviour.end]++;
        runs++;
        if (result.behaviour.event_hashes.count <= 1) silent++;
        out_free(&result.output);
        arena_free(arena);
    }
    assert_in_range(ends[END_RESULT], runs * 8 / 10, runs);
    assert_in_range(ends[END_WRONG], 0, runs / 20);
    assert_in_range(silent, 0, runs / 3);
}

// ---- Graphs

typedef struct {
    uint32_t nodes;
    uint64_t count, canonical;
    uint64_t last; // the graphs seen so far have smaller codes
    Program *program;
    Arena *arena;
} GraphCount;

// A number for each graph, growing in the order of enumeration.
static uint64_t graph_code(uint32_t nodes, const uint8_t (*succs)[2], const uint8_t *counts) {
    uint64_t code = 0;
    for (uint32_t n = nodes; n-- > 0;) {
        uint32_t own = counts[n] == 0 ? 0 : counts[n] == 1 ? 1u + succs[n][0] : 0;
        if (counts[n] == 2) own = 10u + succs[n][0] * 10u + succs[n][1];
        code = code * 100 + own;
    }
    return code + 1;
}

static void count_graph(void *context, const uint8_t (*succs)[2], const uint8_t *counts) {
    GraphCount *c = context;
    c->count++;
    uint64_t code = graph_code(c->nodes, succs, counts);
    if (code <= c->last) fail_msg("graph %ju is not new", (uintmax_t)code);
    c->last = code;
    for (uint32_t n = 0; n < c->nodes; n++)
        for (uint32_t k = 0; k < counts[n]; k++)
            if (succs[n][k] >= c->nodes) fail_msg("successor %u of %u", succs[n][k], n);
    if (small_graph_is_canonical(c->nodes, succs, counts)) c->canonical++;
}

static GraphCount count_graphs(uint32_t nodes, bool with_returns) {
    GraphCount c = {.nodes = nodes};
    each_small_graph(nodes, with_returns, count_graph, &c);
    return c;
}

static void test_graph_counts(void **state) {
    (void)state;
    static const uint64_t expected[2][6] = {{0, 2, 25, 729, 38416, 3200000},
                                            {0, 3, 36, 1000, 50625, 4084101}};
    for (uint32_t nodes = 1; nodes <= 5; nodes++) {
        assert_int_equal(count_graphs(nodes, false).count, expected[0][nodes]);
        assert_int_equal(count_graphs(nodes, true).count, expected[1][nodes]);
    }
    // Of two nodes, by hand: the entry reaches the other by 1, 01 or 11, which has any of 5
    // choices.
    assert_int_equal(count_graphs(1, false).canonical, 2);
    assert_int_equal(count_graphs(2, false).canonical, 15);
    assert_int_equal(count_graphs(2, true).canonical, 18);
}

static void check_graph_func(void *context, const uint8_t (*succs)[2], const uint8_t *counts) {
    GraphCount *c = context;
    const Func *func = func_of_graph(c->arena, c->program, c->nodes, succs, counts, c->count++);
    assert_int_equal(func->nodes.count, c->nodes);
    assert_int_equal(func->regs.count, 2);
    for (uint32_t n = 0; n < c->nodes; n++) {
        const Instr *instr = &func->nodes.at[n];
        const Node *to = instr_succs(func, instr);
        assert_int_equal(instr->succ_count, counts[n]);
        assert_int_equal(instr->kind == I_COND, counts[n] == 2);
        if (counts[n] == 1) assert_int_equal(to[0].i, succs[n][0]);
        if (counts[n] == 2)
            assert_true((to[0].i == succs[n][0] && to[1].i == succs[n][1]) ||
                        (to[0].i == succs[n][1] && to[1].i == succs[n][0]));
    }
    assert_verified(func, c->count);
    arena_reset(c->arena);
}

static void test_graph_funcs(void **state) {
    (void)state;
    Arena *arena = arena_new("program");
    GraphCount c = {.program = program_new(arena), .arena = arena_new("func")};
    for (c.nodes = 1; c.nodes <= 3; c.nodes++) {
        each_small_graph(c.nodes, false, check_graph_func, &c);
        each_small_graph(c.nodes, true, check_graph_func, &c);
    }
    arena_free(c.arena);
    arena_free(arena);
}

// Of graphs that can return, or have a node that can print, most do so within a few tries.
typedef struct {
    GraphCount graph;
    uint32_t can_return, returned, can_print, printed, wrong;
} GraphRuns;

static RunResult run_once(GraphRuns *r, const uint8_t (*succs)[2], const uint8_t *counts) {
    Arena *arena = r->graph.arena;
    uint64_t seed = r->graph.count++;
    arena_reset(arena);
    const Func *func = func_of_graph(arena, r->graph.program, r->graph.nodes, succs, counts, seed);
    Value args[2] = {value_i32((uint32_t)seed * 7 % 100), value_i32((uint32_t)seed * 77)};
    RunOptions options = {.fuel = 50, .capture = true, .no_input = true};
    RunResult result = {0};
    rtl_run_func(arena, r->graph.program, func, args, 2, &options, &result);
    out_free(&result.output);
    return result;
}

static void run_graph(void *context, const uint8_t (*succs)[2], const uint8_t *counts) {
    GraphRuns *r = context;
    uint32_t nodes = r->graph.nodes;
    if (!small_graph_is_canonical(nodes, succs, counts)) return;
    bool returned = false, printed = false;
    for (int i = 0; i < 16; i++) {
        RunResult result = run_once(r, succs, counts);
        bool ended = result.behaviour.end == END_RESULT;
        if (ended) returned = true;
        if (result.behaviour.event_hashes.count > (ended ? 1u : 0u)) printed = true;
        if (result.behaviour.end == END_WRONG) r->wrong++;
    }
    if (memchr(counts, 0, nodes)) r->can_return++;
    if (memchr(counts, 1, nodes)) r->can_print++;
    if (returned) r->returned++;
    if (printed) r->printed++;
}

static void test_graph_runs(void **state) {
    (void)state;
    Arena *arena = arena_new("program");
    GraphRuns r = {
        .graph = {.nodes = 4, .program = program_new(arena), .arena = arena_new("func")}};
    each_small_graph(4, true, run_graph, &r);
    assert_int_equal(r.wrong, 0);
    assert_in_range(r.returned, r.can_return * 9 / 10, r.can_return);
    assert_in_range(r.printed, r.can_print * 9 / 10, r.can_print);
    arena_free(r.graph.arena);
    arena_free(arena);
}

// ---- Shapes

static void test_shapes(void **state) {
    (void)state;
    for (Shape shape = 0; shape < SHAPE_COUNT; shape++)
        for (uint32_t nodes = 1000; nodes <= 100000; nodes *= 10) {
            Arena *arena = arena_new("test");
            const Func *func = shape_func(arena, program_new(arena), shape, nodes, 1);
            const Func *again = shape_func(arena, program_new(arena), shape, nodes, 1);
            assert_verified(func, shape);
            assert_int_equal(hash_func(func), hash_func(again));
            assert_in_range(func->nodes.count, nodes * 8 / 10, nodes * 13 / 10);
            assert_in_range(func->regs.count, nodes / 10, nodes);
            arena_free(arena);
        }
}

static uint32_t widest(const Func *func) {
    uint32_t most = 0;
    for (uint32_t n = 0; n < func->nodes.count; n++)
        if (func->nodes.at[n].succ_count > most) most = func->nodes.at[n].succ_count;
    return most;
}

// Edges to the same or an earlier node.
static uint32_t jumps_back(const Func *func) {
    uint32_t count = 0;
    for (uint32_t n = 0; n < func->nodes.count; n++)
        for (uint32_t k = 0; k < func->nodes.at[n].succ_count; k++)
            if (instr_succs(func, &func->nodes.at[n])[k].i <= n) count++;
    return count;
}

static uint32_t most_preds(Arena *arena, const Func *func) {
    Preds preds = preds_of(arena, func);
    uint32_t most = 0;
    for (uint32_t n = 0; n < func->nodes.count; n++)
        if (preds_count(&preds, (Node){n}) > most) most = preds_count(&preds, (Node){n});
    return most;
}

static void test_shapes_differ(void **state) {
    (void)state;
    Arena *arena = arena_new("test");
    Program *program = program_new(arena);
    const Func *of[SHAPE_COUNT];
    for (Shape shape = 0; shape < SHAPE_COUNT; shape++) {
        of[shape] = shape_func(arena, program, shape, 12000, 3);
        const Func *small = shape_func(arena, program_new(arena), shape, 600, 3);
        assert_int_equal(is_reducible(small), shape != SHAPE_GOTOS);
    }
    assert_int_equal(widest(of[SHAPE_STRAIGHT]), 1);
    assert_int_equal(jumps_back(of[SHAPE_STRAIGHT]), 0);
    assert_in_range(jumps_back(of[SHAPE_LOOPS]), 500, 1500);
    assert_in_range(jumps_back(of[SHAPE_DEEP]), 900, 1100);
    assert_in_range(widest(of[SHAPE_SWITCH]), 900, 1100);
    assert_in_range(most_preds(arena, of[SHAPE_SWITCH]), 800, 1100);
    assert_int_equal(jumps_back(of[SHAPE_CHAIN]), 0);
    assert_in_range(most_preds(arena, of[SHAPE_CHAIN]), 800, 2000);
    assert_in_range(jumps_back(of[SHAPE_GOTOS]), 50, 1000);
    assert_true(jumps_back(of[SHAPE_EXITS]) > 300);
    assert_int_equal(jumps_back(of[SHAPE_DIAMONDS]), 0);
    assert_int_equal(jumps_back(of[SHAPE_BREAKS]), 1);
    assert_in_range(most_preds(arena, of[SHAPE_BREAKS]), 500, 1100);
    assert_int_equal(jumps_back(of[SHAPE_LADDER]), 0);
    assert_in_range(jumps_back(shape_loops(arena, program, 12000, 3, 1)), 500, 1500);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_numbers),  cmocka_unit_test(test_random_verified),
        cmocka_unit_test(test_random_large),    cmocka_unit_test(test_random_repeatable),
        cmocka_unit_test(test_random_coverage), cmocka_unit_test(test_random_omit),
        cmocka_unit_test(test_random_reuse),    cmocka_unit_test(test_random_reducible),
        cmocka_unit_test(test_random_runs),     cmocka_unit_test(test_graph_counts),
        cmocka_unit_test(test_graph_funcs),     cmocka_unit_test(test_graph_runs),
        cmocka_unit_test(test_shapes),          cmocka_unit_test(test_shapes_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
