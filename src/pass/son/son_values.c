// Values, each made once, and their simplification by the rows of rules.def.
//
// A value is simplified by steps: its arguments are replaced by their simplified forms, constants
// are folded, rules are applied, until nothing applies any more. A term that a rule puts together
// is simplified from the inside out. Each value has one step at most, so every chain of steps is
// walked once, for all later walks.
#include "pass/son/son_values.h"

#include "analysis/float_raises.h"
#include "fact/eval.h"
#include "pass/magic.h"
#include "target/model.h"

#include <string.h>

// Rules shrink or simplify, but a mistake in the table should not hang the compiler.
enum { LONGEST_CHAIN = 100, DEEPEST = 24, IN_PROGRESS = UINT32_MAX - 1 };

void son_values_start(SonValues *values, Arena *arena, const Func *before, const Dominance *dom) {
    *values = (SonValues){
        .arena = arena, .before = before, .dom = dom, .definitions = definitions_of(arena, before)};
    uint32_t regs = before->regs.count;
    // Room for as many values as there are registers, and some more.
    uint32_t room = regs + regs / 2 + 16;
    (void)vec_extend(arena, &values->values, room);
    (void)vec_extend(arena, &values->args, room);
    (void)vec_extend(arena, &values->types, room);
    (void)vec_extend(arena, &values->ranges, room);
    (void)vec_extend(arena, &values->base, room);
    (void)vec_extend(arena, &values->root, room);
    (void)vec_extend(arena, &values->step, room);
    values->values.count = values->args.count = values->types.count = values->ranges.count = 0;
    values->base.count = values->root.count = values->step.count = 0;
    values->old = ARENA_ARRAY(arena, uint32_t, regs);
    values->phi = ARENA_ARRAY(arena, uint32_t, regs);
    memset(values->old, 0xff, regs * sizeof *values->old);
    memset(values->phi, 0xff, regs * sizeof *values->phi);
    rule_index_start(&values->rules);
}

// ---- Making values

static uint32_t base_of(const SonValues *values, const HintValue *value, const uint32_t *args) {
    if (value->kind == VALUE_OLD) return values->definitions[value->ref].node.i;
    if (value->kind != VALUE_OP && value->kind != VALUE_CALL) return value->ref;
    uint32_t base = NO_ID;
    if (!values->dom) return base;
    for (uint32_t k = 0; k < value->count; k++) {
        uint32_t other = values->base.at[args[k]];
        if (other != NO_ID &&
            (base == NO_ID || values->dom->number[other] > values->dom->number[base]))
            base = other;
    }
    return base;
}

static uint32_t add_value(SonValues *values, HintValue value, Type type, const uint32_t *args) {
    uint32_t id = values->values.count;
    value.first = value.count ? values->args.count : 0;
    for (uint32_t k = 0; k < value.count; k++) vec_push(values->arena, &values->args, args[k]);
    vec_push(values->arena, &values->values, value);
    vec_push(values->arena, &values->types, (uint8_t)type);
    vec_push(values->arena, &values->base, base_of(values, &value, args));
    vec_push(values->arena, &values->root, NO_ID);
    vec_push(values->arena, &values->step, NO_ID);
    ValueTerms terms = values_terms(values);
    Range range = value_range_everywhere(&terms, id, type, values->ranges.at);
    vec_push(values->arena, &values->ranges, range);
    return id;
}

uint32_t value_old(SonValues *values, Reg reg) {
    if (values->old[reg.i] == NO_ID)
        values->old[reg.i] =
            add_value(values, (HintValue){.kind = VALUE_OLD, .ref = reg.i, .op = OP_COUNT},
                      reg_type(values->before, reg), NULL);
    return values->old[reg.i];
}

uint32_t value_added_phi(SonValues *values, Type type, Node join) {
    HintValue it = {.kind = VALUE_PHI, .ref = join.i, .op = OP_COUNT};
    return add_value(values, it, type, NULL);
}

uint32_t value_phi(SonValues *values, Reg phi, Node join) {
    if (values->phi[phi.i] == NO_ID)
        values->phi[phi.i] = value_added_phi(values, reg_type(values->before, phi), join);
    return values->phi[phi.i];
}

void value_set_phi(SonValues *values, uint32_t phi, const uint32_t *args, uint32_t count) {
    HintValue *it = &values->values.at[phi];
    if (it->count == 0) {
        it->first = values->args.count;
        it->count = count;
        (void)vec_extend(values->arena, &values->args, count);
    }
    memcpy(values->args.at + it->first, args, count * sizeof *args);
}

uint32_t value_load(SonValues *values, Node at, Node load) {
    HintValue it = {.kind = VALUE_LOAD, .ref = at.i, .imm = load.i, .op = OP_COUNT};
    return add_value(values, it, reg_type(values->before, func_at(values->before, load)->dest),
                     NULL);
}

static bool same_value(const SonValues *values, uint32_t id, const HintValue *wanted,
                       const uint32_t *args) {
    const HintValue *it = value_at(values, id);
    return it->op == wanted->op && it->imm == wanted->imm && it->ref == wanted->ref &&
           it->high == wanted->high && it->count == wanted->count &&
           (it->count == 0 || memcmp(value_args(values, id), args, it->count * sizeof *args) == 0);
}

// The value of an operator or of a call: an existing value, or a new one.
static uint32_t intern_as(SonValues *values, HintValue wanted, Type type, const uint32_t *args) {
    uint64_t hash = hash_add((uint64_t)wanted.ref << 32 | wanted.op, (uint64_t)wanted.imm);
    if (wanted.high) hash = hash_add(hash, wanted.high);
    for (uint32_t k = 0; k < wanted.count; k++) hash = hash_add(hash, args[k]);
    uint32_t at = table_first(&values->table, hash), id;
    while ((id = table_id(&values->table, hash, &at)) != HASH_NONE)
        if (same_value(values, id, &wanted, args)) return id;
    id = add_value(values, wanted, type, args);
    table_insert(values->arena, &values->table, hash, id);
    return id;
}

static uint32_t intern(SonValues *values, HintValue wanted, const uint32_t *args) {
    return intern_as(values, wanted, op_info(wanted.op)->result, args);
}

bool value_is_constant(const SonValues *values, uint32_t value, Value *constant) {
    ValueTerms terms = values_terms(values);
    return terms_constant(&terms, value, constant);
}

static bool is_constant(const SonValues *values, uint32_t value) {
    Value constant;
    return value_is_constant(values, value, &constant);
}

uint32_t value_op(SonValues *values, Op op, const uint32_t *args) {
    const OpInfo *info = op_info(op);
    uint32_t swapped[2];
    HintValue wanted = {.kind = VALUE_OP, .op = (uint16_t)op, .ref = NO_ID, .count = info->arity};
    if (info->flags & OPF_COMM) {
        bool first = is_constant(values, args[0]), second = is_constant(values, args[1]);
        if (first > second || (first == second && args[0] > args[1])) {
            swapped[0] = args[1];
            swapped[1] = args[0];
            args = swapped;
        }
    }
    return intern(values, wanted, args);
}

uint32_t value_call(SonValues *values, const Instr *call, const uint32_t *args) {
    HintValue wanted = {
        .kind = VALUE_CALL, .op = OP_COUNT, .ref = call->ref, .count = call->arg_count};
    return intern_as(values, wanted, reg_type(values->before, call->dest), args);
}

uint32_t value_constant(SonValues *values, Type type, Value constant) {
    int64_t imm = type == TYPE_I32 ? (int32_t)(uint32_t)constant.bits : (int64_t)constant.bits;
    return intern(values,
                  (HintValue){.kind = VALUE_OP,
                              .op = (uint16_t)op_const(type),
                              .high = (uint16_t)constant.high,
                              .ref = NO_ID,
                              .imm = imm},
                  NULL);
}

uint32_t value_of_instr(SonValues *values, const Instr *instr, const uint32_t *value_of) {
    const OpInfo *info = op_info(instr->op);
    uint32_t args[3];
    if (info->arity == 0) {
        bool address = instr->op == OP_ADDR_SYMBOL || instr->op == OP_ADDR_SLOT;
        if (!address) {
            Value constant = value_immediate(info->result, instr->imm);
            constant.high = instr->high;
            return value_constant(values, info->result, constant);
        }
        HintValue wanted = {
            .kind = VALUE_OP, .op = instr->op, .ref = instr->ref, .imm = instr->imm};
        return intern(values, wanted, NULL);
    }
    for (uint32_t k = 0; k < info->arity; k++)
        args[k] = k < instr->arg_count
                      ? value_of[instr->arg[k].i]
                      : value_constant(values, info->operand[k],
                                       value_immediate(info->operand[k], instr->imm));
    return value_op(values, instr->op, args);
}

// ---- Rules

// The right-hand side of a rule; in bindings, registers stand for values.
static uint32_t build(SonValues *values, const RuleInfo *rule, const RuleTerm *term, Type type,
                      const Bindings *bindings) {
    Value constant;
    const RuleTerm *end;
    if (term_evaluate(term, rule->width, type, bindings, &constant, &end))
        return value_constant(values, type, constant);
    if (*term >= OP_COUNT) return bindings->operand[*term - TERM_X].reg.i;
    const OpInfo *info = op_info((Op)*term);
    const RuleTerm *at = term + 1;
    uint32_t args[3];
    for (uint32_t k = 0; k < info->arity; k++, at = term_end(at))
        args[k] = build(values, rule, at, info->operand[k], bindings);
    return value_op(values, (Op)*term, args);
}

// The constants that the left-hand side leaves open are chosen by the divisor.
static bool choose(const SonValues *values, Rule rule, uint32_t value, Bindings *bindings) {
    int64_t choice[2];
    Value divisor;
    if (!magic_wanted(rule)) return true;
    uint32_t last = value_args(values, value)[1];
    if (!value_is_constant(values, last, &divisor) ||
        !magic_choose(rule, value_at(values, last)->imm, choice))
        return false;
    for (uint32_t k = 0; k < 2; k++) {
        uint32_t open = (uint32_t)(TERM_M - TERM_X) + k;
        bindings->bound |= (uint32_t)1 << open;
        bindings->operand[open] = (RuleOperand){NO_REG, {.bits = (uint64_t)choice[k]}};
    }
    return true;
}

// The result of a rule for a value; NO_ID if the rule does not apply.
static uint32_t apply(SonValues *values, Rule rule, uint32_t value, const RangeView *view) {
    Bindings bindings;
    ValueTerms terms = values_terms(values);
    if (!value_rule_matches(&terms, rule, value, &bindings) ||
        !choose(values, rule, value, &bindings) || !value_rule_holds(rule, &bindings) ||
        !value_rule_is_guarded(rule, &bindings, view))
        return NO_ID;
    const RuleInfo *info = &rule_table[rule];
    uint32_t result = build(values, info, info->to, values->types.at[value], &bindings);
    return result == value ? NO_ID : result;
}

// The rules of a list; those with a guard only, if ranges are given.
static uint32_t apply_list(SonValues *values, uint32_t value, uint32_t inner, const RangeView *view,
                           uint16_t *rule) {
    uint32_t root = value_at(values, value)->op, result;
    const RuleIndex *index = &values->rules;
    RangeView plain = {.all = values->ranges.at};
    for (uint32_t at = rule_index_first(index, root, inner); at != NO_RULE; at = index->next[at]) {
        if (rule_heads[at].root != root || (view && !rule_table[at].guard)) continue;
        if ((result = apply(values, at, value, view ? view : &plain)) != NO_ID) {
            *rule = (uint16_t)at;
            return result;
        }
    }
    return NO_ID;
}

static uint32_t apply_rules(SonValues *values, uint32_t value, const RangeView *view,
                            uint16_t *rule) {
    const HintValue it = *value_at(values, value);
    uint32_t operands = op_info(it.op)->flags & OPF_COMM ? it.count : 1;
    for (uint32_t k = 0; k < operands; k++) {
        const HintValue *arg = value_at(values, value_args(values, value)[k]);
        if (arg->kind != VALUE_OP) continue;
        uint32_t result = apply_list(values, value, arg->op, view, rule);
        if (result != NO_ID) return result;
    }
    return apply_list(values, value, ANY_INNER, view, rule);
}

uint32_t value_guarded(SonValues *values, uint32_t value, const RangeView *view, uint16_t *rule) {
    return apply_rules(values, value, view, rule);
}

// ---- Sums

// factor * value, shifted first: no bit that the shift drops may count.
static uint32_t product(SonValues *values, Type type, const SumPart *part, uint64_t factor) {
    uint32_t args[2] = {part->value};
    if (part->shift) {
        args[1] = value_constant(values, TYPE_I32, (Value){.bits = part->shift});
        args[0] = value_op(values, op_of(FAM_SHL, type), args);
    }
    factor = (factor >> part->shift) & (type_mask(type) >> part->shift);
    if (factor == 1) return args[0];
    args[1] = value_constant(values, type, (Value){.bits = factor});
    return value_op(values, op_of(FAM_MUL, type), args);
}

// Positive parts first, so that negative ones are subtracted.
uint32_t value_of_sum(SonValues *values, Type type, const ValueSum *sum) {
    uint64_t mask = type_mask(type);
    uint32_t args[2] = {NO_ID};
    for (uint32_t round = 0; round < 2; round++)
        for (uint32_t i = 0; i < sum->count; i++) {
            const SumPart *part = &sum->parts[i];
            bool negative = part->factor > mask >> 1;
            if (!part->factor || negative != (round == 1)) continue;
            bool less = negative && args[0] != NO_ID;
            args[1] = product(values, type, part, less ? (0 - part->factor) & mask : part->factor);
            args[0] = args[0] == NO_ID
                          ? args[1]
                          : value_op(values, op_of(less ? FAM_SUB : FAM_ADD, type), args);
        }
    args[1] = value_constant(values, type, (Value){.bits = sum->constant});
    if (args[0] == NO_ID || !sum->constant) return args[0] == NO_ID ? args[1] : args[0];
    return value_op(values, op_of(FAM_ADD, type), args);
}

// How many operators value_of_sum makes.
static uint32_t sum_cost(const ValueSum *sum) {
    uint32_t parts = 0, products = 0;
    for (uint32_t i = 0; i < sum->count; i++) {
        uint64_t factor = sum->parts[i].factor, least = (uint64_t)1 << sum->parts[i].shift;
        if (!factor) continue;
        parts++;
        products += (uint32_t)(factor != least) + (least > 1);
    }
    return products + parts + (sum->constant != 0);
}

// A sum that is one part or a constant, or in which parts cancel out, put together anew if that
// takes fewer operators. Other sums stay as they are: rules have chosen their operators.
static uint32_t shorter_sum(SonValues *values, uint32_t value) {
    ValueTerms terms = values_terms(values);
    OpFamily family = op_family((Op)value_at(values, value)->op);
    Type type = (Type)values->types.at[value];
    ValueSum sum;
    bool outcome, cancels = false;
    if (value_sum_test(&terms, value, &outcome))
        return value_constant(values, type, (Value){.bits = outcome});
    if ((family != FAM_ADD && family != FAM_SUB) || !value_sum(&terms, value, type, &sum))
        return NO_ID;
    for (uint32_t i = 0; i < sum.count; i++) cancels |= !sum.parts[i].factor;
    if (sum_cost(&sum) > (cancels ? sum.ops : 1)) return NO_ID;
    uint32_t result = value_of_sum(values, type, &sum);
    return result == value ? NO_ID : result;
}

// ---- Steps

uint32_t value_folded(SonValues *values, uint32_t value) {
    const HintValue it = *value_at(values, value);
    Value operand[3] = {{0}}, result;
    if (it.kind != VALUE_OP || it.count == 0) return NO_ID;
    for (uint32_t k = 0; k < it.count; k++)
        if (!value_is_constant(values, value_args(values, value)[k], &operand[k])) return NO_ID;
    if (!op_eval(it.op, operand[0], operand[1], operand[2], &result) || result.undef ||
        op_raises(it.op, operand, result) ||
        !target_evaluates(values->before->program->target, it.op, operand, result))
        return NO_ID;
    return value_constant(values, values->types.at[value], result);
}

// The constant that the range of a value leaves; NO_ID if there are several.
static uint32_t known(SonValues *values, uint32_t value) {
    uint64_t constant;
    Type type = (Type)values->types.at[value];
    if (!type_is_int(type) || !range_is_constant(&values->ranges.at[value], &constant))
        return NO_ID;
    return value_constant(values, type, (Value){.bits = constant});
}

static uint32_t simplify(SonValues *values, uint32_t value, uint32_t depth);

// The same operator on the simplified arguments; NO_ID if nothing changes.
static uint32_t with_new_arguments(SonValues *values, uint32_t value, uint32_t depth) {
    const HintValue it = *value_at(values, value);
    uint32_t args[3];
    bool changed = false;
    for (uint32_t k = 0; k < it.count; k++) {
        uint32_t arg = value_args(values, value)[k];
        args[k] = simplify(values, arg, depth + 1);
        changed |= args[k] != arg;
    }
    return changed ? value_op(values, it.op, args) : NO_ID;
}

// The extension of what a load has extended in the same way.
static uint32_t extended(const SonValues *values, uint32_t value) {
    const HintValue *it = value_at(values, value);
    if (it->count != 1) return NO_ID;
    uint32_t arg = value_args(values, value)[0];
    const HintValue *inner = value_at(values, arg);
    const Instr *load = NULL;
    if (inner->kind == VALUE_LOAD) load = func_at(values->before, (Node){(uint32_t)inner->imm});
    if (inner->kind == VALUE_OLD)
        load = defining_instr(values->before, values->definitions, (Reg){inner->ref});
    if (!load || load->kind != I_LOAD) return NO_ID;
    return chunk_extension((Chunk)load->chunk) == (Op)it->op ? arg : NO_ID;
}

// One step from a value; NO_ID if there is none.
static uint32_t next_of(SonValues *values, uint32_t value, uint32_t depth, uint16_t *rule) {
    const HintValue *it = value_at(values, value);
    if (it->kind != VALUE_OP || it->count == 0) return NO_ID;
    uint32_t result = with_new_arguments(values, value, depth);
    *rule = STEP_CONGRUENT;
    if (result != NO_ID) return result;
    *rule = STEP_FOLD;
    if ((result = value_folded(values, value)) != NO_ID) return result;
    *rule = STEP_EXTENDED;
    if ((result = extended(values, value)) != NO_ID) return result;
    if ((result = apply_rules(values, value, NULL, rule)) != NO_ID) return result;
    *rule = STEP_KNOWN;
    if ((result = known(values, value)) != NO_ID) return result;
    *rule = STEP_SUM;
    return shorter_sum(values, value);
}

static void add_step(SonValues *values, uint32_t from, uint32_t to, uint16_t rule) {
    values->step.at[from] = values->steps.count;
    vec_push(values->arena, &values->steps, (ValueStep){.from = from, .to = to, .rule = rule});
}

static uint32_t simplify(SonValues *values, uint32_t value, uint32_t depth) {
    uint32_t known = values->root.at[value];
    if (known != NO_ID) return known == IN_PROGRESS ? value : known;
    if (depth > DEEPEST) return value;
    uint32_t chain[LONGEST_CHAIN], length = 0, root = value;
    for (;;) {
        uint16_t rule;
        chain[length++] = root;
        values->root.at[root] = IN_PROGRESS;
        uint32_t next = length < LONGEST_CHAIN ? next_of(values, root, depth, &rule) : NO_ID;
        if (next == NO_ID || values->root.at[next] == IN_PROGRESS) break;
        add_step(values, root, next, rule);
        bool is_known = values->root.at[next] != NO_ID;
        root = is_known ? values->root.at[next] : next;
        if (is_known) break;
    }
    for (uint32_t i = 0; i < length; i++) values->root.at[chain[i]] = root;
    return root;
}

uint32_t value_simplify(SonValues *values, uint32_t value) {
    return simplify(values, value, 0);
}
