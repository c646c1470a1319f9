// Fast Fourier transform in place, there and back, on arrays of structures.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    double re, im;
} Complex;

static Complex multiply(Complex a, Complex b) {
    return (Complex){.re = a.re * b.re - a.im * b.im, .im = a.re * b.im + a.im * b.re};
}

static Complex add(Complex a, Complex b) {
    return (Complex){.re = a.re + b.re, .im = a.im + b.im};
}

static Complex subtract(Complex a, Complex b) {
    return (Complex){.re = a.re - b.re, .im = a.im - b.im};
}

static void reverse_bits(Complex *a, unsigned n) {
    for (unsigned i = 1, k = 0; i < n; i++) {
        unsigned bit = n >> 1;
        for (; k & bit; bit >>= 1) k ^= bit;
        k ^= bit;
        if (i < k) {
            Complex held = a[i];
            a[i] = a[k];
            a[k] = held;
        }
    }
}

static void transform(Complex *a, unsigned n, const Complex *roots, int backward) {
    reverse_bits(a, n);
    for (unsigned length = 2; length <= n; length *= 2) {
        unsigned half = length / 2, stride = n / length;
        for (unsigned start = 0; start < n; start += length) {
            for (unsigned k = 0; k < half; k++) {
                Complex root = roots[k * stride];
                if (backward) root.im = -root.im;
                Complex even = a[start + k], odd = multiply(a[start + k + half], root);
                a[start + k] = add(even, odd);
                a[start + k + half] = subtract(even, odd);
            }
        }
    }
    if (backward)
        for (unsigned i = 0; i < n; i++) a[i].re /= n, a[i].im /= n;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 100;
    unsigned n = 1 << 16;
    Complex *a = malloc(n * sizeof *a), *roots = malloc(n / 2 * sizeof *roots);
    if (!a || !roots) return 1;
    const double pi = 3.14159265358979323846;
    for (unsigned i = 0; i < n / 2; i++)
        roots[i] = (Complex){.re = cos(2 * pi * i / n), .im = -sin(2 * pi * i / n)};
    for (unsigned i = 0; i < n; i++) a[i] = (Complex){.re = i * 7919 % 1000 / 500.0 - 1, .im = 0};
    double sum = 0;
    for (int round = 0; round < rounds; round++) {
        transform(a, n, roots, 0);
        for (unsigned i = 0; i < n; i += 4096) sum += fabs(a[i].re) + fabs(a[i].im);
        transform(a, n, roots, 1);
    }
    double worst = 0;
    for (unsigned i = 0; i < n; i++) {
        double error = fabs(a[i].re - (i * 7919 % 1000 / 500.0 - 1)) + fabs(a[i].im);
        if (error > worst) worst = error;
    }
    printf("%.3f %s\n", sum, worst < 1e-9 ? "good" : "bad");
    free(a), free(roots);
    return 0;
}
