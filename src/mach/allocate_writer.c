// Puts together the allocated function, and sequences moves that act at once. First come moves to
// spills, since no move of the group needs a spill's old contents. Then come moves from register to
// register, each as soon as no other move needs the contents of its destination. Last come moves
// from spills and values that are made again. The second step leaves cycles. In general registers
// an exchange shortens a cycle by one; vector registers have no exchange and go through a spill.
#include "mach/allocate_writer.h"

#include "fact/calls.h"

#include <stdlib.h>

Writer writer_new(Arena *scratch, Arena *arena, const Func *from, AllocateHint *hint) {
    *hint = (AllocateHint){0};
    return (Writer){.scratch = scratch,
                    .from = from,
                    .to = mach_like(from, arena, true),
                    .hint = hint,
                    .swap_spill = NO_ID};
}

uint32_t writer_spill(Writer *writer, Type type) {
    Mach *mach = writer->to->mach;
    vec_push(writer->to->arena, &mach->spills, (MachSpill){.size = type == TYPE_F80 ? 16 : 8});
    return mach->spills.count - 1;
}

void writer_open(Writer *writer, uint32_t origin) {
    mach_open(writer->to);
    vec_push(writer->to->arena, &writer->hint->block_origin, origin);
}

static void add(Writer *writer, uint32_t origin, MachInstr instr) {
    mach_add(writer->to, instr);
    vec_push(writer->to->arena, &writer->hint->origin, origin);
}

static void save(Writer *writer, Place place) {
    MachineRegSet saved = writer->to->program->target->callee_saved;
    if (place_is_machine(place) && regs_has(saved, place_index(place)))
        regs_add(&writer->to->mach->saved, place_index(place));
}

void writer_instr(Writer *writer, uint32_t origin, MachInstr instr, const Place *list) {
    const TargetModel *target = writer->to->program->target;
    save(writer, instr.dest);
    for (uint32_t k = 0; k < instr.results; k++) save(writer, list[k]);
    if (list)
        mach_set_list(writer->to, &instr, list, instr.results, list + instr.results,
                      instr.arguments);
    MachineRegSet lost = NO_REGS;
    if (instr.kind == MK_BUILTIN && builtin_info(instr.op)->form == BIF_ASM)
        lost = writer->to->program->asms.at[instr.imm].destroys;
    if (mach_call_destroys_all(writer->to->program, &instr)) {
        lost = regs_without(target->callee_saved, writer->to->program->reserved);
        regs_remove(&lost, target->frame);
    }
    regs_add_all(&writer->to->mach->saved, regs_and(lost, target->callee_saved));
    add(writer, origin, instr);
}

static void two_places(Writer *writer, MachKind kind, Place dest, Place src, Type type) {
    MachInstr instr = mach_instr(kind);
    if (kind == MK_MOVE) instr.op = (uint16_t)op_move(type);
    instr.dest = dest;
    instr.src[0] = src;
    save(writer, dest);
    add(writer, NO_ID, instr);
}

void writer_move(Writer *writer, Place dest, Place src, Type type) {
    two_places(writer, MK_MOVE, dest, src, type);
}

void writer_jump(Writer *writer) {
    add(writer, NO_ID, mach_instr(MK_JUMP));
}

typedef struct {
    Place
        source[MACHINE_REG_LIMIT]; // of the pending move into a register; NO_PLACE if there is none
    uint8_t type[MACHINE_REG_LIMIT];
    uint32_t readers[MACHINE_REG_LIMIT]; // how many pending moves read a register
} PendingMoves;

static void move_and_release(Writer *writer, PendingMoves *pending, uint32_t reg) {
    // Each move may make the way free for the one into the register that it read.
    while (pending->source[reg].i != NO_ID && pending->readers[reg] == 0) {
        Place source = pending->source[reg];
        writer_move(writer, place_machine(reg), source, pending->type[reg]);
        pending->source[reg] = NO_PLACE;
        reg = place_index(source);
        pending->readers[reg]--;
    }
}

// A cycle: every register in it is read by one pending move.
static void turn_cycle(Writer *writer, PendingMoves *pending, uint32_t reg) {
    if (!regs_has(writer->to->program->target->exchanged, reg)) {
        if (writer->swap_spill == NO_ID) writer->swap_spill = writer_spill(writer, TYPE_F64);
        Place spill = place_spill(writer->swap_spill), source = pending->source[reg];
        uint8_t type = pending->type[reg];
        writer_move(writer, spill, source, type);
        pending->source[reg] = NO_PLACE;
        pending->readers[place_index(source)]--;
        move_and_release(writer, pending, place_index(source));
        writer_move(writer, place_machine(reg), spill, type);
        return;
    }
    while (place_index(pending->source[reg]) != reg) {
        Place source = pending->source[reg];
        uint32_t next = place_index(source);
        two_places(writer, MK_EXCHANGE, place_machine(reg), source, TYPE_I64);
        // The source now holds what reg held, which the rest of the cycle wants.
        pending->source[reg] = NO_PLACE;
        pending->readers[next] = 0;
        for (uint32_t r = next;; r = place_index(pending->source[r]))
            if (place_index(pending->source[r]) == reg) {
                pending->source[r] = source;
                break;
            }
        reg = next;
    }
    pending->source[reg] = NO_PLACE;
    pending->readers[reg] = 0;
}

static bool is_between_registers(const PlaceMove *move) {
    return place_is_machine(move->dest) && place_is_machine(move->src) &&
           move->dest.i != move->src.i;
}

static void move_registers(Writer *writer, const MoveList *moves) {
    MachineRegSet written = NO_REGS;
    for (uint32_t k = 0; k < moves->count; k++)
        if (is_between_registers(&moves->at[k])) regs_add(&written, place_index(moves->at[k].dest));
    if (!regs_any(written)) return;
    PendingMoves pending = {.readers = {0}};
    for (uint32_t r = 0; r < MACHINE_REG_LIMIT; r++) pending.source[r] = NO_PLACE;
    for (uint32_t k = 0; k < moves->count; k++) {
        const PlaceMove *move = &moves->at[k];
        if (!is_between_registers(move)) continue;
        pending.source[place_index(move->dest)] = move->src;
        pending.type[place_index(move->dest)] = move->type;
        pending.readers[place_index(move->src)]++;
    }
    MachineReg reg;
    for (reg = 0; (reg = regs_next(written, reg)) < MACHINE_REG_LIMIT; reg++)
        move_and_release(writer, &pending, reg);
    for (reg = 0; (reg = regs_next(written, reg)) < MACHINE_REG_LIMIT; reg++)
        if (pending.source[reg].i != NO_ID) turn_cycle(writer, &pending, reg);
}

void writer_remake(Writer *writer, Place dest, uint32_t from) {
    MachInstr instr = *mach_at(writer->from, from);
    instr.dest = dest;
    save(writer, dest);
    add(writer, NO_ID, instr);
}

void writer_moves(Writer *writer, MoveList *moves) {
    for (uint32_t k = 0; k < moves->count; k++) {
        const PlaceMove *move = &moves->at[k];
        if (place_is_spill(move->dest) && move->dest.i != move->src.i)
            writer_move(writer, move->dest, move->src, move->type);
    }
    move_registers(writer, moves);
    for (uint32_t k = 0; k < moves->count; k++) {
        const PlaceMove *move = &moves->at[k];
        if (!place_is_machine(move->dest)) continue;
        if (move->src.i == NO_ID)
            writer_remake(writer, move->dest, move->remake);
        else if (place_is_spill(move->src))
            writer_move(writer, move->dest, move->src, move->type);
    }
    vec_clear(moves);
}

// ---- The order of spills

typedef struct {
    uint32_t spill, uses;
} SpillUses;

// The spills with more uses first, of equal ones the earlier.
static int compare_uses(const void *a, const void *b) {
    const SpillUses *x = a, *y = b;
    if (x->uses != y->uses) return x->uses > y->uses ? -1 : 1;
    return x->spill < y->spill ? -1 : 1;
}

// Calls for the places of all instructions that may be spills.
static void each_place(Writer *writer, uint32_t *table, void (*visit)(Place *, uint32_t *)) {
    Mach *mach = writer->to->mach;
    for (uint32_t i = 0; i < mach->code.count; i++) {
        visit(&mach->code.at[i].dest, table);
        for (uint32_t k = 0; k < MACH_SOURCES; k++) visit(&mach->code.at[i].src[k], table);
    }
    for (uint32_t k = 0; k < mach->lists.count; k++) visit(&mach->lists.at[k], table);
}

static void count_use(Place *place, uint32_t *uses) {
    if (place_is_spill(*place)) uses[place_index(*place)]++;
}

static void renumber(Place *place, uint32_t *number) {
    if (place_is_spill(*place)) *place = place_spill(number[place_index(*place)]);
}

void writer_order_spills(Writer *writer, uint32_t from) {
    enum { FEW = 8 };
    uint32_t count = writer->to->mach->spills.count;
    if (count < FEW) return;
    uint32_t *uses = ARENA_ARRAY(writer->scratch, uint32_t, count);
    uint32_t *number = ARENA_ARRAY(writer->scratch, uint32_t, count);
    SpillUses *order = ARENA_ARRAY(writer->scratch, SpillUses, count);
    each_place(writer, uses, count_use);
    for (uint32_t k = 0; k < count; k++) order[k] = (SpillUses){k, uses[k]};
    qsort(order + from, count - from, sizeof *order, compare_uses);
    for (uint32_t k = 0; k < count; k++) number[order[k].spill] = k;
    each_place(writer, number, renumber);
}
