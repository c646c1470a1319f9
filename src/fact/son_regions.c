#include "fact/son_regions.h"

#include "fact/effects.h"
#include "graph/basic_blocks.h"

static bool starts_region(const Func *func, const Preds *preds, const uint32_t *heads,
                          uint32_t node) {
    return heads[node] == node ||
           instr_effects(func_at(func, *preds_at(preds, (Node){node}))) & MAY_STOP;
}

// From the head of each block on, along its nodes, of which each but the last has one successor.
uint32_t *son_regions(Arena *arena, const Func *func, const Preds *preds) {
    const uint32_t *heads = block_heads(arena, func, preds);
    uint32_t *region = ARENA_ARRAY(arena, uint32_t, func->nodes.count);
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        if (heads[n] != n) continue;
        uint32_t start = n, at = n;
        do {
            if (starts_region(func, preds, heads, at)) start = at;
            region[at] = start;
            const Instr *instr = &func->nodes.at[at];
            at = instr->succ_count == 1 ? instr_succs(func, instr)[0].i : n;
        } while (heads[at] == n && at != n);
    }
    return region;
}
