// AES-128 with one table of 32-bit words a column, in counter mode over a buffer.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint8_t sbox[256];
static uint32_t table[4][256];

static uint8_t times_two(uint8_t x) {
    return (uint8_t)(x << 1 ^ (x & 0x80 ? 0x1b : 0));
}

static uint8_t rotated(uint8_t x, int n) {
    return (uint8_t)(x << n | x >> (8 - n));
}

// The S-box is the inverse in the field followed by an affine map; 3 generates the field.
static void make_tables(void) {
    uint8_t p = 1, q = 1;
    do {
        p = (uint8_t)(p ^ times_two(p));
        q = (uint8_t)(q ^ q << 1);
        q = (uint8_t)(q ^ q << 2);
        q = (uint8_t)(q ^ q << 4);
        if (q & 0x80) q ^= 0x09;
        sbox[p] =
            (uint8_t)(q ^ rotated(q, 1) ^ rotated(q, 2) ^ rotated(q, 3) ^ rotated(q, 4) ^ 0x63);
    } while (p != 1);
    sbox[0] = 0x63;
    for (int i = 0; i < 256; i++) {
        uint8_t s = sbox[i], two = times_two(s), three = two ^ s;
        uint32_t word = (uint32_t)two << 24 | (uint32_t)s << 16 | (uint32_t)s << 8 | three;
        for (int k = 0; k < 4; k++) {
            table[k][i] = word;
            word = word >> 8 | word << 24;
        }
    }
}

static void expand_key(const uint8_t key[16], uint32_t round_keys[44]) {
    for (int i = 0; i < 4; i++)
        round_keys[i] = (uint32_t)key[4 * i] << 24 | (uint32_t)key[4 * i + 1] << 16 |
                        (uint32_t)key[4 * i + 2] << 8 | key[4 * i + 3];
    uint8_t constant = 1;
    for (int i = 4; i < 44; i++) {
        uint32_t last = round_keys[i - 1];
        if (i % 4 == 0) {
            last = last << 8 | last >> 24;
            last = (uint32_t)sbox[last >> 24] << 24 | (uint32_t)sbox[last >> 16 & 255] << 16 |
                   (uint32_t)sbox[last >> 8 & 255] << 8 | sbox[last & 255];
            last ^= (uint32_t)constant << 24;
            constant = times_two(constant);
        }
        round_keys[i] = round_keys[i - 4] ^ last;
    }
}

static void encrypt(const uint32_t *keys, const uint32_t in[4], uint32_t out[4]) {
    uint32_t a = in[0] ^ keys[0], b = in[1] ^ keys[1], c = in[2] ^ keys[2], d = in[3] ^ keys[3];
    for (int round = 1; round < 10; round++) {
        const uint32_t *key = keys + 4 * round;
        uint32_t w = table[0][a >> 24] ^ table[1][b >> 16 & 255] ^ table[2][c >> 8 & 255] ^
                     table[3][d & 255] ^ key[0];
        uint32_t x = table[0][b >> 24] ^ table[1][c >> 16 & 255] ^ table[2][d >> 8 & 255] ^
                     table[3][a & 255] ^ key[1];
        uint32_t y = table[0][c >> 24] ^ table[1][d >> 16 & 255] ^ table[2][a >> 8 & 255] ^
                     table[3][b & 255] ^ key[2];
        uint32_t z = table[0][d >> 24] ^ table[1][a >> 16 & 255] ^ table[2][b >> 8 & 255] ^
                     table[3][c & 255] ^ key[3];
        a = w, b = x, c = y, d = z;
    }
    uint32_t column[4] = {a, b, c, d};
    for (int i = 0; i < 4; i++)
        out[i] = ((uint32_t)sbox[column[i] >> 24] << 24 |
                  (uint32_t)sbox[column[(i + 1) & 3] >> 16 & 255] << 16 |
                  (uint32_t)sbox[column[(i + 2) & 3] >> 8 & 255] << 8 |
                  sbox[column[(i + 3) & 3] & 255]) ^
                 keys[40 + i];
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 1300;
    static uint32_t buffer[4 * 8192];
    uint8_t key[16];
    uint32_t keys[44], known[4] = {0x00112233, 0x44556677, 0x8899aabb, 0xccddeeff}, out[4];
    make_tables();
    for (int i = 0; i < 16; i++) key[i] = (uint8_t)i;
    expand_key(key, keys);
    encrypt(keys, known, out); // the example of FIPS 197: begins 69c4e0d8
    printf("%08x%08x%08x%08x\n", (unsigned)out[0], (unsigned)out[1], (unsigned)out[2],
           (unsigned)out[3]);
    uint32_t counter[4] = {1, 2, 3, 4};
    for (int i = 0; i < rounds; i++) {
        for (size_t k = 0; k < sizeof buffer / sizeof *buffer; k += 4) {
            encrypt(keys, counter, out);
            for (int w = 0; w < 4; w++) buffer[k + (size_t)w] ^= out[w];
            counter[3]++;
        }
    }
    uint32_t sum = 0;
    for (size_t k = 0; k < sizeof buffer / sizeof *buffer; k++) sum = sum * 31 + buffer[k];
    printf("%08x\n", (unsigned)sum);
    return 0;
}
