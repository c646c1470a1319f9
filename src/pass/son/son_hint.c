#include "pass/son/son_hint.h"

#include "fact/effects.h"
#include "fact/unit_memory.h"
#include "form/son.h"
#include "pass/son/son_trail.h"

#include <stdlib.h>
#include <string.h>

SonWork *son_work_unoptimized(Arena *arena, const Func *son) {
    const Func *before = son->son->trail->before;
    SonWork *work = son_work_plain(arena, before);
    son_work_finish(work);
    (void)vec_extend(arena, &work->value_of_reg, son->regs.count);
    (void)vec_extend(arena, &work->origin_at, son->regs.count + 2); // not known
    for (uint32_t r = 0; r < son->regs.count; r++)
        work->value_of_reg.at[r] = r < before->regs.count ? work->value_of[r] : NO_ID;
    return work;
}

// ---- Checks that are gone

// Decisions for the checks that check_elim has removed: each follows from the one that check_elim
// has found. check_elim sees a graph without unreachable nodes, where more checks dominate others
// than in `before`.
static void explain_checks(SonWork *work, const SonTrail *trail) {
    uint32_t nodes = work->before->nodes.count, count = work->decisions.count, next = 0;
    if (!trail->implied.count) return;
    for (uint32_t i = 0; i < trail->implied.count; i++) {
        Decision decision = {
            .edge = {trail->implied.at[i].check, 0}, .first = work->edges.count, .count = 1};
        vec_push(work->arena, &work->edges, (BranchEdge){trail->implied.at[i].by, 0});
        vec_push(work->arena, &work->decisions, decision);
    }
    uint32_t *at = ARENA_ARRAY(work->arena, uint32_t, nodes); // plus one
    count += trail->implied.count;
    for (uint32_t i = 0; i < count; i++) at[work->decisions.at[i].edge.branch.i] = i + 1;
    Decision *sorted = ARENA_ARRAY(work->arena, Decision, count);
    for (uint32_t n = 0; n < nodes; n++)
        if (at[n]) sorted[next++] = work->decisions.at[at[n] - 1];
    work->decisions.at = sorted;
    work->decisions.count = next;
    work->decisions.capacity = count;
}

// ---- What the checker has to be told

typedef struct {
    Arena *arena;
    SonWork *work;
    const SonValues *values;
    ValuesHint *hint;
    Bits regs;               // of `before`: their values are told
    VEC(uint32_t) open_regs; // whose definitions have not been looked at
    uint32_t *number;        // of each value in the hint, or NO_ID
    VEC(uint32_t) order;     // values in the order of their numbers
    VEC(uint32_t) open;      // values to be told, their operands first
    VEC(uint32_t) chains;    // values whose steps have not been looked at
    Bits steps;              // that are told
    Bits gated;              // joins whose gates are told
} Tell;

// ---- Registers

static void tell_reg(Tell *tell, Reg reg) {
    if (tell->work->value_of[reg.i] != NO_ID && bits_put(&tell->regs, reg.i))
        vec_push(tell->arena, &tell->open_regs, reg.i);
}

static void tell_args(Tell *tell, const Instr *instr) {
    const Reg *args = instr_args(tell->work->before, instr);
    for (uint32_t k = 0; k < instr->arg_count; k++) tell_reg(tell, args[k]);
}

static void tell_definition(Tell *tell, Reg reg) {
    const SonWork *work = tell->work;
    const Func *before = work->before;
    Definition definition = work->definitions[reg.i];
    if (definition.by == SET_BY_INSTR) tell_args(tell, func_at(before, definition.node));
    if (definition.by != SET_BY_PHI) return;
    const Reg *args = phi_args(before, &before->phis.at[definition.at]);
    for (uint32_t k = 0; k < preds_count(&work->preds, definition.node); k++)
        if (bits_has(&work->reached, preds_at(&work->preds, definition.node)[k].i))
            tell_reg(tell, args[k]);
}

static bool is_hidden_address(const Tell *tell, uint32_t reg) {
    uint32_t value = tell->work->value_of[reg];
    if (value == NO_ID) return false;
    const HintValue *it = value_at(tell->values, value);
    return it->kind == VALUE_OP &&
           (it->op == OP_ADDR_SLOT ||
            (it->op == OP_ADDR_SYMBOL &&
             unit_family(tell->work->before->program->unit, it->ref) != UNIT_OPEN));
}

// The arguments of all performed nodes; addresses, by which places are numbered; and all registers
// that hold the address of a slot or of a hidden object, which might not be private otherwise.
static void tell_regs(Tell *tell) {
    const Func *before = tell->work->before;
    for (uint32_t r = 0; r < before->regs.count; r++)
        if (is_hidden_address(tell, r)) tell_reg(tell, (Reg){r});
    for (uint32_t n = 0; n < before->nodes.count; n++) {
        const Instr *instr = &before->nodes.at[n];
        if (instr->kind == I_OP) continue;
        tell_args(tell,
                  instr); // also where nothing is executed: addresses number places there, too
        if (instr->kind == I_LOAD) tell_reg(tell, instr->dest);
    }
    for (uint32_t i = 0; i < tell->hint->old.count; i++) {
        // A performed node may have the value of another register, which alone was asked for.
        Node old = tell->hint->old.at[i];
        if (old.i != NO_ID && func_at(before, old)->kind == I_OP)
            tell_args(tell, func_at(before, old));
    }
    while (tell->open_regs.count) tell_definition(tell, (Reg){vec_pop(&tell->open_regs)});
}

// ---- Values

// The operands of a value, phis aside.
static uint32_t part_count(const Tell *tell, uint32_t value) {
    const HintValue *it = value_at(tell->values, value);
    if (it->kind == VALUE_OP || it->kind == VALUE_CALL) return it->count;
    return it->kind == VALUE_LOAD ? tell->work->before->nodes.at[it->imm].arg_count : 0;
}

static uint32_t part_of(const Tell *tell, uint32_t value, uint32_t k) {
    const HintValue *it = value_at(tell->values, value);
    if (it->kind == VALUE_OP || it->kind == VALUE_CALL) return value_args(tell->values, value)[k];
    const Instr *load = &tell->work->before->nodes.at[it->imm];
    return tell->work->value_of[load->arg[k].i];
}

static bool push_parts(Tell *tell, uint32_t value) {
    bool ready = true;
    for (uint32_t k = part_count(tell, value); k-- > 0;) {
        uint32_t part = part_of(tell, value, k);
        if (tell->number[part] != NO_ID) continue;
        vec_push(tell->arena, &tell->open, part);
        ready = false;
    }
    return ready;
}

static void tell_value(Tell *tell, uint32_t value) {
    if (value == NO_ID || tell->number[value] != NO_ID) return;
    vec_push(tell->arena, &tell->open, value);
    while (tell->open.count) {
        uint32_t top = tell->open.at[tell->open.count - 1];
        if (tell->number[top] == NO_ID && !push_parts(tell, top)) continue;
        (void)vec_pop(&tell->open);
        if (tell->number[top] != NO_ID) continue;
        tell->number[top] = tell->order.count;
        vec_push(tell->arena, &tell->order, top);
    }
}

// The history of a value, step by step.
static void tell_chain(Tell *tell, uint32_t value) {
    if (value == NO_ID) return;
    tell_value(tell, value);
    vec_push(tell->arena, &tell->chains, value);
    while (tell->chains.count) {
        uint32_t at = vec_pop(&tell->chains), step;
        while ((step = tell->values->step.at[at]) != NO_ID && bits_put(&tell->steps, step)) {
            const ValueStep *it = &tell->values->steps.at[step];
            uint32_t count = it->rule == STEP_CONGRUENT ? value_at(tell->values, at)->count : 0;
            for (uint32_t k = 0; k < count; k++)
                vec_push(tell->arena, &tell->chains, value_args(tell->values, at)[k]);
            tell_value(tell, it->to);
            at = it->to;
        }
    }
}

static uint32_t number_of(const Tell *tell, uint32_t value) {
    return value == NO_ID ? NO_ID : tell->number[value];
}

// ---- Tables

#define TAKE(arena, to, from)                                                                      \
    do {                                                                                           \
        if ((from).count)                                                                          \
            memcpy(vec_extend(arena, to, (from).count), (from).at,                                 \
                   (from).count * sizeof *(from).at);                                              \
    } while (0)

// The operator of a register, or the extension of what a load finds, as formed from values.
static uint32_t formed_of(SonWork *work, Reg reg) {
    Definition definition = work->definitions[reg.i];
    const Instr *instr = defining_instr(work->before, work->definitions, reg);
    if (!instr) return NO_ID;
    if (instr->kind == I_OP && !op_is_move(instr->op))
        return value_of_instr(&work->values, instr, work->value_of);
    if (instr->kind != I_LOAD || work->assumed.held[definition.node.i] == NO_ID) return NO_ID;
    Op extension = chunk_extension((Chunk)instr->chunk);
    return extension == OP_COUNT
               ? NO_ID
               : value_op(&work->values, extension, &work->assumed.held[definition.node.i]);
}

// All values exist already: these have been asked for before.
static void form(Tell *tell) {
    SonWork *work = tell->work;
    const Func *before = work->before;
    uint32_t *formed = vec_extend(tell->arena, &tell->hint->formed, before->regs.count);
    for (uint32_t r = 0; r < before->regs.count; r++)
        formed[r] = bits_has(&tell->regs, r) ? formed_of(work, (Reg){r}) : NO_ID;
    for (uint32_t n = 0; n < before->nodes.count; n++)
        if (before->nodes.at[n].kind == I_COND)
            vec_push(tell->arena, &tell->hint->tests,
                     bits_has(&work->reached, n) ? son_test(work, (Node){n}) : NO_ID);
}

// ---- Ranges

static uint32_t tell_finding(Tell *tell, uint32_t finding);

// The facts for findings at the ends of the ways into a join: the first in range_ways. What they
// depend on may need ways, too, and comes before.
static uint32_t tell_ways(Tell *tell, const uint32_t *findings, uint32_t ways) {
    for (uint32_t k = 0; k < ways; k++) (void)tell_finding(tell, findings[k]);
    uint32_t first = tell->hint->range_ways.count;
    for (uint32_t k = 0; k < ways; k++)
        vec_push(tell->arena, &tell->hint->range_ways, tell_finding(tell, findings[k]));
    return first;
}

// The number of the fact for a finding, with all that it depends on before it.
static uint32_t tell_finding(Tell *tell, uint32_t finding) {
    if (finding == NO_ID) return NO_ID;
    FoundRange *found = &tell->work->found.at[finding];
    if (found->number != NO_ID) return found->number;
    RangeFact fact = found->fact;
    for (uint32_t k = 0; k < 3; k++) fact.from[k] = tell_finding(tell, fact.from[k]);
    if (fact.reason == RANGE_MERGED)
        fact.ref = tell_ways(tell, tell->work->merged.at + fact.ref,
                             preds_count(&tell->work->preds, fact.place));
    tell_value(tell, fact.value);
    if (fact.reason == RANGE_OPERAND) tell_value(tell, fact.ref);
    found->number = tell->hint->ranges.count;
    vec_push(tell->arena, &tell->hint->ranges, fact);
    return found->number;
}

static int compare_steps(const void *left, const void *right) {
    const FoundStep *a = left, *b = right;
    if (a->node.i != b->node.i) return a->node.i < b->node.i ? -1 : 1;
    if (a->step.from != b->step.from) return a->step.from < b->step.from ? -1 : 1;
    return a->step.to < b->step.to ? -1 : a->step.to > b->step.to;
}

// By node.
static void sort_local(SonWork *work) {
    if (work->local.count > 1)
        qsort(work->local.at, work->local.count, sizeof *work->local.at, compare_steps);
}

// A join has one gate in the hint.
static void tell_gate(Tell *tell, const FoundGate *gate) {
    SonWork *work = tell->work;
    if (!tell->gated.size) tell->gated = bits_new(tell->arena, work->before->nodes.count);
    if (!bits_put(&tell->gated, gate->join.i)) return;
    GatedJoin gated = {.join = gate->join, .first = work->edges.count};
    for (uint32_t k = 0; k < gate->count; k++)
        vec_push(tell->arena, &work->edges, work->gate_edges.at[gate->first + k]);
    vec_push(tell->arena, &tell->hint->gated, gated);
}

// Facts that decide branches, and steps at the places of operators.
static void tell_ranges(Tell *tell) {
    SonWork *work = tell->work;
    for (uint32_t i = 0; i < work->decisions.count; i++) {
        Decision *decision = &work->decisions.at[i];
        if (decision->fact) decision->fact = tell_finding(tell, decision->fact - 1) + 1;
    }
    for (uint32_t i = 0; i < work->shut.count; i++) {
        ShutWay shut = {.edge = work->shut.at[i].edge};
        shut.fact = tell_finding(tell, work->shut.at[i].found);
        vec_push(tell->arena, &tell->hint->shut, shut);
    }
    sort_local(work);
    for (uint32_t i = 0; i < work->local.count; i++) {
        const FoundStep *local = &work->local.at[i];
        Reg dest = func_at(work->before, local->node)->dest;
        if (dest.i != NO_ID && !bits_has(&tell->regs, dest.i)) continue;
        LocalStep step = {.node = local->node, .step = local->step};
        for (uint32_t k = 0; k < 2; k++)
            step.facts[k] = local->step.rule == STEP_EQUAL ? local->found[k]
                                                           : tell_finding(tell, local->found[k]);
        if (local->gate) tell_gate(tell, &work->gates.at[local->gate - 1]);
        tell_value(tell, step.step.from);
        tell_chain(tell, step.step.to);
        vec_push(tell->arena, &tell->hint->local, step);
    }
}

static bool has_range(const Tell *tell, uint32_t value) {
    const SonWork *work = tell->work;
    if (value >= work->ranges.count || value_at(tell->values, value)->kind != VALUE_PHI)
        return false;
    Range full = range_full(range_bits((Type)tell->values->types.at[value]));
    return type_is_int((Type)tell->values->types.at[value]) &&
           range_has_some(&work->ranges.at[value],
                          range_bits((Type)tell->values->types.at[value])) &&
           !range_contains(&work->ranges.at[value], &full);
}

// The first argument of the phi whose value it is, among all arguments of phis; NO_ID if that has
// become another value.
static uint32_t arguments_of(const Tell *tell, uint32_t value) {
    const SonWork *work = tell->work;
    Node join = {value_at(tell->values, value)->ref};
    for (uint32_t i = 0; i < func_phi_count(work->before, join); i++) {
        const Phi *phi = &func_phis(work->before, join)[i];
        if (tell->values->phi[phi->dest.i] == value && work->value_of[phi->dest.i] == value)
            return phi->args_at;
    }
    return NO_ID;
}

// The range of a phi; `order` numbers values, and so the ranges are in order.
static void tell_phi_range(Tell *tell, uint32_t value) {
    uint32_t args = has_range(tell, value) ? arguments_of(tell, value) : NO_ID;
    if (args == NO_ID) return;
    PhiRange phi = {.value = tell->number[value],
                    .range = tell->work->ranges.at[value],
                    .first = tell_ways(tell, tell->work->found_ways.at + args,
                                       value_at(tell->values, value)->count)};
    vec_push(tell->arena, &tell->hint->phi_ranges, phi);
}

// Whether some phi is a sum of others: ranges may say that its parts are defined.
static bool has_closed(const SonWork *work) {
    for (uint32_t i = 0; i < work->before->phis.count; i++)
        if (work->assumed.closed[work->before->phis.at[i].dest.i] != NO_ID) return true;
    return false;
}

// ---- All values

static void tell_values(Tell *tell) {
    const ValuesHint *hint = tell->hint;
    for (uint32_t r = 0; r < tell->work->before->regs.count; r++) {
        if (!bits_has(&tell->regs, r)) continue;
        tell_value(tell, tell->work->value_of[r]);
        tell_chain(tell, hint->formed.at[r]);
    }
    for (uint32_t i = 0; i < hint->tests.count; i++) tell_chain(tell, hint->tests.at[i]);
    tell_ranges(tell);
    bool ranges =
        hint->ranges.count || hint->local.count || hint->shut.count || has_closed(tell->work);
    for (uint32_t i = 0; i < tell->work->facts.count; i++)
        tell_value(tell, tell->work->facts.at[i].value);
    for (uint32_t i = 0; i < tell->work->value_of_reg.count; i++)
        tell_value(tell, tell->work->value_of_reg.at[i]);
    // Arguments of phis, which may be made of the phis.
    for (uint32_t i = 0; i < tell->order.count; i++) {
        uint32_t value = tell->order.at[i];
        if (value_at(tell->values, value)->kind != VALUE_PHI) continue;
        for (uint32_t k = 0; k < value_at(tell->values, value)->count; k++)
            tell_value(tell, value_args(tell->values, value)[k]);
        if (ranges) tell_phi_range(tell, value);
    }
}

static void write_values(Tell *tell) {
    ValuesHint *hint = tell->hint;
    for (uint32_t i = 0; i < tell->order.count; i++) {
        HintValue value = *value_at(tell->values, tell->order.at[i]);
        const uint32_t *args = value_args(tell->values, tell->order.at[i]);
        value.first = value.count ? hint->args.count : 0;
        for (uint32_t k = 0; k < value.count; k++)
            vec_push(tell->arena, &hint->args, number_of(tell, args[k]));
        if (value.kind != VALUE_OP) value.op = 0;
        vec_push(tell->arena, &hint->values, value);
    }
    for (uint32_t i = bits_next(&tell->steps, 0); i < tell->steps.size;
         i = bits_next(&tell->steps, i + 1)) {
        ValueStep step = tell->values->steps.at[i];
        step.from = number_of(tell, step.from);
        step.to = number_of(tell, step.to);
        vec_push(tell->arena, &hint->steps, step);
    }
}

static void write_tables(Tell *tell, uint32_t new_regs) {
    ValuesHint *hint = tell->hint;
    const SonWork *work = tell->work;
    uint32_t regs = work->before->regs.count;
    uint32_t *value_of = vec_extend(tell->arena, &hint->value_of, regs);
    for (uint32_t r = 0; r < regs; r++) {
        value_of[r] = bits_has(&tell->regs, r) ? number_of(tell, work->value_of[r]) : NO_ID;
        hint->formed.at[r] = number_of(tell, hint->formed.at[r]);
    }
    for (uint32_t i = 0; i < hint->tests.count; i++)
        hint->tests.at[i] = number_of(tell, hint->tests.at[i]);
    for (uint32_t i = 0; i < hint->ranges.count; i++) {
        RangeFact *fact = &hint->ranges.at[i];
        fact->value = number_of(tell, fact->value);
        if (fact->reason == RANGE_OPERAND) fact->ref = number_of(tell, fact->ref);
    }
    for (uint32_t i = 0; i < hint->local.count; i++) {
        ValueStep *step = &hint->local.at[i].step;
        step->from = number_of(tell, step->from);
        step->to = number_of(tell, step->to);
    }
    for (uint32_t i = 0; i < work->facts.count; i++) {
        PlaceFact fact = work->facts.at[i];
        fact.value = number_of(tell, fact.value);
        vec_push(tell->arena, &hint->facts, fact);
    }
    for (uint32_t r = 0; r < new_regs; r++) {
        uint32_t value = r < work->value_of_reg.count ? work->value_of_reg.at[r] : NO_ID;
        vec_push(tell->arena, &hint->value_of_new, number_of(tell, value));
    }
}

void son_hint(Arena *arena, SonWork *work, const SonTrail *trail, const Func *after,
              ValuesHint *hint) {
    explain_checks(work, trail);
    Tell tell = {.arena = arena,
                 .work = work,
                 .values = &work->values,
                 .hint = hint,
                 .regs = bits_new(arena, work->before->regs.count)};
    tell_regs(&tell);
    form(&tell);
    uint32_t count = work->values.values.count;
    tell.number = ARENA_ARRAY(arena, uint32_t, count);
    memset(tell.number, 0xff, count * sizeof *tell.number);
    tell.steps = bits_new(arena, work->values.steps.count);
    tell_values(&tell);
    write_values(&tell);
    write_tables(&tell, after->regs.count);
    TAKE(arena, &hint->decisions, work->decisions);
    TAKE(arena, &hint->edges, work->edges);
    if (work->facts.count) TAKE(arena, &hint->facts_at, work->facts_at);
}
