// Steps between values: from a value to another that refines it for all contents of registers, by a
// row of rules.def or by the nature of an operator. The Sea of Nodes finds rows with this file
// (pass/son/son_values.c), and the values kernel repeats the steps.
//
// Matching is by the look of values alone. All numbers are in range, operators have the right
// number of arguments, and the arguments have the right types: the caller has made sure.
#pragma once

#include "fact/range.h"
#include "graph/definitions.h"
#include "hint/hints_values.h"

// Values to look at.
typedef struct {
    const HintValue *values;
    const uint32_t *args; // of all values
    const Func *before;   // whose registers they mention
    const Definition *definitions;
    const struct TargetModel *target; // on which operators are evaluated
} ValueTerms;

static inline const uint32_t *terms_args(const ValueTerms *terms, uint32_t value) {
    return terms->args + terms->values[value].first;
}
static inline bool terms_is_op(const ValueTerms *terms, uint32_t value) {
    return terms->values[value].kind == VALUE_OP;
}
// Whether a value is a constant, addresses aside; if so, which.
bool terms_constant(const ValueTerms *terms, uint32_t value, Value *result);

// Whether a value looks like the left-hand side of a row; if so, what the variables of the row
// stand for: registers of operands are values. Conditions of the row are not looked at.
bool value_rule_matches(const ValueTerms *terms, Rule row, uint32_t from, Bindings *bindings);
// Whether the condition of a row holds for what its variables stand for.
bool value_rule_holds(Rule row, const Bindings *bindings);

// The range of a value wherever it is known, for the ranges of its arguments, which are in `all`.
// Of a PHI, nothing is known here; of registers and loads, only the chunk.
Range value_range_everywhere(const ValueTerms *terms, uint32_t value, Type type, const Range *all);

// The ranges of values: `all` has one for each integer value; a few are known better.
enum { MOST_BETTER = 2 };
typedef struct {
    const Range *all;
    uint32_t count; // of those that are known better
    uint32_t value[MOST_BETTER];
    Range range[MOST_BETTER];
} RangeView;
// Whether ranges say that the guard of a row holds. A row without guard has no such condition.
bool value_rule_is_guarded(Rule row, const Bindings *bindings, const RangeView *view);
Range value_range(const RangeView *view, uint32_t value);

// The last value to which the steps so far lead from a value. `root` has one for each value, at
// first itself.
uint32_t value_root(uint32_t *root, uint32_t value);
// The constant that a value of a type is on every way into one join; the value is made of constants
// and of phis of this join. False if the value has other parts, or too many.
bool value_on_all_ways(const ValueTerms *terms, uint32_t value, Type type, Value *result);
// Whether a step, between values of one type, is right; but for STEP_EXTENDED and STEP_COUNTED.
bool value_step_is_right(const ValueTerms *terms, const ValueStep *step, Type type, uint32_t *root,
                         const RangeView *view);
