// Nothing uses the type.
int twice(int x) {
    typedef long wide; // mistake
    return 2 * x;
}
