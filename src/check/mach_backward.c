#include "check/mach_backward.h"

#include "base/bits.h"

// The blocks in postorder, those that cannot be reached last: a block comes behind its successors, but for
// those that lead back to it.
static uint32_t *postorder(Arena *arena, const Func *func) {
    uint32_t count = func->mach->blocks.count, done = 0, depth = 0;
    uint32_t *order = ARENA_ARRAY(arena, uint32_t, count);
    uint32_t *path = ARENA_ARRAY(arena, uint32_t, count);
    uint32_t *next =
        ARENA_ARRAY(arena, uint32_t, count); // successor to look at, from 1; 0: not seen
    for (uint32_t start = 0; start < count; start++) {
        if (next[start]) continue;
        next[path[depth++] = start] = 1;
        while (depth) {
            uint32_t b = path[depth - 1];
            const MachBlock *block = mach_block(func, b);
            if (next[b] > block->succ_count) {
                order[done++] = b;
                depth--;
                continue;
            }
            uint32_t succ = mach_succs(func, block)[next[b]++ - 1];
            if (!next[succ]) next[path[depth++] = succ] = 1;
        }
    }
    return order;
}

// Of the blocks that wait, always the first in postorder is taken, so that a loop is done with before what is
// in front of it.
bool mach_backward(Arena *arena, const Func *func,
                   WalkResult (*walk)(void *context, uint32_t block), void *context) {
    uint32_t count = func->mach->blocks.count;
    MachPreds preds = mach_preds(arena, func);
    uint32_t *order = postorder(arena, func), *number = ARENA_ARRAY(arena, uint32_t, count);
    Bits waiting = bits_new(arena, count);
    for (uint32_t i = 0; i < count; i++) {
        number[order[i]] = i;
        bits_add(&waiting, i);
    }
    for (uint32_t i = 0; (i = bits_next(&waiting, i)) < count;) {
        uint32_t block = order[i], first = i + 1;
        bits_remove(&waiting, i);
        WalkResult result = walk(context, block);
        if (result == WALK_STOP) return false;
        if (result == WALK_GROWN) {
            for (uint32_t k = preds.first[block]; k < preds.first[block + 1]; k++) {
                uint32_t pred = number[preds.list[k]];
                bits_add(&waiting, pred);
                if (pred < first) first = pred;
            }
        }
        i = first;
    }
    return true;
}
