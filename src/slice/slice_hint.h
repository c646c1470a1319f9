// The hint of a slice, found by walking the original and the slice side by side. Not trusted:
// check_slice sees to it.
#pragma once

#include "base/bits.h"
#include "hint/hints_slice.h"

// A sliced function: the kept nodes, and why.
typedef struct {
    Sym symbol; // of `before`
    const Bits
        *kept; // nodes of `before`; nops among them count only if something is asked for there
    const SlicePoint
        *points; // the requests at kept nodes, in any order; a variable NO_ID: the values that the
                 // node reads
    uint32_t point_count;
    const uint32_t *exits; // variables that are asked for at all returns
    uint32_t exit_count;
    const uint32_t *
        way; // of each node of `before` the only successor that is assumed to be taken, or NO_ID; NULL: all are
    const SliceApart *apart; // further assumptions
    uint32_t apart_count;
    bool once;             // assumed not to be called again while it runs
    SliceWorldSet outputs; // the variables that callers need at its exits, perhaps with
                           // SLICE_RESULT
} SliceRequest;

// Whether a function of which these nodes are kept may be called again while it runs: by its
// callees, or by its address if the address is taken anywhere and there is a call by address or an
// unknown function. Then it has to give everything (outputs), as the calls from within find the
// slice.
bool slice_may_be_called_again(const SliceCalls *calls, Sym function, const Bits *kept);

// Near-linear in the size of both programs and of the hint. Where the slice is not what was asked
// for, the hint has holes, and the checker will say so.
SliceHint *slice_hint_make(Arena *arena, const Program *before, const Program *after,
                           const SliceRequest *requests, uint32_t count);
// The same if what the calls of `before` do is known already.
SliceHint *slice_hint_with(Arena *arena, const Program *before, const Program *after,
                           const SliceRequest *requests, uint32_t count, const SliceCalls *calls);
