// The hint of the pass ssa_destruct: where each old node is performed, and which new register holds
// which value at the joins.
#pragma once

#include "form/program.h"

// What the new function does for an old node: it is at `first` when the old one is at that node, and
// performs `count` nodes from there on, one after the other. None, for a nop or a move that is not
// needed; one, the same instruction, for anything but nops and moves; any number of moves and nops for
// those, among them the copies on the edge into a join.
typedef struct {
    Node first; // NO_NODE if the old node is not reachable
    uint32_t count;
} DestructNode;

// A new register and the old one whose value it holds.
typedef struct {
    Reg home;
    Reg value;
} DestructPair;

typedef struct {
    VEC(DestructNode) nodes; // one per old node
    // What holds when the old function has entered node n, its phis done: the pairs
    // pairs[pair_at[n] .. pair_at[n + 1] - 1]. None but at joins and the entry.
    VEC(uint32_t) pair_at;
    VEC(DestructPair) pairs;
} DestructHint;
