// An element of a static array is not null, so the check folds, and the loop becomes a sum.
// run: unsigned f(unsigned)
void never(void);

static const int primes[4] = {2, 3, 5, 7};
static const int *element(int i) {
    return i < 4 ? &primes[i] : 0;
}

unsigned f(unsigned x) {
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        const int *p = element(i);
        if (!p) never();
        sum += *p;
    }
    return x + sum;
}
