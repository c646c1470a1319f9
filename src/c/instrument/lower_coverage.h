// Types that the two halves of counting share: lower_coverage.c finds the blocks and arcs of a
// function, lower_counters.c has the program count them and hand the counts over.
#pragma once

#include "c/lower/lower_private.h"
#include "c/profile/coverage.h"

// Facts about an emitted node, besides its instruction.
typedef struct {
    uint32_t node;
    uint8_t mark; // CoverageMark
} MarkedNode;

// A function of which the profile does not tell.
typedef struct {
    const char *name; // in the object file
    const Decl *func;
} UnknownFunction;

struct LowerCoverage {
    CoverageData *coverage;
    Profile profile; // -fprofile-use
    VEC(UnknownFunction) unknown;
    // Of the function
    bool on;                // it is counted
    bool returns_nothing;   // there is a return without a value in it
    uint32_t returns;       // how many returns there are
    Pos return_pos;         // the place of the only one; 0: there are several
    uint32_t entry;         // the node where its body begins
    uint32_t case_point;    // the node of a case that was met last
    Pos locus;              // of the next condition's branch, or 0
    VEC(MarkedNode) marked; // in the order of the nodes
};

// An arc with the place where it is counted: the successors of a node that lead to another.
typedef struct {
    uint32_t from, to;
    uint32_t flags;
    uint32_t node, target; // NO_ID: it leaves the function
} GraphArc;

// The nodes of a function as blocks and arcs.
typedef struct {
    Lower *lower;
    const Func *f;
    Arena *scratch;
    uint32_t count;  // of nodes
    uint8_t *mark;   // of each node: CoverageMark
    uint32_t *leads; // of each node: the first one from there on that counts
    uint32_t *block; // of each node that begins a block: its number; NO_ID of others
    VEC(uint32_t)
    first; // node of each block, from the third on; NO_ID of one in which all returns of the source meet
    uint32_t returns;   // the number of that block, or NO_ID
    uint32_t entry;     // the first node that counts
    VEC(GraphArc) arcs; // in the order of the blocks
} CoverageGraph;

// Finds blocks and arcs, and the arcs that are counted.
CoverageGraph coverage_graph(Lower *lower);
// The description of a function in the notes.
CoverageFunction *coverage_describe(const CoverageGraph *graph);
// Reads the counts of a program, if they are to be used.
void profile_begin(Lower *lower);
// Takes the counts of a function as advice.
void profile_function(CoverageGraph *graph, const CoverageFunction *function);
// Reports functions that remain in the end without any counts.
void profile_unit(Lower *lower);
// The last node of the block that begins with a node, and the next one on the way there.
uint32_t coverage_last_node(const CoverageGraph *graph, uint32_t node);
uint32_t coverage_next_node(const CoverageGraph *graph, uint32_t node);
