// Cause 6, chains of stores and loads: a ring of bytes with its ends in a structure, and small
// functions that put and take one number each, so that a store is often read at once.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 256 };

typedef struct {
    unsigned head, tail, dropped;
    uint8_t byte[SIZE];
} Ring;

static unsigned held(const Ring *ring) {
    return ring->tail - ring->head;
}

static int put(Ring *ring, uint8_t byte) {
    if (held(ring) == SIZE) {
        ring->dropped++;
        return 0;
    }
    ring->byte[ring->tail++ % SIZE] = byte;
    return 1;
}

static int take(Ring *ring) {
    if (held(ring) == 0) return -1;
    return ring->byte[ring->head++ % SIZE];
}

static void put_number(Ring *ring, uint32_t number) {
    while (number >= 128) {
        put(ring, (uint8_t)(number | 128));
        number >>= 7;
    }
    put(ring, (uint8_t)number);
}

static uint32_t take_number(Ring *ring) {
    uint32_t number = 0;
    int shift = 0, byte;
    do {
        byte = take(ring);
        if (byte < 0) return number;
        number |= (uint32_t)(byte & 127) << shift;
        shift += 7;
    } while (byte & 128);
    return number;
}

typedef struct {
    uint32_t kind, from, to;
    int32_t change;
} Message;

static void send_message(Ring *ring, const Message *message) {
    put_number(ring, message->kind);
    put_number(ring, message->from);
    put_number(ring, message->to);
    put_number(ring, (uint32_t)message->change << 1 ^ (uint32_t)(message->change < 0 ? -1 : 0));
}

static void receive(Ring *ring, Message *message) {
    message->kind = take_number(ring);
    message->from = take_number(ring);
    message->to = take_number(ring);
    uint32_t folded = take_number(ring);
    message->change = (int32_t)(folded >> 1 ^ (0 - (folded & 1)));
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 6600000;
    static Ring ring;
    static int32_t balance[64];
    uint32_t seed = 71;
    uint64_t hash = 0;
    for (int round = 0; round < rounds; round++) {
        seed = seed * 1664525 + 1013904223;
        Message message = {seed >> 30, seed >> 5 & 63, seed >> 11 & 63,
                           (int32_t)(seed >> 12) % 5000 - 2500};
        send_message(&ring, &message);
        if (round % 4 == 0) continue;
        receive(&ring, &message);
        balance[message.from % 64] -= message.change / 2;
        balance[message.to % 64] += message.change / 2;
        hash = hash * 3 + message.kind + (uint32_t)balance[message.to % 64];
        if (held(&ring) > SIZE / 2) receive(&ring, &message);
    }
    printf("%016llx %u\n", (unsigned long long)hash, ring.dropped);
    return 0;
}
