// The rows of rules.def against the evaluator: every row is well-formed, and on random and corner
// values, undefined bits included, its right-hand side is as good as its left-hand side. Divisions
// by multiplication: all divisors of small widths, many of the full ones.
#include "fact/eval.h"
#include "pass/magic.h"
#include "test/gen/algebra.h"
#include "test/gen/effort.h"
#include "test/gen/rule_smt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// ---- Form

static uint32_t variables_of(const RuleTerm *term) {
    uint32_t set = 0;
    for (const RuleTerm *end = term_end(term); term < end; term += *term == TERM_NUMBER ? 2 : 1)
        if (*term >= TERM_X && *term < TERM_NUMBER) set |= (uint32_t)1 << (*term - TERM_X);
    return set;
}

static void test_form(void **state) {
    (void)state;
    const uint32_t chosen = 1 << (TERM_M - TERM_X) | 1 << (TERM_S - TERM_X);
    for (Rule rule = 0; rule < RULE_COUNT; rule++) {
        const RuleInfo *info = &rule_table[rule];
        const RuleTerm *terms[] = {info->from, info->to, info->when};
        for (int k = 0; k < 3; k++)
            if (term_end(terms[k]) != terms[k] + info->length[k])
                fail_msg("%s: operands are missing or too many", info->name);
        Type types[TERM_VARIABLES];
        rule_types(info, types); // asserts that types fit
        uint32_t from = variables_of(info->from), to = variables_of(info->to);
        uint32_t when = variables_of(info->when), open = (to | when) & ~from;
        if (info->guard) assert_int_equal(variables_of(info->guard) & ~from, 0);
        assert_int_equal(open & ~chosen, 0);
        assert_int_equal(open != 0, magic_wanted(rule));
        for (uint32_t k = 0; k < TERM_VARIABLES; k++)
            if (when >> k & 1) assert_true(term_allows_constant((RuleTerm)(TERM_X + k)));
        assert_int_equal(rule_heads[rule].root, info->from[0]);
        assert_int_equal(rule_heads[rule].inner, info->from[1]);
    }
}

// ---- Values

// A term of any values; false if it goes wrong.
static bool evaluate(const RuleInfo *rule, const RuleTerm **at, Type type, const Value *values,
                     Value *result) {
    const RuleTerm *term = *at;
    *at = term_end(term);
    if (term_is_literal(*term)) {
        *result = term_literal(term, rule->width, type);
        return true;
    }
    if (*term >= OP_COUNT) {
        *result = values[*term - TERM_X];
        return true;
    }
    const OpInfo *info = op_info((Op)*term);
    Value operand[3] = {{0}};
    const RuleTerm *next = term + 1;
    for (uint8_t i = 0; i < info->arity; i++)
        if (!evaluate(rule, &next, info->operand[i], values, &operand[i])) return false;
    return op_eval((Op)*term, operand[0], operand[1], operand[2], result);
}

static bool holds(const RuleInfo *rule, const Value *values) {
    Value value;
    const RuleTerm *when = rule->when;
    return evaluate(rule, &when, TYPE_I32, values, &value) && value.bits != 0;
}

// Whether the guard of a row holds: defined, or of values with undefined bits filled in.
static bool is_guarded(Random *random, const RuleInfo *rule, const Value *values) {
    Value filled[TERM_VARIABLES], value;
    const RuleTerm *guard = rule->guard;
    if (!guard) return true;
    for (uint32_t k = 0; k < TERM_VARIABLES; k++) {
        filled[k] = values[k];
        if (rule->sure) continue;
        filled[k].bits |= values[k].undef & random_next(random);
        filled[k].undef = 0;
    }
    return evaluate(rule, &guard, TYPE_I32, filled, &value) && !value.undef && value.bits;
}

// Draws values that meet the conditions; false if it does not come to that.
static bool draw_values(Random *random, Rule rule, const Type *types, Value *values) {
    const RuleInfo *info = &rule_table[rule];
    for (int tries = 0; tries < 3000; tries++) {
        for (uint32_t k = 0; k < TERM_VARIABLES; k++)
            if (types[k] != TYPE_VOID)
                values[k] =
                    random_value(random, types[k], !term_allows_register((RuleTerm)(TERM_X + k)));
        if (magic_wanted(rule)) {
            Value divisor = values[TERM_C - TERM_X];
            int64_t choice[2] = {0}, number = (int64_t)divisor.bits;
            if (types[TERM_C - TERM_X] == TYPE_I32) number = (int32_t)(uint32_t)divisor.bits;
            if (!magic_choose(rule, number, choice)) continue;
            values[TERM_M - TERM_X] = value_i64((uint64_t)choice[0]);
            values[TERM_S - TERM_X] = value_i32((uint32_t)choice[1]);
        }
        if (holds(info, values) && is_guarded(random, info, values)) return true;
    }
    return false;
}

static bool refines(Type type, Value old, Value fresh) {
    if (type == TYPE_F80) return old.undef || (old.bits == fresh.bits && old.high == fresh.high);
    return (fresh.undef & ~old.undef) == 0 && ((old.bits ^ fresh.bits) & ~old.undef) == 0;
}

static void try_rule(Random *random, Rule rule, uint64_t count) {
    const RuleInfo *info = &rule_table[rule];
    Type types[TERM_VARIABLES], type = op_info((Op)info->from[0])->result;
    rule_types(info, types);
    uint64_t compared = 0;
    for (uint64_t i = 0; i < count; i++) {
        Value values[TERM_VARIABLES] = {{0}}, old, fresh;
        if (!draw_values(random, rule, types, values)) fail_msg("%s: never applies", info->name);
        const RuleTerm *from = info->from, *to = info->to;
        if (!evaluate(info, &from, type, values, &old)) continue;
        compared++;
        if (!evaluate(info, &to, type, values, &fresh) || !refines(type, old, fresh))
            fail_msg("%s is wrong: %s", info->name, info->text);
    }
    if (compared < count / (info->guard ? 8 : 4))
        fail_msg("%s: the left-hand side mostly goes wrong", info->name);
}

static void test_values(void **state) {
    (void)state;
    Random random = random_from(4);
    uint64_t count = effort(20, 200, 20000);
    for (Rule rule = 0; rule < RULE_COUNT; rule++) try_rule(&random, rule, count);
    print_message("%u rows, %u values each\n", RULE_COUNT, (unsigned)count);
}

// ---- Division

// The conditions and right-hand sides of divisions by multiplication at a small width, as
// arithmetic: for every divisor and every multiplier and shift that the condition lets pass, every
// dividend.
static uint32_t shift_signed(int64_t value, unsigned count) {
    return (uint32_t)(value >= 0 ? value >> count : ~(~value >> count));
}

static void test_small_unsigned(void **state) {
    (void)state;
    for (unsigned bits = 4; bits <= 8; bits += 2)
        for (uint32_t c = 1; c < 1u << bits; c++)
            for (unsigned s = 0; s < bits; s++)
                for (uint32_t m = 0; m < 2u << bits; m++) {
                    uint32_t product = m * c, power = 1u << (bits + s);
                    if (product < power || product - power > 1u << s) continue;
                    for (uint32_t x = 0; x < 1u << bits; x++)
                        assert_int_equal(x * m >> (bits + s), x / c);
                }
}

static void test_small_signed(void **state) {
    (void)state;
    for (unsigned bits = 4; bits <= 8; bits += 2)
        for (int32_t c = 2; c < 1 << (bits - 1); c++)
            for (unsigned s = 0; s + 1 < bits; s++)
                for (int32_t m = 0; m < 1 << bits; m++) {
                    int32_t excess = m * c - (1 << (bits + s));
                    if (excess < 1 || excess > 2 << s) continue;
                    for (int32_t x = -(1 << (bits - 1)); x < 1 << (bits - 1); x++)
                        assert_int_equal(shift_signed((int64_t)x * m, bits + s) + (x < 0),
                                         (uint32_t)(x / c));
                }
}

// All divisors of 16 bits, with the multiplier that is the best for them; dividends next to
// multiples.
static void test_sixteen_bits(void **state) {
    (void)state;
    uint64_t step = effort(97, 7, 1);
    for (uint32_t c = 1; c < 1u << 16; c += (uint32_t)step)
        for (unsigned s = 0; s < 16; s++) {
            uint64_t power = (uint64_t)1 << (16 + s), m = (power + c - 1) / c;
            if (m * c - power > (uint64_t)1 << s) continue;
            uint32_t stride = step == 1 ? 1 : c;
            for (uint32_t x = 0; x < 1u << 16; x += stride) {
                assert_true(x * m >> (16 + s) == x / c);
                if (x) assert_true((x - 1) * m >> (16 + s) == (x - 1) / c);
            }
            break;
        }
}

// One rule on one divisor and dividend, by the evaluator; false if it does not apply.
static bool divide(Rule rule, uint64_t divisor, uint64_t dividend, Value *result) {
    const RuleInfo *info = &rule_table[rule];
    Type type = info->width;
    Value values[TERM_VARIABLES] = {{0}};
    int64_t choice[2] = {0};
    values[TERM_X - TERM_X].bits = dividend & type_mask(type);
    values[TERM_C - TERM_X].bits = divisor & type_mask(type);
    int64_t number = type == TYPE_I32 ? (int32_t)(uint32_t)divisor : (int64_t)divisor;
    if (!magic_choose(rule, number, choice)) return false;
    values[TERM_M - TERM_X] = value_i64((uint64_t)choice[0]);
    values[TERM_S - TERM_X] = value_i32((uint32_t)choice[1]);
    const RuleTerm *to = info->to;
    return holds(info, values) && evaluate(info, &to, type, values, result);
}

// Each divisor that is not covered by a simpler rule has a multiplier.
static void try_divisions(Random *random, Op op, const Rule *rules, uint32_t count) {
    Type type = op_info(op)->result;
    uint64_t top = (type_mask(type) >> 1) + 1;
    bool is_signed = op == OP_DIVS_I32 || op == OP_DIVS_I64;
    for (uint64_t i = 0; i < effort(2000, 50000, 5000000); i++) {
        uint64_t c = i < 1000 ? i + 3 : random_value(random, type, true).bits;
        if ((c & (c - 1)) == 0 || c >= top || c < 3) continue;
        uint64_t k = random_next(random) % (type_mask(type) / c + 1);
        uint64_t x = k * c + random_below(random, 3) - 1;
        if (is_signed && random_chance(random, 1, 2)) x = 0 - x;
        x &= type_mask(type);
        Value expected, found;
        assert_true(op_eval(op, (Value){.bits = x}, (Value){.bits = c}, (Value){0}, &expected));
        bool applies = false;
        for (uint32_t r = 0; r < count; r++) {
            if (!divide(rules[r], c, x, &found)) continue;
            applies = true;
            if (found.bits != expected.bits)
                fail_msg("%s: %llu / %llu is wrong", rule_name(rules[r]), (unsigned long long)x,
                         (unsigned long long)c);
        }
        if (!applies) fail_msg("%s by %llu: no rule", op_info(op)->name, (unsigned long long)c);
    }
}

static void test_divisions(void **state) {
    (void)state;
    Random random = random_from(11);
    const Rule u32[] = {RULE_divu_multiply_I32, RULE_divu_multiply_high_I32};
    const Rule u64[] = {RULE_divu_multiply_I64, RULE_divu_multiply_even_I64,
                        RULE_divu_multiply_add_I64};
    const Rule s32[] = {RULE_divs_multiply_I32};
    const Rule s64[] = {RULE_divs_multiply_I64, RULE_divs_multiply_add_I64};
    try_divisions(&random, OP_DIVU_I32, u32, 2);
    try_divisions(&random, OP_DIVU_I64, u64, 3);
    try_divisions(&random, OP_DIVS_I32, s32, 1);
    try_divisions(&random, OP_DIVS_I64, s64, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_form),           cmocka_unit_test(test_values),
        cmocka_unit_test(test_small_unsigned), cmocka_unit_test(test_small_signed),
        cmocka_unit_test(test_sixteen_bits),   cmocka_unit_test(test_divisions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
