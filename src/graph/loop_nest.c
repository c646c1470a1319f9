// Collects loops from the innermost outwards. Headers are taken in the reverse of the preorder of
// the dominator tree, so that a header comes after all headers that it dominates. From the sources
// of its back edges the walk goes against the edges. A node that already belongs to a loop stands
// for its whole outermost loop so far: path compression finds that loop, and the walk goes on at
// its header. So each node and each edge is walked once.
#include "graph/loop_nest.h"

#include "base/bits.h"

typedef struct {
    const Func *func;
    const Preds *preds;
    const Dominance *dom; // NULL: numbers say which edges go back
    Arena *arena;
    LoopNest loop_nest;
    uint32_t *around; // header -> a header of a loop around it, compressed; NO_ID if none so far
    VEC(Node) work;
} LoopWalk;

static bool reaches(const LoopWalk *walk, Node node) {
    return !walk->dom || dominance_reaches(walk->dom, node);
}

static bool goes_back(const LoopWalk *walk, Node from, Node to) {
    if (!walk->dom) return to.i <= from.i;
    return dominance_reaches(walk->dom, from) && is_back_edge(walk->dom, from, to);
}

// The header of the outermost loop found so far that holds a header.
static uint32_t outermost(LoopWalk *walk, uint32_t header) {
    uint32_t top = header;
    while (walk->around[top] != NO_ID) top = walk->around[top];
    while (walk->around[header] != NO_ID) {
        uint32_t next = walk->around[header];
        walk->around[header] = top;
        if (next == top) break;
        header = next;
    }
    return top;
}

// Takes a node that leads into the loop of `header` into it; a loop found before comes in as a
// whole.
static void take(LoopWalk *walk, Node header, Node node) {
    if (node.i == header.i || !reaches(walk, node)) return;
    if (walk->loop_nest.loop[node.i].i == NO_ID) {
        walk->loop_nest.loop[node.i] = header;
        vec_push(walk->arena, &walk->work, node);
        return;
    }
    uint32_t top = outermost(walk, walk->loop_nest.loop[node.i].i);
    if (top == header.i) return;
    walk->around[top] = header.i;
    walk->loop_nest.outer[top] = header;
    vec_push(walk->arena, &walk->work, (Node){top});
}

static void collect(LoopWalk *walk, Node header) {
    const Node *preds = preds_at(walk->preds, header);
    bool any = false;
    for (uint32_t k = 0; k < preds_count(walk->preds, header); k++)
        any |= goes_back(walk, preds[k], header);
    if (!any) return;
    walk->loop_nest.loop[header.i] = header;
    for (uint32_t k = 0; k < preds_count(walk->preds, header); k++)
        if (goes_back(walk, preds[k], header)) take(walk, header, preds[k]);
    while (walk->work.count) {
        Node node = vec_pop(&walk->work);
        const Node *before = preds_at(walk->preds, node);
        for (uint32_t k = 0; k < preds_count(walk->preds, node); k++)
            if (!goes_back(walk, before[k], node)) take(walk, header, before[k]);
    }
}

// Without back edges, a reducible graph has no cycle: nodes can be removed one by one, each when
// none leads to it any more.
static bool is_reducible(LoopWalk *walk) {
    const Func *func = walk->func;
    uint32_t *incoming = ARENA_ARRAY(walk->arena, uint32_t, func->nodes.count), removed = 0;
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Node *before = preds_at(walk->preds, (Node){n});
        for (uint32_t k = 0; k < preds_count(walk->preds, (Node){n}); k++)
            incoming[n] +=
                dominance_reaches(walk->dom, before[k]) && !goes_back(walk, before[k], (Node){n});
    }
    vec_push(walk->arena, &walk->work, (Node){0});
    while (walk->work.count) {
        Node node = vec_pop(&walk->work);
        const Instr *instr = func_at(func, node);
        const Node *succs = instr_succs(func, instr);
        removed++;
        for (uint32_t k = 0; k < instr->succ_count; k++)
            if (!goes_back(walk, node, succs[k]) && --incoming[succs[k].i] == 0)
                vec_push(walk->arena, &walk->work, succs[k]);
    }
    return removed == walk->dom->count;
}

// In the order of the dominator tree, a header comes after the headers of the loops around it.
// `first` counts the loops in a loop, then `around` has the next number that is free in it.
static void number_loops(LoopWalk *walk) {
    LoopNest *loop_nest = &walk->loop_nest;
    uint32_t free = 0;
    for (uint32_t i = walk->dom->count; i-- > 0;) {
        uint32_t header = walk->dom->order[i];
        if (!loop_nest_is_header(loop_nest, (Node){header})) continue;
        uint32_t outer = loop_nest->outer[header].i;
        loop_nest->first[header]++;
        if (outer != NO_ID) loop_nest->first[outer] += loop_nest->first[header];
    }
    for (uint32_t i = 0; i < walk->dom->count; i++) {
        uint32_t header = walk->dom->order[i];
        if (!loop_nest_is_header(loop_nest, (Node){header})) continue;
        uint32_t outer = loop_nest->outer[header].i, size = loop_nest->first[header];
        uint32_t *next = outer == NO_ID ? &free : &walk->around[outer];
        loop_nest->first[header] = *next;
        loop_nest->last[header] = *next + size - 1;
        walk->around[header] = *next + 1;
        *next += size;
    }
}

static LoopWalk walk_of(Arena *arena, const Func *func, const Preds *preds, const Dominance *dom) {
    uint32_t count = func->nodes.count;
    LoopWalk walk = {.func = func,
                     .preds = preds,
                     .dom = dom,
                     .arena = arena,
                     .loop_nest = {.loop = ARENA_ARRAY(arena, Node, count),
                                   .outer = ARENA_ARRAY(arena, Node, count)},
                     .around = ARENA_ARRAY(arena, uint32_t, count)};
    for (uint32_t n = 0; n < count; n++) {
        walk.loop_nest.loop[n] = walk.loop_nest.outer[n] = NO_NODE;
        walk.around[n] = NO_ID;
    }
    return walk;
}

static LoopNest find_loop_nest(Arena *arena, const Func *func, const Preds *preds,
                               const Dominance *dom) {
    LoopWalk walk = walk_of(arena, func, preds, dom);
    walk.loop_nest.first = ARENA_ARRAY(arena, uint32_t, func->nodes.count);
    walk.loop_nest.last = ARENA_ARRAY(arena, uint32_t, func->nodes.count);
    walk.loop_nest.reducible = is_reducible(&walk);
    for (uint32_t i = dom->count; walk.loop_nest.reducible && i-- > 0;)
        collect(&walk, (Node){dom->order[i]});
    if (walk.loop_nest.reducible) number_loops(&walk);
    return walk.loop_nest;
}

LoopNest loop_nest_by_number(Arena *arena, const Func *func, const Preds *preds) {
    LoopWalk walk = walk_of(arena, func, preds, NULL);
    for (uint32_t n = func->nodes.count; n-- > 0;) collect(&walk, (Node){n});
    return walk.loop_nest;
}

LoopNest loop_nest_of(Arena *arena, const Func *func, const Preds *preds, const Dominance *dom) {
    FuncCache *cache = func->cache;
    if (!cache) return find_loop_nest(arena, func, preds, dom);
    if (!cache->loop_nest) {
        LoopNest nest = find_loop_nest(func->arena, func, preds, dom);
        cache->loop_nest = arena_copy(func->arena, &nest, sizeof nest);
    }
    return *cache->loop_nest;
}

bool loop_nest_has_pads(const LoopNest *loop_nest, const Func *func, const Preds *preds) {
    for (uint32_t n = 0; n < func->nodes.count; n++) {
        const Instr *instr = &func->nodes.at[n];
        if (loop_nest->loop[n].i == NO_ID) continue;
        for (uint32_t k = 0; k < instr->succ_count; k++) {
            Node succ = instr_succs(func, instr)[k];
            if (loop_nest_contains(loop_nest, loop_nest->loop[n], succ)) continue;
            if (func_at(func, succ)->kind != I_NOP || preds_sole(preds, succ).i == NO_ID)
                return false;
        }
    }
    return true;
}
