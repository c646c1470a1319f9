// Loops of every graph of up to five nodes and of random functions: what the nest says is what the
// definition says.
#include "graph/loop_nest.h"
#include "test/gen/effort.h"
#include "test/gen/graphs.h"
#include "test/gen/random.h"
#include "test/gen/random_func.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct {
    Arena *arena;
    const Func *func;
    Preds preds;
    Dominance dom;
    uint64_t functions, loops, deepest, irreducible;
} Test;

static bool is_back(const Test *test, Node from, Node to) {
    return dominance_reaches(&test->dom, from) && dominates(&test->dom, to, from);
}

static bool is_header(const Test *test, Node node) {
    bool any = false;
    if (!dominance_reaches(&test->dom, node)) return false;
    for (uint32_t k = 0; k < preds_count(&test->preds, node); k++)
        any |= is_back(test, preds_at(&test->preds, node)[k], node);
    return any;
}

// The header, and what reaches one of its back edges without passing it.
static bool *members_of(const Test *test, Node header) {
    uint32_t count = test->func->nodes.count;
    bool *in = ARENA_ARRAY(test->arena, bool, count), more = true;
    in[header.i] = true;
    for (uint32_t k = 0; k < preds_count(&test->preds, header); k++) {
        Node pred = preds_at(&test->preds, header)[k];
        if (is_back(test, pred, header)) in[pred.i] = true;
    }
    while (more) {
        more = false;
        for (uint32_t n = 0; n < count; n++) {
            const Instr *instr = &test->func->nodes.at[n];
            if (in[n] || !dominance_reaches(&test->dom, (Node){n})) continue;
            for (uint32_t k = 0; k < instr->succ_count; k++) {
                uint32_t succ = instr_succs(test->func, instr)[k].i;
                if (succ != header.i && in[succ]) in[n] = more = true;
            }
        }
    }
    return in;
}

// Whether some node reaches itself without a back edge.
static bool has_other_cycle(const Test *test) {
    uint32_t count = test->func->nodes.count;
    for (uint32_t start = 0; start < count; start++) {
        if (!dominance_reaches(&test->dom, (Node){start})) continue;
        bool *seen = ARENA_ARRAY(test->arena, bool, count);
        uint32_t *stack = ARENA_ARRAY(test->arena, uint32_t, count + 1), depth = 0;
        stack[depth++] = start;
        while (depth) {
            Node node = {stack[--depth]};
            const Instr *instr = func_at(test->func, node);
            for (uint32_t k = 0; k < instr->succ_count; k++) {
                Node succ = instr_succs(test->func, instr)[k];
                if (is_back(test, node, succ) || seen[succ.i]) continue;
                if (succ.i == start) return true;
                seen[succ.i] = true;
                stack[depth++] = succ.i;
            }
        }
    }
    return false;
}

// A header is plain if it has two ways in, one from its loop and one that is none; so the entry is
// not.
static void check_plain(const Test *test, Node header) {
    const Node *preds = preds_at(&test->preds, header);
    uint32_t count = preds_count(&test->preds, header), back = 0, entry = NO_ID, found = NO_ID;
    for (uint32_t k = 0; k < count; k++) {
        if (is_back(test, preds[k], header))
            back++;
        else
            entry = k;
    }
    bool plain = header_is_plain(&test->preds, &test->dom, header, &found);
    assert_int_equal(plain, header.i != 0 && count == 2 && back == 1);
    if (plain) assert_int_equal(found, entry);
}

static void check_members(Test *test, const LoopNest *loop_nest) {
    uint32_t count = test->func->nodes.count;
    bool **in = ARENA_ARRAY(test->arena, bool *, count);
    uint32_t *size = ARENA_ARRAY(test->arena, uint32_t, count);
    for (uint32_t h = 0; h < count; h++) {
        assert_int_equal(loop_nest_is_header(loop_nest, (Node){h}), is_header(test, (Node){h}));
        if (!is_header(test, (Node){h})) continue;
        check_plain(test, (Node){h});
        in[h] = members_of(test, (Node){h});
        for (uint32_t n = 0; n < count; n++) {
            size[h] += in[h][n];
            assert_int_equal(loop_nest_contains(loop_nest, (Node){h}, (Node){n}), in[h][n]);
        }
        test->loops++;
    }
    for (uint32_t n = 0; n < count; n++) {
        uint32_t inner = NO_ID, outer = NO_ID, depth = 0; // the smallest loops around the node
        for (uint32_t h = 0; h < count; h++) {
            if (!in[h] || !in[h][n]) continue;
            depth++;
            if (inner == NO_ID || size[h] < size[inner]) inner = h;
            if (h != n && (outer == NO_ID || size[h] < size[outer])) outer = h;
        }
        assert_int_equal(loop_nest->loop[n].i, inner);
        if (in[n]) assert_int_equal(loop_nest->outer[n].i, outer);
        if (depth > test->deepest) test->deepest = depth;
    }
}

static void check_func(Test *test, const Func *func) {
    test->func = func;
    test->preds = preds_of(test->arena, func);
    test->dom = dominance_of(test->arena, func, &test->preds);
    LoopNest loop_nest = loop_nest_of(test->arena, func, &test->preds, &test->dom);
    assert_int_equal(loop_nest.reducible, !has_other_cycle(test));
    test->functions++;
    if (loop_nest.reducible)
        check_members(test, &loop_nest);
    else
        test->irreducible++;
}

// ---- Every small graph, and random functions

typedef struct {
    Test *test;
    uint32_t nodes;
    uint64_t every, number;
} Small;

static void visit(void *context, const uint8_t (*succs)[2], const uint8_t *counts) {
    Small *small = context;
    if (small->number++ % small->every) return;
    Arena *arena = small->test->arena;
    check_func(small->test,
               func_of_graph(arena, program_new(arena), small->nodes, succs, counts, 1));
    arena_reset(arena);
}

static void test_small(void **state) {
    (void)state;
    Test test = {.arena = arena_new("small")};
    for (uint32_t nodes = 1; nodes <= 5; nodes++) {
        Small small = {.test = &test, .nodes = nodes, .every = nodes < 5 ? 1 : effort(997, 97, 1)};
        each_small_graph(nodes, true, visit, &small);
    }
    assert_true(test.irreducible > test.functions / 100 && test.loops > test.functions / 10);
    arena_free(test.arena);
}

static void test_random(void **state) {
    (void)state;
    Test test = {.arena = arena_new("random")};
    for (uint64_t seed = 1; seed <= effort(200, 400, 10000); seed++) {
        Program *program = program_new(test.arena);
        check_func(&test, random_func(test.arena, program, random_options(150, seed), seed));
        arena_reset(test.arena);
    }
    assert_true(test.irreducible > 0 && test.deepest >= 3);
    arena_free(test.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_small), cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
