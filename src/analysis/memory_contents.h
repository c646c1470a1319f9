// Finds values that hold the contents of places where loads read them, for the Sea of Nodes. The
// answer comes with the facts at joins, so that a checker can follow the answer from node to node.
#pragma once

#include "base/bits.h"
#include "fact/places.h"
#include "graph/definitions.h"

// A load that is thought of in front of a node: from there on its name holds the place that the
// load reads.
typedef struct {
    uint32_t node; // in front of which
    uint32_t load; // node of the load
    uint32_t name;
} ThoughtLoad;

// Registers are known by names: those of equal names have equal values.
typedef struct {
    const Func *func;
    const Places *places;
    const Bits *reached;  // nodes that count; NULL: all do
    const uint32_t *name; // of each register, or NO_ID: its contents are not tracked
    uint32_t name_count;
    const uint32_t
        *base; // of each name: the node from which on it means something; NO_ID: from the entry on
    const uint32_t
        *phi; // of each phi: a name whose value it chooses by the edge; NO_ID if there is none
    const ThoughtLoad *thought; // in the order of nodes
    uint32_t thought_count;
} HeldQuestion;

// At a join, behind its phis: a name holds the contents of a place.
typedef struct {
    uint32_t place;
    uint32_t name;
} HeldFact;

// A phi that is to be added to a join: it chooses the contents of a place by the edge.
typedef struct {
    uint32_t join;
    uint32_t load;  // a node that loads from the place
    uint32_t first; // its arguments are Held.args[first ...], one for each edge, each the name that
        // holds the place there, or NO_ID if the edge does not count; NO_ID: nobody needs it
} AddedPhi;

typedef struct {
    bool any;       // load that is held by something
    uint32_t *held; // node with a load -> the name whose low bytes the load reads; NO_ID if there
                    // is none
    VEC(AddedPhi) added; // the i-th has the name name_count + i
    VEC(uint32_t) args;
    // The facts of the k-th join (in order of nodes) are facts[facts_at[k] .. facts_at[k + 1] - 1].
    VEC(uint32_t) facts_at;
    VEC(HeldFact) facts;
} Held;

// Nodes other than joins come behind their predecessors, and only nops lead to joins; if not,
// nothing is found.
Held held_by(Arena *arena, const HeldQuestion *question);
