// The hint of the pass gate_simplify: the predicates of paths, from which both the gates that gammas had and those
// that they get follow.
#pragma once

#include "cert/gate_paths.h"

typedef struct {
    GatePaths paths;
} GateSimplifyHint;
