// Large integers, base 2^32: factorials, powers by Karatsuba's products, decimal digits.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// result[0 .. na + nb) = a * b, the plain way.
static void multiply_plain(const uint32_t *a, int na, const uint32_t *b, int nb, uint32_t *result) {
    memset(result, 0, (size_t)(na + nb) * sizeof *result);
    for (int i = 0; i < na; i++) {
        uint64_t carry = 0;
        for (int k = 0; k < nb; k++) {
            carry += (uint64_t)a[i] * b[k] + result[i + k];
            result[i + k] = (uint32_t)carry;
            carry >>= 32;
        }
        result[i + nb] = (uint32_t)carry;
    }
}

static uint32_t add_to(uint32_t *a, const uint32_t *b, int n) {
    uint64_t carry = 0;
    for (int i = 0; i < n; i++) {
        carry += (uint64_t)a[i] + b[i];
        a[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return (uint32_t)carry;
}

static void subtract_from(uint32_t *a, const uint32_t *b, int n, int room) {
    int64_t borrow = 0;
    for (int i = 0; i < room; i++) {
        borrow += (int64_t)a[i] - (i < n ? b[i] : 0);
        a[i] = (uint32_t)borrow;
        borrow = borrow < 0 ? -1 : 0;
    }
}

// Karatsuba: three products of half the length; n is the length of both.
static void multiply(const uint32_t *a, const uint32_t *b, int n, uint32_t *result) {
    if (n < 32 || n % 2) {
        multiply_plain(a, n, b, n, result);
        return;
    }
    int half = n / 2, width = half + 1;
    uint32_t *work = calloc((size_t)(4 * width), sizeof *work);
    if (!work) exit(1);
    uint32_t *sum_a = work, *sum_b = work + width, *middle = work + 2 * width;
    multiply(a, b, half, result);
    multiply(a + half, b + half, half, result + n);
    memcpy(sum_a, a, (size_t)half * sizeof *a);
    memcpy(sum_b, b, (size_t)half * sizeof *b);
    sum_a[half] = add_to(sum_a, a + half, half);
    sum_b[half] = add_to(sum_b, b + half, half);
    multiply(sum_a, sum_b, width, middle);
    subtract_from(middle, result, n, 2 * width);
    subtract_from(middle, result + n, n, 2 * width);
    uint64_t carry = 0;
    for (int i = 0; half + i < 2 * n; i++) {
        carry += (uint64_t)result[half + i] + (i < 2 * width ? middle[i] : 0);
        result[half + i] = (uint32_t)carry;
        carry >>= 32;
    }
    free(work);
}

static uint32_t divide_small(uint32_t *a, int n, uint32_t divisor) {
    uint64_t rest = 0;
    for (int i = n - 1; i >= 0; i--) {
        rest = rest << 32 | a[i];
        a[i] = (uint32_t)(rest / divisor);
        rest %= divisor;
    }
    return (uint32_t)rest;
}

static uint32_t digits_sum(uint32_t *a, int n) {
    uint32_t sum = 0;
    while (n > 0) {
        sum = sum * 31 + divide_small(a, n, 1000000000);
        while (n > 0 && a[n - 1] == 0) n--;
    }
    return sum;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 50;
    enum { WORDS = 1024 };
    static uint32_t number[2 * WORDS], other[2 * WORDS], plain[4 * WORDS], fast[4 * WORDS];
    uint32_t sum = 0;
    for (int round = 0; round < rounds; round++) {
        memset(number, 0, sizeof number);
        number[0] = 1;
        for (uint32_t factor = 2; factor < 2000; factor++) { // a factorial
            uint64_t carry = 0;
            for (int i = 0; i < WORDS; i++) {
                carry += (uint64_t)number[i] * factor;
                number[i] = (uint32_t)carry;
                carry >>= 32;
            }
        }
        for (int i = 0; i < WORDS; i++) other[i] = number[i] * 2654435761u + (uint32_t)(i + round);
        for (int i = 0; i < 5; i++) multiply(other, number, WORDS, fast);
        multiply_plain(other, WORDS, number, WORDS, plain);
        if (memcmp(fast, plain, 2 * WORDS * sizeof *fast)) {
            printf("wrong\n");
            return 1;
        }
        sum = sum * 31 + digits_sum(fast, 2 * WORDS);
    }
    printf("%08x\n", (unsigned)sum);
    return 0;
}
