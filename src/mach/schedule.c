// Chooses the order of machine instructions inside of blocks, before and after allocation.
//
// A core of today looks ahead some hundred instructions and executes each as soon as it can. An
// order still decides two things. Before allocation: how many values need a register at once, and
// which operands can be written over (schedule_backward.c). After allocation: which instructions
// come first where not all can come at once (schedule_forward.c). An order is changed only if it
// gets better by the count of schedule_cost.c; most blocks stay as they are.
#include "pass/pass.h"

#include "fact/calls.h"
#include "mach/schedule_private.h"
#include "target/target.h"

#include <string.h>

// Calls and effects that are seen from outside stay in their places, and nothing moves past them.
static bool is_wall(const Func *func, const MachInstr *instr) {
    return mach_kind_ends((MachKind)instr->kind) || instr->kind == MK_BUILTIN ||
           order_of_mach(func, instr) & (ORDER_CHAINED | ORDER_BARRIER);
}

// Shorter regions, which most are, gain next to nothing.
enum { SHORTEST = 8 };

// Whether a block has a region that may be worth another order.
static bool is_worth_while(const Func *func, const MachBlock *block) {
    uint32_t length = 0;
    for (uint32_t i = block->first; i < block->first + block->count && length < SHORTEST; i++)
        length = is_wall(func, mach_at(func, i)) ? 0 : length + 1;
    return length == SHORTEST;
}

static bool any_is_worth_while(const Func *func) {
    bool any = false;
    for (uint32_t b = 0; b < func->mach->blocks.count && !any; b++)
        any = is_worth_while(func, mach_block(func, b));
    return any;
}

// ---- What is live

static void set_live(MachScheduler *s, Place place, bool live) {
    if (place.i == NO_ID || bits_has(&s->live, place.i) == live) return;
    if (live)
        bits_add(&s->live, place.i);
    else
        bits_remove(&s->live, place.i);
    uint32_t c = s->reg_class[place.i];
    if (c != CLASS_MEMORY) s->pressure[c] += live ? 1 : (uint32_t)-1;
}

static void go_back_over(MachScheduler *s, uint32_t i) {
    const MachInstr *instr = mach_at(s->func, i);
    if (s->allocated) return;
    for (uint32_t k = 0; k < mach_set_count(instr); k++)
        set_live(s, mach_set_at(s->func, instr, k), false);
    for (uint32_t k = 0; k < mach_read_count(instr); k++)
        set_live(s, mach_read_at(s->func, instr, k), true);
}

// ---- Blocks

// The start of the region that ends before an instruction.
static uint32_t region_start(const MachScheduler *s, uint32_t block_first, uint32_t end) {
    uint32_t start = end, accesses = 0;
    while (start > block_first && end - start < REGION_LIMIT) {
        const MachInstr *instr = mach_at(s->func, start - 1);
        if (is_wall(s->func, instr)) break;
        if (mach_effects(instr) & (MAY_READ | MAY_WRITE) && ++accesses > REGION_ACCESSES) break;
        start--;
    }
    return start;
}

// The instruction before a wall stays beside it if the wall asks for its flags.
static bool stays_with_next(const MachScheduler *s, uint32_t i) {
    const MachInstr *instr = mach_at(s->func, i), *next = mach_at(s->func, i + 1);
    return s->timing->leaves_flags(instr) && s->timing->tests_place(next) &&
           instr->dest.i == next->src[0].i;
}

// ---- Regions

typedef struct {
    uint32_t order[REGION_LIMIT];
    OrderCost cost;
    bool changed;
} BestOrder;

// That a branch is decided late costs more, if it was guessed wrongly.
static uint32_t weigh(OrderCost cost) {
    return 2 * cost.decided + cost.slots;
}

// A copy less is worth a change if nothing else is lost. Where only time is gained, the gain must
// be large enough: a core makes up for small losses, and the count is not exact.
static bool is_better(const MachScheduler *s, OrderCost cost, OrderCost than) {
    enum { SHARE = 16 };
    if (cost.shortage != than.shortage) return cost.shortage < than.shortage;
    if (cost.excess > than.excess) return false;
    if (cost.copies != than.copies)
        return cost.copies < than.copies && cost.decided <= than.decided &&
               cost.slots <= than.slots;
    return weigh(cost) + slots_of(s, 2) + weigh(than) / SHARE <= weigh(than);
}

static void try_order(const MachScheduler *s, BestOrder *best, const uint32_t *order) {
    OrderCost cost = order_cost(s, order);
    if (!is_better(s, cost, best->cost)) return;
    memcpy(best->order, order, s->region.count * sizeof *order);
    best->cost = cost;
    best->changed = true;
}

static void try_latency(MachScheduler *s, BestOrder *best) {
    uint32_t order[REGION_LIMIT];
    OrderCost least = least_time(s);
    for (uint32_t deciding = 0; deciding < 2; deciding++) {
        if (deciding ? best->cost.decided <= least.decided : best->cost.slots <= least.slots)
            continue;
        list_forward(s, deciding, order);
        try_order(s, best, order);
    }
}

static void find_order(MachScheduler *s, BestOrder *best) {
    uint32_t order[REGION_LIMIT];
    for (uint32_t i = 0; i < s->region.count; i++) best->order[i] = i;
    best->cost = order_cost(s, best->order);
    best->changed = false;
    if (best->cost.shortage) {
        list_backward(s, true, order);
        try_order(s, best, order);
    }
    try_latency(s, best);
    if (s->allocated || best->cost.copies == 0) return;
    find_wishes(s);
    if (s->region.wishes.count == 0) return;
    list_backward(s, false, order);
    try_order(s, best, order);
    try_latency(s, best);
}

static bool schedule_region(MachScheduler *s, uint32_t b, uint32_t first, uint32_t count,
                            uint32_t *old) {
    if (count < SHORTEST) return false;
    if (s->known != b) mach_accesses_of(&s->accesses, b, &s->ops);
    s->known = b;
    region_build(s, mach_block(s->func, b)->first, first, count);
    BestOrder best;
    find_order(s, &best);
    for (uint32_t k = 0; k < count && best.changed; k++) old[first + k] = first + best.order[k];
    return best.changed;
}

static bool schedule_block(MachScheduler *s, uint32_t b, uint32_t *old) {
    const MachBlock *block = mach_block(s->func, b);
    uint32_t end = block->first + block->count;
    bool changed = false;
    while (end > block->first) {
        uint32_t start = region_start(s, block->first, end);
        if (start == end || stays_with_next(s, end - 1)) {
            go_back_over(s, --end);
            continue;
        }
        changed |= schedule_region(s, b, start, end - start, old);
        while (end > start) go_back_over(s, --end);
    }
    return changed;
}

// ---- The pass

static void start_unbounded(MachScheduler *s) {
    // Registers that fixed operands and moves take for a moment.
    enum { SPARE = 2 };
    const Func *func = s->func;
    uint32_t places = s->accesses.place_count;
    s->reg_class = ARENA_ARRAY(s->arena, uint8_t, places);
    for (uint32_t place = 0; place < places; place++) s->reg_class[place] = CLASS_MEMORY;
    for (uint32_t reg = 0; reg < func->regs.count; reg++)
        s->reg_class[reg] = (uint8_t)func->program->target->class_of(func->regs.at[reg].type);
    s->live = bits_new(s->arena, places);
    // That it can be found in time, the checker of selection has seen; if not, nothing counts as
    // live.
    (void)mach_live(s->arena, func, NULL, &s->starts);
    for (uint32_t c = 0; c < s->class_count; c++) {
        uint32_t count = regs_count(mach_class_set(func, (MachClass)c));
        s->limit[c] = count > SPARE ? count - SPARE : 0;
    }
}

static void set_live_out(MachScheduler *s, uint32_t b, bool live) {
    KeySet out = mach_live_out(&s->starts, s->func, b);
    for (uint64_t reg = 0; (reg = keys_next(&s->starts.keys, out, reg)) != NO_KEY; reg++)
        set_live(s, (Place){(uint32_t)reg}, live);
}

// Forgets what is live, in time that does not depend on the registers of other blocks.
static void end_block(MachScheduler *s, uint32_t b) {
    const MachBlock *block = mach_block(s->func, b);
    set_live_out(s, b, false);
    for (uint32_t i = block->first; i < block->first + block->count; i++) {
        const MachInstr *instr = mach_at(s->func, i);
        for (uint32_t k = 0; k < mach_read_count(instr); k++)
            set_live(s, mach_read_at(s->func, instr, k), false);
    }
}

static Func *write_order(Arena *arena, const Func *func, const uint32_t *old, ScheduleHint *hint) {
    Func *result = func_clone(func, arena);
    uint32_t count = func->mach->code.count;
    for (uint32_t i = 0; i < count; i++) {
        result->mach->code.at[i] = func->mach->code.at[old[i]];
        vec_push(arena, &hint->old, old[i]);
    }
    return result;
}

Func *schedule(Arena *arena, const Func *func, ScheduleHint *hint) {
    // There the checker allows no other order.
    if (func_returns_twice(func) || !any_is_worth_while(func)) return NULL;
    Arena *scratch = arena_new("schedule");
    MachScheduler *s = ARENA_NEW(scratch, MachScheduler);
    s->arena = scratch;
    s->func = func;
    s->timing = target_record(func->program->target)->code->timing;
    s->class_count = func->program->target->class_count;
    s->allocated = func->mach->allocated;
    s->accesses = mach_accesses_new(scratch, func);
    s->known = NO_ID;
    if (!s->allocated) start_unbounded(s);
    s->number = ARENA_ARRAY(scratch, uint32_t, s->accesses.place_count);
    s->number_stamp = ARENA_ARRAY(scratch, uint32_t, s->accesses.place_count);
    s->region.succ_at = ARENA_ARRAY(scratch, uint32_t, REGION_LIMIT + 2);
    uint32_t *old = ARENA_ARRAY(scratch, uint32_t, func->mach->code.count);
    for (uint32_t i = 0; i < func->mach->code.count; i++) old[i] = i;
    bool changed = false;
    for (uint32_t b = 0; b < func->mach->blocks.count; b++) {
        if (!is_worth_while(func, mach_block(func, b))) continue;
        if (!s->allocated) set_live_out(s, b, true);
        changed |= schedule_block(s, b, old);
        if (!s->allocated) end_block(s, b);
    }
    Func *result = changed ? write_order(arena, func, old, hint) : NULL;
    arena_free(scratch);
    return result;
}
