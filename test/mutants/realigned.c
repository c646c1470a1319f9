// Frames that are aligned to more than callers give, with arguments on the stack and a stack pointer that moves.
#include <alloca.h>
#include <stdint.h>
#include <stdio.h>

__attribute__((noinline)) static int check(const void *at, uintptr_t to) {
    return (uintptr_t)at % to == 0;
}

__attribute__((noinline)) static long many(long a, long b, long c, long d, long e, long f, long g,
                                           long h) {
    _Alignas(64) long block[8] = {a, b, c, d, e, f, g, h};
    long sum = 0;
    for (int i = 0; i < 8; i++) sum = sum * 3 + block[i];
    return sum + check(block, 64) * 100000;
}

__attribute__((noinline)) static long moving(int n, long a, long b, long c, long d, long e,
                                             long last) {
    _Alignas(32) char text[40];
    char *more = alloca((size_t)n + 1);
    for (int i = 0; i < n; i++) more[i] = text[i] = (char)('a' + i);
    more[n] = text[n] = 0;
    printf("%s %s %d\n", text, more, check(text, 32));
    return many(a, b, c, d, e, n, last, more[0]) + last;
}

int main(void) {
    for (int i = 1; i < 5; i++) printf("%ld\n", moving(i, 1, i, 3, 4, 5, 6 * i));
    return 0;
}
