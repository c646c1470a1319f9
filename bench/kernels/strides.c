// Cause 9, strength reduction: walks with steps other than one: columns of a table, every third
// byte, arrays of structures of odd sizes, and counters that run down.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 96, COLUMNS = 80, BODIES = 500 };

typedef struct {
    float position[3], speed[3];
    int16_t group;
    uint8_t name[6];
} Body; // 32 bytes

typedef struct {
    uint8_t r, g, b;
} Color; // three bytes

static int table[ROWS][COLUMNS], turned[COLUMNS][ROWS];
static Body bodies[BODIES];
static Color colors[ROWS * COLUMNS];

static void transpose(void) {
    for (int x = 0; x < COLUMNS; x++)
        for (int y = 0; y < ROWS; y++) turned[x][y] = table[y][x];
}

static int column_sum(int column) {
    int sum = 0;
    for (int y = ROWS - 1; y >= 0; y--) sum += table[y][column];
    return sum;
}

static void move_group(Body *body, int count, int group, float time) {
    for (int i = 0; i < count; i++) {
        if (body[i].group != group) continue;
        for (int k = 0; k < 3; k++) body[i].position[k] += body[i].speed[k] * time;
    }
}

static unsigned brightness(const Color *color, int count) {
    unsigned sum = 0;
    for (int i = 0; i < count; i++) sum += (color[i].r * 3u + color[i].g * 6u + color[i].b) / 10;
    return sum;
}

static void reverse_rows(int first, int last) {
    for (; first < last; first++, last--) {
        for (int x = 0; x < COLUMNS; x++) {
            int kept = table[first][x];
            table[first][x] = table[last][x];
            table[last][x] = kept;
        }
    }
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 8900;
    uint32_t seed = 89;
    uint64_t hash = 0;
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        seed = seed * 1664525 + 1013904223;
        table[i / COLUMNS][i % COLUMNS] = (int)(seed >> 20);
        colors[i] = (Color){(uint8_t)(seed >> 8), (uint8_t)(seed >> 14), (uint8_t)(seed >> 22)};
    }
    for (int i = 0; i < BODIES; i++) {
        bodies[i].group = (int16_t)(i * 7 % 5);
        for (int k = 0; k < 3; k++) bodies[i].speed[k] = (float)((i * 3 + k) % 16) - 8;
    }
    for (int round = 0; round < rounds; round++) {
        transpose();
        hash = hash * 31 + (uint64_t)turned[round % COLUMNS][round % ROWS];
        for (int x = 0; x < COLUMNS; x += 4) hash += (uint64_t)column_sum(x);
        move_group(bodies, BODIES, round % 5, 0.25f);
        colors[round % (ROWS * COLUMNS)].g++;
        hash ^= brightness(colors, ROWS * COLUMNS);
        reverse_rows(round % 8, ROWS - 1 - round % 4);
        table[round % ROWS][3]++;
    }
    for (int i = 0; i < BODIES; i++) hash += (uint64_t)(int64_t)bodies[i].position[i % 3];
    printf("%016llx\n", (unsigned long long)hash);
    return 0;
}
