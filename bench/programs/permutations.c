// Fannkuch: over all permutations, how often the first so many elements must be reversed until the
// first one is 0.
#include <stdio.h>
#include <stdlib.h>

enum { LARGEST = 12 };

static int reversals(const int *permutation, int n) {
    int p[LARGEST], count = 0;
    for (int i = 0; i < n; i++) p[i] = permutation[i];
    while (p[0] != 0) {
        for (int low = 0, high = p[0]; low < high; low++, high--) {
            int held = p[low];
            p[low] = p[high];
            p[high] = held;
        }
        count++;
    }
    return count;
}

// Goes to the next permutation; yields false after the last.
static int advance(int *permutation, int *turns, int n) {
    for (int r = 1; r < n; r++) {
        int first = permutation[0];
        for (int i = 0; i < r; i++) permutation[i] = permutation[i + 1];
        permutation[r] = first;
        if (++turns[r] <= r) return 1;
        turns[r] = 0;
    }
    return 0;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 3, n = 10;
    long sum = 0, most = 0, number = 0;
    for (int round = 0; round < rounds; round++) {
        int permutation[LARGEST], turns[LARGEST] = {0};
        for (int i = 0; i < n; i++) permutation[i] = (i + round) % n;
        do {
            long count = reversals(permutation, n);
            if (count > most) most = count;
            sum += number % 2 ? -count : count;
            number++;
        } while (advance(permutation, turns, n));
    }
    printf("%ld permutations: %ld %ld\n", number, sum, most);
    return 0;
}
