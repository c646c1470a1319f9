// Cause 8, bytes merged into one load or store: headers in network order and in little-endian
// order are read and written byte by byte, as portable code does.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { PACKETS = 1024, HEADER = 24 };

static uint16_t get_16(const uint8_t *p) {
    return (uint16_t)(p[0] << 8 | p[1]);
}

static uint32_t get_32(const uint8_t *p) {
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static uint64_t get_64(const uint8_t *p) {
    return (uint64_t)get_32(p) << 32 | get_32(p + 4);
}

static uint32_t get_32_little(const uint8_t *p) {
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void put_16(uint8_t *p, uint16_t value) {
    p[0] = (uint8_t)(value >> 8);
    p[1] = (uint8_t)value;
}

static void put_32(uint8_t *p, uint32_t value) {
    for (int i = 0; i < 4; i++) p[i] = (uint8_t)(value >> (24 - 8 * i));
}

static void put_32_little(uint8_t *p, uint32_t value) {
    p[0] = (uint8_t)value;
    p[1] = (uint8_t)(value >> 8);
    p[2] = (uint8_t)(value >> 16);
    p[3] = (uint8_t)(value >> 24);
}

static uint8_t packets[PACKETS][HEADER];

static uint32_t swap_ends(uint32_t x) {
    return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24;
}

static void fill(uint8_t *packet, uint32_t seed) {
    put_16(packet, (uint16_t)(seed >> 16));
    put_16(packet + 2, (uint16_t)seed);
    put_32(packet + 4, seed * 3);
    put_32(packet + 8, seed ^ 0xabcdef);
    put_32_little(packet + 12, seed + 77);
    put_32(packet + 16, seed >> 3);
    put_32_little(packet + 20, swap_ends(seed));
}

static uint64_t digest(const uint8_t *packet) {
    uint64_t hash = get_16(packet) * 3u + get_16(packet + 2);
    hash = hash * 31 + get_64(packet + 4);
    hash = hash * 31 + get_32_little(packet + 12);
    hash ^= get_32(packet + 16);
    return hash + swap_ends(get_32_little(packet + 20));
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 11000;
    uint32_t seed = 53;
    uint64_t hash = 0;
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < PACKETS; i++) {
            seed = seed * 1664525 + 1013904223;
            fill(packets[i], seed);
        }
        for (int i = 0; i < PACKETS; i++) hash = (hash << 1 | hash >> 63) ^ digest(packets[i]);
    }
    printf("%016llx\n", (unsigned long long)hash);
    return 0;
}
