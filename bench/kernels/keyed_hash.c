// Cause 8, rotations and merged bytes: a hash with four words of state, rotations by constants and
// by what the data says, and words taken from the bytes of a message.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { LENGTH = 4096 };

static uint64_t rotate_left(uint64_t x, int count) {
    return x << count | x >> (64 - count);
}

static uint32_t rotate_by(uint32_t x, unsigned count) {
    return x << (count & 31) | x >> (-count & 31);
}

static uint64_t word_at(const uint8_t *byte) {
    uint64_t word = 0;
    for (int i = 7; i >= 0; i--) word = word << 8 | byte[i];
    return word;
}

typedef struct {
    uint64_t a, b, c, d;
} State;

static void stir(State *s) {
    s->a += s->b;
    s->d = rotate_left(s->d ^ s->a, 37);
    s->c += s->d;
    s->b = rotate_left(s->b ^ s->c, 11);
    s->a ^= rotate_left(s->c, 53);
    s->d += rotate_left(s->b, 29);
}

static uint64_t hash_message(const uint8_t *byte, int length, uint64_t key) {
    State state = {key, ~key, key * 3, 0x0123456789abcdef};
    int i = 0;
    for (; i + 8 <= length; i += 8) {
        uint64_t word = word_at(byte + i);
        state.a ^= word;
        stir(&state);
        state.c ^= word;
    }
    uint64_t rest = (uint64_t)length << 56;
    for (int shift = 0; i < length; i++, shift += 8) rest |= (uint64_t)byte[i] << shift;
    state.b ^= rest;
    for (int last = 0; last < 4; last++) stir(&state);
    return state.a ^ state.b ^ state.c ^ state.d;
}

// Rounds like those of ciphers whose rotations depend on data.
static uint32_t scramble(uint32_t left, uint32_t right, const uint32_t *key, int rounds) {
    for (int i = 0; i < rounds; i++) {
        left = rotate_by(left ^ right, right) + key[i & 3];
        right = rotate_by(right ^ left, left) + key[~i & 3];
    }
    return left ^ right;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 120000;
    static uint8_t message[LENGTH];
    uint32_t seed = 61, key[4] = {1, 2, 3, 4};
    uint64_t hash = 0;
    for (int i = 0; i < LENGTH; i++) {
        seed = seed * 1664525 + 1013904223;
        message[i] = (uint8_t)(seed >> 17);
    }
    for (int round = 0; round < rounds; round++) {
        int from = round % 1024;
        hash ^= hash_message(message + from, 700 + round % 100, hash);
        key[round & 3] += (uint32_t)hash;
        hash += scramble((uint32_t)hash, (uint32_t)round, key, 200);
    }
    printf("%016llx\n", (unsigned long long)hash);
    return 0;
}
