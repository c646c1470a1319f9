#include "base/bits.h"

#include <string.h>

static uint32_t word_count(const Bits *set) {
    return set->size / 64 + (set->size % 64 != 0);
}

Bits bits_new(Arena *arena, uint32_t size) {
    Bits set = {.size = size};
    set.words = ARENA_ARRAY(arena, uint64_t, word_count(&set));
    return set;
}

void bits_clear(Bits *set) {
    memset(set->words, 0, word_count(set) * sizeof(uint64_t));
}

void bits_copy(Bits *to, const Bits *from) {
    memcpy(to->words, from->words, word_count(to) * sizeof(uint64_t));
}

bool bits_union(Bits *to, const Bits *from) {
    uint64_t changed = 0;
    for (uint32_t i = 0, n = word_count(to); i < n; i++) {
        changed |= from->words[i] & ~to->words[i];
        to->words[i] |= from->words[i];
    }
    return changed != 0;
}

void bits_intersect(Bits *to, const Bits *from) {
    for (uint32_t i = 0, n = word_count(to); i < n; i++) to->words[i] &= from->words[i];
}

void bits_subtract(Bits *to, const Bits *from) {
    for (uint32_t i = 0, n = word_count(to); i < n; i++) to->words[i] &= ~from->words[i];
}

bool bits_equal(const Bits *a, const Bits *b) {
    return memcmp(a->words, b->words, word_count(a) * sizeof(uint64_t)) == 0;
}

uint32_t bits_count(const Bits *set) {
    uint32_t count = 0;
    for (uint32_t i = 0, n = word_count(set); i < n; i++)
        count += (uint32_t)__builtin_popcountll(set->words[i]);
    return count;
}

uint32_t bits_next(const Bits *set, uint32_t from) {
    if (from >= set->size) return set->size;
    uint32_t i = from >> 6, n = word_count(set);
    uint64_t word = set->words[i] & ~(uint64_t)0 << (from & 63);
    while (!word) {
        if (++i == n) return set->size;
        word = set->words[i];
    }
    return i * 64 + (uint32_t)__builtin_ctzll(word);
}

SparseSet sparse_new(Arena *arena, uint32_t size) {
    return (SparseSet){
        .members = ARENA_ARRAY(arena, uint32_t, size),
        .position = ARENA_ARRAY(arena, uint32_t, size),
        .size = size,
    };
}
