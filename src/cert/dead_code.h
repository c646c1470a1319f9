// The hint of the pass dead_code. What was removed is seen by comparing; the number is for
// statistics.
#pragma once

#include "form/program.h"

typedef struct {
    uint32_t removed;
} DeadCodeHint;
