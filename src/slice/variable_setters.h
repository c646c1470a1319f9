// Finds the nodes that set a variable last: the equations of functional SSA, for one variable at a
// time, on demand.
//
// The *track* of a variable has the nodes that set the variable, certainly or perhaps, and the
// nodes at which two of these settings meet (the iterated dominance frontier: where SSA has phis).
// In front of a node the variable has the value from the nearest place of its track above the node
// in the dominator tree. So a track is as long as the list of a variable's definitions and merges
// in SSA, and only the tracks that a slice asks for are made.
//
// A piece of memory that others know of may also be set by each instruction that sets all such
// memory, calls above all. These settings are common to all such pieces, and have a track of their
// own; if they were on the track of every piece, tracks would be quadratic. From a node up to the
// nearest place on the piece's own track all common settings count. Nodes that were found once to
// be between a common place and the next one above need not be looked at again, for any piece. An
// instruction that reads all of that memory reads the track of SLICE_MEMORY, which has all settings
// of such pieces.
#pragma once

#include "fact/slice/slice_variables.h"
#include "slice/dominator_tree.h"

// A node on a track.
typedef struct {
    uint32_t node;
    uint32_t above; // the nearest place whose node dominates this one; NO_ID if there is none
    bool sets, certain;
    bool merges;                 // in front of the instruction
    bool asked_set, asked_merge; // for the code that follows the track
} TrackPlace;

typedef struct {
    bool made;
    bool
        merged; // where settings meet is on the track; of a single setting it is found out only if somebody asks
    VEC(TrackPlace) places; // in preorder of the dominator tree
    bool from_entry;        // for the code that follows it: the value at the entry counts
} Track;

typedef struct {
    Arena *arena;
    const Graph *graph;
    const SliceVariables *variables;
    DominatorTree tree;
    uint32_t *joins; // node -> the number of joins among the node and its dominators
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

// The number of a variable's track, which exists from now on. The track of a shared piece has the
// nodes that set the piece by its name.
uint32_t tracks_of(Tracks *tracks, uint32_t variable);
// The track of common settings; none of them is certain.
uint32_t tracks_common(Tracks *tracks);

// The last setting of a variable.
typedef struct {
    uint32_t place; // on the track, until the next question; NO_ID: the variable has its value at
                    // the entry
    bool set;       // by the instruction of the place; else by the merge in front of it
} TrackAnswer;

// In front of a node, or behind it. The node is reachable.
TrackAnswer tracks_find(Tracks *tracks, uint32_t track, uint32_t node, bool behind);
// The place of a node on a track; NO_ID if it has none.
uint32_t tracks_place(const Tracks *tracks, uint32_t track, uint32_t node);
