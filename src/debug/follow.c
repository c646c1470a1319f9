// Watching the pipeline, and RTL before SSA: which call each node was inlined for.
#include "debug/follow_private.h"

#include "fact/calls.h"
#include "form/forms.h"

#include <string.h>

// ---- The function at hand

static uint32_t described(const Follower *f, Sym symbol) {
    uint32_t func = map_get(&f->debug->func_of_symbol, program_at(f->program, symbol)->name.i);
    return func == HASH_NONE ? NO_ID : func;
}

static const OfferedNotes *offered(const Follower *f, uint32_t symbol) {
    uint32_t index = map_get(&f->offered_of, symbol);
    return index == HASH_NONE ? NULL : f->offered.at[index];
}

static void start_anew(Follower *f, const Func *func) {
    f->instance_of = ARENA_ARRAY(f->arena, uint32_t, func->nodes.count);
    vec_push(f->arena, &f->instances,
             (DebugInstance){.func = described(f, func->symbol), .parent = NO_ID});
    vec_push(f->arena, &f->first_reg, 0);
    vec_push(f->arena, &f->first_slot, 0);
}

// The function goes on as it was offered.
static void start_again(Follower *f, const OfferedNotes *notes) {
    for (uint32_t i = 0; i < notes->instances.count; i++) {
        vec_push(f->arena, &f->instances, notes->instances.at[i]);
        vec_push(f->arena, &f->first_reg, notes->first_reg.at[i]);
        vec_push(f->arena, &f->first_slot, notes->first_slot.at[i]);
    }
    f->instance_of =
        arena_copy(f->arena, notes->instance_of, notes->node_count * sizeof *f->instance_of);
}

static void begin(void *context, const Func *func) {
    Follower *f = context;
    const OfferedNotes *notes = f->resumed == func->symbol.i ? offered(f, func->symbol.i) : NULL;
    Follower fresh = {.unit = f->unit,
                      .arena = f->arena,
                      .program = f->program,
                      .debug = f->debug,
                      .offered = f->offered,
                      .offered_of = f->offered_of,
                      .resumed = f->resumed};
    *f = fresh;
    arena_reset(f->arena);
    if (func->form != FORM_FIRST) return;
    f->stage = func_returns_twice(func) ? STAGE_LOST : STAGE_RTL;
    f->node_count = func->nodes.count;
    f->reg_count = func->regs.count;
    f->slot_count = func->slots.count;
    if (notes && notes->node_count == func->nodes.count)
        start_again(f, notes);
    else
        start_anew(f, func);
}

static void resume(void *context, const Func *func) {
    Follower *f = context;
    f->resumed = func->symbol.i;
}

static void offer(void *context, const Func *func) {
    Follower *f = context;
    if (f->stage != STAGE_RTL) return;
    OfferedNotes *notes = ARENA_NEW(f->unit, OfferedNotes);
    *notes = (OfferedNotes){
        .symbol = func->symbol.i,
        .node_count = f->node_count,
        .reg_count = f->reg_count,
        .slot_count = f->slot_count,
        .instance_of = arena_copy(f->unit, f->instance_of, f->node_count * sizeof *f->instance_of)};
    for (uint32_t i = 0; i < f->instances.count; i++) {
        vec_push(f->unit, &notes->instances, f->instances.at[i]);
        vec_push(f->unit, &notes->first_reg, f->first_reg.at[i]);
        vec_push(f->unit, &notes->first_slot, f->first_slot.at[i]);
    }
    map_set(f->unit, &f->offered_of, func->symbol.i, f->offered.count);
    vec_push(f->unit, &f->offered, notes);
}

// ---- Steps

// What a pass has to find, if all goes well.
static FollowStage stage_before(PassId pass) {
    switch (pass) {
    case PASS_inline_calls:
    case PASS_split_slots:
    case PASS_invert_loops:
    case PASS_unroll_loops:
    case PASS_normalize:
    case PASS_ssa_build: return STAGE_RTL;
    case PASS_select_code: return STAGE_LAST_RTL;
    case PASS_allocate: return STAGE_MACH;
    default: return STAGE_SSA;
    }
}

static void observe(void *context, uint32_t step, const Func *before, const Func *after,
                    const void *hint) {
    Follower *f = context;
    PassId pass = step_at(step).pass;
    FollowStage wanted = stage_before(pass);
    bool fits = f->stage == wanted ||
                (pass == PASS_schedule && (f->stage == STAGE_MACH || f->stage == STAGE_ALLOCATED));
    if (!fits) f->stage = STAGE_LOST;
    if (f->stage == STAGE_LOST) return;
    switch (pass) {
#define PASS(name, from, to, kernel, Hint, ...)                                                    \
    case PASS_##name:                                                                              \
        BY_##kernel(name, Hint);                                                                   \
        break;
#define BY_OWN(name, Hint)    follow_##name(f, before, after, (const Hint *)hint)
#define BY_COPIES(name, Hint) BY_OWN(name, Hint)
#define BY_GATES(name, Hint)  BY_OWN(name, Hint)
#define BY_VALUES(...)        follow_values(f, before, after, hint)
#define BY_NONE(...)
#include "check/passes.def"
    case PASS_COUNT: break;
    }
}

Follower *follower_new(Arena *arena, const Program *program, const Debug *debug) {
    Follower *f = ARENA_NEW(arena, Follower);
    *f = (Follower){.unit = arena,
                    .arena = arena_new("follower"),
                    .program = program,
                    .debug = debug,
                    .resumed = NO_ID};
    return f;
}

void follower_free(Follower *follower) {
    arena_free(follower->arena);
}

void follower_watch(Follower *follower, Pipeline *pipeline) {
    pipeline->begin = begin;
    pipeline->observe = observe;
    pipeline->offer = offer;
    pipeline->resume = resume;
    pipeline->context = follower;
}

void follower_unwatch(Pipeline *pipeline) {
    pipeline->begin = NULL;
    pipeline->observe = NULL;
    pipeline->offer = NULL;
    pipeline->resume = NULL;
    pipeline->context = NULL;
}

const DebugCode *follower_finish(Follower *f, const Func *func) {
    if (f->stage != STAGE_ALLOCATED || !func_is_final(func) ||
        func->mach->code.count != f->instr_count)
        return NULL;
    follow_places(f, func);
    return &f->code;
}

// ---- RTL before SSA

// The parameters that are aggregates. A copy has a slot more for each of them, and two nodes in
// front of the body instead of one.
static uint32_t aggregates(const Program *program, Sig sig) {
    const SigInfo *info = program_sig_info(program, sig);
    uint32_t count = 0;
    for (uint32_t i = 0; i < info->fixed_count; i++)
        count += ptype_is_aggregate(program_ptype_info(program, info->params[i]));
    return count;
}

// A copy of a body that instances are known of: they become instances of the function at hand. The
// moves of arguments are the caller's.
static void add_copy(Follower *f, const OfferedNotes *notes, uint32_t caller, const Instr *call,
                     uint32_t reg, uint32_t slot, uint32_t *instance_of) {
    uint32_t first = f->instances.count;
    for (uint32_t i = 0; i < notes->instances.count; i++) {
        DebugInstance instance = notes->instances.at[i];
        if (i == 0) instance.loc = call->loc;
        instance.parent = i == 0 ? caller : instance.parent + first;
        vec_push(f->arena, &f->instances, instance);
        vec_push(f->arena, &f->first_reg, notes->first_reg.at[i] + reg);
        vec_push(f->arena, &f->first_slot, notes->first_slot.at[i] + slot);
    }
    for (uint32_t n = 0; n < notes->node_count; n++)
        instance_of[n] = notes->instance_of[n] == NO_ID ? NO_ID : notes->instance_of[n] + first;
}

void follow_inline_calls(Follower *f, const Func *before, const Func *after,
                         const CopiesHint *hint) {
    uint32_t *instance_of = ARENA_ARRAY(f->arena, uint32_t, after->nodes.count);
    uint32_t node = before->nodes.count, reg = before->regs.count, slot = before->slots.count;
    memcpy(instance_of, f->instance_of, node * sizeof *instance_of);
    for (uint32_t i = 0; i < hint->sites.count; i++) {
        const Instr *call = func_at(before, hint->sites.at[i]);
        const OfferedNotes *notes = offered(f, call->ref);
        uint32_t caller = f->instance_of[hint->sites.at[i].i];
        uint32_t copied = aggregates(f->program, (Sig){call->aux});
        uint32_t arguments = program_sig_info(f->program, (Sig){call->aux})->fixed_count + copied;
        if (!notes || node + arguments + notes->node_count > after->nodes.count) {
            f->stage = STAGE_LOST;
            return;
        }
        for (uint32_t k = 0; k < arguments; k++) instance_of[node++] = caller;
        add_copy(f, notes, caller, call, reg, slot, instance_of + node);
        node += notes->node_count;
        reg += notes->reg_count;
        slot += notes->slot_count + copied;
    }
    if (node != after->nodes.count || reg != after->regs.count || slot != after->slots.count)
        f->stage = STAGE_LOST;
    f->slot_count = after->slots.count;
    f->instance_of = instance_of;
    f->node_count = after->nodes.count;
    f->reg_count = after->regs.count;
}

// What takes several instructions has the first in its place and the others behind the old nodes.
void follow_split_slots(Follower *f, const Func *before, const Func *after, const SplitHint *hint) {
    uint32_t next = 0, now = 0;
    if (f->slot_now) f->stage = STAGE_LOST; // once is all that is followed
    f->slots_before = before->slots.count;
    f->slot_now = follow_table(f->arena, before->slots.count);
    f->field_reg = before->regs.count;
    for (uint32_t s = 0; s < before->slots.count; s++) {
        bool split = next < hint->slots.count && hint->slots.at[next].i == s;
        next += split;
        if (!split) f->slot_now[s] = now++;
        vec_push(f->arena, &f->slot_sizes, (uint32_t)before->slots.at[s].size);
    }
    for (uint32_t i = 0; i < hint->fields.count; i++)
        vec_push(f->arena, &f->fields, hint->fields.at[i]);
    uint32_t *instance_of = follow_table(f->arena, after->nodes.count);
    memcpy(instance_of, f->instance_of, before->nodes.count * sizeof *instance_of);
    for (uint32_t n = 0; n < before->nodes.count; n++) {
        const Instr *instr = &after->nodes.at[n];
        while (instr->succ_count == 1 && instr->succ[0].i >= before->nodes.count) {
            instance_of[instr->succ[0].i] = instance_of[n];
            instr = func_at(after, instr->succ[0]);
        }
    }
    f->instance_of = instance_of;
    f->node_count = after->nodes.count;
    f->reg_count = after->regs.count;
}

// Each node is a copy of one that was there.
static void follow_duplicates(Follower *f, const Func *after, const CopiesHint *hint) {
    uint32_t *instance_of = ARENA_ARRAY(f->arena, uint32_t, after->nodes.count);
    for (uint32_t n = 0; n < after->nodes.count; n++)
        instance_of[n] = f->instance_of[hint->old.at[n].i];
    f->instance_of = instance_of;
    f->node_count = after->nodes.count;
}

void follow_invert_loops(Follower *f, const Func *before, const Func *after,
                         const CopiesHint *hint) {
    (void)before;
    follow_duplicates(f, after, hint);
}

void follow_unroll_loops(Follower *f, const Func *before, const Func *after,
                         const CopiesHint *hint) {
    (void)before;
    follow_duplicates(f, after, hint);
}

void follow_normalize(Follower *f, const Func *before, const Func *after, const CopiesHint *hint) {
    uint32_t *instance_of = ARENA_ARRAY(f->arena, uint32_t, after->nodes.count);
    for (uint32_t n = 0; n < after->nodes.count; n++) {
        uint32_t old = hint->old.at[n].i;
        instance_of[n] = old < before->nodes.count ? f->instance_of[old] : NO_ID;
    }
    f->instance_of = instance_of;
    f->node_count = after->nodes.count;
}

void follow_ssa_build(Follower *f, const Func *before, const Func *after, const SsaHint *hint) {
    follow_source(f, before, after, hint);
    f->stage = STAGE_SSA;
}
