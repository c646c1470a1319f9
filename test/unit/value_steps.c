// Steps between values, row by row: an instance of every row of rules.def is accepted, and is not
// when its right-hand side, a constant or an operand is another; also with the operands of
// commutative operators exchanged. Instances with constants for which a row does not hold are
// refused.
#include "check/values/value_steps.h"
#include "fact/eval.h"
#include "pass/magic.h"
#include "test/gen/algebra.h"
#include "test/gen/rule_smt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct {
    Arena *arena;
    const RuleInfo *rule;
    Bindings bindings;                 // constants only; registers are values of their own
    uint32_t variable[TERM_VARIABLES]; // the value of each
    Range range[TERM_VARIABLES];       // of each, for the guard;
    bool ranges_known;                 // whether they are known
    VEC(HintValue) values;
    VEC(uint32_t) args;
} Instance;

static uint32_t add_value(Instance *it, HintValue value) {
    vec_push(it->arena, &it->values, value);
    return it->values.count - 1;
}

static uint32_t add_constant(Instance *it, Type type, Value value) {
    int64_t imm = type == TYPE_I32 ? (int32_t)(uint32_t)value.bits : (int64_t)value.bits;
    return add_value(it, (HintValue){.kind = VALUE_OP, .op = (uint16_t)op_const(type), .imm = imm});
}

// The value of a term; on the right-hand side, what consists of constants is one. Sets *term to
// what follows.
static uint32_t build(Instance *it, const RuleTerm **term, Type type, bool to, bool swap) {
    Value constant;
    const RuleTerm *start = *term, *end;
    *term = term_end(start);
    if ((to || *start >= OP_COUNT) &&
        term_evaluate(start, (Type)it->rule->width, type, &it->bindings, &constant, &end))
        return add_constant(it, type, constant);
    if (*start >= OP_COUNT) return it->variable[*start - TERM_X];
    const OpInfo *info = op_info((Op)*start);
    uint32_t args[3];
    const RuleTerm *next = start + 1;
    for (uint32_t k = 0; k < info->arity; k++)
        args[k] = build(it, &next, info->operand[k], to, swap);
    HintValue value = {
        .kind = VALUE_OP, .op = (uint16_t)*start, .first = it->args.count, .count = info->arity};
    bool other = swap && info->flags & OPF_COMM;
    for (uint32_t k = 0; k < info->arity; k++)
        vec_push(it->arena, &it->args, args[other ? 1 - k : k]);
    return add_value(it, value);
}

// For each variable a range of one value, so that the guard of a row holds.
static bool choose_ranges(Instance *it, Random *random, const Type *types) {
    Bindings all = it->bindings;
    Value holds;
    const RuleTerm *end;
    if (!it->rule->guard) return true;
    for (uint32_t k = 0; k < TERM_VARIABLES; k++) {
        if (types[k] == TYPE_VOID || all.bound >> k & 1) continue;
        all.bound |= (uint32_t)1 << k;
        all.operand[k] =
            (RuleOperand){.reg = NO_REG, .value = random_value(random, types[k], true)};
        it->range[k] = range_constant(range_bits(types[k]), all.operand[k].value.bits);
    }
    return term_evaluate(it->rule->guard, (Type)it->rule->width, TYPE_I32, &all, &holds, &end) &&
           holds.bits;
}

// Constants that meet the condition of a row.
static bool choose(Instance *it, Random *random, Rule rule, const Type *types) {
    for (uint32_t k = 0; k < TERM_VARIABLES; k++) {
        RuleTerm variable = (RuleTerm)(TERM_X + k);
        if (types[k] == TYPE_VOID || term_allows_register(variable)) continue;
        it->bindings.bound |= (uint32_t)1 << k;
        it->bindings.operand[k] =
            (RuleOperand){.reg = NO_REG, .value = random_value(random, types[k], true)};
    }
    if (magic_wanted(rule)) {
        Value divisor = it->bindings.operand[TERM_C - TERM_X].value;
        int64_t choice[2] = {0}, number = (int64_t)divisor.bits;
        if (types[TERM_C - TERM_X] == TYPE_I32) number = (int32_t)(uint32_t)divisor.bits;
        if (!magic_choose(rule, number, choice)) return false;
        for (uint32_t k = 0; k < 2; k++)
            it->bindings.operand[TERM_M - TERM_X + k].value = value_i64((uint64_t)choice[k]);
    }
    Value holds;
    const RuleTerm *end;
    return term_evaluate(it->rule->when, (Type)it->rule->width, TYPE_I32, &it->bindings, &holds,
                         &end) &&
           holds.bits && choose_ranges(it, random, types);
}

static bool is_right(Instance *it, ValueStep step) {
    ValueTerms terms = {
        .values = it->values.at, .args = it->args.at, .target = program_usual_target()};
    uint32_t *root = ARENA_ARRAY(it->arena, uint32_t, it->values.count);
    for (uint32_t v = 0; v < it->values.count; v++) root[v] = v;
    Range *ranges = ARENA_ARRAY(it->arena, Range, it->values.count);
    for (uint32_t v = 0; v < it->values.count; v++) ranges[v] = range_full(64);
    for (uint32_t k = 0; k < TERM_VARIABLES && it->ranges_known; k++)
        ranges[it->variable[k]] = it->range[k];
    RangeView view = {.all = ranges};
    return value_step_is_right(&terms, &step, TYPE_VOID, root, &view);
}

static void try_rule(Arena *arena, Random *random, Rule rule, bool swap) {
    Instance it = {.arena = arena, .rule = &rule_table[rule]};
    Type types[TERM_VARIABLES], type = op_info((Op)it.rule->from[0])->result;
    rule_types(it.rule, types);
    uint32_t tries = 0;
    while (!choose(&it, random, rule, types))
        if (++tries == 20000) fail_msg("%s: never applies", it.rule->name);
    for (uint32_t k = 0; k < TERM_VARIABLES; k++)
        it.variable[k] = add_value(&it, (HintValue){.kind = VALUE_OLD, .ref = k});
    uint32_t other = add_value(&it, (HintValue){.kind = VALUE_OLD, .ref = 99});
    const RuleTerm *from = it.rule->from, *to = it.rule->to;
    ValueStep step = {.rule = (uint16_t)rule};
    step.from = build(&it, &from, type, false, swap);
    step.to = build(&it, &to, type, true, swap);
    // Without ranges the guard does not hold, unless it does for all values, such as x & -1.
    Instance another = it;
    uint32_t held = 0;
    for (uint32_t i = 0; i < 20; i++) held += choose_ranges(&another, random, types);
    if (held < 20 && is_right(&it, step)) fail_msg("%s needs no range", it.rule->name);
    it.ranges_known = it.rule->guard;
    // An inner operator is matched in one order: if that fits, the other is not tried when
    // something outside does not.
    if (!is_right(&it, step)) {
        if (!swap) fail_msg("%s: refused", it.rule->name);
        return;
    }
    // Another right-hand side: a register, the same constant less one, or an operator of something
    // else.
    if (is_right(&it, (ValueStep){.from = step.from, .to = other, .rule = step.rule}))
        fail_msg("%s gives anything", it.rule->name);
    HintValue *made = &it.values.at[step.to];
    Value constant;
    ValueTerms terms = {
        .values = it.values.at, .args = it.args.at, .target = program_usual_target()};
    if (terms_constant(&terms, step.to, &constant)) {
        made->imm ^= 1;
        if (is_right(&it, step)) fail_msg("%s gives another constant", it.rule->name);
        made->imm ^= 1;
    }
    for (uint32_t k = 0; made->kind == VALUE_OP && k < made->count; k++) {
        uint32_t *arg = &it.args.at[made->first + k], kept = *arg;
        *arg = other;
        if (is_right(&it, step)) fail_msg("%s: operand %u may be anything", it.rule->name, k);
        *arg = kept;
    }
    it.values.at[step.from].op = OP_CONST_F80; // which no row has
    if (is_right(&it, step)) fail_msg("%s: any operator will do", it.rule->name);
}

static void test_rows(void **state) {
    (void)state;
    Arena *arena = arena_new("values");
    Random random = random_from(7);
    for (Rule rule = 0; rule < RULE_COUNT; rule++)
        for (int k = 0; k < 6; k++) {
            try_rule(arena, &random, rule, k % 2);
            arena_reset(arena);
        }
    print_message("%u rows\n", RULE_COUNT);
    arena_free(arena);
}

// ---- Constants that miss a row's condition, most of them by little

typedef struct {
    const char *why;
    Rule rule;
    uint64_t c, d, m, s;
} Constants;

static const Constants misses[] = {
    {"no power of two", RULE_mul_power_I32, 12, 0, 0, 0},
    {"zero is no power of two", RULE_mul_power_I32, 0, 0, 0, 0},
    {"masks overlap", RULE_and_or_apart_I32, 6, 12, 0, 0},
    {"counts add up to the width", RULE_shl_shl_I32, 20, 12, 0, 0},
    {"the divisor is zero", RULE_modu_divu_I32, 0, 0, 0, 0},
    {"the divisor is small", RULE_divu_large_I32, 2147483647, 0, 0, 0},
    {"multiplier one too small", RULE_divu_multiply_I32, 10, 0, 3435973836, 35},
    {"multiplier one too large", RULE_divu_multiply_I32, 10, 0, 3435973838, 35},
    {"multiplier for another divisor", RULE_divu_multiply_I32, 11, 0, 3435973837, 35},
    {"shift one too small", RULE_divu_multiply_I32, 10, 0, 3435973837, 34},
    {"shift beyond the width", RULE_divu_multiply_I32, 10, 0, 3435973837, 35 + 64},
    {"signed multiplier too small", RULE_divs_multiply_I32, 10, 0, 1717986918, 34},
    {"signed multiplier too large", RULE_divs_multiply_I32, 10, 0, 1717986923, 34},
    {"signed multiplier exact", RULE_divs_multiply_I32, 8, 0, 536870912, 32},
    {"negative divisor", RULE_divs_multiply_I32, (uint32_t)-10, 0, 1717986919, 34},
    {"the least number has no opposite", RULE_divs_negative_I32, 1u << 31, 0, 0, 0},
};

static const Constants hits[] = {
    {"a power of two", RULE_mul_power_I32, 16, 0, 0, 0},
    {"masks apart", RULE_and_or_apart_I32, 6, 8, 0, 0},
    {"a multiplier", RULE_divu_multiply_I32, 10, 0, 3435973837, 35},
    {"a signed multiplier", RULE_divs_multiply_I32, 10, 0, 1717986919, 34},
};

static void bind_constant(Instance *it, RuleTerm variable, uint64_t bits) {
    uint32_t k = (uint32_t)(variable - TERM_X);
    it->bindings.bound |= (uint32_t)1 << k;
    it->bindings.operand[k] = (RuleOperand){.reg = NO_REG, .value = value_i64(bits)};
}

static bool holds_for(Arena *arena, const Constants *constants) {
    Instance it = {.arena = arena, .rule = &rule_table[constants->rule]};
    Type type = op_info((Op)it.rule->from[0])->result;
    bind_constant(&it, TERM_C, constants->c);
    bind_constant(&it, TERM_D, constants->d);
    bind_constant(&it, TERM_M, constants->m);
    bind_constant(&it, TERM_S, constants->s);
    for (uint32_t k = 0; k < TERM_VARIABLES; k++)
        it.variable[k] = add_value(&it, (HintValue){.kind = VALUE_OLD, .ref = k});
    const RuleTerm *from = it.rule->from, *to = it.rule->to;
    ValueStep step = {.rule = (uint16_t)constants->rule};
    step.from = build(&it, &from, type, false, false);
    step.to = build(&it, &to, type, true, false);
    return is_right(&it, step);
}

static void test_constants(void **state) {
    (void)state;
    Arena *arena = arena_new("values");
    for (uint32_t i = 0; i < sizeof misses / sizeof misses[0]; i++)
        if (holds_for(arena, &misses[i])) fail_msg("%s: accepted", misses[i].why);
    for (uint32_t i = 0; i < sizeof hits / sizeof hits[0]; i++)
        if (!holds_for(arena, &hits[i])) fail_msg("%s: refused", hits[i].why);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows),
                                       cmocka_unit_test(test_constants)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
