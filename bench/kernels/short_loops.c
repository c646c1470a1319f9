// Cause 11, unrolling: inner loops of three, four or eight rounds over small arrays, and sums over
// long arrays with little to do in a round.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { BLOCKS = 300, LENGTH = 2048 };

static int blocks[BLOCKS][8];
static float rows[BLOCKS][4];
static int16_t left[LENGTH], right[LENGTH];

// Sums and differences of pairs, three times: a transform of eight numbers.
static void transform(int *value) {
    for (int half = 4; half >= 1; half /= 2) {
        for (int from = 0; from < 8; from += 2 * half) {
            for (int i = from; i < from + half; i++) {
                int a = value[i], b = value[i + half];
                value[i] = (a + b) >> 1;
                value[i + half] = (a - b) >> 1;
            }
        }
    }
}

static void turn(float *row, float matrix[4][4]) {
    float result[4];
    for (int i = 0; i < 4; i++) {
        result[i] = 0;
        for (int k = 0; k < 4; k++) result[i] += matrix[i][k] * row[k];
    }
    for (int i = 0; i < 4; i++) row[i] = result[i];
}

static int dot(const int16_t *a, const int16_t *b, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++) sum += a[i] * b[i] >> 8;
    return sum;
}

static int distance(const int *a, const int *b) {
    int sum = 0;
    for (int i = 0; i < 8; i++) sum += abs(a[i] - b[i]);
    return sum;
}

static int nearest(const int *wanted) {
    int best = 0, least = distance(blocks[0], wanted);
    for (int i = 1; i < BLOCKS; i++) {
        int far = distance(blocks[i], wanted);
        if (far < least) {
            least = far;
            best = i;
        }
    }
    return best;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 22000;
    float matrix[4][4] = {{0.6f, -0.8f, 0, 0}, {0.8f, 0.6f, 0, 0}, {0, 0, 0, 1}, {0, 0, 1, 0}};
    uint32_t seed = 109;
    uint64_t hash = 0;
    for (int i = 0; i < BLOCKS * 8; i++) {
        seed = seed * 1664525 + 1013904223;
        blocks[i / 8][i % 8] = (int)(seed >> 18);
        if (i % 8 < 4) rows[i / 8][i % 8] = (float)(seed >> 24);
        if (i < LENGTH) left[i] = right[LENGTH - 1 - i] = (int16_t)(seed >> 20);
    }
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < BLOCKS; i += 3) {
            transform(blocks[i]);
            blocks[i][round % 8] ^= round & 0x3ff;
            turn(rows[i], matrix);
        }
        left[round % LENGTH]++;
        hash = hash * 31 + (uint64_t)dot(left, right, LENGTH - round % 8);
        hash += (uint64_t)nearest(blocks[round % BLOCKS]);
    }
    printf("%016llx %.4g\n", (unsigned long long)hash, (double)rows[0][0]);
    return 0;
}
