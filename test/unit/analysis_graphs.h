// What the tests of the analyses share: every small graph, random graphs of many shapes,
// reachability as the naive definitions need it, and a way to fail that shows the graph.
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "analysis/graph.h"
#include "test/gen/effort.h"

// ---- Failing

static inline void show_graph(const Graph *graph) {
    for (uint32_t n = 0; n < graph->count && n < 100; n++) {
        print_error("%u ->", n);
        for (uint32_t e = graph->succ_at[n]; e < graph->succ_at[n + 1]; e++)
            print_error(" %u", graph->succ[e]);
        print_error("\n");
    }
}

#define EXPECT(graph, ...)                                                                         \
    do {                                                                                           \
        if (!(__VA_ARGS__)) {                                                                      \
            show_graph(graph);                                                                     \
            fail_msg("%s", #__VA_ARGS__);                                                          \
        }                                                                                          \
    } while (0)

// ---- Making graphs

// Rows of successors, filled node after node.
typedef struct {
    Arena *arena;
    NodeList at;
    NodeList succ;
} Rows;

static inline Rows rows_new(Arena *arena) {
    Rows rows = {.arena = arena};
    vec_push(arena, &rows.at, 0);
    return rows;
}
static inline void rows_edge(Rows *rows, uint32_t succ) {
    vec_push(rows->arena, &rows->succ, succ);
}
// Ends the row of a node.
static inline void rows_end(Rows *rows) {
    uint32_t end = rows->succ.count;
    vec_push(rows->arena, &rows->at, end);
}
static inline Graph rows_graph(const Rows *rows) {
    return graph_from(rows->arena, rows->at.count - 1, rows->at.at, rows->succ.at);
}

// ---- Random numbers (splitmix64)

static inline uint64_t random_next(uint64_t *seed) {
    uint64_t z = *seed += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}
static inline uint32_t random_below(uint64_t *seed, uint32_t limit) {
    return (uint32_t)(random_next(seed) % limit);
}

// ---- Every small graph

// A check of one graph; the seed differs from graph to graph. The arena is reset in between.
typedef void CheckGraph(Arena *arena, const Graph *graph, uint64_t seed);

// The choice-th list of at most two successors out of `count` nodes, of 1 + count + count^2.
static inline void any_row(Rows *rows, uint32_t count, uint32_t choice) {
    if (choice > count) {
        rows_edge(rows, (choice - count - 1) / count);
        rows_edge(rows, (choice - count - 1) % count);
    } else if (choice > 0) {
        rows_edge(rows, choice - 1);
    }
    rows_end(rows);
}

// The choice-th of the 15 nonempty sets of one or two successors out of five nodes.
static inline void pair_row(Rows *rows, uint32_t count, uint32_t choice) {
    (void)count;
    for (uint32_t a = 0; a < 5; a++) {
        for (uint32_t b = a; b < 5; b++) {
            if (choice-- > 0) continue;
            rows_edge(rows, a);
            if (b != a) rows_edge(rows, b);
        }
    }
    rows_end(rows);
}

static inline void each_graph(CheckGraph *check, uint32_t count, uint32_t choices,
                              void row(Rows *rows, uint32_t count, uint32_t choice)) {
    Arena *arena = arena_new("test");
    uint32_t total = 1;
    for (uint32_t n = 0; n < count; n++) total *= choices;
    for (uint32_t i = 0; i < total; i++) {
        arena_reset(arena);
        Rows rows = rows_new(arena);
        uint32_t rest = i;
        for (uint32_t n = 0; n < count; n++, rest /= choices) row(&rows, count, rest % choices);
        Graph graph = rows_graph(&rows);
        check(arena, &graph, i);
    }
    arena_free(arena);
}

// Every graph of up to four nodes with lists of up to two successors.
static inline void each_graph_of_four(CheckGraph *check) {
    for (uint32_t n = 1; n <= 4; n++) each_graph(check, n, 1 + n + n * n, any_row);
}
// Every graph of five nodes with one or two successors each.
static inline void each_graph_of_five(CheckGraph *check) {
    each_graph(check, 5, (uint32_t)effort(6, 15, 15), pair_row);
}

// ---- Sets of nodes of small graphs as masks

static inline uint32_t mask_of_succs(const Graph *graph, uint32_t node) {
    uint32_t mask = 0;
    for (uint32_t e = graph->succ_at[node]; e < graph->succ_at[node + 1]; e++)
        mask |= 1u << graph->succ[e];
    return mask;
}
static inline uint32_t mask_of_preds(const Graph *graph, uint32_t node) {
    uint32_t mask = 0;
    for (uint32_t n = 0; n < graph->count; n++)
        if (mask_of_succs(graph, n) >> node & 1) mask |= 1u << n;
    return mask;
}
// What a node reaches inside a set, itself included if it is in the set.
static inline uint32_t mask_reach(const uint32_t *succs, uint32_t node, uint32_t inside) {
    uint32_t reach = 1u << node & inside, todo = reach;
    while (todo) {
        uint32_t n = (uint32_t)__builtin_ctz(todo);
        uint32_t fresh = succs[n] & inside & ~reach;
        reach |= fresh;
        todo = (todo & (todo - 1)) | fresh;
    }
    return reach;
}

// ---- Graphs of many shapes

typedef enum {
    SHAPE_LINE,       // a chain
    SHAPE_NEST,       // loops inside each other, the bodies chains
    SHAPE_SWITCH,     // switches with many cases, some sharing targets, that meet again
    SHAPE_ELSE_IF,    // a chain of conditions whose branches meet at the end
    SHAPE_GOTOS,      // a chain of which every other node also jumps anywhere
    SHAPE_RANDOM,     // zero to two successors anywhere
    SHAPE_STRUCTURED, // sequences of conditionals, loops with breaks and continues, returns
    SHAPE_LADDER,     // two rails with rungs, and loops back to earlier rungs
    SHAPE_SKIPS,      // a deep chain with short forward and backward jumps
    SHAPE_COUNT
} Shape;

// depth loops (fewer if there is no room), each with a header that leaves it and two latches; what
// is left of the nodes is spread over the bodies.
static inline void nest_shape(Rows *rows, uint32_t count, uint32_t depth) {
    if (depth > (count - 1) / 3) depth = (count - 1) / 3;
    uint32_t filler = depth ? (count - 1 - 3 * depth) / depth : 0, at = 0;
    uint32_t tail = count - 1 - 2 * depth; // the latches of the innermost loop start here
    for (uint32_t d = 0; d < depth; d++) {
        uint32_t exit = d == 0 ? count - 1 : tail + 2 * (depth - d);
        rows_edge(rows, ++at);
        rows_edge(rows, exit);
        rows_end(rows);
        for (uint32_t k = 0; k < filler; k++) {
            rows_edge(rows, ++at);
            rows_end(rows);
        }
    }
    for (; at < tail; rows_end(rows)) rows_edge(rows, ++at);
    for (uint32_t d = depth; d-- > 0;) {
        uint32_t header = d * (1 + filler);
        rows_edge(rows, header); // continue early
        rows_edge(rows, at + 1);
        rows_end(rows);
        rows_edge(rows, header);
        rows_end(rows);
        at += 2;
    }
    rows_end(rows);
}

// Switches of `cases` cases one after the other; every third case shares its neighbour's target.
static inline void switch_shape(Rows *rows, uint32_t count, uint32_t cases) {
    uint32_t at = 0;
    while (count - at > 2) {
        uint32_t targets = cases < count - at - 2 ? cases : count - at - 2;
        uint32_t join = at + 1 + targets;
        for (uint32_t k = 0; k < targets; k++) rows_edge(rows, at + 1 + (k % 3 == 2 ? k - 1 : k));
        rows_end(rows);
        for (uint32_t k = 0; k < targets; k++, rows_end(rows)) rows_edge(rows, join);
        at = join;
    }
    for (; at + 1 < count; rows_end(rows)) rows_edge(rows, ++at);
    rows_end(rows);
}

static inline void else_if_shape(Rows *rows, uint32_t count) {
    uint32_t end = count - 1, at = 0;
    for (; at + 2 < end; at += 2) {
        rows_edge(rows, at + 1);
        rows_edge(rows, at + 2);
        rows_end(rows);
        rows_edge(rows, end);
        rows_end(rows);
    }
    for (; at < end; at++, rows_end(rows)) rows_edge(rows, at + 1);
    rows_end(rows);
}

static inline void ladder_shape(Rows *rows, uint32_t count, uint64_t *seed) {
    for (uint32_t n = 0; n < count; n++, rows_end(rows)) {
        if (n + 2 < count) rows_edge(rows, n + 2);
        if (n + 1 < count && (n % 2 == 0 || random_below(seed, 3) == 0)) rows_edge(rows, n + 1);
        if (random_below(seed, 8) == 0) rows_edge(rows, random_below(seed, n + 1));
    }
}

static inline void skips_shape(Rows *rows, uint32_t count, uint64_t *seed) {
    for (uint32_t n = 0; n < count; n++, rows_end(rows)) {
        if (n + 1 < count) rows_edge(rows, n + 1);
        uint32_t dice = random_below(seed, 10), distance = 1 + random_below(seed, 12);
        if (dice == 0 && n + distance < count) rows_edge(rows, n + distance);
        if (dice == 1) rows_edge(rows, n < distance ? 0 : n - distance);
    }
}

// A structured program over the nodes first .. end - 1, after which it goes on to `next`; inside a
// loop, `head` and `out` are where continue and break lead. Each node's row comes in order.
static inline void structured_shape(Rows *rows, uint32_t first, uint32_t end, uint32_t next,
                                    uint32_t head, uint32_t out, uint64_t *seed) {
    while (first < end) {
        uint32_t room = end - first, dice = random_below(seed, 10);
        if (room >= 4 && dice < 7) {
            uint32_t size = 3 + random_below(seed, room - 3), half = 1 + size / 2;
            uint32_t after = first + size < end ? first + size : next;
            rows_edge(rows, first + 1);
            if (dice < 3) { // if ... else ...
                rows_edge(rows, first + half);
                rows_end(rows);
                structured_shape(rows, first + 1, first + half, after, head, out, seed);
                structured_shape(rows, first + half, first + size, after, head, out, seed);
            } else { // while
                rows_edge(rows, after);
                rows_end(rows);
                structured_shape(rows, first + 1, first + size, first, first, after, seed);
            }
            first += size;
            continue;
        }
        uint32_t following = first + 1 < end ? first + 1 : next;
        if (following != NO_ID) rows_edge(rows, following);
        if (dice == 7 && head != NO_ID) rows_edge(rows, head);
        if (dice == 8 && out != NO_ID) rows_edge(rows, out);
        rows_end(rows);
        first++;
    }
}

static inline Graph shape_graph(Arena *arena, Shape shape, uint32_t count, uint64_t seed) {
    Rows rows = rows_new(arena);
    switch (shape) {
    case SHAPE_NEST: nest_shape(&rows, count, 1000); break;
    case SHAPE_SWITCH: switch_shape(&rows, count, count < 20000 ? 1 + count / 3 : 20000); break;
    case SHAPE_ELSE_IF: else_if_shape(&rows, count); break;
    case SHAPE_LADDER: ladder_shape(&rows, count, &seed); break;
    case SHAPE_SKIPS: skips_shape(&rows, count, &seed); break;
    case SHAPE_STRUCTURED:
        structured_shape(&rows, 0, count - 1, count - 1, NO_ID, NO_ID, &seed);
        rows_end(&rows);
        break;
    case SHAPE_RANDOM:
        for (uint32_t n = 0; n < count; n++, rows_end(&rows))
            for (uint32_t k = (2 + random_below(&seed, 7)) / 3; k > 0; k--)
                rows_edge(&rows, random_below(&seed, count));
        break;
    default:
        for (uint32_t n = 0; n < count; n++, rows_end(&rows)) {
            if (n + 1 < count) rows_edge(&rows, n + 1);
            if (shape == SHAPE_GOTOS && n % 2) rows_edge(&rows, random_below(&seed, count));
        }
    }
    assert_int_equal(rows.at.count, count + 1);
    return rows_graph(&rows);
}

// Every shape in several sizes up to `largest`.
static inline void each_shape(CheckGraph *check, uint32_t largest) {
    static const uint32_t sizes[] = {50, 51, 120, 333, 800, 2000};
    Arena *arena = arena_new("test");
    for (uint32_t shape = 0; shape < SHAPE_COUNT; shape++) {
        for (uint32_t i = 0; i < sizeof sizes / sizeof *sizes && sizes[i] <= largest; i++) {
            for (uint32_t turn = 0; turn < 2000 / sizes[i]; turn++) {
                arena_reset(arena);
                uint64_t seed = (uint64_t)shape << 40 | (uint64_t)sizes[i] << 20 | turn;
                Graph graph = shape_graph(arena, shape, sizes[i], seed);
                check(arena, &graph, seed);
            }
        }
    }
    arena_free(arena);
}

// ---- Sets of nodes of large graphs

// Marks what is reachable from a node without entering another, which may be NO_ID.
static inline void mark_reach(Arena *arena, const Graph *graph, uint32_t from, uint32_t without,
                              bool *mark) {
    NodeList work = {0};
    if (from == without) return;
    mark[from] = true;
    vec_push(arena, &work, from);
    while (work.count > 0) {
        uint32_t node = vec_pop(&work);
        for (uint32_t e = graph->succ_at[node]; e < graph->succ_at[node + 1]; e++) {
            uint32_t succ = graph->succ[e];
            if (succ == without || mark[succ]) continue;
            mark[succ] = true;
            vec_push(arena, &work, succ);
        }
    }
}

// The naive dominance relation as a matrix: entry [a * count + b] says whether a dominates b.
static inline bool *naive_dominance(Arena *arena, const Graph *graph) {
    uint32_t count = graph->count;
    bool *matrix = ARENA_ARRAY(arena, bool, (size_t)count *count);
    bool *reached = ARENA_ARRAY(arena, bool, count);
    mark_reach(arena, graph, graph->entry, NO_ID, reached);
    for (uint32_t a = 0; a < count; a++) {
        bool *row = matrix + (size_t)a * count;
        if (!reached[a]) continue;
        mark_reach(arena, graph, graph->entry, a, row);
        for (uint32_t b = 0; b < count; b++) row[b] = reached[b] && !row[b];
    }
    return matrix;
}

// ---- Functions

// A function with the given graph and registers; its instructions set and use nothing yet.
static inline Func func_from(Arena *arena, const Graph *graph, uint32_t regs) {
    Func func = {.arena = arena};
    for (uint32_t r = 0; r < regs; r++) func_temp(&func, TYPE_I32);
    for (uint32_t n = 0; n < graph->count; n++) {
        uint32_t first = graph->succ_at[n], count = graph->succ_at[n + 1] - first;
        static const uint8_t kinds[] = {I_RETURN, I_OP, I_COND, I_SWITCH};
        Node node =
            func_add(&func, (Instr){.kind = (uint8_t)kinds[count < 3 ? count : 3], .dest = NO_REG});
        Node *succs = ARENA_ARRAY(arena, Node, count);
        for (uint32_t k = 0; k < count; k++) succs[k].i = graph->succ[first + k];
        func_set_succs(&func, node, succs, count);
    }
    return func;
}
