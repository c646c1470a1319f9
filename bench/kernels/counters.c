// Cause 12, scalar promotion and store sinking: global counters and fields of a structure that a
// loop changes, on some ways only, while nobody looks before the loop ends.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 8192 };

static long total, odd_count, large_count, last_large;
static int events[COUNT];

typedef struct {
    long volume, turnover;
    int open, high, low, close, ticks;
} Bar;

static void count_all(const int *value, int count) {
    for (int i = 0; i < count; i++) {
        total += value[i];
        if (value[i] & 1) odd_count++;
        if (value[i] > 60000) {
            large_count++;
            last_large = value[i];
        }
    }
}

static void add_ticks(Bar *bar, const int *price, int count) {
    for (int i = 0; i < count; i++) {
        if (bar->ticks == 0) bar->open = bar->high = bar->low = price[i];
        bar->ticks++;
        bar->close = price[i];
        if (price[i] > bar->high) bar->high = price[i];
        if (price[i] < bar->low) bar->low = price[i];
        bar->volume += price[i] & 15;
        bar->turnover += (long)(price[i] & 15) * price[i];
    }
}

// Sums of rows: the cell is the same in the whole inner loop.
static void row_sums(const int *value, long *sum, int rows, int columns) {
    for (int row = 0; row < rows; row++) {
        sum[row] = 0;
        for (int column = 0; column < columns; column++) {
            sum[row] += value[row * columns + column];
            if (sum[row] > 1000000) sum[row] -= 1000000;
        }
    }
}

static int next_free;

static int take_numbers(int *out, int count) {
    int first = next_free;
    for (int i = 0; i < count; i++) out[i] = (events[i] & 3) == 0 ? next_free++ : -next_free;
    return first;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 3100;
    static int numbers[COUNT];
    long sums[64];
    Bar bar = {0};
    uint32_t seed = 137;
    uint64_t hash = 0;
    for (int i = 0; i < COUNT; i++) {
        seed = seed * 1664525 + 1013904223;
        events[i] = (int)(seed >> 16);
    }
    for (int round = 0; round < rounds; round++) {
        events[round % COUNT] = round * 11;
        count_all(events, COUNT);
        bar.ticks = 0;
        add_ticks(&bar, events, COUNT);
        row_sums(events, sums, 64, COUNT / 64);
        hash = hash * 31 + (uint64_t)take_numbers(numbers, COUNT);
        hash += (uint64_t)(total + odd_count * 3 + large_count * 5 + last_large);
        hash ^= (uint64_t)(bar.high - bar.low + bar.close) + (uint64_t)bar.turnover;
        hash += (uint64_t)sums[round % 64] + (uint32_t)numbers[round % COUNT];
    }
    printf("%016llx %ld\n", (unsigned long long)hash, bar.volume);
    return 0;
}
