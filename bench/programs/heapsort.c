// Heapsort of doubles.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void sift(double *heap, size_t at, size_t count) {
    double value = heap[at];
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= count) break;
        if (child + 1 < count && heap[child] < heap[child + 1]) child++;
        if (value >= heap[child]) break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = value;
}

static void heapsort(double *a, size_t count) {
    for (size_t i = count / 2; i > 0; i--) sift(a, i - 1, count);
    for (size_t end = count - 1; end > 0; end--) {
        double last = a[end];
        a[end] = a[0];
        a[0] = last;
        sift(a, 0, end);
    }
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 24;
    size_t count = 200000;
    double *a = malloc(count * sizeof *a), sum = 0;
    if (!a) return 1;
    uint32_t seed = 5;
    for (int round = 0; round < rounds; round++) {
        for (size_t i = 0; i < count; i++) {
            seed = seed * 1664525 + 1013904223;
            a[i] = (double)seed / 65536.0 - 20000.0;
        }
        heapsort(a, count);
        for (size_t i = 1; i < count; i++)
            if (a[i - 1] > a[i]) {
                printf("wrong\n");
                return 1;
            }
        for (size_t i = 0; i < count; i += 777) sum = sum * 0.5 + a[i];
    }
    printf("%.6f\n", sum);
    free(a);
    return 0;
}
