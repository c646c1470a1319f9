// Integers of 64 and 128 bits: products, quotients, shifts by what is not known, comparisons.
#include <stdio.h>

typedef unsigned __int128 u128;
typedef __int128 i128;

__attribute__((noinline)) static u128 power(unsigned long base, unsigned n) {
    u128 result = 1;
    while (n--) result *= base;
    return result;
}
__attribute__((noinline)) static i128 shifted(i128 x, int by) {
    return (x << by) ^ (x >> (by / 2));
}
__attribute__((noinline)) static int order(i128 a, i128 b) {
    return (a > b) - (a < b);
}
__attribute__((noinline)) static unsigned long reduce(u128 x, unsigned long by) {
    return (unsigned long)(x / by) ^ (unsigned long)(x % by);
}
__attribute__((noinline)) static unsigned rotate(unsigned x, unsigned by) {
    return x << (by & 31) | x >> (-by & 31);
}

int main(void) {
    for (unsigned i = 1; i < 7; i++) {
        u128 x = power(1000003, i);
        i128 y = shifted(-(i128)x, (int)(i * 9));
        printf("%lx %lx %lx %d %lx %x\n", (long)(x >> 64), (long)x, (long)y, order(y, (i128)x),
               reduce(x, 77777777777u), rotate((unsigned)x, i));
    }
    return 0;
}
