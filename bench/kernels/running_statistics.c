// Cause 1, a loop reads what its last round stored: statistics of several channels, kept in
// structures that each sample updates.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { CHANNELS = 4, SAMPLES = 40000 };

typedef struct {
    long count, sum, rises;
    int least, most, last;
    double squares;
} Statistics;

typedef struct {
    uint8_t channel;
    int16_t level;
} Sample;

static Sample samples[SAMPLES];

static void add_sample(Statistics *channel, int level) {
    channel->count++;
    channel->sum += level;
    channel->squares += (double)level * level;
    if (level < channel->least) channel->least = level;
    if (level > channel->most) channel->most = level;
    channel->rises += level > channel->last;
    channel->last = level;
}

// All samples together: one structure, always the same.
static void add_all(Statistics *whole, const Sample *sample, int count) {
    for (int i = 0; i < count; i++) add_sample(whole, sample[i].level);
}

static void add_by_channel(Statistics *by_channel, const Sample *sample, int count) {
    for (int i = 0; i < count; i++) add_sample(&by_channel[sample[i].channel], sample[i].level);
}

static void reset(Statistics *channel) {
    *channel = (Statistics){.least = INT16_MAX, .most = INT16_MIN};
}

static uint64_t digest(const Statistics *channel) {
    uint64_t hash = (uint64_t)channel->sum * 31 + (uint64_t)channel->rises;
    hash = hash * 31 + (uint64_t)(channel->most - channel->least);
    return hash * 31 + (uint64_t)channel->squares + (uint64_t)channel->count;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 400;
    uint32_t seed = 11;
    uint64_t hash = 0;
    for (int i = 0; i < SAMPLES; i++) {
        seed = seed * 1664525 + 1013904223;
        samples[i].channel = (uint8_t)((seed >> 8) % 8 < 5 ? 0 : (seed >> 20) % CHANNELS);
        samples[i].level = (int16_t)((int)(seed >> 16) % 2000 - 1000);
    }
    for (int round = 0; round < rounds; round++) {
        Statistics whole, by_channel[CHANNELS];
        reset(&whole);
        for (int c = 0; c < CHANNELS; c++) reset(&by_channel[c]);
        samples[round % SAMPLES].level++;
        add_all(&whole, samples, SAMPLES);
        add_by_channel(by_channel, samples, SAMPLES);
        hash = hash * 33 + digest(&whole);
        for (int c = 0; c < CHANNELS; c++) hash = hash * 33 + digest(&by_channel[c]);
    }
    printf("%016llx\n", (unsigned long long)hash);
    return 0;
}
