// Calls: recursion, tails, pointers to functions, results that are not used, functions that are copied.
#include <stdio.h>

typedef int Operation(int, int);

static int plus(int a, int b) {
    return a + b;
}
static int minus(int a, int b) {
    return a - b;
}
static int first(int a, int b) {
    return b ? a : a + 1;
}
static Operation *const table[] = {plus, minus, first};
static int calls;

static int weigh(int a, int b) {
    return a < b ? a - b * 3 : a * 2 - b;
}

__attribute__((noinline)) static int apply(Operation *f, int a, int b) {
    calls++;
    return f(a, b);
}
static inline int square_sum(int n) {
    int sum = 0;
    for (int i = 1; i <= n; i++) sum = plus(sum, i * i);
    return sum;
}
__attribute__((noinline)) static int ackermann(int m, int n) {
    if (m == 0) return n + 1;
    if (n == 0) return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}
__attribute__((noinline)) static int is_odd(unsigned n);
__attribute__((noinline)) static int is_even(unsigned n) {
    return n ? is_odd(n - 1) : 1;
}
static int is_odd(unsigned n) {
    return n ? is_even(n - 1) : 0;
}
__attribute__((noinline)) static int eight(int a, int b, int c, int d, int e, int f, int g, int h) {
    return h > 0 ? eight(b, c, d, e, f, g, a + h, h - 1) : a - b + c - d + e - f + g * 2;
}

int main(void) {
    for (int i = 0; i < 6; i++) {
        apply(plus, i, i);
        printf("%d %d %d %d %d %d\n", weigh(i, 3) + weigh(2, i), apply(table[i % 3], i, 3),
               square_sum(i), ackermann(2, i / 2), is_even((unsigned)i),
               eight(1, 2, 3, 4, 5, 6, i, i));
    }
    return calls;
}
