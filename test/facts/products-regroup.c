// Both sums have x five times and y twice, so their difference is zero, and the branch goes.
// run: unsigned f(unsigned, unsigned)
void never(void);

unsigned f(unsigned x, unsigned y) {
    unsigned left = x * 4 + (y * 2 + x);
    unsigned right = (x * 3 + y) + (y + x * 2);
    if (left - right != 0) never();
    return left;
}
