// Structures by value: in general and vector registers, in both, on the stack, and results of all these.
#include <stdio.h>

typedef struct {
    char c;
    short s;
    int i;
} Small;
typedef struct {
    double x, y;
} Point;
typedef struct {
    long n;
    float f;
} Mixed;
typedef struct {
    int v[7];
} Seven;
typedef struct {
    unsigned char b[11];
} Odd;

__attribute__((noinline)) static Small small(Small a, int n) {
    a.c = (char)(a.c + n);
    a.s = (short)(a.s * n);
    a.i -= a.s;
    return a;
}
__attribute__((noinline)) static Point turn(Point p, Mixed m) {
    return (Point){p.y + m.f, (double)m.n - p.x};
}
__attribute__((noinline)) static Mixed blend(Seven s, Mixed m, Odd o) {
    Mixed r = {s.v[3] + o.b[10], m.f * (float)s.v[6]};
    r.n += m.n;
    return r;
}
__attribute__((noinline)) static Seven shift(Seven s, long a, long b, long c, long d, long e,
                                             Odd o) {
    for (int i = 0; i < 6; i++) s.v[i] = s.v[i + 1] + (int)(a + b - c + d * e) + o.b[i];
    return s;
}
__attribute__((noinline)) static Odd odd(Odd o, int k) {
    o.b[k] = (unsigned char)(o.b[k] * 3 + o.b[10 - k]);
    return o;
}

__attribute__((noinline)) static double local(double x, int n) {
    struct {
        int count, step;
        double sum, last;
    } s = {0, n, x, 1};
    while (s.count < 5) {
        s.last = s.sum - s.step;
        s.sum += s.last * s.count;
        s.step += s.count++ & 1;
    }
    return s.sum + s.step * 100;
}

int main(void) {
    Small a = {1, 2, 3};
    Point p = {0.5, 2};
    Mixed m = {4, 1.5f};
    Seven s = {{1, 2, 3, 4, 5, 6, 7}};
    Odd o = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}};
    for (int i = 0; i < 4; i++) {
        a = small(a, i + 1);
        p = turn(p, m);
        m = blend(s, m, o);
        s = shift(s, i, 2, 3, i, 5, o);
        o = odd(o, i);
        printf("%g %d %d %d %g %g %ld %g %d %d %d\n", local(p.x, i), a.c, a.s, a.i, p.x, p.y, m.n,
               m.f, s.v[0], s.v[5], o.b[i]);
    }
    return 0;
}
