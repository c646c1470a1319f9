// The hint of the pass forward: which registers hold the contents of which places at joins.
#pragma once

#include "form/program.h"

typedef struct {
    uint32_t place; // as places_of numbers them
    Reg reg;        // holds its contents behind the phi-block
} ForwardFact;

typedef struct {
    // The facts of the k-th join (in order of nodes) are facts[facts_at[k] .. facts_at[k + 1] - 1].
    VEC(uint32_t) facts_at;
    VEC(ForwardFact) facts;
} ForwardHint;
