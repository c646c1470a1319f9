// Liveness of registers in RTL functions, with any number of definitions of each. A register is
// live before a node if some path from there uses it (as an argument of an instruction) before
// setting it (as the destination); a node that does both uses the register first. Parameters are
// set before the entry, so that parameters that are used are live before node 0. Any other register
// live there may be used undefined.
//
// The result has, for each block, the registers live at its start, and for each register the places
// where it occurs. Time and space are in proportion to the function and to the number of pairs of
// block and register live at its start (times the distinct predecessors of the block, for time).
// That number, not this code, can be quadratic in the function's size.
#pragma once

#include "analysis/blocks.h"

// One node at which a register occurs.
typedef struct {
    uint32_t place; // of the node in reverse postorder
    bool use;
    bool set;
    bool live_out; // in the last occurrence of a block: whether it is live at the block's end
} Occurrence;

typedef struct {
    const Graph *graph;
    const Blocks *blocks;
    uint32_t *live_at; // registers live at the start of block b, ascending:
    Reg *live;         //   live[live_at[b] .. live_at[b + 1] - 1]
    uint32_t *occurrence_at;
    Occurrence *occurrence; // of register r, by place, in rows as above
} Liveness;

// The graph must be the function's graph, and the blocks the graph's blocks; both must live as long
// as the result.
Liveness liveness_of(Arena *arena, const Func *func, const Graph *graph, const Blocks *blocks);

// Whether a register is live before or after a node; false if the node is unreachable. Takes
// logarithmic time in the occurrences of the register and the registers live at the block's start.
bool live_in(const Liveness *liveness, Node node, Reg reg);
bool live_out(const Liveness *liveness, Node node, Reg reg);
