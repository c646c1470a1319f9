// Loops in loops: counters that are extended, tests that are decided before, values that leave loops by several ways.
#include <stdio.h>

static int grid[12][12];

__attribute__((noinline)) static int find(const int *at, unsigned n, int wanted) {
    unsigned i = 0;
    int steps = 0;
    for (; i < n; i++) {
        if (at[i] == wanted) break;
        if (at[i] < 0) {
            steps += 50;
            continue;
        }
        steps += at[i] & 3;
    }
    return i == n ? -1 - steps : (int)i + steps * 2;
}
__attribute__((noinline)) static void fill(int n, int seed) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            int limit = seed > 3 ? n : n / 2;
            grid[i][k] = k < limit ? i * k - seed : grid[k][i] - 1;
        }
}
__attribute__((noinline)) static long spiral(int n) {
    long sum = 0;
    int x = 0, y = 0, dx = 1, dy = 0, left = n - 1, turns = 0;
    while (turns < 4) {
        for (int s = 0; s < left; s++) {
            sum = sum * 5 + grid[y][x];
            x += dx;
            y += dy;
        }
        int t = dx;
        dx = -dy;
        dy = t;
        if (turns++ == 2) left--;
    }
    return sum;
}
__attribute__((noinline)) static int collatz(unsigned n) {
    int steps = 0;
    do {
        n = n % 2 ? 3 * n + 1 : n / 2;
        if (++steps > 200) return -1;
    } while (n != 1);
    return steps;
}

int main(void) {
    for (int seed = 1; seed < 7; seed++) {
        fill(12, seed);
        printf("%d %ld %d\n", find(grid[seed], 12, 7 * seed), spiral(12),
               collatz((unsigned)seed * 9));
    }
    return 0;
}
