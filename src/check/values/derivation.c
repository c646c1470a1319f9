// Matching a rule's left-hand side, and building its right-hand side.
//
// Why a step is right. The function is in strict SSA: a register's only definition dominates every
// use. When control is at node n, and the definition d of a register r dominates n, then the
// operands of r's operator have not been set again since r was set last: their definitions dominate
// d, so a path from there to n passes d. So the equation r = op(operands) holds at n, for the
// present values, and so do the equations of the operands' definitions: the instruction at n
// computes the left-hand side of the rule for the values of its variables, all of them set at n.
// The rule is a row of rules.def, proved for all values. Where the left-hand side is defined, the
// right-hand side gives the same, and it goes wrong at most where the left-hand side would. The new
// instructions, put right before n, set registers that are new, so nothing else can see them. The
// derived function is in strict SSA again and refines the one before: registers hold the same or
// more defined values, and operators are monotone. Steps compose.
#include "check/values/derivation.h"

#include "fact/eval.h"

typedef struct {
    Derivation *derivation;
    const RuleInfo *rule;
    Bindings bindings;
    Reg inner[8]; // registers whose definitions the left-hand side has matched
    uint32_t inner_count;
} Match;

// ---- Reading the function

// Path halving: also ends where code that cannot be reached copies in a circle.
static Reg original(Derivation *derivation, Reg reg) {
    Reg *same = derivation->same.at;
    while (same[reg.i].i != reg.i) reg = same[reg.i] = same[same[reg.i].i];
    return reg;
}

const Instr *derivation_definition(Derivation *derivation, Reg reg) {
    uint32_t item = derivation->definer.at[original(derivation, reg).i];
    return item == NO_ID ? NULL : derivation->items.at[item].instr;
}

static Type type_of(const Derivation *derivation, Reg reg) {
    uint32_t old = derivation->before->regs.count;
    return reg.i < old ? reg_type(derivation->before, reg) : derivation->added.at[reg.i - old];
}

// An operand of an operator or condition. A register that is set to an integer counts as that.
static RuleOperand operand_of(Derivation *derivation, const Instr *instr, uint32_t k) {
    Type type = op_info(instr->op)->operand[k];
    if (k >= instr->arg_count)
        return (RuleOperand){.reg = NO_REG, .value = value_immediate(type, instr->imm)};
    const Instr *definition = derivation_definition(derivation, instr->arg[k]);
    if (definition && type_is_int(type) && definition->op == op_const(type))
        return (RuleOperand){.reg = NO_REG, .value = value_immediate(type, definition->imm)};
    return (RuleOperand){.reg = original(derivation, instr->arg[k])};
}

void derivation_start(Derivation *derivation, Arena *arena, const Func *before) {
    *derivation = (Derivation){.arena = arena, .before = before};
    uint32_t nodes = before->nodes.count, regs = before->regs.count;
    DerivedItem *items = vec_extend(arena, &derivation->items, nodes);
    uint32_t *definer = vec_extend(arena, &derivation->definer, regs);
    Reg *same = vec_extend(arena, &derivation->same, regs);
    for (uint32_t r = 0; r < regs; r++) {
        definer[r] = NO_ID;
        same[r] = (Reg){r};
    }
    for (uint32_t n = 0; n < nodes; n++) {
        const Instr *instr = &before->nodes.at[n];
        items[n] = (DerivedItem){.instr = instr, .previous = NO_ID};
        if (instr->kind != I_OP) continue;
        definer[instr->dest.i] = n;
        if (op_is_move(instr->op)) same[instr->dest.i] = instr->arg[0];
    }
}

// ---- Matching

static bool same_operand(const RuleOperand *a, const RuleOperand *b) {
    return a->reg.i == b->reg.i && (a->reg.i != NO_ID || a->value.bits == b->value.bits);
}

// A variable stands for one operand throughout.
static bool bind(Bindings *bindings, RuleTerm variable, const RuleOperand *operand) {
    uint32_t k = (uint32_t)(variable - TERM_X);
    if (bindings->bound >> k & 1) return same_operand(&bindings->operand[k], operand);
    bindings->bound |= (uint32_t)1 << k;
    bindings->operand[k] = *operand;
    return true;
}

static bool match_instr(Match *match, const RuleTerm *term, const Instr *instr);

static bool match_operand(Match *match, const RuleTerm *term, const RuleOperand *operand,
                          Type type) {
    bool constant = operand->reg.i == NO_ID;
    if (term_is_literal(*term))
        return constant && operand->value.bits == term_literal(term, match->rule->width, type).bits;
    if (*term >= OP_COUNT)
        return (constant ? term_allows_constant(*term) : term_allows_register(*term)) &&
               bind(&match->bindings, *term, operand);
    const Instr *definition =
        constant ? NULL : derivation_definition(match->derivation, operand->reg);
    if (!definition || definition->op != *term || !match_instr(match, term, definition))
        return false;
    if (match->inner_count < sizeof match->inner / sizeof match->inner[0])
        match->inner[match->inner_count++] = operand->reg;
    return true;
}

// Operands in the order that is given: `swap` exchanges the two of a commutative operator.
static bool match_operands(Match *match, const RuleTerm *term, const Instr *instr, bool swap) {
    const OpInfo *info = op_info(instr->op);
    const RuleTerm *at = term + 1;
    for (uint32_t k = 0; k < info->arity; k++, at = term_end(at)) {
        RuleOperand operand = operand_of(match->derivation, instr, swap ? 1 - k : k);
        if (!match_operand(match, at, &operand, info->operand[k])) return false;
    }
    return true;
}

static bool match_instr(Match *match, const RuleTerm *term, const Instr *instr) {
    if (instr->op != *term) return false;
    uint32_t bound = match->bindings.bound, inner = match->inner_count;
    if (match_operands(match, term, instr, false)) return true;
    if (!(op_info(instr->op)->flags & OPF_COMM)) return false;
    match->bindings.bound = bound;
    match->inner_count = inner;
    return match_operands(match, term, instr, true);
}

// ---- Building

typedef struct {
    Match *match;
    uint32_t first; // item: those from here on belong to this step
    const Instr *old;
} RuleStep;

static bool same_computation(Derivation *derivation, const Instr *a, const Instr *b) {
    if (a->op != b->op || a->immediate != b->immediate || a->imm != b->imm ||
        a->arg_count != b->arg_count)
        return false;
    for (uint32_t k = 0; k < a->arg_count; k++)
        if (original(derivation, a->arg[k]).i != original(derivation, b->arg[k]).i) return false;
    return true;
}

// A register with the value of an operator: a register that this step has matched or added already,
// or a new register, set by a new item.
static Reg computed(RuleStep *build, Instr instr) {
    Derivation *derivation = build->match->derivation;
    for (uint32_t k = 0; k < build->match->inner_count; k++) {
        Reg reg = build->match->inner[k];
        if (same_computation(derivation, derivation_definition(derivation, reg), &instr))
            return reg;
    }
    for (uint32_t i = build->first; i < derivation->items.count; i++)
        if (same_computation(derivation, derivation->items.at[i].instr, &instr))
            return derivation->items.at[i].instr->dest;
    Reg dest = {derivation->definer.count};
    uint32_t item = derivation->items.count;
    instr.kind = I_OP;
    instr.dest = dest;
    instr.loc = build->old->loc;
    instr.succ_count = 1;
    vec_push(derivation->arena, &derivation->added, op_info(instr.op)->result);
    vec_push(derivation->arena, &derivation->definer, item);
    vec_push(derivation->arena, &derivation->same, dest);
    DerivedItem new_item = {.instr = arena_copy(derivation->arena, &instr, sizeof instr),
                            .previous = NO_ID};
    vec_push(derivation->arena, &derivation->items, new_item);
    return dest;
}

// The immediate of a constant: i32 is sign-extended.
static int64_t immediate_of(Type type, Value value) {
    return type == TYPE_I32 ? (int32_t)(uint32_t)value.bits : (int64_t)value.bits;
}

static Instr constant_instr(Type type, Value value) {
    return (Instr){.op = (uint16_t)op_const(type), .imm = immediate_of(type, value)};
}

static Instr build_instr(RuleStep *build, const RuleTerm *term);

static RuleOperand build_operand(RuleStep *build, const RuleTerm *term, Type type) {
    RuleOperand operand = {.reg = NO_REG};
    const RuleTerm *end;
    const Bindings *bindings = &build->match->bindings;
    if (term_evaluate(term, build->match->rule->width, type, bindings, &operand.value, &end))
        return operand;
    operand.reg = *term >= OP_COUNT ? bindings->operand[*term - TERM_X].reg
                                    : computed(build, build_instr(build, term));
    return operand;
}

// A constant operand is an immediate or, where that cannot be, comes from a register.
static Instr build_instr(RuleStep *build, const RuleTerm *term) {
    const OpInfo *info = op_info((Op)*term);
    Instr instr = {.op = (uint16_t)*term};
    const RuleTerm *at = term + 1;
    for (uint32_t k = 0; k < info->arity; k++, at = term_end(at)) {
        RuleOperand operand = build_operand(build, at, info->operand[k]);
        if (operand.reg.i != NO_ID) {
            instr.arg[instr.arg_count++] = operand.reg;
        } else if (k + 1 == info->arity && op_allows_immediate(instr.op)) {
            instr.immediate = true;
            instr.imm = immediate_of(info->operand[k], operand.value);
        } else {
            instr.arg[instr.arg_count++] =
                computed(build, constant_instr(info->operand[k], operand.value));
        }
    }
    return instr;
}

// ---- Steps

// Puts the items that a step has added before the one it is about, whose instruction changes.
static void replace(Derivation *derivation, uint32_t item, uint32_t first, Instr fresh) {
    const Instr *old = derivation->items.at[item].instr;
    uint32_t previous = derivation->items.at[item].previous;
    for (uint32_t i = first; i < derivation->items.count; i++) {
        derivation->items.at[i].previous = previous;
        previous = i;
    }
    Instr instr = {.kind = old->kind == I_OP ? I_OP : I_COND,
                   .op = fresh.op,
                   .immediate = fresh.immediate,
                   .dest = old->dest,
                   .arg_count = fresh.arg_count,
                   .arg = {fresh.arg[0], fresh.arg[1], fresh.arg[2]},
                   .succ_count = old->succ_count,
                   .succ = {old->succ[0], old->succ[1]},
                   .imm = fresh.imm,
                   .loc = old->loc};
    derivation->items.at[item] = (DerivedItem){
        .instr = arena_copy(derivation->arena, &instr, sizeof instr), .previous = previous};
    if (instr.kind == I_OP && op_is_move(instr.op))
        derivation->same.at[instr.dest.i] = instr.arg[0];
}

static bool condition_holds(const Match *match) {
    Value value;
    const RuleTerm *end;
    return term_evaluate(match->rule->when, match->rule->width, TYPE_I32, &match->bindings, &value,
                         &end) &&
           value.bits != 0;
}

// The constants that the left-hand side leaves open. Their types are known at their uses, and
// term_evaluate cuts the constants to size.
static void bind_choice(Match *match, const RewriteStep *step) {
    for (uint32_t k = 0; k < 2; k++) {
        RuleOperand operand = {.reg = NO_REG, .value.bits = (uint64_t)step->choice[k]};
        bind(&match->bindings, (RuleTerm)(TERM_M + k), &operand);
    }
}

static bool step_row(Derivation *derivation, const RewriteStep *step) {
    const Instr *old = derivation->items.at[step->item].instr;
    Match match; // large, and most attempts end soon: only what is read is set
    match.derivation = derivation;
    match.rule = &rule_table[step->rule];
    match.bindings.bound = 0;
    match.inner_count = 0;
    if (!match_instr(&match, match.rule->from, old)) return false;
    bind_choice(&match, step);
    const RuleTerm *to = match.rule->to;
    bool is_operator = *to < OP_COUNT;
    // A branch needs a condition.
    if (old->kind == I_COND && !(is_operator && op_info((Op)*to)->flags & OPF_COND)) return false;
    if (!condition_holds(&match)) return false;
    RuleStep build = {.match = &match, .first = derivation->items.count, .old = old};
    Type type = op_info(old->op)->result;
    RuleOperand whole = {.reg = NO_REG};
    const RuleTerm *end;
    Instr fresh;
    if (term_evaluate(to, match.rule->width, type, &match.bindings, &whole.value, &end)) {
        if (old->kind == I_COND) return false;
        fresh = constant_instr(type, whole.value);
    } else if (is_operator) {
        fresh = build_instr(&build, to);
    } else {
        Reg reg = match.bindings.operand[*to - TERM_X].reg;
        fresh = (Instr){.op = (uint16_t)op_move(type), .arg_count = 1, .arg = {reg}};
    }
    replace(derivation, step->item, build.first, fresh);
    return true;
}

// An operator whose operands are all integer constants becomes its result.
static bool step_fold(Derivation *derivation, uint32_t item) {
    const Instr *old = derivation->items.at[item].instr;
    const OpInfo *info = op_info(old->op);
    Value value[3] = {{0}}, result;
    if (old->kind != I_OP || info->arity == 0 || op_is_move(old->op) || !type_is_int(info->result))
        return false;
    for (uint32_t k = 0; k < info->arity; k++) {
        RuleOperand operand = operand_of(derivation, old, k);
        if (operand.reg.i != NO_ID) return false;
        value[k] = operand.value;
    }
    if (!op_eval(old->op, value[0], value[1], value[2], &result) || result.undef) return false;
    replace(derivation, item, derivation->items.count, constant_instr(info->result, result));
    return true;
}

// A constant operand that comes from a register becomes an immediate.
static bool step_immediate(Derivation *derivation, uint32_t item) {
    const Instr *old = derivation->items.at[item].instr;
    const OpInfo *info = op_info(old->op);
    if (old->arg_count != 2 || !op_allows_immediate(old->op)) return false;
    RuleOperand first = operand_of(derivation, old, 0), second = operand_of(derivation, old, 1);
    if (second.reg.i != NO_ID && info->flags & OPF_COMM) {
        RuleOperand swapped = first;
        first = second;
        second = swapped;
    }
    if (first.reg.i == NO_ID || second.reg.i != NO_ID) return false;
    replace(derivation, item, derivation->items.count,
            (Instr){.op = old->op,
                    .immediate = true,
                    .arg_count = 1,
                    .arg = {first.reg},
                    .imm = immediate_of(info->operand[1], second.value)});
    return true;
}

// A switch with one case: to the default if the argument is not that.
static bool step_switch(Derivation *derivation, uint32_t item) {
    const Instr *old = derivation->items.at[item].instr;
    if (old->kind != I_SWITCH || old->succ_count != 2) return false;
    Type type = type_of(derivation, old->arg[0]);
    replace(derivation, item, derivation->items.count,
            (Instr){.op = type == TYPE_I32 ? OP_NE_I32 : OP_NE_I64,
                    .immediate = true,
                    .arg_count = 1,
                    .arg = {old->arg[0]},
                    .imm = instr_cases(derivation->before, old)[0]});
    return true;
}

bool derivation_step(Derivation *derivation, const RewriteStep *step) {
    if (step->item >= derivation->items.count || step->rule >= RULE_KIND_COUNT) return false;
    if (step->rule == RULE_SWITCH) return step_switch(derivation, step->item);
    uint8_t kind = derivation->items.at[step->item].instr->kind;
    if (kind != I_OP && kind != I_COND) return false;
    if (step->rule == RULE_FOLD) return step_fold(derivation, step->item);
    if (step->rule == RULE_IMMEDIATE) return step_immediate(derivation, step->item);
    return step_row(derivation, step);
}

void derivation_items(const Derivation *derivation, Node node, Items *items) {
    vec_clear(items);
    for (uint32_t i = node.i; i != NO_ID; i = derivation->items.at[i].previous)
        vec_push(derivation->arena, items, i);
    for (uint32_t i = 0; i < items->count / 2; i++) {
        uint32_t other = items->count - 1 - i, item = items->at[i];
        items->at[i] = items->at[other];
        items->at[other] = item;
    }
}
