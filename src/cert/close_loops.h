// The hint of the pass close_loops: which nodes were added, and what the new registers stand for.
#pragma once

#include "form/program.h"

typedef struct {
    VEC(Node) old;     // for each new node the old one that it performs; NO_NODE for an added copy
    VEC(Reg) original; // for each added register, in order: the old register whose value it has
} CloseLoopsHint;
