// Steps between values, row by row: an instance of every row of rules.def is accepted, and is not
// when its right-hand side, a constant or an operand is another; also with the operands of
// commutative operators exchanged.
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
           holds.bits;
}

static bool is_right(Instance *it, ValueStep step) {
    ValueTerms terms = {.values = it->values.at, .args = it->args.at};
    uint32_t *root = ARENA_ARRAY(it->arena, uint32_t, it->values.count);
    for (uint32_t v = 0; v < it->values.count; v++) root[v] = v;
    return value_step_is_right(&terms, &step, root);
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
    ValueTerms terms = {.values = it.values.at, .args = it.args.at};
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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
