// A run stands in one stretch of the reverse postorder: its only way on is finished by the search
// right before it. So finding blocks is finding the nodes that start one, in that order.
#include "analysis/blocks.h"

static bool starts_block(const Graph *graph, uint32_t node) {
    if (node == graph->entry) return true;
    uint32_t incoming = 0, pred = NO_ID;
    for (uint32_t e = graph->pred_at[node]; e < graph->pred_at[node + 1] && incoming < 2; e++) {
        if (!graph_reaches(graph, graph->pred[e])) continue;
        pred = graph->pred[e];
        incoming++;
    }
    return incoming != 1 || graph->succ_at[pred + 1] - graph->succ_at[pred] != 1;
}

// The edges between blocks are those that leave their last nodes.
static Graph block_graph(Arena *arena, const Graph *graph, const Blocks *blocks) {
    uint32_t *at = ARENA_ARRAY(arena, uint32_t, (size_t)blocks->count + 1);
    NodeList succs = {0};
    for (uint32_t b = 0; b < blocks->count; b++) {
        uint32_t last = block_last(blocks, b);
        at[b] = succs.count;
        for (uint32_t e = graph->succ_at[last]; e < graph->succ_at[last + 1]; e++)
            vec_push(arena, &succs, blocks->of[graph->succ[e]]);
    }
    at[blocks->count] = succs.count;
    return graph_from(arena, blocks->count, at, succs.at);
}

Blocks blocks_of(Arena *arena, const Graph *graph) {
    NodeList starts = {0};
    Blocks blocks = {.of = graph_table(arena, graph->count), .order = graph->order};
    for (uint32_t i = 0; i < graph->reached; i++) {
        if (starts_block(graph, graph->order[i])) vec_push(arena, &starts, i);
        blocks.of[graph->order[i]] = starts.count - 1;
    }
    blocks.count = starts.count;
    vec_push(arena, &starts, graph->reached);
    blocks.start = starts.at;
    blocks.graph = block_graph(arena, graph, &blocks);
    return blocks;
}
