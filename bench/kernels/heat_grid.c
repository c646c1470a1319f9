// Cause 9, strength reduction: grids in flat arrays with signed counters, where rows and columns
// make an index of 32 bits and addresses have 64.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 200, HEIGHT = 150 };

static double now[WIDTH * HEIGHT], soon[WIDTH * HEIGHT];
static int terrain[WIDTH * HEIGHT];

static void diffuse(const double *in, double *out, int width, int height, double rate) {
    for (int y = 1; y < height - 1; y++) {
        for (int x = 1; x < width - 1; x++) {
            double around = in[(y - 1) * width + x] + in[(y + 1) * width + x] +
                            in[y * width + x - 1] + in[y * width + x + 1];
            out[y * width + x] = in[y * width + x] + rate * (around - 4 * in[y * width + x]);
        }
    }
}

// Water runs from a cell to its lower neighbour, eight of which there are.
static int count_sinks(const int *height_of, int width, int height) {
    int sinks = 0;
    for (int y = 1; y < height - 1; y++) {
        for (int x = 1; x < width - 1; x++) {
            int lowest = height_of[y * width + x], is_sink = 1;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    if (height_of[(y + dy) * width + x + dx] < lowest) is_sink = 0;
            sinks += is_sink;
        }
    }
    return sinks;
}

static long diagonal_sum(const int *cell, int width, int height, int step) {
    long sum = 0;
    for (int start = 0; start < width; start += step)
        for (int i = 0; i < height && start + i < width; i++) sum += cell[i * width + start + i];
    return sum;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 1300;
    uint32_t seed = 83;
    uint64_t hash = 0;
    double heat = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        seed = seed * 1664525 + 1013904223;
        now[i] = soon[i] = seed >> 24;
        terrain[i] = (int)(seed >> 12) % 1000;
    }
    for (int round = 0; round < rounds; round++) {
        now[(HEIGHT / 2) * WIDTH + round % WIDTH] += 100;
        diffuse(now, soon, WIDTH, HEIGHT, 0.2);
        diffuse(soon, now, WIDTH, HEIGHT, 0.1);
        heat += now[(HEIGHT / 3) * WIDTH + WIDTH / 2];
        if (round % 4 == 0) {
            terrain[round * 37 % (WIDTH * HEIGHT)] -= 50;
            hash = hash * 31 + (uint64_t)count_sinks(terrain, WIDTH, HEIGHT);
            hash += (uint64_t)diagonal_sum(terrain, WIDTH, HEIGHT, 3);
        }
    }
    printf("%016llx %.6g\n", (unsigned long long)hash, heat);
    return 0;
}
