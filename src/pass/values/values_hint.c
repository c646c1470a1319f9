// Translates the knowledge of passes into hints of the values kernel. Nothing here has to be right:
// the checker checks every claim. The knowledge of a pass is taken as it is, in range or not, so
// that tests can ask for hints of forged knowledge.
#include "pass/values/values_hint.h"

#include "check/values/value_steps.h"
#include "fact/effects.h"
#include "fact/places.h"
#include "pass/values/refine.h"

typedef struct {
    Arena *arena;
    const Func *before, *after;
    ValuesHint *hint;
    Refine refine;
} Explain;

static Explain start(Arena *arena, const Func *before, const Func *after) {
    Explain e = {.arena = arena, .before = before, .after = after};
    e.hint = ARENA_NEW(arena, ValuesHint);
    e.refine = refine_new(arena, before, e.hint);
    return e;
}

// Nodes stay the same.
static void keep_nodes(Explain *e) {
    for (uint32_t n = 0; n < e->after->nodes.count; n++)
        vec_push(e->arena, &e->hint->old, (Node){n});
}

static ValuesHint *finish(Explain *e) {
    refine_values(&e->refine, e->after);
    refine_write(&e->refine, e->after);
    return e->hint;
}

ValuesHint *explain_ValuesHint(Arena *arena, const Func *before, const Func *after,
                               ValuesHint *hint) {
    (void)arena, (void)before, (void)after;
    return hint;
}

// ---- copy_prop, lvn, gvn

ValuesHint *explain_Numbering(Arena *arena, const Func *before, const Func *after,
                              const Numbering *knows) {
    Explain e = start(arena, before, after);
    uint32_t regs = before->regs.count;
    for (uint32_t r = 0; r < knows->leader.count && r < regs; r++)
        if (knows->leader.at[r].i < regs) refine_equal(&e.refine, (Reg){r}, knows->leader.at[r]);
    keep_nodes(&e);
    return finish(&e);
}

// ---- dead_code

ValuesHint *explain_DeadCodeHint(Arena *arena, const Func *before, const Func *after,
                                 const DeadCodeHint *knows) {
    Explain e = start(arena, before, after);
    (void)knows;
    keep_nodes(&e);
    return finish(&e);
}

// ---- hoist

// An instruction that was added behind a nop stands in front of another nop, which may as well be
// the old one.
static void take_nodes(Explain *e, const HoistHint *knows) {
    uint32_t count = knows->old.count;
    for (uint32_t n = 0; n < count; n++) vec_push(e->arena, &e->hint->old, knows->old.at[n]);
    Node *old = e->hint->old.at;
    for (uint32_t n = 1; n < count && count == e->after->nodes.count; n++) {
        uint32_t before = n - 1;
        if (old[n].i != NO_ID || e->after->nodes.at[before].kind != I_NOP) continue;
        while (n + 1 < count && old[n + 1].i == NO_ID) n++;
        if (e->after->nodes.at[n].kind != I_NOP) continue;
        old[n] = old[before];
        old[before] = NO_NODE;
    }
}

static uint32_t next_performed(const ValuesHint *hint, uint32_t node) {
    while (node < hint->old.count && hint->old.at[node].i == NO_ID) node++;
    return node < hint->old.count ? hint->old.at[node].i : NO_ID;
}

// Loads in front of a node, as values. Their addresses are values with smaller numbers.
static void explain_loads(Explain *e, const HoistHint *knows) {
    uint32_t regs = e->before->regs.count;
    for (uint32_t n = 0; n < knows->old.count && n < e->after->nodes.count; n++) {
        const Instr *instr = &e->after->nodes.at[n];
        if (knows->old.at[n].i != NO_ID || instr->kind != I_LOAD || instr->dest.i < regs ||
            instr->dest.i - regs >= knows->loads.count)
            continue;
        Node load = knows->loads.at[instr->dest.i - regs], at = {next_performed(e->hint, n)};
        if (at.i < e->before->nodes.count && load.i < e->before->nodes.count)
            e->hint->value_of_new.at[instr->dest.i] = value_load(&e->refine.values, at, load);
    }
}

ValuesHint *explain_HoistHint(Arena *arena, const Func *before, const Func *after,
                              const HoistHint *knows) {
    Explain e = start(arena, before, after);
    take_nodes(&e, knows);
    for (uint32_t n = 0; n < knows->old.count && n < after->nodes.count; n++) {
        if (knows->old.at[n].i != NO_ID) continue;
        const Instr *instr = &after->nodes.at[n];
        if (instr->kind == I_OP && instr->dest.i < before->regs.count)
            refine_form(&e.refine, instr->dest);
    }
    for (uint32_t i = 0; i < knows->loads.count; i++) {
        if (knows->loads.at[i].i >= before->nodes.count) continue;
        const Instr *load = func_at(before, knows->loads.at[i]);
        for (uint32_t k = 0; k < load->arg_count; k++)
            refine_tell(&e.refine, instr_args(before, load)[k]);
    }
    refine_values(&e.refine, after);
    explain_loads(&e, knows);
    refine_write(&e.refine, after);
    return e.hint;
}

// ---- correlate

// Conditions and the registers of switches go by their values.
static void explain_edge(Explain *e, BranchEdge edge) {
    if (edge.branch.i >= e->before->nodes.count) return;
    const Instr *instr = func_at(e->before, edge.branch);
    if (instr->kind == I_COND)
        (void)refine_test(&e->refine, edge.branch);
    else if (instr->arg_count)
        refine_tell(&e->refine, instr_args(e->before, instr)[0]);
}

ValuesHint *explain_CorrelateHint(Arena *arena, const Func *before, const Func *after,
                                  const CorrelateHint *knows) {
    Explain e = start(arena, before, after);
    for (uint32_t i = 0; i < knows->decisions.count; i++) {
        vec_push(arena, &e.hint->decisions, knows->decisions.at[i]);
        explain_edge(&e, knows->decisions.at[i].edge);
    }
    for (uint32_t i = 0; i < knows->edges.count; i++) {
        vec_push(arena, &e.hint->edges, knows->edges.at[i]);
        explain_edge(&e, knows->edges.at[i]);
    }
    keep_nodes(&e);
    return finish(&e);
}

// ---- sccp

// A register that nothing sets and that moves, and phis of nothing else, lead to.
static Reg free_source(const Explain *e, const SccpHint *knows, Reg reg) {
    for (uint32_t i = 0; i < e->before->regs.count; i++) {
        Definition definition = e->refine.definitions[reg.i];
        if (definition.by == SET_BY_NOTHING) return reg;
        const Instr *instr = defining_instr(e->before, e->refine.definitions, reg);
        if (instr && instr->kind == I_OP && op_is_move(instr->op)) {
            reg = instr->arg[0];
            continue;
        }
        if (definition.by != SET_BY_PHI) break;
        const Reg *args = phi_args(e->before, &e->before->phis.at[definition.at]);
        uint32_t k = 0, count = preds_count(&e->refine.preds, definition.node);
        while (k < count && knows->facts.at[args[k].i].kind != SCCP_FREE) k++;
        if (k == count) break;
        reg = args[k];
    }
    return NO_REG;
}

static void explain_constants(Explain *e, const SccpHint *knows) {
    for (uint32_t r = 0; r < e->before->regs.count && r < knows->facts.count; r++) {
        const SccpFact *fact = &knows->facts.at[r];
        Reg reg = {r};
        if (fact->kind == SCCP_CONST) {
            Value value = {.bits = fact->bits, .high = fact->high};
            refine_set(&e->refine, reg,
                       value_constant(&e->refine.values, reg_type(e->before, reg), value));
        } else if (fact->kind == SCCP_FREE && knows->facts.count == e->before->regs.count) {
            Reg source = free_source(e, knows, reg);
            if (source.i != NO_ID && source.i != r)
                refine_set(&e->refine, reg, value_old(&e->refine.values, source));
        }
    }
}

ValuesHint *explain_SccpHint(Arena *arena, const Func *before, const Func *after,
                             const SccpHint *knows) {
    Explain e = start(arena, before, after);
    explain_constants(&e, knows);
    for (uint32_t n = 0; n < before->nodes.count && n < after->nodes.count; n++)
        if (before->nodes.at[n].kind == I_COND && after->nodes.at[n].kind == I_NOP)
            (void)refine_fold(&e.refine, refine_test(&e.refine, (Node){n}));
    keep_nodes(&e);
    return finish(&e);
}

// ---- forward

// A load that became a move or an extension of a register yields that.
static void explain_load(Explain *e, Node node) {
    const Instr *load = func_at(e->before, node), *now = func_at(e->after, node);
    if (load->kind != I_LOAD || now->kind != I_OP || now->arg_count != 1 ||
        now->arg[0].i >= e->before->regs.count)
        return;
    uint32_t held = refine_value(&e->refine, now->arg[0]), value = held;
    if (!op_is_move(now->op)) value = value_op(&e->refine.values, (Op)now->op, &held);
    refine_set(&e->refine, load->dest, value);
}

// A register that was extended once stays the same: it was loaded so, or a rule says so.
static void explain_step(Explain *e, uint32_t from, uint32_t to) {
    const SonValues *values = &e->refine.values;
    ValueTerms terms = {.values = values->values.at, .args = values->args.at};
    Bindings bindings;
    for (Rule rule = 0; rule < RULE_COUNT && value_at(values, to)->kind == VALUE_OP; rule++)
        if (value_rule_matches(&terms, rule, from, &bindings) &&
            value_rule_gives(&terms, rule, &bindings, to)) {
            refine_step(&e->refine, from, to, rule);
            return;
        }
    refine_step(&e->refine, from, to, STEP_EXTENDED);
}

// The value that a narrow load has extended, if another register holds its contents.
static void explain_extension(Explain *e, Node node) {
    const Instr *load = func_at(e->before, node), *now = func_at(e->after, node);
    if (load->kind == I_LOAD && now->kind == I_LOAD)
        e->hint->formed.at[load->dest.i] = refine_value(&e->refine, load->dest);
    if (load->kind != I_LOAD || now->kind != I_OP || now->arg_count != 1 ||
        now->arg[0].i >= e->before->regs.count)
        return;
    Op extension = chunk_extension((Chunk)load->chunk);
    if (extension == OP_COUNT) return;
    uint32_t held = refine_value(&e->refine, now->arg[0]);
    uint32_t extended = value_op(&e->refine.values, extension, &held);
    e->hint->formed.at[load->dest.i] = extended;
    if (op_is_move(now->op)) explain_step(e, extended, held);
}

// The numbers of places if registers are known by their values. There are no more places than
// nodes.
static const uint32_t *find_places(Explain *e) {
    const Func *func = e->before;
    RegisterValue *known = ARENA_ARRAY(e->arena, RegisterValue, func->regs.count);
    for (uint32_t r = 0; r < func->regs.count; r++) {
        uint32_t value = refine_value(&e->refine, (Reg){r});
        const HintValue *it = value_at(&e->refine.values, value);
        bool address = it->kind == VALUE_OP && (it->op == OP_ADDR_SLOT || it->op == OP_ADDR_SYMBOL);
        known[r] = (RegisterValue){.value = value, .op = OP_COUNT};
        if (address)
            known[r] =
                (RegisterValue){.value = value, .op = it->op, .ref = it->ref, .imm = it->imm};
    }
    Places then = places_of(e->arena, func), now = places_by_values(e->arena, func, known);
    uint32_t *number = ARENA_ARRAY(e->arena, uint32_t, func->nodes.count);
    for (uint32_t n = 0; n < func->nodes.count; n++) number[n] = NO_ID;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        bool access = func->nodes.at[n].kind == I_LOAD || func->nodes.at[n].kind == I_STORE;
        if (access && then.target[n] != NO_ID) number[then.target[n]] = now.target[n];
    }
    return number;
}

ValuesHint *explain_ForwardHint(Arena *arena, const Func *before, const Func *after,
                                const ForwardHint *knows) {
    Explain e = start(arena, before, after);
    for (uint32_t r = 0; r < before->regs.count; r++) {
        const Instr *instr = defining_instr(before, e.refine.definitions, (Reg){r});
        bool formed = instr && instr->kind == I_OP && op_info(instr->op)->arity < 2;
        if ((formed && !op_is_move(instr->op)) || e.refine.definitions[r].by == SET_BY_PHI)
            refine_form(&e.refine, (Reg){r});
        refine_tell(&e.refine, (Reg){r});
    }
    uint32_t nodes =
        before->nodes.count < after->nodes.count ? before->nodes.count : after->nodes.count;
    for (uint32_t n = 0; n < nodes; n++) explain_load(&e, (Node){n});
    const uint32_t *places = find_places(&e);
    for (uint32_t i = 0; i < knows->facts_at.count; i++)
        vec_push(arena, &e.hint->facts_at, knows->facts_at.at[i]);
    for (uint32_t i = 0; i < knows->facts.count; i++) {
        Reg reg = knows->facts.at[i].reg;
        uint32_t place = knows->facts.at[i].place;
        PlaceFact fact = {place < before->nodes.count ? places[place] : NO_ID, NO_ID};
        if (reg.i < before->regs.count) fact.value = refine_value(&e.refine, reg);
        vec_push(arena, &e.hint->facts, fact);
    }
    keep_nodes(&e);
    refine_values(&e.refine, after);
    for (uint32_t n = 0; n < nodes; n++) explain_extension(&e, (Node){n});
    refine_write(&e.refine, after);
    return e.hint;
}
