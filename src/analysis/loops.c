// Finds the bodies of loops in the manner of Tarjan and Havlak, with Ramalingam's correction
// ("Identifying loops in almost linear time", 1999).
//
// In the depth-first tree let D(w) be w and its descendants. The loop with header w is the strongly
// connected component of w in the subgraph of D(w). For a component's first node in reverse
// postorder is the tree ancestor of all others, and no proper ancestor of w can be in the component
// once these are removed as headers of outer loops. As w reaches all of D(w), the body of w
// consists of all nodes that reach a source of an edge to w inside D(w). So headers are tried in
// reverse preorder, innermost first; a body is searched backward from those sources, and found
// bodies are collapsed into their headers by union-find.
//
// The search may follow two kinds of edges backward inside D(w): tree edges, and cross edges with
// both ends in D(w), that is, edges whose ends have a nearest common tree ancestor that was reached
// already. (Edges from an ancestor add nothing to the tree path; edges to an ancestor make it a
// header.) A cross edge therefore waits at that ancestor and is attached to the collapsed target
// when its turn comes. If the target later lies in a body, so does the source, and the edge is done
// with: each edge is followed at most once, where Havlak's algorithm may drag it through all
// enclosing loops.
//
// Entries are found afterwards, from the depth of the innermost loop common to both ends of an
// edge.
#include "analysis/loops.h"

// Inside the search, nodes go by their preorder number in the graph.
typedef struct {
    uint32_t from;
    uint32_t to;
    uint32_t next; // in the list it is on
} CrossEdge;

typedef struct {
    Arena *arena;
    const Graph *graph;
    uint32_t *above;   // union-find: the nearest tree ancestor not after the current node
    uint32_t *whole;   // union-find: the header into which a node is collapsed
    uint32_t *outer;   // result: header of the innermost loop around a node that it does not head
    bool *heads;       // result: whether the node is a header
    uint32_t *waiting; // lists of cross edges that wait at this common ancestor
    uint32_t *coming;  // lists of cross edges into this collapsed node
    VEC(CrossEdge) cross;
    NodeList work;
} LoopSearch;

static uint32_t find(uint32_t *link, uint32_t i) {
    while (link[i] != i) i = link[i] = link[link[i]];
    return i;
}

// The edges into w that do not come from before it in preorder: to w as a header, or cross edges.
static void sort_edges(LoopSearch *s, uint32_t w) {
    const Graph *graph = s->graph;
    uint32_t node = graph->preorder[w];
    for (uint32_t e = graph->pred_at[node]; e < graph->pred_at[node + 1]; e++) {
        uint32_t from = graph->pre[graph->pred[e]];
        if (from == NO_ID || from < w) continue;
        uint32_t common = find(s->above, from);
        if (common == w) {
            s->heads[w] = true;
            vec_push(s->arena, &s->work, from);
        } else {
            CrossEdge edge = {.from = from, .to = w, .next = s->waiting[common]};
            s->waiting[common] = s->cross.count;
            vec_push(s->arena, &s->cross, edge);
        }
    }
}

static void attach_cross_edges(LoopSearch *s, uint32_t w) {
    for (uint32_t e = s->waiting[w], next; e != NO_ID; e = next) {
        CrossEdge *edge = &s->cross.at[e];
        uint32_t to = find(s->whole, edge->to);
        next = edge->next;
        edge->next = s->coming[to];
        s->coming[to] = e;
    }
}

// Collapses into w what reaches the nodes on the work list inside D(w).
static void collapse_body(LoopSearch *s, uint32_t w) {
    const Graph *graph = s->graph;
    while (s->work.count > 0) {
        uint32_t node = find(s->whole, vec_pop(&s->work));
        if (node == w) continue;
        s->outer[node] = s->whole[node] = w;
        vec_push(s->arena, &s->work, graph->pre[graph->parent[graph->preorder[node]]]);
        for (uint32_t e = s->coming[node]; e != NO_ID; e = s->cross.at[e].next)
            vec_push(s->arena, &s->work, s->cross.at[e].from);
    }
}

static LoopSearch search_loops(Arena *arena, const Graph *graph) {
    uint32_t count = graph->reached;
    LoopSearch s = {
        .arena = arena,
        .graph = graph,
        .above = ARENA_ARRAY(arena, uint32_t, count),
        .whole = ARENA_ARRAY(arena, uint32_t, count),
        .outer = graph_table(arena, count),
        .heads = ARENA_ARRAY(arena, bool, count),
        .waiting = graph_table(arena, count),
        .coming = graph_table(arena, count),
    };
    for (uint32_t w = 0; w < count; w++) s.above[w] = s.whole[w] = w;
    for (uint32_t w = count; w-- > 0;) {
        sort_edges(&s, w);
        attach_cross_edges(&s, w);
        collapse_body(&s, w);
        if (w > 0) s.above[w] = graph->pre[graph->parent[graph->preorder[w]]];
    }
    return s;
}

// Lists the loops by header, and sets innermost and intervals.
static void list_loops(Arena *arena, const Graph *graph, const LoopSearch *s, LoopForest *forest) {
    uint32_t *outer = graph_table(arena, graph->count);
    for (uint32_t w = 0; w < graph->reached; w++) forest->count += s->heads[w];
    forest->loops = ARENA_ARRAY(arena, Loop, forest->count);
    forest->innermost = graph_table(arena, graph->count);
    uint32_t next = 0;
    for (uint32_t i = 0; i < graph->reached; i++) {
        uint32_t node = graph->order[i], w = graph->pre[node], around = NO_ID;
        if (s->outer[w] != NO_ID) {
            outer[node] = graph->preorder[s->outer[w]];
            around = forest->innermost[outer[node]];
        }
        forest->innermost[node] = around;
        if (!s->heads[w]) continue;
        forest->innermost[node] = next;
        forest->loops[next++] = (Loop){
            .header = node,
            .parent = around,
            .depth = around == NO_ID ? 1 : forest->loops[around].depth + 1,
        };
    }
    forest->intervals = intervals_new(arena, graph, outer);
}

static void list_latches(Arena *arena, const Graph *graph, LoopForest *forest) {
    NodeList latches = {0};
    uint32_t *seen = graph_table(arena, graph->count); // last loop of which the node is a latch
    for (uint32_t l = 0; l < forest->count; l++) {
        Loop *loop = &forest->loops[l];
        loop->latch_at = latches.count;
        for (uint32_t e = graph->pred_at[loop->header]; e < graph->pred_at[loop->header + 1]; e++) {
            uint32_t pred = graph->pred[e];
            if (!loop_contains(forest, l, pred) || seen[pred] == l) continue;
            seen[pred] = l;
            vec_push(arena, &latches, pred);
        }
        loop->latch_count = latches.count - loop->latch_at;
    }
    forest->latch = latches.at;
}

// Depth of a node in the forest of intervals: the number of loops around it that have another
// header.
static uint32_t *depths_of(Arena *arena, const Graph *graph, const LoopForest *forest) {
    uint32_t *depths = ARENA_ARRAY(arena, uint32_t, graph->reached);
    for (uint32_t i = 0; i < graph->reached; i++) {
        uint32_t node = forest->intervals.list[i], loop = forest->innermost[node];
        if (loop == NO_ID) continue;
        depths[i] = forest->loops[loop].depth - (forest->loops[loop].header == node);
    }
    return depths;
}

// Fills `outside`. In a reducible graph an edge comes from the innermost loop of its target, or
// enters one loop. Otherwise it enters a loop from a node that the search met before the header or
// after the whole loop. In the first case the target would come before the header; so the second
// case holds, and the source is placed before the loop. The depth of the innermost common loop is
// then the least depth in the forest over the nodes placed after the source up to the target.
static void find_outside(Arena *arena, const Graph *graph, LoopForest *forest) {
    const uint32_t *place = forest->intervals.pre;
    MinTree depths = {0};
    forest->outside = graph_table(arena, graph->reached);
    for (uint32_t i = 0; i < graph->reached; i++) {
        uint32_t node = graph->order[i], inner = forest->innermost[node];
        for (uint32_t e = graph->pred_at[node]; e < graph->pred_at[node + 1]; e++) {
            uint32_t pred = graph->pred[e], depth;
            if (!graph_reaches(graph, pred)) continue;
            const Loop *loop = inner == NO_ID ? NULL : &forest->loops[inner];
            if (!loop) {
                depth = 0;
            } else if (loop_contains(forest, inner, pred)) {
                depth = loop->depth;
            } else if (loop->parent == NO_ID || loop_contains(forest, loop->parent, pred)) {
                depth = loop->depth - 1;
            } else {
                if (!depths.least)
                    depths = mintree_new(arena, depths_of(arena, graph, forest), graph->reached);
                depth = mintree_least(&depths, place[pred] + 1, place[node] + 1);
            }
            if (depth < forest->outside[place[node]]) forest->outside[place[node]] = depth;
        }
    }
}

static void lower(uint32_t *least, uint32_t value) {
    if (value < *least) *least = value;
}

// A loop is irreducible if `outside` of a node in it other than the header is less than its depth.
static void mark_irreducible(Arena *arena, const Graph *graph, LoopForest *forest) {
    const uint32_t *place = forest->intervals.pre;
    uint32_t *least = graph_table(arena, forest->count);
    for (uint32_t i = 0; i < graph->reached; i++) {
        uint32_t node = graph->order[i], loop = forest->innermost[node];
        if (loop != NO_ID && forest->loops[loop].header == node) loop = forest->loops[loop].parent;
        if (loop != NO_ID) lower(&least[loop], forest->outside[place[node]]);
    }
    bool any = false;
    for (uint32_t l = forest->count; l-- > 0;) {
        Loop *loop = &forest->loops[l];
        loop->irreducible = least[l] < loop->depth;
        any |= loop->irreducible;
        if (loop->parent != NO_ID) lower(&least[loop->parent], least[l]);
    }
    if (any) forest->outside_tree = mintree_new(arena, forest->outside, graph->reached);
}

// Whether some edge goes back in reverse postorder: otherwise there are no loops.
static bool has_cycle(const Graph *graph) {
    for (uint32_t i = 0; i < graph->reached; i++) {
        uint32_t node = graph->order[i];
        for (uint32_t e = graph->succ_at[node]; e < graph->succ_at[node + 1]; e++)
            if (graph->number[graph->succ[e]] <= i) return true;
    }
    return false;
}

LoopForest loops_of(Arena *arena, const Graph *graph) {
    LoopForest forest = {0};
    if (!has_cycle(graph)) {
        forest.innermost = graph_table(arena, graph->count);
        return forest;
    }
    LoopSearch s = search_loops(arena, graph);
    list_loops(arena, graph, &s, &forest);
    list_latches(arena, graph, &forest);
    find_outside(arena, graph, &forest);
    mark_irreducible(arena, graph, &forest);
    return forest;
}

void loop_entries(const LoopForest *forest, uint32_t loop, Arena *arena, NodeList *out) {
    const Loop *at = &forest->loops[loop];
    vec_clear(out);
    if (!at->irreducible) return;
    uint32_t i = forest->intervals.pre[at->header] + 1, end = forest->intervals.post[at->header];
    while ((i = mintree_next_below(&forest->outside_tree, i, end, at->depth)) != end)
        vec_push(arena, out, forest->intervals.list[i++]);
}
