// The checker of slices: see check_slice.c.
#pragma once

#include "base/bits.h"
#include "check/slice/slice_match.h"

// Whether `after` is a slice of `before`, for what is asked for by the first function of the hint.
// Both programs are well-formed RTL.
Verdict check_slice(Arena *arena, const Program *before, const Program *after,
                    const SliceHint *hint);

// The same if what the calls of `before` do is known already.
Verdict check_slice_with(Arena *arena, const Program *before, const Program *after,
                         const SliceHint *hint, const SliceCalls *calls);

// ---- Parts

// The data that the checks of all functions share.
typedef struct {
    Arena *arena;
    SliceMatch match;
    SliceCalls calls; // of `before`
    const SliceHint *hint;
    uint32_t *sliced;     // symbol of `before` -> its function in the hint, or NO_ID
    SliceTargets targets; // of `after`
    VEC(Sym) loose;       // symbols of `before` that do less now and are among these
    bool again;           // the first function may be called while it runs
} SlicePrograms;

// The hint of a function of `before` that does less now; NULL if there is none.
const SliceFunctionHint *slice_does_less(const SlicePrograms *programs, Sym symbol);

// One function of the hint (check_slice.c), and the relevant variables of it (slice_relevant.c).
typedef struct {
    const SlicePrograms *programs;
    Arena *arena;
    const Func *before, *after;
    const SliceFunctionHint *hint;
    SliceVariables variables; // of `before`
    uint32_t *way;            // node of `before` -> the only successor that is taken, or NO_ID
    Bits reached;             // nodes of `before` to which control may come
    Verdict verdict;
} SliceCheck;

#define SLICE_REJECT(check, node, ...)                                                             \
    ((check)->verdict = verdict_rejected((check)->arena, node_site(node), __VA_ARGS__), false)

static inline bool slice_is_kept(const SliceCheck *check, uint32_t node) {
    return check->hint->next.at[node] == node;
}

// Whether control may go from a node of `before` to its k-th successor.
static inline bool slice_is_taken(const SliceCheck *check, uint32_t node, uint32_t k) {
    return check->way[node] == NO_ID || check->way[node] == k;
}

bool slice_check_relevant(SliceCheck *check);
