// The hint of the pass gsa_build: how each gate comes about. All gates are predicates of facts.
#pragma once

#include "cert/gate_paths.h"

typedef struct {
    GatePaths paths;
    VEC(uint32_t) pads; // for each pad with etas, by node: the fact from a loop header to the pad
    VEC(uint32_t) latches; // for each Gsa.loops: the fact from the header to its latch
    VEC(uint32_t) ends;    // for each Gsa.ends: the fact from the entry
    // For each Gsa.loops, and each pad at which the loop is left, by node: the fact from the header.
    VEC(uint32_t) exits;
} GsaBuildHint;
