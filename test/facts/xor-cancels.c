// The second xor takes x away again, so the mask of the rest is the mask of y.
// run: unsigned f(unsigned, unsigned)
void never(void);

unsigned f(unsigned x, unsigned y) {
    unsigned mixed = x ^ y;
    unsigned back = mixed ^ x;
    if ((back & 255) != (y & 255)) never();
    return back;
}
