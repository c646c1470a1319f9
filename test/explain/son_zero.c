// What is always zero, and what a zero does not change.
int f(int x, int y) {
    int z = y - y; // explain: son_optimize folded "always 0"
    return x + z;  // explain: son_optimize merged "equal to %x"
}
