// The products cancel in the sum, so the sum is zero, and a product with this sum is zero, too.
// run: unsigned f(unsigned, unsigned)
void never(void);

unsigned f(unsigned x, unsigned y) {
    unsigned rest = x * 3 + y * 5 - x * 3 - y * 5;
    unsigned scaled = rest * (x ^ y);
    if (scaled != 0) never();
    return x + y;
}
