// The hint of widen: why the wide registers are the extensions of the narrow ones.
//
// The wide twin of a phi i is a PHI W of i's join, and a step by STEP_COUNTED leads from sext(i) to
// W. From sext(i + 1) a row leads to sext(i) + 1, and so to W + 1. The row has a guard: i + 1 fits.
// The guard follows from the range of i, and the range from the outcomes that the pass names.
#include "pass/values/refine.h"
#include "pass/values/values_hint.h"

#include <stdlib.h>

typedef struct {
    Arena *arena;
    const Func *before, *after;
    const WidenHint *knows;
    ValuesHint *hint;
    Refine refine;
    SonValues *values;
    const Definition *now; // of `after`
    uint32_t *value;       // of each register of `after` that has been asked for, or NO_ID
} WidenExplain;

static bool is_added(const WidenExplain *e, Reg reg) {
    return reg.i >= e->before->regs.count;
}

static bool is_narrow(const WidenExplain *e, Reg reg) {
    return reg.i < e->before->regs.count && reg_type(e->before, reg) == TYPE_I32;
}

// The register that an added register extends; NO_REG if the pass names none.
static Reg narrow_of(const WidenExplain *e, Reg wide) {
    uint32_t i = wide.i - e->before->regs.count;
    if (!is_added(e, wide) || i >= e->knows->narrow.count) return NO_REG;
    return is_narrow(e, e->knows->narrow.at[i]) ? e->knows->narrow.at[i] : NO_REG;
}

// ---- Values

static uint32_t extension(WidenExplain *e, uint32_t value) {
    return value_op(e->values, OP_SEXT_I64, &value);
}

// A value goes one step at most.
static void add_step(WidenExplain *e, uint32_t from, uint32_t to, uint16_t rule) {
    if (from == to || e->values->step.at[from] != NO_ID) return;
    e->values->step.at[from] = e->hint->steps.count;
    vec_push(e->arena, &e->hint->steps, (ValueStep){from, to, rule});
}

// The value of a register of `after`, added registers included.
static uint32_t value_now(WidenExplain *e, Reg reg) {
    return is_added(e, reg) ? e->value[reg.i] : refine_value(&e->refine, reg);
}

// An operator of `after`; NO_ID if it has an operand without a value.
static uint32_t value_of_now(WidenExplain *e, const Instr *instr) {
    uint32_t args[INLINE_ARGS] = {0};
    Instr by_place = *instr;
    for (uint32_t k = 0; k < instr->arg_count; k++) {
        args[k] = value_now(e, instr->arg[k]);
        if (args[k] == NO_ID) return NO_ID;
        by_place.arg[k] = (Reg){k};
    }
    return value_of_instr(e->values, &by_place, args);
}

// ---- What goes by its operator

static const Instr *operator_of(const WidenExplain *e, Reg reg) {
    const Instr *instr = defining_instr(e->before, e->refine.definitions, reg);
    return instr && instr->kind == I_OP ? instr : NULL;
}

// Counters, their sums, and constants; other registers stay what they hold.
static void form_narrow(WidenExplain *e) {
    for (uint32_t i = 0; i < e->knows->narrow.count; i++) {
        Reg reg = e->knows->narrow.at[i];
        if (!is_narrow(e, reg)) continue;
        const Instr *set = operator_of(e, reg);
        Definition definition = e->now[e->before->regs.count + i];
        const Instr *now = defining_instr(e->after, e->now, (Reg){e->before->regs.count + i});
        bool counts = definition.by == SET_BY_PHI || (now && now->op == OP_ADD_I64);
        if (counts || (set && set->op == OP_CONST_I32)) refine_form(&e->refine, reg);
    }
}

// ---- Counters

static void make_phis(WidenExplain *e) {
    for (uint32_t i = 0; i < e->knows->narrow.count; i++) {
        Reg wide = {e->before->regs.count + i}, narrow = narrow_of(e, wide);
        if (narrow.i == NO_ID || e->now[wide.i].by != SET_BY_PHI ||
            e->refine.definitions[narrow.i].by != SET_BY_PHI)
            continue;
        e->value[wide.i] =
            value_added_phi(e->values, TYPE_I64, e->refine.definitions[narrow.i].node);
    }
}

static void make_operators(WidenExplain *e) {
    for (uint32_t n = 0; n < e->after->nodes.count; n++) {
        const Instr *instr = &e->after->nodes.at[n];
        if (instr->kind == I_OP && is_added(e, instr->dest))
            e->value[instr->dest.i] = value_of_now(e, instr);
    }
}

// From the extension of a phi to its twin.
static void count_along(WidenExplain *e, Reg wide, Reg narrow) {
    const Phi *phi = &e->after->phis.at[e->now[wide.i].at];
    const Phi *then = &e->before->phis.at[e->refine.definitions[narrow.i].at];
    uint32_t count = preds_count(&e->refine.preds, e->refine.definitions[narrow.i].node);
    uint32_t *args = ARENA_ARRAY(e->arena, uint32_t, count);
    for (uint32_t k = 0; k < count; k++) args[k] = value_now(e, phi_args(e->after, phi)[k]);
    value_set_phi(e->values, e->value[wide.i], args, count);
    uint32_t from = extension(e, refine_value(&e->refine, narrow));
    if (e->values->step.at[from] != NO_ID) return;
    CountedStep counted = {e->hint->steps.count, e->hint->counted_ways.count};
    vec_push(e->arena, &e->hint->counted, counted);
    add_step(e, from, e->value[wide.i], STEP_COUNTED);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t arg = refine_value(&e->refine, phi_args(e->before, then)[k]);
        vec_push(e->arena, &e->hint->counted_ways, extension(e, arg));
        refine_fold(&e->refine, e->hint->counted_ways.at[counted.first + k]);
    }
}

// From the extension of a sum to the wide sum.
static void add_along(WidenExplain *e, Reg wide, Reg narrow) {
    uint32_t value = refine_value(&e->refine, narrow), args[2];
    const HintValue *sum = value_at(e->values, value);
    if (sum->kind != VALUE_OP || sum->op != OP_ADD_I32) return;
    const uint32_t *parts = value_args(e->values, value);
    Value constant;
    if (!value_is_constant(e->values, parts[1], &constant)) return;
    constant.bits = (uint64_t)(int64_t)(int32_t)(uint32_t)constant.bits;
    args[0] = extension(e, parts[0]);
    args[1] = value_constant(e->values, TYPE_I64, constant);
    uint32_t apart = value_op(e->values, OP_ADD_I64, args);
    add_step(e, extension(e, value), apart, RULE_sext_sum_I64);
    add_step(e, apart, e->value[wide.i], STEP_CONGRUENT);
}

static void explain_counters(WidenExplain *e) {
    uint32_t first = e->before->regs.count;
    for (uint32_t sums = 0; sums < 2; sums++)
        for (uint32_t i = 0; i < e->knows->narrow.count; i++) {
            Reg wide = {first + i}, narrow = narrow_of(e, wide);
            if (narrow.i == NO_ID || e->value[wide.i] == NO_ID) continue;
            bool is_phi = e->now[wide.i].by == SET_BY_PHI;
            if (!sums && is_phi) count_along(e, wide, narrow);
            const Instr *now = defining_instr(e->after, e->now, wide);
            if (sums && now && now->op == OP_ADD_I64) add_along(e, wide, narrow);
        }
}

// ---- Ranges

// The fact that an edge gives about a value, at the target of the edge, beside another fact about
// the value, or NO_ID; NO_ID if there is none.
static uint32_t fact_of_edge(WidenExplain *e, BranchEdge edge, uint32_t value, uint32_t other) {
    if (edge.branch.i >= e->before->nodes.count) return NO_ID;
    const Instr *branch = func_at(e->before, edge.branch);
    if (edge.way >= branch->succ_count || branch->kind != I_COND) return NO_ID;
    uint32_t test = refine_test(&e->refine, edge.branch);
    RangeFact fact = {.value = value,
                      .place = instr_succs(e->before, branch)[edge.way],
                      .reason = RANGE_OUTCOME,
                      .ref = edge.branch.i,
                      .from = {NO_ID, NO_ID, NO_ID}};
    if (value_at(e->values, test)->count != 2) return NO_ID;
    fact.from[value_args(e->values, test)[0] != value] = other;
    vec_push(e->arena, &e->hint->ranges, fact);
    return e->hint->ranges.count - 1;
}

static int compare_ranges(const void *left, const void *right) {
    const PhiRange *a = left, *b = right;
    return a->value < b->value ? -1 : a->value > b->value;
}

// The fact that the edges of a way give about an argument; NO_ID if there is none. Of two edges,
// the upper one gives the first fact.
static uint32_t fact_of_way(WidenExplain *e, const WidenReason *reasons, uint32_t count, uint32_t k,
                            uint32_t value) {
    uint32_t fact = NO_ID, first = NO_ID;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t branch = reasons[i].edge.branch.i;
        if (reasons[i].argument != k || branch >= e->before->nodes.count) continue;
        if (first == NO_ID) {
            first = i;
            continue;
        }
        // In the normal form the upper one of two branches has the smaller number.
        uint32_t upper = branch < reasons[first].edge.branch.i ? i : first;
        fact = fact_of_edge(e, reasons[upper].edge, value, NO_ID);
        return fact_of_edge(e, reasons[upper == i ? first : i].edge, value, fact);
    }
    return first == NO_ID ? NO_ID : fact_of_edge(e, reasons[first].edge, value, NO_ID);
}

// The range of a phi, by the edges that the pass names: without the largest value, or the smallest,
// or both.
static void explain_range(WidenExplain *e, uint32_t first, uint32_t count) {
    const WidenReason *reasons = &e->knows->reasons.at[first];
    Definition definition = e->refine.definitions[reasons->phi.i];
    uint32_t ways = preds_count(&e->refine.preds, definition.node);
    const Reg *args = phi_args(e->before, &e->before->phis.at[definition.at]);
    PhiRange range = {.value = refine_value(&e->refine, reasons->phi),
                      .range = range_full(32),
                      .first = e->hint->range_ways.count};
    for (uint32_t i = 0; i < count; i++) {
        if (reasons[i].smallest) range.range.least = INT32_MIN + 1;
        if (!reasons[i].smallest) range.range.most = INT32_MAX - 1;
    }
    for (uint32_t k = 0; k < ways; k++) {
        uint32_t value = refine_value(&e->refine, args[k]);
        vec_push(e->arena, &e->hint->range_ways, fact_of_way(e, reasons, count, k, value));
    }
    vec_push(e->arena, &e->hint->phi_ranges, range);
}

static void explain_ranges(WidenExplain *e) {
    const WidenHint *knows = e->knows;
    for (uint32_t i = 0, end; i < knows->reasons.count; i = end) {
        Reg phi = knows->reasons.at[i].phi;
        for (end = i; end < knows->reasons.count && knows->reasons.at[end].phi.i == phi.i; end++) {
        }
        if (is_narrow(e, phi) && e->refine.definitions[phi.i].by == SET_BY_PHI)
            explain_range(e, i, end - i);
    }
    if (e->hint->phi_ranges.count > 1)
        qsort(e->hint->phi_ranges.at, e->hint->phi_ranges.count, sizeof(PhiRange), compare_ranges);
}

// ---- What is performed

// A condition of wide registers.
static void explain_test(WidenExplain *e, const Instr *now, Node old) {
    const Instr *then = func_at(e->before, old);
    if (then->kind != I_COND || then->op == now->op || now->arg_count > 2) return;
    uint32_t test = refine_test(&e->refine, old), wide = value_of_now(e, now), args[2];
    const HintValue *it = value_at(e->values, test);
    if (wide == NO_ID || it->kind != VALUE_OP || it->count != 2) return;
    for (uint32_t k = 0; k < 2; k++) {
        uint32_t arg = value_args(e->values, test)[k];
        Value constant;
        args[k] = extension(e, arg);
        if (!value_is_constant(e->values, arg, &constant)) continue;
        constant.bits = (uint64_t)(int64_t)(int32_t)(uint32_t)constant.bits;
        args[k] = value_constant(e->values, TYPE_I64, constant);
    }
    uint32_t between = value_op(e->values, (Op)now->op, args);
    add_step(e, test, between, STEP_WIDENED);
    add_step(e, between, wide, STEP_CONGRUENT);
}

static void explain_performed(WidenExplain *e) {
    for (uint32_t n = 0; n < e->after->nodes.count && n < e->knows->old.count; n++) {
        const Instr *now = &e->after->nodes.at[n];
        Node old = e->knows->old.at[n];
        if (old.i >= e->before->nodes.count) continue;
        if (now->kind == I_COND) explain_test(e, now, old);
        const Instr *then = func_at(e->before, old);
        if (now->kind != I_OP || now->op != OP_MOVE_I64 || then->op != OP_SEXT_I64 ||
            !is_added(e, now->arg[0]) || e->value[now->arg[0].i] == NO_ID)
            continue;
        (void)refine_value(&e->refine, then->arg[0]);
        refine_set(&e->refine, then->dest, e->value[now->arg[0].i]);
    }
}

// The operators that are added behind a node do not always lead to the node with the next number.
// So the last of them performs a nop behind which they stand, in its place.
static void tell_nodes(WidenExplain *e) {
    ValuesHint *hint = e->hint;
    uint32_t start = NO_ID;
    for (uint32_t n = 0; n < e->knows->old.count; n++) {
        Node old = e->knows->old.at[n];
        vec_push(e->arena, &hint->old, old);
        if (old.i != NO_ID) start = n;
        bool is_nop = start != NO_ID && start < n &&
                      e->knows->old.at[start].i < e->before->nodes.count &&
                      func_at(e->before, e->knows->old.at[start])->kind == I_NOP;
        if (!is_nop) continue;
        hint->old.at[n] = e->knows->old.at[start];
        hint->old.at[n - 1] = NO_NODE;
    }
}

ValuesHint *explain_WidenHint(Arena *arena, const Func *before, const Func *after,
                              const WidenHint *knows) {
    WidenExplain e = {.arena = arena, .before = before, .after = after, .knows = knows};
    e.hint = ARENA_NEW(arena, ValuesHint);
    e.refine = refine_new(arena, before, e.hint);
    e.values = &e.refine.values;
    e.now = definitions_of(arena, after);
    e.value = ARENA_ARRAY(arena, uint32_t, after->regs.count);
    for (uint32_t r = 0; r < after->regs.count; r++) e.value[r] = NO_ID;
    tell_nodes(&e);
    form_narrow(&e);
    make_phis(&e);
    make_operators(&e);
    explain_counters(&e);
    explain_ranges(&e);
    explain_performed(&e);
    refine_values(&e.refine, after);
    for (uint32_t r = before->regs.count; r < after->regs.count; r++)
        e.hint->value_of_new.at[r] = e.value[r];
    refine_write(&e.refine, after);
    return e.hint;
}
