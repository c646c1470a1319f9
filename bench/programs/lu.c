// LU decomposition with partial pivoting, and the solution of a system with it; row pointers.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void decompose(double **a, int *order, int n) {
    for (int i = 0; i < n; i++) order[i] = i;
    for (int column = 0; column < n; column++) {
        int best = column;
        for (int i = column + 1; i < n; i++)
            if (fabs(a[i][column]) > fabs(a[best][column])) best = i;
        double *row = a[best];
        a[best] = a[column];
        a[column] = row;
        int index = order[best];
        order[best] = order[column];
        order[column] = index;
        for (int i = column + 1; i < n; i++) {
            double factor = a[i][column] /= row[column];
            for (int k = column + 1; k < n; k++) a[i][k] -= factor * row[k];
        }
    }
}

static void solve(double **a, const int *order, const double *right, double *x, int n) {
    for (int i = 0; i < n; i++) {
        double sum = right[order[i]];
        for (int k = 0; k < i; k++) sum -= a[i][k] * x[k];
        x[i] = sum;
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) x[i] -= a[i][k] * x[k];
        x[i] /= a[i][i];
    }
}

static double **matrix(int n) {
    double **rows = malloc((size_t)n * sizeof *rows);
    if (!rows) exit(1);
    for (int i = 0; i < n; i++) {
        rows[i] = malloc((size_t)n * sizeof **rows);
        if (!rows[i]) exit(1);
    }
    return rows;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 48, n = 300;
    double **a = matrix(n), **kept = matrix(n), total = 0, worst = 0;
    double *right = malloc((size_t)n * sizeof *right), *x = malloc((size_t)n * sizeof *x);
    int *order = malloc((size_t)n * sizeof *order);
    if (!right || !x || !order) return 1;
    uint32_t seed = 9;
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < n; i++) {
            right[i] = i % 10;
            for (int k = 0; k < n; k++) {
                seed = seed * 1664525 + 1013904223;
                a[i][k] = kept[i][k] = (double)(seed >> 8) / (1 << 24) - 0.5;
            }
        }
        decompose(a, order, n);
        solve(a, order, right, x, n);
        for (int i = 0; i < n; i++) {
            double sum = -right[i];
            for (int k = 0; k < n; k++) sum += kept[i][k] * x[k];
            if (fabs(sum) > worst) worst = fabs(sum);
            total += x[i];
        }
    }
    printf("%.6f %s\n", total, worst < 1e-6 ? "good" : "bad");
    for (int i = 0; i < n; i++) free(a[i]), free(kept[i]);
    free(a), free(kept), free(right), free(x), free(order);
    return 0;
}
