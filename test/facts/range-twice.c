// The first check puts the index below ten, so the checks of the helper cannot fail.
// run: unsigned f(unsigned)
void never(void);

static unsigned at(unsigned i, unsigned size) {
    if (i >= size) never();
    return i;
}

unsigned f(unsigned i) {
    if (i < 10) {
        at(i, 10);
        at(i + 5, 15);
    }
    return i;
}
