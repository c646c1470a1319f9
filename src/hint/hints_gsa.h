// The hints of the passes into gated SSA, on it, and back to SSA.
#pragma once

#include "form/gsa.h"
#include "hint/hints_ssa.h"

// How the predicates of a function's paths come about: part of the hints of passes that make or use
// gates.
//
// Blocks go by their first nodes, the heads: the entry, joins, and successors of branches. Every
// head n but the entry has the base fact with its own number: G(n), the predicate for going from
// the block that dominates it immediately to n. A further fact joins two: from d to b and from b to
// y gives from d to y.

// Fact number nodes.count + i. Both parts have smaller numbers or are base facts; where the first
// ends the second begins.
typedef struct {
    uint32_t upper, lower;
} GateFact;

// The fact from a block to itself, which is True.
#define FACT_NONE NO_ID

typedef struct {
    VEC(GateFact) facts;
    // For each join that is no loop header, by node, and each of its predecessors in order: the
    // fact from the dominating block to the predecessor.
    VEC(uint32_t) joins;
} GatePaths;

// The hint of the pass gsa_build: how each gate comes about. All gates are predicates of facts.
typedef struct {
    GatePaths paths;
    VEC(uint32_t) pads; // for each pad with etas, by node: the fact from a loop header to the pad
    VEC(uint32_t) latches; // for each Gsa.loops: the fact from the header to its latch
    VEC(uint32_t) ends;    // for each Gsa.ends: the fact from the entry
    // For each Gsa.loops, and each pad at which the loop is left, by node: the fact from the
    // header.
    VEC(uint32_t) exits;
} GsaBuildHint;

// The hint of the pass gated_gvn: the registers that are claimed to be equal, and the predicates of
// paths by which the checker sees which arguments gammas select.
typedef struct {
    Numbering numbering;
    GatePaths paths; // of the function before the pass
} GatedGvnHint;

// The hint of the pass gate_simplify: the predicates of paths, from which both the old and the new
// gates of gammas follow.
typedef struct {
    GatePaths paths;
} GateSimplifyHint;

// The hint of the pass if_convert: the operators that were added after joins, and the operators
// that they copy.
typedef struct {
    Node join;      // of the old function
    Node branch;    // by whose ways control comes to the join
    uint32_t count; // operators added between the join's merges and its instruction
} IfConversion;

typedef struct {
    VEC(IfConversion) conversions; // by join, ascending
    VEC(Reg) copy_of; // new register -> old register whose definition is done again, or NO_REG
} IfConvertHint;

// The hint of the pass gsa_destruct: which argument of each gamma belongs to which predecessor, and
// the predicates of paths by which that is seen.
typedef struct {
    GatePaths paths;
    VEC(uint32_t)
    choices;             // for each gamma, in order, and each predecessor of its join: the argument
    uint32_t simplified; // 1 if the predicates are simplified as by gate_simplify, 0 if not
} GsaDestructHint;
