// The counter is n when the loop ends, so the test of the counter folds, and the loop is empty.
// run: unsigned f(unsigned)
void never(void);

unsigned f(unsigned x) {
    unsigned i = 0, n = x & 1023;
    while (i != n) i++;
    if (i != n) never();
    return i;
}
