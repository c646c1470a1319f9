// Sets that flow backward through the blocks of a machine function, growing until nothing changes.
#pragma once

#include "check/key_set.h"
#include "ir/mach.h"

// What walking a block through its instructions, from those of its successors to its start, has shown of the set
// there.
typedef enum { WALK_SAME, WALK_GROWN, WALK_STOP } WalkResult;

// Walks every block, and again each that has a successor whose set has grown since. False if a walk said to stop.
bool mach_backward(Arena *arena, const Func *func,
                   WalkResult (*walk)(void *context, uint32_t block), void *context);

// As much work on sets is enough for any function that a compiler makes; with more, time would not stay in
// proportion to the size of the function.
static inline bool mach_backward_is_too_long(const Func *func, const KeySets *sets) {
    enum { WORK_PER_INSTRUCTION = 4096, WORK_AT_LEAST = 1 << 20 };
    uint64_t size = (uint64_t)func->mach->code.count + func->mach->succs.count;
    return sets->work > WORK_AT_LEAST + WORK_PER_INSTRUCTION * size;
}
