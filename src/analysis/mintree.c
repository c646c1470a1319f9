#include "analysis/mintree.h"

#include <string.h>

static uint32_t smaller(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

MinTree mintree_new(Arena *arena, const uint32_t *values, uint32_t count) {
    size_t leaves = 1;
    while (leaves < count) leaves *= 2;
    MinTree tree = {.least = ARENA_ARRAY(arena, uint32_t, 2 * leaves), .leaves = leaves};
    if (count) memcpy(tree.least + leaves, values, count * sizeof *values);
    memset(tree.least + leaves + count, 0xff, (leaves - count) * sizeof *values);
    for (size_t i = leaves - 1; i > 0; i--)
        tree.least[i] = smaller(tree.least[2 * i], tree.least[2 * i + 1]);
    return tree;
}

uint32_t mintree_least(const MinTree *tree, uint32_t first, uint32_t end) {
    uint32_t least = UINT32_MAX;
    size_t low = tree->leaves + first, high = tree->leaves + end;
    for (; low < high; low /= 2, high /= 2) {
        if (low & 1) least = smaller(least, tree->least[low++]);
        if (high & 1) least = smaller(least, tree->least[--high]);
    }
    return least;
}

uint32_t mintree_next_below(const MinTree *tree, uint32_t first, uint32_t end, uint32_t limit) {
    if (first >= end) return end;
    size_t at = tree->leaves + first;
    // While nothing below `at` qualifies, go on to the subtree right of it, as large as can be.
    while (tree->least[at] >= limit) {
        while (at & 1) at /= 2;
        if (at == 0) return end;
        at++;
    }
    while (at < tree->leaves) {
        at *= 2;
        if (tree->least[at] >= limit) at++;
    }
    uint32_t found = (uint32_t)(at - tree->leaves);
    return found < end ? found : end;
}

void mintree_set(MinTree *tree, uint32_t index, uint32_t value) {
    size_t at = tree->leaves + index;
    tree->least[at] = value;
    while (at > 1) {
        at /= 2;
        tree->least[at] = smaller(tree->least[2 * at], tree->least[2 * at + 1]);
    }
}
