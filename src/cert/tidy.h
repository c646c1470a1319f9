// The hint of the pass tidy: what each new node does in terms of the old function.
#pragma once

#include "cert/normalize.h"

typedef struct {
    NormHint norm; // nodes are STEP, STUTTER or COPY
    // For a STUTTER or COPY that comes before the phis of its target have all been set: the old
    // predecessor of the target over which it is entered. NO_NODE otherwise.
    VEC(Node) from;
    VEC(uint32_t) phi; // for a COPY: which phi of the old join
} TidyHint;
