// Longest common subsequence of two texts, the whole table, with the subsequence read back; and the
// edit distance, with two rows.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH = 3000 };

static unsigned short table[LENGTH + 1][LENGTH + 1];

static int common(const char *a, const char *b, int n, char *result) {
    for (int i = 1; i <= n; i++) {
        for (int k = 1; k <= n; k++) {
            if (a[i - 1] == b[k - 1])
                table[i][k] = (unsigned short)(table[i - 1][k - 1] + 1);
            else
                table[i][k] = table[i - 1][k] > table[i][k - 1] ? table[i - 1][k] : table[i][k - 1];
        }
    }
    int length = table[n][n], at = length;
    for (int i = n, k = n; i > 0 && k > 0;) {
        if (a[i - 1] == b[k - 1]) {
            result[--at] = a[i - 1];
            i--, k--;
        } else if (table[i - 1][k] >= table[i][k - 1]) {
            i--;
        } else {
            k--;
        }
    }
    return length;
}

static int least(int a, int b, int c) {
    int smaller = a < b ? a : b;
    return smaller < c ? smaller : c;
}

static int edit_distance(const char *a, const char *b, int n) {
    static int rows[2][LENGTH + 1];
    int *above = rows[0], *row = rows[1];
    for (int k = 0; k <= n; k++) above[k] = k;
    for (int i = 1; i <= n; i++) {
        row[0] = i;
        for (int k = 1; k <= n; k++)
            row[k] = least(above[k] + 1, row[k - 1] + 1, above[k - 1] + (a[i - 1] != b[k - 1]));
        int *swapped = above;
        above = row;
        row = swapped;
    }
    return above[n];
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 12;
    static char a[LENGTH], b[LENGTH], result[LENGTH];
    uint32_t seed = 23, sum = 0;
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < LENGTH; i++) {
            seed = seed * 1664525 + 1013904223;
            a[i] = (char)('a' + (seed >> 16) % 4);
            b[i] = (seed >> 8) % 3 ? a[i] : (char)('a' + (seed >> 20) % 4);
        }
        int length = common(a, b, LENGTH, result);
        for (int i = 0; i < length; i++) sum = sum * 31 + (uint32_t)result[i];
        sum += (uint32_t)edit_distance(a, b, LENGTH);
    }
    printf("%08x\n", (unsigned)sum);
    return 0;
}
