// MD5 with its four round functions written out as loops over a table of sines.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t sines[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};
static const unsigned char shifts[4][4] = {
    {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

static void md5_block(uint32_t state[4], const unsigned char *p) {
    uint32_t word[16];
    for (int i = 0; i < 16; i++)
        word[i] = p[4 * i] | (uint32_t)p[4 * i + 1] << 8 | (uint32_t)p[4 * i + 2] << 16 |
                  (uint32_t)p[4 * i + 3] << 24;
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    for (int i = 0; i < 64; i++) {
        uint32_t mix;
        int index;
        if (i < 16) {
            mix = (b & c) | (~b & d);
            index = i;
        } else if (i < 32) {
            mix = (d & b) | (~d & c);
            index = (5 * i + 1) & 15;
        } else if (i < 48) {
            mix = b ^ c ^ d;
            index = (3 * i + 5) & 15;
        } else {
            mix = c ^ (b | ~d);
            index = (7 * i) & 15;
        }
        unsigned shift = shifts[i >> 4][i & 3];
        uint32_t sum = a + mix + sines[i] + word[index];
        a = d, d = c, c = b;
        b += sum << shift | sum >> (32 - shift);
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
}

static void md5(const unsigned char *bytes, size_t count, uint32_t state[4]) {
    state[0] = 0x67452301, state[1] = 0xefcdab89, state[2] = 0x98badcfe, state[3] = 0x10325476;
    size_t done = 0;
    for (; count - done >= 64; done += 64) md5_block(state, bytes + done);
    unsigned char end[128] = {0};
    size_t rest = count - done, size = rest < 56 ? 64 : 128;
    memcpy(end, bytes + done, rest);
    end[rest] = 0x80;
    uint64_t bits = (uint64_t)count * 8;
    for (int i = 0; i < 8; i++) end[size - 8 + (size_t)i] = (unsigned char)(bits >> (8 * i));
    for (size_t i = 0; i < size; i += 64) md5_block(state, end + i);
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 2200;
    static unsigned char message[100001];
    for (size_t i = 0; i < sizeof message; i++) message[i] = (unsigned char)(i * 7 + i / 251);
    uint32_t state[4] = {0};
    for (int i = 0; i < rounds; i++) {
        md5(message, sizeof message - (size_t)(i % 70), state);
        for (int k = 0; k < 16; k++) message[k] = (unsigned char)(state[k / 4] >> (8 * (k % 4)));
    }
    for (int k = 0; k < 16; k++) printf("%02x", message[k]);
    printf("\n");
    return 0;
}
