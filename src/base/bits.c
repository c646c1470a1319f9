#include "base/bits.h"

Bits bits_new(Arena *arena, uint32_t size) {
    Bits set = {.size = size};
    set.words = ARENA_ARRAY(arena, uint64_t, bits_words(&set));
    return set;
}

uint32_t bits_next(const Bits *set, uint32_t from) {
    if (from >= set->size) return set->size;
    uint32_t i = from >> 6, n = bits_words(set);
    uint64_t word = set->words[i] & ~(uint64_t)0 << (from & 63);
    while (!word) {
        if (++i == n) return set->size;
        word = set->words[i];
    }
    return i * 64 + (uint32_t)__builtin_ctzll(word);
}
