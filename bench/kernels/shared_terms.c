// Cause 12, partial redundancy: an expression is computed on one way through a loop and again
// after the ways have met, or in the next round.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 4096 };

typedef struct {
    int width, height, depth, kind;
} Box;

static Box boxes[COUNT];
static int heights[COUNT];

static long price(const Box *box, int count, int base) {
    long total = 0;
    for (int i = 0; i < count; i++) {
        long cost = base;
        if (box[i].kind == 1) cost += (long)box[i].width * box[i].height * box[i].depth / 100;
        if (box[i].kind == 2) cost += box[i].width * box[i].height;
        cost += box[i].width * box[i].height * box[i].depth % 97;
        total += cost;
    }
    return total;
}

// Slopes between neighbours: the next round computes again what this one had.
static long slopes(const int *height, int count, int unit) {
    long sum = 0;
    for (int i = 0; i + 2 < count; i++) {
        int here = height[i + 1] * unit - height[i] * unit;
        int there = height[i + 2] * unit - height[i + 1] * unit;
        if (here > 0 && there <= 0) sum += here;
        if (here <= 0 && there > 0) sum += there;
    }
    return sum;
}

static int divide_once(const int *value, int count, int a, int b) {
    int sum = 0;
    for (int i = 0; i < count; i++) {
        if (value[i] & 1) sum += a / b;
        if (value[i] & 2) sum ^= a / b + value[i];
        if ((value[i] & 7) == 0) {
            a += value[i];
            sum += a % 3;
        }
        sum += a / b;
    }
    return sum;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 3800;
    uint32_t seed = 131;
    uint64_t hash = 0;
    for (int i = 0; i < COUNT; i++) {
        seed = seed * 1664525 + 1013904223;
        boxes[i] = (Box){(int)(seed >> 26), seed >> 20 & 63, seed >> 14 & 63, seed >> 9 & 3};
        heights[i] = (int)(seed >> 22);
    }
    for (int round = 0; round < rounds; round++) {
        heights[round % COUNT] += 5;
        boxes[round * 3 % COUNT].width++;
        hash = hash * 31 + (uint64_t)price(boxes, COUNT, round);
        hash += (uint64_t)slopes(heights, COUNT, 1 + round % 7);
        hash ^= (uint64_t)divide_once(heights, COUNT, 1000 + round, 3 + round % 5) << 16;
    }
    printf("%016llx\n", (unsigned long long)hash);
    return 0;
}
