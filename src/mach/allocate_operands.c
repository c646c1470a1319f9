// Reads each instruction's constraints once and keeps the parts that the allocator needs: operands
// in one array, and, for instructions that fix or destroy machine registers, an event.
//
// An operand that has a place of its own, to or from which a move goes, is `apart` from its value:
// a fixed operand, and a result that is written early over a register that is also another operand.
#include "mach/allocate_private.h"

typedef struct {
    Allocator *a;
    uint32_t at;
    const MachInstr *instr;
    const MachConstraints *needs;
    const Place *list;
    uint32_t length;
} OperandReading;

static uint32_t field_of(const OperandReading *r, const Place *place) {
    if (r->length && place >= r->list && place < r->list + r->length)
        return FIELD_LIST + (uint32_t)(place - r->list);
    if (place == &r->instr->dest) return FIELD_DEST;
    if (place == &r->instr->base_place) return FIELD_BASE;
    if (place == &r->instr->index) return FIELD_INDEX;
    return FIELD_SOURCE + (uint32_t)(place - r->instr->src);
}

static bool is_tied(const OperandReading *r, uint32_t k) {
    return k == r->needs->tied || k == r->needs->swappable;
}

// Whether a use may share its place with the result: a tied use, or another use of the same
// register, or a use that has ended by then.
static bool may_share(const OperandReading *r, uint32_t k) {
    const MachOperand *operands = r->needs->operands.at;
    if (r->needs->tied == NO_SOURCE || operands[k].role != MO_USE) return false;
    if (is_tied(r, k) || operands[k].over) return true;
    return !operands[0].early && operands[k].place->i == operands[r->needs->tied].place->i;
}

static bool starts_early(const OperandReading *r, const MachOperand *operand) {
    return operand->role == MO_DEF && (operand->early || r->needs->tied != NO_SOURCE);
}

// Whether an early result is a register that is read elsewhere in the instruction, too.
static bool overlaps_itself(const OperandReading *r, const MachOperand *result) {
    if (!starts_early(r, result)) return false;
    const MachOperand *operands = r->needs->operands.at;
    for (uint32_t k = 0; k < r->needs->operands.count; k++)
        if (operands[k].role == MO_USE && operands[k].fixed == MACHINE_REG_LIMIT &&
            operands[k].place->i == result->place->i && !may_share(r, k))
            return true;
    return false;
}

static uint32_t partner_of(const OperandReading *r, uint32_t k, uint32_t base) {
    if (instr_is_move(r->instr)) return base + !k;
    if (r->needs->tied == NO_SOURCE) return NO_ID;
    if (k == 0) return base + r->needs->tied;
    return is_tied(r, k) ? base : NO_ID;
}

static void read_operands(const OperandReading *r, Event *event) {
    Allocator *a = r->a;
    uint32_t base = a->operands.count;
    for (uint32_t k = 0; k < r->needs->operands.count; k++) {
        const MachOperand *from = &r->needs->operands.at[k];
        bool def = from->role == MO_DEF, fixed = from->fixed != MACHINE_REG_LIMIT;
        AllocOperand operand = {.instr = r->at,
                                .reg = place_reg(*from->place).i,
                                .piece = NO_ID,
                                .own = NO_ID,
                                .partner = partner_of(r, k, base),
                                .field = field_of(r, from->place),
                                .fixed = from->fixed,
                                .reg_class = from->reg_class,
                                .def = def,
                                .spill_ok = from->spill_ok,
                                .tied = may_share(r, k),
                                .early = starts_early(r, from),
                                .apart = fixed || (def && overlaps_itself(r, from))};
        vec_push(a->arena, &a->operands, operand);
        if (!fixed) continue;
        regs_add(def ? from->early ? &event->early : &event->defs : &event->uses, from->fixed);
    }
}

static MachineRegSet all_of(const Event *event) {
    MachineRegSet before = regs_or(regs_or(event->clobbers, event->killed), event->uses);
    return regs_or(before, regs_or(event->early, event->defs));
}

static void read_instr(OperandReading *r) {
    Allocator *a = r->a;
    Event event = {.instr = r->at, .clobbers = r->needs->clobbers, .killed = r->needs->killed};
    a->operand_at[r->at] = a->operands.count;
    read_operands(r, &event);
    a->one_memory[r->at] = r->needs->one_memory;
    a->in_memory[r->at] = r->instr->addressed;
    if (regs_any(all_of(&event))) vec_push(a->arena, &a->events, event);
}

// Node k of the tree stands for its children 2k and 2k + 1; the leaves are the last `count` ones.
static void build_tree(Allocator *a) {
    uint32_t count = a->events.count;
    a->event_tree = ARENA_ARRAY(a->arena, MachineRegSet, 2 * (size_t)count + 2);
    for (uint32_t k = 0; k < count; k++) a->event_tree[count + k] = all_of(&a->events.at[k]);
    for (uint32_t k = count; k-- > 1;)
        a->event_tree[k] = regs_or(a->event_tree[2 * k], a->event_tree[2 * k + 1]);
}

void allocate_operands(Allocator *a) {
    const Func *func = a->func;
    uint32_t count = func->mach->code.count;
    a->operand_at = ARENA_ARRAY(a->arena, uint32_t, (size_t)count + 1);
    a->one_memory = ARENA_ARRAY(a->arena, bool, count);
    a->in_memory = ARENA_ARRAY(a->arena, bool, count);
    a->block_of = ARENA_ARRAY(a->arena, uint32_t, count);
    MachConstraints needs = {0};
    for (uint32_t b = 0; b < func->mach->blocks.count; b++) {
        const MachBlock *block = mach_block(func, b);
        for (uint32_t i = block->first; i < block->first + block->count; i++) {
            const MachInstr *instr = mach_at(func, i);
            mach_constraints(a->arena, func, instr, &needs);
            OperandReading reading = {.a = a,
                                      .at = i,
                                      .instr = instr,
                                      .needs = &needs,
                                      .list = mach_results(func, instr),
                                      .length = instr->results + instr->arguments};
            a->block_of[i] = b;
            read_instr(&reading);
        }
    }
    a->operand_at[count] = a->operands.count;
    build_tree(a);
}

uint32_t operand_position(const AllocOperand *operand) {
    uint32_t base = STEP * operand->instr;
    if (operand->def) {
        if (operand->apart) return base + AT_DONE;
        return base + (operand->early ? AT_TIED : AT_WRITE);
    }
    if (operand->apart) return base + AT_READ;
    return base + (operand->tied ? AT_TIED : AT_KILL);
}

// ---- What a piece meets

// The first event of an instruction at or after the given one.
static uint32_t event_from(const Allocator *a, uint32_t instr) {
    uint32_t low = 0, high = a->events.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (a->events.at[middle].instr < instr)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool events_kill(const Allocator *a, uint32_t from, uint32_t to) {
    for (uint32_t k = event_from(a, from); k < a->events.count && a->events.at[k].instr < to; k++)
        if (regs_any(a->events.at[k].killed)) return true;
    return false;
}

static MachineRegSet events_between(const Allocator *a, uint32_t first, uint32_t end) {
    MachineRegSet all = NO_REGS;
    uint32_t count = a->events.count;
    for (first += count, end += count; first < end; first /= 2, end /= 2) {
        if (first & 1) regs_add_all(&all, a->event_tree[first++]);
        if (end & 1) regs_add_all(&all, a->event_tree[--end]);
    }
    return all;
}

// The registers that an event takes from a range. `own` are the fixed uses of the piece's own
// value, in which it may well be.
static MachineRegSet event_takes(const Event *event, LiveSegment range, MachineRegSet own) {
    uint32_t base = STEP * event->instr;
    MachineRegSet all = NO_REGS;
    if (range.start < base + AT_AFTER && range.end > base + AT_READ)
        regs_add_all(&all, event->clobbers);
    if (range.start < base + AT_KILL && range.end > base + AT_READ)
        regs_add_all(&all, regs_without(event->uses, own));
    if (range.start < base + AT_WRITE && range.end > base + AT_KILL)
        regs_add_all(&all, event->killed);
    if (range.start < base + AT_DONE && range.end > base + AT_TIED)
        regs_add_all(&all, event->early);
    if (range.start < base + AT_DONE && range.end > base + AT_WRITE)
        regs_add_all(&all, event->defs);
    return all;
}

// Events of whole instructions, the first and the last of the range aside.
static MachineRegSet range_takes(const Allocator *a, LiveSegment range) {
    uint32_t first = event_from(a, range.start / STEP), end = event_from(a, (range.end - 1) / STEP);
    MachineRegSet all = NO_REGS;
    if (first < end && a->events.at[first].instr == range.start / STEP)
        regs_add_all(&all, event_takes(&a->events.at[first++], range, NO_REGS));
    if (first < end) regs_add_all(&all, events_between(a, first, end));
    if (end < a->events.count && a->events.at[end].instr == (range.end - 1) / STEP)
        regs_add_all(&all, event_takes(&a->events.at[end], range, NO_REGS));
    return all;
}

// The fixed uses of a piece at one instruction, in which its value may well be; none if the piece
// also has an early result of the instruction. Passes over the instruction's operands.
static MachineRegSet own_uses(const Allocator *a, const AllocPiece *piece, uint32_t *next) {
    uint32_t instr = a->operands.at[piece->operands[*next]].instr;
    MachineRegSet own = NO_REGS;
    bool early = false;
    for (; *next < piece->operand_count; ++*next) {
        const AllocOperand *operand = &a->operands.at[piece->operands[*next]];
        if (operand->instr != instr) break;
        if (operand->def)
            early |= operand->early && !operand->apart;
        else if (operand->fixed != MACHINE_REG_LIMIT)
            regs_add(&own, operand->fixed);
    }
    return early ? NO_REGS : own;
}

// The fixed uses of a piece cut its ranges into parts that are asked for in the tree; the
// instructions in between, which have these uses, are looked at one by one.
MachineRegSet events_forbid(Allocator *a, const AllocPiece *piece) {
    MachineRegSet all = NO_REGS;
    uint32_t next = 0;
    for (uint32_t s = 0; s < piece->segments.count; s++) {
        LiveSegment range = piece->segments.at[s];
        while (next < piece->operand_count && range.start < range.end) {
            uint32_t instr = a->operands.at[piece->operands[next]].instr, base = STEP * instr;
            if (base >= range.end) break;
            MachineRegSet own = own_uses(a, piece, &next);
            if (!regs_any(own) || base < range.start) continue;
            if (range.start < base)
                regs_add_all(&all, range_takes(a, (LiveSegment){range.start, base}));
            regs_add_all(&all, event_takes(&a->events.at[event_from(a, instr)],
                                           (LiveSegment){base, range.end}, own));
            range.start = base + STEP;
        }
        if (range.start < range.end) regs_add_all(&all, range_takes(a, range));
    }
    return all;
}
