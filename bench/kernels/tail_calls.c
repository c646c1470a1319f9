// Cause 7, tail recursion: functions whose last act is a call of themselves or of each other, with
// an accumulator as an argument, and sums that wait for one addition only.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct List {
    const struct List *rest;
    int value;
} List;

enum { LENGTH = 500 };

static unsigned common_divisor(unsigned a, unsigned b) {
    return b == 0 ? a : common_divisor(b, a % b);
}

static uint32_t power(uint32_t base, unsigned exponent, uint32_t so_far) {
    if (exponent == 0) return so_far;
    return power(base * base, exponent / 2, exponent & 1 ? so_far * base : so_far);
}

static int halvings(uint64_t number, int steps) {
    if (number == 1) return steps;
    return number & 1 ? halvings(number * 3 + 1, steps + 1) : halvings(number / 2, steps + 1);
}

static long sum_of(const List *list) {
    return list ? list->value + sum_of(list->rest) : 0;
}

static int count_above(const List *list, int limit) {
    if (!list) return 0;
    if (list->value > limit) return 1 + count_above(list->rest, limit);
    return count_above(list->rest, limit);
}

static const List *find(const List *list, int value) {
    if (!list || list->value == value) return list;
    return find(list->rest, value);
}

static int is_odd(unsigned bits, int count);

static int is_even(unsigned bits, int count) {
    if (count == 0) return 1;
    return bits & 1 ? is_odd(bits >> 1, count - 1) : is_even(bits >> 1, count - 1);
}

static int is_odd(unsigned bits, int count) {
    if (count == 0) return 0;
    return bits & 1 ? is_even(bits >> 1, count - 1) : is_odd(bits >> 1, count - 1);
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 20000;
    static List cells[LENGTH];
    uint32_t seed = 43;
    uint64_t hash = 0;
    for (int i = 0; i < LENGTH; i++) {
        seed = seed * 1664525 + 1013904223;
        cells[i].value = (int)(seed >> 20);
        cells[i].rest = i + 1 < LENGTH ? &cells[i + 1] : NULL;
    }
    for (int round = 0; round < rounds; round++) {
        const List *list = &cells[round % LENGTH];
        seed = seed * 1664525 + 1013904223;
        hash = hash * 31 + common_divisor(seed >> 8, (unsigned)round * 12 + 1);
        hash += power(seed | 1, (unsigned)round, 1);
        hash += (uint64_t)halvings((seed >> 16) + 1, 0);
        hash ^= (uint64_t)sum_of(list) * 7;
        hash += (uint64_t)count_above(list, 2048);
        hash += find(list, (int)(seed >> 20)) != NULL;
        hash = hash * 2 + (uint64_t)is_even(seed, 32);
    }
    printf("%016llx\n", (unsigned long long)hash);
    return 0;
}
