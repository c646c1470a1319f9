// The mask keeps the index below sixteen, so the product stays below the limit.
// run: unsigned f(unsigned)
void never(void);

unsigned f(unsigned x) {
    unsigned index = x & 15;
    if (index >= 16) never();
    if (index * 3 + 2 > 47) never();
    return index;
}
