// Who sets a variable last: the equations of functional SSA, for one variable at a time, when it is first asked for.
//
// The *track* of a variable has the nodes that set it, certainly or perhaps, and the nodes at which two of these settings meet
// (the iterated dominance frontier: where SSA has phis). In front of a node the variable is what the nearest of these
// above it in the dominator tree made of it. So a track is as long as the list of a variable's definitions and merges in SSA,
// and only those tracks are made that a slice asks for.
//
// A piece of memory that others know of may be set by whatever sets all memory that others know of, calls above all. Pieces
// that nothing else sets have one track together. Who reads all of that memory reads the track of SLICE_MEMORY, on
// which all settings of such pieces are.
#pragma once

#include "fact/slice_variables.h"
#include "slice/dominator_tree.h"

// A node on a track.
typedef struct {
    uint32_t node;
    uint32_t above; // the nearest place whose node dominates this one; NO_ID if there is none
    bool sets, certain;
    bool merges;                 // in front of the instruction
    bool asked_set, asked_merge; // for whoever follows the track
} TrackPlace;

typedef struct {
    bool made;
    VEC(TrackPlace) places; // in preorder of the dominator tree
    bool from_entry;        // for whoever follows it: what the variable holds at the entry counts
} Track;

typedef struct {
    Arena *arena;
    const Graph *graph;
    const SliceVariables *variables;
    DominatorTree tree;
    Frontiers frontiers;
    uint32_t *setters_at; // variable -> its first setter; one more at the end
    uint32_t *setters;    // node * 2 + whether it is certain
    Track *tracks;   // by variable; the last is that of shared pieces that nothing sets by name
    uint32_t count;  // of tracks
    uint32_t *mark;  // node -> the track that it is being put on
    uint32_t marked; // how many tracks were begun
} Tracks;

// The graph has the nodes of the function, perhaps not all of its edges.
Tracks *tracks_new(Arena *arena, const Graph *graph, const SliceVariables *variables);

// The number of a variable's track, which exists from now on.
uint32_t tracks_of(Tracks *tracks, uint32_t variable);

// What made a variable what it is.
typedef struct {
    uint32_t place; // on the track; NO_ID: it is what it was at the entry
    bool set;       // by the instruction of the place; else by the merge in front of it
} TrackAnswer;

// In front of a node, or behind it. The node is reachable.
TrackAnswer tracks_find(const Tracks *tracks, uint32_t track, uint32_t node, bool behind);
