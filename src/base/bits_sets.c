// Operations on whole sets: union, intersection, comparison, counting.
#include "base/bits.h"

#include <string.h>

void bits_clear(Bits *set) {
    memset(set->words, 0, bits_words(set) * sizeof(uint64_t));
}

void bits_copy(Bits *to, const Bits *from) {
    memcpy(to->words, from->words, bits_words(to) * sizeof(uint64_t));
}

bool bits_union(Bits *to, const Bits *from) {
    uint64_t changed = 0;
    for (uint32_t i = 0, n = bits_words(to); i < n; i++) {
        changed |= from->words[i] & ~to->words[i];
        to->words[i] |= from->words[i];
    }
    return changed != 0;
}

void bits_intersect(Bits *to, const Bits *from) {
    for (uint32_t i = 0, n = bits_words(to); i < n; i++) to->words[i] &= from->words[i];
}

void bits_subtract(Bits *to, const Bits *from) {
    for (uint32_t i = 0, n = bits_words(to); i < n; i++) to->words[i] &= ~from->words[i];
}

bool bits_equal(const Bits *a, const Bits *b) {
    return memcmp(a->words, b->words, bits_words(a) * sizeof(uint64_t)) == 0;
}

uint32_t bits_count(const Bits *set) {
    uint32_t count = 0;
    for (uint32_t i = 0, n = bits_words(set); i < n; i++)
        count += (uint32_t)__builtin_popcountll(set->words[i]);
    return count;
}

SparseSet sparse_new(Arena *arena, uint32_t size) {
    return (SparseSet){
        .members = ARENA_ARRAY(arena, uint32_t, size),
        .position = ARENA_ARRAY(arena, uint32_t, size),
        .size = size,
    };
}
