#include "base/sha256.h"

#include <string.h>

// The first 32 bits of the fractions of the cube roots of the first 64 primes.
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turned(uint32_t word, int bits) {
    return word >> bits | word << (32 - bits);
}

static uint32_t big_endian(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void spread(uint32_t word[64], const uint8_t *block) {
    for (int i = 0; i < 16; i++) word[i] = big_endian(block + 4 * i);
    for (int i = 16; i < 64; i++) {
        uint32_t a = word[i - 15], b = word[i - 2];
        word[i] = word[i - 16] + (turned(a, 7) ^ turned(a, 18) ^ a >> 3) + word[i - 7] +
                  (turned(b, 17) ^ turned(b, 19) ^ b >> 10);
    }
}

// One round: of the eight words of the state two change, and their order, which the caller turns
// instead.
static inline void turn(uint32_t a, uint32_t b, uint32_t c, uint32_t *d, uint32_t e, uint32_t f,
                        uint32_t g, uint32_t *h, uint32_t word) {
    uint32_t choice = (e & f) ^ (~e & g), most = (a & b) ^ (a & c) ^ (b & c);
    *h += (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + choice + word;
    *d += *h;
    *h += (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + most;
}

static void take_block(Sha256 *sha, const uint8_t *block) {
    uint32_t word[64];
    spread(word, block);
    for (int i = 0; i < 64; i++) word[i] += constants[i];
    uint32_t a = sha->state[0], b = sha->state[1], c = sha->state[2], d = sha->state[3];
    uint32_t e = sha->state[4], f = sha->state[5], g = sha->state[6], h = sha->state[7];
    for (const uint32_t *w = word; w < word + 64; w += 8) {
        turn(a, b, c, &d, e, f, g, &h, w[0]);
        turn(h, a, b, &c, d, e, f, &g, w[1]);
        turn(g, h, a, &b, c, d, e, &f, w[2]);
        turn(f, g, h, &a, b, c, d, &e, w[3]);
        turn(e, f, g, &h, a, b, c, &d, w[4]);
        turn(d, e, f, &g, h, a, b, &c, w[5]);
        turn(c, d, e, &f, g, h, a, &b, w[6]);
        turn(b, c, d, &e, f, g, h, &a, w[7]);
    }
    const uint32_t after[8] = {a, b, c, d, e, f, g, h};
    for (int i = 0; i < 8; i++) sha->state[i] += after[i];
}

Sha256 sha256_begin(void) {
    // The same of the square roots of the first 8 primes.
    return (Sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                              0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void sha256_add(Sha256 *sha, const void *bytes, size_t length) {
    const uint8_t *from = bytes;
    while (length) {
        size_t held = sha->length % 64, room = 64 - held, taken = length < room ? length : room;
        if (taken == 64) {
            take_block(sha, from);
        } else {
            memcpy(sha->block + held, from, taken);
            if (taken == room) take_block(sha, sha->block);
        }
        sha->length += taken;
        from += taken;
        length -= taken;
    }
}

// A bit that is set, zeros up to eight bytes before the end of a block, and the length in bits.
Digest sha256_end(Sha256 *sha) {
    static const uint8_t padding[64] = {0x80};
    uint64_t bits = 8 * sha->length;
    uint8_t length[8];
    for (int i = 0; i < 8; i++) length[i] = (uint8_t)(bits >> (56 - 8 * i));
    sha256_add(sha, padding, 1 + (119 - sha->length % 64) % 64);
    sha256_add(sha, length, sizeof length);
    Digest digest;
    for (int i = 0; i < DIGEST_BYTES; i++)
        digest.at[i] = (uint8_t)(sha->state[i / 4] >> (24 - 8 * (i % 4)));
    return digest;
}

Digest sha256_of(const void *bytes, size_t length) {
    Sha256 sha = sha256_begin();
    sha256_add(&sha, bytes, length);
    return sha256_end(&sha);
}

DigestText digest_text(const Digest *digest) {
    static const char digits[] = "0123456789abcdef";
    DigestText text = {{0}};
    for (int i = 0; i < DIGEST_BYTES; i++) {
        text.text[2 * i] = digits[digest->at[i] >> 4];
        text.text[2 * i + 1] = digits[digest->at[i] & 15];
    }
    return text;
}
