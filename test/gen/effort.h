// How much a test should do: a sample with GATE_QUICK (set for sanitizers and valgrind, which make
// everything many times slower), and more with GATE_LONG. Everything there is would take days, so
// GATE_LONG=N stops at 4 * N times the usual.
#pragma once

#include <stdint.h>
#include <stdlib.h>

static inline uint64_t effort_factor(const char *given) {
    uint64_t times = strtoull(given, NULL, 10);
    return 4 * (times < 1 ? 1 : times > 1000000 ? 1000000 : times);
}

// The amounts are counts, or steps: of so many cases one is tried, and everything is less than
// normal. An odd step stays odd: cases may alternate.
static inline uint64_t effort(uint64_t quick, uint64_t normal, uint64_t everything) {
    const char *given = getenv("GATE_LONG");
    if (!given) return getenv("GATE_QUICK") ? quick : normal;
    uint64_t factor = effort_factor(given);
    if (everything >= normal) return everything / factor >= normal ? normal * factor : everything;
    uint64_t step = normal / factor | normal % 2;
    return step > everything ? step : everything;
}
