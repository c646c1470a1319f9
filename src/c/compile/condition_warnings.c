#include "c/compile/condition_warnings.h"

#include "fact/effects.h"

typedef struct {
    const ConditionRequest *request;
    BadConditions *conditions; // NULL: there are no gates
    ConditionFindings found;
} ConditionSearch;

// Of a variable, pointer or divisor so many uses are looked at.
enum { MAX_USES = 100 };

static void tell(ConditionSearch *s, ConditionFindingKind kind, Node node, Reg reg,
                 const BadCondition *condition) {
    const ConditionRequest *r = s->request;
    ConditionFinding finding = {.kind = kind, .node = node, .reg = reg};
    if (condition) {
        ConditionWriter writer = {.arena = r->arena,
                                  .pp = r->pp,
                                  .ssa = r->ssa,
                                  .conditions = s->conditions,
                                  .use = node,
                                  .is_unsigned = r->is_unsigned,
                                  .line = r->line};
        finding.known = true;
        finding.when = condition_words(&writer, condition);
        if (!finding.when)
            finding.branch_count =
                condition_branches(&writer, condition, finding.branches,
                                   sizeof finding.branches / sizeof *finding.branches);
        finding.sufficient = condition->verdict == BAD_AT_LEAST;
    }
    vec_push(r->arena, &s->found, finding);
}

static bool is_known(const BadCondition *condition) {
    return condition->verdict == BAD_WHEN || condition->verdict == BAD_AT_LEAST;
}

// ---- Variables

// The first use in the source comes first.
static void sort_by_place(const Func *ssa, UninitializedUses *uses) {
    for (uint32_t i = 1; i < uses->count; i++) {
        UninitializedUse use = uses->at[i];
        uint32_t at = i;
        for (; at && func_at(ssa, uses->at[at - 1].node)->loc > func_at(ssa, use.node)->loc; at--)
            uses->at[at] = uses->at[at - 1];
        uses->at[at] = use;
    }
}

// Tells of the first of a variable's uses that has a condition. Beyond what can be found out, a use
// counts that no condition guards.
static void look_at_variable(ConditionSearch *s, const UninitializedFacts *facts,
                             const UninitializedUse *use, UninitializedUses *uses) {
    const ConditionRequest *r = s->request;
    bool unknown = !s->conditions;
    Node perhaps = NO_NODE;
    sort_by_place(r->ssa, uses);
    for (uint32_t i = 0; i < uses->count && s->conditions; i++) {
        BadCondition condition = condition_of_bad(s->conditions, uses->at[i].node, uses->at[i].held,
                                                  BAD_UNDEFINED, facts->may);
        if (is_known(&condition)) {
            tell(s, FOUND_UNINITIALIZED, uses->at[i].node, use->reg, &condition);
            return;
        }
        unknown = unknown || condition.verdict == BAD_UNKNOWN;
        if (condition.verdict == BAD_PERHAPS && perhaps.i == NO_ID) perhaps = uses->at[i].node;
    }
    if (unknown && (use->plain || r->every_way))
        tell(s, FOUND_UNINITIALIZED, use->node, use->reg, NULL);
    else if (perhaps.i != NO_ID && r->every_way)
        tell(s, FOUND_UNINITIALIZED, perhaps, use->reg, NULL);
}

static void look_at_variables(ConditionSearch *s, const UninitializedFacts *facts) {
    Arena *arena = s->request->arena;
    UninitializedUses *uses = ARENA_ARRAY(arena, UninitializedUses, s->request->ssa->regs.count);
    for (uint32_t i = 0; i < facts->all.count; i++) {
        UninitializedUses *list = &uses[facts->all.at[i].reg.i];
        if (list->count < MAX_USES) vec_push(arena, list, facts->all.at[i]);
    }
    for (uint32_t i = 0; i < facts->uses.count; i++) {
        const UninitializedUse *use = &facts->uses.at[i];
        if (use->sometimes) look_at_variable(s, facts, use, &uses[use->reg.i]);
    }
}

// ---- Zeros

static bool is_zero(const Func *ssa, const Instr *instr) {
    if (instr->kind != I_OP || instr->imm) return false;
    Type type = reg_type(ssa, instr->dest);
    return type_is_int(type) && instr->op == op_const(type);
}

// Registers that may be zero: they are assigned zero, perhaps through copies and merges, or
// compared with zero.
static bool *find_zeros(Arena *arena, const Func *ssa, const Preds *preds) {
    bool *zero = ARENA_ARRAY(arena, bool, ssa->regs.count);
    for (uint32_t n = 0; n < ssa->nodes.count; n++) {
        const Instr *instr = &ssa->nodes.at[n];
        if (is_zero(ssa, instr)) zero[instr->dest.i] = true;
        if (is_test_of_zero(instr)) zero[instr->arg[0].i] = true;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t n = 0; n < ssa->nodes.count; n++) {
            const Instr *instr = &ssa->nodes.at[n];
            bool copies = instr->kind == I_OP && op_is_move(instr->op);
            if (copies && zero[instr->arg[0].i] && !zero[instr->dest.i])
                changed = zero[instr->dest.i] = true;
            for (uint32_t i = 0; i < func_phi_count(ssa, (Node){n}); i++) {
                const Phi *phi = &func_phis(ssa, (Node){n})[i];
                for (uint32_t k = 0; !zero[phi->dest.i] && k < preds_count(preds, (Node){n}); k++)
                    if (zero[phi_args(ssa, phi)[k].i]) changed = zero[phi->dest.i] = true;
            }
        }
    }
    return zero;
}

static Reg divisor_of(const Instr *instr) {
    OpFamily family = op_family(instr->op);
    bool divides =
        family == FAM_DIVS || family == FAM_DIVU || family == FAM_MODS || family == FAM_MODU;
    return instr->kind == I_OP && divides && !instr->immediate ? instr->arg[1] : NO_REG;
}

static Reg pointer_of(const Func *ssa, const Instr *instr) {
    bool accesses = instr->kind == I_LOAD || instr->kind == I_STORE;
    return accesses && instr->base == BASE_REG ? instr_args(ssa, instr)[0] : NO_REG;
}

// A value that is a number on every way is found without conditions: by the parser, or as a flaw.
static bool is_number(const ConditionSearch *s, Reg reg) {
    int64_t number;
    ConditionView *view = condition_view(s->conditions, &(FirstLoops){.count = 0});
    return quantity_is_number(s->conditions, quantity_of(s->conditions, view, reg), &number);
}

static void look_at_zeros(ConditionSearch *s) {
    const ConditionRequest *r = s->request;
    const Func *ssa = r->ssa;
    const bool *zero = find_zeros(r->arena, ssa, &s->conditions->forest.preds);
    bool *told = ARENA_ARRAY(r->arena, bool, ssa->regs.count);
    uint32_t *looked = ARENA_ARRAY(r->arena, uint32_t, ssa->regs.count);
    for (uint32_t n = 0; n < ssa->nodes.count; n++) {
        const Instr *instr = &ssa->nodes.at[n];
        Reg divisor = r->zero ? divisor_of(instr) : NO_REG;
        Reg reg = divisor.i != NO_ID ? divisor : r->null ? pointer_of(ssa, instr) : NO_REG;
        if (reg.i == NO_ID || !zero[reg.i] || told[reg.i] || looked[reg.i]++ >= MAX_USES) continue;
        if (is_number(s, reg)) continue;
        BadCondition condition = condition_of_bad(s->conditions, (Node){n}, reg,
                                                  divisor.i != NO_ID ? BAD_ZERO : BAD_NULL, zero);
        if (!is_known(&condition)) continue;
        if (divisor.i == NO_ID && !condition.certain && !r->every_null) continue;
        told[reg.i] = true;
        tell(s, divisor.i != NO_ID ? FOUND_ZERO : FOUND_NULL, (Node){n}, reg, &condition);
    }
}

// Whether there is something to look at, before gates are made.
static bool has_divisions(const Func *ssa) {
    for (uint32_t n = 0; n < ssa->nodes.count; n++)
        if (divisor_of(&ssa->nodes.at[n]).i != NO_ID) return true;
    return false;
}

ConditionFindings find_conditions(const ConditionRequest *request,
                                  const UninitializedFacts *facts) {
    ConditionSearch s = {.request = request};
    bool variables = request->uninitialized && facts->all.count;
    bool zeros = request->null || (request->zero && has_divisions(request->ssa));
    if (!variables && !zeros) return s.found;
    s.conditions = conditions_new(request->arena, request->ssa);
    if (variables) look_at_variables(&s, facts);
    if (zeros && s.conditions) look_at_zeros(&s);
    if (s.conditions) conditions_free(s.conditions);
    return s.found;
}
