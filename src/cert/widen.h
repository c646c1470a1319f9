// The hint of the pass widen: which nodes were added, what the wide registers extend, and why counting
// does not go over the edge.
#pragma once

#include "cert/correlate.h"

// Why a phi never has the largest value of its type, or the smallest: for one of its arguments, an edge that
// says so and that control has passed when it comes from there. Branch NO_NODE: none is needed.
typedef struct {
    Reg phi;
    uint32_t argument;
    uint8_t smallest; // 0 or 1; a file may say anything, which a bool must not hold
    BranchEdge edge;
} WidenReason;

typedef struct {
    VEC(Node) old;   // for each new node the old one that it performs; NO_NODE if it was added
    VEC(Reg) narrow; // for each added register, in order: the i32 that it is the extension of
    VEC(WidenReason) reasons; // by phi, then `smallest`, then argument
} WidenHint;
