// The hint of the pass gsa_destruct: which argument of each gamma belongs to which predecessor, and the
// predicates of paths by which that is seen.
#pragma once

#include "cert/gate_paths.h"

typedef struct {
    GatePaths paths;
    VEC(uint32_t)
    choices;             // for each gamma, in order, and each predecessor of its join: the argument
    uint32_t simplified; // 1 if the predicates are simplified as by gate_simplify, 0 if not
} GsaDestructHint;
