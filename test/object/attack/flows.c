// Code: tables of switches, labels as values, variable arguments, numbers of all kinds, structures, loops, spills, atomics.
// With -DDRIVER the program around it.
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    long a, b, c;
} Large;
typedef struct {
    double x;
    int y;
} Mixed;

int choose(int n, int a), sparse(unsigned n), machine(const char *text), bits(unsigned n, int by),
    counted(int by);
long sums(int count, ...);
double floats(int count, ...), mean(const float *values, int count);
long double long_doubles(long double a, int n);
Large large(long a);
Mixed mixed(Mixed m, float f);
uint64_t hash(const unsigned char *bytes, unsigned count), many(uint64_t *values),
    wide(uint64_t a, uint64_t b);
void exchange(char *a, char *b, unsigned count);

#ifndef DRIVER
int choose(int n, int a) {
    switch (n) {
    case 0: return a + 5;
    case 1: return a * 3;
    case 2: return a - 9;
    case 3: return -a;
    case 4: a ^= 33; // falls through
    case 5: return a / 7;
    case 6: return a % 7;
    case 9: return a >> 2;
    case 10: return a > 3 ? n : 12;
    default: return a == n;
    }
}
int sparse(unsigned n) {
    switch (n) {
    case 1: return 7;
    case 50: return 3;
    case 1000 ... 2000: return 4;
    case 0x80000000u: return 5;
    case 0xffffffffu: return 6;
    default: return 0;
    }
}
int machine(const char *text) {
    static const void *const labels[] = {&&add, &&sub, &&dup, &&end};
    int value = 1;
    goto *labels[*text++ & 3];
add:
    value += 3;
    goto *labels[*text++ & 3];
sub:
    value -= 5;
    goto *labels[*text++ & 3];
dup:
    value *= 2;
    goto *labels[*text++ & 3];
end:
    return value;
}
int bits(unsigned n, int by) {
    return __builtin_popcount(n) * 3 + (int)(n << (by & 31) | n >> (-by & 31)) +
           (n ? __builtin_clz(n) + __builtin_ctz(n) : 99);
}
int counted(int by) {
    static int counter = 40;
    static _Atomic int shared;
    shared += by;
    counter -= shared > 5;
    return counter * 100 + shared;
}
long sums(int count, ...) {
    va_list list;
    long sum = 0;
    va_start(list, count);
    for (int i = 0; i < count; i++)
        sum = sum * 3 + (i & 1 ? va_arg(list, int) : va_arg(list, long));
    va_end(list);
    return sum;
}
double floats(int count, ...) {
    va_list list;
    double sum = 0.25;
    va_start(list, count);
    for (int i = 0; i < count; i++) sum = sum * 1.5 + va_arg(list, double) - 1;
    va_end(list);
    return sum;
}
double mean(const float *values, int count) {
    float sum = 0, most = -1e30f;
    for (int i = 0; i < count; i++) {
        sum += values[i];
        if (values[i] > most) most = values[i];
    }
    return count ? sum / (float)count + most + (values[0] == values[1]) +
                       (values[0] != values[2]) * 2.0
                 : -1;
}
long double long_doubles(long double a, int n) {
    return a * 3.5L + n - (a < n ? 1.25L : -a);
}
Large large(long a) {
    return (Large){a, a * 2, -a};
}
Mixed mixed(Mixed m, float f) {
    return (Mixed){m.x * f, m.y + (int)f};
}
uint64_t hash(const unsigned char *bytes, unsigned count) {
    uint64_t h = 0xcbf29ce484222325u;
    for (unsigned i = 0; i < count; i++) h = (h ^ bytes[i]) * 0x100000001b3u;
    return h;
}
uint64_t many(uint64_t *v) {
    uint64_t a = v[0], b = v[1], c = v[2], d = v[3], e = v[4], f = v[5], g = v[6], h = v[7];
    for (int i = 0; i < 9; i++) {
        uint64_t t = (a + b) ^ (c >> 3), u = (d - e) | (f << 5), w = g * h + t, x = (u ^ w) + a * 5,
                 y = b / (c | 1), z = d % (e | 3);
        a = b + x, b = c ^ y, c = d + z, d = e - t, e = f ^ u, f = g + w, g = h ^ (uint32_t)x,
        h = a + (uint16_t)y + (int8_t)z;
    }
    return a ^ b ^ c ^ d ^ e ^ f ^ g ^ h;
}
uint64_t wide(uint64_t a, uint64_t b) {
    unsigned __int128 p = (unsigned __int128)a * b + a;
    return (uint64_t)(p >> 64) ^ (uint64_t)p;
}
void exchange(char *a, char *b, unsigned count) {
    while (count--) {
        char c = *a;
        *a++ = *b;
        *b++ = c;
    }
}
#else
int main(int count, char **arguments) {
    int n = count > 1 ? atoi(arguments[1]) : 0;
    for (int i = -2; i < 13; i++)
        printf("%d %d %d %d\n", choose(i, n * 11), choose(i, -n), choose(i, i), counted(i & n));
    static const unsigned at[] = {0,          1,          2,          49,        50,   51,
                                  999,        1000,       1500,       2000,      2001, 0x7fffffff,
                                  0x80000000, 0x80000001, 0xfffffffe, 0xffffffff};
    for (int i = 0; i < 16; i++) printf("%d %d\n", sparse(at[i]), bits(at[i], n + i));
    printf("%d %d %d\n", machine("\4\1\2\5\6\3"), machine("\3"), machine("\1\1\2\2\4\3"));
    printf("%ld %ld %ld\n", sums(2, 5L, n), sums(9, 1L, -2, 3L, 4, -5L, 6, 7L, n, 9L), sums(0));
    printf("%a %a\n", floats(1, n * 1.5), floats(10, 1., 2., 3., 4., 5., 6., 7., 8., 9., n * 1.));
    printf("%a %a %a\n", mean((float[]){1, 1, (float)n}, 3),
           mean((float[]){(float)n, -7, 4, __builtin_nanf("")}, 4), mean(NULL, 0));
    printf("%La %La\n", long_doubles(n, 2), long_doubles(-1.5L, n));
    Large l = large(n - 3);
    Mixed m = mixed((Mixed){n + 0.5, n}, 2.75f);
    printf("%ld %ld %ld %a %d\n", l.a, l.b, l.c, m.x, m.y);
    printf("%llx ", (unsigned long long)hash((const unsigned char *)"some bytes", 10));
    printf("%llx ", (unsigned long long)many((uint64_t[]){(uint64_t)n, 2, 3, 1ull << 63, 5, 6,
                                                          77777777777, ~(uint64_t)n}));
    printf("%llx\n",
           (unsigned long long)wide(0x123456789abcdef0u + (uint64_t)n, 0xfedcba9876543210u));
    char a[] = "left hand", b[] = "the right";
    exchange(a, b, (unsigned)n % 9);
    printf("%s %s\n", a, b);
    return n;
}
#endif
