// A register is live at the start of a block if the block reads it before it sets it, or if it does not
// set it and it is live at the start of a successor. For each register the blocks are found by walking
// backward from those that read it first, stopping at those that set it.
#include "check/mach_live.h"

typedef struct {
    uint32_t reg, block;
} Site;

typedef struct {
    Arena *arena;
    const Func *func;
    uint32_t *set_in, *read_in; // per register: the last block (+ 1) in which that was noted
    VEC(Site) sets, reads;      // reads before any set in the block
} Scan;

static void note_read(Scan *scan, Place place, uint32_t block) {
    if (place.i == NO_ID || scan->set_in[place.i] == block + 1 ||
        scan->read_in[place.i] == block + 1)
        return;
    scan->read_in[place.i] = block + 1;
    vec_push(scan->arena, &scan->reads, (Site){place.i, block});
}

static void note_set(Scan *scan, Place place, uint32_t block) {
    if (place.i == NO_ID || scan->set_in[place.i] == block + 1) return;
    scan->set_in[place.i] = block + 1;
    vec_push(scan->arena, &scan->sets, (Site){place.i, block});
}

static void scan_instr(Scan *scan, const MachInstr *instr, uint32_t block) {
    for (int k = 0; k < MACH_SOURCES; k++) note_read(scan, instr->src[k], block);
    note_read(scan, instr->base_place, block);
    note_read(scan, instr->index, block);
    for (uint32_t k = 0; k < instr->arguments; k++)
        note_read(scan, mach_arguments(scan->func, instr)[k], block);
    note_set(scan, instr->dest, block);
    for (uint32_t k = 0; k < instr->results; k++)
        note_set(scan, mach_results(scan->func, instr)[k], block);
}

// Sites sorted by register: those of r are list[first[r] .. first[r + 1] - 1].
static uint32_t *sort_sites(Arena *arena, const Site *sites, uint32_t count, uint32_t regs,
                            uint32_t **blocks) {
    uint32_t *first = ARENA_ARRAY(arena, uint32_t, regs + 2);
    *blocks = ARENA_ARRAY(arena, uint32_t, count);
    for (uint32_t i = 0; i < count; i++) first[sites[i].reg + 2]++;
    for (uint32_t r = 0; r < regs; r++) first[r + 2] += first[r + 1];
    for (uint32_t i = 0; i < count; i++) (*blocks)[first[sites[i].reg + 1]++] = sites[i].block;
    return first;
}

MachLive mach_live(Arena *arena, const Func *func, const MachPreds *preds) {
    uint32_t regs = func->regs.count, blocks = func->mach->blocks.count;
    Scan scan = {.arena = arena,
                 .func = func,
                 .set_in = ARENA_ARRAY(arena, uint32_t, regs),
                 .read_in = ARENA_ARRAY(arena, uint32_t, regs)};
    for (uint32_t b = 0; b < blocks; b++) {
        const MachBlock *block = mach_block(func, b);
        for (uint32_t i = 0; i < block->count; i++)
            scan_instr(&scan, mach_at(func, block->first + i), b);
    }
    uint32_t *set_blocks, *read_blocks;
    uint32_t *sets = sort_sites(arena, scan.sets.at, scan.sets.count, regs, &set_blocks);
    uint32_t *reads = sort_sites(arena, scan.reads.at, scan.reads.count, regs, &read_blocks);

    // Marks hold the register + 1: sets of this register, blocks where it is live.
    uint32_t *is_set = ARENA_ARRAY(arena, uint32_t, blocks);
    uint32_t *is_live = ARENA_ARRAY(arena, uint32_t, blocks);
    VEC(Site) live = {0};
    for (uint32_t r = 0; r < regs; r++) {
        for (uint32_t i = sets[r]; i < sets[r + 1]; i++) is_set[set_blocks[i]] = r + 1;
        uint32_t done = live.count;
        for (uint32_t i = reads[r]; i < reads[r + 1]; i++) {
            is_live[read_blocks[i]] = r + 1;
            vec_push(arena, &live, (Site){r, read_blocks[i]});
        }
        for (; done < live.count; done++) {
            uint32_t block = live.at[done].block;
            for (uint32_t k = preds->first[block]; k < preds->first[block + 1]; k++) {
                uint32_t pred = preds->list[k];
                if (is_set[pred] == r + 1 || is_live[pred] == r + 1) continue;
                is_live[pred] = r + 1;
                vec_push(arena, &live, (Site){r, pred});
            }
        }
    }

    MachLive result = {.first = ARENA_ARRAY(arena, uint32_t, blocks + 2),
                       .regs = ARENA_ARRAY(arena, uint32_t, live.count)};
    for (uint32_t i = 0; i < live.count; i++) result.first[live.at[i].block + 2]++;
    for (uint32_t b = 0; b < blocks; b++) result.first[b + 2] += result.first[b + 1];
    for (uint32_t i = 0; i < live.count; i++)
        result.regs[result.first[live.at[i].block + 1]++] = live.at[i].reg;
    return result;
}
