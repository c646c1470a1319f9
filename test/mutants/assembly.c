// Statements of assembly: operands of all kinds, registers destroyed, values kept over them.
#include <stdio.h>

__attribute__((noinline)) static int add(int a, int b) {
    int sum;
    __asm__("leal (%q1,%q2), %0" : "=r"(sum) : "r"(a), "r"(b));
    return sum;
}

__attribute__((noinline)) static long busy(long a, long b, long c, long d) {
    long x = a * b, y = c - d, z = a ^ d, w = b + c;
    __asm__ volatile("xorl %%ecx, %%ecx\n\txorl %%edx, %%edx\n\tmovl $7, %%esi"
                     :
                     :
                     : "rcx", "rdx", "rsi", "rdi", "r8", "cc", "memory");
    return x + 2 * y + 3 * z + 4 * w + a + b;
}

__attribute__((noinline)) static unsigned divide(unsigned high, unsigned low, unsigned by,
                                                 unsigned *rest) {
    unsigned quotient;
    __asm__("divl %4" : "=a"(quotient), "=d"(*rest) : "0"(low), "1"(high), "rm"(by) : "cc");
    return quotient;
}

__attribute__((noinline)) static void increment(int *at) {
    __asm__("incl %0" : "+m"(*at) : : "cc");
}

int main(void) {
    int count = 3;
    for (int i = 0; i < 5; i++) {
        unsigned rest;
        increment(&count);
        unsigned quotient = divide(1, 100u + (unsigned)i, 7u + (unsigned)i, &rest);
        printf("%d %ld %u %u %d\n", add(i, count), busy(i, i + 1, 9, count), quotient, rest, count);
    }
    return 0;
}
