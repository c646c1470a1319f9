// The hint of the pass gated_gvn: which registers are claimed to be equal, and the predicates of paths
// by which it is seen what gammas select.
#pragma once

#include "cert/gate_paths.h"
#include "cert/numbering.h"

typedef struct {
    Numbering numbering;
    GatePaths paths; // of the function before the pass
} GatedGvnHint;
