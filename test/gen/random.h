// Random numbers for generators: xoshiro256**, seeded through splitmix64. The same seed gives the
// same numbers on every machine, so that a failing test can be named by its seed.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uint64_t state[4];
} Random;

// One step of splitmix64: also a good way to get many seeds from one.
static inline uint64_t random_split(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static inline Random random_from(uint64_t seed) {
    Random random;
    for (int i = 0; i < 4; i++) random.state[i] = random_split(&seed);
    return random;
}

static inline uint64_t random_rotate(uint64_t x, int by) {
    return x << by | x >> (64 - by);
}

static inline uint64_t random_next(Random *random) {
    uint64_t *s = random->state;
    uint64_t result = random_rotate(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = random_rotate(s[3], 45);
    return result;
}

// A number below a bound that is not zero.
static inline uint32_t random_below(Random *random, uint32_t bound) {
    return (uint32_t)((random_next(random) >> 32) * bound >> 32);
}

// A number from low to high, both included.
static inline uint32_t random_range(Random *random, uint32_t low, uint32_t high) {
    return low + random_below(random, high - low + 1);
}

// True in `part` of `whole` cases.
static inline bool random_chance(Random *random, uint32_t part, uint32_t whole) {
    return random_below(random, whole) < part;
}
