// Estimates how often a block ran from the counts that a profile gives for its instructions.
//
// Instructions that cannot have come from another block decide, and among them the least count. For
// a body that was copied to a call brings the counts of all calls, and a test that was copied to
// the front of a loop brings the counts of the loop. If a block has no such instruction, the most
// frequent count of the others decides: an operator that was hoisted or sunk brings the count of
// its old block.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uint64_t fixed; // UINT64_MAX: nothing yet
    uint64_t most;  // the count that most of the others agree on, if half of them agree
    uint32_t votes; // how many more
} BlockRuns;

static inline void block_runs_add(BlockRuns *seen, uint64_t ran, bool moves) {
    if (!moves) {
        if (ran < seen->fixed) seen->fixed = ran;
    } else if (seen->votes == 0) {
        seen->most = ran;
        seen->votes = 1;
    } else {
        seen->votes += seen->most == ran ? 1u : UINT32_MAX; // one less
    }
}

static inline bool block_runs_told(const BlockRuns *seen, uint64_t *runs) {
    *runs = seen->fixed != UINT64_MAX ? seen->fixed : seen->most;
    return seen->fixed != UINT64_MAX || seen->votes;
}
