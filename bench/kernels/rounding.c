// Cause 3, library functions: floor, ceil, trunc and rint where numbers become cells of a grid,
// prices become steps, and angles come back into one turn.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 8192, GRID = 64 };

static double values[COUNT];
static uint32_t cells[GRID];

static double fraction(double x) {
    return x - floor(x);
}

// Linear interpolation in a table that repeats.
static double sample(const double *table, double where) {
    double place = fraction(where) * GRID;
    double below = floor(place);
    int first = (int)below % GRID, second = (int)ceil(place) % GRID;
    return table[first] + (table[second] - table[first]) * (place - below);
}

static double to_step(double price, double step) {
    return rint(price / step) * step;
}

static double wrap(double angle, double turn) {
    return angle - turn * trunc(angle / turn);
}

static void count_cells(const double *value, int count, double width) {
    for (int i = 0; i < count; i++) {
        long cell = (long)floor(value[i] / width);
        cells[(unsigned long)cell % GRID]++;
    }
}

static float round_all(const double *value, int count) {
    float sum = 0;
    for (int i = 0; i < count; i++) sum += floorf((float)value[i]) - truncf((float)value[i] * 0.5f);
    return sum;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 990;
    double table[GRID];
    uint32_t seed = 19;
    double sum = 0;
    for (int i = 0; i < GRID; i++) table[i] = (i * 37) % GRID - GRID / 2.0;
    for (int i = 0; i < COUNT; i++) {
        seed = seed * 1664525 + 1013904223;
        values[i] = ((int)(seed >> 8) - (1 << 23)) / 4096.0;
    }
    for (int round = 0; round < rounds; round++) {
        double shift = round * 0.37;
        for (int i = 0; i < COUNT; i++) {
            sum += sample(table, values[i] + shift);
            sum += to_step(values[i], 0.25) - wrap(values[i], 6.25);
        }
        count_cells(values, COUNT, 1.5 + round % 4);
        sum += (double)round_all(values, COUNT / 2);
    }
    uint32_t hash = 0;
    for (int i = 0; i < GRID; i++) hash = hash * 31 + cells[i];
    printf("%08x %.6g\n", (unsigned)hash, sum);
    return 0;
}
