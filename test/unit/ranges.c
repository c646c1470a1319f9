// Ranges (fact/range.h) against all values: every formula on all intervals, signed and unsigned,
// and all known bits of four bits; then on random ranges of 32 and 64 bits with undefined bits,
// against op_eval.
#include "fact/eval.h"
#include "fact/range.h"
#include "test/gen/effort.h"
#include "test/gen/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { BITS = 4, SIZE = 1 << BITS, MASK = SIZE - 1, MOST_RANGES = 512 };

typedef struct {
    uint32_t count;
    Range at[MOST_RANGES];
} Ranges;

static int sign_of(uint32_t value) {
    return (int)(value ^ 8) - 8;
}

// All intervals of either kind, and all known bits.
static Ranges all_ranges(void) {
    Ranges all = {0};
    for (int least = -8; least < 8; least++)
        for (int most = least; most < 8; most++) {
            Range it = range_full(BITS);
            it.least = least;
            it.most = most;
            all.at[all.count++] = it;
        }
    for (uint32_t low = 0; low < SIZE; low++)
        for (uint32_t high = low; high < SIZE; high++) {
            Range it = range_full(BITS);
            it.low = low;
            it.high = high;
            all.at[all.count++] = it;
        }
    for (uint32_t zeros = 0; zeros < SIZE; zeros++)
        for (uint32_t ones = 0; ones < SIZE; ones++) {
            if (zeros & ones) continue;
            Range it = range_full(BITS);
            it.zeros = zeros;
            it.ones = ones;
            all.at[all.count++] = it;
        }
    return all;
}

// The meaning of operators at four bits; false where they go wrong.
static bool reference(OpFamily family, uint32_t a, uint32_t b, uint32_t *result) {
    int sa = sign_of(a), sb = sign_of(b), exact = 0;
    switch (family) {
    case FAM_ADD: *result = a + b; break;
    case FAM_SUB: *result = a - b; break;
    case FAM_NEG: *result = 0 - a; break;
    case FAM_MUL: *result = a * b; break;
    case FAM_MULHU: *result = a * b >> BITS; break;
    case FAM_DIVU:
        if (!b) return false;
        *result = a / b;
        break;
    case FAM_MODU:
        if (!b) return false;
        *result = a % b;
        break;
    case FAM_DIVS:
        if (!b || (sa == -8 && sb == -1)) return false;
        *result = (uint32_t)(sa / sb);
        break;
    case FAM_MODS:
        if (!b || (sa == -8 && sb == -1)) return false;
        *result = (uint32_t)(sa % sb);
        break;
    case FAM_AND: *result = a & b; break;
    case FAM_OR: *result = a | b; break;
    case FAM_XOR: *result = a ^ b; break;
    case FAM_NOT: *result = ~a; break;
    case FAM_CTZ: *result = a ? (uint32_t)__builtin_ctz(a) : BITS; break;
    case FAM_EQ: *result = a == b; break;
    case FAM_NE: *result = a != b; break;
    case FAM_LT: *result = sa < sb; break;
    case FAM_LE: *result = sa <= sb; break;
    case FAM_GT: *result = sa > sb; break;
    case FAM_GE: *result = sa >= sb; break;
    case FAM_ULT: *result = a < b; break;
    case FAM_ULE: *result = a <= b; break;
    case FAM_UGT: *result = a > b; break;
    case FAM_UGE: *result = a >= b; break;
    case FAM_ADDO:
    case FAM_NADDO: exact = sa + sb; goto overflow;
    case FAM_SUBO:
    case FAM_NSUBO: exact = sa - sb; goto overflow;
    case FAM_RSUBO:
    case FAM_NRSUBO: exact = sb - sa; goto overflow;
    case FAM_MULO:
    case FAM_NMULO: exact = sa * sb; goto overflow;
    default:
        fail_msg("no reference");
    overflow:
        *result = exact < -8 || exact > 7;
        if (family == FAM_NADDO || family == FAM_NSUBO || family == FAM_NRSUBO ||
            family == FAM_NMULO)
            *result = !*result;
        break;
    }
    *result &= MASK;
    return true;
}

static const OpFamily families[] = {
    FAM_ADD,  FAM_SUB,   FAM_NEG,  FAM_MUL,   FAM_MULHU, FAM_DIVU,   FAM_MODU, FAM_DIVS,
    FAM_MODS, FAM_AND,   FAM_OR,   FAM_XOR,   FAM_NOT,   FAM_CTZ,    FAM_EQ,   FAM_NE,
    FAM_LT,   FAM_LE,    FAM_GT,   FAM_GE,    FAM_ULT,   FAM_ULE,    FAM_UGT,  FAM_UGE,
    FAM_ADDO, FAM_NADDO, FAM_SUBO, FAM_NSUBO, FAM_RSUBO, FAM_NRSUBO, FAM_MULO, FAM_NMULO};
enum { FAMILIES = sizeof families / sizeof *families };

typedef struct {
    uint64_t tried, told; // pairs of ranges, and those of which the result is not everything
} Counts;

static void fail_at(const char *what, OpFamily family, uint32_t a, uint32_t b, const Range *range) {
    fail_msg("%s of %s: %u, %u lies outside of [%llu, %llu] [%lld, %lld] zeros %llx ones %llx",
             what, op_info(op_of(family, TYPE_I64))->name, a, b, (unsigned long long)range->low,
             (unsigned long long)range->high, (long long)range->least, (long long)range->most,
             (unsigned long long)range->zeros, (unsigned long long)range->ones);
}

// The result of every pair of values, and what is concluded from it about the operands.
static void try_pair(OpFamily family, const Range *args, Counts *counts) {
    Range result = range_of_family(family, BITS, BITS, args);
    Range full = range_full(BITS);
    Op op = op_of(family, TYPE_I64);
    bool compares = op_compares_integers(op) && !op_tells_overflow(op);
    counts->tried++;
    counts->told += !range_contains(&result, &full);
    assert_false(range_is_empty(&result));
    Range known = range_if(family, BITS, &args[0], &args[1]);
    Range back[2] = {range_of_operand(family, BITS, BITS, args, 0, &result),
                     range_of_operand(family, BITS, BITS, args, 1, &result)};
    for (uint32_t a = 0; a < SIZE; a++) {
        if (!range_has(&args[0], BITS, a)) continue;
        for (uint32_t b = 0; b < SIZE; b++) {
            uint32_t value;
            if (!range_has(&args[1], BITS, b) || !reference(family, a, b, &value)) continue;
            if (!range_has(&result, BITS, value)) fail_at("result", family, a, b, &result);
            if (compares && value && !range_has(&known, BITS, a))
                fail_at("outcome", family, a, b, &known);
            if (!range_has(&back[0], BITS, a)) fail_at("operand 0", family, a, b, &back[0]);
            if (!range_has(&back[1], BITS, b)) fail_at("operand 1", family, a, b, &back[1]);
        }
    }
}

static void test_formulas(void **state) {
    (void)state;
    Ranges all = all_ranges();
    uint64_t every = effort(37, 5, 1);
    for (uint32_t f = 0; f < FAMILIES; f++) {
        Counts counts = {0};
        for (uint64_t pair = f % every; pair < (uint64_t)all.count * all.count; pair += every) {
            Range args[2] = {all.at[pair / all.count], all.at[pair % all.count]};
            try_pair(families[f], args, &counts);
        }
        if (families[f] != FAM_MULHU) assert_true(counts.told > 0);
    }
}

// Each view of two ranges, both true of one value.
static void test_both(void **state) {
    (void)state;
    Ranges all = all_ranges();
    for (uint32_t i = 0; i < all.count; i++)
        for (uint32_t j = 0; j < all.count; j += 3) {
            Range both = range_both(BITS, &all.at[i], &all.at[j]);
            Range either = range_either(&all.at[i], &all.at[j]);
            for (uint32_t a = 0; a < SIZE; a++) {
                bool first = range_has(&all.at[i], BITS, a),
                     second = range_has(&all.at[j], BITS, a);
                if (first && second)
                    assert_true(range_has(&both, BITS, a) && !range_is_empty(&both));
                if (first || second) assert_true(range_has(&either, BITS, a));
            }
        }
}

// What a switch leaves by default: every value that is no case, and none if all are cases.
static void test_beside(void **state) {
    (void)state;
    Ranges all = all_ranges();
    Random random = random_from(77);
    uint32_t empty = 0, told = 0;
    for (uint32_t i = 0; i < all.count; i++)
        for (uint32_t round = 0; round < 20; round++) {
            uint64_t set = random_next(&random) | (round % 2 ? random_next(&random) : 0);
            int64_t cases[SIZE];
            uint32_t count = 0, left = 0;
            if (round == 0) set = 0;
            for (int64_t value = -(int64_t)SIZE / 2; value < (int64_t)SIZE / 2; value++)
                if (set >> (value & (SIZE - 1)) & 1) cases[count++] = value;
            Range beside = range_beside(BITS, &all.at[i], cases, count);
            for (uint32_t a = 0; a < SIZE; a++) {
                if (!range_has(&all.at[i], BITS, a) || set >> a & 1) continue;
                left++;
                if (!range_has(&beside, BITS, a)) fail_at("beside", FAM_EQ, a, 0, &beside);
            }
            empty += range_is_empty(&beside);
            assert_true(!left || !range_is_empty(&beside));
            Range known = all.at[i];
            known.defined = beside.defined;
            told += left && !range_contains(&beside, &known);
        }
    assert_true(empty > 1000 && told > 1000);
}

// ---- With undefined bits

static Value random_value(Random *random, Type type, uint64_t *shadow) {
    static const uint64_t ends[] = {0, 1, 2, 3, 15, 16, 31, 127, 128, 255, 256, 0x7fffffff};
    uint64_t mask = type_mask(type), bits = random_next(random);
    if (random_below(random, 2)) bits = ends[random_below(random, 12)];
    if (random_below(random, 4) == 0) bits = 0 - bits;
    if (random_below(random, 4) == 0) bits >>= random_below(random, 64);
    uint64_t undef = random_below(random, 3) ? 0 : random_next(random) & random_next(random);
    if (random_below(random, 8) == 0) undef = ~(uint64_t)0;
    *shadow = (bits ^ (undef & random_next(random))) & mask;
    return (Value){.bits = bits & ~undef & mask, .undef = undef & mask};
}

// A range that is true of a value and its shadow.
static Range range_around(Random *random, Type type, Value value, uint64_t shadow) {
    uint32_t bits = range_bits(type);
    Range range = range_constant(bits, shadow), full = range_full(bits);
    for (uint32_t i = random_below(random, 3); i > 0; i--) {
        uint64_t other =
            random_below(random, 2) ? random_next(random) : shadow + random_below(random, 9);
        Range more = range_constant(bits, other & type_mask(type));
        range = range_either(&range, &more);
    }
    if (random_below(random, 8) == 0) range = full;
    range.defined = ~value.undef & type_mask(type);
    if (random_below(random, 3) == 0) range.defined &= random_next(random);
    return range;
}

static void try_op(Random *random, Op op) {
    const OpInfo *info = op_info(op);
    Value value[3] = {{0}}, result, filled[3] = {{0}}, expected;
    Range args[3];
    for (uint32_t k = 0; k < info->arity; k++) {
        uint64_t shadow;
        value[k] = random_value(random, info->operand[k], &shadow);
        filled[k] = (Value){.bits = shadow};
        args[k] = range_around(random, info->operand[k], value[k], shadow);
    }
    Range range = range_of_op(op, args);
    if (!op_eval(op, value[0], value[1], value[2], &result)) return;
    assert_true(op_eval(op, filled[0], filled[1], filled[2], &expected));
    if (!range_has(&range, range_bits(info->result), expected.bits))
        fail_msg("%s(%llx, %llx) = %llx lies outside", info->name,
                 (unsigned long long)filled[0].bits, (unsigned long long)filled[1].bits,
                 (unsigned long long)expected.bits);
    if (range.defined & result.undef)
        fail_msg("%s: bits %llx are said to be defined", info->name,
                 (unsigned long long)(range.defined & result.undef));
}

static void test_operators(void **state) {
    (void)state;
    Random random = random_from(31);
    uint32_t tried = 0;
    for (Op op = 0; op < OP_COUNT; op++) {
        const OpInfo *info = op_info(op);
        bool integers = info->arity > 0 && type_is_int(info->result);
        for (uint32_t k = 0; k < info->arity; k++) integers &= type_is_int(info->operand[k]);
        if (!integers) continue;
        tried++;
        for (uint64_t i = effort(2000, 20000, 400000); i > 0; i--) try_op(&random, op);
    }
    assert_true(tried > 90);
}

// Whether a range has a value at all: all pairs of intervals with all known bits.
static void test_some(void **state) {
    (void)state;
    Ranges all = all_ranges();
    enum { INTERVALS = SIZE * (SIZE + 1) / 2 };
    for (uint32_t i = 0; i < INTERVALS; i++)
        for (uint32_t j = INTERVALS; j < 2 * INTERVALS; j++)
            for (uint32_t k = 2 * INTERVALS; k < all.count; k++) {
                Range range = all.at[j];
                range.least = all.at[i].least;
                range.most = all.at[i].most;
                range.zeros = all.at[k].zeros;
                range.ones = all.at[k].ones;
                bool some = false;
                for (uint32_t a = 0; a < SIZE; a++) some |= range_has(&range, BITS, a);
                if (range_has_some(&range, BITS) != some) fail_at("some", FAM_AND, 0, 0, &range);
            }
    Range wide = range_full(64);
    assert_true(range_has_some(&wide, 64));
    wide.low = wide.high = UINT64_MAX;
    assert_true(range_has_some(&wide, 64));
    wide.zeros = 1;
    assert_false(range_has_some(&wide, 64));
}

// At a place that is never reached a range may be empty: nothing follows, and nothing breaks.
static void test_empty(void **state) {
    (void)state;
    Range full = range_full(32), empty = full;
    empty.least = 1;
    empty.most = 0;
    for (Op op = 0; op < OP_COUNT; op++) {
        const OpInfo *info = op_info(op);
        if (info->arity != 2 || info->operand[0] != TYPE_I32 || info->result != TYPE_I32) continue;
        Range result = range_of_op(op, (Range[]){full, empty});
        assert_true(range_contains(&result, &full));
        result = range_of_op(op, (Range[]){empty, full});
        assert_true(range_contains(&result, &full));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty),     cmocka_unit_test(test_some),
        cmocka_unit_test(test_formulas),  cmocka_unit_test(test_both),
        cmocka_unit_test(test_operators), cmocka_unit_test(test_beside)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
