// Product of matrices of doubles, plain (row times column) and by rows.
#include <stdio.h>
#include <stdlib.h>

enum { N = 300 };

static double a[N][N], b[N][N], c[N][N], d[N][N];

static void multiply_plain(void) {
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < N; k++) {
            double sum = 0;
            for (int m = 0; m < N; m++) sum += a[i][m] * b[m][k];
            c[i][k] = sum;
        }
    }
}

static void multiply_rows(void) {
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < N; k++) d[i][k] = 0;
        for (int m = 0; m < N; m++) {
            double factor = a[i][m];
            for (int k = 0; k < N; k++) d[i][k] += factor * b[m][k];
        }
    }
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 12;
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < N; k++) {
            a[i][k] = (double)((i * 7 + k * 3) % 11) / 8;
            b[i][k] = (double)((i * 5 + k * 13) % 17) / 16 - 0.5;
        }
    }
    double sum = 0;
    for (int round = 0; round < rounds; round++) {
        multiply_plain();
        multiply_rows();
        for (int i = 0; i < N; i++) {
            for (int k = 0; k < N; k++) {
                if (c[i][k] != d[i][k]) {
                    printf("wrong\n");
                    return 1;
                }
            }
            sum += c[i][(i + round) % N];
        }
        a[round % N][0] += 1;
    }
    printf("%.4f\n", sum);
    return 0;
}
