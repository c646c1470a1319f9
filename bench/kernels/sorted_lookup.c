// Cause 4, select or branch: searches in a sorted array, by halves that choose an address, and in
// a search tree whose child is chosen by the key.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 6000 };

typedef struct Node {
    uint32_t key;
    struct Node *child[2];
} Node;

static uint32_t sorted[COUNT];
static Node nodes[COUNT];

// How many keys are below the one we look for.
static int lower_bound(const uint32_t *key, int count, uint32_t wanted) {
    const uint32_t *base = key;
    while (count > 1) {
        int half = count / 2;
        base = base[half - 1] < wanted ? base + half : base;
        count -= half;
    }
    return (int)(base - key) + (*base < wanted);
}

static int find_by_branches(const uint32_t *key, int count, uint32_t wanted) {
    int low = 0, high = count - 1;
    while (low <= high) {
        int middle = low + (high - low) / 2;
        if (key[middle] == wanted) return middle;
        if (key[middle] < wanted)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}

static void insert(Node **place, Node *node) {
    while (*place) place = &(*place)->child[(*place)->key < node->key];
    *place = node;
}

static int depth_of(const Node *node, uint32_t wanted) {
    int depth = 0;
    while (node && node->key != wanted) {
        node = wanted < node->key ? node->child[0] : node->child[1];
        depth++;
    }
    return depth;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 200;
    uint32_t seed = 29;
    uint64_t hash = 0;
    Node *root = NULL;
    for (int i = 0; i < COUNT; i++) sorted[i] = (uint32_t)i * 7 + (uint32_t)i % 3;
    for (int i = 0; i < COUNT; i++) {
        seed = seed * 1664525 + 1013904223;
        nodes[i].key = sorted[(seed >> 10) % COUNT];
        insert(&root, &nodes[i]);
    }
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < 2000; i++) {
            seed = seed * 1664525 + 1013904223;
            uint32_t wanted = (seed >> 9) % (COUNT * 7);
            hash += (uint64_t)lower_bound(sorted, COUNT, wanted);
            hash = hash * 3 + (uint64_t)find_by_branches(sorted, COUNT, wanted);
            hash += (uint64_t)depth_of(root, wanted);
        }
    }
    printf("%016llx\n", (unsigned long long)hash);
    return 0;
}
