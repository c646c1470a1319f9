// Values of 80 bits: passed, returned, spilled, converted and compared.
#include <stdio.h>

static long double scale = 1.5L;

__attribute__((noinline)) static long double horner(const long double *c, int n, long double x) {
    long double sum = 0;
    for (int i = 0; i < n; i++) sum = sum * x + c[i];
    return sum;
}

__attribute__((noinline)) static long double mix(int a, long double b, double c, long double d) {
    long double left = a * b, right = c - d;
    return left > right ? left / scale : right * scale;
}

__attribute__((noinline)) static int rank(long double a, long double b) {
    return a < b ? -1 : a == b ? 0 : 1;
}

int main(void) {
    long double c[] = {1.25L, -3.0L, 0.5L, 7.0L};
    for (int i = -2; i < 3; i++) {
        long double x = i * 0.75L, y = horner(c, 4, x), z = mix(i, x, (double)y, scale);
        printf("%.6Lf %.6Lf %d %lld\n", y, z, rank(y, z), (long long)(y * 8));
        scale += (unsigned)i % 3;
    }
    return (int)horner(c, 3, 2.0L);
}
