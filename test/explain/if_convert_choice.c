// A choice between two values that are at hand is a select.
int f(int c, int a, int b) {
    int r = a;
    if (c > 3) // explain: if_convert replaced "select instead of the branch at node 1"; -> "cmov"
        r = b;
    return r * 5;
}
