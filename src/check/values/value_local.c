// Steps that hold at a node, and perhaps nowhere else: because a range is known there, or because
// two values are equal there.
#include "check/values/value_sums.h"
#include "check/values/values.h"

#include "fact/eval.h"

// The first step at a node or behind it.
static uint32_t first_step(const ValuesHint *hint, Node node) {
    uint32_t low = 0, high = hint->local.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (hint->local.at[middle].node.i < node.i)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Whether the first value of a comparison is one more than a PHI, of which the comparison, "less",
// holds wherever the PHI is known; or one less, and the comparison is "greater".
static bool counts_to(const Values *values, Comparison bound) {
    OpFamily family = op_family(bound.op);
    bool up = family == FAM_LT || family == FAM_ULT, down = family == FAM_GT || family == FAM_UGT;
    ValueSum sum;
    if ((!up && !down) ||
        !value_sum(&values->terms, bound.a.i, op_info(bound.op)->operand[0], &sum) ||
        sum.count != 1 || sum.parts[0].factor != 1 || sum.parts[0].shift)
        return false;
    uint64_t one = up ? sum.constant : 0 - sum.constant;
    bound.a = (Reg){sum.parts[0].value};
    return (sum.bits == 32 ? (uint32_t)one : one) == 1 && values_stays_within(values, &bound);
}

// Whether a comparison that is known says that its operands are equal: as it is, or because a
// counter has not passed its limit in the round before.
static bool says_equal(const Values *values, const Comparison *known) {
    Op op = known->holds ? known->op : op_negation(known->op);
    if (op_family(op) == FAM_EQ) return true;
    if (!op_compares_integers(op)) return false;
    Comparison bound = {op_negation(op), known->a, known->b, known->imm, true};
    if (counts_to(values, bound)) return true;
    bound = (Comparison){op_mirror(bound.op), known->b, known->a, 0, true};
    return known->b.i != NO_ID && counts_to(values, bound);
}

// Two sums that agree if the two operands of a comparison are equal, which was true when control
// passed an edge. The operands were defined, as the branch went right, and have not changed since.
static bool is_equal(const Values *values, const LocalStep *it) {
    BranchEdge edge = {{it->facts[0]}, it->facts[1]};
    Comparison known;
    ValueSum from, to, a, b = {0};
    const ValueTerms *terms = &values->terms;
    Type type = (Type)values->type[it->step.from];
    if (edge.branch.i >= values->before->nodes.count || !values_reach(values, edge.branch) ||
        !values_outcome(values, edge, TEST_STEPPED, &known) ||
        !values_have_passed(values, edge, it->node))
        return false;
    if (!says_equal(values, &known) || op_info(known.op)->operand[0] != type ||
        !value_sum(terms, it->step.from, type, &from) ||
        !value_sum(terms, it->step.to, type, &to) || !value_sum(terms, known.a.i, type, &a))
        return false;
    b.bits = a.bits;
    b.constant = value_immediate(type, known.imm).bits;
    if (known.b.i != NO_ID && !value_sum(terms, known.b.i, type, &b)) return false;
    value_sum_end(terms, &from, &a, &b);
    return value_sum_refines(&from, &to, &a, &b);
}

// By ranges that count at the node, or by the nature of the values. If one of the ranges is empty,
// control never comes to the node.
static bool is_right(const Values *values, const LocalStep *it) {
    RangeView view = {.all = values->range};
    for (uint32_t i = 0; i < MOST_BETTER; i++) {
        uint32_t fact = it->facts[i];
        if (fact == NO_ID) continue;
        if (fact >= values->hint->ranges.count ||
            !dominates(&values->dom, values->hint->ranges.at[fact].place, it->node))
            return false;
        if (range_is_empty(&values->fact_range[fact])) return true;
        view.value[view.count] = values->hint->ranges.at[fact].value;
        view.range[view.count++] = values->fact_range[fact];
    }
    if (it->step.rule == STEP_CONGRUENT || it->step.rule == STEP_EXTENDED) return false;
    return value_step_is_right(&values->terms, &it->step, (Type)values->type[it->step.from],
                               values->root, &view);
}

bool values_step_locally(const Values *values, Node node, uint32_t from, uint32_t value) {
    const ValuesHint *hint = values->hint;
    for (uint32_t i = first_step(hint, node);
         i < hint->local.count && hint->local.at[i].node.i == node.i; i++) {
        const LocalStep *it = &hint->local.at[i];
        if (it->step.from >= values->count || it->step.to >= values->count ||
            (it->step.from != from && it->step.from != values->root[from]) ||
            (it->step.to != value && values->root[it->step.to] != value) ||
            values->type[it->step.from] != values->type[it->step.to])
            continue;
        if (it->step.rule == STEP_EQUAL ? is_equal(values, it) : is_right(values, it)) return true;
    }
    return false;
}
