// Floating-point numbers of both sizes: comparisons with what is not a number, conversions to and from every integer type.
#include <stdio.h>

__attribute__((noinline)) static int relations(double a, double b) {
    return (a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5 |
           !(a < b) << 6;
}
__attribute__((noinline)) static unsigned long convert(double x) {
    unsigned long u = (unsigned long)x;
    return u ^ (unsigned)(float)x ^ (unsigned long)(int)x;
}
__attribute__((noinline)) static double back(unsigned long u, int i) {
    return (double)u + (float)i + (double)(unsigned)i;
}
__attribute__((noinline)) static float smallest(const float *at, int n) {
    float least = at[0];
    for (int i = 1; i < n; i++) least = at[i] < least ? at[i] : least;
    return least;
}
__attribute__((noinline)) static double mean(const double *at, int n) {
    double sum = 0, product = 1;
    for (int i = 0; i < n; i++) {
        sum += at[i];
        if (at[i] != 0) product *= at[i];
    }
    return sum / n - -product;
}

int main(void) {
    double zero = 0, nan = zero / zero, values[] = {0.5, -0.0, nan, 3e9, 1.0 / 3};
    float small[] = {2.5f, -1.25f, 7, -3};
    for (int i = 0; i < 5; i++)
        printf("%d %d\n", relations(values[i], 0.5), relations(nan, values[i]));
    printf("%lu %lu %.3f %.3f\n", convert(3.99), convert(1e9), back(1ul << 63, -3), back(77, 5));
    printf("%g %g\n", smallest(small, 4), mean(values, 2));
    return 0;
}
