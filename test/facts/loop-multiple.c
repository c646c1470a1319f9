// The loop adds four n times, so the sum is four times n, and the loop is empty.
// run: unsigned f(unsigned)
unsigned f(unsigned x) {
    unsigned sum = 0, n = x & 1023;
    for (unsigned i = 0; i != n; i++) sum += 4;
    return sum;
}
