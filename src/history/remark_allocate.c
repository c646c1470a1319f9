// Remarks on register allocation: the place of each value, the moves that were added with the
// registers that they move, and the moves that were removed.
//
// The hint links instructions to old instructions; operands stay in order, so places and registers
// are compared one by one. An added move carries a register. A walk forward finds the register that
// the source of the move holds. If the source is a spill, a walk backward from the next reader of
// the destination finds the register instead. Only the few machine registers are followed, so the
// time is that of a few walks over the code.
#include "form/mach.h"
#include "history/history_private.h"
#include "target/model.h"

// Per machine register: what it holds, by its register before allocation; NO_ID: nothing known.
typedef struct {
    uint32_t reg[MACHINE_REG_LIMIT];
} Holding;

typedef struct {
    StepNotes *notes;
    const AllocateHint *hint;
    const Func *before, *after;
    const Mach *mach;            // of `after`
    uint32_t *then_of, *item_of; // per instruction: its item
    uint32_t
        *carried; // per instruction that was put in: the register before that it is about, or NO_ID
    uint32_t *near;      // per instruction: an item before, of what is next to it
    uint32_t *destroyer; // per instruction: the next one of its block that is a call, or NO_ID
    bool *there;         // per instruction before: it is still there, or made again
    Map made_of;         // node -> an instruction before that has it and computes, and
    uint32_t *next_made; // per instruction before: the next one, or NO_ID
    Holding *starts;     // per block: what is held, or wanted, there
    MachConstraints constraints;
} AllocateNotes;

static const MachInstr *origin_of(const AllocateNotes *a, uint32_t at) {
    uint32_t origin = a->hint->origin.at[at];
    return origin == NO_ID ? NULL : mach_at(a->before, origin);
}

static const char *place_text(const AllocateNotes *a, Place place) {
    if (place_is_machine(place))
        return target_register_name(a->after->program->target, place_index(place));
    return arena_printf(a->notes->scratch, "spill s%u", place_index(place));
}

static const char *name_of(const AllocateNotes *a, uint32_t reg) {
    return history_reg(a->notes, a->before, (Reg){reg});
}

static bool is_register(Place place) {
    return place.i != NO_ID && place_is_machine(place);
}

static uint32_t held_in(const Holding *holding, Place place) {
    return is_register(place) ? holding->reg[place_index(place)] : NO_ID;
}

static void put_in(Holding *holding, Place place, uint32_t reg) {
    if (is_register(place)) holding->reg[place_index(place)] = reg;
}

static Holding nothing(void) {
    Holding holding;
    for (uint32_t r = 0; r < MACHINE_REG_LIMIT; r++) holding.reg[r] = NO_ID;
    return holding;
}

// ---- What registers hold, going forward

static void go_over(AllocateNotes *a, uint32_t at, Holding *holding) {
    const MachInstr *now = mach_at(a->after, at), *then = origin_of(a, at);
    if (!then && now->kind == MK_EXCHANGE) {
        uint32_t held = held_in(holding, now->src[0]);
        put_in(holding, now->src[0], held_in(holding, now->dest));
        put_in(holding, now->dest, held);
        return;
    }
    if (!then && now->kind == MK_MOVE) {
        put_in(holding, now->dest, held_in(holding, now->src[0]));
        return;
    }
    mach_constraints(a->notes->scratch, a->after, now, &a->constraints);
    MachineRegSet destroyed = regs_or(a->constraints.killed, a->constraints.clobbers);
    for (uint32_t r = 0; r < MACHINE_REG_LIMIT; r++)
        if (regs_has(destroyed, r)) holding->reg[r] = NO_ID;
    for (uint32_t k = 0; k < mach_set_count(now); k++) {
        Place before = then ? mach_set_at(a->before, then, k) : NO_PLACE;
        put_in(holding, mach_set_at(a->after, now, k), before.i);
    }
}

// Keeps what both hold; whether that is less than before.
static bool meet(Holding *holding, const Holding *other) {
    bool changed = false;
    for (uint32_t r = 0; r < MACHINE_REG_LIMIT; r++)
        if (holding->reg[r] != NO_ID && holding->reg[r] != other->reg[r]) {
            holding->reg[r] = NO_ID;
            changed = true;
        }
    return changed;
}

static void flow_forward(AllocateNotes *a) {
    uint32_t count = a->mach->blocks.count;
    Bits seen = bits_new(a->notes->scratch, count), waiting = bits_new(a->notes->scratch, count);
    for (uint32_t b = 0; b < count; b++) a->starts[b] = nothing();
    bits_add(&seen, 0);
    bits_add(&waiting, 0);
    for (uint32_t b = 0; (b = bits_next(&waiting, 0)) < count;) {
        const MachBlock *block = mach_block(a->after, b);
        Holding now = a->starts[b];
        bits_remove(&waiting, b);
        for (uint32_t i = 0; i < block->count; i++) go_over(a, block->first + i, &now);
        for (uint32_t k = 0; k < block->succ_count; k++) {
            uint32_t succ = mach_succs(a->after, block)[k];
            bool first = bits_put(&seen, succ);
            if (first) a->starts[succ] = now;
            if (meet(&a->starts[succ], &now) || first) bits_add(&waiting, succ);
        }
    }
}

static void carry_forward(AllocateNotes *a) {
    flow_forward(a);
    for (uint32_t b = 0; b < a->mach->blocks.count; b++) {
        const MachBlock *block = mach_block(a->after, b);
        Holding now = a->starts[b];
        for (uint32_t i = block->first; i < block->first + block->count; i++) {
            const MachInstr *instr = mach_at(a->after, i);
            if (!origin_of(a, i)) a->carried[i] = held_in(&now, instr->src[0]);
            go_over(a, i, &now);
        }
    }
}

// ---- By what name it is read next, going backward

static void go_back_over(AllocateNotes *a, uint32_t at, Holding *wanted) {
    const MachInstr *now = mach_at(a->after, at), *then = origin_of(a, at);
    if (!then && now->kind == MK_EXCHANGE) {
        uint32_t name = held_in(wanted, now->src[0]);
        put_in(wanted, now->src[0], held_in(wanted, now->dest));
        put_in(wanted, now->dest, name);
        return;
    }
    uint32_t name = held_in(wanted, now->dest);
    for (uint32_t k = 0; k < mach_set_count(now); k++)
        put_in(wanted, mach_set_at(a->after, now, k), NO_ID);
    if (!then && now->kind == MK_MOVE && name != NO_ID) put_in(wanted, now->src[0], name);
    for (uint32_t k = 0; then && k < mach_read_count(now); k++) {
        Place place = mach_read_at(a->after, now, k), reg = mach_read_at(a->before, then, k);
        if (place.i != NO_ID && reg.i != NO_ID) put_in(wanted, place, reg.i);
    }
}

// What is wanted at the end of a block: by any of those behind it.
static Holding wanted_behind(const AllocateNotes *a, const MachBlock *block) {
    Holding wanted = nothing();
    for (uint32_t k = 0; k < block->succ_count; k++) {
        const Holding *next = &a->starts[mach_succs(a->after, block)[k]];
        for (uint32_t r = 0; r < MACHINE_REG_LIMIT; r++)
            if (wanted.reg[r] == NO_ID) wanted.reg[r] = next->reg[r];
    }
    return wanted;
}

// Twice: what is read only in another round of a loop is known the second time.
static void carry_backward(AllocateNotes *a) {
    enum { ROUNDS = 2 };
    for (uint32_t b = 0; b < a->mach->blocks.count; b++) a->starts[b] = nothing();
    for (uint32_t round = 0; round < ROUNDS; round++)
        for (uint32_t b = a->mach->blocks.count; b-- > 0;) {
            const MachBlock *block = mach_block(a->after, b);
            Holding wanted = wanted_behind(a, block);
            for (uint32_t i = block->first + block->count; i-- > block->first;) {
                const MachInstr *instr = mach_at(a->after, i);
                if (!origin_of(a, i) && a->carried[i] == NO_ID)
                    a->carried[i] = held_in(&wanted, instr->dest);
                go_back_over(a, i, &wanted);
            }
            a->starts[b] = wanted;
        }
}

// ---- Remarks

// Where the results of an instruction are.
static void remark_places(AllocateNotes *a, uint32_t at) {
    enum { MOST = 6 };
    const MachInstr *now = mach_at(a->after, at), *then = origin_of(a, at);
    uint32_t named = 0, count = mach_set_count(then);
    Out out = {0};
    for (uint32_t k = 0; k < count && named < MOST; k++) {
        Place reg = mach_set_at(a->before, then, k), place = mach_set_at(a->after, now, k);
        if (reg.i == NO_ID || place.i == NO_ID) continue;
        out_printf(&out, "%s%s is in %s", named++ ? ", " : "", name_of(a, reg.i),
                   place_text(a, place));
    }
    if (named)
        history_remark(a->notes, REMARK_PLACED, a->then_of[a->hint->origin.at[at]], a->item_of[at],
                       NO_ID, "%.*s", (int)out.length, out.text);
    out_free(&out);
}

// A value goes to memory: because a call destroys its register, or because others need that.
static void remark_spill(AllocateNotes *a, uint32_t at, const char *name) {
    const MachInstr *instr = mach_at(a->after, at);
    MachineReg from = (MachineReg)place_index(instr->src[0]);
    const TargetModel *target = a->after->program->target;
    uint32_t call = a->destroyer[at];
    if (call != NO_ID && !regs_has(target->callee_saved, from))
        history_remark(a->notes, REMARK_SPILLED, NO_ID, a->item_of[at], a->near[at],
                       "%s is spilled to s%u: the call at instruction %u destroys %s", name,
                       place_index(instr->dest), call, target_register_name(target, from));
    else
        history_remark(a->notes, REMARK_SPILLED, NO_ID, a->item_of[at], a->near[at],
                       "%s is spilled to s%u, for where no register is left for it", name,
                       place_index(instr->dest));
}

static void remark_move(AllocateNotes *a, uint32_t at) {
    const MachInstr *instr = mach_at(a->after, at);
    const char *name = a->carried[at] == NO_ID ? "a value" : name_of(a, a->carried[at]);
    if (place_is_spill(instr->dest) && place_is_machine(instr->src[0]))
        remark_spill(a, at, name);
    else if (place_is_spill(instr->src[0]) && place_is_machine(instr->dest))
        history_remark(a->notes, REMARK_SPILLED, NO_ID, a->item_of[at], a->near[at],
                       "%s is loaded from spill s%u to %s, where it is needed", name,
                       place_index(instr->src[0]), place_text(a, instr->dest));
    else
        history_remark(a->notes, place_is_spill(instr->src[0]) ? REMARK_SPILLED : REMARK_ADDED,
                       NO_ID, a->item_of[at], a->near[at],
                       "%s goes from %s to %s, where it is needed", name,
                       place_text(a, instr->src[0]), place_text(a, instr->dest));
}

// ---- What is made again

static void find_made(AllocateNotes *a) {
    uint32_t count = a->before->mach->code.count;
    a->there = ARENA_ARRAY(a->notes->scratch, bool, (size_t)count + 1);
    a->next_made = history_table(a->notes->scratch, count);
    for (uint32_t i = 0; i < a->hint->origin.count; i++)
        if (a->hint->origin.at[i] != NO_ID) a->there[a->hint->origin.at[i]] = true;
    for (uint32_t i = count; i-- > 0;) {
        const MachInstr *instr = mach_at(a->before, i);
        if (instr->kind != MK_OP && instr->kind != MK_LEA) continue;
        uint32_t first = map_get(&a->made_of, instr->node);
        a->next_made[i] = first == HASH_NONE ? NO_ID : first;
        map_set(a->notes->scratch, &a->made_of, instr->node, i);
    }
}

// The instruction before that one which was put in does again; NO_ID if there is none.
static uint32_t made_again(const AllocateNotes *a, const MachInstr *instr) {
    enum { MOST = 256 };
    uint32_t first = map_get(&a->made_of, instr->node), steps = 0;
    for (uint32_t i = first == HASH_NONE ? NO_ID : first; i != NO_ID && steps++ < MOST;
         i = a->next_made[i])
        if (mach_same_but_places(mach_at(a->before, i), instr)) return i;
    return NO_ID;
}

static void remark_made(AllocateNotes *a, uint32_t at) {
    const MachInstr *instr = mach_at(a->after, at);
    const char *place = instr->dest.i == NO_ID ? "its place" : place_text(a, instr->dest);
    uint32_t origin = made_again(a, instr);
    uint32_t then = origin == NO_ID ? NO_ID : a->then_of[origin];
    if (then == NO_ID) {
        history_remark(a->notes, REMARK_ADDED, NO_ID, a->item_of[at], a->near[at],
                       "made again in %s, which costs less than to keep it", place);
        return;
    }
    if (a->there[origin])
        history_part(a->notes, a->item_of[at], then);
    else
        history_same(a->notes, a->item_of[at], then);
    history_remark(a->notes, a->there[origin] ? REMARK_COPIED : REMARK_MOVED, then, a->item_of[at],
                   a->near[at], "made in %s where it is read, which costs less than to keep it",
                   place);
    a->there[origin] = true;
}

static void remark_put_in(AllocateNotes *a, uint32_t at) {
    const MachInstr *instr = mach_at(a->after, at);
    if (instr->kind == MK_MOVE)
        remark_move(a, at);
    else if (instr->kind == MK_EXCHANGE)
        history_remark(a->notes, REMARK_ADDED, NO_ID, a->item_of[at], a->near[at],
                       "two values go to each other's registers, %s and %s",
                       place_text(a, instr->src[0]), place_text(a, instr->dest));
    else if (instr->kind == MK_JUMP)
        history_remark(a->notes, REMARK_ADDED, NO_ID, a->item_of[at], a->near[at],
                       "ends a block that was put in on an edge, for the moves on it");
    else
        remark_made(a, at);
}

static bool is_copy(const MachInstr *instr) {
    return instr->kind == MK_OP && op_is_move(instr->op) && instr->memory == NO_SOURCE &&
           instr->immediate == NO_SOURCE;
}

// What is not there any more: copies within one place, and what nothing reads.
static void remark_gone(AllocateNotes *a) {
    uint32_t count = a->before->mach->code.count;
    for (uint32_t i = 0; i < count; i++) {
        const MachInstr *instr = mach_at(a->before, i);
        if (a->there[i] || a->then_of[i] == NO_ID) continue;
        if (is_copy(instr))
            history_remark(a->notes, REMARK_MERGED, a->then_of[i], NO_ID, NO_ID,
                           "%s and %s are in the same place: no move is needed",
                           name_of(a, instr->dest.i), name_of(a, instr->src[0].i));
        else
            history_remark(a->notes, REMARK_REMOVED, a->then_of[i], NO_ID, NO_ID,
                           "nothing reads it");
    }
}

// Whether an instruction was there and has a place in the source. That with the parameters has
// none.
static bool is_known(const AllocateNotes *a, uint32_t at) {
    const MachInstr *origin = origin_of(a, at);
    return origin && origin->loc;
}

// What goes to a spill belongs to what is before it, everything else that was put in to what comes
// next.
static void find_neighbours(AllocateNotes *a) {
    for (uint32_t b = 0; b < a->mach->blocks.count; b++) {
        const MachBlock *block = mach_block(a->after, b);
        uint32_t call = NO_ID, near = NO_ID;
        for (uint32_t i = block->first + block->count; i-- > block->first;) {
            a->destroyer[i] = call;
            a->near[i] = near;
            if (mach_at(a->after, i)->kind == MK_CALL) call = i;
            if (is_known(a, i)) near = a->then_of[a->hint->origin.at[i]];
        }
        near = NO_ID;
        for (uint32_t i = block->first; i < block->first + block->count; i++) {
            bool stores =
                mach_at(a->after, i)->kind == MK_MOVE && place_is_spill(mach_at(a->after, i)->dest);
            if ((stores || a->near[i] == NO_ID) && near != NO_ID) a->near[i] = near;
            if (is_known(a, i)) near = a->then_of[a->hint->origin.at[i]];
        }
    }
}

static void number_items(uint32_t *of, const FuncItems *items) {
    for (uint32_t it = 0; it < items->count; it++) of[items->at[it].index] = it;
}

void history_allocate(StepNotes *notes, const AllocateHint *hint) {
    uint32_t count = notes->after->mach->code.count;
    Arena *arena = notes->scratch;
    if (hint->origin.count != count) return;
    AllocateNotes a = {.notes = notes,
                       .hint = hint,
                       .before = notes->before,
                       .after = notes->after,
                       .mach = notes->after->mach,
                       .then_of = history_table(arena, notes->before->mach->code.count),
                       .item_of = history_table(arena, count),
                       .carried = history_table(arena, count),
                       .near = history_table(arena, count),
                       .destroyer = history_table(arena, count),
                       .starts = ARENA_ARRAY(arena, Holding, notes->after->mach->blocks.count)};
    number_items(a.then_of, notes->then_items);
    number_items(a.item_of, notes->items);
    find_neighbours(&a);
    carry_forward(&a);
    carry_backward(&a);
    find_made(&a);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t origin = hint->origin.at[i];
        if (origin == NO_ID) {
            remark_put_in(&a, i);
            continue;
        }
        history_same(notes, a.item_of[i], a.then_of[origin]);
        remark_places(&a, i);
    }
    remark_gone(&a);
}
