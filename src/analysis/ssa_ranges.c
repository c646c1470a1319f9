// Each register's range is found by a walk of its own, backwards from its reads to its definition,
// after the one set of reads of all registers has been laid out in rows.
#include "analysis/ssa_ranges.h"

#include <stdlib.h>

typedef struct {
    SsaRanges *ranges;
    Arena *arena;
    uint32_t
        *read_at; // the points at which register r is read: reads[read_at[r] .. read_at[r + 1] - 1]
    uint32_t *reads;
    uint32_t *stamp; // block -> register whose walk has come to it, plus one
    uint32_t *place; // block -> index of that register's piece
    VEC(LivePiece) pieces;
} Walk;

Reg ssa_move_source(const Instr *instr) {
    if (instr->kind != I_OP) return NO_REG;
    return instr->op >= OP_MOVE_I32 && instr->op <= OP_MOVE_F80 ? instr->arg[0] : NO_REG;
}

// ---- Blocks and definitions

static bool starts_block(const Func *func, const Preds *preds, Node node) {
    if (node.i == 0 || preds_count(preds, node) != 1) return true;
    return func_at(func, *preds_at(preds, node))->succ_count != 1;
}

static void find_blocks(Arena *arena, SsaRanges *ranges) {
    uint32_t count = ranges->dom->count;
    ranges->block = ARENA_ARRAY(arena, uint32_t, count);
    ranges->head = ARENA_ARRAY(arena, Node, count);
    for (uint32_t n = 0; n < count; n++) {
        Node node = {ranges->dom->order[n]};
        if (starts_block(ranges->func, ranges->preds, node))
            ranges->head[ranges->block_count++] = node;
        ranges->block[n] = ranges->block_count - 1;
    }
}

static void find_block_preds(Arena *arena, SsaRanges *ranges) {
    ranges->pred_at = ARENA_ARRAY(arena, uint32_t, (size_t)ranges->block_count + 1);
    VEC(uint32_t) list = {0};
    for (uint32_t b = 0; b < ranges->block_count; b++) {
        const Node *preds = preds_at(ranges->preds, ranges->head[b]);
        for (uint32_t k = 0; k < preds_count(ranges->preds, ranges->head[b]); k++) {
            uint32_t number = ranges->dom->number[preds[k].i];
            if (number != NO_ID) vec_push(arena, &list, ranges->block[number]);
        }
        ranges->pred_at[b + 1] = list.count;
    }
    ranges->preds_in = list.at;
}

static void find_definitions(Arena *arena, SsaRanges *ranges) {
    const Func *func = ranges->func;
    ranges->point = ARENA_ARRAY(arena, uint32_t, func->regs.count);
    ranges->phi = ARENA_ARRAY(arena, uint32_t, func->regs.count);
    for (uint32_t r = 0; r < func->regs.count; r++) ranges->point[r] = ranges->phi[r] = NO_ID;
    for (uint32_t i = 0; i < func->params.count; i++) ranges->point[func->params.at[i].i] = 0;
    for (uint32_t n = 0; n < ranges->dom->count; n++) {
        Node node = {ranges->dom->order[n]};
        Reg dest = func_at(func, node)->dest;
        if (dest.i != NO_ID) ranges->point[dest.i] = 2 * n + 2;
        for (uint32_t i = 0; i < func_phi_count(func, node); i++) {
            const Phi *phi = &func_phis(func, node)[i];
            ranges->point[phi->dest.i] = 2 * n + 1;
            ranges->phi[phi->dest.i] = (uint32_t)(phi - func->phis.at);
        }
    }
}

// ---- Needed registers

typedef struct {
    SsaRanges *ranges;
    Arena *arena;
    VEC(Reg) todo; // needed, but not yet what they are made of
} Need;

static void need(Need *state, Reg reg) {
    const SsaRanges *ranges = state->ranges;
    if (!bits_put(&state->ranges->needed, reg.i)) return;
    uint32_t point = ranges->point[reg.i];
    if (point == NO_ID || point == 0) return;
    bool made = ranges->phi[reg.i] != NO_ID ||
                ssa_move_source(func_at(ranges->func, ssa_point_node(ranges, point))).i != NO_ID;
    if (made) vec_push(state->arena, &state->todo, reg);
}

static void need_source(Need *state, Reg reg, Reg source) {
    need(state, source);
    bits_add(&state->ranges->related, reg.i);
    bits_add(&state->ranges->related, source.i);
}

// What a needed register is made of by a move or a phi.
static void need_sources(Need *state, Reg reg) {
    const SsaRanges *ranges = state->ranges;
    const Func *func = ranges->func;
    uint32_t phi = ranges->phi[reg.i];
    Node node = ssa_point_node(ranges, ranges->point[reg.i]);
    if (phi == NO_ID) {
        need_source(state, reg, ssa_move_source(func_at(func, node)));
        return;
    }
    const Reg *args = phi_args(func, &func->phis.at[phi]);
    const Node *preds = preds_at(ranges->preds, node);
    for (uint32_t k = 0; k < preds_count(ranges->preds, node); k++)
        if (dominance_reaches(ranges->dom, preds[k])) need_source(state, reg, args[k]);
}

static void find_needed(Arena *arena, SsaRanges *ranges) {
    const Func *func = ranges->func;
    Need state = {.ranges = ranges, .arena = arena};
    ranges->needed = bits_new(arena, func->regs.count);
    ranges->related = bits_new(arena, func->regs.count);
    for (uint32_t n = 0; n < ranges->dom->count; n++) {
        const Instr *instr = func_at(func, (Node){ranges->dom->order[n]});
        if (ssa_move_source(instr).i != NO_ID) continue;
        const Reg *args = instr_args(func, instr);
        for (uint32_t i = 0; i < instr->arg_count; i++) need(&state, args[i]);
    }
    while (state.todo.count) {
        Reg reg = vec_pop(&state.todo);
        need_sources(&state, reg);
    }
}

// ---- Reads

// Counts a read, or files it; not that of an unrelated register in the block that defines it.
static void add_read(Walk *walk, Reg reg, uint32_t point, bool fill) {
    const SsaRanges *ranges = walk->ranges;
    uint32_t defined = ranges->point[reg.i];
    if (defined == NO_ID) return;
    if (defined != 0 && !bits_has(&ranges->related, reg.i) &&
        ssa_point_block(ranges, defined) == ssa_point_block(ranges, point))
        return;
    if (fill)
        walk->reads[walk->read_at[reg.i + 1]++] = point;
    else
        walk->read_at[reg.i + 2]++;
}

static void add_phi_reads(Walk *walk, Node join, bool fill) {
    const SsaRanges *ranges = walk->ranges;
    const Func *func = ranges->func;
    const Node *preds = preds_at(ranges->preds, join);
    for (uint32_t i = 0; i < func_phi_count(func, join); i++) {
        const Phi *phi = &func_phis(func, join)[i];
        if (!bits_has(&ranges->needed, phi->dest.i)) continue;
        for (uint32_t k = 0; k < preds_count(ranges->preds, join); k++)
            if (dominance_reaches(ranges->dom, preds[k]))
                add_read(walk, phi_args(func, phi)[k], 2 * ranges->dom->number[preds[k].i] + 2,
                         fill);
    }
}

static void add_reads(Walk *walk, bool fill) {
    const SsaRanges *ranges = walk->ranges;
    const Func *func = ranges->func;
    for (uint32_t n = 0; n < ranges->dom->count; n++) {
        Node node = {ranges->dom->order[n]};
        const Instr *instr = func_at(func, node);
        if (ssa_move_source(instr).i == NO_ID || bits_has(&ranges->needed, instr->dest.i)) {
            const Reg *args = instr_args(func, instr);
            for (uint32_t i = 0; i < instr->arg_count; i++)
                add_read(walk, args[i], 2 * n + 2, fill);
        }
        add_phi_reads(walk, node, fill);
    }
}

static void find_reads(Walk *walk) {
    uint32_t regs = walk->ranges->func->regs.count;
    walk->read_at = ARENA_ARRAY(walk->arena, uint32_t, (size_t)regs + 2);
    add_reads(walk, false);
    for (uint32_t r = 0; r < regs; r++) walk->read_at[r + 2] += walk->read_at[r + 1];
    walk->reads = ARENA_ARRAY(walk->arena, uint32_t, walk->read_at[regs + 1]);
    add_reads(walk, true);
}

// ---- Ranges

static void touch(Walk *walk, uint32_t stamp, uint32_t block, uint32_t last) {
    if (walk->stamp[block] == stamp) {
        LivePiece *piece = &walk->pieces.at[walk->place[block]];
        if (last > piece->last) piece->last = last;
        return;
    }
    walk->stamp[block] = stamp;
    walk->place[block] = walk->pieces.count;
    vec_push(walk->arena, &walk->pieces, (LivePiece){.block = block, .last = last});
}

// The pieces of a register serve as the list of blocks still to be looked at.
static void walk_register(Walk *walk, Reg reg) {
    const SsaRanges *ranges = walk->ranges;
    uint32_t first = walk->read_at[reg.i], end = walk->read_at[reg.i + 1];
    if (first == end) return;
    uint32_t point = ranges->point[reg.i];
    uint32_t home = point ? ssa_point_block(ranges, point) : NO_ID;
    uint32_t todo = walk->pieces.count;
    for (uint32_t i = first; i < end; i++)
        touch(walk, reg.i + 1, ssa_point_block(ranges, walk->reads[i]), walk->reads[i]);
    for (; todo < walk->pieces.count; todo++) {
        uint32_t block = walk->pieces.at[todo].block;
        if (block == home) continue;
        for (uint32_t k = ranges->pred_at[block]; k < ranges->pred_at[block + 1]; k++)
            touch(walk, reg.i + 1, ranges->preds_in[k], LIVE_OUT);
    }
}

SsaRanges ssa_ranges_of(Arena *arena, const Func *func, const Preds *preds, const Dominance *dom) {
    SsaRanges ranges = {.func = func, .preds = preds, .dom = dom};
    find_blocks(arena, &ranges);
    find_block_preds(arena, &ranges);
    find_definitions(arena, &ranges);
    find_needed(arena, &ranges);
    Walk walk = {.ranges = &ranges,
                 .arena = arena,
                 .stamp = ARENA_ARRAY(arena, uint32_t, ranges.block_count),
                 .place = ARENA_ARRAY(arena, uint32_t, ranges.block_count)};
    find_reads(&walk);
    ranges.sorted = bits_new(arena, func->regs.count);
    ranges.piece_at = ARENA_ARRAY(arena, uint32_t, (size_t)func->regs.count + 1);
    for (uint32_t r = 0; r < func->regs.count; r++) {
        walk_register(&walk, (Reg){r});
        ranges.piece_at[r + 1] = walk.pieces.count;
    }
    ranges.pieces = walk.pieces.at;
    return ranges;
}

// ---- Questions

static int compare_pieces(const void *a, const void *b) {
    uint32_t x = ((const LivePiece *)a)->block, y = ((const LivePiece *)b)->block;
    return (x > y) - (x < y);
}

// The piece of a register in a block, or NULL. Short rows are searched as they are.
static const LivePiece *find_piece(SsaRanges *ranges, Reg reg, uint32_t block) {
    enum { SHORT = 8 };
    LivePiece *row = ranges->pieces + ranges->piece_at[reg.i];
    uint32_t count = ranges->piece_at[reg.i + 1] - ranges->piece_at[reg.i];
    if (count <= SHORT) {
        for (uint32_t i = 0; i < count; i++)
            if (row[i].block == block) return &row[i];
        return NULL;
    }
    if (bits_put(&ranges->sorted, reg.i)) qsort(row, count, sizeof *row, compare_pieces);
    LivePiece key = {.block = block};
    return bsearch(&key, row, count, sizeof *row, compare_pieces);
}

bool ssa_live_after(SsaRanges *ranges, Reg reg, uint32_t point) {
    const LivePiece *piece = find_piece(ranges, reg, ssa_point_block(ranges, point));
    return piece && piece->last > point;
}
