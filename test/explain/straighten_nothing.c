// After selects have taken what stood on its ways, a branch makes no difference.
int f(int c, int a, int b) {
    int r = a;
    if (c > 3) // explain: straighten decided "whichever way"
        r = b;
    return r * 5;
}
