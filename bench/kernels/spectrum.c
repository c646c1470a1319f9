// Cause 3, library functions: complex arithmetic and pairs of sine and cosine of one angle, in a
// Fourier sum, a complex root by Newton's method, and a polynomial at complex places.
#include <complex.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 96 };

static double complex unit(double angle) {
    return cos(angle) + sin(angle) * I;
}

static void transform(const double complex *in, double complex *out, int size) {
    for (int k = 0; k < size; k++) {
        double complex turn = unit(-2 * 3.14159265358979323846 * k / size), factor = 1, sum = 0;
        for (int i = 0; i < size; i++) {
            sum += in[i] * factor;
            factor *= turn;
        }
        out[k] = sum;
    }
}

static double power(const double complex *value, int size) {
    double sum = 0;
    for (int i = 0; i < size; i++) sum += creal(value[i] * conj(value[i]));
    return sum;
}

// How many steps lead from the place to a third root of one.
static int steps_to_root(double complex z) {
    int steps = 0;
    while (steps < 40) {
        double complex square = z * z;
        double complex next = z - (square * z - 1.0) / (3.0 * square);
        steps++;
        if (cabs(next - z) < 1e-3) break;
        z = next;
    }
    return steps;
}

static double complex polynomial(const double *coefficient, int count, double complex z) {
    double complex sum = 0;
    for (int i = count - 1; i >= 0; i--) sum = sum * z + coefficient[i];
    return sum;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 960;
    static double complex signal[SIZE], image[SIZE];
    double coefficient[24], sum = 0;
    long steps = 0;
    uint32_t seed = 23;
    for (int i = 0; i < SIZE; i++) {
        seed = seed * 1664525 + 1013904223;
        signal[i] = (seed >> 20) / 4096.0 + (seed >> 8 & 4095) / 4096.0 * I;
        coefficient[i % 24] = (seed >> 25) / 64.0 - 1;
    }
    for (int round = 0; round < rounds; round++) {
        signal[round % SIZE] += 0.25 * I;
        transform(signal, image, SIZE);
        sum += power(image, SIZE);
        for (int i = 0; i < 200; i++) {
            double complex place = unit(round * 0.01 + i * 0.03) * 1.25;
            steps += steps_to_root(place);
            sum += cimag(polynomial(coefficient, 24, place * 0.75));
        }
    }
    printf("%ld %.6g\n", steps, sum);
    return 0;
}
