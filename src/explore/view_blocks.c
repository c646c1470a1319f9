// Dominators and loops of the blocks of a view.
#include "analysis/loops.h"
#include "explore/view.h"
#include "slice/dominator_tree.h"

void view_analyse(Arena *arena, View *view) {
    if (!view->block_count) return;
    uint32_t count = view->block_count;
    Graph graph = graph_from(arena, count, view->succ_at, view->succ);
    LoopForest forest = loops_of(arena, &graph);
    DominatorTree tree = dominator_tree_of(arena, &graph);
    view->idom = tree.idom;
    view->height = tree.depth;
    view->loop = graph_table(arena, count);
    view->depth = ARENA_ARRAY(arena, uint32_t, count);
    for (uint32_t b = 0; b < count; b++) {
        uint32_t loop = forest.innermost[b];
        if (loop == NO_ID) continue;
        view->loop[b] = forest.loops[loop].header;
        view->depth[b] = forest.loops[loop].depth;
    }
}
