// The spectral norm of an infinite matrix, by the power method; its elements are computed.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double element(int i, int k) {
    return 1.0 / ((i + k) * (i + k + 1) / 2 + i + 1);
}

static void times(const double *v, double *result, int n) {
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = 0; k < n; k++) sum += element(i, k) * v[k];
        result[i] = sum;
    }
}

static void times_transposed(const double *v, double *result, int n) {
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = 0; k < n; k++) sum += element(k, i) * v[k];
        result[i] = sum;
    }
}

static void step(const double *v, double *result, double *between, int n) {
    times(v, between, n);
    times_transposed(between, result, n);
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 2500;
    double *u = malloc((size_t)n * sizeof *u), *v = malloc((size_t)n * sizeof *v);
    double *between = malloc((size_t)n * sizeof *between);
    if (!u || !v || !between) return 1;
    for (int i = 0; i < n; i++) u[i] = 1, v[i] = 0;
    for (int i = 0; i < 10; i++) {
        step(u, v, between, n);
        step(v, u, between, n);
    }
    double product = 0, square = 0;
    for (int i = 0; i < n; i++) {
        product += u[i] * v[i];
        square += v[i] * v[i];
    }
    printf("%.9f\n", sqrt(product / square));
    free(u), free(v), free(between);
    return 0;
}
