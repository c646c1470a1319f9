// How often blocks run, roughly: the entry once, a loop LOOP_ROUNDS times as often as it is
// entered, the two sides of a branch equally often unless one leaves the loop. Only proportions
// matter.
#include "mach/allocate_private.h"

static const float LOOP_ROUNDS = 8.0f, RARE = 1.0f / 64, MOST = 1e12f;

static bool ends_program(const Func *func, const MachBlock *block) {
    uint8_t kind = mach_at(func, block->first + block->count - 1)->kind;
    return kind == MK_TRAP || kind == MK_STOP;
}

static bool in_loop(const LoopForest *forest, uint32_t loop, uint32_t block) {
    return loop == NO_ID || loop_contains(forest, loop, block);
}

static float edge_share(const Allocator *a, const LoopForest *forest, uint32_t from, uint32_t to) {
    if (ends_program(a->func, mach_block(a->func, to))) return RARE;
    return in_loop(forest, forest->innermost[from], to) ? 1.0f : 1.0f / LOOP_ROUNDS;
}

// In reverse postorder all edges but those that go back have been seen when a block is reached.
static void spread(Allocator *a, const Graph *graph, const LoopForest *forest) {
    for (uint32_t k = 0; k < graph->reached; k++) {
        uint32_t b = graph->order[k], loop = forest->innermost[b];
        bool header = loop != NO_ID && forest->loops[loop].header == b;
        if (k == 0) a->frequency[b] = 1.0f;
        if (header) a->frequency[b] *= LOOP_ROUNDS;
        // Every block has at least this frequency.
        float least = RARE;
        for (uint32_t d = loop == NO_ID ? 0 : forest->loops[loop].depth; d > 0 && least < 1e6f; d--)
            least *= LOOP_ROUNDS;
        if (a->frequency[b] < least) a->frequency[b] = least;
        if (a->frequency[b] > MOST) a->frequency[b] = MOST;
        float total = 0;
        for (uint32_t e = graph->succ_at[b]; e < graph->succ_at[b + 1]; e++)
            total += edge_share(a, forest, b, graph->succ[e]);
        for (uint32_t e = graph->succ_at[b]; e < graph->succ_at[b + 1]; e++) {
            uint32_t to = graph->succ[e];
            if (graph->number[to] > k)
                a->frequency[to] += a->frequency[b] * edge_share(a, forest, b, to) / total;
        }
    }
}

// The loops for splitting, which goes from one level to the next and looks at all blocks in each.
// Loops nested deeper than anyone writes are left out, unless they are at most half as large as the
// loop around them. Gotos can make nests as deep as the function is long.
static void keep_loops(Allocator *a, const LoopForest *forest) {
    enum { DEEP = 12 };
    uint32_t *kept = ARENA_ARRAY(a->arena, uint32_t, forest->count); // itself, or the one around it
    uint32_t *depth = ARENA_ARRAY(a->arena, uint32_t, forest->count);
    a->loop_count = forest->count;
    a->loop_parent = ARENA_ARRAY(a->arena, uint32_t, forest->count);
    for (uint32_t l = 0; l < forest->count; l++) {
        uint32_t parent = forest->loops[l].parent;
        if (parent != NO_ID) parent = kept[parent];
        bool keep = parent == NO_ID || depth[parent] < DEEP ||
                    loop_size(forest, l) <= loop_size(forest, parent) / 2;
        kept[l] = keep ? l : parent;
        if (keep) depth[l] = parent == NO_ID ? 1 : depth[parent] + 1;
        a->loop_parent[l] = parent;
    }
    for (uint32_t b = 0; b < a->func->mach->blocks.count; b++) {
        uint32_t loop = forest->innermost[b];
        a->loop_of[b] = loop == NO_ID ? NO_ID : kept[loop];
    }
}

void block_frequency(Allocator *a) {
    const Mach *mach = a->func->mach;
    uint32_t count = mach->blocks.count;
    uint32_t *succ_at = ARENA_ARRAY(a->arena, uint32_t, (size_t)count + 1);
    uint32_t *succ = ARENA_ARRAY(a->arena, uint32_t, mach->succs.count);
    for (uint32_t b = 0; b < count; b++) {
        const MachBlock *block = &mach->blocks.at[b];
        const uint32_t *succs = mach_succs(a->func, block);
        succ_at[b + 1] = succ_at[b] + block->succ_count;
        for (uint32_t k = 0; k < block->succ_count; k++) succ[succ_at[b] + k] = succs[k];
    }
    Graph graph = graph_from(a->arena, count, succ_at, succ);
    LoopForest forest = loops_of(a->arena, &graph);
    a->frequency = ARENA_ARRAY(a->arena, float, count);
    a->loop_of = ARENA_ARRAY(a->arena, uint32_t, count);
    keep_loops(a, &forest);
    spread(a, &graph, &forest);
    allocate_profile(a, &graph, &forest);
}
