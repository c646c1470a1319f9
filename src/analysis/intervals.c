#include "analysis/intervals.h"

Intervals intervals_new(Arena *arena, const Graph *graph, const uint32_t *parent) {
    Intervals intervals = {
        .list = ARENA_ARRAY(arena, uint32_t, graph->reached),
        .pre = graph_table(arena, graph->count),
        .post = ARENA_ARRAY(arena, uint32_t, graph->count),
    };
    // `post` first counts the nodes of each subtree, children before parents; then it runs over the
    // places of the subtree, parents before children, and ends where the subtree ends.
    uint32_t *post = intervals.post;
    for (uint32_t i = graph->reached; i-- > 0;) {
        uint32_t node = graph->order[i];
        post[node]++;
        if (parent[node] != NO_ID) post[parent[node]] += post[node];
    }
    uint32_t next_root = 0;
    for (uint32_t i = 0; i < graph->reached; i++) {
        uint32_t node = graph->order[i], size = post[node];
        uint32_t *place = parent[node] == NO_ID ? &next_root : &post[parent[node]];
        intervals.pre[node] = *place;
        intervals.list[*place] = node;
        *place += size;
        post[node] = intervals.pre[node] + 1;
    }
    return intervals;
}
