// The hint of the pass straighten: where each node leads without doing anything.
#pragma once

#include "form/program.h"

typedef struct {
    VEC(Node) leads_to; // for each node; the node itself if it does something
    uint32_t removed;   // branches, for statistics
} StraightenHint;
