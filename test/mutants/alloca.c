// A stack pointer that moves: alloca in loops, arrays whose sizes are not known, and calls with arguments on the stack beside them.
#include <alloca.h>
#include <stdio.h>
#include <string.h>

__attribute__((noinline)) static long many(long a, long b, long c, long d, long e, long f, long g,
                                           long h) {
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h;
}

__attribute__((noinline)) static long chain(int n) {
    struct Link {
        struct Link *next;
        long value;
    } *first = NULL;
    long sum = 0;
    for (int i = 0; i < n; i++) {
        struct Link *link = alloca(sizeof *link);
        link->next = first;
        link->value = many(i, i + 1, 2, 3, 4, i, 6, sum & 7);
        first = link;
        sum += link->value;
    }
    for (struct Link *link = first; link; link = link->next) sum ^= link->value << 1;
    return sum;
}

__attribute__((noinline)) static int squares(int n, int m) {
    int table[n][m];
    int sum = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++) table[i][k] = i * m + k;
    for (int i = n - 1; i >= 0; i--) sum = sum * 3 + table[i][i % m];
    return sum + (int)sizeof table;
}

int main(void) {
    for (int n = 1; n < 6; n++) {
        char text[n + 1];
        memset(text, 'a' + n, (size_t)n);
        text[n] = 0;
        printf("%s %ld %d\n", text, chain(n), squares(n, n + 2));
    }
    return 0;
}
