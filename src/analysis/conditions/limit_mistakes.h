// Indices, places, divisors and shift counts that are surely wrong, by what they can be (limits.h)
// at the place, or in the first or last round of a loop (rounds.h).
#pragma once

#include "analysis/conditions/rounds.h"
#include "analysis/conditions/value_mistakes.h"

// A subscript of the source: an array of `count` elements of a size, and an index that was in a
// register before SSA form. Or a shift of the source by the index, if the size is 0.
typedef struct {
    Reg index;
    bool address;   // the element's address is all that is wanted: that of the end is allowed
    uint8_t base;   // BaseKind: where the array lies, or BASE_NONE if that is not known
    uint32_t ref;   // REG: the register before SSA form
    Str object;     // SLOT, SYMBOL: its name
    int64_t offset; // of the array from there
    uint64_t size, count;
    Loc loc;
} ArrayUse;

typedef struct {
    const ArrayUse *at;
    uint32_t count;
    const Reg *origin; // by register of SSA form: the register before
} ArrayUses;

typedef enum {
    LIMIT_INDEX,  // of uses->at[use]
    LIMIT_BOUNDS, // `size` bytes at such a distance in an object
    LIMIT_DIVISOR,
    LIMIT_SHIFT
} LimitMistakeKind;

typedef struct {
    LimitMistakeKind kind;
    Node node;
    uint32_t use;
    bool is_there;       // the instruction is on the line of the subscript; or one like it
    int64_t least, most; // the value lies between
    bool in_round;       // in the round below; else always
    Round round;
    uint8_t base; // LimitsBase, of LIMIT_BOUNDS
    uint32_t id;
    uint64_t size, object; // bytes that are accessed, and that there are
} LimitMistake;

typedef VEC(LimitMistake) LimitMistakes;

// In the order of a walk down the dominator tree; none if the function's loops have no headers.
LimitMistakes limit_mistakes_of(Arena *arena, const Func *ssa, const ArrayUses *uses);
