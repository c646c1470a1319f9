// Cause 13, cold paths: each step checks bounds, overflow and room, and reports errors by calls
// that hardly ever happen, but which a compiler must prepare for.
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int *item;
    int count, room;
    const char *error;
} Vector;

static void fail(Vector *vector, const char *what, int number) {
    fprintf(stderr, "%s: %d of %d\n", what, number, vector->count);
    vector->error = what;
}

static int at(Vector *vector, int index) {
    if (index < 0 || index >= vector->count) {
        fail(vector, "no such place", index);
        return 0;
    }
    return vector->item[index];
}

static void append(Vector *vector, int value) {
    if (vector->count == vector->room) {
        int room = vector->room ? vector->room * 2 : 16;
        int *item = realloc(vector->item, (size_t)room * sizeof *item);
        if (!item) {
            fail(vector, "no memory", room);
            exit(1);
        }
        vector->item = item;
        vector->room = room;
    }
    vector->item[vector->count++] = value;
}

static int checked_sum(Vector *vector, int a, int b) {
    if (b > 0 ? a > INT_MAX - b : a < INT_MIN - b) {
        fail(vector, "too large", a);
        return 0;
    }
    return a + b;
}

static int checked_ratio(Vector *vector, int a, int b) {
    if (b == 0 || (a == INT_MIN && b == -1)) {
        fail(vector, "no ratio", b);
        return 0;
    }
    return a / b;
}

static int evaluate(Vector *vector, int from, int to) {
    int sum = 0;
    for (int i = from; i < to && !vector->error; i++) {
        int value = checked_sum(vector, at(vector, i), at(vector, to - 1 - i + from));
        sum = checked_sum(vector, sum / 2, value / 4);
        if (i % 16 == 0) sum = checked_sum(vector, sum, checked_ratio(vector, value, i + 1));
    }
    return sum;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 3000;
    Vector vector = {0};
    uint32_t seed = 151;
    uint64_t hash = 0;
    for (int round = 0; round < rounds; round++) {
        vector.count = 0;
        for (int i = 0; i < 3000; i++) {
            seed = seed * 1664525 + 1013904223;
            append(&vector, (int)(seed >> 4) - (1 << 27));
        }
        hash = hash * 31 + (uint32_t)evaluate(&vector, round % 64, 3000 - round % 100);
    }
    printf("%016llx\n", (unsigned long long)hash);
    free(vector.item);
    return 0;
}
