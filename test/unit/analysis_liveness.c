// Liveness against the data-flow equations, solved naively node by node with sets of up to 64
// registers: in = use or (out and not set), out = union of the successors' in.
#include "analysis_graphs.h"

#include "analysis/liveness.h"

static void solve(const Func *func, const Graph *graph, uint64_t *in, uint64_t *out) {
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t n = graph->count; n-- > 0;) {
            const Instr *instr = &func->nodes.at[n];
            uint64_t live = 0;
            for (uint32_t e = graph->succ_at[n]; e < graph->succ_at[n + 1]; e++)
                live |= in[graph->succ[e]];
            out[n] = live;
            if (instr->dest.i != NO_ID) live &= ~((uint64_t)1 << instr->dest.i);
            for (uint32_t k = 0; k < instr->arg_count; k++)
                live |= (uint64_t)1 << instr_args(func, instr)[k].i;
            changed |= live != in[n];
            in[n] = live;
        }
    }
}

static void check_function(Arena *arena, const Func *func) {
    Graph graph = graph_of(arena, func);
    Blocks blocks = blocks_of(arena, &graph);
    Liveness liveness = liveness_of(arena, func, &graph, &blocks);
    uint64_t *in = ARENA_ARRAY(arena, uint64_t, graph.count);
    uint64_t *out = ARENA_ARRAY(arena, uint64_t, graph.count);
    solve(func, &graph, in, out);
    for (uint32_t n = 0; n < graph.count; n++) {
        bool reached = graph_reaches(&graph, n);
        for (uint32_t r = 0; r < func->regs.count; r++) {
            EXPECT(&graph, live_in(&liveness, (Node){n}, (Reg){r}) == (reached && in[n] >> r & 1));
            EXPECT(&graph,
                   live_out(&liveness, (Node){n}, (Reg){r}) == (reached && out[n] >> r & 1));
        }
    }
    for (uint32_t b = 0; b < blocks.count; b++) {
        uint64_t listed = 0;
        for (uint32_t i = liveness.live_at[b]; i < liveness.live_at[b + 1]; i++) {
            uint64_t bit = (uint64_t)1 << liveness.live[i].i;
            EXPECT(&graph, bit > listed); // ascending
            listed |= bit;
        }
        EXPECT(&graph, listed == in[block_first(&blocks, b)]);
    }
}

// What a node does with one register.
enum { DOES_NOTHING, DOES_USE, DOES_SET, DOES_BOTH, DOES_COUNT };

static void do_with(Func *func, uint32_t node, Reg reg, uint64_t what) {
    Instr *instr = &func->nodes.at[node];
    if (what & DOES_USE) instr->arg[instr->arg_count++] = reg;
    if (what & DOES_SET) instr->dest = reg;
}

// Every way to use and set one register.
static void check_patterns(Arena *arena, const Graph *graph, uint64_t seed) {
    (void)seed;
    uint32_t total = 1;
    for (uint32_t n = 0; n < graph->count; n++) total *= DOES_COUNT;
    for (uint32_t pattern = 0; pattern < total; pattern++) {
        Func func = func_from(arena, graph, 1);
        for (uint32_t n = 0; n < graph->count; n++)
            do_with(&func, n, (Reg){0}, pattern >> 2 * n & 3);
        check_function(arena, &func);
    }
}

static void check_some_patterns(Arena *arena, const Graph *graph, uint64_t seed) {
    Func func = func_from(arena, graph, 2);
    uint64_t pattern = random_next(&seed);
    for (uint32_t n = 0; n < graph->count; n++) {
        do_with(&func, n, (Reg){0}, pattern >> 2 * n & 3);
        bool sets_other = func.nodes.at[n].dest.i != NO_ID;
        do_with(&func, n, (Reg){1}, pattern >> (32 + 2 * n) & (sets_other ? DOES_USE : DOES_BOTH));
    }
    check_function(arena, &func);
}

static void check_large(Arena *arena, const Graph *graph, uint64_t seed) {
    uint32_t regs = 1 + random_below(&seed, 64);
    Func func = func_from(arena, graph, regs);
    for (uint32_t n = 0; n < graph->count; n++) {
        Reg args[6];
        uint32_t count = random_below(&seed, 7) % (1 + random_below(&seed, 6));
        for (uint32_t k = 0; k < count; k++) args[k].i = random_below(&seed, regs);
        if (random_below(&seed, 3)) count = 0;
        func_set_args(&func, (Node){n}, args, count);
        if (random_below(&seed, 2)) func.nodes.at[n].dest.i = random_below(&seed, regs);
    }
    check_function(arena, &func);
}

static void small_graphs(void **state) {
    (void)state;
    for (uint32_t n = 1; n <= 3; n++) each_graph(check_patterns, n, 1 + n + n * n, any_row);
    each_graph_of_four(check_some_patterns);
    each_graph_of_five(check_some_patterns);
}

static void shapes(void **state) {
    (void)state;
    each_shape(check_large, 2000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_graphs),
        cmocka_unit_test(shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
