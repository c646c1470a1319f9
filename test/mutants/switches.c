// Switches that become tables, trees and both, with cases that fall through, in a loop.
#include <stdio.h>

__attribute__((noinline)) static int dense(int op, int x) {
    switch (op) {
    case 0: return x + 1;
    case 1: return x * 2;
    case 2: x -= 3; // fall through
    case 3: return x ^ 5;
    case 4: return -x;
    case 5: return x << 2;
    case 6: return x / 3;
    case 7: return x % 7;
    case 9: return ~x;
    default: return 100;
    }
}
__attribute__((noinline)) static int sparse(long key) {
    switch (key) {
    case -1000000: return 1;
    case -5: return 2;
    case 0: return 3;
    case 17 ... 40: return 4;
    case 1000: return 5;
    case 5000000000: return 6;
    case 5000000001: return 7;
    default: return 8;
    }
}
__attribute__((noinline)) static unsigned machine(const char *code) {
    unsigned a = 1, b = 0;
    for (; *code; code++) switch (*code) {
        case '+': a += b; break;
        case '-': a -= b + 1; break;
        case '*': a *= 3; // fall through
        case '<': b = a >> 2; break;
        case 'x': b ^= a; break;
        case '!': return b;
        default: b++;
        }
    return a * 31 + b;
}

int main(void) {
    static const long keys[] = {-1000000, -6, -5,   0,          16,         17,
                                40,       41, 1000, 5000000000, 5000000001, 705032704};
    for (int i = -1; i < 11; i++) printf("%d %d\n", dense(i, i * 11), sparse(keys[i + 1]));
    printf("%u %u %u\n", machine("+<*x-+"), machine("?*<x!"), machine("**x--<+"));
    return 0;
}
