// Why steps are right. A row of rules.def holds for all values of its variables, undefined bits
// included: its left-hand side is refined by its right-hand side, and goes wrong wherever that
// does. An operator that goes wrong, as part of a value, yields something undefined, which anything
// refines. Operators are monotone, so refined arguments give a refined result; and operators are
// functions, so constants may be evaluated.
//
// A row with a guard holds if the guard is true of the shadows of its registers, or, for a sure
// guard, defined and true. The range of the guard, computed from the ranges of its registers, holds
// the guard's shadow, and its defined bits are defined. If the range of a value is one constant,
// the constant is a filling of the value's undefined bits, and so refines the value.
//
// A comparison of signed integers has the outcome of the comparison of their sign extensions: these
// are in the same order, and have an undefined bit where the integers have one.
//
// A value that is made of constants and of phis of one join changes only when control enters the
// join: then the phis have the arguments of one way in. If these are constants, the value is known
// for each way. Phis of different joins change at different times, so the join is the same for all.
#include "check/values/value_steps.h"

#include "check/values/value_sums.h"
#include "fact/eval.h"
#include "fact/unit_memory.h"
#include "target/model.h"

typedef struct {
    const ValueTerms *terms;
    Type width;
    Bindings *bindings;
} RowMatch;

bool terms_constant(const ValueTerms *terms, uint32_t value, Value *result) {
    const HintValue *it = &terms->values[value];
    if (it->kind != VALUE_OP || op_family((Op)it->op) != FAM_CONST) return false;
    Type type = op_info((Op)it->op)->result;
    *result = value_immediate(type, it->imm);
    if (type == TYPE_F80) result->high = it->high;
    return true;
}

// ---- Rows

// An integer constant, or else a value, in the place of a register.
static RuleOperand operand_of(const ValueTerms *terms, uint32_t value, Type type) {
    RuleOperand operand = {.reg = NO_REG};
    if (!type_is_int(type) || !terms_constant(terms, value, &operand.value))
        operand = (RuleOperand){.reg = {value}};
    return operand;
}

// A variable stands for one operand throughout.
static bool bind(Bindings *bindings, RuleTerm variable, const RuleOperand *operand) {
    uint32_t k = (uint32_t)(variable - TERM_X);
    RuleOperand *bound = &bindings->operand[k];
    bool constant = operand->reg.i == NO_ID;
    if (bindings->bound >> k & 1)
        return bound->reg.i == operand->reg.i &&
               (!constant || bound->value.bits == operand->value.bits);
    if (!(constant ? term_allows_constant(variable) : term_allows_register(variable))) return false;
    bindings->bound |= (uint32_t)1 << k;
    *bound = *operand;
    return true;
}

static bool match_term(const RowMatch *match, const RuleTerm *term, uint32_t value, Type type);

// Operands in the order that is given: `swap` exchanges the two of a commutative operator.
static bool match_operands(const RowMatch *match, const RuleTerm *term, uint32_t value, bool swap) {
    const OpInfo *info = op_info((Op)*term);
    const uint32_t *args = terms_args(match->terms, value);
    const RuleTerm *at = term + 1;
    for (uint32_t k = 0; k < info->arity; k++, at = term_end(at))
        if (!match_term(match, at, args[swap ? 1 - k : k], info->operand[k])) return false;
    return true;
}

static bool match_operator(const RowMatch *match, const RuleTerm *term, uint32_t value) {
    const HintValue *it = &match->terms->values[value];
    if (it->kind != VALUE_OP || it->op != *term) return false;
    uint32_t bound = match->bindings->bound;
    if (match_operands(match, term, value, false)) return true;
    if (!(op_info((Op)*term)->flags & OPF_COMM)) return false;
    match->bindings->bound = bound;
    return match_operands(match, term, value, true);
}

// Terms of constants are evaluated. Rows are short, and so the recursion is.
static bool match_term(const RowMatch *match, const RuleTerm *term, uint32_t value, Type type) {
    RuleOperand operand = operand_of(match->terms, value, type);
    Value wanted;
    const RuleTerm *end;
    if (term_evaluate(term, match->width, type, match->bindings, &wanted, &end))
        return operand.reg.i == NO_ID && operand.value.bits == wanted.bits;
    if (term_is_literal(*term)) return false;
    if (*term >= OP_COUNT) return bind(match->bindings, *term, &operand);
    return match_operator(match, term, value);
}

bool value_rule_matches(const ValueTerms *terms, Rule row, uint32_t from, Bindings *bindings) {
    const RuleInfo *rule = &rule_table[row];
    bindings->bound = 0; // it is large, and most attempts end soon
    RowMatch match = {.terms = terms, .width = (Type)rule->width, .bindings = bindings};
    return match_operator(&match, rule->from, from);
}

bool value_rule_holds(Rule row, const Bindings *bindings) {
    const RuleInfo *rule = &rule_table[row];
    Value value;
    const RuleTerm *end;
    return term_evaluate(rule->when, rule->width, TYPE_I32, bindings, &value, &end) && value.bits;
}

// ---- Ranges

static Range range_of_operator(const ValueTerms *terms, uint32_t value, const Range *all) {
    const HintValue *it = &terms->values[value];
    Value constant;
    Range args[3];
    if (terms_constant(terms, value, &constant))
        return range_constant(range_bits(op_info((Op)it->op)->result), constant.bits);
    if (it->count == 0) return range_of_address(terms->before, (Op)it->op, it->ref, it->imm);
    for (uint32_t k = 0; k < it->count; k++) args[k] = all[terms_args(terms, value)[k]];
    return range_of_op((Op)it->op, args);
}

Range value_range_everywhere(const ValueTerms *terms, uint32_t value, Type type, const Range *all) {
    const HintValue *it = &terms->values[value];
    const Instr *instr = NULL;
    if (!type_is_int(type)) return range_full(64);
    if (it->kind == VALUE_OP) return range_of_operator(terms, value, all);
    if (it->kind == VALUE_LOAD) instr = &terms->before->nodes.at[it->imm];
    if (it->kind == VALUE_OLD)
        instr = defining_instr(terms->before, terms->definitions, (Reg){it->ref});
    const Program *program = terms->before->program;
    const Range *claim = NULL;
    Range told;
    if (it->kind == VALUE_OLD && terms->definitions[it->ref].by == SET_BY_CALLER)
        claim = unit_range_of_param(terms->before, (Reg){it->ref});
    if (it->kind == VALUE_CALL)
        claim = unit_range(program->unit, unit_of_result(program->unit, (Sym){it->ref}));
    if (claim) return *claim;
    if (instr && unit_range_of_instr(program, instr, &told)) return told;
    if (instr && instr->kind == I_LOAD && chunk_extension((Chunk)instr->chunk) != OP_COUNT)
        return range_of_chunk((Chunk)instr->chunk);
    return range_full(range_bits(type));
}

Range value_range(const RangeView *view, uint32_t value) {
    for (uint32_t i = 0; i < view->count; i++)
        if (view->value[i] == value) return view->range[i];
    return view->all[value];
}

// The range of a term of integers.
static Range range_of_term(const RuleTerm *term, Type width, Type type, const Bindings *bindings,
                           const RangeView *view) {
    if (term_is_literal(*term))
        return range_constant(range_bits(type), term_literal(term, width, type).bits);
    if (*term >= OP_COUNT) {
        const RuleOperand *operand = &bindings->operand[*term - TERM_X];
        if (!(bindings->bound >> (*term - TERM_X) & 1)) return range_full(range_bits(type));
        return operand->reg.i != NO_ID
                   ? value_range(view, operand->reg.i)
                   : range_constant(range_bits(type), operand->value.bits & type_mask(type));
    }
    const OpInfo *info = op_info((Op)*term);
    Range args[3];
    const RuleTerm *at = term + 1;
    for (uint32_t k = 0; k < info->arity; k++, at = term_end(at))
        args[k] = range_of_term(at, width, info->operand[k], bindings, view);
    return range_of_op((Op)*term, args);
}

bool value_rule_is_guarded(Rule row, const Bindings *bindings, const RangeView *view) {
    const RuleInfo *rule = &rule_table[row];
    if (!rule->guard) return true;
    if (!view) return false;
    Range range = range_of_term(rule->guard, rule->width, TYPE_I32, bindings, view);
    return range.low > 0 && (!rule->sure || range.defined == UINT32_MAX);
}

// The only value that the range of a value leaves, as a constant.
static bool is_known(const ValueTerms *terms, uint32_t from, uint32_t to, const RangeView *view) {
    Value constant;
    uint64_t value;
    if (!view || !terms_constant(terms, to, &constant)) return false;
    Op op = (Op)terms->values[to].op;
    Range range = value_range(view, from);
    return type_is_int(op_info(op)->result) && range_is_constant(&range, &value) &&
           value == constant.bits;
}

// ---- Rows, applied

// Whether a value looks like the right-hand side of a row for what its variables stand for, with
// constants evaluated, and the row's condition holds. Constants that the left-hand side leaves open
// (M, S) are those that are found.
static bool gives(const ValueTerms *terms, Rule row, Bindings *bindings, uint32_t to) {
    const RuleInfo *rule = &rule_table[row];
    RowMatch match = {.terms = terms, .width = (Type)rule->width, .bindings = bindings};
    Type type = op_info((Op)*rule->from)->result;
    return match_term(&match, rule->to, to, type) && value_rule_holds(row, bindings);
}

// ---- Steps

// Path halving.
uint32_t value_root(uint32_t *root, uint32_t value) {
    while (root[value] != value) value = root[value] = root[root[value]];
    return value;
}

// An operator of constants is a constant; an address and a constant added to it are an address.
static bool is_folded(const ValueTerms *terms, uint32_t from, uint32_t to) {
    const HintValue *then = &terms->values[from], *now = &terms->values[to];
    const uint32_t *args = terms_args(terms, from);
    Value operand[3] = {{0}}, result, wanted;
    if (then->kind != VALUE_OP || then->count == 0) return false;
    if (then->op == OP_ADD_I64 && now->kind == VALUE_OP &&
        (now->op == OP_ADDR_SLOT || now->op == OP_ADDR_SYMBOL)) {
        const HintValue *start = &terms->values[args[0]];
        return start->kind == VALUE_OP && start->op == now->op && start->ref == now->ref &&
               terms_constant(terms, args[1], &operand[1]) &&
               (uint64_t)start->imm + operand[1].bits == (uint64_t)now->imm;
    }
    for (uint32_t k = 0; k < then->count; k++)
        if (!terms_constant(terms, args[k], &operand[k])) return false;
    return op_eval((Op)then->op, operand[0], operand[1], operand[2], &result) && !result.undef &&
           target_evaluates(terms->target, (Op)then->op, operand, result) &&
           terms_constant(terms, to, &wanted) && result.bits == wanted.bits &&
           result.high == wanted.high;
}

static bool are_congruent(const uint32_t *from, const uint32_t *to, uint32_t count, bool swap,
                          uint32_t *root) {
    for (uint32_t k = 0; k < count; k++) {
        uint32_t other = to[swap ? 1 - k : k];
        if (from[k] != other && value_root(root, from[k]) != other) return false;
    }
    return true;
}

static bool is_congruent(const ValueTerms *terms, uint32_t from, uint32_t to, uint32_t *root) {
    const HintValue *then = &terms->values[from], *now = &terms->values[to];
    if (then->kind != VALUE_OP || now->kind != VALUE_OP || then->op != now->op) return false;
    if (then->count == 0) return false;
    const uint32_t *x = terms_args(terms, from), *y = terms_args(terms, to);
    if (are_congruent(x, y, then->count, false, root)) return true;
    return op_info((Op)then->op)->flags & OPF_COMM && are_congruent(x, y, then->count, true, root);
}

// ---- Ways into a join

enum { MOST_MERGED = 16 };

typedef struct {
    const ValueTerms *terms;
    uint32_t way;
    uint32_t join, ways; // of the phis that have been met; NO_ID
    uint32_t left;       // values that may still be looked at
} OnWay;

// The value of a phi on the way at hand; NO_ID is undefined.
static bool phi_on_way(OnWay *on, uint32_t value, Type type, Value *result) {
    const HintValue *it = &on->terms->values[value];
    if (on->join != NO_ID && on->join != it->ref) return false;
    on->join = it->ref;
    on->ways = it->count;
    uint32_t arg = terms_args(on->terms, value)[on->way];
    *result = value_undefined(type);
    return arg == NO_ID || terms_constant(on->terms, arg, result);
}

static bool value_on_way(OnWay *on, uint32_t value, Type type, Value *result) {
    const HintValue *it = &on->terms->values[value];
    Value args[3] = {{0}};
    if (terms_constant(on->terms, value, result)) return true;
    if (on->left-- == 0 || it->count == 0) return false;
    if (it->kind == VALUE_PHI) return phi_on_way(on, value, type, result);
    if (it->kind != VALUE_OP) return false;
    const OpInfo *info = op_info((Op)it->op);
    for (uint32_t k = 0; k < it->count; k++)
        if (!value_on_way(on, terms_args(on->terms, value)[k], info->operand[k], &args[k]))
            return false;
    return op_eval((Op)it->op, args[0], args[1], args[2], result) &&
           target_evaluates(on->terms->target, (Op)it->op, args, *result);
}

// A way whose value has undefined bits takes what the others leave. The ways that branches never
// take count, too.
bool value_on_all_ways(const ValueTerms *terms, uint32_t value, Type type, Value *result) {
    OnWay on = {.terms = terms, .join = NO_ID, .ways = 1};
    *result = value_undefined(type);
    for (; on.way < on.ways; on.way++) {
        Value here;
        on.left = MOST_MERGED;
        if (!value_on_way(&on, value, type, &here) || here.high) return false;
        uint64_t both = ~here.undef & ~result->undef;
        if ((here.bits ^ result->bits) & both) return false;
        result->bits |= here.bits;
        result->undef &= here.undef;
    }
    return on.join != NO_ID && !result->undef;
}

static bool is_sum(const ValueTerms *terms, uint32_t from, uint32_t to, Type type) {
    ValueSum then, now;
    Value outcome;
    bool equal;
    if (value_sum_test(terms, from, &equal))
        return terms_constant(terms, to, &outcome) && outcome.bits == equal;
    return value_sum(terms, from, type, &then) && value_sum(terms, to, type, &now) &&
           value_sum_refines(&then, &now, NULL, NULL);
}

// The same integer, extended with its sign.
static bool is_extension(const ValueTerms *terms, uint32_t value, uint32_t wide) {
    const HintValue *it = &terms->values[wide];
    Value narrow, extended;
    if (it->kind == VALUE_OP && it->op == OP_SEXT_I64) return terms_args(terms, wide)[0] == value;
    return terms_constant(terms, value, &narrow) && terms_constant(terms, wide, &extended) &&
           (int64_t)extended.bits == (int32_t)(uint32_t)narrow.bits;
}

// A signed comparison, and the same comparison of the sign extensions.
static bool is_widened(const ValueTerms *terms, uint32_t from, uint32_t to) {
    const HintValue *then = &terms->values[from], *now = &terms->values[to];
    if (then->kind != VALUE_OP || now->kind != VALUE_OP || !op_compares_integers((Op)then->op) ||
        op_compares_unsigned((Op)then->op) || op_info((Op)then->op)->at != TYPE_I32 ||
        now->op != (uint16_t)op_for((Op)then->op, TYPE_I64))
        return false;
    const uint32_t *narrow = terms_args(terms, from), *wide = terms_args(terms, to);
    for (uint32_t swap = 0; swap < 2; swap++) {
        if (swap && !(op_info((Op)then->op)->flags & OPF_COMM)) return false;
        if (is_extension(terms, narrow[0], wide[swap]) &&
            is_extension(terms, narrow[1], wide[1 - swap]))
            return true;
    }
    return false;
}

bool value_step_is_right(const ValueTerms *terms, const ValueStep *step, Type type, uint32_t *root,
                         const RangeView *view) {
    Bindings bindings;
    Value constant, wanted;
    if (step->rule < RULE_COUNT)
        return value_rule_matches(terms, step->rule, step->from, &bindings) &&
               gives(terms, step->rule, &bindings, step->to) &&
               value_rule_is_guarded(step->rule, &bindings, view);
    switch (step->rule) {
    case STEP_FOLD: return is_folded(terms, step->from, step->to);
    case STEP_CONGRUENT: return is_congruent(terms, step->from, step->to, root);
    case STEP_KNOWN: return is_known(terms, step->from, step->to, view);
    case STEP_SUM: return is_sum(terms, step->from, step->to, type);
    case STEP_WIDENED: return is_widened(terms, step->from, step->to);
    case STEP_MERGED:
        return type_is_int(type) && value_on_all_ways(terms, step->from, type, &constant) &&
               terms_constant(terms, step->to, &wanted) && constant.bits == wanted.bits;
    default: return false;
    }
}
