// The hint of the pass normalize: for each new node, what it does in terms of the old function, and in
// which loop it lies.
#pragma once

#include "form/program.h"

// What a new node stands for.
//   STEP      it is the old node: the same instruction, each successor standing for the old successor
//   STUTTER   it does nothing but lead to the old node: a nop, or the setting of a dispatch register
//   DISPATCH  it leads to the old node that the value of a dispatch register selects
//   COPY      (tidy only) it sets one phi of the old node, a join that has one way in left
typedef enum { NORM_STEP, NORM_STUTTER, NORM_DISPATCH, NORM_COPY } NormKind;

typedef struct {
    NormKind kind;
    uint32_t target; // old node (STEP, STUTTER) or index of a dispatch (DISPATCH)
    Node loop;       // header (a new node) of the innermost loop it lies in, itself for a header;
                     // NO_NODE outside of loops
} NormNode;

// A dispatch register and the old node that each of its values stands for: value k is targets[k].
typedef struct {
    Reg reg;
    uint32_t target_count;
    const Node *targets;
} NormDispatch;

typedef struct {
    VEC(NormNode) nodes; // one per new node
    VEC(Node)
    outer_loop; // for each new node that is a header, the header of the next outer loop;
                // NO_NODE where there is none and for other nodes
    VEC(NormDispatch) dispatches;
} NormHint;
