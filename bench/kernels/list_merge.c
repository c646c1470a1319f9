// Cause 4, select or branch: lists are merged, and each step takes the head of the one or the
// other. A ring of runs yields its least head in the same way.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 8192, RUNS = 5 };

typedef struct Cell {
    struct Cell *next;
    uint32_t key;
} Cell;

static Cell cells[COUNT];

static Cell *merge(Cell *a, Cell *b) {
    Cell *first = NULL, **end = &first;
    while (a && b) {
        Cell **taken = a->key <= b->key ? &a : &b;
        *end = *taken;
        end = &(*taken)->next;
        *taken = (*taken)->next;
    }
    *end = a ? a : b;
    return first;
}

static Cell *sort(Cell *list, int count) {
    if (count < 2) {
        list->next = NULL;
        return list;
    }
    Cell *second = list;
    for (int i = 0; i < count / 2; i++) second = second->next;
    Cell *right = sort(second, count - count / 2);
    return merge(sort(list, count / 2), right);
}

typedef struct {
    const uint32_t *at, *end;
} Run;

static void merge_runs(Run *run, uint32_t *out, int count) {
    for (int i = 0; i < count; i++) {
        Run *least = NULL;
        for (int r = 0; r < RUNS; r++) {
            if (run[r].at == run[r].end) continue;
            if (!least || *run[r].at < *least->at) least = &run[r];
        }
        out[i] = *least->at++;
    }
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 110;
    static uint32_t sorted[RUNS][COUNT / 8], all[RUNS * (COUNT / 8)];
    uint32_t seed = 37;
    uint64_t hash = 0;
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < COUNT; i++) {
            seed = seed * 1664525 + 1013904223;
            cells[i].key = seed >> 8;
            cells[i].next = i + 1 < COUNT ? &cells[i + 1] : NULL;
        }
        int place = 0;
        Run run[RUNS];
        for (Cell *cell = sort(cells, COUNT); cell; cell = cell->next, place++) {
            hash = hash * 5 + cell->key;
            if (place < RUNS * (COUNT / 8)) sorted[place % RUNS][place / RUNS] = cell->key;
        }
        for (int r = 0; r < RUNS; r++) run[r] = (Run){sorted[r], sorted[r] + COUNT / 8};
        merge_runs(run, all, RUNS * (COUNT / 8));
        hash ^= all[COUNT / 4];
    }
    printf("%016llx\n", (unsigned long long)hash);
    return 0;
}
