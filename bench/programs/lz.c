// A Lempel-Ziv compressor with a hash of the last places, and its decompressor.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HASH_BITS = 13, WINDOW = 65535, SHORTEST = 4, LONGEST = 255 + SHORTEST };

static uint32_t read_word(const uint8_t *p) {
    uint32_t word;
    memcpy(&word, p, sizeof word);
    return word;
}

// Literals: a control byte of eight flags, then for each flag a byte or a match (two bytes of
// distance, one of length).
static size_t compress(const uint8_t *in, size_t count, uint8_t *out) {
    static uint32_t last[1 << HASH_BITS];
    memset(last, 0, sizeof last);
    size_t at = 0, used = 0, control = 0;
    int flags = 8;
    while (at < count) {
        if (flags == 8) {
            control = used++;
            out[control] = 0;
            flags = 0;
        }
        size_t length = 0, from = 0;
        if (count - at >= SHORTEST) {
            uint32_t hash = read_word(in + at) * 2654435761u >> (32 - HASH_BITS);
            from = last[hash];
            last[hash] = (uint32_t)at;
            if (from < at && at - from <= WINDOW) {
                size_t limit = count - at < LONGEST ? count - at : LONGEST;
                while (length < limit && in[from + length] == in[at + length]) length++;
            }
        }
        if (length >= SHORTEST) {
            size_t distance = at - from;
            out[control] = (uint8_t)(out[control] | 1 << flags);
            out[used++] = (uint8_t)distance;
            out[used++] = (uint8_t)(distance >> 8);
            out[used++] = (uint8_t)(length - SHORTEST);
            at += length;
        } else {
            out[used++] = in[at++];
        }
        flags++;
    }
    return used;
}

static size_t decompress(const uint8_t *in, size_t count, uint8_t *out) {
    size_t at = 0, used = 0;
    while (at < count) {
        unsigned control = in[at++];
        for (int i = 0; i < 8 && at < count; i++, control >>= 1) {
            if (!(control & 1)) {
                out[used++] = in[at++];
                continue;
            }
            size_t distance = in[at] | (size_t)in[at + 1] << 8,
                   length = in[at + 2] + (size_t)SHORTEST;
            at += 3;
            for (const uint8_t *from = out + used - distance; length > 0; length--)
                out[used++] = *from++;
        }
    }
    return used;
}

// Text made of a few hundred words, with a little noise.
static void make_text(uint8_t *text, size_t count) {
    uint32_t seed = 42;
    size_t at = 0;
    while (at < count) {
        seed = seed * 1664525 + 1013904223;
        uint32_t word = (seed >> 20) % 300, length = 2 + word % 9;
        for (uint32_t i = 0; i < length && at < count; i++)
            text[at++] = (uint8_t)('a' + (word * 7 + i * (word % 5 + 3)) % 26);
        if (at < count) text[at++] = (seed >> 13) % 17 == 0 ? (uint8_t)(seed >> 8) : ' ';
    }
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 100;
    size_t count = 1000000;
    uint8_t *text = malloc(count), *packed = malloc(count * 2), *again = malloc(count);
    if (!text || !packed || !again) return 1;
    make_text(text, count);
    uint32_t sum = 0;
    for (int i = 0; i < rounds; i++) {
        text[(size_t)i * 12345 % count] ^= 1;
        size_t size = compress(text, count, packed);
        if (decompress(packed, size, again) != count || memcmp(text, again, count)) {
            printf("wrong\n");
            return 1;
        }
        sum = sum * 31 + (uint32_t)size + packed[size / 2];
    }
    printf("%08x\n", (unsigned)sum);
    free(text), free(packed), free(again);
    return 0;
}
