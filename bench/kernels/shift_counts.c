// Cause 13, masks before shifts and sign extensions: sets of bits in arrays of words, numbers of
// any width in packed arrays, and arithmetic on short and signed char.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { WORDS = 64, NUMBERS = 2000, SAMPLES = 4096 };

static uint64_t set[WORDS], packed[NUMBERS * 13 / 64 + 2];
static int16_t samples[SAMPLES];
static signed char codes[SAMPLES];

static void include(unsigned member) {
    set[member / 64 % WORDS] |= (uint64_t)1 << (member & 63);
}
static void exclude(unsigned member) {
    set[member / 64 % WORDS] &= ~((uint64_t)1 << (member & 63));
}
static int includes(unsigned member) {
    return set[member / 64 % WORDS] >> (member & 63) & 1;
}

static unsigned unpack(unsigned index, unsigned width) {
    unsigned bit = index * width, word = bit / 64, shift = bit % 64;
    uint64_t value = packed[word] >> shift;
    if (shift + width > 64) value |= packed[word + 1] << ((64 - shift) & 63);
    return (unsigned)(value & (((uint64_t)1 << width) - 1));
}

static int sign_extend(unsigned value, unsigned width) {
    unsigned shift = (32 - width) & 31;
    return (int32_t)(value << shift) >> shift;
}

// A coder of differences: everything is short or narrower.
static int encode(const int16_t *sample, signed char *code, int count) {
    int16_t guess = 0, step = 16;
    int lost = 0;
    for (int i = 0; i < count; i++) {
        int16_t difference = (int16_t)(sample[i] - guess);
        signed char level = (signed char)(difference / step);
        if (difference / step > 7) level = 7;
        if (difference / step < -7) level = -7;
        guess = (int16_t)(guess + level * step);
        step = (int16_t)(level > 4 || level < -4 ? step * 2 : step - step / 4);
        if (step < 8) step = 8;
        if (step > 2048) step = 2048;
        code[i] = level;
        lost += abs(sample[i] - guess);
    }
    return lost;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 6900;
    uint32_t seed = 149;
    uint64_t hash = 0;
    for (int i = 0; i < SAMPLES; i++) {
        seed = seed * 1664525 + 1013904223;
        samples[i] = (int16_t)((seed >> 20) - 2048);
        packed[i % (int)(sizeof packed / sizeof *packed)] ^= (uint64_t)seed << i % 32;
    }
    for (int round = 0; round < rounds; round++) {
        for (unsigned i = 0; i < 1500; i++) {
            seed = seed * 1664525 + 1013904223;
            unsigned member = seed >> 18;
            if (includes(member))
                exclude(member + 1);
            else
                include(member);
        }
        for (unsigned i = 0; i < NUMBERS; i++) hash += (uint64_t)sign_extend(unpack(i, 13), 13);
        samples[round % SAMPLES] ^= 64;
        hash = hash * 3 + (uint64_t)encode(samples, codes, SAMPLES / 4);
        hash ^= set[round % WORDS] + (uint64_t)codes[round % (SAMPLES / 4)];
    }
    printf("%016llx\n", (unsigned long long)hash);
    return 0;
}
