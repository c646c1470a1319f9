// Dominators and loops of the blocks of a view.
//
// Dominators are found by going up from both ends of each pair of predecessors until they meet, in reverse postorder, until nothing
// changes. That is quick on the graphs that functions have, and nothing but a picture depends on it.
#include "analysis/loops.h"
#include "explore/view.h"

static uint32_t meet(const Graph *graph, const uint32_t *idom, uint32_t a, uint32_t b) {
    while (a != b)
        if (graph->number[a] > graph->number[b])
            a = idom[a];
        else
            b = idom[b];
    return a;
}

static bool improve(const Graph *graph, uint32_t *idom, uint32_t block) {
    uint32_t found = NO_ID;
    for (uint32_t i = graph->pred_at[block]; i < graph->pred_at[block + 1]; i++) {
        uint32_t pred = graph->pred[i];
        if (!graph_reaches(graph, pred) || idom[pred] == NO_ID) continue;
        found = found == NO_ID ? pred : meet(graph, idom, pred, found);
    }
    bool changed = idom[block] != found;
    idom[block] = found;
    return changed;
}

static uint32_t *dominators(Arena *arena, const Graph *graph) {
    uint32_t *idom = graph_table(arena, graph->count);
    idom[graph->entry] = graph->entry;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 1; i < graph->reached; i++)
            changed |= improve(graph, idom, graph->order[i]);
    }
    idom[graph->entry] = NO_ID;
    return idom;
}

void view_analyse(Arena *arena, View *view) {
    if (!view->block_count) return;
    uint32_t count = view->block_count;
    Graph graph = graph_from(arena, count, view->succ_at, view->succ);
    LoopForest forest = loops_of(arena, &graph);
    view->idom = dominators(arena, &graph);
    view->loop = graph_table(arena, count);
    view->depth = ARENA_ARRAY(arena, uint32_t, count);
    for (uint32_t b = 0; b < count; b++) {
        uint32_t loop = forest.innermost[b];
        if (loop == NO_ID) continue;
        view->loop[b] = forest.loops[loop].header;
        view->depth[b] = forest.loops[loop].depth;
    }
}
