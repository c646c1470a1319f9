// Merge sort twice: records in an array, bottom up, and a linked list, by splitting and merging.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Record Record;
struct Record {
    uint32_t key;
    uint32_t number; // where it stood at first: the sort must be stable
    Record *next;
};

static void merge(const Record *from, Record *to, size_t low, size_t middle, size_t high) {
    size_t i = low, k = middle;
    for (size_t at = low; at < high; at++) {
        if (i < middle && (k >= high || from[i].key <= from[k].key))
            to[at] = from[i++];
        else
            to[at] = from[k++];
    }
}

static Record *sort_array(Record *a, Record *b, size_t count) {
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t low = 0; low < count; low += 2 * width) {
            size_t middle = low + width < count ? low + width : count;
            size_t high = low + 2 * width < count ? low + 2 * width : count;
            merge(a, b, low, middle, high);
        }
        Record *swapped = a;
        a = b;
        b = swapped;
    }
    return a;
}

static Record *sort_list(Record *list) {
    if (!list || !list->next) return list;
    Record *slow = list, *fast = list->next;
    while (fast && fast->next) {
        slow = slow->next;
        fast = fast->next->next;
    }
    Record *second = slow->next;
    slow->next = NULL;
    Record *a = sort_list(list), *b = sort_list(second), head, *last = &head;
    while (a && b) {
        if (a->key <= b->key) {
            last->next = a;
            a = a->next;
        } else {
            last->next = b;
            b = b->next;
        }
        last = last->next;
    }
    last->next = a ? a : b;
    return head.next;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 12;
    size_t count = 200000;
    Record *a = malloc(count * sizeof *a), *b = malloc(count * sizeof *b);
    if (!a || !b) return 1;
    uint32_t seed = 3, sum = 0;
    for (int round = 0; round < rounds; round++) {
        for (size_t i = 0; i < count; i++) {
            seed = seed * 1664525 + 1013904223;
            a[i] = (Record){.key = seed >> 12, .number = (uint32_t)i};
        }
        Record *sorted = sort_array(a, b, count);
        for (size_t i = 1; i < count; i++) {
            if (sorted[i - 1].key > sorted[i].key) return 1;
            if (sorted[i - 1].key == sorted[i].key && sorted[i - 1].number > sorted[i].number)
                return 1;
        }
        for (size_t i = 0; i < count; i++) {
            sorted[i].key ^= sorted[i].number * 77;
            sorted[i].next = i + 1 < count ? &sorted[i + 1] : NULL;
        }
        size_t position = 0;
        for (Record *r = sort_list(sorted); r; r = r->next, position++)
            if (position % 500 == 0) sum = sum * 31 + r->key + r->number;
    }
    printf("%08x\n", (unsigned)sum);
    free(a), free(b);
    return 0;
}
