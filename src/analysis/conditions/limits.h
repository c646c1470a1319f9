// Limits of values at each node of a function, for warnings: the range (fact/range.h) of a number,
// or of a distance from the start of an object.
//
// One walk goes down the dominator tree. The walk comes to a join after all ways into the join but
// those that lead back, and to each node with the outcomes of the branches above. The pass
// son_ranges walks loops until the ranges hold. Warnings need less: the range of a counter follows
// from its start, its step and the branch that ends the loop, other phis of loops have no range.
//
// Signed counters are taken not to overflow. The time is near-linear but for the dominator tree.
#pragma once

#include "fact/range.h"
#include "graph/definitions.h"
#include "graph/loop_nest.h"

typedef enum { LIMITS_NUMBER, LIMITS_SLOT, LIMITS_SYMBOL, LIMITS_HEAP } LimitsBase;

typedef struct {
    uint8_t base; // LimitsBase: what the range is the distance from
    uint32_t id;  // SLOT, SYMBOL; HEAP: the register with the result of the allocating call
    Range range;  // in bytes, if there is a base
} Limits;

// An edge out of a loop, from a branch on a comparison.
typedef struct {
    Node branch;
    uint32_t stay; // the way that stays inside
    uint32_t next; // of the same loop; NO_ID
} LoopExit;

// A phi at the header of a loop that one edge enters.
typedef struct {
    Reg phi, start;
    int64_t step; // each round adds this; 0 if that is not so
    Node header;
} LoopCounter;

typedef struct {
    uint32_t last; // what was learned holds up to this number of the dominator tree
    Reg reg;
    Limits before;
} LimitsScope;

typedef struct {
    Arena *arena;
    const Func *ssa;
    const Definition *definitions;
    Preds preds;
    Dominance dom;
    LoopNest loops;
    bool *known;   // by register: the walk has come to what sets it, so `now` means something
    Limits *now;   // by register: at the node at hand
    bool *reached; // by node: control may come there
    VEC(LimitsScope) scopes;
    uint32_t next; // number of the next node
    Node at;       // the node at hand
    VEC(LoopExit) exits;
    uint32_t *first_exit; // by header; NO_ID if none
    uint32_t *exit_count; // by header: all edges that leave the loop, whatever they start from
} LimitWalk;

// False if some cycle of the function has no header: then there is no walk.
bool limits_begin(LimitWalk *walk, Arena *arena, const Func *ssa);
// Goes on to the next node that control may come to. False at the end.
bool limits_next(LimitWalk *walk, Node *node);
// What a register is at the node at hand, before its instruction.
Limits limits_of(const LimitWalk *walk, Reg reg);

// Whether a register is a counter, or another phi of a loop with a start.
bool limits_counter(const LimitWalk *walk, Reg reg, LoopCounter *counter);
// Whether every round of a loop that goes on comes by a branch.
bool limits_always_met(const LimitWalk *walk, Node header, Node branch);
// The register that this one is, but for conversions, and the number added to it.
Reg limits_root(const LimitWalk *walk, Reg reg, int64_t *added);

// The call that gave a register its value, if it is one of a function of this name that the program
// does not define; NULL otherwise.
const Instr *call_that_gave(const Func *ssa, const Definition *definitions, Reg reg,
                            const char *name);
