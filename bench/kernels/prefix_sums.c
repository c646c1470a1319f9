// Cause 1, a loop reads what its last round stored: sums of prefixes made in place, a table of
// sums over rectangles, and carries that run through an array of digits.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 128, LENGTH = 16384, DIGITS = 4000 };

static void accumulate(int64_t *value, int count) {
    for (int i = 1; i < count; i++) value[i] += value[i - 1];
}

static void fibonacci_mix(uint32_t *value, int count) {
    for (int i = 2; i < count; i++) value[i] = value[i - 1] + value[i - 2] + (value[i] >> 3);
}

static uint32_t table[SIDE + 1][SIDE + 1];

static void sum_rectangles(uint8_t image[SIDE][SIDE]) {
    for (int y = 1; y <= SIDE; y++)
        for (int x = 1; x <= SIDE; x++)
            table[y][x] =
                image[y - 1][x - 1] + table[y - 1][x] + table[y][x - 1] - table[y - 1][x - 1];
}

// Each digit is below ten afterwards; what is too much goes to the next one.
static void normalize(int *digit, int count) {
    for (int i = 0; i + 1 < count; i++) {
        digit[i + 1] += digit[i] / 10;
        digit[i] %= 10;
    }
    digit[count - 1] %= 10;
}

static int64_t values[LENGTH];
static uint32_t mixed[LENGTH];
static uint8_t image[SIDE][SIDE];
static int digits[DIGITS];

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 1800;
    uint32_t seed = 5;
    uint64_t hash = 0;
    for (int i = 0; i < LENGTH; i++) {
        seed = seed * 1664525 + 1013904223;
        values[i] = seed >> 24;
        mixed[i] = seed;
        image[i / SIDE][i % SIDE] = (uint8_t)(seed >> 11);
    }
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < LENGTH; i++) values[i] &= 0xffff;
        accumulate(values, LENGTH);
        fibonacci_mix(mixed, LENGTH);
        image[round % SIDE][3]++;
        sum_rectangles(image);
        for (int i = 0; i < DIGITS; i++) digits[i] = digits[i] * 7 + (int)(mixed[i] % 64);
        normalize(digits, DIGITS);
        hash = hash * 31 + (uint64_t)values[LENGTH - 1] + mixed[LENGTH - 1];
        hash ^= table[SIDE][SIDE] + (uint64_t)digits[DIGITS / 2] * 1000;
    }
    printf("%016llx\n", (unsigned long long)hash);
    return 0;
}
