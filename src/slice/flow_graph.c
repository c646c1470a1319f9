#include "slice/flow_graph.h"

static bool is_taken(const uint32_t *way, uint32_t node, uint32_t which) {
    return !way || way[node] == NO_ID || way[node] == which;
}

Graph flow_graph(Arena *arena, const Func *func, const uint32_t *way) {
    uint32_t count = func->nodes.count;
    uint32_t *at = ARENA_ARRAY(arena, uint32_t, (size_t)count + 1);
    VEC(uint32_t) succ = {0};
    for (uint32_t n = 0; n < count; n++) {
        const Instr *instr = &func->nodes.at[n];
        at[n] = succ.count;
        for (uint32_t k = 0; k < instr->succ_count; k++)
            if (is_taken(way, n, k)) vec_push(arena, &succ, instr_succs(func, instr)[k].i);
    }
    at[count] = succ.count;
    return graph_from(arena, count, at, succ.at);
}

Graph flow_graph_from_returns(Arena *arena, const Func *func, const Graph *graph) {
    uint32_t *at = ARENA_ARRAY(arena, uint32_t, (size_t)graph->count + 2);
    VEC(uint32_t) succ = {0};
    for (uint32_t n = 0; n < graph->count; n++)
        if (graph_reaches(graph, n) && func->nodes.at[n].kind == I_RETURN)
            vec_push(arena, &succ, n + 1);
    for (uint32_t n = 0; n < graph->count; n++) {
        at[n + 1] = succ.count;
        for (uint32_t k = graph->pred_at[n]; k < graph->pred_at[n + 1]; k++)
            if (graph_reaches(graph, graph->pred[k])) vec_push(arena, &succ, graph->pred[k] + 1);
    }
    at[graph->count + 1] = succ.count;
    return graph_from(arena, graph->count + 1, at, succ.at);
}
