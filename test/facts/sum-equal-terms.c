// On this path b is a, so both terms are multiples of a, and their sum is ten times a.
// run: unsigned f(unsigned, unsigned)
void never(void);

unsigned f(unsigned a, unsigned b) {
    if (a == b) {
        unsigned sum = a * 8 + b * 2;
        if (sum != a * 10) never();
    }
    return a;
}
