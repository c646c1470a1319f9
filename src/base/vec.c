#include "base/vec.h"

void *vec_grow_(Arena *arena, void *at, size_t element, uint32_t count, uint32_t *capacity,
                size_t extra) {
    size_t needed = size_add(count, extra);
    if (needed <= *capacity && at) return at; // not NULL, to which even 0 must not be added
    size_t larger = (size_t)*capacity * 2;
    if (larger < needed) larger = needed;
    if (larger < 8) larger = 8;
    if (larger >= UINT32_MAX) larger = size_to_u32(needed, "elements in one list");
    at = arena_grow(arena, at, size_mul(element, *capacity), size_mul(element, larger));
    *capacity = (uint32_t)larger;
    return at;
}
