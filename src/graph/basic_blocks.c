#include "graph/basic_blocks.h"

#include <string.h>

// From the head of a block to its end.
static void follow(const Func *func, const Preds *preds, uint32_t *heads, uint32_t head) {
    for (uint32_t node = head;;) {
        heads[node] = head;
        if (func->nodes.at[node].succ_count != 1) return;
        node = func->nodes.at[node].succ[0].i;
        if (node == head || !continues_block(func, preds, (Node){node})) return;
    }
}

// Nodes mostly come after the nodes whose blocks they continue.
uint32_t *block_heads(Arena *arena, const Func *func, const Preds *preds) {
    uint32_t count = func->nodes.count, *heads = ARENA_ARRAY(arena, uint32_t, count);
    bool known = true;
    memset(heads, 0xff, count * sizeof *heads);
    for (uint32_t n = 0; n < count; n++) {
        bool on = continues_block(func, preds, (Node){n});
        heads[n] = on ? heads[preds_at(preds, (Node){n})->i] : n;
        known &= heads[n] != NO_ID;
    }
    for (uint32_t n = 0; !known && n < count; n++)
        if (heads[n] == n) follow(func, preds, heads, n);
    for (uint32_t n = 0; !known && n < count; n++)
        if (heads[n] == NO_ID) follow(func, preds, heads, n);
    return heads;
}
