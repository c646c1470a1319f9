// Longest ascending sequences: the items that keep their order when a list is put into another
// order.
#pragma once

#include "base/arena.h"

// Marks the members of a longest ascending subsequence; numbers that are UINT32_MAX belong to none.
// By patience sorting, O(n log n). `marked` is all false before.
void mark_ascending(Arena *arena, const uint32_t *numbers, uint32_t count, bool *marked);
