// Where jumps of machine code really lead: blocks that only jump on are left out. See mach.h.
#include "form/mach.h"

#include "base/bits.h"

static bool only_jumps(const Func *func, uint32_t b) {
    const MachBlock *block = mach_block(func, b);
    return block->count == 1 && mach_at(func, block->first)->kind == MK_JUMP;
}

uint32_t *mach_jump_targets(Arena *arena, const Func *func) {
    uint32_t count = func->mach->blocks.count;
    uint32_t *target = ARENA_ARRAY(arena, uint32_t, count);
    uint32_t *path = ARENA_ARRAY(arena, uint32_t, count);
    Bits on_path = bits_new(arena, count);
    for (uint32_t b = 0; b < count; b++) target[b] = only_jumps(func, b) ? NO_ID : b;
    for (uint32_t b = 0; b < count; b++) {
        uint32_t length = 0, at = b;
        while (target[at] == NO_ID && bits_put(&on_path, at)) {
            path[length++] = at;
            at = *mach_succs(func, mach_block(func, at));
        }
        uint32_t end = target[at] == NO_ID ? at : target[at];
        while (length) {
            target[path[--length]] = end;
            bits_remove(&on_path, path[length]);
        }
    }
    return target;
}
