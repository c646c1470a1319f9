// Cause 8, bytes within words: colors of four channels of eight bits are taken apart, mixed, put
// together, and stored as bytes; the order of channels changes by rotations.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 160, HEIGHT = 100 };

static uint32_t picture[HEIGHT][WIDTH], other[HEIGHT][WIDTH];
static uint8_t bytes[WIDTH * HEIGHT * 4];

static uint32_t color(unsigned r, unsigned g, unsigned b, unsigned a) {
    return r | g << 8 | b << 16 | a << 24;
}

static uint32_t blend(uint32_t under, uint32_t over) {
    unsigned alpha = over >> 24;
    unsigned r = ((under & 255) * (255 - alpha) + (over & 255) * alpha) >> 8;
    unsigned g = ((under >> 8 & 255) * (255 - alpha) + (over >> 8 & 255) * alpha) >> 8;
    unsigned b = ((under >> 16 & 255) * (255 - alpha) + (over >> 16 & 255) * alpha) >> 8;
    return color(r, g, b, 255);
}

static uint32_t exchange_red_and_blue(uint32_t c) {
    return (c & 0xff00ff00) | (c >> 16 & 0xff) | (c & 0xff) << 16;
}

static uint32_t alpha_first(uint32_t c) {
    return c << 8 | c >> 24;
}

static void write_bytes(const uint32_t *pixel, int count, uint8_t *out) {
    for (int i = 0; i < count; i++) {
        out[4 * i] = (uint8_t)pixel[i];
        out[4 * i + 1] = (uint8_t)(pixel[i] >> 8);
        out[4 * i + 2] = (uint8_t)(pixel[i] >> 16);
        out[4 * i + 3] = (uint8_t)(pixel[i] >> 24);
    }
}

static void read_bytes(const uint8_t *in, int count, uint32_t *pixel) {
    for (int i = 0; i < count; i++, in += 4) pixel[i] = color(in[0], in[1], in[2], in[3]);
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 1300;
    uint32_t seed = 67, hash = 0;
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            seed = seed * 1664525 + 1013904223;
            picture[y][x] = seed;
            other[y][x] = seed << 7 | (seed >> 12 & 127);
        }
    }
    for (int round = 0; round < rounds; round++) {
        for (int y = 0; y < HEIGHT; y++) {
            for (int x = 0; x < WIDTH; x++) {
                uint32_t mixed = blend(picture[y][x], other[(y + round) % HEIGHT][x]);
                picture[y][x] = round % 3 ? mixed : exchange_red_and_blue(mixed);
            }
        }
        write_bytes(&picture[0][0], WIDTH * HEIGHT, bytes);
        read_bytes(bytes, WIDTH * HEIGHT, &other[0][0]);
        for (int x = 0; x < WIDTH; x++) {
            other[round % HEIGHT][x] = alpha_first(other[round % HEIGHT][x]);
            hash = hash * 3 + other[round % HEIGHT][x];
        }
    }
    printf("%08x\n", (unsigned)hash);
    return 0;
}
