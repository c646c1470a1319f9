// More values alive than there are registers, over calls, of both classes.
#include <stdio.h>

__attribute__((noinline)) static int noise(int x) {
    return x ^ 21;
}
__attribute__((noinline)) static double half(double x) {
    return x / 2;
}

__attribute__((noinline)) static long integers(int a, int b, int c, int d, int e, int f) {
    int g = a * b, h = c * d, i = e * f, j = a + d, k = b - e, l = c ^ f, m = a | 9, n = b & 31,
        o = c << 2, p = d >> 1;
    int q = noise(g + h);
    for (int t = 0; t < 3; t++) {
        a += b;
        b ^= c;
        c -= d;
        d += e;
        e ^= f;
        f += g;
        g -= h;
        h += i;
        i ^= j;
        j += k;
        k -= l;
        l += m;
        q += noise(a ^ t);
    }
    return (long)a + b + c + d + e + f + 2l * (g + h + i) + 3l * (j ^ k ^ l) + m + n + o + p + q;
}
__attribute__((noinline)) static double reals(const double *at) {
    double a = at[0], b = at[1], c = a * b, d = a - b, e = c + d, f = c * d, g = e / 3, h = f - g,
           i = a + g, j = b * h, k = i - j, l = half(k), m = a * l, n = b - l, o = c * l, p = d + l,
           q = e - l, r = half(f);
    return a + b - c + d * e - f + g * h - i + j - k + l + m - n + o - p + q - r;
}

int main(void) {
    for (int i = 0; i < 5; i++) {
        double at[] = {i * 0.5, 3 - i};
        printf("%ld %.4f\n", integers(i, i + 1, 3 * i, 7, 2 - i, i * i), reals(at));
    }
    return 0;
}
