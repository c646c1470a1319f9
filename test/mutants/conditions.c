// Short branches that become selects, the same conditions twice, and values that only some ways set.
#include <stdio.h>

__attribute__((noinline)) static int clamp(int x, int low, int high) {
    if (x < low) x = low;
    if (x > high) x = high;
    return x;
}
__attribute__((noinline)) static int twice(int a, int b, int c) {
    int x, y;
    if (a < b)
        x = c;
    else
        x = a;
    if (a < b)
        y = c + 1;
    else
        y = b;
    return x * 10 + y + (a < b ? 3 : 4);
}
__attribute__((noinline)) static long some(int n, long a, long b) {
    long best = a;
    int where = 0;
    for (int i = 0; i < n; i++) {
        long here = (a * i) ^ (b >> i);
        if (here > best && (i & 1 || b > 0)) {
            best = here;
            where = i;
        }
    }
    return best * 100 + where;
}
__attribute__((noinline)) static unsigned median(unsigned a, unsigned b, unsigned c) {
    return a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);
}
__attribute__((noinline)) static int safe(int a, int b) {
    return b ? a / b : a > 0 && b == 0 ? -1 : 0;
}

int main(void) {
    for (int i = -3; i < 5; i++)
        printf("%d %d %ld %u %d\n", clamp(i * 4, -5, 9), twice(i, 1, i * i),
               some(9, i, 1000 - i * 300), median((unsigned)i, 3, (unsigned)(i * 2)), safe(17, i));
    return 0;
}
