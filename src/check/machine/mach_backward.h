// Sets that flow backward through the blocks of a machine function, growing until nothing changes.
#pragma once

#include "check/check.h"
#include "check/machine/key_set.h"
#include "form/mach.h"

// The result of walking a block backward through its instructions, from the sets of its successors
// to its start.
typedef enum { WALK_SAME, WALK_GROWN, WALK_STOP } WalkResult;

// Walks every block, and again each that has a successor whose set has grown since. False if a walk
// said to stop.
bool mach_backward(Arena *arena, const Func *func,
                   WalkResult (*walk)(void *context, uint32_t block), void *context);

// See check_takes_too_long.
static inline bool mach_backward_is_too_long(const Func *func, const KeySets *sets) {
    return check_takes_too_long(sets->work,
                                (uint64_t)func->mach->code.count + func->mach->succs.count);
}
