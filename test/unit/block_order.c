// The checker of orders against the definition by pairs, on random operations; and its time on a
// large block.
#include "check/machine/block_order.h"
#include "test/gen/effort.h"
#include "test/gen/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

enum { PLACES = 6, OBJECTS = 4, GROUPS = 6, MOST = 9 };

static uint32_t below(Random *random, uint32_t limit) {
    return random_below(random, limit);
}

// Groups 2k and 2k + 1 are of object k + 1; the last two are of any object. Object 1 is private.
static OrderAccess random_access(Random *random, uint32_t *alone) {
    OrderAccess access = {.touch = (Order)(1 + below(random, 3)),
                          .at = (int32_t)below(random, 7) - 3};
    access.size = 1 + below(random, 4);
    access.group = below(random, GROUPS + 2);
    access.object = access.group < GROUPS ? 1 + access.group / 2 : OBJECT_ANY;
    access.shared = access.object != 1;
    if (below(random, 5) == 0) {
        access.group = (*alone)++;
        access.object = below(random, OBJECTS);
        access.shared = access.object != 1;
        access.size = 0;
    }
    return access;
}

static void random_op(Arena *arena, Random *random, OrderOps *ops, uint32_t *alone) {
    static const Order traits[] = {
        0, 0, 0, ORDER_WAITS, ORDER_CHAINED, ORDER_WAITS | ORDER_CHAINED};
    OrderOp op = {.order = traits[below(random, 6)],
                  .places = ops->places.count,
                  .first_access = ops->accesses.count};
    if (below(random, 25) == 0) op.order = ORDER_BARRIER;
    op.reads = below(random, 3);
    op.losses = below(random, 6) == 0;
    op.sets = below(random, 2);
    for (uint32_t k = 0; k < op.reads + op.losses + op.sets; k++)
        vec_push(arena, &ops->places, below(random, PLACES));
    op.access_count = below(random, 3);
    for (uint32_t k = 0; k < op.access_count; k++)
        vec_push(arena, &ops->accesses, random_access(random, alone));
    vec_push(arena, &ops->ops, op);
}

static OrderOps random_ops(Arena *arena, Random *random, uint32_t count) {
    uint32_t alone = GROUPS + 2;
    OrderOps ops = {.object_count = OBJECTS};
    for (uint32_t i = 0; i < count; i++) random_op(arena, random, &ops, &alone);
    ops.group_count = alone;
    return ops;
}

// ---- The definition

// Who has set each place that is read, and each place at the end: MOST + 1 at the start, MOST if it
// was destroyed.
static void run(const OrderOps *ops, const uint32_t *order, uint32_t read[][2], uint32_t *end) {
    for (uint32_t p = 0; p < PLACES; p++) end[p] = MOST + 1;
    for (uint32_t i = 0; i < ops->ops.count; i++) {
        const OrderOp *op = &ops->ops.at[order[i]];
        const uint32_t *place = ops->places.at + op->places;
        for (uint32_t k = 0; k < op->reads; k++) read[order[i]][k] = end[place[k]];
        for (uint32_t k = 0; k < op->losses; k++) end[place[op->reads + k]] = MOST;
        for (uint32_t k = 0; k < op->sets; k++) end[place[op->reads + op->losses + k]] = order[i];
    }
}

static bool is_right(const OrderOps *ops, const uint32_t *order) {
    uint32_t old[MOST], count = ops->ops.count;
    uint32_t read_old[MOST][2], read_new[MOST][2], end_old[PLACES], end_new[PLACES];
    for (uint32_t i = 0; i < count; i++) old[i] = i;
    run(ops, old, read_old, end_old);
    run(ops, order, read_new, end_new);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < ops->ops.at[i].reads; k++)
            if (read_old[i][k] != MOST && read_old[i][k] != read_new[i][k]) return false;
    for (uint32_t p = 0; p < PLACES; p++)
        if (end_old[p] != MOST && end_old[p] != end_new[p]) return false;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = i + 1; k < count; k++)
            if (order[i] > order[k] && ops_keep_order(ops, order[k], order[i])) return false;
    return true;
}

static void random_order(Random *random, uint32_t *order, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) order[i] = i;
    for (uint32_t times = below(random, 4); times-- > 0;) {
        uint32_t from = below(random, count), to = below(random, count), moved = order[from];
        for (; from < to; from++) order[from] = order[from + 1];
        for (; from > to; from--) order[from] = order[from - 1];
        order[to] = moved;
    }
}

static void test_definition(void **state) {
    (void)state;
    uint64_t rounds = effort(20000, 400000, 10000000), accepted = 0;
    Arena *arena = arena_new("orders");
    for (uint64_t seed = 1; seed <= rounds; seed++) {
        Random random = random_from(seed);
        uint32_t count = 2 + below(&random, MOST - 1), order[MOST];
        OrderOps ops = random_ops(arena, &random, count);
        OrderCheck check = block_order_new(arena, PLACES);
        // Twice with one workspace: a verdict leaves nothing behind.
        for (uint32_t times = 0; times < 2; times++) {
            random_order(&random, order, count);
            OrderVerdict verdict = block_order_check(&check, &ops, order);
            if ((verdict.reason == NULL) != is_right(&ops, order))
                fail_msg("seed %llu: %s", (unsigned long long)seed,
                         verdict.reason ? verdict.reason : "accepted");
            accepted += !verdict.reason;
        }
        arena_reset(arena);
    }
    print_message("%ju orders, %ju accepted\n", (uintmax_t)(2 * rounds), (uintmax_t)accepted);
    assert_true(accepted > rounds / 5);
    arena_free(arena);
}

static void test_not_once(void **state) {
    (void)state;
    static const uint32_t wrong[][3] = {{0, 0, 1}, {0, 1, 3}, {NO_ID, 0, 1}, {2, 2, 2}};
    Arena *arena = arena_new("orders");
    Random random = random_from(1);
    OrderOps ops = random_ops(arena, &random, 3);
    OrderCheck check = block_order_new(arena, PLACES);
    for (uint32_t i = 0; i < 4; i++)
        assert_non_null(block_order_check(&check, &ops, wrong[i]).reason);
    arena_free(arena);
}

// ---- Time

// A block in which every second operation loads and every second stores, all apart; the loads come
// first.
static double seconds_for(uint32_t count) {
    Arena *arena = arena_new("large");
    OrderOps ops = {.object_count = 2};
    uint32_t *order = ARENA_ARRAY(arena, uint32_t, count);
    for (uint32_t i = 0; i < count; i++) {
        OrderOp op = {.places = ops.places.count, .first_access = i, .access_count = 1};
        OrderAccess access = {.touch = i % 2 ? ORDER_CHANGES : ORDER_READS, .object = 1};
        access.at = (int32_t)i * 8;
        access.size = 8;
        op.reads = op.sets = 1;
        vec_push(arena, &ops.places, 0);
        vec_push(arena, &ops.places, i + 1);
        vec_push(arena, &ops.accesses, access);
        vec_push(arena, &ops.ops, op);
        order[i / 2 + (i % 2 ? count / 2 : 0)] = i;
    }
    OrderCheck check = block_order_new(arena, count + 1);
    clock_t start = clock();
    OrderVerdict verdict = block_order_check(&check, &ops, order);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    assert_null(verdict.reason);
    arena_free(arena);
    return seconds;
}

static void test_time(void **state) {
    (void)state;
    double small = seconds_for(50000), large = seconds_for(400000);
    print_message("50,000 operations: %.3f s, 400,000: %.3f s\n", small, large);
    assert_true(large < 40 * small + 0.5);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_definition),
                                       cmocka_unit_test(test_not_once),
                                       cmocka_unit_test(test_time)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
