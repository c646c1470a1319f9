// Greedy allocation. Pieces wait in a queue, long pieces first. Each piece takes a machine register
// that is free in its range, preferably a register that saves moves. If there is none, the piece
// drives lighter pieces out of a register, and these wait again. If that is impossible, the piece
// is split (allocate_split.c) into pieces that cover less, and memory. A piece drives out only
// strictly lighter pieces, and splitting makes pieces shorter, so the queue empties.
#include "mach/allocate_private.h"

#include "fact/calls.h"
#include "fact/effects.h"

#include <math.h>

// The cost of saving and restoring a register of the caller, and the cost of being in memory: one
// for each access, less if the instruction makes the access itself.
static const float SAVE_COST = 1.6f, FOLDED_COST = 0.7f, REMAKE_COST = 0.5f;
enum { SHORTEST = 24, EVICTION_LIMIT = 16 };

// ---- The queue

static bool waits_longer(const struct Waiting *x, const struct Waiting *y) {
    return x->priority != y->priority ? x->priority > y->priority : x->piece < y->piece;
}

static void queue_put(Allocator *a, struct Waiting waiting) {
    vec_push(a->arena, &a->queue, waiting);
    uint32_t at = a->queue.count - 1;
    for (; at > 0 && waits_longer(&waiting, &a->queue.at[(at - 1) / 2]); at = (at - 1) / 2)
        a->queue.at[at] = a->queue.at[(at - 1) / 2];
    a->queue.at[at] = waiting;
}

static uint32_t queue_take(Allocator *a) {
    uint32_t taken = a->queue.at[0].piece;
    struct Waiting last = vec_pop(&a->queue);
    uint32_t at = 0, count = a->queue.count;
    while (2 * at + 1 < count) {
        uint32_t child = 2 * at + 1;
        if (child + 1 < count && waits_longer(&a->queue.at[child + 1], &a->queue.at[child]))
            child++;
        if (!waits_longer(&a->queue.at[child], &last)) break;
        a->queue.at[at] = a->queue.at[child];
        at = child;
    }
    if (count) a->queue.at[at] = last;
    return taken;
}

static uint64_t length_of(Segments segments) {
    uint64_t length = 0;
    for (uint32_t s = 0; s < segments.count; s++)
        length += segments.at[s].end - segments.at[s].start;
    return length / STEP;
}

// Pieces that must have a register come first, then those of several blocks by length, then those
// within a block in their order.
static void enqueue(Allocator *a, uint32_t index) {
    const AllocPiece *piece = &a->pieces.at[index];
    uint32_t start = piece->segments.at[0].start;
    uint32_t end = piece->segments.at[piece->segments.count - 1].end;
    bool local = a->block_of[start / STEP] == a->block_of[(end - 1) / STEP];
    uint64_t priority = piece->stage == STAGE_POINT ? UINT64_MAX
                        : local                     ? UINT32_MAX - start
                                : (uint64_t)1 << 33 | length_of(piece->segments);
    queue_put(a, (struct Waiting){.priority = priority, .piece = index});
}

// ---- Pieces

static float operand_cost(Allocator *a, const AllocValue *value, const AllocOperand *operand) {
    if (value->remake != NO_ID) return operand->def ? 0 : REMAKE_COST;
    const MachInstr *instr = mach_at(a->func, operand->instr);
    if (instr_is_move(instr) && value_find(a, instr->dest.i) == value_find(a, instr->src[0].i))
        return 0;
    return operand->spill_ok && !a->in_memory[operand->instr] ? FOLDED_COST : 1;
}

// A piece has a register that all of its operands can have. If there is none, it is split.
uint32_t piece_new(Allocator *a, AllocPiece piece) {
    const AllocValue *value = &a->values[piece.value];
    MachineRegSet all = a->allowed[value->reg_class], outside = NO_REGS;
    float gain = 0;
    for (uint32_t k = 0; k < piece.operand_count; k++) {
        const AllocOperand *operand = &a->operands.at[piece.operands[k]];
        gain += operand_cost(a, value, operand) * instr_frequency(a, operand->instr);
        piece.writes |= operand->def;
        if (operand->reg_class != value->reg_class)
            regs_add_all(&outside, regs_without(all, a->allowed[operand->reg_class]));
    }
    piece.reg_class = value->reg_class;
    piece.reg = MACHINE_REG_LIMIT;
    bool remade = value->remake != NO_ID;
    piece.gain = gain - (remade ? REMAKE_COST * piece.loads : piece.loads + piece.stores);
    if (piece.gain < 0) piece.gain = 0;
    piece.weight = piece.stage == STAGE_POINT
                       ? INFINITY
                       : piece.gain / (float)(length_of(piece.segments) + SHORTEST);
    piece.forbidden = regs_or(events_forbid(a, &piece), outside);
    vec_push(a->arena, &a->pieces, piece);
    enqueue(a, a->pieces.count - 1);
    return a->pieces.count - 1;
}

static void assign(Allocator *a, uint32_t index, uint32_t reg) {
    AllocPiece *piece = &a->pieces.at[index];
    piece->reg = (StoredReg)reg;
    regs_add(&a->used, reg);
    occupancy_add(a->arena, &a->occupancy[reg], piece->segments, index);
}

static MachineRegSet candidates_of(const Allocator *a, const AllocPiece *piece) {
    MachineRegSet set = regs_without(a->allowed[piece->reg_class], piece->forbidden);
    if (piece->stage == STAGE_POINT) return set;
    set = regs_and(set, a->usable);
    if (piece->gain >= SAVE_COST) return set;
    return regs_without(set, regs_without(a->func->program->target->callee_saved, a->used));
}

// The advantage of the place of another piece, or, if that piece has no register yet, of the place
// that it will want.
static void score_piece(const Allocator *a, uint32_t index, float weight, float *score) {
    enum { FEW = 8 };
    if (index == NO_ID) return;
    const AllocPiece *piece = &a->pieces.at[index];
    if (piece->reg != MACHINE_REG_LIMIT) {
        score[piece->reg] += weight;
        return;
    }
    for (uint32_t k = 0; k < piece->operand_count && k < FEW; k++) {
        StoredReg fixed = a->operands.at[piece->operands[k]].fixed;
        if (fixed != MACHINE_REG_LIMIT) score[fixed] += weight / 2;
    }
}

// The operand of an instruction without ties that the result does well to replace: nothing is
// saved, but registers that are wanted elsewhere stay free.
static uint32_t replaced_operand(const Allocator *a, uint32_t index) {
    uint32_t first = a->operand_at[a->operands.at[index].instr];
    if (index > first + 1 || first + 1 >= a->operand_at[a->operands.at[index].instr + 1])
        return NO_ID;
    const AllocOperand *result = &a->operands.at[first];
    if (!result->def || result[1].def || result->partner != NO_ID) return NO_ID;
    return index == first ? first + 1 : first;
}

// How much each register would save in moves.
static void score_registers(const Allocator *a, const AllocPiece *piece, float *score) {
    static const float FIXED = 1.01f, REPLACED = 0.05f;
    for (uint32_t r = 0; r < MACHINE_REG_LIMIT; r++) score[r] = 0;
    for (uint32_t k = 0; k < piece->operand_count; k++) {
        const AllocOperand *operand = &a->operands.at[piece->operands[k]];
        float frequency = instr_frequency(a, operand->instr);
        uint32_t replaced = replaced_operand(a, piece->operands[k]);
        if (operand->fixed != MACHINE_REG_LIMIT)
            score[operand->fixed] += FIXED * frequency;
        else if (operand->partner != NO_ID)
            score_piece(a, a->operands.at[operand->partner].piece, frequency, score);
        else if (replaced != NO_ID)
            score_piece(a, a->operands.at[replaced].piece, REPLACED * frequency, score);
    }
}

static bool is_free(Allocator *a, const AllocPiece *piece, uint32_t reg) {
    occupancy_meet(a->arena, &a->occupancy[reg], piece->segments, 0, a);
    return a->found.count == 0;
}

static uint32_t find_free(Allocator *a, const AllocPiece *piece, MachineRegSet candidates) {
    const TargetModel *target = a->func->program->target;
    float score[MACHINE_REG_LIMIT];
    score_registers(a, piece, score);
    MachineRegSet wanted = NO_REGS;
    for (uint32_t r = 0; r < MACHINE_REG_LIMIT; r++)
        if (score[r] > 0 && regs_has(candidates, r)) regs_add(&wanted, r);
    while (regs_any(wanted)) {
        uint32_t best = MACHINE_REG_LIMIT;
        for (uint32_t r = 0; r < MACHINE_REG_LIMIT; r++)
            if (regs_has(wanted, r) && (best == MACHINE_REG_LIMIT || score[r] > score[best]))
                best = r;
        if (is_free(a, piece, best)) return best;
        regs_remove(&wanted, best);
        regs_remove(&candidates, best);
    }
    for (uint32_t k = 0; k < target->order_count; k++)
        if (regs_has(candidates, target->order[k]) && is_free(a, piece, target->order[k]))
            return target->order[k];
    return MACHINE_REG_LIMIT;
}

// The weight of the heaviest of the pieces that were found.
static float heaviest_found(const Allocator *a) {
    float heaviest = 0;
    for (uint32_t k = 0; k < a->found.count; k++) {
        float weight = a->pieces.at[a->found.at[k]].weight;
        if (weight > heaviest) heaviest = weight;
    }
    return heaviest;
}

static uint32_t find_lighter(Allocator *a, const AllocPiece *piece, MachineRegSet candidates) {
    const TargetModel *target = a->func->program->target;
    uint32_t best = MACHINE_REG_LIMIT;
    float least = piece->weight;
    for (uint32_t k = 0; k < target->order_count; k++) {
        uint32_t reg = target->order[k];
        if (!regs_has(candidates, reg)) continue;
        occupancy_meet(a->arena, &a->occupancy[reg], piece->segments, EVICTION_LIMIT, a);
        if (a->found.count > EVICTION_LIMIT) continue;
        float heaviest = heaviest_found(a);
        if (heaviest < least) {
            least = heaviest;
            best = reg;
        }
    }
    return best;
}

static void drive_out(Allocator *a, const AllocPiece *piece, uint32_t reg) {
    occupancy_meet(a->arena, &a->occupancy[reg], piece->segments, UINT32_MAX, a);
    for (uint32_t k = 0; k < a->found.count; k++) {
        uint32_t index = a->found.at[k];
        occupancy_remove(&a->occupancy[reg], a->pieces.at[index].segments);
        a->pieces.at[index].reg = MACHINE_REG_LIMIT;
        enqueue(a, index);
    }
}

static void place_piece(Allocator *a, uint32_t index) {
    AllocPiece piece = a->pieces.at[index];
    MachineRegSet candidates = candidates_of(a, &piece);
    uint32_t reg = find_free(a, &piece, candidates);
    if (reg == MACHINE_REG_LIMIT) {
        reg = find_lighter(a, &piece, candidates);
        if (reg != MACHINE_REG_LIMIT) drive_out(a, &piece, reg);
    }
    if (reg != MACHINE_REG_LIMIT)
        assign(a, index, reg);
    else if (piece.stage == STAGE_POINT)
        fatal("no register is left for an operand of '%s'", func_name(a->func));
    else
        allocate_split(a, index);
}

// ---- From start to end

// A value that one instruction without operands makes can be made again instead of being kept.
static void find_remake(Allocator *a, AllocValue *value) {
    uint32_t reg = NO_ID, instr = NO_ID;
    for (uint32_t k = 0; k < value->operand_count; k++) {
        const AllocOperand *operand = &a->operands.at[value->operands[k]];
        if (reg != NO_ID && reg != operand->reg) return;
        reg = operand->reg;
        if (!operand->def) continue;
        const MachInstr *made = mach_at(a->func, operand->instr);
        if (instr != NO_ID || !mach_is_constant(made) || operand->apart) return;
        instr = operand->instr;
    }
    value->remake = instr;
}

static void start_value(Allocator *a, uint32_t index) {
    AllocValue *value = &a->values[index];
    if (value->operand_count == 0) return;
    if (value->reg_class == CLASS_MEMORY) {
        value->split = true;
        return;
    }
    find_remake(a, value);
    uint32_t piece = piece_new(a, (AllocPiece){.value = index,
                                               .loop = NO_ID,
                                               .segments = value->segments,
                                               .operands = value->operands,
                                               .operand_count = value->operand_count,
                                               .stage = STAGE_WHOLE});
    vec_push(a->arena, &value->pieces, piece);
    for (uint32_t k = 0; k < value->operand_count; k++)
        a->operands.at[value->operands[k]].piece = piece;
}

// Results that are written early over a register that is still to be read.
static void start_apart(Allocator *a, uint32_t index) {
    AllocOperand *operand = &a->operands.at[index];
    LiveSegment *segment = ARENA_NEW(a->arena, LiveSegment);
    *segment = (LiveSegment){STEP * operand->instr + AT_TIED, STEP * operand->instr + AT_DONE};
    uint32_t *operands = ARENA_NEW(a->arena, uint32_t);
    *operands = index;
    uint32_t piece = piece_new(a, (AllocPiece){.value = value_find(a, operand->reg),
                                               .loop = NO_ID,
                                               .segments = {.at = segment, .count = 1},
                                               .operands = operands,
                                               .operand_count = 1,
                                               .stage = STAGE_POINT});
    a->operands.at[index].own = piece;
}

static void prepare(Allocator *a) {
    uint32_t blocks = a->func->mach->blocks.count;
    for (uint32_t reg_class = 0; reg_class < a->func->program->target->class_count; reg_class++)
        a->allowed[reg_class] = mach_class_set(a->func, (MachClass)reg_class);
    a->preds = mach_preds(a->arena, a->func);
    allocate_operands(a);
    block_frequency(a);
    allocate_ranges(a);
    allocate_coalesce(a);
    a->label = ARENA_ARRAY(a->arena, uint32_t, blocks);
    a->label_stamp = ARENA_ARRAY(a->arena, uint32_t, blocks);
    a->reached = ARENA_ARRAY(a->arena, uint8_t, blocks);
    a->loop_label = ARENA_ARRAY(a->arena, uint32_t, a->loop_count);
    a->loop_stamp = ARENA_ARRAY(a->arena, uint32_t, a->loop_count);
}

Func *allocate_within(Arena *arena, const Func *func, MachineRegSet usable, AllocateHint *hint) {
    if (func_returns_twice(func)) return NULL;
    Arena *scratch = arena_new("allocate");
    Allocator allocator = {.arena = scratch, .func = func, .usable = usable}, *a = &allocator;
    prepare(a);
    for (uint32_t v = 0; v < func->regs.count; v++)
        if (a->value_of[v] == v) start_value(a, v);
    for (uint32_t k = 0; k < a->operands.count; k++)
        if (a->operands.at[k].apart && a->operands.at[k].fixed == MACHINE_REG_LIMIT)
            start_apart(a, k);
    while (a->queue.count > 0) place_piece(a, queue_take(a));
    Func *out = allocate_write(a, arena, hint);
    arena_free(scratch);
    return out;
}

Func *allocate(Arena *arena, const Func *func, AllocateHint *hint) {
    return allocate_within(arena, func, regs_below(MACHINE_REG_LIMIT), hint);
}
