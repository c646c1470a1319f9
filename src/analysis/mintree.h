// Range minima over an array of numbers that may change: a complete binary tree of minima. Every
// operation but the first takes time logarithmic in the size.
#pragma once

#include "base/arena.h"

typedef struct {
    uint32_t *least; // least[1] is the root; the children of i are 2i and 2i + 1
    size_t leaves;   // a power of two; element i is least[leaves + i]
} MinTree;

// Linear.
MinTree mintree_new(Arena *arena, const uint32_t *values, uint32_t count);
// The least of the elements first .. end - 1; UINT32_MAX if there are none.
uint32_t mintree_least(const MinTree *tree, uint32_t first, uint32_t end);
// The first index in first .. end - 1 whose element is below the limit; end if there is none.
uint32_t mintree_next_below(const MinTree *tree, uint32_t first, uint32_t end, uint32_t limit);
// Changes an element.
void mintree_set(MinTree *tree, uint32_t index, uint32_t value);
