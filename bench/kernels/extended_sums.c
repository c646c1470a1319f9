// Cause 13, long double: sums and a polynomial in the extended format of the x87 unit, beside a
// sum in double that carries its error along.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 2048 };

static double values[COUNT];
static long double exact[COUNT];

static long double sum_of(const double *value, int count) {
    long double sum = 0;
    for (int i = 0; i < count; i++) sum += value[i];
    return sum;
}

static long double variance(const double *value, int count) {
    long double mean = sum_of(value, count) / count, squares = 0;
    for (int i = 0; i < count; i++) squares += (value[i] - mean) * (value[i] - mean);
    return squares / (count - 1);
}

static long double polynomial(const long double *coefficient, int count, long double x) {
    long double sum = 0;
    for (int i = count - 1; i >= 0; i--) sum = sum * x + coefficient[i];
    return sum;
}

static void smooth(long double *value, int count) {
    for (int i = 1; i + 1 < count; i++)
        value[i] = 0.25L * value[i - 1] + 0.5L * value[i] + 0.25L * value[i + 1];
}

static double compensated(const double *value, int count) {
    double sum = 0, error = 0;
    for (int i = 0; i < count; i++) {
        double part = value[i] - error, next = sum + part;
        error = (next - sum) - part;
        sum = next;
    }
    return sum;
}

static long double larger(long double a, long double b) {
    return a > b ? a : b;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 4000;
    static const long double coefficient[] = {1, -0.5L, 0.25L, -0.125L, 0.0625L, 0.1L, -0.2L, 0.3L};
    uint32_t seed = 157;
    long double total = 0, most = 0;
    for (int i = 0; i < COUNT; i++) {
        seed = seed * 1664525 + 1013904223;
        values[i] = (seed >> 8) / 65536.0;
        exact[i] = (seed >> 16) / 7.0L;
    }
    for (int round = 0; round < rounds; round++) {
        values[round % COUNT] += 0.125;
        total += variance(values, COUNT) - compensated(values, COUNT);
        smooth(exact, COUNT / 4);
        for (int i = 0; i < 200; i++)
            most = larger(most, polynomial(coefficient, 8, (i - round % 100) / 128.0L));
        total += exact[round % (COUNT / 4)];
    }
    printf("%.8Lg %.8Lg\n", total, most);
    return 0;
}
