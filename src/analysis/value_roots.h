// Follows the steps of a ValuesHint: for each value finds the last value that refines it. Values
// with the same root are known to be the same. The hint may be anything of its type; numbers out of
// range are passed over.
#pragma once

#include "hint/hints_values.h"

typedef struct {
    const ValuesHint *hint;
    uint32_t *root;   // per value
    uint32_t *itself; // per register of `before`: the value that it holds, or NO_ID
    uint32_t *step;   // per value: the step that leads on from it, or NO_ID
} ValueRoots;

ValueRoots value_roots_of(Arena *arena, const Func *before, const ValuesHint *hint);
// NO_ID if there is no such value.
static inline uint32_t value_root(const ValueRoots *roots, uint32_t value) {
    return value < roots->hint->values.count ? roots->root[value] : NO_ID;
}
// The last value that refines a register of `before`; NO_ID if there is none.
static inline uint32_t value_root_of_reg(const ValueRoots *roots, uint32_t reg) {
    uint32_t value = reg < roots->hint->value_of.count ? roots->hint->value_of.at[reg] : NO_ID;
    return value_root(roots, value == NO_ID ? roots->itself[reg] : value);
}
