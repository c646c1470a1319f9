// Each register of the function lives in a spill. Around an instruction its operands are
// loaded into registers that its constraints allow, and its results stored. The loads of one
// instruction go to different registers, so their order does not matter.
//
// A register that one block alone sets and then reads gives its spill to others behind its last
// use; most do, and frames without that are many times as large. All others, and what is needed
// behind a call that returns twice, have a spill of their own.
//
// Around a call that returns twice, registers whose spills are written again are copied
// (allocate_again.h): to a spill that only this call uses, or, if the call may be made again before
// it returns the last time, to a machine register that calls keep. If there are not enough of
// those, the checker says so.
#include "mach/allocate_again.h"
#include "mach/allocate_writer.h"

typedef struct {
    Writer writer;
    MachineRegSet allowed[CLASS_LIMIT]; // by class
    uint32_t *spill;                    // register of the function -> its spill; NO_ID: none yet
    uint32_t *
        last; // register of the function -> the instruction behind which its spill is free; NO_ID: none
    VEC(uint32_t) free[2]; // spills that are, of 8 bytes and of 16
    MachConstraints needs; // of the instruction at hand
    VEC(Place) list;       // its list
    VEC(Place) places;     // one per operand
    VEC(Reg) regs;         // the operand's register
    Again again;
    VEC(Place) copies; // per register needed behind the call at hand: where it is copied to
} Plain;

// ---- Spills

// Notes that an instruction uses or sets a register. A register that a block reads before setting
// it comes from elsewhere.
static void note_use(Plain *plain, uint32_t *home, Place place, uint32_t block, uint32_t at,
                     bool sets) {
    if (place.i == NO_ID) return;
    Reg reg = place_reg(place);
    bool first = home[reg.i] == NO_ID;
    bool local = first ? sets : home[reg.i] == block && plain->last[reg.i] != NO_ID;
    home[reg.i] = block;
    plain->last[reg.i] = local ? at : NO_ID;
}

static void find_last_uses(Plain *plain) {
    const Func *func = plain->writer.from;
    uint32_t *home = ARENA_ARRAY(plain->writer.scratch, uint32_t, func->regs.count);
    for (uint32_t r = 0; r < func->regs.count; r++) home[r] = plain->last[r] = NO_ID;
    for (uint32_t b = 0; b < func->mach->blocks.count; b++) {
        const MachBlock *block = mach_block(func, b);
        for (uint32_t at = block->first; at < block->first + block->count; at++) {
            const MachInstr *instr = mach_at(func, at);
            for (uint32_t k = 0; k < mach_read_count(instr); k++)
                note_use(plain, home, mach_read_at(func, instr, k), b, at, false);
            for (uint32_t k = 0; k < mach_set_count(instr); k++)
                note_use(plain, home, mach_set_at(func, instr, k), b, at, true);
        }
    }
    for (uint32_t k = 0; k < plain->again.needed.count; k++)
        plain->last[plain->again.needed.at[k].i] = NO_ID;
}

static Place spill_of(Plain *plain, Reg reg) {
    Type type = reg_type(plain->writer.from, reg);
    uint32_t *spill = &plain->spill[reg.i];
    uint32_t large = type == TYPE_F80;
    if (*spill == NO_ID && plain->last[reg.i] != NO_ID && plain->free[large].count > 0)
        *spill = plain->free[large].at[--plain->free[large].count];
    if (*spill == NO_ID) *spill = writer_spill(&plain->writer, type);
    return place_spill(*spill);
}

// Behind an instruction with these operands.
static void free_spills(Plain *plain, uint32_t at) {
    for (uint32_t k = 0; k < plain->regs.count; k++) {
        Reg reg = plain->regs.at[k];
        uint32_t large = reg_type(plain->writer.from, reg) == TYPE_F80;
        if (plain->last[reg.i] != at || plain->spill[reg.i] == NO_ID) continue;
        vec_push(plain->writer.scratch, &plain->free[large], plain->spill[reg.i]);
        plain->spill[reg.i] = NO_ID; // an operand that stands there twice gives it once
    }
}

// ---- Operands

// A register of a class outside of a set, best one that need not be saved.
static Place free_register(const Plain *plain, MachClass reg_class, MachineRegSet taken) {
    MachineRegSet free = regs_without(plain->allowed[reg_class], taken);
    MachineRegSet lost = plain->writer.to->program->target->caller_saved;
    MachineReg reg = regs_next(regs_meet(free, lost) ? regs_and(free, lost) : free, 0);
    if (reg == MACHINE_REG_LIMIT) fatal("no register is left for an operand");
    return place_machine(reg);
}

static void take(MachineRegSet *taken, Place place) {
    if (place_is_machine(place)) regs_add(taken, place_index(place));
}

// Chooses places for the uses; yields the registers that are taken.
static MachineRegSet choose_uses(Plain *plain) {
    const MachConstraints *needs = &plain->needs;
    MachineRegSet taken = needs->clobbers;
    for (uint32_t k = 0; k < needs->operands.count; k++)
        if (needs->operands.at[k].fixed != MACHINE_REG_LIMIT)
            regs_add(&taken, needs->operands.at[k].fixed);
    for (uint32_t k = 0; k < needs->operands.count; k++) {
        const MachOperand *operand = &needs->operands.at[k];
        if (operand->role != MO_USE) continue;
        Place place = NO_PLACE;
        if (operand->reg_class == CLASS_MEMORY)
            place = spill_of(plain, plain->regs.at[k]);
        else if (operand->fixed != MACHINE_REG_LIMIT)
            place = place_machine(operand->fixed);
        else
            place = free_register(plain, operand->reg_class, taken);
        plain->places.at[k] = place;
        take(&taken, place);
    }
    return taken;
}

static void choose_results(Plain *plain, MachineRegSet taken) {
    const MachConstraints *needs = &plain->needs;
    for (uint32_t k = 0; k < needs->operands.count; k++) {
        const MachOperand *operand = &needs->operands.at[k];
        if (operand->role != MO_DEF) continue;
        Place place = NO_PLACE;
        if (operand->reg_class == CLASS_MEMORY)
            place = spill_of(plain, plain->regs.at[k]);
        else if (operand->fixed != MACHINE_REG_LIMIT)
            place = place_machine(operand->fixed);
        else if (needs->tied != NO_SOURCE &&
                 needs->operands.at[needs->tied].fixed == MACHINE_REG_LIMIT)
            place = plain->places.at[needs->tied];
        else
            place = free_register(plain, operand->reg_class, taken);
        plain->places.at[k] = place;
        take(&taken, place);
    }
}

static void move_operands(Plain *plain, MachRole role) {
    for (uint32_t k = 0; k < plain->places.count; k++) {
        Place place = plain->places.at[k];
        if (plain->needs.operands.at[k].role != role || !place_is_machine(place)) continue;
        Place spill = spill_of(plain, plain->regs.at[k]);
        Type type = reg_type(plain->writer.from, plain->regs.at[k]);
        if (role == MO_USE)
            writer_move(&plain->writer, place, spill, type);
        else
            writer_move(&plain->writer, spill, place, type);
    }
}

// ---- Calls that return twice

static Type integer_like(Type type) {
    return type == TYPE_I32 || type == TYPE_F32 ? TYPE_I32 : TYPE_I64;
}

// From one spill to another place, or back.
static void copy(Plain *plain, Place dest, Place src, Type type) {
    bool direct = type == TYPE_F80 || place_is_machine(dest) || place_is_machine(src);
    Place scratch = place_machine(plain->writer.to->program->target->scratch);
    if (type != TYPE_F80) type = integer_like(type);
    if (!direct) writer_move(&plain->writer, scratch, src, type);
    writer_move(&plain->writer, dest, direct ? src : scratch, type);
}

// Where a register is safe until the call has returned the last time; NO_PLACE if nowhere.
static Place safe_place(Plain *plain, uint32_t call, Type type, MachineRegSet *taken) {
    if (plain->again.once[plain->again.rank[plain->again.calls[call].block]] == 1)
        return place_spill(writer_spill(&plain->writer, type));
    MachineRegSet lost = regs_or(regs_or(plain->needs.killed, plain->needs.clobbers), *taken);
    MachineRegSet saved = plain->writer.to->program->target->callee_saved;
    MachineReg reg =
        regs_next(regs_without(regs_and(plain->allowed[CLASS_GENERAL], saved), lost), 0);
    if (reg == MACHINE_REG_LIMIT || type == TYPE_F80) return NO_PLACE;
    regs_add(taken, reg);
    return place_machine(reg);
}

static const Reg *needed_behind(const Plain *plain, uint32_t call, uint32_t *count) {
    if (!plain->again.calls) return *count = 0, NULL;
    *count = plain->again.calls[call].count;
    return plain->again.needed.at + plain->again.calls[call].first;
}

static void save_copies(Plain *plain, uint32_t call) {
    uint32_t count;
    const Reg *regs = needed_behind(plain, call, &count);
    MachineRegSet taken = NO_REGS;
    vec_clear(&plain->copies);
    for (uint32_t k = 0; k < count; k++) {
        Place place = NO_PLACE;
        Type type = reg_type(plain->writer.from, regs[k]);
        if (bits_has(&plain->again.copied, regs[k].i) && plain->again.constant[regs[k].i] == NO_ID)
            place = safe_place(plain, call, type, &taken);
        if (place.i != NO_ID) copy(plain, place, spill_of(plain, regs[k]), type);
        vec_push(plain->writer.scratch, &plain->copies, place);
    }
}

static void bring_back(Plain *plain, uint32_t call) {
    uint32_t count;
    const Reg *regs = needed_behind(plain, call, &count);
    for (uint32_t k = 0; k < count; k++) {
        Type type = reg_type(plain->writer.from, regs[k]);
        uint32_t constant = plain->again.constant[regs[k].i];
        if (plain->copies.at[k].i != NO_ID) {
            copy(plain, spill_of(plain, regs[k]), plain->copies.at[k], type);
        } else if (constant != NO_ID && bits_has(&plain->again.copied, regs[k].i)) {
            Place scratch = place_machine(plain->writer.to->program->target->scratch);
            writer_remake(&plain->writer, scratch, constant);
            copy(plain, spill_of(plain, regs[k]), scratch, type);
        }
    }
}

// ---- Instructions

// The constraints point to places in the instruction and the list of the unbounded function; those
// of the list are found again in the copy.
static void write_instr(Plain *plain, uint32_t at) {
    const Func *func = plain->writer.from;
    Arena *scratch = plain->writer.scratch;
    MachInstr instr = *mach_at(func, at);
    uint32_t length = instr.results + instr.arguments;
    const Place *list = length ? mach_results(func, &instr) : NULL;
    vec_clear(&plain->list);
    for (uint32_t k = 0; k < length; k++) vec_push(scratch, &plain->list, list[k]);
    mach_constraints(scratch, func, &instr, &plain->needs);
    uint32_t count = plain->needs.operands.count;
    vec_clear(&plain->places);
    vec_clear(&plain->regs);
    for (uint32_t k = 0; k < count; k++) {
        vec_push(scratch, &plain->places, NO_PLACE);
        vec_push(scratch, &plain->regs, place_reg(*plain->needs.operands.at[k].place));
    }
    choose_results(plain, choose_uses(plain));
    for (uint32_t k = 0; k < count; k++) {
        Place *place = plain->needs.operands.at[k].place;
        if (length && place >= list && place < list + length)
            plain->list.at[place - list] = plain->places.at[k];
        else
            *place = plain->places.at[k];
    }
    save_copies(plain, at);
    move_operands(plain, MO_USE);
    writer_instr(&plain->writer, at, instr, length ? plain->list.at : NULL);
    move_operands(plain, MO_DEF);
    bring_back(plain, at);
    free_spills(plain, at);
}

Func *allocate_plain(Arena *arena, const Func *func, AllocateHint *hint) {
    Arena *scratch = arena_new("allocate");
    Plain plain = {.writer = writer_new(scratch, arena, func, hint)};
    plain.spill = ARENA_ARRAY(scratch, uint32_t, func->regs.count);
    for (uint32_t r = 0; r < func->regs.count; r++) plain.spill[r] = NO_ID;
    for (uint32_t reg_class = 0; reg_class < func->program->target->class_count; reg_class++)
        plain.allowed[reg_class] = mach_class_set(func, (MachClass)reg_class);
    plain.again = again_of(scratch, func);
    plain.last = ARENA_ARRAY(scratch, uint32_t, func->regs.count);
    find_last_uses(&plain);
    for (uint32_t b = 0; b < func->mach->blocks.count; b++) {
        const MachBlock *block = mach_block(func, b);
        if (plain.again.calls) vec_push(arena, &hint->rank, plain.again.rank[b]);
        writer_open(&plain.writer, b);
        for (uint32_t k = 0; k < block->count; k++) write_instr(&plain, block->first + k);
        mach_end(plain.writer.to, mach_succs(func, block), block->succ_count);
    }
    arena_free(scratch);
    return plain.writer.to;
}
