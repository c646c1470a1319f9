// Cause 5, constant tables: check digits and checksums with tables in the source, some with one
// entry for each value of four bits, and remainders that a table replaces.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { LENGTH = 8192 };

static const uint32_t by_nibble[16] = {
    0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
    0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};

static const uint8_t bits_set[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};

static const uint8_t doubled[10] = {0, 2, 4, 6, 8, 1, 3, 5, 7, 9};

static const int weights[] = {7, 3, 1, 9};

static uint32_t crc(const uint8_t *byte, int length) {
    uint32_t value = ~0u;
    for (int i = 0; i < length; i++) {
        value = by_nibble[(value ^ byte[i]) & 15] ^ value >> 4;
        value = by_nibble[(value ^ byte[i] >> 4) & 15] ^ value >> 4;
    }
    return ~value;
}

static int count_bits(const uint8_t *byte, int length) {
    int count = 0;
    for (int i = 0; i < length; i++) count += bits_set[byte[i] & 15] + bits_set[byte[i] >> 4];
    return count;
}

// The check digit of account numbers: every second digit is doubled.
static int check_digit(const uint8_t *byte, int length) {
    int sum = 0;
    for (int i = 0; i < length; i++) {
        int digit = byte[i] % 10;
        sum += i % 2 ? doubled[digit] : digit;
    }
    return (10 - sum % 10) % 10;
}

static int weighted(const uint8_t *byte, int length) {
    int sum = 0, count = (int)(sizeof weights / sizeof *weights);
    for (int i = 0; i < length; i += count)
        for (int w = 0; w < count; w++) sum += weights[w] * byte[i + w];
    return sum;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 1900;
    static uint8_t text[LENGTH];
    uint32_t seed = 2;
    uint64_t hash = 0;
    for (int i = 0; i < LENGTH; i++) {
        seed = seed * 1664525 + 1013904223;
        text[i] = (uint8_t)(seed >> 21);
    }
    for (int round = 0; round < rounds; round++) {
        text[round % LENGTH] ^= (uint8_t)round;
        hash = hash * 31 + crc(text, LENGTH);
        hash += (uint64_t)count_bits(text, LENGTH) * 1000;
        hash += (uint64_t)check_digit(text, LENGTH);
        hash ^= (uint64_t)weighted(text, LENGTH) << 20;
    }
    printf("%016llx\n", (unsigned long long)hash);
    return 0;
}
