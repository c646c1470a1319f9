// Liveness of registers at the starts of blocks. A register is live at the start of a block if the
// block reads the register before setting it, or if the register is live at the start of a
// successor and the block does not set it. A register that no block reads before setting is live at
// the start of no block, and is left out; most registers are of that kind.
#include "check/machine/mach_live.h"

typedef struct {
    const Func *func;
    bool
        *crosses; // per register: whether some block reads the register before setting it, if it is
                  // not ignored
    MachLive *live;
    KeySet now;
} Walker;

static void find_crossing(Arena *arena, Walker *walker, const bool *ignored) {
    const Func *func = walker->func;
    uint32_t *set_in =
        ARENA_ARRAY(arena, uint32_t, func->regs.count); // the last block to set it, + 1
    walker->crosses = ARENA_ARRAY(arena, bool, func->regs.count);
    for (uint32_t b = 0; b < func->mach->blocks.count; b++) {
        const MachBlock *block = mach_block(func, b);
        for (uint32_t i = 0; i < block->count; i++) {
            const MachInstr *instr = mach_at(func, block->first + i);
            for (uint32_t k = 0; k < mach_read_count(instr); k++) {
                uint32_t reg = mach_read_at(func, instr, k).i;
                if (reg != NO_ID && set_in[reg] != b + 1) walker->crosses[reg] = true;
            }
            for (uint32_t k = 0; k < mach_set_count(instr); k++) {
                uint32_t reg = mach_set_at(func, instr, k).i;
                if (reg != NO_ID) set_in[reg] = b + 1;
            }
        }
    }
    for (uint32_t reg = 0; ignored && reg < func->regs.count; reg++)
        if (ignored[reg]) walker->crosses[reg] = false;
}

static void note_read(Walker *walker, Place place) {
    if (place.i == NO_ID || !walker->crosses[place.i]) return;
    walker->now = keys_put(&walker->live->keys, walker->now, place.i);
}

static void note_set(Walker *walker, Place place) {
    if (place.i == NO_ID || !walker->crosses[place.i]) return;
    walker->now = keys_drop(&walker->live->keys, walker->now, place.i);
}

static void instr_back(Walker *walker, const MachInstr *instr) {
    for (uint32_t k = 0; k < mach_set_count(instr); k++)
        note_set(walker, mach_set_at(walker->func, instr, k));
    for (uint32_t k = 0; k < mach_read_count(instr); k++)
        note_read(walker, mach_read_at(walker->func, instr, k));
}

KeySet mach_live_out(MachLive *live, const Func *func, uint32_t block) {
    const MachBlock *info = mach_block(func, block);
    KeySet out = NO_KEYS;
    for (uint32_t k = 0; k < info->succ_count; k++)
        out = keys_union(&live->keys, out, live->entries[mach_succs(func, info)[k]]);
    return out;
}

static WalkResult walk(void *context, uint32_t block) {
    Walker *walker = context;
    MachLive *live = walker->live;
    const MachBlock *info = mach_block(walker->func, block);
    walker->now = mach_live_out(live, walker->func, block);
    for (uint32_t i = info->count; i-- > 0;)
        instr_back(walker, mach_at(walker->func, info->first + i));
    if (mach_backward_is_too_long(walker->func, &live->keys)) return WALK_STOP;
    if (keys_count(&live->keys, walker->now) == keys_count(&live->keys, live->entries[block]))
        return WALK_SAME;
    live->entries[block] = walker->now;
    keys_keep(&live->keys);
    return WALK_GROWN;
}

bool mach_live(Arena *arena, const Func *func, const bool *ignored, MachLive *live) {
    uint32_t count = func->mach->blocks.count;
    *live = (MachLive){.keys = {.arena = arena}, .entries = ARENA_ARRAY(arena, KeySet, count)};
    for (uint32_t b = 0; b < count; b++) live->entries[b] = NO_KEYS;
    Walker walker = {.func = func, .live = live};
    find_crossing(arena, &walker, ignored);
    return mach_backward(arena, func, walk, &walker);
}
