// Nobody reads the array, so the stores are dead, and the loop with an empty body goes.
// run: unsigned f(unsigned)
unsigned f(unsigned x) {
    unsigned log[16];
    for (unsigned i = 0; i < (x & 15); i++) log[i] = x + i;
    return x;
}
