// Each register's range is found by a walk of its own, backwards from its reads to its definition.
// One pass over the nodes before finds blocks and definitions, one the reads by instructions; those
// by moves and phis follow from what is needed.
#include "analysis/ssa_ranges.h"

#include "graph/basic_blocks.h"

#include <stdlib.h>

typedef struct {
    uint32_t point;
    uint32_t next; // of the same register, NO_ID at the end
} Read;

typedef struct {
    SsaRanges *ranges;
    Arena *arena;
    VEC(Reg) todo;        // made by moves or phis and needed, but their sources are not noted yet
    uint32_t *first_read; // register -> index of one of its reads, NO_ID if there is none
    VEC(Read) reads;
    uint32_t *stamp; // block -> the register whose walk has come to it, plus one
    uint32_t *place; // block -> index of that register's piece
    VEC(LivePiece) pieces;
} RangeWalk;

Reg ssa_move_source(const Instr *instr) {
    if (instr->kind != I_OP) return NO_REG;
    return op_is_move((Op)instr->op) ? instr->arg[0] : NO_REG;
}

// ---- Blocks and definitions

static uint32_t point_of(const SsaRanges *ranges, Definition definition) {
    if (definition.by == SET_BY_CALLER) return 0;
    if (definition.node.i == NO_ID || !dominance_reaches(ranges->dom, definition.node))
        return NO_ID;
    return 2 * ranges->dom->number[definition.node.i] + (definition.by == SET_BY_PHI ? 1 : 2);
}

static void relate_phis(SsaRanges *ranges, Node node) {
    const Func *func = ranges->func;
    for (uint32_t i = 0; i < func_phi_count(func, node); i++) {
        const Phi *phi = &func_phis(func, node)[i];
        bits_add(&ranges->related, phi->dest.i);
        for (uint32_t k = 0; k < preds_count(ranges->preds, node); k++)
            bits_add(&ranges->related, phi_args(func, phi)[k].i);
    }
}

static void relate_move(SsaRanges *ranges, Node node) {
    const Instr *instr = func_at(ranges->func, node);
    Reg source = ssa_move_source(instr);
    if (source.i == NO_ID) return;
    bits_add(&ranges->related, instr->dest.i);
    bits_add(&ranges->related, source.i);
}

static void number_blocks(Arena *arena, SsaRanges *ranges) {
    const Func *func = ranges->func;
    uint32_t count = ranges->dom->count, regs = func->regs.count;
    ranges->block = ARENA_ARRAY(arena, uint32_t, count);
    ranges->head = ARENA_ARRAY(arena, Node, count);
    ranges->point = ARENA_ARRAY(arena, uint32_t, regs);
    ranges->definitions = definitions_of(arena, func);
    ranges->related = bits_new(arena, regs);
    for (uint32_t r = 0; r < regs; r++) ranges->point[r] = point_of(ranges, ranges->definitions[r]);
    for (uint32_t n = 0; n < count; n++) {
        Node node = {ranges->dom->order[n]};
        if (!continues_block(func, ranges->preds, node)) {
            ranges->head[ranges->block_count++] = node;
            relate_phis(ranges, node);
        }
        ranges->block[n] = ranges->block_count - 1;
        relate_move(ranges, node);
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

// ---- Reads and what is needed

static bool is_made(const SsaRanges *ranges, Reg reg) {
    if (!bits_has(&ranges->related, reg.i)) return false;
    const Instr *instr = defining_instr(ranges->func, ranges->definitions, reg);
    return instr ? ssa_move_source(instr).i != NO_ID : ranges->definitions[reg.i].by == SET_BY_PHI;
}

// A read of a register at a point, which makes the register needed. The read of an unrelated
// register in its defining block is not filed.
static void add_read(RangeWalk *walk, Reg reg, uint32_t point) {
    SsaRanges *ranges = walk->ranges;
    bool fresh = bits_put(&ranges->needed, reg.i);
    uint32_t defined = ranges->point[reg.i];
    if (defined == NO_ID) return;
    if (fresh && is_made(ranges, reg)) vec_push(walk->arena, &walk->todo, reg);
    if (defined != 0 && !bits_has(&ranges->related, reg.i) &&
        ssa_point_block(ranges, defined) == ssa_point_block(ranges, point))
        return;
    uint32_t next = walk->first_read[reg.i];
    walk->first_read[reg.i] = walk->reads.count;
    vec_push(walk->arena, &walk->reads, (Read){.point = point, .next = next});
}

// The reads of the move or phi that makes a register.
static void read_sources(RangeWalk *walk, Reg reg) {
    const SsaRanges *ranges = walk->ranges;
    const Func *func = ranges->func;
    Definition definition = ranges->definitions[reg.i];
    Node node = definition.node;
    if (definition.by == SET_BY_INSTR) {
        add_read(walk, ssa_move_source(func_at(func, node)), ranges->point[reg.i]);
        return;
    }
    const Reg *args = phi_args(func, &func->phis.at[definition.at]);
    const Node *preds = preds_at(ranges->preds, node);
    for (uint32_t k = 0; k < preds_count(ranges->preds, node); k++)
        if (dominance_reaches(ranges->dom, preds[k]))
            add_read(walk, args[k], 2 * ranges->dom->number[preds[k].i] + 2);
}

static void find_reads(RangeWalk *walk) {
    const SsaRanges *ranges = walk->ranges;
    const Func *func = ranges->func;
    for (uint32_t n = 0; n < ranges->dom->count; n++) {
        const Instr *instr = func_at(func, (Node){ranges->dom->order[n]});
        if (instr->arg_count == 0 || ssa_move_source(instr).i != NO_ID) continue;
        const Reg *args = instr_args(func, instr);
        for (uint32_t i = 0; i < instr->arg_count; i++) add_read(walk, args[i], 2 * n + 2);
    }
    while (walk->todo.count) {
        Reg reg = vec_pop(&walk->todo);
        read_sources(walk, reg);
    }
}

// ---- Ranges

static void touch(RangeWalk *walk, uint32_t stamp, uint32_t block, uint32_t last) {
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
static void walk_register(RangeWalk *walk, Reg reg) {
    const SsaRanges *ranges = walk->ranges;
    uint32_t point = ranges->point[reg.i], next = walk->pieces.count;
    uint32_t home = point ? ssa_point_block(ranges, point) : NO_ID;
    for (uint32_t i = walk->first_read[reg.i]; i != NO_ID; i = walk->reads.at[i].next) {
        uint32_t at = walk->reads.at[i].point;
        touch(walk, reg.i + 1, ssa_point_block(ranges, at), at);
    }
    for (; next < walk->pieces.count; next++) {
        uint32_t block = walk->pieces.at[next].block;
        if (block == home) continue;
        for (uint32_t k = ranges->pred_at[block]; k < ranges->pred_at[block + 1]; k++)
            touch(walk, reg.i + 1, ranges->preds_in[k], LIVE_OUT);
    }
}

SsaRanges ssa_ranges_of(Arena *arena, const Func *func, const Preds *preds, const Dominance *dom) {
    uint32_t regs = func->regs.count;
    SsaRanges ranges = {.func = func, .preds = preds, .dom = dom};
    number_blocks(arena, &ranges);
    find_block_preds(arena, &ranges);
    RangeWalk walk = {.ranges = &ranges,
                      .arena = arena,
                      .first_read = ARENA_ARRAY(arena, uint32_t, regs),
                      .stamp = ARENA_ARRAY(arena, uint32_t, ranges.block_count),
                      .place = ARENA_ARRAY(arena, uint32_t, ranges.block_count)};
    for (uint32_t r = 0; r < regs; r++) walk.first_read[r] = NO_ID;
    ranges.needed = bits_new(arena, regs);
    find_reads(&walk);
    ranges.sorted = bits_new(arena, regs);
    ranges.piece_at = ARENA_ARRAY(arena, uint32_t, (size_t)regs + 1);
    for (uint32_t r = 0; r < regs; r++) {
        if (walk.first_read[r] != NO_ID) walk_register(&walk, (Reg){r});
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
