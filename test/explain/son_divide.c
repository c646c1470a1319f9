// An unsigned division by a power of two is a shift, and a remainder a mask.
unsigned f(unsigned x) {
    unsigned q = x / 16; // explain: son_optimize replaced "shr"
    unsigned r = x % 16; // explain: son_optimize replaced "and"
    return q ^ (r << 3);
}
