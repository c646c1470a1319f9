// The hint of the pass rewrite: which rule was applied where, in order.
#pragma once

#include "form/program.h"

typedef struct {
    uint32_t item; // a node of the function before; from its number of nodes on, the instructions
                   // that earlier steps have put in, in order
    uint16_t rule; // Rule
    int64_t choice[2]; // the constants M and S, for rules whose left-hand side does not bind them
} RewriteStep;

typedef struct {
    VEC(RewriteStep) steps;
} RewriteHint;
