// Cause 11, unswitching: loops with options that do not change inside, as in a function that
// mixes sounds with or without gain, limits and echo.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { SAMPLES = 4096 };

typedef enum { KEEP, ADD, MULTIPLY, LARGER } Mode;

typedef struct {
    int gain, limit, use_gain, use_limit, invert;
    Mode mode;
} Options;

static void mix(int *out, const int *in, int count, const Options *options) {
    int gain = options->gain, limit = options->limit;
    int use_gain = options->use_gain, use_limit = options->use_limit;
    for (int i = 0; i < count; i++) {
        int value = in[i];
        if (use_gain) value = value * gain / 256;
        if (options->invert) value = -value;
        switch (options->mode) {
        case KEEP: break;
        case ADD: value += out[i]; break;
        case MULTIPLY: value = value * (out[i] >> 8); break;
        case LARGER: value = value > out[i] ? value : out[i]; break;
        }
        if (use_limit) {
            if (value > limit) value = limit;
            if (value < -limit) value = -limit;
        }
        out[i] = value;
    }
}

// What to do with absent data is told by a pointer that may be null.
static long difference(const int *a, const int *b, const unsigned char *valid, int count) {
    long sum = 0;
    for (int i = 0; i < count; i++) {
        if (valid && !valid[i]) continue;
        int delta = b ? a[i] - b[i] : a[i];
        sum += delta < 0 ? -delta : delta;
    }
    return sum;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 12000;
    static int in[SAMPLES], out[SAMPLES];
    static unsigned char valid[SAMPLES];
    uint32_t seed = 107;
    uint64_t hash = 0;
    for (int i = 0; i < SAMPLES; i++) {
        seed = seed * 1664525 + 1013904223;
        in[i] = (int)(seed >> 17) - 16384;
        valid[i] = seed >> 12 & 1;
    }
    for (int round = 0; round < rounds; round++) {
        Options options = {.gain = 100 + round % 300, .limit = 30000, .mode = (Mode)(round % 4)};
        options.use_gain = round % 3 != 0;
        options.use_limit = 1;
        options.invert = round % 5 == 0;
        mix(out, in, SAMPLES, &options);
        in[round % SAMPLES] ^= 255;
        hash = hash * 31 + (uint32_t)out[round % SAMPLES];
        if (round % 2)
            hash += (uint64_t)difference(in, out, round % 4 == 1 ? valid : NULL, SAMPLES);
        else
            hash += (uint64_t)difference(out, NULL, NULL, SAMPLES);
    }
    printf("%016llx\n", (unsigned long long)hash);
    return 0;
}
