// The loop goes on as long as its counter is less than n, so it ends at n, and the sum is four times n.
// run: unsigned f(unsigned)
unsigned f(unsigned x) {
    unsigned sum = 0, n = x & 1023;
    for (unsigned i = 0; i < n; i++) sum += 4;
    return sum;
}
