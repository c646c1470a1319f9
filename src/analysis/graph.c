// Rows are made by counting, the search keeps its stack in the parent links, and the reverse graph
// finds terminal components by Tarjan's algorithm on low links: all linear, none recursive.
#include "analysis/graph.h"

#include "base/bits.h"

#include <string.h>

uint32_t *graph_table(Arena *arena, uint32_t count) {
    uint32_t *table = ARENA_ARRAY(arena, uint32_t, count);
    return memset(table, 0xff, (size_t)count * sizeof *table);
}

// Turns the rows `at`, `to` around; a row of the result is ordered by node.
static void transpose(Arena *arena, uint32_t count, const uint32_t *at, const uint32_t *to,
                      const uint32_t **back_at, const uint32_t **back) {
    uint32_t *first = ARENA_ARRAY(arena, uint32_t, (size_t)count + 2);
    uint32_t edges = at[count];
    for (uint32_t e = 0; e < edges; e++) first[to[e] + 2]++;
    for (uint32_t n = 0; n < count; n++) first[n + 2] += first[n + 1];
    uint32_t *list = ARENA_ARRAY(arena, uint32_t, edges);
    // first[n + 1] runs from the start of n's row to its end, where the next row starts.
    for (uint32_t n = 0; n < count; n++)
        for (uint32_t e = at[n]; e < at[n + 1]; e++) list[first[to[e] + 1]++] = n;
    *back_at = first;
    *back = list;
}

// Depth-first search from the entry: fills every field after the rows.
static void search(Arena *arena, Graph *graph) {
    uint32_t count = graph->count;
    graph->order = ARENA_ARRAY(arena, uint32_t, count);
    graph->preorder = ARENA_ARRAY(arena, uint32_t, count);
    graph->number = graph_table(arena, count);
    graph->pre = graph_table(arena, count);
    graph->parent = graph_table(arena, count);
    if (count == 0) return;
    uint32_t *left = ARENA_ARRAY(arena, uint32_t, count); // where the unvisited successors end
    uint32_t entered = 0, finished = 0, node = graph->entry, from = NO_ID;
    while (true) {
        if (graph->pre[node] == NO_ID) {
            graph->parent[node] = from;
            graph->pre[node] = entered;
            graph->preorder[entered++] = node;
            left[node] = graph->succ_at[node + 1];
        }
        if (left[node] > graph->succ_at[node]) {
            uint32_t succ = graph->succ[--left[node]];
            if (graph->pre[succ] != NO_ID) continue;
            from = node;
            node = succ;
        } else {
            graph->number[node] = finished++;
            if (node == graph->entry) break;
            node = graph->parent[node];
        }
    }
    graph->reached = entered;
    for (uint32_t i = 0; i < entered; i++) {
        uint32_t *number = &graph->number[graph->preorder[i]];
        *number = entered - 1 - *number;
        graph->order[*number] = graph->preorder[i];
    }
}

Graph graph_from(Arena *arena, uint32_t count, const uint32_t *succ_at, const uint32_t *succ) {
    Graph graph = {.count = count, .entry = 0, .succ_at = succ_at, .succ = succ};
    transpose(arena, count, succ_at, succ, &graph.pred_at, &graph.pred);
    search(arena, &graph);
    return graph;
}

Graph graph_of(Arena *arena, const Func *func) {
    uint32_t count = func->nodes.count;
    uint32_t *at = ARENA_ARRAY(arena, uint32_t, (size_t)count + 1);
    size_t edges = 0;
    for (uint32_t n = 0; n < count; n++) {
        at[n] = size_to_u32(edges, "edges in one function");
        edges += func->nodes.at[n].succ_count;
    }
    at[count] = size_to_u32(edges, "edges in one function");
    uint32_t *succ = ARENA_ARRAY(arena, uint32_t, edges);
    for (uint32_t n = 0; n < count; n++) {
        const Instr *instr = &func->nodes.at[n];
        const Node *succs = instr_succs(func, instr);
        for (uint32_t k = 0; k < instr->succ_count; k++) succ[at[n] + k] = succs[k].i;
    }
    return graph_from(arena, count, at, succ);
}

// The state of Tarjan's search for strongly connected components.
typedef struct {
    const Graph *graph;
    uint32_t *index;     // order of entering, from 1; 0: not entered
    uint32_t *low;       // lowest index known to be in the same component; 0: component is complete
    uint32_t *parent;    // the search's stack
    uint32_t *left;      // where the unvisited successors end
    NodeList open;       // entered, component not complete
    Bits leaves;         // an edge leaves the component (as far as the component is known)
    uint32_t entered;    // how many nodes so far
    NodeList *terminals; // the first entered node of each component that no edge leaves
} Components;

static void enter(Arena *arena, Components *c, uint32_t node, uint32_t from) {
    c->index[node] = c->low[node] = ++c->entered;
    c->parent[node] = from;
    c->left[node] = c->graph->succ_at[node + 1];
    vec_push(arena, &c->open, node);
}

// Called when all successors of a node are done. If it is the first of its component, the component
// consists of the open nodes above it.
static void finish(Arena *arena, Components *c, uint32_t node) {
    uint32_t parent = c->parent[node];
    if (c->low[node] == c->index[node]) {
        uint32_t member;
        do {
            member = vec_pop(&c->open);
            c->low[member] = 0;
        } while (member != node);
        if (!bits_has(&c->leaves, node)) vec_push(arena, c->terminals, node);
        if (parent != NO_ID) bits_add(&c->leaves, parent);
    } else {
        if (c->low[node] < c->low[parent]) c->low[parent] = c->low[node];
        if (bits_has(&c->leaves, node)) bits_add(&c->leaves, parent);
    }
}

static void search_components(Arena *arena, Components *c, uint32_t root) {
    enter(arena, c, root, NO_ID);
    for (uint32_t node = root; node != NO_ID;) {
        if (c->left[node] == c->graph->succ_at[node]) {
            finish(arena, c, node);
            node = c->parent[node];
            continue;
        }
        uint32_t succ = c->graph->succ[--c->left[node]];
        if (!c->index[succ]) {
            enter(arena, c, succ, node);
            node = succ;
        } else if (!c->low[succ]) {
            bits_add(&c->leaves, node);
        } else if (c->index[succ] < c->low[node]) {
            c->low[node] = c->index[succ];
        }
    }
}

static NodeList terminals_of(Arena *arena, const Graph *graph) {
    NodeList terminals = {0};
    uint32_t count = graph->count;
    Components c = {
        .graph = graph,
        .index = ARENA_ARRAY(arena, uint32_t, count),
        .low = ARENA_ARRAY(arena, uint32_t, count),
        .parent = ARENA_ARRAY(arena, uint32_t, count),
        .left = ARENA_ARRAY(arena, uint32_t, count),
        .leaves = bits_new(arena, count),
        .terminals = &terminals,
    };
    if (count) search_components(arena, &c, graph->entry);
    for (uint32_t n = 0; n < count; n++)
        if (!c.index[n]) search_components(arena, &c, n);
    return terminals;
}

Graph graph_reverse(Arena *arena, const Graph *graph) {
    uint32_t count = graph->count, edges = graph->succ_at[count];
    NodeList terminals = terminals_of(arena, graph);
    uint32_t total = size_to_u32((size_t)edges + terminals.count, "edges in one function");
    uint32_t *at = ARENA_ARRAY(arena, uint32_t, (size_t)count + 2);
    uint32_t *succ = ARENA_ARRAY(arena, uint32_t, total);
    memcpy(at, graph->pred_at, ((size_t)count + 1) * sizeof *at);
    at[count + 1] = total;
    if (edges) memcpy(succ, graph->pred, edges * sizeof *succ);
    if (terminals.count) memcpy(succ + edges, terminals.at, terminals.count * sizeof *succ);
    Graph reverse = {.count = count + 1, .entry = count, .succ_at = at, .succ = succ};
    transpose(arena, count + 1, at, succ, &reverse.pred_at, &reverse.pred);
    search(arena, &reverse);
    return reverse;
}
