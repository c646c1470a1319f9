#include "pass/values/refine.h"

#include "fact/effects.h"

#include <string.h>

static uint32_t *nothing(Arena *arena, uint32_t count) {
    uint32_t *table = ARENA_ARRAY(arena, uint32_t, count);
    memset(table, 0xff, count * sizeof *table);
    return table;
}

Refine refine_new(Arena *arena, const Func *before, ValuesHint *hint) {
    uint32_t regs = before->regs.count;
    Refine refine = {.arena = arena,
                     .before = before,
                     .hint = hint,
                     .preds = preds_of(arena, before),
                     .definitions = definitions_of(arena, before),
                     .leader = ARENA_ARRAY(arena, uint32_t, regs),
                     .formed = ARENA_ARRAY(arena, bool, regs),
                     .asked = ARENA_ARRAY(arena, bool, regs),
                     .value = nothing(arena, regs),
                     .select = nothing(arena, regs)};
    for (uint32_t r = 0; r < regs; r++) refine.leader[r] = r;
    son_values_start(&refine.values, arena, before, NULL);
    return refine;
}

// ---- What is known

Reg refine_leader(Refine *refine, Reg reg) {
    uint32_t at = reg.i, *leader = refine->leader;
    while (leader[at] != at) at = leader[at] = leader[leader[at]];
    return (Reg){at};
}

static bool is_move(const Refine *refine, Reg reg) {
    const Instr *instr = defining_instr(refine->before, refine->definitions, reg);
    return instr && instr->kind == I_OP && op_is_move(instr->op);
}

void refine_equal(Refine *refine, Reg reg, Reg leader) {
    Reg from = refine_leader(refine, reg), to = refine_leader(refine, leader);
    if (from.i == to.i) return;
    if (is_move(refine, to) && !is_move(refine, from)) {
        Reg other = from;
        from = to;
        to = other;
    }
    refine->leader[from.i] = to.i;
    refine->formed[to.i] = true;
}

void refine_form(Refine *refine, Reg reg) {
    refine->formed[refine_leader(refine, reg).i] = true;
}

void refine_select(Refine *refine, Reg phi, Node branch, Reg yes, Reg no) {
    RefineSelect select = {branch, yes, no};
    refine->select[phi.i] = refine->selects.count;
    refine_form(refine, phi);
    vec_push(refine->arena, &refine->selects, select);
}

void refine_part_selects(Refine *refine) {
    uint32_t count = refine->before->regs.count;
    if (!refine->selects.count) return;
    for (uint32_t r = 0; r < count; r++) refine->leader[r] = refine_leader(refine, (Reg){r}).i;
    for (uint32_t r = 0; r < count; r++)
        if (refine->select[r] != NO_ID && refine->select[refine->leader[r]] == NO_ID) {
            refine->leader[r] = r;
            refine->formed[r] = true;
        }
}

// ---- Values

static bool is_operator(const Refine *refine, Reg reg) {
    const Instr *instr = defining_instr(refine->before, refine->definitions, reg);
    return instr && instr->kind == I_OP && !op_is_move(instr->op);
}

// The value of a leader if it depends on no other that is not known yet.
static uint32_t known_value(Refine *refine, Reg reg) {
    if (refine->value[reg.i] != NO_ID) return refine->value[reg.i];
    Definition definition = refine->definitions[reg.i];
    bool phi = definition.by == SET_BY_PHI, selects = refine->select[reg.i] != NO_ID;
    if (refine->formed[reg.i] && (selects || is_operator(refine, reg))) return NO_ID;
    if (!refine->formed[reg.i] || !phi)
        return refine->value[reg.i] = value_old(&refine->values, reg);
    vec_push(refine->arena, &refine->phis, reg);
    return refine->value[reg.i] = value_phi(&refine->values, reg, definition.node);
}

// The operands of an operator or a select.
static uint32_t list_parts(const Refine *refine, Reg reg, Reg parts[5]) {
    uint32_t count = 0;
    const Instr *instr = defining_instr(refine->before, refine->definitions, reg);
    if (refine->select[reg.i] != NO_ID) {
        const RefineSelect *it = &refine->selects.at[refine->select[reg.i]];
        parts[count++] = it->yes;
        parts[count++] = it->no;
        instr = func_at(refine->before, it->branch);
    }
    for (uint32_t k = 0; k < instr->arg_count; k++) parts[count++] = instr->arg[k];
    return count;
}

// As value_of_instr, by leaders that are known.
static uint32_t form(Refine *refine, const Instr *instr) {
    uint32_t args[INLINE_ARGS] = {0};
    Instr by_place = *instr;
    for (uint32_t k = 0; k < instr->arg_count; k++) {
        args[k] = refine->value[refine_leader(refine, instr->arg[k]).i];
        by_place.arg[k] = (Reg){k};
    }
    return value_of_instr(&refine->values, &by_place, args);
}

static uint32_t form_leader(Refine *refine, Reg reg) {
    if (refine->select[reg.i] == NO_ID)
        return form(refine, defining_instr(refine->before, refine->definitions, reg));
    const RefineSelect *it = &refine->selects.at[refine->select[reg.i]];
    uint32_t args[3] = {refine_test(refine, it->branch),
                        refine->value[refine_leader(refine, it->yes).i],
                        refine->value[refine_leader(refine, it->no).i]};
    return value_op(&refine->values, op_select(reg_type(refine->before, reg)), args);
}

// Whether all parts are known; others wait. A register whose own parts have been asked for already
// is in a circle, as only unreachable code has, and stands for itself.
static bool parts_known(Refine *refine, Reg reg) {
    Reg parts[5];
    uint32_t count = list_parts(refine, reg, parts), before = refine->waiting.count;
    refine->asked[reg.i] = true;
    for (uint32_t k = 0; k < count; k++) {
        Reg part = refine_leader(refine, parts[k]);
        if (known_value(refine, part) != NO_ID) continue;
        if (refine->asked[part.i])
            refine->value[part.i] = value_old(&refine->values, part);
        else
            vec_push(refine->arena, &refine->waiting, part);
    }
    return refine->waiting.count == before;
}

uint32_t refine_value(Refine *refine, Reg reg) {
    Reg leader = refine_leader(refine, reg);
    uint32_t base = refine->waiting.count, known = known_value(refine, leader);
    if (known != NO_ID) return known;
    vec_push(refine->arena, &refine->waiting, leader);
    while (refine->waiting.count > base) {
        Reg top = refine->waiting.at[refine->waiting.count - 1];
        if (refine->value[top.i] == NO_ID && !parts_known(refine, top)) continue;
        (void)vec_pop(&refine->waiting);
        if (refine->value[top.i] == NO_ID) refine->value[top.i] = form_leader(refine, top);
    }
    return refine->value[leader.i];
}

uint32_t refine_test(Refine *refine, Node branch) {
    const Instr *instr = func_at(refine->before, branch);
    if (!refine->test) refine->test = nothing(refine->arena, refine->before->nodes.count);
    for (uint32_t k = 0; k < instr->arg_count; k++) (void)refine_value(refine, instr->arg[k]);
    return refine->test[branch.i] = form(refine, instr);
}

void refine_set(Refine *refine, Reg reg, uint32_t value) {
    Reg leader = refine_leader(refine, reg);
    refine->value[leader.i] = value;
    refine->formed[leader.i] = true;
}

void refine_fold(Refine *refine, uint32_t value) {
    uint32_t folded = value_folded(&refine->values, value);
    if (folded == NO_ID || refine->values.step.at[value] != NO_ID) return;
    refine->values.step.at[value] = refine->hint->steps.count;
    ValueStep step = {value, folded, STEP_FOLD};
    vec_push(refine->arena, &refine->hint->steps, step);
}

void refine_gate(Refine *refine, Node join, const BranchEdge *edges) {
    GatedJoin gated = {join, refine->hint->edges.count};
    for (uint32_t k = 0; k < preds_count(&refine->preds, join); k++)
        vec_push(refine->arena, &refine->hint->edges, edges[k]);
    vec_push(refine->arena, &refine->hint->gated, gated);
}

// ---- Tables

static void set_phis(Refine *refine) {
    for (uint32_t i = 0; i < refine->phis.count; i++) { // more may come
        Reg reg = refine->phis.at[i];
        Definition definition = refine->definitions[reg.i];
        const Reg *args = phi_args(refine->before, &refine->before->phis.at[definition.at]);
        uint32_t count = preds_count(&refine->preds, definition.node);
        uint32_t *values = ARENA_ARRAY(refine->arena, uint32_t, count);
        for (uint32_t k = 0; k < count; k++) values[k] = refine_value(refine, args[k]);
        value_set_phi(&refine->values, refine->value[reg.i], values, count);
    }
}

static void tell_claims(Refine *refine) {
    const Func *before = refine->before;
    ValuesHint *hint = refine->hint;
    uint32_t regs = before->regs.count;
    uint32_t *value_of = NULL, *formed = NULL;
    for (uint32_t r = 0; r < regs; r++) {
        Reg reg = {r}, leader = refine_leader(refine, reg);
        if (!refine->formed[leader.i]) continue;
        if (!value_of) {
            value_of = vec_extend(refine->arena, &hint->value_of, regs);
            formed = vec_extend(refine->arena, &hint->formed, regs);
            memset(value_of, 0xff, regs * sizeof *value_of);
            memset(formed, 0xff, regs * sizeof *formed);
        }
        value_of[r] = refine_value(refine, reg);
        if (!is_operator(refine, reg)) continue;
        const Instr *instr = defining_instr(before, refine->definitions, reg);
        for (uint32_t k = 0; k < instr->arg_count; k++) (void)refine_value(refine, instr->arg[k]);
        formed[r] = form(refine, instr);
        if (formed[r] != value_of[r]) refine_fold(refine, formed[r]);
    }
}

static void tell_tests(Refine *refine) {
    if (!refine->test) return;
    for (uint32_t n = 0; n < refine->before->nodes.count; n++)
        if (refine->before->nodes.at[n].kind == I_COND)
            vec_push(refine->arena, &refine->hint->tests, refine->test[n]);
}

// A phi is a phi of its join, or else only itself.
static uint32_t new_value(Refine *refine, const Definition *now, Reg reg) {
    uint32_t value = refine_value(refine, reg);
    const HintValue *it = value_at(&refine->values, value);
    if (now[reg.i].by != SET_BY_PHI || (it->kind == VALUE_OLD && it->ref == reg.i)) return value;
    bool same = it->kind == VALUE_PHI && it->ref == refine->definitions[reg.i].node.i;
    return same ? value : value_old(&refine->values, reg);
}

static void write_values(Refine *refine) {
    ValuesHint *hint = refine->hint;
    for (uint32_t v = 0; v < refine->values.values.count; v++) {
        HintValue value = *value_at(&refine->values, v);
        const uint32_t *args = value_args(&refine->values, v);
        value.first = value.count ? hint->args.count : 0;
        for (uint32_t k = 0; k < value.count; k++) vec_push(refine->arena, &hint->args, args[k]);
        if (value.kind != VALUE_OP) value.op = 0;
        vec_push(refine->arena, &hint->values, value);
    }
}

void refine_values(Refine *refine, const Func *after) {
    uint32_t regs = after->regs.count;
    const Definition *now = definitions_of(refine->arena, after);
    tell_claims(refine);
    uint32_t *value_of_new = vec_extend(refine->arena, &refine->hint->value_of_new, regs);
    memset(value_of_new, 0xff, regs * sizeof *value_of_new);
    for (uint32_t r = 0; r < regs && r < refine->before->regs.count; r++)
        if (now[r].by != SET_BY_NOTHING) value_of_new[r] = new_value(refine, now, (Reg){r});
}

// Switches and checks that stay though their registers have constant values.
static void keep_open(Refine *refine, const Func *after) {
    const Func *before = refine->before;
    ValuesHint *hint = refine->hint;
    if (hint->decisions.count) return;
    bool *kept = ARENA_ARRAY(refine->arena, bool, before->nodes.count);
    for (uint32_t n = 0; n < hint->old.count && n < after->nodes.count; n++)
        if (hint->old.at[n].i < before->nodes.count)
            kept[hint->old.at[n].i] = after->nodes.at[n].kind != I_NOP;
    for (uint32_t n = 0; n < before->nodes.count; n++) {
        const Instr *instr = &before->nodes.at[n];
        Value constant;
        if (!kept[n] || (instr->kind != I_SWITCH && instr->kind != I_CHECK)) continue;
        if (!value_is_constant(&refine->values, refine_value(refine, instr->arg[0]), &constant))
            continue;
        Decision open = {.edge = {{n}, NO_ID}};
        vec_push(refine->arena, &hint->decisions, open);
    }
}

void refine_write(Refine *refine, const Func *after) {
    keep_open(refine, after);
    set_phis(refine);
    tell_tests(refine);
    write_values(refine);
}
