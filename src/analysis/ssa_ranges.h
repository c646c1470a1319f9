// Where the registers of a function in SSA are live, block by block, and where they are defined.
//
// Time goes as points: 0 is the entry, where parameters are defined; the node with number n in the
// preorder of dominance (see graph/dominance.h) reads its arguments and then writes its result at
// point 2n + 2, and its phis act at 2n + 1. In a block, a run of nodes with one way in and one way
// out, points ascend. The argument of a phi is read at the end of its predecessor, a nop.
//
// Most registers live and die in one block, unrelated to any other; nothing is recorded of them.
//
// Only what is needed counts: an argument of an instruction other than a move is, and an argument
// of a move or phi if its result is. A phi that is not needed asks for no copies.
#pragma once

#include "base/bits.h"
#include "graph/definitions.h"
#include "graph/dominance.h"

// A block in which a register is live, and the point of its last read; LIVE_OUT if it is live at
// the block's end.
typedef struct {
    uint32_t block;
    uint32_t last;
} LivePiece;

#define LIVE_OUT UINT32_MAX

typedef struct {
    const Func *func;
    const Preds *preds;
    const Dominance *dom;
    uint32_t block_count;
    uint32_t *block; // number of a node -> its block; blocks are numbered in preorder of dominance
    Node *head;      // block -> its first node
    const Definition *definitions;
    uint32_t
        *point; // register -> its definition; NO_ID if it is undefined, or defined out of reach
    uint32_t *pred_at;  // the blocks that edges lead from to block b, if they can be reached:
    uint32_t *preds_in; //   preds_in[pred_at[b] .. pred_at[b + 1] - 1]
    Bits needed;        // registers
    Bits related;       // registers that a phi or move relates to another
    uint32_t *piece_at;
    LivePiece *pieces; // of register r: pieces[piece_at[r] .. piece_at[r + 1] - 1]
    Bits sorted;       // registers whose pieces are in order of blocks
} SsaRanges;

// In time and space proportional to the function and the pairs of block and register live in it.
// The predecessors and the dominance must be those of the function and live as long as the result.
SsaRanges ssa_ranges_of(Arena *arena, const Func *func, const Preds *preds, const Dominance *dom);

// Whether a related register is live after a point that its definition dominates. May put its
// pieces in order.
bool ssa_live_after(SsaRanges *ranges, Reg reg, uint32_t point);

static inline Node ssa_point_node(const SsaRanges *ranges, uint32_t point) {
    return (Node){point ? ranges->dom->order[(point - 1) / 2] : 0};
}
static inline uint32_t ssa_point_block(const SsaRanges *ranges, uint32_t point) {
    return ranges->block[point ? (point - 1) / 2 : 0];
}
// The argument of a move, NO_REG for anything else.
Reg ssa_move_source(const Instr *instr);
