// Sets of small integers.
//   Bits       dense: one bit per member of the universe; unions and copies by words.
//   SparseSet  insertion, membership and clearing in constant time, iteration in insertion order
//              (Briggs and Torczon); for work lists over a large universe.
#pragma once

#include "base/arena.h"

typedef struct {
    uint64_t *words;
    uint32_t size; // members are 0 .. size - 1
} Bits;

static inline uint32_t bits_words(const Bits *set) {
    return set->size / 64 + (set->size % 64 != 0);
}
Bits bits_new(Arena *arena, uint32_t size);

static inline bool bits_has(const Bits *set, uint32_t i) {
    return set->words[i >> 6] >> (i & 63) & 1;
}
static inline void bits_add(Bits *set, uint32_t i) {
    set->words[i >> 6] |= (uint64_t)1 << (i & 63);
}
static inline void bits_remove(Bits *set, uint32_t i) {
    set->words[i >> 6] &= ~((uint64_t)1 << (i & 63));
}
// Adds i; true if it was not there.
static inline bool bits_put(Bits *set, uint32_t i) {
    uint64_t bit = (uint64_t)1 << (i & 63);
    bool fresh = !(set->words[i >> 6] & bit);
    set->words[i >> 6] |= bit;
    return fresh;
}

void bits_clear(Bits *set);
void bits_copy(Bits *to, const Bits *from);
// to |= from; true if `to` changed.
bool bits_union(Bits *to, const Bits *from);
void bits_intersect(Bits *to, const Bits *from);
void bits_subtract(Bits *to, const Bits *from);
bool bits_equal(const Bits *a, const Bits *b);
uint32_t bits_count(const Bits *set);
// The smallest member that is at least `from`, or `size` if there is none.
uint32_t bits_next(const Bits *set, uint32_t from);

typedef struct {
    uint32_t *members;  // members[0 .. count - 1], in insertion order
    uint32_t *position; // the index of a member in `members`
    uint32_t count;
    uint32_t size;
} SparseSet;

SparseSet sparse_new(Arena *arena, uint32_t size);

static inline bool sparse_has(const SparseSet *set, uint32_t i) {
    return set->position[i] < set->count && set->members[set->position[i]] == i;
}
// Adds i; true if it was not there.
static inline bool sparse_put(SparseSet *set, uint32_t i) {
    if (sparse_has(set, i)) return false;
    set->position[i] = set->count;
    set->members[set->count++] = i;
    return true;
}
static inline uint32_t sparse_pop(SparseSet *set) {
    return set->members[--set->count];
}
static inline void sparse_clear(SparseSet *set) {
    set->count = 0;
}
