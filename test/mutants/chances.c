// Functions in which every pass finds something to do, and a careless one something to do wrong.
#include <stdio.h>

static int table[40];

// Constants decide branches; what is left compares without signs.
__attribute__((noinline)) static int decided(unsigned x) {
    unsigned limit = 5, kind = 2;
    if (kind == 2)
        limit += 1;
    else
        limit = x;
    return x > limit ? (int)(x >> 3) + (int)kind : -1;
}
// The quotient does not change in the loop, but is not always right.
__attribute__((noinline)) static int guarded(const int *at, int n, int a, int b) {
    int sum = 0;
    for (int i = 0; i < n; i++)
        if (b != 0 && at[i] > 2) sum += a / b + at[i];
    return sum;
}
// The second question is answered by the first, but not if both are equal.
__attribute__((noinline)) static int related(int a, int b) {
    int result = 1;
    if (a <= b) {
        result = 2;
        if (a < b) result = 3 * a;
        if (a > b) result = 77;
    }
    return result;
}
// Counters that are extended, with steps of several sizes.
__attribute__((noinline)) static long strided(const int *at, int n, int from) {
    long sum = 0;
    for (int i = from; i < n; i += 3) sum = sum * 3 + at[i];
    for (int k = n - 1; k >= 0; k -= 2) sum += at[k] * (long)k;
    return sum;
}
// Stores and loads that may meet, between things that take long.
__attribute__((noinline)) static int close(int *a, int *b, int x, int y) {
    *a = x * 7;
    int r = *b, s = r * r * 3;
    *b = s / y;
    int t = *a, u = t * t * t - r;
    int v = y * 5 + x, w = v * x * y;
    return b[0] * 3 + u * w + (a[1] ^ v);
}
// One merge that can be a select, and one that cannot.
__attribute__((noinline)) static int both(int a, int b) {
    int x, y;
    if (a < b)
        x = a * 2;
    else
        x = b + 1;
    if (x > 3)
        y = related(x, 5) + table[1];
    else
        y = x - 7;
    return y * 10 + x;
}
typedef struct {
    int low, high;
    long sum;
} Range;

// A structure that stays in registers, whose fields hold different things.
__attribute__((noinline)) static long ranged(const int *at, int n) {
    Range all = {at[0], at[0], 0}, copy;
    for (int i = 0; i < n; i++) {
        if (at[i] < all.low) all.low = at[i];
        if (at[i] > all.high) all.high = at[i];
        all.sum += at[i];
    }
    copy = all;
    copy.sum -= copy.high;
    return copy.sum * 1000 + copy.high * 10 + copy.low;
}

int main(void) {
    for (int i = 0; i < 40; i++) table[i] = i * i % 23 - 4;
    for (int i = 0; i < 6; i++) {
        int quotient = guarded(table, 20, 100, i - 2),
            near = close(table + i, table + i % 2, i + 2, 3);
        printf("%d %d %d %d %ld %d %ld\n", both(i, 4), decided((unsigned)i * 0x30000001u), quotient,
               related(i, 3), strided(table, 30, i), near, ranged(table, 25));
    }
    return 0;
}
