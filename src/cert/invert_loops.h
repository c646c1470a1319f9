// The hint of the pass invert_loops: of which old node each new one is a copy.
#pragma once

#include "ir/ir.h"

typedef struct {
    VEC(Node) old;
} InvertHint;
