// Cause 10, inlining by benefit: a reader of bits with small functions in a hot loop, some of them
// called from many places, beside larger functions for what happens seldom.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { BYTES = 8192 };

typedef struct {
    const uint8_t *at, *end;
    uint64_t bits;
    int held, errors;
} Reader;

static void refill_near_end(Reader *reader) {
    while (reader->held <= 56) {
        uint64_t byte = 0;
        if (reader->at < reader->end)
            byte = *reader->at++;
        else
            reader->errors++;
        reader->bits |= byte << reader->held;
        reader->held += 8;
    }
}

static void need(Reader *reader, int count) {
    if (reader->held >= count) return;
    if (reader->end - reader->at < 8) {
        refill_near_end(reader);
        return;
    }
    while (reader->held <= 56) {
        reader->bits |= (uint64_t)*reader->at++ << reader->held;
        reader->held += 8;
    }
}

static unsigned peek(const Reader *reader, int count) {
    return (unsigned)(reader->bits & ((1u << count) - 1));
}

static void drop(Reader *reader, int count) {
    reader->bits >>= count;
    reader->held -= count;
}

static unsigned read_bits(Reader *reader, int count) {
    need(reader, count);
    unsigned value = peek(reader, count);
    drop(reader, count);
    return value;
}

static int read_flag(Reader *reader) {
    return (int)read_bits(reader, 1);
}

static unsigned read_unary(Reader *reader, unsigned limit) {
    unsigned count = 0;
    while (count < limit && read_flag(reader)) count++;
    return count;
}

static int read_signed(Reader *reader) {
    unsigned high = read_unary(reader, 12), low = read_bits(reader, 4);
    unsigned folded = high << 4 | low;
    return folded & 1 ? -(int)(folded >> 1) - 1 : (int)(folded >> 1);
}

static uint64_t decode(Reader *reader) {
    uint64_t hash = 0;
    while (reader->at < reader->end) {
        switch (read_bits(reader, 2)) {
        case 0: hash += (uint64_t)(int64_t)read_signed(reader); break;
        case 1: hash = hash * 3 + read_bits(reader, 9); break;
        case 2: hash ^= (uint64_t)read_bits(reader, 5) << read_bits(reader, 3); break;
        default: hash += read_flag(reader) ? read_unary(reader, 30) : read_bits(reader, 17); break;
        }
    }
    return hash;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 2700;
    static uint8_t data[BYTES];
    uint32_t seed = 103;
    uint64_t hash = 0;
    for (int i = 0; i < BYTES; i++) {
        seed = seed * 1664525 + 1013904223;
        data[i] = (uint8_t)(seed >> 22);
    }
    for (int round = 0; round < rounds; round++) {
        data[round % BYTES] ^= 0x5a;
        Reader reader = {.at = data, .end = data + BYTES};
        hash = hash * 31 + decode(&reader);
        hash += (uint64_t)reader.errors;
    }
    printf("%016llx\n", (unsigned long long)hash);
    return 0;
}
