// The shift leaves four bits, so the product of two such values is at most 225.
// run: unsigned f(unsigned, unsigned)
void never(void);

unsigned f(unsigned x, unsigned y) {
    unsigned a = x >> 28, b = y >> 28;
    unsigned area = a * b;
    if (area > 225) never();
    return area;
}
