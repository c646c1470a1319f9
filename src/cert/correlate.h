// The hint of the pass correlate: for each branch whose outcome is known, where it goes and the edges by
// which control must have come.
#pragma once

#include "form/program.h"

// One way of a branch.
typedef struct {
    Node branch;
    uint32_t way; // index of the successor
} BranchEdge;

// As many edges may decide a branch: judging takes time in proportion to the square of their number.
enum { MOST_REASONS = 16 };

typedef struct {
    BranchEdge edge;       // the branch that is decided, and its way
    uint32_t first, count; // why: edges[first .. first + count - 1]
} Decision;

typedef struct {
    VEC(Decision) decisions; // by branch, ascending
    VEC(BranchEdge) edges;
} CorrelateHint;
