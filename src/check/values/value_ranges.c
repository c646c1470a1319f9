// Checks the ranges of values (fact/range.h): the ranges that values have wherever they are known,
// and the ranges that values have at places. check_values.c has the argument, in 8.
#include "check/values/values.h"

#include "fact/eval.h"

static uint32_t bits_of(const Values *values, uint32_t value) {
    return range_bits((Type)values->type[value]);
}

static bool is_integer(const Values *values, uint32_t value) {
    return type_is_int((Type)values->type[value]);
}

// ---- Everywhere

static bool uses_ranges(const ValuesHint *hint) {
    if (hint->phi_ranges.count || hint->ranges.count || hint->local.count || hint->shut.count)
        return true;
    for (uint32_t i = 0; i < hint->steps.count; i++) {
        uint32_t rule = hint->steps.at[i].rule;
        if (rule == STEP_KNOWN || (rule < RULE_COUNT && rule_table[rule].guard)) return true;
    }
    return false;
}

bool values_find_ranges(Values *values) {
    const ValuesHint *hint = values->hint;
    if (!uses_ranges(hint)) return true;
    uint32_t next = 0;
    values->range = ARENA_ARRAY(values->arena, Range, values->count);
    for (uint32_t v = 0; v < values->count; v++) {
        bool claimed = next < hint->phi_ranges.count && hint->phi_ranges.at[next].value == v;
        values->range[v] =
            value_range_everywhere(&values->terms, v, (Type)values->type[v], values->range);
        if (!claimed) continue;
        const PhiRange *it = &hint->phi_ranges.at[next++];
        if (values->terms.values[v].kind != VALUE_PHI || !is_integer(values, v) ||
            !range_is_claim(&it->range, bits_of(values, v)) || it->first > hint->range_ways.count ||
            values->terms.values[v].count > hint->range_ways.count - it->first)
            return VALUES_REJECT(values, NO_NODE, "value %u cannot have the range", v);
        values->range[v] = it->range;
    }
    return next == hint->phi_ranges.count ||
           VALUES_REJECT(values, NO_NODE, "the ranges of phis are not in order");
}

// ---- At places

bool values_range_at(const Values *values, uint32_t fact, uint32_t limit, uint32_t value, Node node,
                     Range *result) {
    if (fact == NO_ID) {
        *result = values->range[value];
        return true;
    }
    if (fact >= limit) return false;
    const RangeFact *it = &values->hint->ranges.at[fact];
    *result = values->fact_range[fact];
    return it->value == value && dominates(&values->dom, it->place, node);
}

static bool operand_at(const Values *values, uint32_t fact, uint32_t k, uint32_t value,
                       Range *result) {
    const RangeFact *it = &values->hint->ranges.at[fact];
    return values_range_at(values, it->from[k], fact, value, it->place, result);
}

// Control never comes to a place where some value has an empty range, so no value is left there.
// What follows from smaller ranges is never larger: the pass may find less than the checker.
static bool any_is_empty(const Range *ranges, uint32_t count) {
    while (count-- > 0)
        if (range_is_empty(&ranges[count])) return true;
    return false;
}

static Range no_value(void) {
    return (Range){.low = 1};
}

static bool is_operator(const Values *values, uint32_t value) {
    const HintValue *it = &values->terms.values[value];
    if (it->kind != VALUE_OP || it->count == 0 || !is_integer(values, value)) return false;
    for (uint32_t k = 0; k < it->count; k++)
        if (!is_integer(values, terms_args(&values->terms, value)[k])) return false;
    return true;
}

// The operator, for what is known of its operands at the place.
static bool is_computed(const Values *values, uint32_t fact, Range *result) {
    uint32_t value = values->hint->ranges.at[fact].value;
    Range args[3];
    if (!is_operator(values, value)) return false;
    uint32_t count = values->terms.values[value].count;
    for (uint32_t k = 0; k < count; k++)
        if (!operand_at(values, fact, k, terms_args(&values->terms, value)[k], &args[k]))
            return false;
    *result = any_is_empty(args, count) ? no_value()
                                        : range_of_op((Op)values->terms.values[value].op, args);
    return true;
}

// Whether control comes to the place of a fact only from the node `ref`; if so, by which way.
static bool comes_from(const Values *values, const RangeFact *it, uint32_t *way) {
    if (it->ref >= values->before->nodes.count || !values_reach(values, (Node){it->ref}) ||
        values->ways_in[it->place.i] != 1)
        return false;
    const Instr *instr = &values->before->nodes.at[it->ref];
    for (*way = 0; *way < instr->succ_count; ++*way) {
        if (instr_succs(values->before, instr)[*way].i == it->place.i &&
            values_goes(values, (Node){it->ref}, *way))
            return true;
    }
    return false;
}

// The value of a switch, by the ways from which alone control comes to the place: a case is the
// value; by default, the value is no case. The switch went right, so its register is defined.
static bool is_case(const Values *values, uint32_t fact, Range *result) {
    const RangeFact *it = &values->hint->ranges.at[fact];
    const Instr *instr = &values->before->nodes.at[it->ref];
    const int64_t *cases = instr_cases(values->before, instr);
    uint32_t value = values->value_of[instr->arg[0].i], ways = 0;
    Range a, some = {.low = 1};
    if (value == NO_ID || values->root[value] != it->value ||
        !values_reach(values, (Node){it->ref}) || !operand_at(values, fact, 0, it->value, &a))
        return false;
    uint32_t bits = bits_of(values, it->value);
    Type type = (Type)values->type[it->value];
    for (uint32_t k = 0; k < instr->succ_count; k++) {
        if (instr_succs(values->before, instr)[k].i != it->place.i ||
            !values_goes(values, (Node){it->ref}, k))
            continue;
        Range one = k > 0 ? range_constant(bits, value_immediate(type, cases[k - 1]).bits)
                          : range_beside(bits, &a, cases, instr->succ_count - 1);
        some = ways++ ? range_either(&some, &one) : one;
    }
    *result = range_both(bits, &a, &some);
    result->defined = range_constant(bits, 0).defined;
    return ways > 0 && ways == values->ways_in[it->place.i];
}

// An operand of the comparison that has decided the branch: defined, and on the right side of the
// other operand.
static bool is_outcome(const Values *values, uint32_t fact, Range *result) {
    const RangeFact *it = &values->hint->ranges.at[fact];
    BranchEdge edge = {{it->ref}, 0};
    Comparison known;
    Range a, b;
    if (it->ref < values->before->nodes.count && values->before->nodes.at[it->ref].kind == I_SWITCH)
        return is_case(values, fact, result);
    if (!comes_from(values, it, &edge.way) || !values_outcome(values, edge, TEST_STEPPED, &known) ||
        (known.a.i != it->value && known.b.i != it->value &&
         !values_outcome(values, edge, TEST_FORMED, &known)))
        return false;
    Type type = op_info(known.op)->operand[0];
    if (!type_is_int(type) || !operand_at(values, fact, 0, known.a.i, &a)) return false;
    uint32_t bits = range_bits(type);
    if (known.b.i == NO_ID)
        b = range_constant(bits, value_immediate(type, known.imm).bits);
    else if (!operand_at(values, fact, 1, known.b.i, &b))
        return false;
    Op op = known.holds ? known.op : op_negation(known.op);
    bool first = it->value == known.a.i;
    if (!first && it->value != known.b.i) return false;
    Range told = first ? range_if(op_family(op), bits, &a, &b)
                       : range_if(op_family(op_mirror(op)), bits, &b, &a);
    *result =
        any_is_empty((Range[]){a, b}, 2) ? no_value() : range_both(bits, first ? &a : &b, &told);
    return true;
}

// An operand of an operator whose result is known.
static bool is_operand(const Values *values, uint32_t fact, Range *result) {
    const RangeFact *it = &values->hint->ranges.at[fact];
    Range args[2], whole;
    if (it->ref >= values->count || !is_operator(values, it->ref)) return false;
    const HintValue *op = &values->terms.values[it->ref];
    const uint32_t *operands = terms_args(&values->terms, it->ref);
    if (op->count > 2 || !operand_at(values, fact, 2, it->ref, &whole)) return false;
    for (uint32_t k = 0; k < op->count; k++)
        if (!operand_at(values, fact, k, operands[k], &args[k])) return false;
    const OpInfo *info = op_info((Op)op->op);
    for (uint32_t k = 0; k < op->count; k++) {
        if (operands[k] != it->value) continue;
        uint32_t from = range_bits(info->operand[k]);
        Range told =
            range_of_operand(info->family, from, range_bits(info->result), args, k, &whole);
        bool never = range_is_empty(&whole) || any_is_empty(args, op->count);
        *result = never ? no_value() : range_both(from, &args[k], &told);
        return true;
    }
    return false;
}

// The register of an address by which an access went right: the register is defined. If the
// constant that is added is too small to lead out of the first page, which has no object, the
// register is not null; then the sum does not wrap around, and the end of the accessed bytes, like
// the end of any object, is not null either.
static bool is_accessed(const Values *values, uint32_t fact, Range *result) {
    const RangeFact *it = &values->hint->ranges.at[fact];
    uint32_t way;
    if (!comes_from(values, it, &way)) return false;
    const Instr *instr = &values->before->nodes.at[it->ref];
    if ((instr->kind != I_LOAD && instr->kind != I_STORE) || instr->base != BASE_REG ||
        instr->scale)
        return false;
    Reg reg = instr_args(values->before, instr)[0];
    if (!value_refines_reg(values, reg, it->value)) return false;
    *result = range_full(64);
    result->defined = UINT64_MAX;
    if (instr->imm < 0 || instr->imm >= NULL_PAGE) return true;
    result->low = 1;
    result->high = UINT64_MAX - (uint64_t)instr->imm - chunk_size((Chunk)instr->chunk);
    return true;
}

// An operand of a division that went right: all operands are defined, and the divisor is not zero.
static bool is_divided(const Values *values, uint32_t fact, Range *result) {
    const RangeFact *it = &values->hint->ranges.at[fact];
    uint32_t way;
    if (!comes_from(values, it, &way)) return false;
    const Instr *instr = &values->before->nodes.at[it->ref];
    if (instr->kind != I_OP || !op_is_partial(instr->op)) return false;
    for (uint32_t k = instr->arg_count; k-- > 0;) {
        if (!value_refines_reg(values, instr->arg[k], it->value)) continue;
        uint32_t bits = bits_of(values, it->value);
        *result = range_full(bits);
        result->defined = range_constant(bits, 0).defined;
        result->low = k == 1;
        return true;
    }
    return false;
}

// What is known at the end of each remaining way into a join. Entering the join changes nothing
// that the value mentions.
static bool is_merged(const Values *values, uint32_t fact, Range *result) {
    const RangeFact *it = &values->hint->ranges.at[fact];
    uint32_t ways = preds_count(&values->preds, it->place), reached = 0;
    *result = no_value();
    if (it->ref > values->hint->range_ways.count ||
        ways > values->hint->range_ways.count - it->ref ||
        values->base[it->value].node == it->place.i)
        return false;
    for (uint32_t k = 0; k < ways; k++) {
        Node from = preds_at(&values->preds, it->place)[k];
        Range range;
        if (!values_reach(values, from)) continue;
        if (!values_range_at(values, values->hint->range_ways.at[it->ref + k], fact, it->value,
                             from, &range))
            return false;
        reached++;
        if (range_is_empty(&range)) continue;
        *result = range_is_empty(result) ? range : range_either(result, &range);
    }
    return reached > 0;
}

// The value is known at the place, so by the lemma its meaning stays the same wherever the place
// dominates.
static bool check_fact(Values *values, uint32_t fact) {
    const RangeFact *it = &values->hint->ranges.at[fact];
    Range told;
    bool right = false;
    if (it->value >= values->count || !is_integer(values, it->value) ||
        it->place.i >= values->before->nodes.count || !values_reach(values, it->place) ||
        !point_is_above(values, values->base[it->value], (Point){it->place.i, POINT_PHIS}))
        return VALUES_REJECT(values, NO_NODE, "range %u is about no value that is known", fact);
    switch (it->reason) {
    case RANGE_COMPUTED: right = is_computed(values, fact, &told); break;
    case RANGE_OUTCOME: right = is_outcome(values, fact, &told); break;
    case RANGE_OPERAND: right = is_operand(values, fact, &told); break;
    case RANGE_ACCESS: right = is_accessed(values, fact, &told); break;
    case RANGE_DIVIDED: right = is_divided(values, fact, &told); break;
    case RANGE_MERGED: right = is_merged(values, fact, &told); break;
    default: break;
    }
    if (!right) return VALUES_REJECT(values, NO_NODE, "range %u does not follow", fact);
    values->fact_range[fact] =
        range_both(bits_of(values, it->value), &values->range[it->value], &told);
    return true;
}

// The ways that are looked at for a fact: into a join, or out of a branch.
static uint64_t ways_of_fact(const Values *values, const RangeFact *it) {
    uint32_t nodes = values->before->nodes.count;
    if (it->reason == RANGE_MERGED)
        return it->place.i < nodes ? preds_count(&values->preds, it->place) : 0;
    return it->ref < nodes ? values->before->nodes.at[it->ref].succ_count : 0;
}

bool values_check_facts(Values *values) {
    uint32_t count = values->hint->ranges.count;
    uint64_t work = 0, size = (uint64_t)values->before->nodes.count + count;
    values->fact_range = ARENA_ARRAY(values->arena, Range, count);
    for (uint32_t i = 0; i < count; i++) {
        work += ways_of_fact(values, &values->hint->ranges.at[i]);
        if (check_takes_too_long(work, size))
            return VALUES_REJECT(values, NO_NODE, "too many ranges have ways in common");
        if (!check_fact(values, i)) return false;
    }
    return true;
}

// ---- PHIs

// Whether an argument of a PHI lies in the claimed range at the end of its way.
static bool argument_fits(const Values *values, const PhiRange *phi, uint32_t k, Node from) {
    uint32_t arg = terms_args(&values->terms, phi->value)[k];
    Range range;
    // Something undefined may be taken for a value of the range, but has no defined bit.
    if (arg == NO_ID || value_is_undefined(values, arg)) return !phi->range.defined;
    if (!values_range_at(values, values->hint->range_ways.at[phi->first + k],
                         values->hint->ranges.count, arg, from, &range))
        return false;
    if (!point_is_above(values, values->base[arg], (Point){from.i, POINT_INSTR})) range.defined = 0;
    return range_is_empty(&range) || range_contains(&phi->range, &range);
}

bool values_check_phi_ranges(Values *values) {
    for (uint32_t i = 0; i < values->hint->phi_ranges.count; i++) {
        const PhiRange *phi = &values->hint->phi_ranges.at[i];
        Node join = {values->terms.values[phi->value].ref};
        if (!values_reach(values, join)) continue;
        for (uint32_t k = 0; k < values->terms.values[phi->value].count; k++) {
            Node from = preds_at(&values->preds, join)[k];
            if (values_reach(values, from) && !argument_fits(values, phi, k, from))
                return VALUES_REJECT(values, NO_NODE,
                                     "argument %u of value %u lies outside of its range", k,
                                     phi->value);
        }
    }
    return true;
}
