// Checks claims about registers, each by the instruction that sets the register, and the reasons
// that decide branches.
#include "check/values/value_sums.h"
#include "check/values/values.h"

#include "fact/effects.h"
#include "fact/eval.h"

// ---- Outcomes

bool values_have_passed(const Values *values, BranchEdge edge, Node node) {
    const Instr *instr = func_at(values->before, edge.branch);
    if (instr->kind == I_CHECK)
        return edge.branch.i != node.i && dominates(&values->dom, edge.branch, node);
    Node target = instr_succs(values->before, instr)[edge.way];
    return values_goes(values, edge.branch, edge.way) && values->ways_in[target.i] == 1 &&
           dominates(&values->dom, target, node);
}

// A condition and its known outcome.
typedef struct {
    uint32_t test;
    bool holds;
} Outcome;

// The known outcome at the end of a way into a join, by the edge that the hint names.
static bool outcome_on_way(const Values *values, Node join, uint32_t k, Outcome *outcome) {
    if (values->gate[join.i] == NO_ID) return false;
    BranchEdge edge = values->hint->edges.at[values->gate[join.i] + k];
    if (edge.branch.i >= values->before->nodes.count || edge.way > 1 ||
        func_at(values->before, edge.branch)->kind != I_COND ||
        !values_reach(values, edge.branch) ||
        !values_have_passed(values, edge, preds_at(&values->preds, join)[k]))
        return false;
    *outcome = (Outcome){values->test[edge.branch.i], edge.way == 0};
    return outcome->test != NO_ID;
}

// ---- Phis

// A select whose condition has an outcome is one of its arguments, else itself.
static uint32_t selected(const Values *values, uint32_t value, const Outcome *outcome) {
    const HintValue *it = &values->terms.values[value];
    if (it->kind != VALUE_OP || op_family((Op)it->op) != FAM_SELECT) return value;
    const uint32_t *args = terms_args(&values->terms, value);
    if (args[0] != outcome->test && args[0] != values->root[outcome->test]) return value;
    return args[outcome->holds ? 1 : 2];
}

// Whether a register is refined by a phi of a join above where the outcome is known: by all of its
// arguments for ways that can have been taken, since on the others the same condition had the other
// outcome.
static bool is_phi_above(const Values *values, Reg reg, uint32_t value, const Outcome *outcome) {
    const HintValue *it = &values->terms.values[value];
    Node join = {it->ref};
    if (it->kind != VALUE_PHI || it->count > MOST_REASONS ||
        !value_is_above_join(values, outcome->test, join))
        return false;
    for (uint32_t j = 0; j < it->count; j++) {
        uint32_t arg = terms_args(&values->terms, value)[j];
        Outcome then;
        if (!values_reach(values, preds_at(&values->preds, join)[j])) continue;
        if (!outcome_on_way(values, join, j, &then) || then.test != outcome->test) return false;
        if (then.holds == outcome->holds &&
            (arg == NO_ID || !value_is_above_join(values, arg, join) ||
             !value_refines_reg(values, reg, arg)))
            return false;
    }
    return true;
}

// Whether an argument of a phi is refined by a value at the end of its way.
static bool is_refined_at_end(const Values *values, Node join, uint32_t k, Reg arg,
                              uint32_t value) {
    uint32_t claimed = values->value_of[arg.i];
    return value_refines_reg(values, arg, value) ||
           (claimed != NO_ID && value != NO_ID &&
            values_step_locally(values, preds_at(&values->preds, join)[k], claimed, value));
}

// The same by a value that is known above the join.
static bool is_refined_on_way(const Values *values, Node join, uint32_t k, Reg arg,
                              uint32_t value) {
    Outcome outcome;
    return is_refined_at_end(values, join, k, arg, value) ||
           (outcome_on_way(values, join, k, &outcome) &&
            (value_refines_reg(values, arg, selected(values, value, &outcome)) ||
             is_phi_above(values, arg, value, &outcome)));
}

// Whether a register is refined, when control comes to a join by way k, by the value that a sum of
// PHIs of the join and of values from above has behind the join.
static bool is_sum_on_way(const Values *values, Node join, uint32_t k, Reg arg, uint32_t value) {
    const ValueTerms *terms = &values->terms;
    Type type = (Type)values->type[value];
    uint32_t claimed = values->value_of[arg.i];
    ValueSum sum, from, to;
    if (claimed == NO_ID || !value_sum(terms, value, type, &sum) ||
        !value_sum(terms, claimed, type, &from))
        return false;
    for (uint32_t i = 0; i < sum.count; i++) {
        uint32_t part = sum.parts[i].value, of = value_triangle_of(terms, part);
        const HintValue *it = &terms->values[of == NO_ID ? part : of];
        bool is_phi = it->kind == VALUE_PHI && it->ref == join.i;
        if (!is_phi && !value_is_above_join(values, sum.parts[i].value, join)) return false;
    }
    if (!value_sum_on_way(terms, &sum, join, k, values->range, &to)) return false;
    Point end = {preds_at(&values->preds, join)[k].i, POINT_INSTR};
    for (uint32_t i = 0; values->range && i < to.count; i++)
        if (point_is_above(values, values->base[to.parts[i].value], end))
            value_sum_define(&to, i, &values->range[to.parts[i].value]);
    return value_sum_refines(&from, &to, NULL, NULL);
}

// A phi is the PHI of values that refine its arguments, or a sum with other PHIs of its join; or
// one value from above refines all arguments.
static bool check_phi(Values *values, Reg reg, uint32_t value) {
    Definition definition = values->definitions[reg.i];
    const Reg *args = phi_args(values->before, &values->before->phis.at[definition.at]);
    const HintValue *it = &values->terms.values[value];
    Node join = definition.node;
    bool is_phi = it->kind == VALUE_PHI && it->ref == join.i;
    bool is_sum = !is_phi && values->base[value].node == join.i;
    for (uint32_t k = 0; k < preds_count(&values->preds, join); k++) {
        if (!values_reach(values, preds_at(&values->preds, join)[k])) continue;
        if (is_sum && !is_sum_on_way(values, join, k, args[k], value))
            return VALUES_REJECT(values, NO_NODE,
                                 "register %u, a phi, is claimed to be something of its own join",
                                 reg.i);
        if (!is_sum && !(is_phi ? is_refined_at_end(values, join, k, args[k],
                                                    terms_args(&values->terms, value)[k])
                                : is_refined_on_way(values, join, k, args[k], value)))
            return VALUES_REJECT(values, NO_NODE,
                                 "argument %u of the phi of register %u is another value", k,
                                 reg.i);
    }
    return true;
}

// ---- Claims

static bool check_instr(Values *values, Reg reg, uint32_t value) {
    const Instr *instr = defining_instr(values->before, values->definitions, reg);
    uint32_t formed = values->formed[reg.i];
    if (instr->kind == I_LOAD) return true; // see value_memory.c
    if (formed != NO_ID && !point_is_above(values, values->base[formed], point_of_reg(values, reg)))
        return VALUES_REJECT(values, NO_NODE, "register %u is formed of values that are not known",
                             reg.i);
    if (instr->kind == I_OP && op_is_move(instr->op) &&
        value_refines_reg(values, instr->arg[0], value))
        return true;
    if (instr->kind == I_OP && value_is_formed(values, formed, instr) &&
        (formed == value || values->root[formed] == value ||
         values_step_locally(values, values->definitions[reg.i].node, formed, value)))
        return true;
    if (instr->kind == I_CALL && value_is_called(values, value, instr)) return true;
    return VALUES_REJECT(values, NO_NODE, "register %u is not computed as claimed", reg.i);
}

static bool check_claim(Values *values, Reg reg) {
    uint32_t value = values->value_of[reg.i];
    Point point = point_of_reg(values, reg);
    if (value == NO_ID || point.level == POINT_NEVER) return true;
    if (values->type[value] != reg_type(values->before, reg))
        return VALUES_REJECT(values, NO_NODE, "register %u has another type than its value", reg.i);
    if (!point_is_above(values, values->base[value], point))
        return VALUES_REJECT(values, NO_NODE, "register %u is set where its value is not known yet",
                             reg.i);
    if (value_is_old(values, value, reg)) return true;
    switch (values->definitions[reg.i].by) {
    case SET_BY_NOTHING: return true;
    case SET_BY_PHI: return check_phi(values, reg, value);
    case SET_BY_INSTR: return check_instr(values, reg, value);
    default:
        return VALUES_REJECT(values, NO_NODE, "register %u is a parameter and nothing else", reg.i);
    }
}

bool values_check_claims(Values *values) {
    const Func *func = values->before;
    for (uint32_t r = 0; r < func->regs.count; r++)
        if (!check_claim(values, (Reg){r})) return false;
    for (uint32_t n = 0; n < func->nodes.count; n++)
        if (values->test[n] != NO_ID && values_reach(values, (Node){n}) &&
            (!value_is_formed(values, values->test[n], &func->nodes.at[n]) ||
             !point_is_above(values, values->base[values->test[n]], (Point){n, POINT_INSTR})))
            return VALUES_REJECT(values, NO_NODE, "the condition of old node %u is another", n);
    return true;
}

// ---- Decisions

static Comparison equals(uint32_t value, Op op, int64_t imm, bool holds) {
    return (Comparison){.op = op, .a = {value}, .b = NO_REG, .imm = imm, .holds = holds};
}

// The comparison that says that a value is not zero, or is zero. Values take the place of
// registers.
static Comparison comparison_of_value(const Values *values, uint32_t value, bool holds) {
    const HintValue *it = &values->terms.values[value];
    bool wide = values->type[value] == TYPE_I64;
    if (it->kind != VALUE_OP || it->count != 2 || !(op_info((Op)it->op)->flags & OPF_COND))
        return equals(value, wide ? OP_NE_I64 : OP_NE_I32, 0, holds);
    const uint32_t *args = terms_args(&values->terms, value);
    Comparison result = {.op = (Op)it->op, .a = {args[0]}, .b = {args[1]}, .holds = holds};
    Value constant;
    if (type_is_int(op_info(result.op)->operand[1]) &&
        terms_constant(&values->terms, args[1], &constant)) {
        result.b = NO_REG;
        result.imm = (int64_t)constant.bits;
    }
    return result;
}

bool values_outcome(const Values *values, BranchEdge edge, TestView view, Comparison *result) {
    const Func *func = values->before;
    const Instr *instr = func_at(func, edge.branch);
    if (edge.way >= instr->succ_count) return false;
    if (instr->kind == I_COND) {
        uint32_t test = values->test[edge.branch.i];
        if (test == NO_ID) return false;
        if (view == TEST_STEPPED) test = values->root[test];
        *result = comparison_of_value(values, test, edge.way == 0);
        return true;
    }
    if (!instr_is_branch(instr) && instr->kind != I_CHECK) return false;
    uint32_t value = values->value_of[instr->arg[0].i];
    if (value == NO_ID || (instr->kind == I_SWITCH && edge.way == 0)) return false;
    if (instr->kind == I_CHECK) {
        *result = comparison_of_value(values, values->root[value], true);
    } else {
        bool narrow = reg_type(func, instr->arg[0]) == TYPE_I32;
        *result = equals(values->root[value], narrow ? OP_EQ_I32 : OP_EQ_I64,
                         instr_cases(func, instr)[edge.way - 1], true);
    }
    return true;
}

// Whether the range of its value keeps a switch from a way. An empty range keeps it from all.
static bool is_excluded(const Values *values, const Instr *instr, uint32_t way, uint32_t bits,
                        const Range *range) {
    const int64_t *cases = instr_cases(values->before, instr);
    if (range_is_empty(range)) return true;
    if (way > 0) {
        Type type = reg_type(values->before, instr->arg[0]);
        return !range_has(range, bits, value_immediate(type, cases[way - 1]).bits);
    }
    Range beside = range_beside(bits, range, cases, instr->succ_count - 1);
    return range_is_empty(&beside);
}

// Whether the range of its value leaves a switch one way.
static bool is_only_way(const Values *values, const Instr *instr, uint32_t way, uint32_t bits,
                        const Range *range) {
    for (uint32_t k = 0; k < instr->succ_count; k++)
        if (k != way && !is_excluded(values, instr, k, bits, range)) return false;
    return true;
}

// Whether the range of its condition leaves a branch, or a check, one way. An empty range says that
// control never comes there.
static bool is_decided_by_range(const Values *values, const Decision *decision) {
    Node node = decision->edge.branch;
    const Instr *instr = func_at(values->before, node);
    uint32_t value =
        instr->kind == I_COND ? values->test[node.i] : values->value_of[instr->arg[0].i];
    Range range;
    if (value == NO_ID || !values->range ||
        !values_range_at(values, decision->fact - 1, values->hint->ranges.count,
                         values->root[value], node, &range))
        return false;
    if (instr->kind == I_SWITCH)
        return is_only_way(values, instr, decision->edge.way, range_bits((Type)values->type[value]),
                           &range);
    return range_is_empty(&range) || (decision->edge.way == 0 ? range.low > 0 : range.high == 0);
}

static bool check_decision(Values *values, const Decision *decision) {
    Node node = decision->edge.branch;
    const ValuesHint *hint = values->hint;
    Comparison goal, facts[MOST_REASONS];
    if (decision->first > hint->edges.count ||
        decision->count > hint->edges.count - decision->first || decision->count > MOST_REASONS)
        return VALUES_REJECT(values, NO_NODE, "old node %u depends on edges that are none", node.i);
    if (decision->fact && values->way[node.i] == decision->edge.way)
        return is_decided_by_range(values, decision) ||
               VALUES_REJECT(values, NO_NODE, "the range of old node %u does not decide it",
                             node.i);
    if (values->way[node.i] != decision->edge.way ||
        !values_outcome(values, decision->edge, TEST_STEPPED, &goal))
        return VALUES_REJECT(values, NO_NODE, "old node %u cannot be decided so", node.i);
    for (uint32_t i = 0; i < decision->count; i++) {
        BranchEdge edge = hint->edges.at[decision->first + i];
        if (edge.branch.i >= values->before->nodes.count || !values_reach(values, edge.branch) ||
            !values_outcome(values, edge, TEST_STEPPED, &facts[i]) ||
            !values_have_passed(values, edge, node))
            return VALUES_REJECT(values, NO_NODE,
                                 "control may come to old node %u without passing edge %u", node.i,
                                 i);
    }
    return comparison_follows(facts, decision->count, &goal) ||
           VALUES_REJECT(values, NO_NODE, "the outcome of old node %u does not follow", node.i);
}

static bool check_shut_way(Values *values, const ShutWay *shut) {
    Node node = shut->edge.branch;
    const Instr *instr = func_at(values->before, node);
    uint32_t value = values->value_of[instr->arg[0].i];
    Range range;
    return (value != NO_ID && values->range &&
            values_range_at(values, shut->fact, values->hint->ranges.count, values->root[value],
                            node, &range) &&
            is_excluded(values, instr, shut->edge.way, range_bits((Type)values->type[value]),
                        &range)) ||
           VALUES_REJECT(values, NO_NODE, "the range of old node %u does not exclude way %u",
                         node.i, shut->edge.way);
}

bool values_check_decisions(Values *values) {
    for (uint32_t i = 0; i < values->hint->shut.count; i++)
        if (values_reach(values, values->hint->shut.at[i].edge.branch) &&
            !check_shut_way(values, &values->hint->shut.at[i]))
            return false;
    for (uint32_t i = 0; i < values->hint->decisions.count; i++) {
        const Decision *decision = &values->hint->decisions.at[i];
        if (decision->edge.way != NO_ID && values_reach(values, decision->edge.branch) &&
            !check_decision(values, decision))
            return false;
    }
    return true;
}
