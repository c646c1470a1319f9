// Follows influence along the edges of a graph that is made once. Its vertices are nodes, and the
// places on tracks; a setting and a merge are two places. Common settings (variable_setters.h) are
// ranges instead of edges: the common places from the reader up to the nearest place on the piece's
// own track influence the reader of a shared piece. Such a reader is filed under the place where
// its range begins, with the depth in the dominator tree at which the range ends. A common place
// that becomes influenced finds its readers among those filed at it or below, by a tree of minima,
// each reader once.
#include "slice/slice_forward.h"

#include "slice/flow_graph.h"
#include "slice/variable_setters.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    uint32_t from, to;
} FlowEdge;

// Who reads what common settings have made.
typedef struct {
    uint32_t place; // on the common track, where the range begins
    uint32_t above; // depth of the node at which it ends, plus one; 0: it ends at the entry
    uint32_t to;    // who is influenced
} CommonReader;

struct SliceForward {
    Arena *arena;
    const Func *func;
    const SliceVariables *variables;
    Graph graph, reverse;
    DominatorTree behind;
    Tracks *tracks;
    uint32_t common;    // the common track
    uint32_t *place_at; // track -> the vertex of its first place; each has two: set, merge
    uint32_t vertices;  // nodes first
    VEC(FlowEdge) edges;
    uint32_t *edge_at, *edge_to; // by `from`
    VEC(CommonReader) readers;   // in the order of places
    uint32_t *reader_at;         // common place -> its first reader
    MinTree reader_above;
    Bits influenced; // vertices
    VEC(uint32_t) work;
    uint32_t *controlled; // node -> itself, or, if it was influenced by control, one behind it
    Bits nodes;           // what came out
};

static uint32_t vertex_of(const SliceForward *f, uint32_t track, uint32_t place, bool set) {
    return f->place_at[track] + 2 * place + !set;
}

static void add_edge(SliceForward *f, uint32_t from, uint32_t to) {
    vec_push(f->arena, &f->edges, (FlowEdge){from, to});
}

// ---- Making the graph

static bool is_shared_piece(const SliceForward *f, uint32_t track) {
    return slice_is_piece(f->variables, track) && slice_is_shared(f->variables, track);
}

static void add_reader(SliceForward *f, uint32_t node, bool behind, uint32_t limit, uint32_t to) {
    TrackAnswer answer = tracks_find(f->tracks, f->common, node, behind);
    if (answer.place == NO_ID) return;
    uint32_t above = limit == NO_ID ? 0 : f->tracks->tree.depth[limit] + 1;
    vec_push(f->arena, &f->readers, (CommonReader){answer.place, above, to});
}

// What a variable holds in front of a node, or behind it, influences a vertex.
static void add_flow(SliceForward *f, uint32_t track, uint32_t node, bool behind, uint32_t to) {
    TrackAnswer answer = tracks_find(f->tracks, track, node, behind);
    uint32_t limit = NO_ID;
    if (answer.place != NO_ID) {
        add_edge(f, vertex_of(f, track, answer.place, answer.set), to);
        limit = f->tracks->tracks[track].places.at[answer.place].node;
    }
    if (is_shared_piece(f, track)) add_reader(f, node, behind, limit, to);
}

static void add_merge(SliceForward *f, uint32_t track, uint32_t place) {
    uint32_t node = f->tracks->tracks[track].places.at[place].node;
    uint32_t to = vertex_of(f, track, place, false);
    for (uint32_t k = f->graph.pred_at[node]; k < f->graph.pred_at[node + 1]; k++)
        if (graph_reaches(&f->graph, f->graph.pred[k]))
            add_flow(f, track, f->graph.pred[k], true, to);
    if (!is_shared_piece(f, track)) return;
    uint32_t at = tracks_place(f->tracks, f->common, node);
    if (at != NO_ID && f->tracks->tracks[f->common].places.at[at].sets) add_edge(f, node, to);
}

static void add_track(SliceForward *f, uint32_t track) {
    for (uint32_t i = 0; i < f->tracks->tracks[track].places.count; i++) {
        TrackPlace place = f->tracks->tracks[track].places.at[i];
        if (place.sets) add_edge(f, place.node, vertex_of(f, track, i, true));
        if (place.sets && !place.certain)
            add_flow(f, track, place.node, false, vertex_of(f, track, i, true));
        if (place.merges) add_merge(f, track, i);
    }
}

// A common place is one vertex, that of its setting: what lies between it and the next one above.
static void add_common(SliceForward *f) {
    const Track *track = &f->tracks->tracks[f->common];
    for (uint32_t i = 0; i < track->places.count; i++) {
        const TrackPlace *place = &track->places.at[i];
        uint32_t to = vertex_of(f, f->common, i, true);
        uint32_t limit = place->above == NO_ID ? NO_ID : track->places.at[place->above].node;
        if (place->sets) add_edge(f, place->node, to);
        if (!place->merges) continue;
        for (uint32_t k = f->graph.pred_at[place->node]; k < f->graph.pred_at[place->node + 1]; k++)
            if (graph_reaches(&f->graph, f->graph.pred[k]))
                add_reader(f, f->graph.pred[k], true, limit, to);
    }
}

static void add_reads(SliceForward *f) {
    for (uint32_t i = 0; i < f->graph.reached; i++) {
        uint32_t node = f->graph.order[i];
        SliceSpan reads = slice_list(f->variables, (Node){node}, SLICE_READS);
        for (uint32_t k = 0; k < reads.count; k++) add_flow(f, reads.at[k], node, false, node);
    }
}

static void number_places(SliceForward *f) {
    f->place_at = ARENA_ARRAY(f->arena, uint32_t, f->tracks->count);
    uint32_t next = f->graph.count;
    for (uint32_t t = 0; t < f->tracks->count; t++) {
        f->place_at[t] = next;
        next += 2 * f->tracks->tracks[t].places.count;
    }
    f->vertices = next;
}

static void make_flow(SliceForward *f) {
    vec_clear(&f->edges);
    vec_clear(&f->readers);
    number_places(f);
    add_reads(f);
    for (uint32_t v = 0; v < f->variables->count; v++) add_track(f, v);
    add_common(f);
}

// A question may put merges on a track that nobody has needed before: then vertices are numbered
// anew, once.
static bool more_places(const SliceForward *f) {
    uint64_t count = f->graph.count;
    for (uint32_t t = 0; t < f->tracks->count; t++)
        count += 2 * (uint64_t)f->tracks->tracks[t].places.count;
    return count != f->vertices;
}

static int by_place(const void *a, const void *b) {
    const CommonReader *x = a, *y = b;
    return (x->place > y->place) - (x->place < y->place);
}

static void index_flow(SliceForward *f) {
    uint32_t *at = ARENA_ARRAY(f->arena, uint32_t, (size_t)f->vertices + 2);
    for (uint32_t e = 0; e < f->edges.count; e++) at[f->edges.at[e].from + 2]++;
    for (uint32_t v = 0; v < f->vertices; v++) at[v + 2] += at[v + 1];
    f->edge_to = ARENA_ARRAY(f->arena, uint32_t, f->edges.count);
    for (uint32_t e = 0; e < f->edges.count; e++)
        f->edge_to[at[f->edges.at[e].from + 1]++] = f->edges.at[e].to;
    f->edge_at = at;
    uint32_t count = f->readers.count, places = f->tracks->tracks[f->common].places.count;
    if (count) qsort(f->readers.at, count, sizeof *f->readers.at, by_place);
    f->reader_at = ARENA_ARRAY(f->arena, uint32_t, (size_t)places + 1);
    uint32_t *above = ARENA_ARRAY(f->arena, uint32_t, count);
    for (uint32_t i = 0, place = 0; place <= places; place++) {
        while (i < count && f->readers.at[i].place < place) i++;
        f->reader_at[place] = i;
    }
    for (uint32_t i = 0; i < count; i++) above[i] = f->readers.at[i].above;
    f->reader_above = mintree_new(f->arena, above, count);
}

SliceForward *slice_forward_new(Arena *arena, const SliceVariables *variables,
                                const uint32_t *way) {
    SliceForward *f = ARENA_NEW(arena, SliceForward);
    const Func *func = variables->func;
    uint32_t count = func->nodes.count;
    *f = (SliceForward){.arena = arena, .func = func, .variables = variables};
    f->graph = flow_graph(arena, func, way);
    f->reverse = flow_graph_from_returns(arena, func, &f->graph);
    f->behind = dominator_tree_of(arena, &f->reverse);
    f->tracks = tracks_new(arena, &f->graph, variables);
    f->common = tracks_common(f->tracks);
    for (uint32_t v = 0; v < variables->count; v++) tracks_of(f->tracks, v);
    do make_flow(f);
    while (more_places(f));
    index_flow(f);
    f->influenced = bits_new(arena, f->vertices);
    f->nodes = bits_new(arena, count);
    f->controlled = ARENA_ARRAY(arena, uint32_t, (size_t)count + 1);
    for (uint32_t n = 0; n <= count; n++) f->controlled[n] = n;
    return f;
}

// ---- Following influences

static void influence(SliceForward *f, uint32_t vertex) {
    if (bits_put(&f->influenced, vertex)) vec_push(f->arena, &f->work, vertex);
}

void slice_forward_node(SliceForward *forward, Node node) {
    if (graph_reaches(&forward->graph, node.i)) influence(forward, node.i);
}

// The node, or the nearest one behind it, that has not been influenced by control; numbers of the
// reverse graph.
static uint32_t not_controlled(SliceForward *f, uint32_t at) {
    uint32_t top = at;
    while (f->controlled[top] != top) top = f->controlled[top];
    while (at != top) {
        uint32_t next = f->controlled[at];
        f->controlled[at] = top;
        at = next;
    }
    return top;
}

// What a branch decides on one of its ways: the nodes behind it in front of where its ways meet.
static void control_way(SliceForward *f, uint32_t branch, uint32_t succ) {
    uint32_t end = f->behind.idom[branch + 1], depth = f->behind.depth[end];
    for (uint32_t at = not_controlled(f, succ + 1); f->behind.depth[at] > depth;
         at = not_controlled(f, at)) {
        f->controlled[at] = f->behind.idom[at];
        influence(f, at - 1);
    }
}

// Where no return follows, a branch is taken to decide about all that follows.
static void control_to_no_end(SliceForward *f, uint32_t succ) {
    VEC(uint32_t) work = {0};
    vec_push(f->arena, &work, succ);
    while (work.count) {
        uint32_t node = vec_pop(&work);
        if (graph_reaches(&f->reverse, node + 1) || f->controlled[node + 1] != node + 1) continue;
        f->controlled[node + 1] = 0;
        influence(f, node);
        for (uint32_t k = f->graph.succ_at[node]; k < f->graph.succ_at[node + 1]; k++)
            vec_push(f->arena, &work, f->graph.succ[k]);
    }
}

static void control(SliceForward *f, uint32_t node) {
    if (f->graph.succ_at[node + 1] - f->graph.succ_at[node] < 2) return;
    for (uint32_t k = f->graph.succ_at[node]; k < f->graph.succ_at[node + 1]; k++) {
        uint32_t succ = f->graph.succ[k];
        if (graph_reaches(&f->reverse, succ + 1))
            control_way(f, node, succ);
        else
            control_to_no_end(f, succ);
    }
}

// The readers of a common place that is influenced.
static void find_readers(SliceForward *f, uint32_t place) {
    const Track *track = &f->tracks->tracks[f->common];
    const Intervals *intervals = &f->tracks->tree.intervals;
    uint32_t node = track->places.at[place].node, low = place, high = track->places.count;
    while (low < high) { // the first place that is not below
        uint32_t middle = low + (high - low) / 2;
        if (intervals->pre[track->places.at[middle].node] < intervals->post[node])
            low = middle + 1;
        else
            high = middle;
    }
    uint32_t first = f->reader_at[place], end = f->reader_at[low];
    uint32_t limit = f->tracks->tree.depth[node] + 1, found;
    while ((found = mintree_next_below(&f->reader_above, first, end, limit)) < end) {
        mintree_set(&f->reader_above, found, NO_ID);
        influence(f, f->readers.at[found].to);
    }
}

const Bits *slice_forward_close(SliceForward *f) {
    uint32_t common = f->place_at[f->common];
    while (f->work.count) {
        uint32_t vertex = vec_pop(&f->work);
        for (uint32_t e = f->edge_at[vertex]; e < f->edge_at[vertex + 1]; e++)
            influence(f, f->edge_to[e]);
        if (vertex < f->graph.count) {
            bits_add(&f->nodes, vertex);
            control(f, vertex);
        } else if (vertex >= common) {
            find_readers(f, (vertex - common) / 2);
        }
    }
    return &f->nodes;
}

// ---- A variable at a node

// Walks forward from the node as long as nothing certainly sets the variable; who reads it is
// influenced, and what sets it perhaps keeps some of it.
void slice_forward_variable(SliceForward *f, Node node, uint32_t variable) {
    Bits seen = bits_new(f->arena, f->graph.count);
    VEC(uint32_t) work = {0};
    if (!graph_reaches(&f->graph, node.i)) return;
    vec_push(f->arena, &work, node.i);
    while (work.count) {
        Node at = {vec_pop(&work)};
        if (!bits_put(&seen, at.i)) continue;
        SliceSpan reads = slice_list(f->variables, at, SLICE_READS);
        for (uint32_t k = 0; k < reads.count; k++)
            if (slice_overlap(f->variables, reads.at[k], variable)) influence(f, at.i);
        SliceSpan sets = slice_list(f->variables, at, SLICE_SETS);
        bool ends = false;
        for (uint32_t k = 0; k < sets.count; k++) ends |= sets.at[k] == variable;
        for (uint32_t k = f->graph.succ_at[at.i]; !ends && k < f->graph.succ_at[at.i + 1]; k++)
            vec_push(f->arena, &work, f->graph.succ[k]);
    }
}
