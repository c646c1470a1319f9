// So is that of a while loop. A do loop is so already.
int f(unsigned x) {
    int bits = 0;
    while (x > 9) { // explain: invert_loops copied "in front of the loop and at its end"
        x /= 3;
        bits++;
    }
    return bits;
}
