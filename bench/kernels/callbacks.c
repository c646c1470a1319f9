// Cause 2, calls by a pointer that inlining made constant: walks over arrays that take what to do
// as functions, and a sort that takes the order.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 4096, SORTED = 256 };

typedef struct {
    int key, weight;
} Item;

typedef int (*Test)(const Item *item, int argument);
typedef long (*Fold)(long so_far, const Item *item);

static int is_heavy(const Item *item, int limit) {
    return item->weight > limit;
}
static int is_multiple(const Item *item, int factor) {
    return item->key % factor == 0;
}
static long add_weight(long sum, const Item *item) {
    return sum + item->weight;
}
static long largest_key(long most, const Item *item) {
    return item->key > most ? item->key : most;
}
static long mix(long hash, const Item *item) {
    return (long)((unsigned long)hash * 31 + (unsigned)item->key);
}

static long fold_where(const Item *item, int count, Test test, int argument, Fold fold,
                       long start) {
    for (int i = 0; i < count; i++)
        if (test(&item[i], argument)) start = fold(start, &item[i]);
    return start;
}

static int by_key(const Item *a, const Item *b) {
    return (a->key > b->key) - (a->key < b->key);
}
static int by_weight(const Item *a, const Item *b) {
    return a->weight - b->weight;
}

static void insertion_sort(Item *item, int count, int (*order)(const Item *, const Item *)) {
    for (int i = 1; i < count; i++) {
        Item moved = item[i];
        int place = i;
        while (place > 0 && order(&moved, &item[place - 1]) < 0) {
            item[place] = item[place - 1];
            place--;
        }
        item[place] = moved;
    }
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 1400;
    static Item items[COUNT];
    uint32_t seed = 41;
    uint64_t hash = 0;
    for (int i = 0; i < COUNT; i++) {
        seed = seed * 1664525 + 1013904223;
        items[i] = (Item){.key = (int)(seed >> 9), .weight = (int)(seed >> 20) % 1000};
    }
    for (int round = 0; round < rounds; round++) {
        hash += (uint64_t)fold_where(items, COUNT, is_heavy, 300 + round % 400, add_weight, 0);
        hash += (uint64_t)fold_where(items, COUNT, is_multiple, 7, largest_key, 0);
        hash ^= (uint64_t)fold_where(items, COUNT, is_heavy, 900, mix, round);
        Item *part = &items[round * 64 % (COUNT - SORTED)];
        if (round % 2 == 0)
            insertion_sort(part, SORTED, by_key);
        else
            insertion_sort(part, SORTED, by_weight);
        hash = hash * 3 + (uint64_t)part[SORTED / 2].key;
    }
    printf("%016llx\n", (unsigned long long)hash);
    return 0;
}
