// ChaCha20 as a key stream, with a Poly1305-like sum of what it encrypts.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t rotate(uint32_t x, int n) {
    return x << n | x >> (32 - n);
}

static void quarter(uint32_t *x, int a, int b, int c, int d) {
    x[a] += x[b], x[d] = rotate(x[d] ^ x[a], 16);
    x[c] += x[d], x[b] = rotate(x[b] ^ x[c], 12);
    x[a] += x[b], x[d] = rotate(x[d] ^ x[a], 8);
    x[c] += x[d], x[b] = rotate(x[b] ^ x[c], 7);
}

static void chacha_block(const uint32_t input[16], uint8_t out[64]) {
    uint32_t x[16];
    memcpy(x, input, sizeof x);
    for (int i = 0; i < 10; i++) {
        quarter(x, 0, 4, 8, 12);
        quarter(x, 1, 5, 9, 13);
        quarter(x, 2, 6, 10, 14);
        quarter(x, 3, 7, 11, 15);
        quarter(x, 0, 5, 10, 15);
        quarter(x, 1, 6, 11, 12);
        quarter(x, 2, 7, 8, 13);
        quarter(x, 3, 4, 9, 14);
    }
    for (int i = 0; i < 16; i++) {
        uint32_t word = x[i] + input[i];
        out[4 * i] = (uint8_t)word;
        out[4 * i + 1] = (uint8_t)(word >> 8);
        out[4 * i + 2] = (uint8_t)(word >> 16);
        out[4 * i + 3] = (uint8_t)(word >> 24);
    }
}

static void encrypt(uint32_t state[16], uint8_t *bytes, size_t count) {
    uint8_t stream[64];
    for (size_t at = 0; at < count; at += 64) {
        chacha_block(state, stream);
        state[12]++;
        size_t part = count - at < 64 ? count - at : 64;
        for (size_t i = 0; i < part; i++) bytes[at + i] ^= stream[i];
    }
}

// A polynomial in the words of the text, modulo 2^61 - 1.
static uint64_t sum_of(const uint8_t *bytes, size_t count) {
    const uint64_t prime = ((uint64_t)1 << 61) - 1;
    uint64_t sum = 0;
    for (size_t i = 0; i + 4 <= count; i += 4) {
        uint32_t word;
        memcpy(&word, bytes + i, 4);
        uint64_t high = sum >> 32, low = sum & 0xffffffff;
        const uint64_t factor = 0x1234567;
        uint64_t product = low * factor + ((high * factor & 0x1fffffff) << 32);
        sum = (product & prime) + (product >> 61) + (high * factor >> 29) + word;
        if (sum >= prime) sum -= prime;
    }
    return sum;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 1000;
    uint32_t state[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
    for (int i = 4; i < 12; i++) state[i] = (uint32_t)i * 0x01010101;
    state[14] = 0x4a000000;
    static uint8_t text[100000];
    uint64_t sum = 0;
    for (int i = 0; i < rounds; i++) {
        encrypt(state, text, sizeof text - (size_t)(i % 64));
        sum ^= sum_of(text, sizeof text);
    }
    printf("%016llx\n", (unsigned long long)sum);
    return 0;
}
