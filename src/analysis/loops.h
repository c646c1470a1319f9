// The loop nesting forest, for reducible and irreducible graphs.
//
// The loops of a graph are defined so. Each strongly connected component of the reachable part that
// has an edge inside is the body of a loop. Its header is its first node in reverse postorder. The
// loops inside it are the loops of the body without the header and the edges at the header. A loop
// is irreducible if an edge from outside enters its body elsewhere than at the header. The targets
// of such edges are its entries besides the header, which is always an entry.
#pragma once

#include "analysis/intervals.h"
#include "analysis/mintree.h"

typedef struct {
    uint32_t header;
    uint32_t parent; // the next outer loop; NO_ID if there is none
    uint32_t depth;  // 1 for an outermost loop
    uint32_t latch_at;
    uint32_t latch_count; // the nodes of the body with an edge to the header, each once:
                          // forest.latch[latch_at ..]
    bool irreducible;
} Loop;

typedef struct {
    uint32_t count;
    Loop *loops;         // by header in reverse postorder: outer loops before those inside them
    uint32_t *innermost; // node -> innermost loop that contains it; NO_ID if none
    uint32_t *latch;
    // The rest is there only if there are loops.
    Intervals intervals;  // of the forest in which a node's parent is the header of the innermost
                          // loop around the node that has another header
    uint32_t *outside;    // see loop_enters; indexed by place in intervals.list
    MinTree outside_tree; // of the same; made only if a loop is irreducible
} LoopForest;

// Almost linear, however the graph looks.
LoopForest loops_of(Arena *arena, const Graph *graph);

static inline bool loop_contains(const LoopForest *forest, uint32_t loop, uint32_t node) {
    return intervals_contain(&forest->intervals, forest->loops[loop].header, node);
}

// The body: loop_size nodes, the header first, and each inner loop's body in one stretch.
static inline const uint32_t *loop_body(const LoopForest *forest, uint32_t loop) {
    return forest->intervals.list + forest->intervals.pre[forest->loops[loop].header];
}
static inline uint32_t loop_size(const LoopForest *forest, uint32_t loop) {
    uint32_t header = forest->loops[loop].header;
    return forest->intervals.post[header] - forest->intervals.pre[header];
}

// Whether a node of the loop is the target of an edge from outside. Constant time: `outside` holds
// the depth of the outermost loop that a predecessor lies in together with the node (0 if one lies
// in none of its loops, NO_ID if it has no predecessors).
static inline bool loop_enters(const LoopForest *forest, uint32_t loop, uint32_t node) {
    return loop_contains(forest, loop, node) &&
           forest->outside[forest->intervals.pre[node]] < forest->loops[loop].depth;
}

// Replaces `out` by the entries of a loop besides the header; none if it is reducible. Logarithmic
// time for each.
void loop_entries(const LoopForest *forest, uint32_t loop, Arena *arena, NodeList *out);
