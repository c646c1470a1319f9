// Iterated dominance frontiers against the definition: frontiers from the naive dominance relation,
// and the least set closed under them.
#include "analysis_graphs.h"

#include "analysis/frontiers.h"

// ---- Small graphs, by masks

// The frontier of each node.
static void small_frontiers(const Graph *graph, uint32_t *frontier) {
    uint32_t count = graph->count, succs[8] = {0}, dominated[8] = {0}, all = (1u << count) - 1;
    for (uint32_t n = 0; n < count; n++) succs[n] = mask_of_succs(graph, n);
    uint32_t reach = mask_reach(succs, graph->entry, all);
    for (uint32_t x = 0; x < count; x++)
        if (reach >> x & 1)
            dominated[x] = reach & ~mask_reach(succs, graph->entry, all & ~(1u << x));
    for (uint32_t x = 0; x < count; x++) {
        frontier[x] = 0;
        for (uint32_t p = 0; p < count; p++)
            if (dominated[x] >> p & 1) frontier[x] |= succs[p];
        frontier[x] &= ~(dominated[x] & ~(1u << x));
    }
}

static uint32_t small_closure(const uint32_t *frontier, uint32_t set) {
    uint32_t found = 0, todo = set;
    while (todo) {
        uint32_t fresh = frontier[__builtin_ctz(todo)] & ~found;
        found |= fresh;
        todo = (todo & (todo - 1)) | fresh;
    }
    return found;
}

static void check_set(Arena *arena, const Graph *graph, Frontiers *frontiers,
                      const uint32_t *frontier, uint32_t mask, NodeList *out) {
    uint32_t set[8], size = 0, found = 0;
    for (uint32_t n = 0; n < graph->count; n++)
        if (mask >> n & 1) set[size++] = n;
    frontiers_of(frontiers, set, size, arena, out);
    for (uint32_t i = 0; i < out->count; i++) {
        EXPECT(graph, !(found >> out->at[i] & 1));
        found |= 1u << out->at[i];
    }
    EXPECT(graph, found == small_closure(frontier, mask));
}

// All sets of small graphs, else the single nodes, the whole and a few more.
static void check_sets(Arena *arena, const Graph *graph, uint64_t seed) {
    uint32_t frontier[8], all = (1u << graph->count) - 1;
    DomTree dom = dom_tree(arena, graph);
    Frontiers frontiers = frontiers_new(arena, graph, &dom);
    NodeList out = {0};
    small_frontiers(graph, frontier);
    if (all < 16) {
        for (uint32_t mask = 0; mask <= all; mask++)
            check_set(arena, graph, &frontiers, frontier, mask, &out);
        return;
    }
    for (uint32_t n = 0; n < graph->count; n++)
        check_set(arena, graph, &frontiers, frontier, 1u << n, &out);
    check_set(arena, graph, &frontiers, frontier, all, &out);
    for (uint32_t i = 0; i < 4; i++)
        check_set(arena, graph, &frontiers, frontier, random_below(&seed, all), &out);
}

static void check_small(Arena *arena, const Graph *graph, uint64_t seed) {
    check_sets(arena, graph, seed);
    if (graph->count == 5 && seed % 8) return;
    Graph reverse = graph_reverse(arena, graph);
    check_sets(arena, &reverse, seed);
}

// ---- Large graphs

// Matrix [x * count + z]: z is in the frontier of x.
static bool *naive_frontiers(Arena *arena, const Graph *graph) {
    uint32_t count = graph->count;
    const bool *dominates = naive_dominance(arena, graph);
    bool *frontier = ARENA_ARRAY(arena, bool, (size_t)count *count);
    for (uint32_t x = 0; x < count; x++) {
        const bool *row = dominates + (size_t)x * count;
        for (uint32_t p = 0; p < count; p++) {
            if (!row[p]) continue;
            for (uint32_t e = graph->succ_at[p]; e < graph->succ_at[p + 1]; e++) {
                uint32_t z = graph->succ[e];
                if (z == x || !row[z]) frontier[(size_t)x * count + z] = true;
            }
        }
    }
    return frontier;
}

static void check_large(Arena *arena, const Graph *graph, uint64_t seed) {
    uint32_t count = graph->count;
    const bool *frontier = naive_frontiers(arena, graph);
    DomTree dom = dom_tree(arena, graph);
    Frontiers frontiers = frontiers_new(arena, graph, &dom);
    NodeList set = {0}, out = {0}, work = {0};
    for (uint32_t query = 0; query < 60; query++) {
        vec_clear(&set);
        uint32_t size = query < 40 ? 1 : 1 + random_below(&seed, 20);
        for (uint32_t i = 0; i < size; i++) vec_push(arena, &set, random_below(&seed, count));
        frontiers_of(&frontiers, set.at, set.count, arena, &out);
        bool *expected = ARENA_ARRAY(arena, bool, count);
        uint32_t total = 0;
        vec_clear(&work);
        for (uint32_t i = 0; i < set.count; i++) vec_push(arena, &work, set.at[i]);
        while (work.count > 0) {
            uint32_t x = vec_pop(&work);
            for (uint32_t z = 0; z < count; z++) {
                if (!frontier[(size_t)x * count + z] || expected[z]) continue;
                expected[z] = true;
                total++;
                vec_push(arena, &work, z);
            }
        }
        EXPECT(graph, out.count == total);
        for (uint32_t i = 0; i < out.count; i++) {
            EXPECT(graph, expected[out.at[i]]);
            expected[out.at[i]] = false;
        }
    }
}

static void small_graphs(void **state) {
    (void)state;
    each_graph_of_four(check_small);
    each_graph_of_five(check_small);
}

static void shapes(void **state) {
    (void)state;
    each_shape(check_large, 800);
}

// A loop whose body is a long chain, with a variable set at each of its nodes: the answer is always
// the header, and a walk down the chain for each would take minutes.
static void many_variables(void **state) {
    (void)state;
    enum { NODES = 400000 };
    Arena *arena = arena_new("test");
    Rows rows = rows_new(arena);
    for (uint32_t n = 0; n < NODES; n++, rows_end(&rows))
        rows_edge(&rows, n + 1 < NODES ? n + 1 : 1);
    Graph graph = rows_graph(&rows);
    DomTree dom = dom_tree(arena, &graph);
    Frontiers frontiers = frontiers_new(arena, &graph, &dom);
    NodeList out = {0};
    for (uint32_t n = 0; n < NODES; n++) {
        frontiers_of(&frontiers, &n, 1, arena, &out);
        assert_int_equal(out.count, n > 0);
        if (n > 0) assert_int_equal(out.at[0], 1);
    }
    arena_free(arena);
}

// The same with a switch at the end of which every case goes back to the header: still one answer
// for each node, however many edges lead to it.
static void many_latches(void **state) {
    (void)state;
    enum { CHAIN = 100000, CASES = 100000 };
    Arena *arena = arena_new("test");
    Rows rows = rows_new(arena);
    for (uint32_t n = 0; n < CHAIN; n++, rows_end(&rows)) rows_edge(&rows, n + 1);
    for (uint32_t k = 1; k <= CASES; k++) rows_edge(&rows, CHAIN + k);
    rows_end(&rows);
    for (uint32_t k = 1; k <= CASES; k++, rows_end(&rows)) rows_edge(&rows, 0);
    Graph graph = rows_graph(&rows);
    DomTree dom = dom_tree(arena, &graph);
    Frontiers frontiers = frontiers_new(arena, &graph, &dom);
    NodeList out = {0};
    for (uint32_t n = 0; n < graph.count; n++) {
        frontiers_of(&frontiers, &n, 1, arena, &out);
        assert_int_equal(out.count, 1);
        assert_int_equal(out.at[0], 0);
    }
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_graphs),
        cmocka_unit_test(shapes),
        cmocka_unit_test(many_variables),
        cmocka_unit_test(many_latches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
