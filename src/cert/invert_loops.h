// The hint of the pass invert_loops: of which old node each new one is a copy.
#pragma once

#include "form/program.h"

typedef struct {
    VEC(Node) old;
} InvertHint;
