// Nobody uses the sum, so the body of the loop is empty, and the loop goes.
// run: unsigned f(unsigned)
unsigned f(unsigned n) {
    unsigned sum = 0;
    for (unsigned i = 0; i < (n & 1023); i++) sum += i * n;
    (void)sum;
    return n;
}
