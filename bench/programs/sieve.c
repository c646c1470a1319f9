// Primes: a sieve of bits, and checks of single numbers by Miller and Rabin's test.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT = 4000000 };

static uint32_t composite[LIMIT / 64 + 1]; // bit i stands for 2 * i + 1

static int count_primes(void) {
    memset(composite, 0, sizeof composite);
    int count = 1;
    for (uint32_t i = 1; 2 * i + 1 <= LIMIT; i++) {
        if (composite[i >> 5] >> (i & 31) & 1) continue;
        count++;
        uint32_t prime = 2 * i + 1;
        for (uint64_t k = (uint64_t)prime * prime / 2; 2 * k + 1 <= LIMIT; k += prime)
            composite[k >> 5] |= (uint32_t)1 << (k & 31);
    }
    return count;
}

static uint32_t power(uint32_t base, uint32_t exponent, uint32_t modulus) {
    uint64_t result = 1, square = base % modulus;
    for (; exponent; exponent >>= 1) {
        if (exponent & 1) result = result * square % modulus;
        square = square * square % modulus;
    }
    return (uint32_t)result;
}

static int is_prime(uint32_t n) {
    static const uint32_t bases[] = {2, 7, 61};
    if (n < 2 || n % 2 == 0) return n == 2;
    uint32_t odd = n - 1;
    int twos = 0;
    for (; odd % 2 == 0; odd /= 2) twos++;
    for (int i = 0; i < 3; i++) {
        if (bases[i] % n == 0) continue;
        uint64_t x = power(bases[i], odd, n);
        if (x == 1 || x == n - 1) continue;
        int k = 1;
        for (; k < twos; k++) {
            x = x * x % n;
            if (x == n - 1) break;
        }
        if (k >= twos) return 0;
    }
    return 1;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 50;
    long found = 0, tested = 0;
    for (int round = 0; round < rounds; round++) {
        found += count_primes();
        for (uint32_t i = 0; i < 20000; i++)
            tested += is_prime(4294967295u - i - 20000u * (uint32_t)round);
    }
    printf("%ld %ld\n", found, tested);
    return 0;
}
