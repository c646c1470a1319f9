// The hints of the passes into SSA, on it, and back to RTL.
#pragma once

#include "base/bits.h"
#include "hint/hints_rtl.h"

// The hint of the pass ssa_build: which register each new register is a version of, and where the
// value of which register is still wanted.
typedef struct {
    VEC(Reg) origin; // for each new register, the old register of which it is a version
    // The old registers tracked at the joins, ascending: those of the k-th join (in order of nodes)
    // are tracked[tracked_at[k] .. tracked_at[k + 1] - 1]. A register is tracked at a join if a use
    // that it can reach from there wants its value: a use by an instruction, or by a phi.
    VEC(uint32_t) tracked_at;
    VEC(Reg) tracked;
} SsaHint;

// The hint of copy_prop, lvn and gvn: which registers are claimed to be equal.

// A numbering of the registers of the function before the pass. Two registers with the same leader
// are congruent: wherever both definitions dominate, both hold the same value. A leader is its own
// leader. The representative that takes the place of a register in the function after the pass is
// not named here: it is seen there.
typedef struct {
    VEC(Reg) leader; // one per register
} Numbering;

// The hint of the pass sccp: what each register is known to be, and which nodes may be executed.

//   VARIES  nothing is known
//   CONST   always this value
//   FREE    never defined, so that any convenient value may be assumed
typedef enum { SCCP_VARIES, SCCP_CONST, SCCP_FREE } SccpKind;

typedef struct {
    uint8_t kind;  // SccpKind
    uint16_t high; // sign and exponent of an f80
    uint64_t bits;
} SccpFact;

typedef struct {
    VEC(SccpFact) facts; // one per register
    Bits reached;        // nodes that may be executed
} SccpHint;

// One way of a branch.
typedef struct {
    Node branch;
    uint32_t way; // index of the successor
} BranchEdge;

// As many edges may decide a branch: judging takes time in proportion to the square of their
// number.
enum { MOST_REASONS = 16 };

typedef struct {
    BranchEdge edge;       // the branch that is decided, and its way
    uint32_t first, count; // why: edges[first .. first + count - 1]
    uint32_t fact;         // or 1 + the fact of `ranges` about its condition; 0: none
} Decision;

// The hint of the pass widen: which nodes were added, what the wide registers extend, and why
// counting does not go over the edge.

// Why a phi never has the largest value of its type, or the smallest: for one of its arguments, an
// edge that says so; control has passed this edge when it comes from that argument's predecessor.
// Branch NO_NODE: none is needed.
typedef struct {
    Reg phi;
    uint32_t argument;
    uint8_t smallest; // 0 or 1; a file may say anything, which a bool must not hold
    BranchEdge edge;
} WidenReason;

typedef struct {
    VEC(Node) old;   // for each new node the old node that it performs; NO_NODE if it was added
    VEC(Reg) narrow; // for each added register, in order: the i32 that it is the extension of
    VEC(WidenReason) reasons; // by phi, then `smallest`, then argument
} WidenHint;

// The hint of the pass dead_code. A comparison shows the removed nodes; the number is for
// statistics.
typedef struct {
    uint32_t removed;
} DeadCodeHint;

// The hint of the pass close_loops: which nodes were added, and what the new registers stand for.
typedef struct {
    VEC(Node) old;     // for each new node the old node that it performs; NO_NODE for an added copy
    VEC(Reg) original; // for each added register, in order: the old register whose value it has
} CloseLoopsHint;

// The hint of the pass ssa_destruct: where each old node is performed, and which new register holds
// which value at the joins.

// The new function's actions for an old node: it is at `first` when the old function is at that
// node, and performs `count` nodes from there on, one after the other. It performs no node for a
// nop or a move that is not needed; one node, the same instruction, for other instructions; any
// number of moves and nops for nops and moves, among them the copies on the edge into a join.
typedef struct {
    Node first; // NO_NODE if the old node is not reachable
    uint32_t count;
} DestructNode;

// A new register and the old register whose value it holds.
typedef struct {
    Reg home;
    Reg value;
} DestructPair;

typedef struct {
    VEC(DestructNode) nodes; // one per old node
    // The pairs that hold when the old function has entered node n, its phis done: pairs[pair_at[n]
    // .. pair_at[n + 1] - 1]. None but at joins and the entry.
    VEC(uint32_t) pair_at;
    VEC(DestructPair) pairs;
} DestructHint;
