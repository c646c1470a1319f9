// Eighteen products at once need more registers than there are: each is computed where it is added.
long f(const long *p, long k, long *q) {
    long a0 = p[0] * k, a1 = p[1] * k, a2 = p[2] * k, a3 = p[3] * k, a4 = p[4] * k,
         a5 = p[5] * k; // explain: schedule moved "down by"
    long a6 = p[6] * k, a7 = p[7] * k, a8 = p[8] * k, a9 = p[9] * k, b0 = p[10] * k, b1 = p[11] * k;
    long b2 = p[12] * k, b3 = p[13] * k, b4 = p[14] * k, b5 = p[15] * k, b6 = p[16] * k;
    long s = b6 ^ (b5 + (b4 ^ (b3 + (b2 ^ (b1 + (b0 ^ (a9 + (a8 ^ a7))))))));
    *q = s;
    return s ^ a6 ^ a5 ^ a4 ^ a3 ^ a2 ^ a1 ^ a0;
}
