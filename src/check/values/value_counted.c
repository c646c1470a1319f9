// Steps from an operator of the PHIs of a join to a PHI of the join (STEP_COUNTED), where the
// results of steps are known, and limits of counters. check_values.c has the argument, in 2, 9 and
// 10.
#include "check/values/values.h"

#include "fact/eval.h"

enum { MOST_COUNTED = 16 }; // operators that are looked into

typedef struct {
    const Values *values;
    Node join;
    uint32_t way;
    uint32_t left; // operators that may still be looked into
} CountedWay;

// Whether a value is another value with the arguments of a way in the place of PHIs of the join.
static bool is_on_way(CountedWay *on, uint32_t value, uint32_t then) {
    const ValueTerms *terms = &on->values->terms;
    const HintValue *it = &terms->values[value], *other = &terms->values[then];
    if (value_is_above_join(on->values, value, on->join)) return then == value;
    if (it->kind == VALUE_PHI)
        return it->ref == on->join.i && terms_args(terms, value)[on->way] == then;
    if (it->kind != VALUE_OP || other->kind != VALUE_OP || it->op != other->op || it->count == 0 ||
        on->left-- == 0)
        return false;
    for (uint32_t k = 0; k < it->count; k++)
        if (!is_on_way(on, terms_args(terms, value)[k], terms_args(terms, then)[k])) return false;
    return true;
}

// Whether, when control comes by way k, the step leads to the argument of the PHI.
static bool counts_on_way(const Values *values, const CountedStep *it, uint32_t k) {
    const ValueStep *step = &values->hint->steps.at[it->step];
    Node join = {values->terms.values[step->to].ref};
    Point end = {preds_at(&values->preds, join)[k].i, POINT_INSTR};
    CountedWay on = {.values = values, .join = join, .way = k, .left = MOST_COUNTED};
    uint32_t then = values->hint->counted_ways.at[it->first + k];
    uint32_t to = terms_args(&values->terms, step->to)[k];
    return then < values->count && is_on_way(&on, step->from, then) &&
           point_is_above(values, values->base[then], end) &&
           (then == to || values->root[then] == to);
}

static bool check_counted(Values *values, const CountedStep *it) {
    const ValueStep *step = &values->hint->steps.at[it->step];
    const HintValue *phi = &values->terms.values[step->to];
    uint32_t room = values->hint->counted_ways.count;
    if (it->first > room || phi->count > room - it->first)
        return VALUES_REJECT(values, NO_NODE, "step %u is counted on no ways", it->step);
    for (uint32_t k = 0; k < phi->count; k++)
        if (values_reach(values, preds_at(&values->preds, (Node){phi->ref})[k]) &&
            !counts_on_way(values, it, k))
            return VALUES_REJECT(values, NO_NODE, "step %u does not count along on way %u",
                                 it->step, k);
    return true;
}

bool values_check_counted(Values *values) {
    const ValuesHint *hint = values->hint;
    for (uint32_t i = 0; i < hint->steps.count; i++) {
        Point from = values->base[hint->steps.at[i].from];
        if (from.level != POINT_NEVER &&
            !point_is_above(values, values->base[hint->steps.at[i].to], from))
            return VALUES_REJECT(values, NO_NODE, "step %u leads to a value that is not known", i);
    }
    uint64_t work = 0;
    for (uint32_t i = 0; i < hint->counted.count; i++) {
        work += values->terms.values[hint->steps.at[hint->counted.at[i].step].to].count;
        if (!check_counted(values, &hint->counted.at[i])) return false;
        if (check_takes_too_long(work, (uint64_t)values->count + hint->counted_ways.count))
            return VALUES_REJECT(values, NO_NODE, "too many counted steps have ways in common");
    }
    return true;
}

// ---- Limits

// Whether a comparison holds of the argument for a way into a join: of a constant, or by the edge
// that the hint names.
static bool is_within_on_way(const Values *values, const Comparison *bound, uint32_t k) {
    const HintValue *it = &values->terms.values[bound->a.i];
    Node join = {it->ref};
    uint32_t arg = terms_args(&values->terms, bound->a.i)[k];
    BranchEdge edge = values->hint->edges.at[values->gate[join.i] + k];
    Comparison fact, goal = *bound;
    Value constant, outcome;
    Type type = op_info(bound->op)->operand[0];
    if (arg == NO_ID) return false;
    goal.a = (Reg){arg};
    if (terms_constant(&values->terms, arg, &constant)) {
        if (bound->b.i == NO_ID)
            return op_eval(bound->op, constant, value_immediate(type, bound->imm), (Value){0},
                           &outcome) &&
                   outcome.bits && !outcome.undef;
        goal = (Comparison){op_mirror(bound->op), bound->b, NO_REG, (int64_t)constant.bits, true};
    }
    return edge.branch.i < values->before->nodes.count && values_reach(values, edge.branch) &&
           values_outcome(values, edge, TEST_STEPPED, &fact) &&
           values_have_passed(values, edge, preds_at(&values->preds, join)[k]) &&
           comparison_concerns(&fact, &goal) && comparison_follows(&fact, 1, &goal);
}

bool values_stays_within(const Values *values, const Comparison *bound) {
    const HintValue *it = &values->terms.values[bound->a.i];
    Node join = {it->ref};
    if (it->kind != VALUE_PHI || it->count > MOST_REASONS || values->gate[join.i] == NO_ID ||
        (bound->b.i != NO_ID && !value_is_above_join(values, bound->b.i, join)))
        return false;
    for (uint32_t k = 0; k < it->count; k++)
        if (values_reach(values, preds_at(&values->preds, join)[k]) &&
            !is_within_on_way(values, bound, k))
            return false;
    return true;
}
