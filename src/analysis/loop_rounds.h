// How often the header of a loop is executed, for loops whose counters start with known numbers.
//
// The answer is a guess for transforms that copy rounds: it comes from running the numbers of the
// loop, with everything else unknown. It takes RTL and SSA, and reducible loops.
#pragma once

#include "analysis/loops.h"
#include "form/value.h"
#include "graph/dominance.h"

// A definition of a register: by the instruction of a node, or by a phi there.
typedef struct {
    uint32_t node;
    bool by_phi;
} RoundsDefinition;

typedef struct {
    Arena *arena;
    const Func *func;
    const Graph *graph;
    const LoopForest *forest;
    Preds preds;
    Dominance dominance;
    // The definitions of each register, in reverse postorder: first[r] .. first[r + 1] - 1.
    uint32_t *first;
    RoundsDefinition *definitions;
    // Of the loop at hand: what each register holds, if its stamp is that of the loop.
    Value *value;
    uint8_t *state;
    uint32_t *stamp;
    uint32_t loop_stamp;
    VEC(uint32_t) spine; // the nodes that every round executes, in order
} LoopRounds;

// `graph` and `forest` are those of the function.
LoopRounds loop_rounds_begin(Arena *arena, const Func *func, const Graph *graph,
                             const LoopForest *forest);

typedef struct {
    uint32_t count; // of the rounds that begin; 0: not known, or more than asked for
    uint32_t work;  // nodes of the loop itself, without inner loops, whose results are not known
} RoundsAnswer;

// Takes time in proportion to the size of the loop times `most`.
RoundsAnswer loop_rounds_of(LoopRounds *rounds, uint32_t loop, uint32_t most);
