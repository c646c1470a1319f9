// Cause 13, register pressure: bodies with more live values than the machine has registers, of
// whole numbers and of floating-point numbers.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { LANES = 64 };

static uint64_t turn(uint64_t x, int by) {
    return x << by | x >> (64 - by);
}

// Twenty words are mixed with each other; all are live in the whole loop.
static uint64_t mix(uint64_t *state, int rounds) {
    uint64_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
    uint64_t f = state[5], g = state[6], h = state[7], i = state[8], j = state[9];
    uint64_t k = state[10], l = state[11], m = state[12], n = state[13], o = state[14];
    uint64_t p = state[15], q = state[16], r = state[17], s = state[18], t = state[19];
    for (int round = 0; round < rounds; round++) {
        a += f ^ k, b += g ^ l, c += h ^ m, d += i ^ n, e += j ^ o;
        p ^= turn(a, 7), q ^= turn(b, 13), r ^= turn(c, 19), s ^= turn(d, 29), t ^= turn(e, 41);
        f += q & ~r, g += r & ~s, h += s & ~t, i += t & ~p, j += p & ~q;
        k = turn(k + t, 3), l = turn(l + p, 11), m = turn(m + q, 23), n = turn(n + r, 31);
        o = turn(o + s, 43);
    }
    state[0] = a, state[1] = b, state[2] = c, state[3] = d, state[4] = e;
    state[5] = f, state[6] = g, state[7] = h, state[8] = i, state[9] = j;
    state[10] = k, state[11] = l, state[12] = m, state[13] = n, state[14] = o;
    state[15] = p, state[16] = q, state[17] = r, state[18] = s, state[19] = t;
    return a ^ f ^ k ^ p;
}

// A product of matrices of four rows, with all cells of the result in variables.
static void block(const double *a, const double *b, double *out, int depth) {
    double r00 = 0, r01 = 0, r02 = 0, r03 = 0, r10 = 0, r11 = 0, r12 = 0, r13 = 0;
    double r20 = 0, r21 = 0, r22 = 0, r23 = 0, r30 = 0, r31 = 0, r32 = 0, r33 = 0;
    for (int k = 0; k < depth; k++, a += 4, b += 4) {
        double a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3];
        double b0 = b[0], b1 = b[1], b2 = b[2], b3 = b[3];
        r00 += a0 * b0, r01 += a0 * b1, r02 += a0 * b2, r03 += a0 * b3;
        r10 += a1 * b0, r11 += a1 * b1, r12 += a1 * b2, r13 += a1 * b3;
        r20 += a2 * b0, r21 += a2 * b1, r22 += a2 * b2, r23 += a2 * b3;
        r30 += a3 * b0, r31 += a3 * b1, r32 += a3 * b2, r33 += a3 * b3;
    }
    out[0] = r00, out[1] = r01, out[2] = r02, out[3] = r03;
    out[4] = r10, out[5] = r11, out[6] = r12, out[7] = r13;
    out[8] = r20, out[9] = r21, out[10] = r22, out[11] = r23;
    out[12] = r30, out[13] = r31, out[14] = r32, out[15] = r33;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 140000;
    static double left[4 * LANES], right[4 * LANES];
    double out[16], sum = 0;
    uint64_t state[20], hash = 0;
    for (int i = 0; i < 20; i++) state[i] = (uint64_t)(i + 1) * 0x9e3779b97f4a7c15;
    for (int i = 0; i < 4 * LANES; i++) {
        left[i] = i % 13 - 6;
        right[i] = i % 7 / 8.0;
    }
    for (int round = 0; round < rounds; round++) {
        hash = hash * 31 + mix(state, 150);
        left[round % (4 * LANES)] += 0.5;
        block(left, right, out, LANES);
        sum += out[round % 16];
    }
    printf("%016llx %.6g\n", (unsigned long long)hash, sum);
    return 0;
}
