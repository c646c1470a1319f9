#include "slice/variable_setters.h"

#include <stdlib.h>

// ---- Who sets what

static void count_setters(Tracks *tracks, uint32_t *at) {
    const SliceVariables *variables = tracks->variables;
    for (uint32_t i = 0; i < tracks->graph->reached; i++) {
        Node node = {tracks->graph->order[i]};
        SliceSpan sets = slice_list(variables, node, SLICE_SETS);
        SliceSpan perhaps = slice_list(variables, node, SLICE_MAY_SET);
        for (uint32_t k = 0; k < sets.count; k++) at[sets.at[k] + 2]++;
        for (uint32_t k = 0; k < perhaps.count; k++) at[perhaps.at[k] + 2]++;
    }
}

static void put_setters(Tracks *tracks, uint32_t *at) {
    const SliceVariables *variables = tracks->variables;
    for (uint32_t i = 0; i < tracks->graph->reached; i++) {
        Node node = {tracks->graph->order[i]};
        SliceSpan sets = slice_list(variables, node, SLICE_SETS);
        SliceSpan perhaps = slice_list(variables, node, SLICE_MAY_SET);
        for (uint32_t k = 0; k < sets.count; k++)
            tracks->setters[at[sets.at[k] + 1]++] = node.i * 2 + 1;
        for (uint32_t k = 0; k < perhaps.count; k++)
            tracks->setters[at[perhaps.at[k] + 1]++] = node.i * 2;
    }
}

// Node -> how many nodes that several edges lead to are among it and those above it.
static uint32_t *count_joins(Arena *arena, const Graph *graph, const DominatorTree *tree) {
    uint32_t *joins = ARENA_ARRAY(arena, uint32_t, graph->count);
    for (uint32_t i = 0; i < graph->reached; i++) {
        uint32_t node = graph->order[i], above = tree->idom[node];
        bool join = graph->pred_at[node + 1] - graph->pred_at[node] > (above != NO_ID);
        joins[node] = join + (above != NO_ID ? joins[above] : 0);
    }
    return joins;
}

Tracks *tracks_new(Arena *arena, const Graph *graph, const SliceVariables *variables) {
    uint32_t count = variables->count;
    Tracks *tracks = ARENA_NEW(arena, Tracks);
    *tracks = (Tracks){.arena = arena,
                       .graph = graph,
                       .variables = variables,
                       .tree = dominator_tree_of(arena, graph),
                       .tracks = ARENA_ARRAY(arena, Track, (size_t)count + 1),
                       .count = count + 1,
                       .mark = ARENA_ARRAY(arena, uint32_t, graph->count)};
    tracks->frontiers = frontiers_of(arena, graph, &tracks->tree);
    tracks->joins = count_joins(arena, graph, &tracks->tree);
    uint32_t *at = ARENA_ARRAY(arena, uint32_t, (size_t)count + 2);
    count_setters(tracks, at);
    for (uint32_t v = 0; v < count; v++) at[v + 2] += at[v + 1];
    tracks->setters = ARENA_ARRAY(arena, uint32_t, at[count + 1]);
    put_setters(tracks, at); // at[v + 1] runs from the start of v's row to its end
    tracks->setters_at = at;
    return tracks;
}

// ---- Making a track

// The place of a node on a track that is being made; places are in no order yet.
static TrackPlace *place_of(Tracks *tracks, Track *track, uint32_t node) {
    for (uint32_t i = tracks->mark[node]; i > 0 && i <= track->places.count; i = 0)
        if (track->places.at[i - 1].node == node) return &track->places.at[i - 1];
    vec_push(tracks->arena, &track->places, (TrackPlace){.node = node, .above = NO_ID});
    tracks->mark[node] = track->places.count;
    return &track->places.at[track->places.count - 1];
}

static void put_row(Tracks *tracks, Track *track, uint32_t variable) {
    for (uint32_t k = tracks->setters_at[variable]; k < tracks->setters_at[variable + 1]; k++) {
        TrackPlace *place = place_of(tracks, track, tracks->setters[k] / 2);
        place->sets = true;
        place->certain |= tracks->setters[k] & 1;
    }
}

// All that sets memory that others know of. None of it sets all of that, so none is certain.
static void put_shared(Tracks *tracks, Track *track) {
    put_row(tracks, track, SLICE_MEMORY);
    for (uint32_t v = 0; v < tracks->variables->count; v++)
        if (slice_is_shared(tracks->variables, v)) put_row(tracks, track, v);
    for (uint32_t i = 0; i < track->places.count; i++) track->places.at[i].certain = false;
}

// What follows where settings meet is on the list, too, so that it is looked at in its turn.
static void put_merges(Tracks *tracks, Track *track) {
    for (uint32_t i = 0; i < track->places.count; i++) {
        FrontierEdge edge;
        uint32_t node = track->places.at[i].node;
        while (frontier_take(&tracks->frontiers, node, &edge))
            place_of(tracks, track, edge.to)->merges = true;
    }
    frontiers_restore(&tracks->frontiers);
}

// Numbers sort by the place in the dominator tree.
static int by_number(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void order_places(Tracks *tracks, Track *track) {
    uint32_t count = track->places.count;
    const Intervals *intervals = &tracks->tree.intervals;
    uint64_t *keys = ARENA_ARRAY(tracks->arena, uint64_t, count);
    for (uint32_t i = 0; i < count; i++)
        keys[i] = (uint64_t)intervals->pre[track->places.at[i].node] << 32 | i;
    if (count) qsort(keys, count, sizeof *keys, by_number);
    TrackPlace *places = ARENA_ARRAY(tracks->arena, TrackPlace, count);
    for (uint32_t i = 0; i < count; i++) {
        places[i] = track->places.at[(uint32_t)keys[i]];
        uint32_t above = i ? i - 1 : NO_ID;
        while (above != NO_ID && !intervals_contain(intervals, places[above].node, places[i].node))
            above = places[above].above;
        places[i].above = above;
    }
    track->places.at = places;
    track->places.capacity = count;
}

// Puts the places on a track where settings meet, when somebody asks who needs them.
static void merge_late(Tracks *tracks, Track *track) {
    for (uint32_t i = 0; i < track->places.count; i++)
        tracks->mark[track->places.at[i].node] = i + 1;
    put_merges(tracks, track);
    order_places(tracks, track);
    track->merged = true;
}

static void complete(Tracks *tracks, Track *track) {
    order_places(tracks, track);
    track->made = true;
}

uint32_t tracks_of(Tracks *tracks, uint32_t variable) {
    Track *track = &tracks->tracks[variable];
    if (track->made) return variable;
    if (variable == SLICE_MEMORY)
        put_shared(tracks, track);
    else
        put_row(tracks, track, variable);
    complete(tracks, track);
    return variable;
}

uint32_t tracks_common(Tracks *tracks) {
    Track *track = &tracks->tracks[tracks->count - 1];
    if (track->made) return tracks->count - 1;
    put_row(tracks, track, SLICE_MEMORY);
    complete(tracks, track);
    merge_late(tracks, track); // places keep their numbers from now on
    return tracks->count - 1;
}

// ---- Looking up

// The last place that is not after a node in preorder; NO_ID if there is none.
static uint32_t place_before(const Tracks *tracks, const Track *track, uint32_t node) {
    const uint32_t *pre = tracks->tree.intervals.pre;
    uint32_t low = 0, high = track->places.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (pre[track->places.at[middle].node] <= pre[node])
            low = middle + 1;
        else
            high = middle;
    }
    return low ? low - 1 : NO_ID;
}

uint32_t tracks_place(const Tracks *tracks, uint32_t number, uint32_t node) {
    const Track *track = &tracks->tracks[number];
    uint32_t at = place_before(tracks, track, node);
    return at != NO_ID && track->places.at[at].node == node ? at : NO_ID;
}

// The answer on a track without merges; its place is NO_ID if they are needed. They are not if
// there is one setting that lies on every way to the node, or if no join lies between the nearest
// setting above the node and the node.
static uint32_t find_unmerged(const Tracks *tracks, const Track *track, uint32_t node,
                              bool behind) {
    const Intervals *intervals = &tracks->tree.intervals;
    uint32_t at = place_before(tracks, track, node);
    if (at != NO_ID && track->places.at[at].node == node) {
        if (behind) return at;
        at = track->places.at[at].above;
    }
    while (at != NO_ID && !intervals_contain(intervals, track->places.at[at].node, node))
        at = track->places.at[at].above;
    if (at == NO_ID || track->places.count == 1) return at;
    return tracks->joins[track->places.at[at].node] == tracks->joins[node] ? at : NO_ID;
}

TrackAnswer tracks_find(Tracks *tracks, uint32_t number, uint32_t node, bool behind) {
    Track *track = &tracks->tracks[number];
    const Intervals *intervals = &tracks->tree.intervals;
    if (!track->merged) {
        if (!track->places.count) return (TrackAnswer){.place = NO_ID};
        uint32_t place = find_unmerged(tracks, track, node, behind);
        if (place != NO_ID) return (TrackAnswer){.place = place, .set = true};
        merge_late(tracks, track);
    }
    uint32_t at = place_before(tracks, track, node);
    if (at != NO_ID && track->places.at[at].node == node) {
        const TrackPlace *place = &track->places.at[at];
        if (behind && place->sets) return (TrackAnswer){.place = at, .set = true};
        if (place->merges) return (TrackAnswer){.place = at};
        at = place->above;
    }
    while (at != NO_ID && !intervals_contain(intervals, track->places.at[at].node, node))
        at = track->places.at[at].above;
    if (at == NO_ID) return (TrackAnswer){.place = NO_ID};
    return (TrackAnswer){.place = at, .set = track->places.at[at].sets};
}
