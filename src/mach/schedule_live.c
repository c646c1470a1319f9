// Which registers are live at the end of each block: register by register from the blocks that read it before they set it, back
// over predecessors. Time and space are in proportion to what is found, which is given up where it is out of proportion to the function.
#include "mach/schedule_private.h"

typedef struct {
    uint32_t reg, block;
} RegInBlock;

typedef struct {
    Arena *arena;
    const Func *func;
    VEC(RegInBlock) exposed; // reads that come before every setting in their block
    VEC(RegInBlock) sets;
    VEC(RegInBlock) found;
    uint64_t most; // of these
} Living;

static void scan_block(Living *l, uint32_t b, uint32_t *set_in, uint32_t *read_in) {
    const MachBlock *block = mach_block(l->func, b);
    for (uint32_t i = block->first; i < block->first + block->count; i++) {
        const MachInstr *instr = mach_at(l->func, i);
        for (uint32_t k = 0; k < mach_read_count(instr); k++) {
            Place place = mach_read_at(l->func, instr, k);
            if (place.i == NO_ID || set_in[place.i] == b || read_in[place.i] == b) continue;
            read_in[place.i] = b;
            vec_push(l->arena, &l->exposed, (RegInBlock){place.i, b});
        }
        for (uint32_t k = 0; k < mach_set_count(instr); k++) {
            Place place = mach_set_at(l->func, instr, k);
            if (place.i == NO_ID || set_in[place.i] == b) continue;
            set_in[place.i] = b;
            vec_push(l->arena, &l->sets, (RegInBlock){place.i, b});
        }
    }
}

// Pairs by register, in rows.
typedef struct {
    uint32_t *at, *block;
} RegRows;

static RegRows rows_of(Arena *arena, const RegInBlock *pairs, uint32_t count, uint32_t regs) {
    RegRows rows = {.at = ARENA_ARRAY(arena, uint32_t, (size_t)regs + 2),
                    .block = ARENA_ARRAY(arena, uint32_t, count)};
    for (uint32_t k = 0; k < count; k++) rows.at[pairs[k].reg + 2]++;
    for (uint32_t k = 2; k < regs + 2; k++) rows.at[k] += rows.at[k - 1];
    for (uint32_t k = 0; k < count; k++) rows.block[rows.at[pairs[k].reg + 1]++] = pairs[k].block;
    return rows;
}

static uint32_t *marks(Arena *arena, size_t count) {
    uint32_t *table = ARENA_ARRAY(arena, uint32_t, count);
    for (size_t k = 0; k < count; k++) table[k] = NO_ID;
    return table;
}

static void walk_back(Living *l, const RegRows *exposed, const RegRows *sets) {
    const Func *func = l->func;
    uint32_t blocks = func->mach->blocks.count;
    MachPreds preds = mach_preds(l->arena, func);
    uint32_t *live_in = marks(l->arena, blocks), *live_out = marks(l->arena, blocks);
    uint32_t *set_in = marks(l->arena, blocks);
    VEC(uint32_t) work = {0};
    for (uint32_t reg = 0; reg < func->regs.count; reg++) {
        for (uint32_t k = sets->at[reg]; k < sets->at[reg + 1]; k++) set_in[sets->block[k]] = reg;
        for (uint32_t k = exposed->at[reg]; k < exposed->at[reg + 1]; k++) {
            live_in[exposed->block[k]] = reg;
            vec_push(l->arena, &work, exposed->block[k]);
        }
        while (work.count > 0) {
            if (l->found.count > l->most) return;
            uint32_t block = vec_pop(&work);
            for (uint32_t e = preds.first[block]; e < preds.first[block + 1]; e++) {
                uint32_t pred = preds.list[e];
                if (live_out[pred] == reg) continue;
                live_out[pred] = reg;
                vec_push(l->arena, &l->found, (RegInBlock){reg, pred});
                if (set_in[pred] == reg || live_in[pred] == reg) continue;
                live_in[pred] = reg;
                vec_push(l->arena, &work, pred);
            }
        }
    }
}

bool schedule_live(Arena *arena, const Func *func, LiveOut *out) {
    enum { EACH = 64, FEW = 1 << 16 };
    uint32_t blocks = func->mach->blocks.count, regs = func->regs.count;
    Living living = {.arena = arena, .func = func}, *l = &living;
    l->most = FEW + (uint64_t)EACH * func->mach->code.count;
    uint32_t *set_in = marks(arena, regs), *read_in = marks(arena, regs);
    for (uint32_t b = 0; b < blocks; b++) scan_block(l, b, set_in, read_in);
    RegRows exposed = rows_of(arena, l->exposed.at, l->exposed.count, regs);
    RegRows sets = rows_of(arena, l->sets.at, l->sets.count, regs);
    walk_back(l, &exposed, &sets);
    if (l->found.count > l->most) return false;
    *out = (LiveOut){.at = ARENA_ARRAY(arena, uint32_t, (size_t)blocks + 2),
                     .list = ARENA_ARRAY(arena, uint32_t, l->found.count)};
    for (uint32_t k = 0; k < l->found.count; k++) out->at[l->found.at[k].block + 2]++;
    for (uint32_t b = 2; b < blocks + 2; b++) out->at[b] += out->at[b - 1];
    for (uint32_t k = 0; k < l->found.count; k++)
        out->list[out->at[l->found.at[k].block + 1]++] = l->found.at[k].reg;
    return true;
}
