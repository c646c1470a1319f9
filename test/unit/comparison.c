// What follows from known comparisons (fact/comparison.h): whatever is said to follow is tried with
// many values, and what should follow is found.
#include "fact/comparison.h"

#include "fact/eval.h"
#include "test/gen/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static bool is_as_said(const Comparison *it, uint64_t x, uint64_t y) {
    Value result, a = {.bits = x}, b = {.bits = y};
    if (it->a.i == 1) a = (Value){.bits = y}, b = (Value){.bits = x};
    if (it->b.i == NO_ID) b = value_immediate(op_info(it->op)->operand[1], it->imm);
    assert_true(op_eval(it->op, a, b, (Value){0}, &result));
    return (result.bits != 0) == it->holds;
}

// A number near those at which something may change.
static uint64_t number(Random *random, Type type, const Comparison *facts, uint32_t count) {
    uint64_t least = type == TYPE_I32 ? (uint64_t)1 << 31 : (uint64_t)1 << 63;
    uint64_t base = random_below(random, 3) == 0 ? 0 : least;
    if (count && random_below(random, 3)) {
        uint64_t imm = (uint64_t)facts[random_below(random, count)].imm;
        base = random_below(random, 2) ? base + imm : base - imm;
    }
    if (random_below(random, 8) == 0) base = random_next(random);
    return (base + random_below(random, 7) - 3) & type_mask(type);
}

static Comparison some_comparison(Random *random, Type type, bool two) {
    Op op;
    do op = (Op)random_below(random, OP_COUNT);
    while (!(op_info(op)->flags & OPF_COND) || op_info(op)->operand[0] != type);
    Comparison it = {.op = op, .a = {0}, .b = NO_REG, .holds = random_below(random, 2)};
    bool swapped = two && random_below(random, 2);
    if (two) it.b = (Reg){!swapped};
    if (swapped) it.a = (Reg){1};
    if (!two) {
        Value value = {.bits = number(random, type, NULL, 0)};
        it.imm = type == TYPE_I32 ? (int32_t)(uint32_t)value.bits : (int64_t)value.bits;
    }
    return it;
}

static void what_follows_holds(void **state) {
    (void)state;
    Random random = random_from(1);
    uint32_t followed = 0, told = 0;
    for (uint32_t i = 0; i < 300000; i++) {
        Type type = random_below(&random, 2) ? TYPE_I32 : TYPE_I64;
        bool two = random_below(&random, 2);
        uint32_t count = (uint32_t)random_below(&random, 4);
        Comparison all[5];
        for (uint32_t k = 0; k <= count; k++) all[k] = some_comparison(&random, type, two);
        const Comparison *goal = &all[count];
        if (!comparison_follows(all, count, goal)) continue;
        followed++;
        told += op_tells_overflow(goal->op);
        for (uint32_t k = 0; k < 60; k++) {
            uint64_t x = number(&random, type, all, count + 1);
            uint64_t y = number(&random, type, all, count + 1);
            bool known = true;
            for (uint32_t f = 0; f < count; f++) known = known && is_as_said(&all[f], x, y);
            assert_true(!known || is_as_said(goal, x, y));
        }
    }
    assert_in_range(followed, 10000, UINT32_MAX);
    assert_in_range(told, 1000, UINT32_MAX);
}

static Comparison fact(Op op, int64_t imm) {
    return (Comparison){.op = op, .a = {0}, .b = NO_REG, .imm = imm, .holds = true};
}

static void bounds_exclude_overflow(void **state) {
    (void)state;
    static const struct {
        Op op;
        int64_t imm;
        Op goal;
        int64_t by;
        bool follows;
    } rows[] = {
        {OP_LT_I32, 100, OP_NADDO_I32, 1, true},
        {OP_LT_I32, INT32_MAX, OP_NADDO_I32, 1, true},
        {OP_LE_I32, INT32_MAX - 1, OP_NADDO_I32, 2, false},
        {OP_GT_I32, 0, OP_NADDO_I32, -1, true},
        {OP_GE_I32, 0, OP_NSUBO_I32, INT32_MAX, true},
        {OP_GE_I32, -2, OP_NSUBO_I32, INT32_MAX, false},
        {OP_GE_I32, 0, OP_NRSUBO_I32, 0, true},
        {OP_LE_I32, 0, OP_NRSUBO_I32, 0, false},
        {OP_ULT_I64, 1000, OP_NADDO_I64, 1, true},
        {OP_NE_I64, INT64_MAX, OP_NADDO_I64, 1, true},
        {OP_LT_I64, 10, OP_NMULO_I64, 2, false},
        {OP_NMULO_I64, 2, OP_NMULO_I64, 2, true},
        {OP_NMULO_I64, 2, OP_NMULO_I64, 3, false},
        {OP_NADDO_I32, 5, OP_NADDO_I32, 4, true},
        {OP_NADDO_I32, 4, OP_NADDO_I32, 5, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Comparison known = fact(rows[i].op, rows[i].imm), goal = fact(rows[i].goal, rows[i].by);
        if (comparison_follows(&known, 1, &goal) != rows[i].follows)
            fail_msg("row %zu: %s %lld", i, op_info(rows[i].goal)->name, (long long)rows[i].by);
    }
}

static void overflow_of_registers(void **state) {
    (void)state;
    Comparison known = {.op = OP_SUBO_I32, .a = {0}, .b = {1}, .holds = false};
    Comparison same = {.op = OP_NSUBO_I32, .a = {0}, .b = {1}, .holds = true};
    Comparison swapped = {.op = OP_NRSUBO_I32, .a = {1}, .b = {0}, .holds = true};
    Comparison other = {.op = OP_NSUBO_I32, .a = {1}, .b = {0}, .holds = true};
    assert_true(comparison_follows(&known, 1, &same));
    assert_true(comparison_follows(&known, 1, &swapped));
    assert_false(comparison_follows(&known, 1, &other));
    assert_false(comparison_follows(NULL, 0, &same));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_follows_holds),
        cmocka_unit_test(bounds_exclude_overflow),
        cmocka_unit_test(overflow_of_registers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
