// The values of son_optimize: expressions over the registers of the SSA function at which the
// excursion started, each made once, and the steps that simplify them.
//
// The tables are the tables of the hint (hint/hints_values.h), which a checker will read: every
// finding is written down at once. A value never changes its meaning, so a simplification is known
// for good.
#pragma once

#include "check/values/value_sums.h"
#include "form/value.h"
#include "graph/definitions.h"
#include "graph/dominance.h"
#include "hint/hints_values.h"
#include "pass/rule_index.h"

typedef struct {
    Arena *arena;
    const Func *before;
    const Dominance *dom; // of `before`; NULL: nobody asks for `base`
    const Definition *definitions;
    VEC(HintValue) values;
    VEC(uint32_t) args;
    VEC(uint8_t) types; // Type of each value
    VEC(Range) ranges;  // of each value: what follows from its operators alone
    // Of each value the node from which on it has a meaning: the definition of the lowest of its
    // registers; NO_ID if all are known at the entry.
    VEC(uint32_t) base;
    VEC(ValueStep) steps;
    VEC(uint32_t)
    root;               // of each value: the result of the steps; NO_ID if it has not been computed
                        // yet
    VEC(uint32_t) step; // of each value: the step from it, or NO_ID
    uint32_t *
        old; // of each register of `before`: the value that it holds, or NO_ID if there is none yet
    uint32_t *phi; // of each register of `before` that a phi sets: the phi as a value, or NO_ID
    Table table;   // of operators
    RuleIndex rules;
} SonValues;

void son_values_start(SonValues *values, Arena *arena, const Func *before, const Dominance *dom);

uint32_t value_old(SonValues *values, Reg reg);
// An operator of values. Operands of commutative ones have a fixed order.
uint32_t value_op(SonValues *values, Op op, const uint32_t *args);
// The result of a call of a pure function, for values.
uint32_t value_call(SonValues *values, const Instr *call, const uint32_t *args);
uint32_t value_constant(SonValues *values, Type type, Value constant);
// A phi, whose arguments are set when all values are known; they may be set again.
uint32_t value_phi(SonValues *values, Reg phi, Node join);
// A phi that `before` does not have.
uint32_t value_added_phi(SonValues *values, Type type, Node join);
void value_set_phi(SonValues *values, uint32_t phi, const uint32_t *args, uint32_t count);
// The result that the load of a node would have in front of another node.
uint32_t value_load(SonValues *values, Node at, Node load);
// The operator, constant or address of an OP or the condition of a COND, on values of its
// registers.
uint32_t value_of_instr(SonValues *values, const Instr *instr, const uint32_t *value_of);

// The constant that an operator of constants is; NO_ID if the value is no such operator.
uint32_t value_folded(SonValues *values, uint32_t value);
// The result of a rule with a guard that ranges allow, as the rule puts it together; NO_ID if there
// is none.
uint32_t value_guarded(SonValues *values, uint32_t value, const RangeView *view, uint16_t *rule);
// A value that is a sum, as operators.
uint32_t value_of_sum(SonValues *values, Type type, const ValueSum *sum);
// The simplest form of a value.
uint32_t value_simplify(SonValues *values, uint32_t value);

static inline ValueTerms values_terms(const SonValues *values) {
    return (ValueTerms){.values = values->values.at,
                        .args = values->args.at,
                        .before = values->before,
                        .definitions = values->definitions,
                        .target = values->before->program->target};
}
static inline const HintValue *value_at(const SonValues *values, uint32_t value) {
    return &values->values.at[value];
}
static inline const uint32_t *value_args(const SonValues *values, uint32_t value) {
    return values->args.at + values->values.at[value].first;
}
// Whether a value is a constant, of integers or floats, and which.
bool value_is_constant(const SonValues *values, uint32_t value, Value *constant);
// Whether a value is the result of an operator, or of a call, that may go wrong.
static inline bool value_is_partial(const SonValues *values, uint32_t value) {
    const HintValue *it = value_at(values, value);
    return it->kind == VALUE_CALL || (it->kind == VALUE_OP && op_is_partial(it->op));
}
