// Radix sort of 64-bit keys, eight bits a pass, with their payloads.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    uint64_t key;
    uint32_t payload;
} Item;

static void radix_sort(Item *items, Item *other, size_t count) {
    for (unsigned shift = 0; shift < 64; shift += 8) {
        size_t start[256] = {0};
        for (size_t i = 0; i < count; i++) start[items[i].key >> shift & 255]++;
        size_t sum = 0;
        for (int digit = 0; digit < 256; digit++) {
            size_t here = start[digit];
            start[digit] = sum;
            sum += here;
        }
        for (size_t i = 0; i < count; i++) other[start[items[i].key >> shift & 255]++] = items[i];
        Item *swapped = items;
        items = other;
        other = swapped;
    }
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 160;
    size_t count = 100000;
    Item *items = malloc(count * sizeof *items), *other = malloc(count * sizeof *other);
    if (!items || !other) return 1;
    uint64_t seed = 88172645463325252u, sum = 0;
    for (int round = 0; round < rounds; round++) {
        for (size_t i = 0; i < count; i++) {
            seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
            items[i] = (Item){.key = seed, .payload = (uint32_t)i};
        }
        radix_sort(items, other, count);
        for (size_t i = 1; i < count; i++)
            if (items[i - 1].key > items[i].key) return 1;
        for (size_t i = 0; i < count; i += 100) sum = sum * 31 + items[i].key + items[i].payload;
    }
    printf("%016llx\n", (unsigned long long)sum);
    free(items), free(other);
    return 0;
}
