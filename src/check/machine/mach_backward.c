// Walks blocks backward until their sets stay the same. The order in which blocks are walked does
// not change the result, only how often a block is walked.
//
// First each block is walked once, after its successors, back edges aside: then the header of each
// loop knows what the loop needs of itself. This need has to get from the header to the ends of the
// loop, and from there, through the headers of the loops inside, to their ends. So of the blocks
// that wait, blocks in fewer loops come first, and among these, blocks that come after their
// successors. A deeply nested loop then does not go round once for each loop around it.
#include "check/machine/mach_backward.h"

#include "base/bits.h"

typedef struct {
    Arena *arena;
    const Func *func;
    MachPreds preds;
    uint32_t *post; // blocks in postorder, those that cannot be reached last
    uint32_t *pre;  // block -> its number in the order in which a depth-first search comes to it
    uint32_t *last; // block -> the largest number below it in that search
    uint32_t *by_number; // the other way round
    uint32_t *depth;     // block -> how many loops it is in
} BackwardWalk;

static void search(BackwardWalk *flow) {
    const Func *func = flow->func;
    uint32_t count = func->mach->blocks.count, done = 0, seen = 0, depth = 0;
    uint32_t *path = ARENA_ARRAY(flow->arena, uint32_t, count);
    uint32_t *next = ARENA_ARRAY(flow->arena, uint32_t, count); // successor to look at, from 1
    for (uint32_t start = 0; start < count; start++) {
        if (next[start]) continue;
        path[depth++] = start;
        while (depth) {
            uint32_t b = path[depth - 1];
            const MachBlock *block = mach_block(func, b);
            if (!next[b]) {
                next[b] = 1;
                flow->by_number[seen] = b;
                flow->pre[b] = seen++;
            }
            if (next[b] > block->succ_count) {
                flow->last[b] = seen - 1;
                flow->post[done++] = b;
                depth--;
                continue;
            }
            uint32_t succ = mach_succs(func, block)[next[b]++ - 1];
            if (!next[succ]) path[depth++] = succ;
        }
    }
}

static uint32_t outermost(uint32_t *loop, uint32_t block) {
    while (loop[block] != block) block = loop[block] = loop[loop[block]];
    return block;
}

static bool is_below(const BackwardWalk *flow, uint32_t block, uint32_t header) {
    return flow->pre[block] >= flow->pre[header] && flow->pre[block] <= flow->last[header];
}

// After Havlak: for each header, inner ones first, the blocks that lead back to it and are below it
// in the search. An entry of a loop beside its header is left out.
static void find_depths(BackwardWalk *flow) {
    uint32_t count = flow->func->mach->blocks.count;
    uint32_t *loop = ARENA_ARRAY(flow->arena, uint32_t, count); // a block of a loop around; itself
    uint32_t *header =
        ARENA_ARRAY(flow->arena, uint32_t, count); // of the innermost loop around, + 1
    bool *heads = ARENA_ARRAY(flow->arena, bool, count);
    VEC(uint32_t) body = {0};
    for (uint32_t b = 0; b < count; b++) loop[b] = b;
    for (uint32_t i = count; i-- > 0;) {
        uint32_t head = flow->by_number[i];
        vec_clear(&body);
        for (uint32_t at = 0, block = head;; block = body.at[at++]) {
            for (uint32_t k = flow->preds.first[block]; k < flow->preds.first[block + 1]; k++) {
                if (!is_below(flow, flow->preds.list[k], head)) continue;
                heads[head] = true;
                uint32_t inner = outermost(loop, flow->preds.list[k]);
                if (inner == head || header[inner]) continue;
                header[inner] = head + 1;
                vec_push(flow->arena, &body, inner);
            }
            if (at == body.count) break;
        }
        for (uint32_t k = 0; k < body.count; k++) loop[body.at[k]] = head;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t b = flow->by_number[i];
        flow->depth[b] = (header[b] ? flow->depth[header[b] - 1] : 0) + heads[b];
    }
}

// The blocks by depth, in postorder among those of one depth.
static uint32_t *by_depth(const BackwardWalk *flow) {
    uint32_t count = flow->func->mach->blocks.count;
    uint32_t *at = ARENA_ARRAY(flow->arena, uint32_t, (size_t)count + 2);
    uint32_t *order = ARENA_ARRAY(flow->arena, uint32_t, count);
    for (uint32_t b = 0; b < count; b++) at[flow->depth[b] + 1]++;
    for (uint32_t d = 0; d < count; d++) at[d + 1] += at[d];
    for (uint32_t i = 0; i < count; i++) order[at[flow->depth[flow->post[i]]]++] = flow->post[i];
    return order;
}

static BackwardWalk flow_of(Arena *arena, const Func *func) {
    uint32_t count = func->mach->blocks.count;
    BackwardWalk flow = {.arena = arena,
                         .func = func,
                         .preds = mach_preds(arena, func),
                         .post = ARENA_ARRAY(arena, uint32_t, count),
                         .pre = ARENA_ARRAY(arena, uint32_t, count),
                         .last = ARENA_ARRAY(arena, uint32_t, count),
                         .by_number = ARENA_ARRAY(arena, uint32_t, count),
                         .depth = ARENA_ARRAY(arena, uint32_t, count)};
    search(&flow);
    find_depths(&flow);
    return flow;
}

bool mach_backward(Arena *arena, const Func *func,
                   WalkResult (*walk)(void *context, uint32_t block), void *context) {
    BackwardWalk flow = flow_of(arena, func);
    uint32_t count = func->mach->blocks.count, *order = by_depth(&flow);
    uint32_t *number = ARENA_ARRAY(arena, uint32_t, count);
    Bits waiting = bits_new(arena, count);
    for (uint32_t i = 0; i < count; i++) number[order[i]] = i;
    // Each block once; then those that wait, from the first on.
    for (uint32_t i = 0, turn = 0; turn < count || (i = bits_next(&waiting, i)) < count; turn++) {
        uint32_t block = turn < count ? flow.post[turn] : order[i],
                 first = turn < count ? 0 : i + 1;
        bits_remove(&waiting, number[block]);
        WalkResult result = walk(context, block);
        if (result == WALK_STOP) return false;
        if (result == WALK_GROWN) {
            for (uint32_t k = flow.preds.first[block]; k < flow.preds.first[block + 1]; k++) {
                uint32_t pred = number[flow.preds.list[k]];
                bits_add(&waiting, pred);
                if (pred < first) first = pred;
            }
        }
        i = first;
    }
    return true;
}
