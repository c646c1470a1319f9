// Types that are narrower than registers: extension, truncation, wrapping, comparisons of both signs.
#include <stdio.h>

typedef struct {
    signed char a;
    unsigned char b;
    short c;
    unsigned short d;
    _Bool e;
} Narrow;

__attribute__((noinline)) static unsigned char saturate(int x) {
    return (unsigned char)(x < 0 ? 0 : x > 255 ? 255 : x);
}
__attribute__((noinline)) static short wrap(short a, short b) {
    short sum = (short)(a + b);
    sum = (short)(sum * 3);
    return (short)(sum >> 1);
}
__attribute__((noinline)) static unsigned checksum(const unsigned char *at, unsigned short n) {
    unsigned short a = 1, b = 0;
    for (unsigned short i = 0; i < n; i++) {
        a = (unsigned short)((a + at[i]) % 251);
        b = (unsigned short)((b + a) % 251);
    }
    return (unsigned)b << 8 | a;
}
__attribute__((noinline)) static Narrow step(Narrow n, int k) {
    n.a += (signed char)(k * 50);
    n.b -= (unsigned char)k;
    n.c = (short)(n.a * n.b);
    n.d = (unsigned short)(n.d + n.c);
    n.e = n.d > 30000 && n.a < n.b;
    return n;
}
__attribute__((noinline)) static int signs(signed char a, unsigned char b, char c) {
    return (a < b) + (a == c) * 2 + ((unsigned char)a > b) * 4 + (a >> 2) * 8;
}

int main(void) {
    Narrow n = {-3, 7, 0, 65000, 0};
    unsigned char data[] = {9, 200, 255, 0, 31, 77};
    for (int i = 0; i < 7; i++) {
        n = step(n, i);
        printf("%d %d %d %d %d %d %d %u %d\n", n.a, n.b, n.c, n.d, n.e, saturate(i * 90 - 100),
               wrap((short)(i * 9000), 77), checksum(data, (unsigned short)i),
               signs((signed char)(i * 40), 100, (char)i));
    }
    return 0;
}
