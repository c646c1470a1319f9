// The hint of the pass hoist: which nodes were added.
#pragma once

#include "form/program.h"

typedef struct {
    VEC(Node) old; // for each new node the old one that it performs; NO_NODE if it was added
} HoistHint;
