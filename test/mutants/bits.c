// Fields of bits, unions, and the operators that count and search bits.
#include <stdio.h>

typedef struct {
    unsigned a : 3;
    int b : 7;
    unsigned c : 22;
    unsigned long d : 41;
    signed char e : 2;
} Fields;
typedef union {
    float f;
    unsigned u;
    unsigned char b[4];
} Word;

__attribute__((noinline)) static void step(Fields *f, int n) {
    f->a += (unsigned)n;
    f->b -= n * 9;
    f->c ^= (unsigned)f->b << 3;
    f->d += f->c * 12345ul;
    f->e = (signed char)(n & 3);
}
__attribute__((noinline)) static unsigned counts(unsigned long x) {
    unsigned sum = (unsigned)__builtin_popcountl(x);
    if (x) sum += (unsigned)__builtin_clzl(x) * 100 + (unsigned)__builtin_ctzl(x) * 10000;
    return sum + (unsigned)__builtin_parity((unsigned)x) +
           (unsigned)__builtin_bswap16((unsigned short)x);
}
__attribute__((noinline)) static unsigned pun(float f, int i) {
    Word w = {f};
    w.b[i & 3] ^= 0x41;
    return w.u >> (i & 7);
}
__attribute__((noinline)) static int overflows(int a, int b, long *out) {
    int sum, lost = __builtin_add_overflow(a, b, &sum);
    long product;
    lost |= __builtin_mul_overflow((long)a << 30, (long)b, &product) << 1;
    *out = sum + product;
    return lost;
}

int main(void) {
    Fields f = {0};
    for (int i = 0; i < 6; i++) {
        long out;
        step(&f, i * 5 + 1);
        int lost = overflows(i * 500000000, 700000000 - i, &out);
        printf("%u %d %u %lu %d %u %u %d %ld\n", f.a, f.b, f.c, (unsigned long)f.d, f.e,
               counts(f.d * 77777), pun((float)i / 3, i), lost, out);
    }
    return 0;
}
