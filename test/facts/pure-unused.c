// The static functions have no effect, and nobody uses their results, so the calls go.
// run: int f(unsigned)
static int digits(unsigned x) {
    int count = 0;
    for (int i = 0; i < 10 && x; i++, x /= 10) count++;
    return count;
}
static __attribute__((noinline)) int low(unsigned x) {
    return x & -x;
}

int f(unsigned x) {
    int known = digits(x) + digits(x + 1) + low(x);
    (void)known;
    return 3;
}
