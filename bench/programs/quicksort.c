// Quicksort of integers: median of three, small parts left to an insertion sort.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void insertion_sort(int *a, long count) {
    for (long i = 1; i < count; i++) {
        int value = a[i];
        long k = i;
        for (; k > 0 && a[k - 1] > value; k--) a[k] = a[k - 1];
        a[k] = value;
    }
}

static void swap(int *a, int *b) {
    int held = *a;
    *a = *b;
    *b = held;
}

static void quicksort(int *a, long count) {
    while (count > 16) {
        long middle = count / 2;
        if (a[middle] < a[0]) swap(&a[middle], &a[0]);
        if (a[count - 1] < a[0]) swap(&a[count - 1], &a[0]);
        if (a[count - 1] < a[middle]) swap(&a[count - 1], &a[middle]);
        int pivot = a[middle];
        long i = 0, k = count - 1;
        while (i <= k) {
            while (a[i] < pivot) i++;
            while (a[k] > pivot) k--;
            if (i <= k) swap(&a[i++], &a[k--]);
        }
        if (k + 1 < count - i) {
            quicksort(a, k + 1);
            a += i, count -= i;
        } else {
            quicksort(a + i, count - i);
            count = k + 1;
        }
    }
    insertion_sort(a, count);
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 14;
    long count = 600000;
    int *a = malloc((size_t)count * sizeof *a);
    if (!a) return 1;
    uint32_t seed = 1, sum = 0;
    for (int round = 0; round < rounds; round++) {
        for (long i = 0; i < count; i++) {
            seed = seed * 1664525 + 1013904223;
            a[i] = (int)(seed >> 4) - (1 << 27);
        }
        quicksort(a, count);
        for (long i = 1; i < count; i++)
            if (a[i - 1] > a[i]) {
                printf("wrong\n");
                return 1;
            }
        for (long i = 0; i < count; i += 1000) sum = sum * 31 + (uint32_t)a[i];
    }
    printf("%08x\n", (unsigned)sum);
    free(a);
    return 0;
}
