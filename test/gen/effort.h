// How much a test should do: GATE_LONG asks for everything there is, GATE_QUICK (set for sanitizers
// and valgrind, which make everything many times slower) for a sample.
#pragma once

#include <stdint.h>
#include <stdlib.h>

static inline uint64_t effort(uint64_t quick, uint64_t normal, uint64_t everything) {
    return getenv("GATE_LONG") ? everything : getenv("GATE_QUICK") ? quick : normal;
}
