// The loop forest against its recursive definition (loops.h): components, the first node in reverse
// postorder as header, and again without it.
#include "analysis_graphs.h"

#include "analysis/loops.h"

// ---- The definition for small graphs, by masks

typedef struct {
    uint32_t count;
    uint32_t succs[8];
    uint32_t preds[8];
    uint32_t body[8];   // of the loop that a node heads; 0 if none
    uint32_t parent[8]; // header of the next outer loop of that loop; NO_ID if none
    uint32_t depth[8];
} SmallLoops;

static void small_loops(const Graph *graph, SmallLoops *loops, uint32_t inside, uint32_t parent,
                        uint32_t depth) {
    while (inside) {
        uint32_t n = (uint32_t)__builtin_ctz(inside), header = n;
        uint32_t component =
            mask_reach(loops->succs, n, inside) & mask_reach(loops->preds, n, inside);
        // Reaching both ways inside a set of whole components is being in one of them.
        inside &= ~component;
        for (uint32_t m = 0; m < loops->count; m++)
            if (component >> m & 1 && graph->number[m] < graph->number[header]) header = m;
        if (!(component & (component - 1)) && !(loops->succs[n] & component)) continue;
        loops->body[header] = component;
        loops->parent[header] = parent;
        loops->depth[header] = depth;
        small_loops(graph, loops, component & ~(1u << header), header, depth + 1);
    }
}

static void check_small_loop(Arena *arena, const Graph *graph, const LoopForest *forest,
                             const SmallLoops *expected, uint32_t l, uint32_t reach,
                             NodeList *out) {
    const Loop *loop = &forest->loops[l];
    uint32_t h = loop->header, body = expected->body[h], entries = 0, latches = 0, members = 0;
    EXPECT(graph, body != 0 && loop->depth == expected->depth[h]);
    EXPECT(graph, (loop->parent == NO_ID ? NO_ID : forest->loops[loop->parent].header) ==
                      expected->parent[h]);
    EXPECT(graph, l == 0 || graph->number[forest->loops[l - 1].header] < graph->number[h]);
    for (uint32_t n = 0; n < graph->count; n++) {
        uint32_t preds = expected->preds[n] & reach;
        bool entry = body >> n & 1 && preds & ~body;
        EXPECT(graph, loop_contains(forest, l, n) == (body >> n & 1));
        EXPECT(graph, loop_enters(forest, l, n) == entry);
        if (entry && n != h) entries |= 1u << n;
    }
    EXPECT(graph, loop->irreducible == (entries != 0));
    loop_entries(forest, l, arena, out);
    for (uint32_t i = 0; i < out->count; i++) {
        EXPECT(graph, entries >> out->at[i] & 1);
        entries &= ~(1u << out->at[i]);
    }
    EXPECT(graph, entries == 0);
    for (uint32_t i = 0; i < loop->latch_count; i++) {
        uint32_t bit = 1u << forest->latch[loop->latch_at + i];
        EXPECT(graph, !(latches & bit));
        latches |= bit;
    }
    EXPECT(graph, latches == (expected->preds[h] & body));
    EXPECT(graph, loop_body(forest, l)[0] == h);
    for (uint32_t i = 0; i < loop_size(forest, l); i++) members |= 1u << loop_body(forest, l)[i];
    EXPECT(graph, members == body);
}

static void check_small(Arena *arena, const Graph *graph, uint64_t seed) {
    (void)seed;
    SmallLoops expected = {.count = graph->count};
    uint32_t reach, headers = 0;
    for (uint32_t n = 0; n < graph->count; n++) {
        expected.succs[n] = mask_of_succs(graph, n);
        for (uint32_t m = 0; m < graph->count; m++)
            if (expected.succs[n] >> m & 1) expected.preds[m] |= 1u << n;
    }
    reach = mask_reach(expected.succs, 0, (1u << graph->count) - 1);
    small_loops(graph, &expected, reach, NO_ID, 1);
    LoopForest forest = loops_of(arena, graph);
    NodeList out = {0};
    for (uint32_t l = 0; l < forest.count; l++)
        check_small_loop(arena, graph, &forest, &expected, l, reach, &out);
    for (uint32_t n = 0; n < graph->count; n++) {
        uint32_t inner = NO_ID; // header of the smallest body that contains n
        for (uint32_t h = 0; h < graph->count; h++)
            if (expected.body[h] >> n & 1 &&
                (inner == NO_ID || expected.depth[h] > expected.depth[inner]))
                inner = h;
        uint32_t found = forest.innermost[n];
        EXPECT(graph, (found == NO_ID ? NO_ID : forest.loops[found].header) == inner);
        headers += expected.body[n] != 0;
    }
    EXPECT(graph, headers == forest.count);
}

// ---- The definition for large graphs

typedef struct {
    Arena *arena;
    const Graph *graph;
    uint32_t *region; // node -> number of the component it is in
    uint32_t regions;
    bool *seen;
    uint32_t
        *outer; // result: header of the innermost loop that contains and is not headed by a node
    bool *heads;
} LargeLoops;

// Kosaraju's algorithm over the nodes of one region: first by successors, listing nodes as they are
// finished, then by predecessors, last finished first.
static void finish_order(LargeLoops *s, uint32_t node, NodeList *finished) {
    s->seen[node] = true;
    for (uint32_t e = s->graph->succ_at[node]; e < s->graph->succ_at[node + 1]; e++) {
        uint32_t succ = s->graph->succ[e];
        if (s->region[succ] == s->region[node] && !s->seen[succ]) finish_order(s, succ, finished);
    }
    vec_push(s->arena, finished, node);
}

static void gather(LargeLoops *s, uint32_t node, uint32_t from, uint32_t to, NodeList *component) {
    s->region[node] = to;
    vec_push(s->arena, component, node);
    for (uint32_t e = s->graph->pred_at[node]; e < s->graph->pred_at[node + 1]; e++)
        if (s->region[s->graph->pred[e]] == from) gather(s, s->graph->pred[e], from, to, component);
}

static bool has_edge(const Graph *graph, uint32_t node, uint32_t to) {
    for (uint32_t e = graph->succ_at[node]; e < graph->succ_at[node + 1]; e++)
        if (graph->succ[e] == to) return true;
    return false;
}

// The nodes make up one region.
static void large_loops(LargeLoops *s, const NodeList *nodes, uint32_t parent) {
    NodeList finished = {0};
    for (uint32_t i = 0; i < nodes->count; i++) s->seen[nodes->at[i]] = false;
    for (uint32_t i = 0; i < nodes->count; i++)
        if (!s->seen[nodes->at[i]]) finish_order(s, nodes->at[i], &finished);
    uint32_t region = nodes->count ? s->region[nodes->at[0]] : 0;
    while (finished.count > 0) {
        uint32_t node = vec_pop(&finished), header = node;
        if (s->region[node] != region) continue;
        NodeList component = {0}, rest = {0};
        gather(s, node, region, ++s->regions, &component);
        for (uint32_t i = 0; i < component.count; i++) {
            uint32_t member = component.at[i];
            s->outer[member] = parent;
            if (s->graph->number[member] < s->graph->number[header]) header = member;
        }
        if (component.count == 1 && !has_edge(s->graph, node, node)) continue;
        s->heads[header] = true;
        s->region[header] = ++s->regions;
        for (uint32_t i = 0; i < component.count; i++)
            if (component.at[i] != header) vec_push(s->arena, &rest, component.at[i]);
        large_loops(s, &rest, header);
    }
}

// Whether the expected forest has the node in the loop of this header.
static bool in_loop(const LargeLoops *s, uint32_t header, uint32_t node) {
    if (!graph_reaches(s->graph, node)) return false;
    while (node != NO_ID && node != header) node = s->outer[node];
    return node == header;
}

static void check_large_loop(const Graph *graph, const LoopForest *forest, const LargeLoops *s,
                             uint32_t l, NodeList *out) {
    const Loop *loop = &forest->loops[l];
    uint32_t entries = 0, size = 0, latches = 0;
    bool *body = ARENA_ARRAY(s->arena, bool, graph->count);
    for (uint32_t n = 0; n < graph->count; n++) size += body[n] = in_loop(s, loop->header, n);
    EXPECT(graph, loop_size(forest, l) == size);
    for (uint32_t i = 0; i < size; i++) EXPECT(graph, body[loop_body(forest, l)[i]]);
    for (uint32_t n = 0; n < graph->count; n++) {
        bool entered = false;
        for (uint32_t e = graph->pred_at[n]; e < graph->pred_at[n + 1]; e++)
            if (graph_reaches(graph, graph->pred[e])) entered |= body[n] && !body[graph->pred[e]];
        EXPECT(graph, loop_contains(forest, l, n) == body[n]);
        EXPECT(graph, loop_enters(forest, l, n) == entered);
        entries += entered && n != loop->header;
        latches += body[n] && has_edge(graph, n, loop->header);
    }
    EXPECT(graph, loop->latch_count == latches);
    for (uint32_t i = 0; i < latches; i++) {
        uint32_t latch = forest->latch[loop->latch_at + i];
        EXPECT(graph, body[latch] && has_edge(graph, latch, loop->header));
        body[latch] = false; // so that none comes twice
    }
    EXPECT(graph, loop->irreducible == (entries > 0));
    loop_entries(forest, l, s->arena, out);
    EXPECT(graph, out->count == entries);
    for (uint32_t i = 0; i < out->count; i++)
        EXPECT(graph, out->at[i] != loop->header && loop_enters(forest, l, out->at[i]));
}

static void check_large(Arena *arena, const Graph *graph, uint64_t seed) {
    (void)seed;
    LargeLoops s = {
        .arena = arena,
        .graph = graph,
        .region = graph_table(arena, graph->count),
        .seen = ARENA_ARRAY(arena, bool, graph->count),
        .outer = graph_table(arena, graph->count),
        .heads = ARENA_ARRAY(arena, bool, graph->count),
    };
    NodeList nodes = {0}, out = {0};
    for (uint32_t i = 0; i < graph->reached; i++) {
        s.region[graph->order[i]] = 0;
        vec_push(arena, &nodes, graph->order[i]);
    }
    large_loops(&s, &nodes, NO_ID);
    LoopForest forest = loops_of(arena, graph);
    uint32_t headers = 0;
    for (uint32_t n = 0; n < graph->count; n++) {
        uint32_t loop = forest.innermost[n], header = s.heads[n] ? n : s.outer[n];
        EXPECT(graph, (loop == NO_ID ? NO_ID : forest.loops[loop].header) == header);
        headers += s.heads[n];
    }
    EXPECT(graph, headers == forest.count);
    for (uint32_t l = 0; l < forest.count; l++) {
        const Loop *loop = &forest.loops[l];
        uint32_t parent = loop->parent == NO_ID ? NO_ID : forest.loops[loop->parent].header;
        EXPECT(graph, parent == s.outer[loop->header]);
        EXPECT(graph, loop->depth == (parent == NO_ID ? 1 : forest.loops[loop->parent].depth + 1));
        check_large_loop(graph, &forest, &s, l, &out);
    }
}

static void small_graphs(void **state) {
    (void)state;
    each_graph_of_four(check_small);
    each_graph_of_five(check_small);
}

static void shapes(void **state) {
    (void)state;
    each_shape(check_large, 2000);
}

// The shapes that are structured must come out reducible, and gotos must not.
static void reducibility(void **state) {
    (void)state;
    Arena *arena = arena_new("test");
    for (Shape shape = 0; shape < SHAPE_COUNT; shape++) {
        Graph graph = shape_graph(arena, shape, 500, 7);
        LoopForest forest = loops_of(arena, &graph);
        uint32_t irreducible = 0;
        for (uint32_t l = 0; l < forest.count; l++) irreducible += forest.loops[l].irreducible;
        if (shape == SHAPE_NEST || shape == SHAPE_STRUCTURED)
            assert_true(forest.count > 5 && irreducible == 0);
        if (shape == SHAPE_GOTOS || shape == SHAPE_LADDER) assert_true(irreducible > 5);
    }
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_graphs),
        cmocka_unit_test(shapes),
        cmocka_unit_test(reducibility),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
