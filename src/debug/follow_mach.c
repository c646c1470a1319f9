// From the last SSA form to allocated machine code: the instruction that sets each value, and the
// places of RTL registers at the starts of blocks.
//
// Values are registers of the last SSA form. An instruction of machine code that was selected for a
// node of RTL sets the value that this node performs, if the instruction is the last one for that
// node that sets the node's register. The destination of a phi has its value from the start of the
// block of its join on. The hint of ssa_destruct names the registers of RTL that hold the value
// there; the hint of allocation names the places of these registers.
#include "debug/follow_private.h"

#include "graph/basic_blocks.h"

#include <string.h>

// ---- SSA

// A move adds no value: in SSA both are equal wherever both dominate.
static void find_values(LastSsa *ssa, const Func *func, const Definition *definitions) {
    for (uint32_t r = 0; r < func->regs.count; r++) {
        uint32_t at = r, steps = 0;
        const Instr *instr;
        while ((instr = defining_instr(func, definitions, (Reg){at})) && instr->kind == I_OP &&
               op_is_move(instr->op) && steps++ < func->regs.count)
            at = instr->arg[0].i;
        ssa->value[r] = at;
    }
}

// Arguments that are scalars in general registers.
static void keep_call(Follower *f, const Func *func, uint32_t node) {
    const Instr *instr = &func->nodes.at[node];
    if (instr->kind != I_CALL || instr->ref == NO_ID) return;
    const SigInfo *sig = program_sig_info(f->program, (Sig){instr->aux});
    const Convention *convention = convention_of(f->program, (Sig){instr->aux});
    SsaCall call = {.callee = instr->ref, .first = f->ssa.arguments.count};
    if (!convention->passable) return;
    for (uint32_t i = 0; i < convention->in_registers.count; i++) {
        const Piece *piece = &convention->arguments.at[convention->in_registers.at[i]];
        if (piece->param >= sig->param_count || piece->param >= instr->arg_count) continue;
        if (ptype_is_aggregate(program_ptype_info(f->program, sig->params[piece->param]))) continue;
        if (!type_is_int(piece->type)) continue;
        SsaArgument argument = {.value = instr_args(func, instr)[piece->param].i,
                                .reg = (MachineReg)piece->reg};
        vec_push(f->arena, &f->ssa.arguments, argument);
    }
    call.count = f->ssa.arguments.count - call.first;
    f->ssa.call_of[node] = f->ssa.calls.count;
    vec_push(f->arena, &f->ssa.calls, call);
}

static void keep_ssa(Follower *f, const Func *func) {
    Arena *arena = f->arena;
    uint32_t nodes = func->nodes.count, regs = func->regs.count;
    Preds preds = preds_of(arena, func);
    Dominance dom = dominance_of(arena, func, &preds);
    const Definition *definitions = definitions_of(arena, func);
    LastSsa *ssa = &f->ssa;
    *ssa = (LastSsa){.node_count = nodes,
                     .reg_count = regs,
                     .position = f->position,
                     .number = arena_copy(arena, dom.number, nodes * sizeof *dom.number),
                     .last = arena_copy(arena, dom.last, nodes * sizeof *dom.last),
                     .definitions = arena_copy(arena, definitions, regs * sizeof *definitions),
                     .value = ARENA_ARRAY(arena, uint32_t, (size_t)regs + 1),
                     .instr_of = ARENA_ARRAY(arena, Instr, (size_t)regs + 1),
                     .type_of = ARENA_ARRAY(arena, uint8_t, (size_t)regs + 1)};
    ssa->call_of = follow_table(arena, nodes);
    for (uint32_t n = 0; n < nodes; n++) keep_call(f, func, n);
    find_values(ssa, func, definitions);
    for (uint32_t r = 0; r < regs; r++) {
        const Instr *instr = defining_instr(func, definitions, (Reg){r});
        ssa->instr_of[r] = instr ? *instr : (Instr){.kind = I_NOP};
        ssa->type_of[r] = (uint8_t)reg_type(func, (Reg){r});
    }
}

// ---- RTL

// The phis of a join are done when RTL comes to its node, if no other join lies between that and
// what is performed there.
static bool comes_after_phis(const Func *ssa, const Preds *preds, const DestructHint *hint,
                             uint32_t join) {
    uint32_t steps = 0;
    for (uint32_t n = join; hint->nodes.at[n].count == 0; steps++) {
        const Instr *instr = &ssa->nodes.at[n];
        if (instr->succ_count != 1 || steps > ssa->nodes.count) return false;
        n = instr->succ[0].i;
        if (preds_is_join(preds, (Node){n})) return false;
    }
    return true;
}

static void perform(Follower *f, const Func *ssa, const Func *rtl, const DestructHint *hint,
                    uint32_t n) {
    LastRtl *last = &f->rtl;
    const Instr *then = &ssa->nodes.at[n];
    Node node = hint->nodes.at[n].first;
    bool same = then->kind != I_NOP && !(then->kind == I_OP && op_is_move(then->op));
    for (uint32_t k = 0; k < hint->nodes.at[n].count && node.i < rtl->nodes.count; k++) {
        const Instr *now = func_at(rtl, node);
        last->ssa_node[node.i] = n;
        if (same && then->dest.i != NO_ID) last->value[node.i] = then->dest.i;
        if (now->succ_count != 1) return;
        node = now->succ[0];
    }
}

void follow_ssa_destruct(Follower *f, const Func *before, const Func *after,
                         const DestructHint *hint) {
    uint32_t nodes = after->nodes.count;
    keep_ssa(f, before);
    follow_anchors(f, before);
    Preds preds = preds_of(f->arena, before);
    LastRtl *last = &f->rtl;
    *last = (LastRtl){.node_count = nodes,
                      .ssa_node = follow_table(f->arena, nodes),
                      .value = follow_table(f->arena, nodes),
                      .dest = follow_table(f->arena, nodes),
                      .join = follow_table(f->arena, nodes),
                      .pair_at = arena_copy(f->arena, hint->pair_at.at,
                                            hint->pair_at.count * sizeof *hint->pair_at.at)};
    for (uint32_t i = 0; i < hint->pairs.count; i++)
        vec_push(f->arena, &last->pairs, hint->pairs.at[i]);
    for (uint32_t n = 0; n < nodes; n++) last->dest[n] = after->nodes.at[n].dest.i;
    for (uint32_t n = 0; n < before->nodes.count; n++) {
        uint32_t first = hint->nodes.at[n].first.i;
        if (first >= nodes) continue;
        perform(f, before, after, hint, n);
        if (preds_is_join(&preds, (Node){n}) && comes_after_phis(before, &preds, hint, n))
            last->join[first] = n;
    }
    for (uint32_t i = 0; i < before->params.count; i++) {
        vec_push(f->arena, &last->params, after->params.at[i].i);
        vec_push(f->arena, &last->param_values, before->params.at[i].i);
    }
    f->stage = STAGE_LAST_RTL;
}

// ---- Unbounded machine code

// The block that starts with the basic block of a node of RTL, or NO_ID.
static void find_blocks_of_values(Follower *f, const Func *rtl, const SelectHint *hint) {
    Preds preds = preds_of(f->arena, rtl);
    const uint32_t *heads = block_heads(f->arena, rtl, &preds);
    uint32_t *block_of = follow_table(f->arena, rtl->nodes.count);
    for (uint32_t b = 0; b < hint->node_of_block.count; b++)
        block_of[hint->node_of_block.at[b]] = b;
    f->block_of_value = follow_table(f->arena, f->ssa.reg_count);
    for (uint32_t n = 0; n < rtl->nodes.count; n++)
        if (f->rtl.value[n] != NO_ID && heads[n] != NO_ID)
            f->block_of_value[f->rtl.value[n]] = block_of[heads[n]];
    uint32_t *block_of_join = follow_table(f->arena, f->ssa.node_count);
    for (uint32_t n = 0; n < rtl->nodes.count; n++) {
        if (f->rtl.join[n] == NO_ID) continue;
        if (heads[n] != n || block_of[n] == NO_ID)
            f->rtl.join[n] = NO_ID;
        else
            block_of_join[f->rtl.join[n]] = block_of[n];
    }
    for (uint32_t r = 0; r < f->ssa.reg_count; r++)
        if (f->ssa.definitions[r].by == SET_BY_PHI)
            f->block_of_value[r] = block_of_join[f->ssa.definitions[r].node.i];
}

void follow_select_code(Follower *f, const Func *before, const Func *after,
                        const SelectHint *hint) {
    (void)after;
    find_blocks_of_values(f, before, hint);
    f->block_count = hint->node_of_block.count;
    f->node_of_block = arena_copy(f->arena, hint->node_of_block.at,
                                  hint->node_of_block.count * sizeof *hint->node_of_block.at);
    f->stage = STAGE_MACH;
}

// Blocks stay what they are, and so do the nodes that instructions have.
void follow_schedule(Follower *f, const Func *before, const Func *after, const ScheduleHint *hint) {
    (void)before;
    if (f->stage != STAGE_ALLOCATED) return;
    uint32_t *now = follow_table(f->arena, after->mach->code.count);
    for (uint32_t i = 0; i < after->mach->code.count; i++) now[hint->old.at[i]] = i;
    for (uint32_t i = 0; i < f->gens.count; i++) f->gens.at[i].instr = now[f->gens.at[i].instr];
}

// ---- Allocation

typedef struct {
    Follower *f;
    const Func *before, *after;
    const AllocateHint *hint;
    uint32_t
        *last_of; // per node of RTL: the last instruction of `before` that sets its register for it
    MachConstraints constraints;
} Allocation;

bool follow_is_copy(const MachInstr *instr) {
    return instr->kind == MK_OP && op_is_move(instr->op) && instr->memory == NO_SOURCE &&
           instr->immediate == NO_SOURCE;
}

// An instruction of `before` that is missing: what it copied is where it was.
static void run_missing(Allocation *a, uint32_t at, HeldSet *set) {
    const MachInstr *then = mach_at(a->before, at);
    for (uint32_t k = 0; k < mach_set_count(then); k++)
        if (mach_set_at(a->before, then, k).i != NO_ID)
            held_kill_id(set, place_reg(mach_set_at(a->before, then, k)).i);
    if (!follow_is_copy(then)) return;
    uint32_t from = place_reg(then->src[0]).i, to = place_reg(then->dest).i;
    for (uint32_t i = 0, count = set->count; i < count && from != to; i++)
        if (set->at[i].id == from) held_add(a->f->arena, set, set->at[i].place, to);
}

void follow_destroyed(Arena *arena, const Func *func, const MachInstr *now,
                      MachConstraints *constraints, HeldSet *set) {
    mach_constraints(arena, func, now, constraints);
    MachineRegSet destroyed = regs_or(constraints->killed, constraints->clobbers);
    for (uint32_t p = 0; p < MACHINE_REG_LIMIT; p++)
        if (regs_has(destroyed, p)) held_kill_place(set, p);
    for (uint32_t k = 0; k < mach_set_count(now); k++)
        if (mach_set_at(func, now, k).i != NO_ID)
            held_kill_place(set, follow_place(mach_set_at(func, now, k)));
}

static void run_put_in(Allocation *a, const MachInstr *now, HeldSet *set) {
    if (now->kind == MK_MOVE)
        held_move(a->f->arena, set, follow_place(now->src[0]), follow_place(now->dest));
    else if (now->kind == MK_EXCHANGE)
        held_exchange(set, follow_place(now->src[0]), follow_place(now->dest));
    else
        follow_destroyed(a->f->arena, a->after, now, &a->constraints, set);
}

// An instruction of `before` that is there: its results are in their places, and nowhere else.
static void run_present(Allocation *a, const MachInstr *then, const MachInstr *now, HeldSet *set) {
    uint32_t from = follow_is_copy(then) ? place_reg(then->src[0]).i : NO_ID;
    if (from != NO_ID && !held_has(set, follow_place(now->src[0]), from)) from = NO_ID;
    follow_destroyed(a->f->arena, a->after, now, &a->constraints, set);
    for (uint32_t k = 0; k < mach_set_count(then); k++)
        if (mach_set_at(a->before, then, k).i != NO_ID)
            held_kill_id(set, place_reg(mach_set_at(a->before, then, k)).i);
    for (uint32_t k = 0; k < mach_set_count(then); k++)
        if (mach_set_at(a->before, then, k).i != NO_ID)
            held_add(a->f->arena, set, follow_place(mach_set_at(a->after, now, k)),
                     place_reg(mach_set_at(a->before, then, k)).i);
    if (from != NO_ID && from != place_reg(then->dest).i)
        held_add(a->f->arena, set, follow_place(now->dest), from);
}

static void run_block(void *context, uint32_t b, HeldSet *set) {
    Allocation *a = context;
    const MachBlock *block = mach_block(a->after, b);
    uint32_t origin = a->hint->block_origin.at[b];
    uint32_t next = origin == NO_ID ? 0 : mach_block(a->before, origin)->first;
    for (uint32_t at = block->first; at < block->first + block->count; at++) {
        uint32_t from = a->hint->origin.at[at];
        const MachInstr *now = mach_at(a->after, at);
        if (from == NO_ID || origin == NO_ID) {
            run_put_in(a, now, set);
            continue;
        }
        for (; next < from; next++) run_missing(a, next, set);
        run_present(a, mach_at(a->before, from), now, set);
        next = from + 1;
    }
}

// ---- Which instructions set values

static void find_last(Allocation *a) {
    const LastRtl *rtl = &a->f->rtl;
    a->last_of = follow_table(a->f->arena, rtl->node_count);
    for (uint32_t at = 0; at < a->before->mach->code.count; at++) {
        const MachInstr *instr = mach_at(a->before, at);
        if (instr->node >= rtl->node_count) continue;
        for (uint32_t k = 0; k < mach_set_count(instr); k++)
            if (mach_set_at(a->before, instr, k).i == rtl->dest[instr->node])
                a->last_of[instr->node] = at;
    }
}

static void add_gen(Allocation *a, uint32_t at, Place place, uint32_t value) {
    vec_push(a->f->arena, &a->f->gens,
             (PlaceGen){.instr = at, .place = follow_place(place), .value = value});
}

static void find_gens_of_params(Allocation *a, uint32_t at) {
    MachineRegSet general = a->f->program->target->classes[CLASS_GENERAL];
    const LastRtl *rtl = &a->f->rtl;
    const MachInstr *then = mach_at(a->before, a->hint->origin.at[at]),
                    *now = mach_at(a->after, at);
    for (uint32_t k = 0; k < then->results; k++)
        for (uint32_t i = 0; i < rtl->params.count; i++)
            if (mach_results(a->before, then)[k].i == rtl->params.at[i]) {
                Place place = mach_results(a->after, now)[k];
                add_gen(a, at, place, rtl->param_values.at[i]);
                if (place_is_machine(place) && regs_has(general, place_index(place)))
                    a->f->entry_place[rtl->param_values.at[i]] = place_index(place);
            }
}

static void find_gens_of(Allocation *a, uint32_t at, uint32_t from) {
    const LastRtl *rtl = &a->f->rtl;
    const MachInstr *then = mach_at(a->before, from), *now = mach_at(a->after, at);
    if (then->kind == MK_PARAMS) find_gens_of_params(a, at);
    uint32_t node = then->node;
    if (node >= rtl->node_count || rtl->value[node] == NO_ID || follow_is_copy(then)) return;
    for (uint32_t k = 0; k < mach_set_count(then); k++)
        if (mach_set_at(a->before, then, k).i == rtl->dest[node] && a->last_of[node] == from)
            add_gen(a, at, mach_set_at(a->after, now, k), rtl->value[node]);
}

static void find_gens(Allocation *a) {
    find_last(a);
    for (uint32_t at = 0; at < a->after->mach->code.count; at++)
        if (a->hint->origin.at[at] != NO_ID) find_gens_of(a, at, a->hint->origin.at[at]);
}

void follow_allocate(Follower *f, const Func *before, const Func *after, const AllocateHint *hint) {
    Allocation a = {.f = f, .before = before, .after = after, .hint = hint};
    if (before->mach->blocks.count != f->block_count) {
        f->stage = STAGE_LOST;
        return;
    }
    f->starts = held_solve(f->arena, after, run_block, &a);
    f->block_origin = arena_copy(f->arena, hint->block_origin.at,
                                 hint->block_origin.count * sizeof *hint->block_origin.at);
    f->entry_place = follow_table(f->arena, f->ssa.reg_count);
    find_gens(&a);
    f->instr_count = after->mach->code.count;
    f->stage = STAGE_ALLOCATED;
}
